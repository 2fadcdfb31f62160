"""Aliquots as rectangles of a unit section (origin south-west), areas exact, unions and remainders.

A section is nominally 640 acres and 5,280 feet square; every half and quarter is a dyadic
rectangle, which binary floating point holds exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from site_eval.legal.tree import Aliquot, Part, Strip

SECTION_ACRES = 640.0
SECTION_FT = 5280.0

Box = tuple[float, float, float, float]
UNIT: Box = (0.0, 0.0, 1.0, 1.0)


@lru_cache(maxsize=65536)
def box_of(steps: tuple[str, ...]) -> Box:
    """The rectangle (west, south, east, north) of an aliquot written smallest first."""
    box = UNIT
    for step in reversed(steps):
        box = divide(box, step)
    return box


def divide(box: Box, step: str) -> Box:
    """One half (``N2``) or quarter (``NE``) of a rectangle."""
    west, south, east, north = box
    if "N" in step:
        south = (south + north) / 2
    elif "S" in step:
        north = (south + north) / 2
    if "E" in step:
        west = (west + east) / 2
    elif "W" in step:
        east = (west + east) / 2
    return west, south, east, north


def part_box(part: Part) -> Box | None:
    """The rectangle of an aliquot or a strip of one, on a nominal section; None for lots."""
    if isinstance(part, Aliquot):
        return box_of(part.steps)
    if isinstance(part, Strip):
        base = part_box(part.of)
        return None if base is None else strip_box(base, part.side, part.amount, part.unit)
    return None


def strip_box(base: Box, side: str, amount: float, unit: str) -> Box:
    """The band of *base* along *side*: *amount* feet deep, or so deep that it holds *amount* acres."""
    west, south, east, north = base
    width, height = east - west, north - south
    if unit == "ac":
        share = min(1.0, amount / SECTION_ACRES / max(width * height, 1e-12))
        depth_x, depth_y = share * width, share * height
    else:
        depth_x, depth_y = min(width, amount / SECTION_FT), min(height, amount / SECTION_FT)
    if side == "N":
        south = north - depth_y
    if side == "S":
        north = south + depth_y
    if side == "E":
        west = east - depth_x
    if side == "W":
        east = west + depth_x
    return west, south, east, north


def covered_acres(taken: Sequence[Box], less: Sequence[Box] = ()) -> float:
    """Area of the union of *taken* without *less*, on a nominal section, in acres."""
    if not less and not _overlap(taken):
        return SECTION_ACRES * sum((e - w) * (n - s) for w, s, e, n in taken)
    xs = sorted({x for box in (*taken, *less) for x in (box[0], box[2])})
    ys = sorted({y for box in (*taken, *less) for y in (box[1], box[3])})
    area = 0.0
    for west, east in pairwise(xs):
        for south, north in pairwise(ys):
            x, y = (west + east) / 2, (south + north) / 2
            if _inside(x, y, taken) and not _inside(x, y, less):
                area += (east - west) * (north - south)
    return SECTION_ACRES * area


def remainder(taken: Iterable[Part], less: Iterable[Part]) -> list[Aliquot] | None:
    """The fewest large aliquots that make *taken* without *less*; None unless all are aliquots."""
    taken_list, less_list = list(taken), list(less)
    if not all(isinstance(part, Aliquot) for part in (*taken_list, *less_list)):
        return None
    inside = [box_of(part.steps) for part in taken_list if isinstance(part, Aliquot)]
    outside = [box_of(part.steps) for part in less_list if isinstance(part, Aliquot)]
    return [Aliquot(steps) for steps in _cover((), inside, outside, depth=0)]


_HALVES = (("W2", "E2"), ("N2", "S2"))
_QUARTERS = ("NE", "NW", "SW", "SE")
_MAX_DEPTH = 8


def _cover(
    steps: tuple[str, ...], taken: list[Box], less: list[Box], depth: int
) -> list[tuple[str, ...]]:
    state = _state(box_of(steps), taken, less)
    if state == "full":
        return [steps]
    if state == "empty" or depth == _MAX_DEPTH:
        return []
    for pair in _HALVES:
        for full, other in (pair, pair[::-1]):
            if _state(box_of((full, *steps)), taken, less) == "full":
                rest = [q for q in _QUARTERS if other[0] in q]
                return [(full, *steps), *_in_quarters(rest, steps, taken, less, depth)]
    return _in_quarters(_QUARTERS, steps, taken, less, depth)


def _in_quarters(
    quarters: Iterable[str], steps: tuple[str, ...], taken: list[Box], less: list[Box], depth: int
) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    whole: list[tuple[str, ...]] = []
    for quarter in quarters:
        pieces = _cover((quarter, *steps), taken, less, depth + 1)
        (whole if pieces == [(quarter, *steps)] else found).extend(pieces)
    return whole + found


def _state(box: Box, taken: list[Box], less: list[Box]) -> str:
    area = SECTION_ACRES * (box[2] - box[0]) * (box[3] - box[1])
    clipped = [c for b in taken if (c := _clip(b, box)) is not None]
    cut = [c for b in less if (c := _clip(b, box)) is not None]
    covered = covered_acres(clipped, cut)
    if covered < 1e-9:
        return "empty"
    return "full" if covered > area - 1e-9 else "partial"


def _clip(box: Box, to: Box) -> Box | None:
    west, south = max(box[0], to[0]), max(box[1], to[1])
    east, north = min(box[2], to[2]), min(box[3], to[3])
    return (west, south, east, north) if west < east and south < north else None


def _overlap(boxes: Sequence[Box]) -> bool:
    return any(
        _clip(one, other) is not None
        for index, one in enumerate(boxes)
        for other in boxes[index + 1 :]
    )


def _inside(x: float, y: float, boxes: Sequence[Box]) -> bool:
    return any(west < x < east and south < y < north for west, south, east, north in boxes)
