"""Marks of a metes-and-bounds text: where it begins, where a call ends, what comes next."""

from __future__ import annotations

from site_eval.legal import vocabulary as v
from site_eval.legal.cursor import Cursor
from site_eval.legal.measures import Bearing, angle_like, read_bearing, read_distance

COMMENCE = frozenset({"COMMENCING", "COMMENCE", "COMMENCES", "STARTING"})
BEGIN = frozenset({"BEGINNING", "BEGIN", "BEGINS"})
THENCE = frozenset({"THENCE", "THENSE", "THEN"})
RUN = frozenset({"RUN", "RUNNING", "RUNS", "GO", "GOING", "PROCEED", "PROCEEDING"})


def find_start(cursor: Cursor) -> str:  # noqa: PLR0911 - one exit a form
    for index, token in enumerate(cursor.tokens):
        cursor.at = index
        word = token.value if token.kind == "word" else ""
        if word in COMMENCE:
            return "commencing"
        if word in BEGIN and cursor.word(1) in {"LIES", "IS", "BEARS"}:
            return "lies"
        if word in BEGIN and cursor.word(-1) != "OF":
            return "beginning"
        if word == "INITIAL" and cursor.word(1) == "POINT":
            return "initial"
        if word == "FROM" and corner_soon(cursor):
            return "from"
        if word in THENCE or (token.kind in {"word", "dotted"} and course_ahead(cursor)):
            return "none"
    return "none"


def corner_soon(cursor: Cursor) -> bool:
    return any(
        cursor.word(count) in {"CORNER", "COR", "POINT", "MONUMENT", "STAKE", "LINE"}
        for count in range(1, 8)
    )


def reference_ends(cursor: Cursor) -> bool:
    token = cursor.token
    if token.kind == "end" or cursor.word() in THENCE or cursor.word() in RUN:
        return True
    if token.kind == "symbol" and token.value == ";":
        return True
    return token.kind in {"word", "dotted", "number"} and (
        course_ahead(cursor) or reversed_ahead(cursor)
    )


def broken_bearing(cursor: Cursor) -> bool:
    """North or south with an angle that cannot be read: never to be taken as due north."""
    return v.DIRECTIONS.get(cursor.word()) in {"N", "S"} and angle_like(cursor, 1)


def bearing_ahead(cursor: Cursor) -> bool:
    """A measured bearing (with an angle), which a new course begins."""
    back, warned = cursor.at, len(cursor.warnings)
    bearing = read_bearing(cursor)
    measured = bearing is not None and cursor.at - back > 2
    cursor.at = back
    del cursor.warnings[warned:]
    return measured


def call_end(cursor: Cursor) -> int:
    """The token where this call ends: the next "thence", semicolon or point of beginning."""
    index, depth = cursor.at, 0
    while cursor.tokens[index].kind != "end":
        token = cursor.tokens[index]
        depth += (token.value in "([") - (token.value in ")]") if token.kind == "symbol" else 0
        if token.kind == "word" and token.value in THENCE:
            break
        if token.kind == "symbol" and token.value == ";" and depth <= 0:
            break
        if index > cursor.at and beginning_at(cursor, index):
            break
        if token.kind == "word" and token.value in {"CONTAINING", "CONTAINS"}:
            break
        index += 1
    return index


def beginning_at(cursor: Cursor, index: int) -> int:
    """Tokens of a phrase that names the point of beginning at *index*; 0 when there is none."""
    back, cursor.at = cursor.at, index
    count = 0
    while cursor.word(count) in {
        "TO",
        "THE",
        "TRUE",
        "REAL",
        "ACTUAL",
        "SAID",
        "A",
        "PLACE",
        "POINT",
        "OF",
        "INITIAL",
    }:
        count += 1
    word = cursor.word(count)
    lead = [cursor.word(n) for n in range(count)]
    cursor.at = back
    if word in {"BEGINNING", "COMMENCEMENT", "COMMENCING"}:
        return count + 1
    if word in {"POB", "TPOB"}:
        return count + 1
    if "INITIAL" in lead and "POINT" in lead:
        return count
    return 0


def course_ahead(cursor: Cursor) -> bool:
    """Whether a bearing and its distance are next, with nothing but "a distance of" between."""
    back, warned = cursor.at, len(cursor.warnings)
    bearing: Bearing | None = read_bearing(cursor)
    found = False
    if bearing is not None and bearing.exact:
        cursor.skip_symbols(",.")
        cursor.skip_words({"A", "DISTANCE", "OF", "FOR"})
        found = read_distance(cursor) is not None
    cursor.at = back
    del cursor.warnings[warned:]
    return found


def reversed_ahead(cursor: Cursor) -> bool:
    """``195 ft S. 89°12' W. of``."""
    if cursor.token.kind not in {"number", "fraction"}:
        return False
    back, warned = cursor.at, len(cursor.warnings)
    found = bool(read_reversed(cursor)) and cursor.word() in {"OF", "FROM"}
    cursor.at = back
    del cursor.warnings[warned:]
    return found


def bare_distance(cursor: Cursor, end: int) -> float | None:
    """A number that ends its call without a unit is taken for feet, and said so."""
    token, following = cursor.token, cursor.ahead(1)
    last = (
        cursor.at + 1 >= end
        or following.value in {",", ";", "AND", "TO"}
        or following.kind == "end"
    )
    if token.kind != "number" or not last:
        return None
    cursor.at += 1
    cursor.warn("unit-assumed", f"{token.value} is read as feet", (token.start, token.end))
    return float(token.value.replace(",", ""))


def read_reversed(cursor: Cursor) -> list[tuple[float, Bearing]]:
    """Distances before their bearings: ``20 rods North and 10 rods East``."""
    found: list[tuple[float, Bearing]] = []
    while True:
        back = cursor.at
        if found:
            cursor.skip_symbols(",")
            cursor.skip_words({"AND", "THENCE"})
        distance = read_distance(cursor)
        bearing = read_bearing(cursor) if distance is not None else None
        if distance is None or bearing is None or not bearing.exact:
            cursor.at = back
            return found
        found.append((distance, bearing))
