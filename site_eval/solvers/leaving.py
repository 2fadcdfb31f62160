"""Ways off a site over the roads around it: how many that no single block closes together.

Two gates on one dead-end road are one way out, however far apart they lie. A gate has a way out
when the roads lead from it to beyond the ground that is looked at.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import shapely
from shapely import ops
from shapely.geometry.base import BaseGeometry

ATTACH_M = 60.0
_SNAP_M = 0.5
_OUT = ("out", 0)
_GATES = ("gates", 0)

Node = tuple[Any, ...]


@dataclass(frozen=True)
class Leaving:
    """Ways from gates to beyond the ground looked at."""

    independent: int
    """Ways that share no stretch of road, at most one a gate."""
    routes: tuple[shapely.LineString | None, ...]
    """The shortest way out of each gate; None where no road leads out."""
    shared: tuple[shapely.LineString, ...]
    """Stretches that every way out of every gate takes; none when there are two ways."""


def leaving(
    roads: Iterable[BaseGeometry],
    gates: Sequence[BaseGeometry],
    within: BaseGeometry,
    *,
    attach_m: float = ATTACH_M,
) -> Leaving:
    """Ways out of *within* (local metres) from *gates*, each taken to the nearest road.

    Roads join where their vertices meet (half a metre); lines that only cross do not, for one may
    be a bridge. A gate farther than *attach_m* from every road has no way out.
    """
    parts = [p for road in roads for p in shapely.get_parts(road) if p.geom_type == "LineString"]
    near = [part for part in parts if part.length > 0 and part.intersects(within)]
    graph, at = _graph(near, gates, attach_m)
    _open(graph, within)
    routes = tuple(_route(graph, node) for node in at)
    pairs = zip(at, routes, strict=True)
    started = [node for node, route in pairs if node is not None and route is not None]
    independent = _flow(graph, started)
    shared = _shared(graph, started) if started and independent < 2 else ()
    return Leaving(independent, routes, shared)


def _graph(
    roads: Sequence[Any], gates: Sequence[BaseGeometry], attach_m: float
) -> tuple[nx.Graph[Node], list[Node | None]]:
    """Vertices as nodes, a node at the foot of each gate."""
    feet = [_foot(roads, gate, attach_m) for gate in gates]
    graph: nx.Graph[Node] = nx.Graph()
    for number, road in enumerate(roads):
        along = sorted({d for foot in feet if foot and foot[0] == number for d in (foot[1],)})
        for piece in _pieces(road, along):
            ends = [_key(xy) for xy in (piece.coords[0], piece.coords[-1])]
            if ends[0] != ends[1] or piece.length > _SNAP_M:
                # Several roads may join two places; each is told apart by a node in its middle.
                middle = ("middle", graph.number_of_edges())
                graph.add_edge(ends[0], middle, length=piece.length / 2, line=piece)
                graph.add_edge(middle, ends[1], length=piece.length / 2, line=None)
    at = [
        _key(roads[foot[0]].interpolate(foot[1]).coords[0]) if foot is not None else None
        for foot in feet
    ]
    return graph, [node if node in graph else None for node in at]


def _foot(roads: Sequence[Any], gate: BaseGeometry, attach_m: float) -> tuple[int, float] | None:
    """The nearest road's number and how far along it the gate lies."""
    if not roads:
        return None
    away = shapely.distance(np.array(roads), gate)
    nearest = int(np.argmin(away))
    if away[nearest] > attach_m:
        return None
    on, _ = ops.nearest_points(roads[nearest], gate)
    return nearest, float(roads[nearest].project(on))


def _pieces(road: Any, along: Sequence[float]) -> list[Any]:
    """A road cut at its own vertices and at the feet of gates."""
    coords = shapely.get_coordinates(road)
    steps = np.hypot(*np.diff(coords, axis=0).T)
    stops = sorted({0.0, *np.cumsum(steps).tolist(), *along})
    cut = [ops.substring(road, a, b) for a, b in itertools.pairwise(stops) if b - a > 1e-6]
    return [piece for piece in cut if piece.geom_type == "LineString"]


def _key(xy: Sequence[float]) -> Node:
    return round(xy[0] / _SNAP_M), round(xy[1] / _SNAP_M)


def _open(graph: nx.Graph[Node], within: BaseGeometry) -> None:
    """Join every vertex beyond the ground to one node outside."""
    ends = [node for node in graph.nodes if node[0] != "middle"]
    if not ends:
        return
    xy = np.array(ends, dtype=float) * _SNAP_M
    inside = shapely.contains_xy(within, xy[:, 0], xy[:, 1])
    for node, kept in zip(ends, inside, strict=True):
        if not kept:
            graph.add_edge(node, _OUT, length=0.0, line=None)


def _route(graph: nx.Graph[Node], node: Node | None) -> shapely.LineString | None:
    if node is None or _OUT not in graph or not nx.has_path(graph, node, _OUT):
        return None
    path = nx.dijkstra_path(graph, node, _OUT, weight="length")
    lines = _lines(graph, path)
    if not lines:
        return None
    parts: list[Any] = list(shapely.get_parts(shapely.line_merge(shapely.union_all(lines))))
    longest: shapely.LineString = max(parts, key=shapely.length)
    return longest


def _lines(graph: nx.Graph[Node], path: Sequence[Node]) -> list[Any]:
    found = [graph.edges[a, b]["line"] for a, b in itertools.pairwise(path)]
    return [line for line in found if line is not None]


def _flow(graph: nx.Graph[Node], started: Sequence[Node]) -> int:
    """Ways out that share no stretch (Menger), at most one from each gate."""
    if not started:
        return 0
    ways: nx.DiGraph[Node] = nx.DiGraph()
    for a, b in graph.edges:
        room = math.inf if _OUT in {a, b} else 1
        ways.add_edge(a, b, capacity=room)
        ways.add_edge(b, a, capacity=room)
    for number, node in enumerate(started):
        gate = ("gate", number)
        ways.add_edge(_GATES, gate, capacity=1)
        ways.add_edge(gate, node, capacity=1)
    return int(nx.maximum_flow_value(ways, _GATES, _OUT))


def _shared(graph: nx.Graph[Node], started: Sequence[Node]) -> tuple[shapely.LineString, ...]:
    """Bridges on the way out of every gate, those in a row as one line."""
    bridges = {frozenset(edge) for edge in nx.bridges(graph)}
    common = set(bridges)
    for node in started:
        path = nx.dijkstra_path(graph, node, _OUT, weight="length")
        common &= {frozenset(step) for step in itertools.pairwise(path)}
    lines = [graph.edges[tuple(edge)]["line"] for edge in common if _OUT not in edge]
    found = [line for line in lines if line is not None]
    if not found:
        return ()
    merged = shapely.line_merge(shapely.multilinestrings(found))
    return tuple(sorted(shapely.get_parts(merged), key=lambda line: tuple(line.coords)))
