"""The widest vehicle that gets through a drivable surface, where it is pinched, and what it reaches."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import shapely
import shapely.prepared
from shapely import affinity, ops
from shapely.geometry.base import BaseGeometry

from site_eval.solvers.joining import joined as united
from site_eval.units import INTERNATIONAL_FOOT_M

# Gaps of a drawing, not of the ground: surfaces nearer than twice this are taken as joined.
GAP_M = 0.5
# IDAPA 18.08.01.022 turnaround radii are 30 and 45 ft; 30 and 50 ft is the usual fire engine.
INSIDE_RADIUS_M = 30 * INTERNATIONAL_FOOT_M
OUTSIDE_RADIUS_M = 50 * INTERNATIONAL_FOOT_M
TURNAROUND_WITHIN_M = 100 * INTERNATIONAL_FOOT_M
_LANE_M = 20 * INTERNATIONAL_FOOT_M
_ARM_M = 60 * INTERNATIONAL_FOOT_M
_PRECISION_M = 0.001
_SNAP_M = 5.0
# Chords in a quarter circle.
_QUARTER = 12
_WIDEST_M = 60.0
# A bend gentler than this needs no arc: any vehicle steers through it.
_STRAIGHT_DEG = 20.0


@dataclass(frozen=True)
class Way:
    """A road or lane: a surface (polygon), or a centreline with its clear width."""

    geometry: BaseGeometry
    width_m: float | None = None
    """Required for a centreline; for a surface, unused."""
    name: str = ""
    role: str = "road"


@dataclass(frozen=True)
class Bottleneck:
    """The widest vehicle between two places, and the place that holds it back."""

    width_m: float
    """0 when they are not joined; never above 60 m, which no vehicle is."""
    pinch: BaseGeometry | None
    """A line across the narrowest place, or the gap between the parts; None without one."""


@dataclass(frozen=True)
class Turn:
    """One bend of a route against the swept path of a large vehicle."""

    at: shapely.Point
    deflection_deg: float
    fits: bool
    missing_m2: float
    """Swept ground that is not drivable."""


@dataclass(frozen=True)
class Turnaround:
    """Room to turn at the end of a way."""

    circle_m: float
    """Diameter of the widest circle."""
    hammerhead: bool
    """Whether a 120-ft hammerhead fits."""


def surface(
    ways: Iterable[Way], obstacles: Sequence[BaseGeometry] = (), *, gap_m: float = GAP_M
) -> BaseGeometry:
    """Join *ways* to one drivable surface, close gaps of the drawing, take out *obstacles*.

    A centreline becomes a strip with flat ends; an end that touches another way is rounded, for
    two strips that meet at an angle or side by side would otherwise show a notch as a pinch.
    Obstacles are taken out last: what stands in the road is no slip of the pen.
    Raises ``ValueError`` for a centreline without a positive width.
    """
    given = list(ways)
    strips: Any = np.array([_strip(way) for way in given])
    joints = [j for n, way in enumerate(given) for j in _joints(n, way, strips, gap_m)]
    closed = united(strips).buffer(gap_m, join_style="mitre")
    # Discs come after the closing: beside a gap they would round the corners that it needs.
    whole = united([closed.buffer(-gap_m, join_style="mitre"), *joints])
    free = shapely.difference(whole, united(obstacles)) if obstacles else whole
    return shapely.make_valid(free)


def bottleneck(free: BaseGeometry, start: BaseGeometry, end: BaseGeometry) -> Bottleneck:
    """Find the widest vehicle that passes from *start* to *end* on the surface *free*.

    By bisection: the greatest w for which *free*, eroded by w/2, holds both ends in one piece.
    Ends are points or gates near the surface (within 5 m).
    """
    a, b = _on_surface(free, start), _on_surface(free, end)
    if a is None or b is None:
        return Bottleneck(0.0, None)
    if not _joined(free, a, b, 0.0):
        return Bottleneck(0.0, _gap(free, a, b))
    # From the narrow end upward: eroding a large surface by far more than its lanes is dear.
    low, high = 0.0, _WIDEST_M / 16
    while _joined(free, a, b, high):
        if high >= _WIDEST_M:
            return Bottleneck(_WIDEST_M, None)
        low, high = high, 2 * high
    while high - low > _PRECISION_M:
        middle = (low + high) / 2
        low, high = (middle, high) if _joined(free, a, b, middle) else (low, middle)
    # The upper end: a lane of just 20 ft leaves no area when eroded by 10, yet is 20 ft wide.
    return Bottleneck(high, _pinch(free, a, b, low))


def beyond_reach(
    places: Sequence[BaseGeometry], free: BaseGeometry, reach_m: float
) -> list[BaseGeometry]:
    """Part of each of *places* further than *reach_m* from *free*; empty where all is reached.

    A straight line is taken for the hose, so that a fence between makes it worse than shown.
    """
    near = free.buffer(reach_m, quad_segs=32)
    return [shapely.difference(place, near) for place in places]


def turns(
    route: shapely.LineString,
    free: BaseGeometry,
    *,
    inside_m: float = INSIDE_RADIUS_M,
    outside_m: float = OUTSIDE_RADIUS_M,
) -> list[Turn]:
    """Check each bend of *route* for the ring between two radii that a vehicle sweeps in it.

    The ring touches both legs along its middle; up to 2 % of it may lie off the surface, the
    error of drawing arcs by chords.
    """
    points = shapely.get_coordinates(shapely.simplify(route, 0.5))
    found = []
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        swept, deflection = _swept(before, at, after, inside_m, outside_m)
        if swept is None:
            continue
        missing = float(shapely.difference(swept, free).area)
        fits = missing <= 0.02 * float(swept.area)
        found.append(Turn(shapely.Point(at), deflection, fits, missing))
    return found


def turnaround(
    end: shapely.Point, free: BaseGeometry, *, within_m: float = TURNAROUND_WITHIN_M
) -> Turnaround:
    """Find room to turn at the end of a dead-end way, on drivable ground within *within_m*.

    A hammerhead (IFC Figure D103.1) is a lane of 20 ft with two arms that reach 60 ft from the
    middle of the stem; it is tried in every direction by 5 degrees.
    """
    near = shapely.intersection(free, end.buffer(within_m))
    parts = [part for part in shapely.get_parts(near) if part.geom_type == "Polygon"]
    here = [part for part in parts if part.distance(end) <= _SNAP_M]
    radii = [shapely.maximum_inscribed_circle(part, tolerance=0.02).length for part in here]
    swollen = shapely.prepared.prep(free.buffer(0.05))
    heads = (
        _hammerhead(end, direction, back_m)
        for direction in range(0, 360, 5)
        for back_m in (0.0, _LANE_M / 2, _LANE_M)
    )
    fits = any(swollen.covers(head) for head in heads)
    return Turnaround(2 * max(radii, default=0.0), fits)


def _hammerhead(end: shapely.Point, direction_deg: int, back_m: float) -> BaseGeometry:
    """Arms across the stem that comes in *direction_deg*, their middle *back_m* before the end."""
    arms = shapely.box(-back_m - _LANE_M / 2, -_ARM_M, -back_m + _LANE_M / 2, _ARM_M)
    stem = shapely.box(-back_m - _ARM_M, -_LANE_M / 2, -back_m, _LANE_M / 2)
    shape = affinity.rotate(shapely.union(arms, stem), direction_deg, origin=(0, 0))
    return affinity.translate(shape, end.x, end.y)


def _strip(way: Way) -> BaseGeometry:
    if way.geometry.geom_type.endswith("Polygon"):
        return way.geometry
    if way.width_m is None or way.width_m <= 0:
        raise ValueError(f"The centreline '{way.name}' has no positive width.")
    return way.geometry.buffer(
        way.width_m / 2, cap_style="flat", join_style="mitre", mitre_limit=2.0
    )


def _joints(number: int, way: Way, strips: Any, gap_m: float) -> list[BaseGeometry]:
    """Discs at those ends of a centreline that touch another way."""
    if way.width_m is None or way.geometry.geom_type.endswith("Polygon"):
        return []
    others = np.delete(strips, number)
    ends = [point for line in shapely.get_parts(way.geometry) for point in _ends(line)]
    # A polygon around the disc, not in it: chords inside would make the lane a finger narrower.
    radius_m = way.width_m / 2 / math.cos(math.pi / 4 / _QUARTER)
    return [
        end.buffer(radius_m, quad_segs=_QUARTER)
        for end in ends
        if others.size and float(shapely.distance(others, end).min()) <= 2 * gap_m
    ]


def _ends(line: Any) -> list[shapely.Point]:
    coordinates = shapely.get_coordinates(line)
    return [shapely.Point(coordinates[0]), shapely.Point(coordinates[-1])]


def _on_surface(free: BaseGeometry, place: BaseGeometry) -> shapely.Point | None:
    if free.is_empty or free.distance(place) > _SNAP_M:
        return None
    middle = place.interpolate(0.5, normalized=True) if place.geom_type == "LineString" else place
    on, _ = ops.nearest_points(free, middle)
    return on if isinstance(on, shapely.Point) else None


def _eroded(free: BaseGeometry, width_m: float) -> list[Any]:
    """Pieces where the middle of a vehicle of this width may be."""
    core = free.buffer(-width_m / 2, quad_segs=_QUARTER) if width_m > 0 else free
    return [part for part in shapely.get_parts(core) if part.geom_type == "Polygon"]


def _holding(pieces: list[Any], place: shapely.Point, width_m: float) -> set[int]:
    """Pieces from which the vehicle touches *place*; half its diagonal, for a place in a corner."""
    reach_m = width_m / 2 * math.sqrt(2) + 0.01
    return {n for n, piece in enumerate(pieces) if piece.distance(place) <= reach_m}


def _joined(free: BaseGeometry, a: shapely.Point, b: shapely.Point, width_m: float) -> bool:
    pieces = _eroded(free, width_m)
    return bool(_holding(pieces, a, width_m) & _holding(pieces, b, width_m))


def _gap(free: BaseGeometry, a: shapely.Point, b: shapely.Point) -> BaseGeometry | None:
    pieces = _eroded(free, 0.0)
    first, last = _holding(pieces, a, 0.0), _holding(pieces, b, 0.0)
    if not first or not last:
        return None
    gap: BaseGeometry = shapely.shortest_line(pieces[min(first)], pieces[min(last)])
    return gap


def _pinch(
    free: BaseGeometry, a: shapely.Point, b: shapely.Point, width_m: float
) -> BaseGeometry | None:
    """A line across the first place on the way from *a* to *b* where a wider vehicle is stopped."""
    step_m = 0.05
    wider = width_m + step_m
    pieces = _eroded(free, wider)
    below = [p for p in _eroded(free, max(0.0, width_m - step_m)) if _touches(p, a, b, width_m)]
    if not pieces or not below:
        return _across(free, a, width_m)
    swollen = [piece.buffer(step_m * 1.05) for piece in pieces]
    links = shapely.get_parts(shapely.difference(below[0], united(swollen)))
    graph: nx.Graph[Any] = nx.Graph()
    near = shapely.STRtree(swollen).query(links, predicate="dwithin", distance=step_m)
    graph.add_edges_from((("link", int(n)), ("piece", int(m))) for n, m in near.T)
    starts, goals = _holding(pieces, a, wider), _holding(pieces, b, wider)
    if not starts or not goals:
        return _across(free, a if not starts else b, width_m)
    paths = [
        nx.shortest_path(graph, ("piece", s), ("piece", g))
        for s in sorted(starts)
        for g in sorted(goals)
        if ("piece", s) in graph
        and ("piece", g) in graph
        and nx.has_path(graph, ("piece", s), ("piece", g))
    ]
    on_way = [node[1] for node in min(paths, key=len)] if paths else []
    if len(on_way) < 2:
        return _across(free, a, width_m)
    at = shapely.centroid(links[on_way[1]])
    return _across(free, at, width_m)


def _touches(piece: Any, a: shapely.Point, b: shapely.Point, width_m: float) -> bool:
    return bool(_holding([piece], a, width_m) and _holding([piece], b, width_m))


def _across(free: BaseGeometry, at: shapely.Point, width_m: float) -> BaseGeometry:
    """A line over the surface through *at*, from the nearest edge straight to the other side."""
    edge, _ = ops.nearest_points(free.boundary, at)
    dx, dy = at.x - edge.x, at.y - edge.y
    length = math.hypot(dx, dy)
    if length < 1e-6:
        return at
    far_m = length + max(width_m, 1.0)
    ray = shapely.LineString(
        [(edge.x, edge.y), (edge.x + dx / length * far_m, edge.y + dy / length * far_m)]
    )
    inside = [
        part
        for part in shapely.get_parts(shapely.intersection(ray, free))
        if part.geom_type == "LineString" and part.distance(at) < 1e-6
    ]
    return inside[0] if inside else at


def _swept(
    before: Any, at: Any, after: Any, inside_m: float, outside_m: float
) -> tuple[Any, float]:
    """The ring sector of one bend and its deflection; None for a bend that needs no arc."""
    u, v = at - before, after - at
    heading = math.atan2(u[1], u[0])
    bend = math.atan2(u[0] * v[1] - u[1] * v[0], float(np.dot(u, v)))
    deflection = math.degrees(abs(bend))
    if deflection < _STRAIGHT_DEG:
        return None, deflection
    side = math.copysign(1.0, bend)
    radius_m = (inside_m + outside_m) / 2
    back_m = radius_m * math.tan(min(abs(bend), math.radians(170)) / 2)
    tangent = at - back_m * np.array([math.cos(heading), math.sin(heading)])
    left = np.array([-math.sin(heading), math.cos(heading)]) * side
    centre = tangent + radius_m * left
    angles = math.atan2(-left[1], -left[0]) + np.linspace(0.0, bend, 33)
    rim = np.column_stack([np.cos(angles), np.sin(angles)])
    ring = np.vstack([centre + outside_m * rim, (centre + inside_m * rim)[::-1]])
    return shapely.make_valid(shapely.Polygon(ring)), deflection
