"""Travel times over a road layer: minutes from the nearest of several places, by Dijkstra."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra
from shapely import ops
from shapely.geometry.base import BaseGeometry

from site_eval.units import MILE_FT, metres

MPH_M_PER_MIN = metres(MILE_FT) / 60
# A proposal without authority: what a road gives whose limit is not known, and the most that a
# fire engine drives off the pavement.
UNKNOWN_MPH = 25.0
UNPAVED_MPH = 30.0
# Ends of a road layer that meet are drawn to the same point; this covers rounding.
_SNAP_M = 0.5


@dataclass(frozen=True)
class RoadGraph:
    """Road lines as a sparse graph of their vertices; weights are minutes."""

    xy_m: NDArray[np.float64]
    minutes: csr_matrix
    lines: NDArray[Any]
    tree: shapely.STRtree
    first_node: NDArray[np.int64]
    """By line, the node of its first vertex; the rest follow in ``nodes``."""
    nodes: NDArray[np.int64]
    speed_m_per_min: NDArray[np.float64]
    ways: NDArray[np.str_]


@dataclass(frozen=True)
class Reach:
    """How a place is reached over the roads."""

    minutes: float | None
    """Driving time from the nearest start; None when no road leads there."""
    off_road_m: float
    """Straight distance from the place to the road where it was taken to be reached."""
    start: int | None
    """Number of the start that is nearest by time."""


def road_graph(
    lines: Sequence[BaseGeometry],
    speeds_mph: ArrayLike | None = None,
    *,
    oneway: Sequence[str] | None = None,
) -> RoadGraph:
    """Join road *lines* (local metres) where their vertices meet, within half a metre.

    *speeds_mph*: by line; None or NaN stands for 25 mph. *oneway*: by line ``B`` both ways,
    ``FT`` as drawn, ``TF`` against it (NENA RoadCenterLine). Lines that only cross without a
    common vertex do not meet: one may be a bridge. Raises ``ValueError`` without a line.
    """
    parts, owner = _single_lines(lines)
    if not len(parts):
        raise ValueError("The road layer holds no line.")
    xy, owner_of_vertex = shapely.get_coordinates(parts, return_index=True)
    key = np.round(xy / _SNAP_M).astype(np.int64)
    _, first, nodes = np.unique(key, axis=0, return_index=True, return_inverse=True)
    nodes = nodes.ravel()
    speed = _speeds(speeds_mph, len(lines))[owner]
    ways = np.array(list(oneway) if oneway is not None else ["B"] * len(lines))[owner]
    same = owner_of_vertex[1:] == owner_of_vertex[:-1]
    a, b = nodes[:-1][same], nodes[1:][same]
    line = owner_of_vertex[:-1][same]
    step = xy[1:][same] - xy[:-1][same]
    # Zero would be no edge to a sparse graph.
    cost = np.maximum(np.hypot(step[:, 0], step[:, 1]) / speed[line], 1e-9)
    forward, backward = ways[line] != "TF", ways[line] != "FT"
    rows = np.concatenate([a[forward], b[backward]])
    columns = np.concatenate([b[forward], a[backward]])
    minutes = _least(rows, columns, np.concatenate([cost[forward], cost[backward]]), len(first))
    starts = np.searchsorted(owner_of_vertex, np.arange(len(parts)))
    return RoadGraph(xy[first], minutes, parts, shapely.STRtree(parts), starts, nodes, speed, ways)


def minutes_between(
    graph: RoadGraph,
    starts: Sequence[BaseGeometry],
    places: Sequence[BaseGeometry],
    *,
    within_m: float = 500.0,
) -> list[Reach]:
    """Least driving minutes from any of *starts* to each of *places*, and from which.

    Both are taken to the nearest road (none within *within_m*: not reached) and enter it at the
    next vertex each way, at the road's own speed; the way off the road takes no time, but is
    told. Turnout and handling time are not in it.
    """
    feet = [foot if foot.away_m <= within_m else None for foot in (_foot(graph, s) for s in starts)]
    minutes, origin = _from_starts(graph, feet)
    found = []
    for place in places:
        foot = _foot(graph, place)
        near = foot.away_m <= within_m
        found.append(
            _reached(graph, foot, feet, minutes, origin) if near else Reach(None, foot.away_m, None)
        )
    return found


@dataclass(frozen=True)
class NearRoad:
    """One row a place: the nearest road, and the driving time to it (infinite: no way there)."""

    distance_m: NDArray[np.float64]
    minutes: NDArray[np.float64]


def minutes_to_many(
    graph: RoadGraph, starts: Sequence[BaseGeometry], *, within_m: float = 500.0
) -> Callable[[NDArray[Any]], NearRoad]:
    """``minutes_between`` for any number of places, with the way from *starts* worked out once.

    What comes back takes an array of places (local metres).
    """
    feet = [foot if foot.away_m <= within_m else None for foot in (_foot(graph, s) for s in starts)]
    at_node, _ = _from_starts(graph, feet)
    reach_m, begin = _reach_of_vertices(graph)

    def ask(places: NDArray[Any]) -> NearRoad:
        (which, line), away = graph.tree.query_nearest(
            places, return_distance=True, all_matches=False
        )
        distance, minutes = np.full(len(places), np.inf), np.full(len(places), np.inf)
        distance[which] = away
        close = away <= within_m
        which, line = which[close], line[close]
        touch = shapely.get_point(shapely.shortest_line(graph.lines[line], places[which]), 0)
        along = shapely.line_locate_point(graph.lines[line], touch)
        minutes[which] = _least_minutes(graph, at_node, reach_m, begin, line, along)
        for foot in (foot for foot in feet if foot is not None):
            beside = line == foot.line
            _beside(graph, foot, along[beside], minutes, which[beside])
        return NearRoad(distance, minutes)

    return ask


def _reach_of_vertices(graph: RoadGraph) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """How far along its line each vertex lies, and where each line's vertices begin."""
    xy, owner = shapely.get_coordinates(graph.lines, return_index=True)
    step = np.append(0.0, np.hypot(*np.diff(xy, axis=0).T))
    begin = np.searchsorted(owner, np.arange(len(graph.lines)))
    step[begin] = 0.0
    total = np.cumsum(step)
    return np.asarray(total - total[begin][owner]), np.asarray(begin, dtype=np.int64)


def _least_minutes(
    graph: RoadGraph,
    at_node: NDArray[np.float64],
    reach_m: NDArray[np.float64],
    begin: NDArray[np.int64],
    line: NDArray[np.int64],
    along: NDArray[np.float64],
) -> NDArray[np.float64]:
    """By the vertex before and the one after the place where a road is met; one-ways obeyed."""
    last = np.append(begin[1:], len(reach_m))[line] - 1
    # Lines one after another: a length of all before keeps the vertices of each apart.
    offset = np.concatenate([[0.0], np.cumsum(shapely.length(graph.lines) + 1.0)])
    owner = np.repeat(np.arange(len(begin)), np.diff(np.append(begin, len(reach_m))))
    after = np.searchsorted(reach_m + offset[owner], along + offset[line] - 1e-6)
    after = np.clip(after, begin[line] + 1, last)
    speed, ways = graph.speed_m_per_min[line], graph.ways[line]
    back_m, on_m = np.abs(along - reach_m[after - 1]), np.abs(reach_m[after] - along)
    before_minutes = at_node[graph.nodes[after - 1]] + back_m / speed
    after_minutes = at_node[graph.nodes[after]] + on_m / speed
    before_minutes[(ways == "TF") & (back_m >= _SNAP_M)] = np.inf
    after_minutes[(ways == "FT") & (on_m >= _SNAP_M)] = np.inf
    return np.asarray(np.minimum(before_minutes, after_minutes))


def _beside(
    graph: RoadGraph,
    foot: _Foot,
    along: NDArray[np.float64],
    minutes: NDArray[np.float64],
    which: NDArray[np.int64],
) -> None:
    """Straight along the road where start and place stand beside the same one."""
    run_m = along - foot.along_m
    way = graph.ways[foot.line]
    drivable = (way == "B") | ((run_m > 0) == (way == "FT"))
    straight = np.where(drivable, np.abs(run_m) / float(graph.speed_m_per_min[foot.line]), np.inf)
    minutes[which] = np.minimum(minutes[which], straight)


def rand_minutes(miles: float) -> float:
    """Response time by distance alone, ``0.65 + 1.7 d`` minutes (RAND), a check of the rest."""
    return 0.65 + 1.7 * miles


def _from_starts(
    graph: RoadGraph, feet: Sequence[_Foot | None]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Least minutes to every node, and the number of the start they come from."""
    size, count = len(graph.xy_m), len(feet)
    sources, costs, owners = _entries(graph, feet)
    if not len(sources):
        return np.full(size, np.inf), np.full(size, -1, dtype=np.int64)
    inner = graph.minutes.tocoo()
    # One node more for each start, so that the minutes to its road are part of the graph.
    data = np.concatenate([inner.data, np.maximum(costs, 1e-9)])
    rows = np.concatenate([inner.row, size + owners])
    columns = np.concatenate([inner.col, sources])
    grown = csr_matrix((data, (rows, columns)), shape=(size + count, size + count))
    minutes, _, origin = dijkstra(
        grown, indices=size + np.arange(count), min_only=True, return_predecessors=True
    )
    return minutes, np.asarray(origin - size, dtype=np.int64)


def _single_lines(lines: Sequence[BaseGeometry]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    parts, owner = shapely.get_parts(np.array(list(lines), dtype=object), return_index=True)
    keep = (shapely.get_type_id(parts) == shapely.GeometryType.LINESTRING) & (
        shapely.length(parts) > 0
    )
    return parts[keep], np.asarray(owner[keep], dtype=np.int64)


def _speeds(speeds_mph: ArrayLike | None, count: int) -> NDArray[np.float64]:
    if speeds_mph is None:
        return np.full(count, UNKNOWN_MPH * MPH_M_PER_MIN)
    given = np.asarray(speeds_mph, dtype=float)
    known = np.isfinite(given) & (given > 0)
    return np.asarray(np.where(known, given, UNKNOWN_MPH) * MPH_M_PER_MIN)


def _least(
    rows: NDArray[np.int64], columns: NDArray[np.int64], cost: NDArray[np.float64], size: int
) -> csr_matrix:
    """A sparse matrix that keeps the least of several edges between two nodes, not their sum."""
    order = np.lexsort((cost, columns, rows))
    rows, columns, cost = rows[order], columns[order], cost[order]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
    return csr_matrix((cost[fresh], (rows[fresh], columns[fresh])), shape=(size, size))


@dataclass(frozen=True)
class _Foot:
    """Where a place meets its nearest road: the vertices beside and the distance to each."""

    line: int
    along_m: float
    away_m: float
    before: tuple[int, float]
    after: tuple[int, float]


def _foot(graph: RoadGraph, place: BaseGeometry) -> _Foot:
    line = int(graph.tree.nearest(place))
    road = graph.lines[line]
    along = float(shapely.line_locate_point(road, ops.nearest_points(road, place)[0]))
    xy = shapely.get_coordinates(road)
    reach = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])
    after = min(max(1, int(np.searchsorted(reach, along - 1e-6))), len(reach) - 1)
    first = int(graph.first_node[line])
    return _Foot(
        line,
        along,
        float(shapely.distance(road, place)),
        (int(graph.nodes[first + after - 1]), abs(along - float(reach[after - 1]))),
        (int(graph.nodes[first + after]), abs(float(reach[after]) - along)),
    )


def _open(graph: RoadGraph, foot: _Foot, *, leaving: bool) -> list[tuple[int, float]]:
    """Vertices that one may drive to (or come from), with the minutes; one-way roads obeyed."""
    way, speed = graph.ways[foot.line], float(graph.speed_m_per_min[foot.line])
    ahead, behind = way != "TF", way != "FT"
    allowed = (
        (foot.after, ahead if leaving else behind),
        (foot.before, behind if leaving else ahead),
    )
    return [
        (node, metres_ / speed)
        for (node, metres_), drivable in allowed
        if drivable or metres_ < _SNAP_M
    ]


def _entries(
    graph: RoadGraph, feet: Sequence[_Foot | None]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    found = [
        (node, cost, number)
        for number, foot in enumerate(feet)
        if foot is not None
        for node, cost in _open(graph, foot, leaving=True)
    ]
    nodes, costs, owners = zip(*found, strict=True) if found else ((), (), ())
    return (
        np.array(nodes, dtype=np.int64),
        np.array(costs, dtype=np.float64),
        np.array(owners, dtype=np.int64),
    )


def _reached(
    graph: RoadGraph,
    foot: _Foot,
    feet: Sequence[_Foot | None],
    minutes: NDArray[np.float64],
    origin: NDArray[np.int64],
) -> Reach:
    options = [
        (float(minutes[node]) + cost, int(origin[node]))
        for node, cost in _open(graph, foot, leaving=False)
        if np.isfinite(minutes[node])
    ]
    options += _along_one_road(graph, foot, feet)
    if not options:
        return Reach(None, foot.away_m, None)
    least, start = min(options)
    return Reach(least, foot.away_m, start)


def _along_one_road(
    graph: RoadGraph, foot: _Foot, feet: Sequence[_Foot | None]
) -> list[tuple[float, int]]:
    """Straight along the road where start and place stand beside the same one."""
    found = []
    for number, start in enumerate(feet):
        if start is None or start.line != foot.line:
            continue
        run_m = foot.along_m - start.along_m
        if graph.ways[foot.line] != ("TF" if run_m > 0 else "FT"):
            found.append((abs(run_m) / float(graph.speed_m_per_min[foot.line]), number))
    return found
