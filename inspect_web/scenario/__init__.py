"""A written evening, played over the device API: what a revocation record looks like in the end."""

from __future__ import annotations

from inspect_web.scenario.evening import AS_OF, play
from inspect_web.scenario.written import write_all

__all__ = ["AS_OF", "play", "write_all"]
