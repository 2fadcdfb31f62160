"""Bearings and distances as deeds write them: quadrants, azimuths, feet, chains, rods, varas."""

from __future__ import annotations

import re
from typing import NamedTuple

from site_eval.legal import vocabulary as v
from site_eval.legal.cursor import Cursor
from site_eval.legal.number_lists import mixed_number
from site_eval.legal.tokens import Token

_MINUTE_MARKS = frozenset({"'", "’", "′", "‘", "`"})
_SECOND_MARKS = frozenset({'"', "”", "″", "“"})
_DEGREE_MARKS = frozenset({"°", "º", "˚", "*"})
_DEGREE_WORDS = frozenset({"DEGREES", "DEGREE", "DEG", "DEGS", "D"})
_MINUTE_WORDS = frozenset({"MINUTES", "MINUTE", "MIN", "MINS", "M"})
_SECOND_WORDS = frozenset({"SECONDS", "SECOND", "SEC", "SECS", "S"})
_CARDINAL_AZIMUTH = {"N": 0.0, "E": 90.0, "S": 180.0, "W": 270.0}
_CARDINAL_BEARING = {"N": "N0-00-00E", "E": "N90-00-00E", "S": "S0-00-00E", "W": "N90-00-00W"}


class Bearing(NamedTuple):
    """An azimuth in degrees clockwise from the text's north, and the bearing written one way."""

    azimuth_deg: float
    text: str
    exact: bool  # False for "northeasterly" and the like: a direction, not a bearing


def quadrant_azimuth(first: str, angle_deg: float, second: str) -> float:
    """``N angle E`` and its three fellows as an azimuth; angles beyond 90 degrees are refused."""
    if not 0.0 <= angle_deg <= 90.0:
        raise ValueError(angle_deg)
    base, sign = (0.0, 1.0) if first == "N" else (180.0, -1.0)
    if second == "W":
        sign = -sign
    return (base + sign * angle_deg) % 360.0


def dashed(angle_deg: float) -> str:
    """Degrees, minutes and seconds with dashes: ``12-30-15``."""
    seconds = round(angle_deg * 3600.0, 2)
    degrees, rest = divmod(seconds, 3600.0)
    minutes, seconds = divmod(rest, 60.0)
    shown = f"{seconds:05.2f}".removesuffix(".00")
    return f"{int(degrees)}-{int(minutes):02d}-{shown}"


def bearing_of_azimuth(azimuth_deg: float) -> str:
    """An azimuth as a quadrant bearing."""
    azimuth = azimuth_deg % 360.0
    if azimuth <= 90.0:
        return f"N{dashed(azimuth)}E"
    if azimuth <= 180.0:
        return f"S{dashed(180.0 - azimuth)}E"
    if azimuth <= 270.0:
        return f"S{dashed(azimuth - 180.0)}W"
    return f"N{dashed(360.0 - azimuth)}W"


def read_bearing(cursor: Cursor) -> Bearing | None:  # noqa: PLR0911 - one exit a form
    """Read a bearing at the cursor and pass over it; None (and nothing passed) when there is none.

    bearing = ["due"] cardinal | N|S angle E|W | "azimuth" ["of"] angle | "northeasterly".
    """
    back = cursor.at
    if cursor.word() in {"AZIMUTH", "AZ"}:
        cursor.at += 1
        cursor.skip_words({"OF"})
        cursor.skip_symbols("=:.")
        angle = read_angle(cursor)
        if angle is not None:
            return Bearing(angle % 360.0, bearing_of_azimuth(angle), exact=True)
        cursor.at = back
        return None
    due = cursor.skip_words({"DUE"})
    first = _side(cursor)
    if first is None:
        cursor.at = back
        return None
    if first[1] and not due:  # northeasterly, southerly
        return Bearing(_rough_azimuth(first[0]), first[0], exact=False)
    if first[0] in {"N", "S"}:
        quadrant = _quadrant(cursor, first[0])
        if quadrant is not None:
            return quadrant
        if angle_like(cursor, 0):
            cursor.at = back
            return None
    if len(first[0]) == 2:
        return Bearing(_rough_azimuth(first[0]), first[0], exact=False)
    return Bearing(_CARDINAL_AZIMUTH[first[0]], _CARDINAL_BEARING[first[0]], exact=True)


def angle_like(cursor: Cursor, count: int) -> bool:
    """Whether what stands *count* tokens ahead looks like an angle, readable or not."""
    while cursor.symbol(count) in {".", ",", "("}:
        count += 1
    token, following = cursor.ahead(count), cursor.ahead(count + 1)
    if token.kind == "str":
        return True
    if token.kind != "number":
        return False
    if following.value in _DEGREE_MARKS or following.value in _DEGREE_WORDS:
        return True
    dashed_on = following.value == "-" and cursor.ahead(count + 2).kind == "number"
    touching = following.start == token.end and following.kind in {"word", "number"}
    unit = following.value in v.UNITS_FT and following.value != "L"
    minutes = (
        re.fullmatch(r"\d{1,2}0\d{2}", token.value) is not None and following.value in _MINUTE_MARKS
    )
    return dashed_on or minutes or (touching and not unit) or following.kind == "number"


def read_angle(cursor: Cursor) -> float | None:
    """Degrees, minutes, seconds by signs, words or dashes; decimal degrees; or None."""
    back = cursor.at
    token = cursor.token
    if token.kind == "str":
        return _dashed_token(cursor, token)
    if token.kind != "number":
        return None
    repaired = _zero_for_degree(cursor)
    if repaired is not None:
        degrees: float = repaired[0]
        minutes: float | None = repaired[1]
    else:
        degrees = float(token.value.replace(",", ""))
        cursor.at += 1
        if not _mark(cursor, _DEGREE_MARKS, _DEGREE_WORDS, "-") and cursor.token.kind != "number":
            following = cursor.word()
            if following not in {"E", "W", "EAST", "WEST"}:
                cursor.at = back
                return None
            return degrees
        minutes = _sixtieths(cursor, _MINUTE_MARKS, _MINUTE_WORDS)
    seconds = _sixtieths(cursor, _SECOND_MARKS, _SECOND_WORDS) if minutes is not None else None
    return degrees + (minutes or 0.0) / 60.0 + (seconds or 0.0) / 3600.0


def read_distance(cursor: Cursor) -> float | None:
    """A distance in feet; smaller units may follow (``10 chains 25 links``); None when none is here."""
    back = cursor.at
    total = 0.0
    last_factor = float("inf")
    while True:
        here = cursor.at
        if total:
            cursor.skip_words({"AND"})
        amount = _amount(cursor)
        factor = _unit(cursor) if amount is not None else None
        if amount is None or factor is None or factor >= last_factor:
            cursor.at = here if total else back
            return total or None
        total += amount * factor
        last_factor = factor


def _amount(cursor: Cursor) -> float | None:
    token = cursor.token
    if token.kind == "number":
        cursor.at += 1
        amount = float(token.value.replace(",", ""))
        if cursor.token.kind == "fraction" and "/" in cursor.token.value:
            amount += mixed_number(cursor.token.value)
            cursor.at += 1
        return amount
    if token.kind == "fraction":
        cursor.at += 1
        return mixed_number(token.value)
    if token.kind == "range":  # "R 250 ft" of a curve is lexed as a range without a side
        cursor.at += 1
        return float("".join(c for c in token.value if c.isdigit()))
    if token.kind == "word" and token.value in v.NUMBER_WORDS:
        return _spoken_amount(cursor)
    return None


def _spoken_amount(cursor: Cursor) -> float:
    """``forty-two``, ``two hundred and five``; a number in brackets after it is the same again."""
    total = 0.0
    current = 0.0
    while True:
        word = cursor.word()
        if word in v.NUMBER_WORDS:
            current += v.NUMBER_WORDS[word]
        elif word == "HUNDRED":
            current = max(current, 1.0) * 100.0
        elif word == "THOUSAND":
            total, current = total + max(current, 1.0) * 1000.0, 0.0
        elif (
            not (cursor.symbol() == "-" or word == "AND")
            or cursor.word(1) not in v.NUMBER_WORDS
            or (cursor.symbol(2) == "-" and cursor.word(3) == "HALF")
        ):
            break
        cursor.at += 1
    total += current
    if (
        cursor.word() == "AND"
        and cursor.word(1) == "ONE"
        and cursor.symbol(2) == "-"
        and cursor.word(3) == "HALF"
    ):
        total, cursor.at = total + 0.5, cursor.at + 4
    if cursor.symbol() == "(" and cursor.ahead(1).kind == "number" and cursor.symbol(2) == ")":
        figures = float(cursor.ahead(1).value.replace(",", ""))
        if figures != total:
            span = (cursor.ahead(1).start, cursor.ahead(1).end)
            cursor.warn("words-and-figures", f"{total:g} in words, {figures:g} in figures", span)
        cursor.at += 3
    return total


def _unit(cursor: Cursor) -> float | None:
    cursor.skip_symbols("-")
    cursor.skip_words({"US", "SURVEY", "INTERNATIONAL", "STANDARD"})
    token = cursor.token
    value = cursor.word() or cursor.symbol()
    if value == "IN" and cursor.symbol(1) != ".":
        return None
    if value == "L" and cursor.ahead(-1).end == token.start:  # "74l" is no 74 links
        return None
    if value == "M" and cursor.symbol(1) == "/":  # "m/l", more or less
        return None
    factor = v.UNITS_FT.get(value)
    if factor is None or token.kind not in {"word", "symbol", "dotted"}:
        return None
    cursor.at += 1
    if token.kind == "word" and len(value) <= 3 and cursor.symbol() == ".":
        cursor.at += 1
    return factor


def _side(cursor: Cursor) -> tuple[str, bool] | None:
    """A direction and whether it is only a rough one (``-erly``)."""
    word = cursor.word()
    token = cursor.token
    if token.kind == "aliquot" and token.value in v.DIRECTIONS:
        word = token.value
    side = v.DIRECTIONS.get(word)
    if side is None:
        return None
    cursor.at += 1
    if cursor.symbol() == "." and len(word) <= 2:
        cursor.at += 1
    rough = word.endswith(("ERLY", "LY"))
    second = v.DIRECTIONS.get(cursor.word())
    if side in {"N", "S"} and second in {"E", "W"} and len(word) > 2 and not rough:
        cursor.at += 1
        return side + second, rough
    return side, rough


def _quadrant(cursor: Cursor, first: str) -> Bearing | None:
    back = cursor.at
    cursor.skip_symbols("(")
    angle = read_angle(cursor)
    if angle is None:
        cursor.at = back
        return None
    cursor.skip_symbols("(.,")
    second = v.DIRECTIONS.get(cursor.word())
    if second not in {"E", "W"} or angle > 90.0:
        cursor.at = back
        return None
    cursor.at += 1
    cursor.skip_symbols(".")
    cursor.skip_symbols(")")
    return Bearing(
        quadrant_azimuth(first, angle, second), f"{first}{dashed(angle)}{second}", exact=True
    )


def _mark(cursor: Cursor, marks: frozenset[str], words: frozenset[str], dash: str) -> bool:
    if cursor.symbol() in marks or cursor.word() in words:
        cursor.at += 1
        cursor.skip_symbols(".,")
        return True
    if cursor.symbol() == dash and cursor.ahead(1).kind == "number":
        cursor.at += 1
        return True
    return False


def _sixtieths(cursor: Cursor, marks: frozenset[str], words: frozenset[str]) -> float | None:
    """Minutes or seconds with their mark (which may be a dash or missing); None when none are here."""
    token = cursor.token
    if token.kind != "number":
        return None
    value = float(token.value.replace(",", ""))
    following = cursor.ahead(1)
    touching = following.kind == "word" and following.start == token.end
    if touching and following.value not in words and following.value not in {"E", "W"}:
        return None
    if value >= 60.0 or (
        cursor.ahead(1).value in v.UNITS_FT and cursor.ahead(1).value not in {*marks, "M"}
    ):
        return None
    cursor.at += 1
    if (
        marks is _SECOND_MARKS
        and cursor.symbol() in _MINUTE_MARKS
        and cursor.symbol(1) in _MINUTE_MARKS
    ):
        cursor.at += 2
        return value
    _mark(cursor, marks, words, "-")
    return value


def _zero_for_degree(cursor: Cursor) -> tuple[float, float] | None:
    """``N12030'15"E``: a scanner's 0 for the degree sign, mended with a warning."""
    token, following = cursor.token, cursor.ahead(1)
    match = re.fullmatch(r"(\d{1,2})0(\d{2})", token.value)
    if match is None or following.value not in _MINUTE_MARKS:
        return None
    degrees, minutes = float(match[1]), float(match[2])
    if degrees > 90.0 or minutes >= 60.0:
        return None
    cursor.at += 2
    cursor.warn(
        "repaired",
        f"{token.value + following.value!r} is read as {match[1]}°{match[2]}'",
        (token.start, following.end),
    )
    return degrees, minutes


def _dashed_token(cursor: Cursor, token: Token) -> float | None:
    """``89-59-41`` or ``89-59-41E``, lexed as section-township-range; the E or W is left to read."""
    match = re.fullmatch(r"(\d+)-(\d+)-(\d+)([EW]?)", token.value)
    if match is None or float(match[2]) >= 60.0 or float(match[3]) >= 60.0:
        return None
    if match[4]:
        split = token.end - 1
        cursor.tokens[cursor.at : cursor.at + 1] = [
            Token("str", token.value[:-1], token.start, split),
            Token("word", match[4], split, token.end),
        ]
    cursor.at += 1
    return float(match[1]) + float(match[2]) / 60.0 + float(match[3]) / 3600.0


def _rough_azimuth(side: str) -> float:
    return {"NE": 45.0, "SE": 135.0, "SW": 225.0, "NW": 315.0}.get(
        side, _CARDINAL_AZIMUTH.get(side, 0.0)
    )
