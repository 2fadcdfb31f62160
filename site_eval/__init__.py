"""Check a proposed mass-gathering site against a county's ordinance."""

__version__ = "0.1.0"
