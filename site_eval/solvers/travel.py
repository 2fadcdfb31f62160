"""Travel times over a road layer: minutes from the nearest of several places, by Dijkstra."""

from __future__ import annotations

from collections.abc import Sequence
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
    return RoadGraph(xy[first], minutes, parts, shapely.STRtree(parts), starts, nodes, speed)


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
    sources, costs, owners = _entries(graph, starts, within_m)
    if not len(sources):
        return [Reach(None, _off_road_m(graph, place), None) for place in places]
    size = len(graph.xy_m)
    # One node more for each start, so that its entry cost is part of the graph.
    rows = size + owners
    grown = csr_matrix(
        (
            np.concatenate([graph.minutes.data, np.maximum(costs, 1e-9)]),
            (
                np.concatenate([graph.minutes.tocoo().row, rows]),
                np.concatenate([graph.minutes.tocoo().col, sources]),
            ),
        ),
        shape=(size + len(starts), size + len(starts)),
    )
    found, _, origin = dijkstra(
        grown, indices=size + np.arange(len(starts)), min_only=True, return_predecessors=True
    )
    return [_reached(graph, place, within_m, found, origin - size) for place in places]


def rand_minutes(miles: float) -> float:
    """Response time by distance alone, ``0.65 + 1.7 d`` minutes (RAND), a check of the rest."""
    return 0.65 + 1.7 * miles


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


def _vertices_beside(
    graph: RoadGraph, place: BaseGeometry, within_m: float
) -> tuple[list[tuple[int, float]], float]:
    """Nodes before and after the nearest point of the nearest road, minutes to each, distance."""
    line = int(graph.tree.nearest(place))
    road = graph.lines[line]
    away = float(shapely.distance(road, place))
    if away > within_m:
        return [], away
    along = float(shapely.line_locate_point(road, ops.nearest_points(road, place)[0]))
    xy = shapely.get_coordinates(road)
    reach = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])
    after = min(max(1, int(np.searchsorted(reach, along))), len(reach) - 1)
    first = int(graph.first_node[line])
    speed = float(graph.speed_m_per_min[line])
    return [
        (int(graph.nodes[first + n]), abs(float(reach[n]) - along) / speed)
        for n in (after - 1, after)
    ], away


def _entries(
    graph: RoadGraph, starts: Sequence[BaseGeometry], within_m: float
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    found = [
        (node, cost, number)
        for number, start in enumerate(starts)
        for node, cost in _vertices_beside(graph, start, within_m)[0]
    ]
    nodes, costs, owners = zip(*found, strict=True) if found else ((), (), ())
    return (
        np.array(nodes, dtype=np.int64),
        np.array(costs, dtype=np.float64),
        np.array(owners, dtype=np.int64),
    )


def _reached(
    graph: RoadGraph,
    place: BaseGeometry,
    within_m: float,
    minutes: NDArray[np.float64],
    origin: NDArray[np.int64],
) -> Reach:
    beside, away = _vertices_beside(graph, place, within_m)
    options = [(float(minutes[n]) + c, int(n)) for n, c in beside if np.isfinite(minutes[n])]
    if not options:
        return Reach(None, away, None)
    least, node = min(options)
    return Reach(least, away, int(origin[node]))


def _off_road_m(graph: RoadGraph, place: BaseGeometry) -> float:
    return float(shapely.distance(graph.lines[int(graph.tree.nearest(place))], place))
