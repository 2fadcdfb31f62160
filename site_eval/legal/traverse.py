"""A traverse computed: points, misclosure, area with circular segments, and the compass rule.

Plane trigonometry in feet, x east and y north of the description's own north. Formulas: Ghilani
and Wolf, *Elementary Surveying* (13th ed.), chapters 10 (closure, compass rule), 12 (area by
coordinates, segments) and 24 (circular curves).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from site_eval.legal.tree import Course, Curve, Line, Words

SQUARE_FEET_PER_ACRE = 43560.0
# A figure that misses by more than this share of its perimeter was not described whole.
WORST_PRECISION = 50.0
EXACT_FT = 0.0005
# Closures this good may be distributed without asking: the usual standard for land surveys.
ADJUST_PRECISION = 5000.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Closure:
    """How a figure closes. ``precision`` is n of 1:n; lengths in feet, area in square feet."""

    points: tuple[Point, ...]
    misclosure_ft: float | None
    misclosure_east_ft: float | None
    misclosure_north_ft: float | None
    perimeter_ft: float | None
    precision: float | None
    area_sqft: float | None
    closing_length_ft: float | None
    closed_by_construction: bool
    clockwise: bool | None

    @property
    def area_acres(self) -> float | None:
        """Area in acres of 43,560 square feet."""
        return None if self.area_sqft is None else self.area_sqft / SQUARE_FEET_PER_ACRE


NOTHING = Closure(
    (), None, None, None, None, None, None, None, closed_by_construction=False, clockwise=None
)


def close(courses: Sequence[Course], *, returns: bool) -> Closure:
    """Close a figure; *returns* tells whether the text says that it ends where it began.

    A course without a length is allowed only as the last one: the straight line back then stands
    in for it (closed by construction). Otherwise, and when the figure misses by more than one part
    in fifty, there is no closure to state.
    """
    measured = list(courses)
    last_is_words = bool(measured) and isinstance(measured[-1], Words)
    if last_is_words:
        measured.pop()
    if not measured or not returns or any(isinstance(course, Words) for course in measured):
        return NOTHING
    points = traverse_points(measured)
    if points is None:
        return NOTHING
    (x0, y0), (x, y) = points[0], points[-1]
    east, north = x - x0, y - y0
    miss = math.hypot(east, north)
    signed = _signed_area(points) + sum(_segment(course) for course in measured)
    perimeter = sum(length_ft(course) for course in measured)
    if last_is_words:
        return Closure(
            points, None, None, None, None, None, abs(signed), miss,
            closed_by_construction=True, clockwise=signed < 0,
        )  # fmt: skip
    if miss * WORST_PRECISION > perimeter:
        return NOTHING
    precision = perimeter / miss if miss > EXACT_FT else None
    return Closure(
        points, miss, east, north, perimeter, precision, abs(signed), None,
        closed_by_construction=False, clockwise=signed < 0,
    )  # fmt: skip


def traverse_points(
    courses: Sequence[Course], start: Point = (0.0, 0.0)
) -> tuple[Point, ...] | None:
    """The points at the ends of the courses, *start* first; None when one cannot be computed."""
    points = [start]
    for course in courses:
        step = departure_latitude(course)
        if step is None:
            return None
        points.append((points[-1][0] + step[0], points[-1][1] + step[1]))
    return tuple(points)


def departure_latitude(course: Course) -> Point | None:
    """East and north components of a course, in feet; a curve's by its chord."""
    if isinstance(course, Line):
        azimuth, length = course.azimuth_deg, course.distance_ft
    elif isinstance(course, Curve) and course.chord_azimuth_deg is not None:
        azimuth, length = course.chord_azimuth_deg, course.chord_ft
    else:
        return None
    angle = math.radians(azimuth)
    return length * math.sin(angle), length * math.cos(angle)


def compass_rule(points: Sequence[Point], courses: Sequence[Course]) -> tuple[Point, ...]:
    """Distribute the misclosure in proportion to length along the traverse (Bowditch)."""
    east, north = points[-1][0] - points[0][0], points[-1][1] - points[0][1]
    total = sum(length_ft(course) for course in courses)
    adjusted = [points[0]]
    run = 0.0
    for point, course in zip(points[1:], courses, strict=True):
        run += length_ft(course)
        adjusted.append((point[0] - east * run / total, point[1] - north * run / total))
    return tuple(adjusted)


def outline(
    points: Sequence[Point], courses: Sequence[Course], step_deg: float = 2.0
) -> list[Point]:
    """The figure's boundary as a ring of points, curves drawn in steps of *step_deg* or less."""
    ring = [points[0]]
    for start, end, course in zip(points, points[1:], courses, strict=False):
        if isinstance(course, Curve):
            ring.extend(_arc(start, end, course, step_deg))
        ring.append(end)
    return ring


def solve_curve(
    side: str,
    *,
    radius_ft: float | None,
    delta_deg: float | None,
    arc_ft: float | None,
    chord_ft: float | None,
    tangent_ft: float | None = None,
    chord_azimuth_deg: float | None = None,
    tangent_azimuth_deg: float | None = None,
    is_tangent: bool = False,
    span: tuple[int, int] = (0, 0),
) -> Curve | None:
    """A curve from any two of its elements; None when they do not fix one.

    The chord, where it is given, decides: it places the end of the curve. Without its bearing the
    curve begins along *tangent_azimuth_deg*, the direction at its start.
    """
    radius = radius_ft or _radius(delta_deg, arc_ft, chord_ft, tangent_ft)
    if radius is None or radius <= 0.0:
        return None
    delta = _delta_deg(radius, delta_deg, arc_ft, chord_ft, tangent_ft)
    if delta is None or not 0.0 < delta < 360.0:
        return None
    azimuth = chord_azimuth_deg
    if azimuth is None and tangent_azimuth_deg is not None:
        azimuth = (tangent_azimuth_deg + (delta / 2 if side == "R" else -delta / 2)) % 360.0
    return Curve(
        side=side,
        radius_ft=radius,
        delta_deg=delta,
        arc_ft=math.radians(delta) * radius,
        chord_azimuth_deg=azimuth,
        chord_ft=chord_ft or 2.0 * radius * math.sin(math.radians(delta) / 2),
        tangent=is_tangent,
        span=span,
    )


def disagreement_ft(
    curve: Curve, *, radius_ft: float | None, arc_ft: float | None, chord_ft: float | None
) -> float:
    """How far the stated elements of a curve contradict each other: the worst length, in feet."""
    half = math.radians(curve.delta_deg) / 2
    radius = radius_ft or curve.radius_ft
    worst = 0.0
    if arc_ft is not None:
        worst = max(worst, abs(arc_ft - 2 * half * radius))
    if chord_ft is not None:
        worst = max(worst, abs(chord_ft - 2 * radius * math.sin(half)))
    return worst


def end_azimuth(course: Course) -> float | None:
    """The direction in which a course ends, degrees; a curve's is its end tangent."""
    if isinstance(course, Line):
        return course.azimuth_deg
    if isinstance(course, Curve) and course.chord_azimuth_deg is not None:
        half = course.delta_deg / 2
        return (course.chord_azimuth_deg + (half if course.side == "R" else -half)) % 360.0
    return None


def length_ft(course: Course) -> float:
    """Length along a course, along the arc of a curve."""
    if isinstance(course, Line):
        return course.distance_ft
    return course.arc_ft if isinstance(course, Curve) else 0.0


def _radius(
    delta: float | None, arc: float | None, chord: float | None, tangent: float | None
) -> float | None:
    if delta is None or delta <= 0.0:
        return None
    half = math.radians(delta) / 2
    if arc is not None:
        return arc / (2 * half)
    if chord is not None:
        return chord / (2 * math.sin(half))
    return None if tangent is None else tangent / math.tan(half)


def _delta_deg(
    radius: float,
    delta: float | None,
    arc: float | None,
    chord: float | None,
    tangent: float | None,
) -> float | None:
    if delta is not None:
        return delta
    if chord is not None and (arc is None or arc <= math.pi * radius):
        ratio = chord / (2 * radius)
        return None if ratio > 1.0 else 2 * math.degrees(math.asin(ratio))
    if arc is not None:
        return math.degrees(arc / radius)
    return None if tangent is None else 2 * math.degrees(math.atan(tangent / radius))


def _signed_area(points: Sequence[Point]) -> float:
    """Shoelace area, counterclockwise positive, closed by a straight line."""
    x0, y0 = points[0]
    total = 0.0
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        total += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    return total / 2.0


def _segment(course: Course) -> float:
    """Area between an arc and its chord; a curve to the left bulges outward of a counterclockwise figure."""
    if not isinstance(course, Curve):
        return 0.0
    angle = math.radians(course.delta_deg)
    area = course.radius_ft**2 / 2.0 * (angle - math.sin(angle))
    return area if course.side == "L" else -area


def _arc(start: Point, end: Point, curve: Curve, step_deg: float) -> list[Point]:
    count = max(1, math.ceil(curve.delta_deg / step_deg))
    chord = math.hypot(end[0] - start[0], end[1] - start[1])
    if chord == 0.0:
        return []
    half = math.radians(curve.delta_deg) / 2
    radius = chord / (2 * math.sin(half))
    ux, uy = (end[0] - start[0]) / chord, (end[1] - start[1]) / chord
    sign = 1.0 if curve.side == "L" else -1.0  # the centre lies left or right of the chord
    apothem = radius * math.cos(half)
    cx = (start[0] + end[0]) / 2 - sign * uy * apothem
    cy = (start[1] + end[1]) / 2 + sign * ux * apothem
    first = math.atan2(start[1] - cy, start[0] - cx)
    return [
        (
            cx + radius * math.cos(first + sign * 2 * half * n / count),
            cy + radius * math.sin(first + sign * 2 * half * n / count),
        )
        for n in range(1, count)
    ]
