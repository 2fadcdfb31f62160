"""The one tree of errors: each has a stable code, the place, what is wrong and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable


class SiteEvalError(Exception):
    """An input that cannot be used. ``str(error)`` is one sentence for the person who made it."""

    code = "error"

    def __init__(
        self, place: str, fault: str, mend: str, *, code: str | None = None, drawing: str = ""
    ) -> None:
        """Say *place* (file, line, key or feature), *fault* and *mend*, none with a full stop.

        A *drawing* (the words at fault with a mark under them) stands below the sentence.
        """
        self.place = place
        self.fault = fault
        self.mend = mend
        self.drawing = drawing
        if code is not None:
            self.code = code
        super().__init__(f"{place}: {fault}; {mend}.{drawing}")


class InputFileError(SiteEvalError):
    """A file that is missing, empty, too large, or not what its name says."""

    code = "input-file"


class ApplicationError(SiteEvalError):
    """A key or value of an application file."""

    code = "application"


class LayoutError(SiteEvalError):
    """A feature of a layout file."""

    code = "layout"


class LandError(SiteEvalError):
    """Land that cannot be placed."""

    code = "land"


class LayerError(SiteEvalError):
    """A reference layer or its catalog entry."""

    code = "layer"


class OrdinanceError(SiteEvalError):
    """An ordinance file."""

    code = "ordinance"


class OutputError(SiteEvalError):
    """A place that cannot be written to."""

    code = "output"


class ManyErrors(SiteEvalError):  # noqa: N818 - it is several errors
    """All faults of one input file, told at once; ``errors`` holds each."""

    code = "many"

    def __init__(self, errors: Iterable[SiteEvalError]) -> None:
        """Join the messages of *errors* (at least one)."""
        self.errors = tuple(errors)
        first = self.errors[0]
        super().__init__(first.place, first.fault, first.mend, code=first.code)
        self.args = ("\n".join(str(error) for error in self.errors),)
