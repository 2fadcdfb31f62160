"""What a service gave: the pages of rows, what it counted itself, and what is to be told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
    """Rows as JSON features; ``server_count`` is the service's claim.

    ``pages`` reads the kept pages from the disk one by one, each with its ``features``: a county's
    parcels need not be in memory at once. ``incomplete`` says what was announced and not given; a
    layer with it must not be taken for whole. ``remarks`` are worth knowing and change nothing.
    """

    form: Literal["esrijson", "geojson"]
    pages: Callable[[], Iterator[dict[str, Any]]]
    page_count: int
    rows: int
    server_count: int | None
    resumed: bool
    edited: date | None = None
    incomplete: str | None = None
    remarks: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
