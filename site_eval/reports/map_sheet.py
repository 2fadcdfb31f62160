"""A printed map's sheet: its paper, the places of its parts, and a true scale."""

from __future__ import annotations

from dataclasses import dataclass

from site_eval.errors import OutputError
from site_eval.units import metres

# Feet of ground to an inch of paper, as an engineer's scale has them.
_ENGINEER = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Rect:
    """A rectangle on the sheet, inches from its lower left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Sheet:
    """Where each part of a map lies on its paper, in inches."""

    width: float
    height: float
    frame: Rect
    title: Rect
    legend: Rect
    aids: Rect
    locator: Rect
    notes: Rect


# Inches: the packet's text width, the least and greatest height of its map, the title block's.
_PACKET_WIDTH = 7.0
_PACKET_FRAME = (3.4, 5.2)
_BLOCK = 2.45

_PAPERS = {"letter": (8.5, 11.0), "legal": (8.5, 14.0), "tabloid": (11.0, 17.0)}
SHEETS = tuple(
    [f"{paper}-{way}" for paper in _PAPERS for way in ("portrait", "landscape")] + ["packet"]
)


def sheet_named(name: str, tallness: float = 1.0) -> Sheet:
    """The sheet called *name*, one of ``SHEETS``; raises ``OutputError`` naming them.

    The packet's sheet has no paper of its own: it is as tall as the ground it shows asks for
    (*tallness* is that ground's height over its width), within what a page can hold.
    """
    if name == "packet":
        frame_height = min(max(_PACKET_WIDTH * tallness, _PACKET_FRAME[0]), _PACKET_FRAME[1])
        return _portrait(_PACKET_WIDTH, frame_height + _BLOCK + 0.1 + 0.04, 0.02)
    paper, _, way = name.partition("-")
    if name not in SHEETS:
        raise OutputError(
            f"sheet {name!r}", "there is no such sheet", f"name one of {', '.join(SHEETS)}"
        )
    short, long = _PAPERS[paper]
    return _portrait(short, long, 0.45) if way == "portrait" else _landscape(long, short, 0.45)


def _portrait(width: float, height: float, margin: float) -> Sheet:
    """The map above, its title block below in three columns."""
    inner = width - 2 * margin
    block = _BLOCK
    frame = Rect(margin, margin + block + 0.1, inner, height - 2 * margin - block - 0.1)
    left, right = inner * 0.33, inner * 0.23
    middle = inner - left - right
    return Sheet(
        width,
        height,
        frame,
        title=Rect(margin, margin + 1.2, left, 1.25),
        legend=Rect(margin + left, margin, middle, block),
        aids=Rect(margin + left + middle, margin, right, 0.85),
        locator=Rect(margin + left + middle, margin + 0.85, right, block - 0.85),
        notes=Rect(margin, margin, left, 1.2),
    )


def _landscape(width: float, height: float, margin: float) -> Sheet:
    """The map at the left, its title block at the right."""
    column = 2.6
    x = width - margin - column
    tall = height - 2 * margin
    frame = Rect(margin, margin, width - 2 * margin - column - 0.1, tall)
    fixed = 1.25 + 0.85 + 1.45 + 1.3
    return Sheet(
        width,
        height,
        frame,
        title=Rect(x, margin + tall - 1.25, column, 1.25),
        legend=Rect(x, margin + fixed - 1.25, column, tall - fixed),
        aids=Rect(x, margin + 1.3 + 1.45, column, 0.85),
        locator=Rect(x, margin + 1.3, column, 1.45),
        notes=Rect(x, margin, column, 1.3),
    )


def feet_per_inch(width_m: float, height_m: float, frame: Rect) -> int:
    """The largest engineer's scale at which this much ground fits into the frame."""
    needed_m = max(width_m / frame.width, height_m / frame.height, metres(10.0) * 0.999)
    power = 10
    while True:
        for step in _ENGINEER:
            if metres(step * power) >= needed_m:
                return step * power
        power *= 10


def scale_words(feet: int) -> str:
    """A scale as a map says it, e.g. ``1″ = 400 ft (1:4,800)``."""
    miles = f", {feet / 5280:.2g} mi" if feet >= 5280 else ""
    return f"1″ = {feet:,} ft{miles} (1:{feet * 12:,})"


def bar_feet(scale_feet: int, width_in: float) -> float:
    """A round length, in feet, for a scale bar of at most *width_in*."""
    room = scale_feet * width_in
    unit = 5280.0 if room >= 5280 else 1.0
    power = 10.0
    while power * 10 <= room / unit:
        power *= 10
    while power > room / unit:
        power /= 10
    best = max(step * power for step in (1, 2, 3, 4, 5, 6, 8) if step * power <= room / unit)
    return best * unit
