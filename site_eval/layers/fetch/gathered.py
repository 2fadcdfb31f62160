"""What a service gave: the pages of rows, what it counted itself, and what is to be told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

# Told of progress: how many of how many; 0 when the whole is not known.
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Question:
    """What is asked of a service: the box in degrees (west, south, east, north), or everything."""

    box: tuple[float, float, float, float] | None = None
    where: str = "1=1"
    out_fields: tuple[str, ...] = ()
    page_rows: int = 1000


@dataclass(frozen=True)
class Gathered:
    """Rows as JSON features, each page with its own; ``server_count`` is the service's claim.

    ``incomplete`` says what was announced and not given; a layer with it must not be taken for
    whole. ``remarks`` are worth knowing and change nothing.
    """

    form: Literal["esrijson", "geojson"]
    pages: list[dict[str, Any]]
    server_count: int | None
    resumed: bool
    edited: date | None = None
    incomplete: str | None = None
    remarks: tuple[str, ...] = ()
    columns: tuple[str, ...] = field(default=())

    @property
    def features(self) -> list[dict[str, Any]]:
        """The features of all pages, in order."""
        return [feature for page in self.pages for feature in page["features"]]
