"""An application file: what an applicant declares, read and checked, every fault told at once."""

from site_eval.application.reading import known_paths, read_application, value_at
from site_eval.application.tables import Application, LayoutSpec

__all__ = ["Application", "LayoutSpec", "known_paths", "read_application", "value_at"]
