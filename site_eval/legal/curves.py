"""Curves in words: radius, central angle, arc, chord, tangent, the side, in any order."""

from __future__ import annotations

from dataclasses import dataclass

from site_eval.legal.cursor import Cursor
from site_eval.legal.measures import read_angle, read_bearing, read_distance
from site_eval.legal.traverse import disagreement_ft, solve_curve
from site_eval.legal.tree import Curve

_OF = frozenset({"OF", "IS", "BEING", "EQUALS", "EQUAL", "HAVING", "A", "AN", "THE", "TO", "BEARS",
                 "BEARING", "LENGTH", "DISTANCE", "WHICH", "SUBTENDED", "BY", "FOR", "SAID", "LONG"})  # fmt: skip


_CURVE_FILLERS = frozenset(
    {"A", "ALONG", "AND", "AN", "ARC", "AT", "BY", "CENTRAL", "CIRCULAR", "CURVE", "CURVED", "CURVING",
     "DEGREES", "FROM", "HAVING", "IN", "INTERIOR", "IS", "OF", "ON", "POINT", "SAID", "THE", "TO",
     "WITH", "THROUGH", "LONG", "ALSO", "THENCE", "CONTINUING", "NORTHERLY", "SOUTHERLY", "EASTERLY",
     "WESTERLY", "NORTHEASTERLY", "NORTHWESTERLY", "SOUTHEASTERLY", "SOUTHWESTERLY", "WHOSE", "WHICH", "BEARS", "BEGINNING", "CURVATURE", "TANGENCY", "LESS", "MORE", "OR"}
)  # fmt: skip


@dataclass(slots=True)
class _Elements:
    """What has been said of a curve so far."""

    side: str | None = None
    radius_ft: float | None = None
    delta_deg: float | None = None
    arc_ft: float | None = None
    chord_ft: float | None = None
    chord_azimuth_deg: float | None = None
    centre_azimuth_deg: float | None = None
    concave_azimuth_deg: float | None = None
    tangent_ft: float | None = None
    tangent: bool = False
    non_tangent: bool = False
    loose_ft: float | None = None


def read_curve(cursor: Cursor, end: int, heading_deg: float | None) -> Curve | None:
    """Read the curve that the call up to token *end* describes.

    *heading_deg* is the direction in which the course before ended; a curve is taken as tangent to
    it where neither its chord nor its centre is given. None when the words do not fix a curve.
    """
    began = cursor.at
    elements = _Elements()
    while cursor.at < end:
        before = cursor.at
        _element(cursor, elements)
        if cursor.at == before:
            cursor.pass_filler(_CURVE_FILLERS)
    span = cursor.span_since(began)
    tangent = _start_tangent(cursor, elements, heading_deg, span)
    side = elements.side or _side_of_concave(elements, tangent)
    if side is None:
        return None
    if elements.arc_ft is None and elements.chord_ft is None and elements.loose_ft is not None:
        elements.arc_ft = elements.loose_ft
    curve = solve_curve(
        side,
        radius_ft=elements.radius_ft,
        delta_deg=elements.delta_deg,
        arc_ft=elements.arc_ft,
        chord_ft=elements.chord_ft,
        tangent_ft=elements.tangent_ft,
        chord_azimuth_deg=elements.chord_azimuth_deg,
        tangent_azimuth_deg=tangent,
        is_tangent=elements.tangent and not elements.non_tangent,
        span=span,
    )
    if curve is not None:
        _compare(cursor, curve, elements)
    return curve


def _compare(cursor: Cursor, curve: Curve, said: _Elements) -> None:
    """Warn where radius, angle, arc and chord contradict each other by more than their rounding."""
    apart = disagreement_ft(
        curve, radius_ft=said.radius_ft, arc_ft=said.arc_ft, chord_ft=said.chord_ft
    )
    if apart > max(0.1, 0.001 * curve.arc_ft):
        cursor.warn(
            "curve-inconsistent",
            f"the elements of this curve disagree by {apart:.2f} ft",
            curve.span,
        )


def _element(cursor: Cursor, found: _Elements) -> None:  # noqa: C901 - one branch a keyword
    word = cursor.word()
    if word in {"LEFT", "RIGHT"}:
        found.side = word[0]
        cursor.at += 1
    elif word in {"NON", "NOT"}:
        found.non_tangent = True
        cursor.at += 1
    elif word == "TANGENT":
        cursor.at += 1
        length = _after_of(cursor)
        found.tangent_ft = length if length is not None else found.tangent_ft
        found.tangent |= length is None
    elif word == "RADIUS" or _short_radius(cursor):
        _radius(cursor, found)
    elif word in {"DELTA", "ANGLE"} or cursor.symbol() in {"Δ", "δ"}:
        cursor.at += 1
        _skip_of(cursor)
        found.delta_deg = read_angle(cursor)
    elif word in {"ARC", "LENGTH"} or (word == "L" and cursor.symbol(1) == "="):
        cursor.at += 1
        length = _after_of(cursor)
        if length is None and found.arc_ft is None:
            length, found.loose_ft = found.loose_ft, None
        if cursor.word() == "RADIUS":  # "the arc of a 100 foot radius curve"
            length, found.loose_ft = None, length
        found.arc_ft = length if length is not None else found.arc_ft
    elif word in {"CHORD", "CH"}:
        _chord(cursor, found)
    elif word in {"CENTER", "CENTRE"} or (word == "RADIAL" and cursor.word(1) == "LINE"):
        cursor.at += 1
        cursor.skip_words({"LINE", "POINT", *_OF})
        bearing = read_bearing(cursor)
        found.centre_azimuth_deg = bearing.azimuth_deg if bearing else found.centre_azimuth_deg
    elif word == "CONCAVE":
        cursor.at += 1
        cursor.skip_words(_OF)
        bearing = read_bearing(cursor)
        found.concave_azimuth_deg = bearing.azimuth_deg if bearing else None
    else:
        length = read_distance(cursor)
        found.loose_ft = length if length is not None else found.loose_ft


def _short_radius(cursor: Cursor) -> bool:
    """``R=164.5'``, ``R 2,260.00 ft``, and ``R 250 ft``, which is lexed as a range without a side."""
    if cursor.token.kind == "range":
        return not any(c in "EW" for c in cursor.token.value.replace("RANGE", ""))
    return cursor.word() == "R" and (cursor.symbol(1) == "=" or cursor.ahead(1).kind == "number")


def _radius(cursor: Cursor, found: _Elements) -> None:
    if cursor.token.kind != "range":
        cursor.at += 1
    if cursor.word() == "POINT":  # "the radius point bears …" is the centre
        cursor.at += 1
        cursor.skip_words(_OF)
        bearing = read_bearing(cursor)
        found.centre_azimuth_deg = bearing.azimuth_deg if bearing else found.centre_azimuth_deg
        return
    length = _after_of(cursor)
    if length is None:
        length, found.loose_ft = found.loose_ft, None
    found.radius_ft = length if length is not None else found.radius_ft


def _chord(cursor: Cursor, found: _Elements) -> None:
    """Chord ["bears"] bearing [","] ["a distance of"] distance, in either order."""
    cursor.at += 1
    for _ in range(2):
        _skip_of(cursor)
        bearing = read_bearing(cursor)
        if bearing is not None:
            found.chord_azimuth_deg = bearing.azimuth_deg
        _skip_of(cursor)
        length = read_distance(cursor)
        if length is not None:
            found.chord_ft = length


def _after_of(cursor: Cursor) -> float | None:
    back = cursor.at
    _skip_of(cursor)
    length = read_distance(cursor)
    if length is None:
        cursor.at = back
    return length


def _skip_of(cursor: Cursor) -> None:
    while cursor.skip_words(_OF) or cursor.skip_symbols("=:,(."):
        pass


def _start_tangent(
    cursor: Cursor, found: _Elements, heading_deg: float | None, span: tuple[int, int]
) -> float | None:
    if found.centre_azimuth_deg is not None and found.side is not None:
        turn = 90.0 if found.side == "L" else -90.0
        return (found.centre_azimuth_deg + turn) % 360.0
    if found.chord_azimuth_deg is None and found.non_tangent:
        cursor.warn("curve-direction", "a non-tangent curve without its chord's bearing", span)
        return None
    return heading_deg


def _side_of_concave(found: _Elements, tangent_deg: float | None) -> str | None:
    """A curve concave to the right of its heading turns right."""
    if found.concave_azimuth_deg is None or tangent_deg is None:
        return None
    return "R" if (found.concave_azimuth_deg - tangent_deg) % 360.0 < 180.0 else "L"


CURVE_WORDS = frozenset({"CURVE", "CURVING", "CURVED", "ARC"})
