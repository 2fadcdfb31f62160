"""Corners by name: ``the NE corner of the E½SW¼ of Sec. 17``, quarter corners, corners of townships."""

from __future__ import annotations

from dataclasses import dataclass

from site_eval.legal import vocabulary as v
from site_eval.legal.cursor import Cursor
from site_eval.legal.plss import NO_HINTS, Hints, read_plss
from site_eval.legal.section_unit import UNIT, Box, box_of
from site_eval.legal.tokens import tokenize
from site_eval.legal.tree import Aliquot, PlssTree, SectionLand

_CORNER = frozenset({"CORNER", "COR", "CORNERS"})


@dataclass(frozen=True)
class NamedCorner:
    """A place on a section: u east and v north of its south-west corner, 0 to 1."""

    township: str
    range: str
    section: int
    u: float
    v: float
    meridian: str | None


def read_corner(
    reference: str, context: PlssTree | None, hints: Hints = NO_HINTS
) -> NamedCorner | None:
    """The corner that *reference* names; section and township may come from the *context*.

    None when it names no corner of the rectangular survey, or one that cannot be told.
    """
    cursor = Cursor(reference, tokenize(reference))
    while cursor.token.kind != "end":
        place = _corner_name(cursor)
        if place is not None:
            return _resolved(place, reference[cursor.token.start :], context, hints)
        cursor.at += 1
    return None


def _corner_name(cursor: Cursor) -> tuple[str, bool] | None:  # noqa: C901 - one branch a way of naming
    """(side, is a quarter corner) at the cursor, which then stands behind the word "corner"."""
    if cursor.word() in {"CENTER", "CENTRE"}:
        cursor.at += 1
        return "", True
    if cursor.word() in _CORNER and cursor.word(1) in {"COMMON", "OF"} and _sections_follow(cursor):
        cursor.at += 1
        return "common", False
    if (
        cursor.token.value in v.QUARTER_WORDS
        and cursor.word(1) in _CORNER
        and _sections_follow(cursor)
    ):
        cursor.at += 2
        return "common", True
    side = v.DIRECTIONS.get(cursor.word())
    if cursor.token.kind == "aliquot" and cursor.token.value in v.DIRECTIONS:
        side = cursor.token.value
    if side is None:
        return None
    count = 1
    while cursor.symbol(count) in {".", "-"}:
        count += 1
    second = v.DIRECTIONS.get(cursor.word(count))
    if side in {"N", "S"} and second in {"E", "W"}:
        side, count = side + second, count + 1
    quarter = cursor.ahead(count).value in v.QUARTER_WORDS
    if quarter or cursor.word(count) == "ONE":
        quarter = True
        while cursor.ahead(count).value in v.QUARTER_WORDS or cursor.word(count) == "ONE":
            count += 1
    if cursor.word(count) not in _CORNER or (quarter and len(side) == 2):
        return None
    cursor.at += count + 1
    return side, quarter


def _sections_follow(cursor: Cursor) -> bool:
    return any(cursor.word(count) in v.SECTION_WORDS for count in range(1, 6))


def _resolved(
    place: tuple[str, bool], rest: str, context: PlssTree | None, hints: Hints
) -> NamedCorner | None:
    side, quarter = place
    tree = read_plss(rest.lstrip(" ,.").removeprefix("of "), hints)
    lands = tree.sections or [SectionLand(None, None, None)]
    around = context.sections[0] if context is not None and context.sections else None
    named = tree.township or (None, None)
    township = lands[0].township or named[0] or (around.township if around else None)
    range_ = lands[0].range or named[1] or (around.range if around else None)
    meridian = tree.meridian or (context.meridian if context else None) or hints.meridian
    if township is None or range_ is None:
        return None
    if side == "common":
        numbers = [land.section for land in lands if land.section is not None]
        return _common(township, range_, numbers, meridian, quarter=quarter)
    box = _box(lands[0])
    section = lands[0].section or (around.section if around and not quarter else None)
    if section is None and around is not None:
        section = around.section
    if box is None:
        return None
    if section is None:
        return _township_corner(township, range_, side, meridian)
    west, south, east, north = box
    u = east if "E" in side else west if "W" in side else (west + east) / 2
    v_ = north if "N" in side else south if "S" in side else (south + north) / 2
    return NamedCorner(township, range_, section, u, v_, meridian)


def _box(land: SectionLand) -> Box | None:
    """The rectangle whose corner is meant; None when it is a lot's or anything but one aliquot's."""
    if not land.parts:
        return UNIT
    if len(land.parts) == 1 and isinstance(land.parts[0], Aliquot):
        return box_of(land.parts[0].steps)
    return None


def _township_corner(
    township: str, range_: str, side: str, meridian: str | None
) -> NamedCorner | None:
    corners = {"NE": (1, 1, 1), "NW": (6, 0, 1), "SE": (36, 1, 0), "SW": (31, 0, 0)}
    if side not in corners:
        return None
    section, u, v_ = corners[side]
    return NamedCorner(township, range_, section, float(u), float(v_), meridian)


def _common(
    township: str, range_: str, numbers: list[int], meridian: str | None, *, quarter: bool
) -> NamedCorner | None:
    """The one corner that several sections share; for a quarter corner, the middle of a shared side."""
    shared: set[tuple[int, int]] | None = None
    for number in numbers:
        row, column = divmod(number - 1, 6)
        column = 5 - column if row % 2 == 0 else column
        corners = {(column + i, 5 - row + j) for i in (0, 1) for j in (0, 1)}
        shared = corners if shared is None else shared & corners
    if not shared or len(shared) != (2 if quarter else 1) or not numbers:
        return None
    x = sum(corner[0] for corner in shared) / len(shared)
    y = sum(corner[1] for corner in shared) / len(shared)
    row, column = divmod(numbers[0] - 1, 6)
    column = 5 - column if row % 2 == 0 else column
    return NamedCorner(
        township, range_, numbers[0], float(x - column), float(y - (5 - row)), meridian
    )
