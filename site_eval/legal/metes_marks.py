"""Marks of a metes-and-bounds text: where it begins, where a call ends, what comes next."""

from __future__ import annotations

import re

from site_eval.legal import vocabulary as v
from site_eval.legal.cursor import Cursor
from site_eval.legal.measures import Bearing, angle_like, read_bearing, read_distance
from site_eval.legal.tokens import Token

COMMENCE = frozenset({"COMMENCING", "COMMENCE", "COMMENCES", "STARTING"})
BEGIN = frozenset({"BEGINNING", "BEGIN", "BEGINS"})
THENCE = frozenset({"THENCE", "THENSE", "THEN"})
RUN = frozenset({"RUN", "RUNNING", "RUNS", "GO", "GOING", "PROCEED", "PROCEEDING"})


_SHORT = {"TH": "THENCE", "BEG": "BEGINNING", "COM": "COMMENCING", "COMM": "COMMENCING"}
_POINT_WORDS = frozenset(
    {"TO", "THE", "TRUE", "REAL", "ACTUAL", "SAID", "A", "PLACE", "POINT", "OF", "INITIAL", "AND"}
)

# Words of a call that carry nothing of their own; any other that no rule uses is named in a warning.
CALL_FILLERS = frozenset(
    {"A", "AN", "AND", "ALONG", "AT", "BY", "CONTINUING", "DISTANCE", "FOR", "FROM", "IN", "IS", "LESS",
     "LINE", "MORE", "OF", "ON", "OR", "POINT", "RUNNING", "SAID", "THAT", "THE", "TO", "WITH", "BEING"}
)  # fmt: skip
SIDE_NOUNS = frozenset(
    {"LINE", "SIDE", "BOUNDARY", "EDGE", "BANK", "END", "MARGIN", "LINES", "RIGHT"}
)
AT = frozenset({"AT", "ON", "FROM", "IN", "A", "THE", "POINT", "WHICH", "IS"})


def in_full(tokens: list[Token]) -> list[Token]:
    """The tokens with an assessor's short forms (``BEG``, ``COM``, ``TH``) written in full."""
    found: list[Token] = []
    for token in tokens:
        after_number = found and found[-1].kind == "number" and found[-1].end == token.start
        if token.kind == "word" and token.value in _SHORT and not after_number:  # "5th P.M."
            token = token._replace(value=_SHORT[token.value])  # noqa: PLW2901 - the same token
        found.append(token)
    return found


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


def curve_announced(cursor: Cursor, end: int) -> bool:
    """Whether a call is a line "to the beginning of a curve", which the next call then follows."""
    if not course_ahead(cursor):
        return False
    words = [cursor.tokens[index].value for index in range(cursor.at, end)]
    curve = words.index("CURVE") if "CURVE" in words else 0
    to = words.index("TO") if "TO" in words else curve
    return to < curve and bool({"BEGINNING", "POINT", "START"} & set(words[to:curve]))


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
    if seen_from_beginning(cursor):
        cursor.at = back
        return 0
    count = 0
    while cursor.word(count) in _POINT_WORDS:
        count += 1
    word = cursor.word(count)
    lead = [cursor.word(n) for n in range(count)]
    of_curve = cursor.word(count + 1) == "OF" and any(
        cursor.word(count + n) in {"CURVE", "CURVATURE", "TANGENT"} for n in range(2, 6)
    )
    starting = word == "STARTING" and cursor.word(count + 1) == "POINT"
    cursor.at = back
    if of_curve:  # "to the beginning of a curve"
        return 0
    if word in {"BEGINNING", "COMMENCEMENT", "COMMENCING", "POB", "TPOB"}:
        return count + 1
    if starting:
        return count + 2
    return count if "INITIAL" in lead and "POINT" in lead else 0


def angle_within(cursor: Cursor, began: int, end: int) -> bool:
    """Whether an angle's marks stand among the tokens of a call, read or not."""
    return any(
        cursor.tokens[index].value in {"°", "º", "DEGREES", "'", '"'} for index in range(began, end)
    )


def seen_from_beginning(cursor: Cursor) -> bool:
    """``a point East of the point of beginning``: named only to say where another point lies."""
    count = 0
    while cursor.word(count) in _POINT_WORDS:
        if cursor.word(count) == "OF" and cursor.word(count - 1) in v.DIRECTIONS:
            return True
        count += 1
    count = -1
    while cursor.word(count) in _POINT_WORDS - {"TO"}:
        if cursor.word(count) == "OF" and cursor.word(count - 1) in v.DIRECTIONS:
            return True
        count -= 1
    return False


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
            cursor.skip_symbols(",&")
            cursor.skip_words({"AND", "THENCE"})
        distance = read_distance(cursor)
        bearing = read_bearing(cursor) if distance is not None else None
        if distance is None or bearing is None or not bearing.exact:
            cursor.at = back
            return found
        found.append((distance, bearing))


def more_or_less(cursor: Cursor) -> bool:
    """Pass over "more or less"."""
    if cursor.word() == "MORE" and cursor.word(1) == "OR" and cursor.word(2) == "LESS":
        cursor.at += 3
        return True
    if cursor.word() == "LESS" and cursor.word(-1) == "OR":
        cursor.at += 1
        return True
    return False


_SHORT_BEGIN = re.compile(r"\b(?:BEG|COMM?)\b\.?,?\s+(?:AT\b|(?:A\s+)?P(?:OIN)?T\b|\d)")


def is_metes_and_bounds(text: str) -> bool:
    """Whether a text runs courses: it begins or commences somewhere, or goes "thence"."""
    upper = text.upper()
    if "THENCE" in upper:
        return True
    begins = _SHORT_BEGIN.search(upper) is not None or any(
        word in upper for word in ("BEGINNING", "COMMENC", "P.O.B", "INITIAL POINT")
    )
    return begins and any(word in upper for word in ("FT", "FEET", "ROD", "CHAIN", "VARA", "'"))
