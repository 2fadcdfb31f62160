"""Roads and lanes as a network: what reaches what, by how many independent ways, and what fails.

Nodes are junctions and ends, edges carry length and clear width. Ways whose surfaces touch are
joined where their ends come nearest; two ways that cross are joined at the crossing, for what is
drawn at one level is taken to be at one level.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
import numpy as np
import shapely
from shapely import ops
from shapely.geometry.base import BaseGeometry

from site_eval.solvers.centreline import centrelines
from site_eval.solvers.clearance import GAP_M, Way, surface
from site_eval.solvers.cross_section import clear_width_m

Node = tuple[float, float]
# Node coordinates are rounded to a millimetre, so that the same crossing is the same node.
_DIGITS = 3
_ATTACH_M = 15.0


@dataclass(frozen=True)
class Edge:
    """One stretch between junctions."""

    number: int
    name: str
    role: str
    length_m: float
    width_m: float
    line: shapely.LineString


@dataclass(frozen=True)
class Network:
    """A network of stretches; ``graph`` is a multigraph whose edge keys are edge numbers."""

    graph: nx.MultiGraph[Node]
    edges: tuple[Edge, ...]
    free: BaseGeometry = field(repr=False)
    """The drivable surface from which widths were measured."""

    def node_at(self, place: BaseGeometry, *, within_m: float = _ATTACH_M) -> Node | None:
        """The node nearest to *place*, or None when the network is further off."""
        if not self.edges:
            return None
        nodes = list(self.graph.nodes)
        distances: Any = shapely.distance(shapely.points(nodes), place)
        best = int(np.argmin(distances))
        return nodes[best] if float(distances[best]) <= within_m else None


@dataclass(frozen=True)
class Remoteness:
    """How far apart two gates lie, against half the longest diagonal of the area served."""

    distance_m: float
    half_diagonal_m: float

    @property
    def ratio(self) -> float:
        """Distance over the *whole* diagonal; the fire code asks for at least one half."""
        return self.distance_m / (2 * self.half_diagonal_m)


def build(
    ways: Iterable[Way],
    *,
    obstacles: Sequence[BaseGeometry] = (),
    places: Sequence[BaseGeometry] = (),
    gap_m: float = GAP_M,
) -> Network:
    """Join *ways* to a network; a polygon way enters by its centreline.

    *places* (gates, activity areas) within 15 m of a way get a node at their nearest point. An
    edge's width is the narrowest clear cross section along it, obstacles taken out, and never
    more than the width its way was given.
    """
    given = list(ways)
    free = surface(given, obstacles, gap_m=gap_m)
    lines = _lines(given)
    joined = [*lines, *_connectors(lines, gap_m)]
    pieces = _noded(joined, places)
    edges = _edges(pieces, joined, obstacles)
    graph: nx.MultiGraph[Node] = nx.MultiGraph()
    for edge in edges:
        first, last = _end_nodes(edge.line)
        graph.add_edge(first, last, key=edge.number, length_m=edge.length_m, width_m=edge.width_m)
    return Network(graph, tuple(edges), free)


def without(network: Network, drop: Iterable[int]) -> Network:
    """The same network less the numbered edges (closed, locked, too narrow, too steep)."""
    gone = set(drop)
    graph = network.graph.copy()
    graph.remove_edges_from([e for e in network.graph.edges(keys=True) if e[2] in gone])
    return Network(graph, network.edges, network.free)


def narrower_than(network: Network, width_m: float, *, tolerance_m: float = 0.02) -> list[int]:
    """Numbers of the edges that are narrower than *width_m*, less a tolerance of measuring."""
    present = {key for _, _, key in network.graph.edges(keys=True)}
    return [e.number for e in network.edges if e.number in present and
            e.width_m < width_m - tolerance_m]  # fmt: skip


def reaches(
    network: Network, gate: BaseGeometry, places: Mapping[str, BaseGeometry]
) -> dict[str, float | None]:
    """Shortest way in metres from *gate* to each place; None where the network does not lead."""
    start = network.node_at(gate)
    if start is None or start not in network.graph:
        return dict.fromkeys(places)
    lengths = nx.single_source_dijkstra_path_length(network.graph, start, weight="length_m")
    found: dict[str, float | None] = {}
    for name, place in places.items():
        node = network.node_at(place)
        metres = lengths.get(node) if node is not None else None
        found[name] = float(metres) if metres is not None else None
    return found


def route(network: Network, a: BaseGeometry, b: BaseGeometry) -> tuple[Edge, ...] | None:
    """Edges of the shortest way from *a* to *b*; None where there is none."""
    first, last = network.node_at(a), network.node_at(b)
    if first is None or last is None or not nx.has_path(network.graph, first, last):
        return None
    nodes = nx.dijkstra_path(network.graph, first, last, weight="length_m")
    return tuple(_shortest(network, u, v) for u, v in itertools.pairwise(nodes))


def disjoint_routes(network: Network, a: BaseGeometry, b: BaseGeometry) -> list[tuple[Node, ...]]:
    """Ways from *a* to *b* that share no stretch, as many as there are (Menger).

    Parallel stretches between the same two junctions count each for themselves.
    """
    first, last = network.node_at(a), network.node_at(b)
    if first is None or last is None or first == last:
        return []
    simple = _subdivided(network)
    if first not in simple or last not in simple or not nx.has_path(simple, first, last):
        return []
    paths = nx.edge_disjoint_paths(simple, first, last)
    found = [tuple(node for node in path if not isinstance(node[0], str)) for path in paths]
    return sorted(found, key=lambda path: (_length_m(path), path))


def shared_edges(
    network: Network, a: BaseGeometry, b: BaseGeometry, c: BaseGeometry
) -> tuple[int, ...]:
    """Bridges that every way from *a* to *c* and every way from *b* to *c* has in common.

    With *c* an arterial: two gates on one dead-end road share one, and are one way out.
    """
    common = _bridges_between(network, a, c) & _bridges_between(network, b, c)
    return tuple(sorted(common))


def bridges(network: Network) -> tuple[int, ...]:
    """Numbers of the edges whose loss parts the network: single points of failure."""
    simple = _subdivided(network)
    marks = {node for pair in nx.bridges(simple) for node in pair if isinstance(node[0], str)}
    return tuple(sorted(int(mark[1]) for mark in marks))


def cut_off(
    network: Network, gates: Sequence[BaseGeometry], places: Mapping[str, BaseGeometry]
) -> dict[int, tuple[str, ...]]:
    """For each single edge, the places that no gate reaches once it is blocked; only real losses.

    A place that no gate reaches even with every edge open is not counted here.
    """
    nodes = {name: network.node_at(place) for name, place in places.items()}
    starts = [n for n in (network.node_at(gate) for gate in gates) if n is not None]
    before = _unreached(network.graph, starts, nodes)
    found = {}
    for number in bridges(network):
        lost = _unreached(without(network, [number]).graph, starts, nodes) - before
        if lost:
            found[number] = tuple(sorted(lost))
    return found


def remoteness(entrance: BaseGeometry, exit_: BaseGeometry, area: BaseGeometry) -> Remoteness:
    """Distance between two gates in a straight line, and half the longest diagonal of *area*."""
    corners = shapely.get_coordinates(shapely.convex_hull(area))
    spread = corners[:, None, :] - corners[None, :, :]
    diagonal_m = float(np.hypot(spread[..., 0], spread[..., 1]).max())
    return Remoteness(float(entrance.distance(exit_)), diagonal_m / 2)


@dataclass(frozen=True)
class _Line:
    line: shapely.LineString
    width_m: float
    name: str
    role: str


def _lines(ways: Sequence[Way]) -> list[_Line]:
    found = []
    for way in ways:
        if way.geometry.geom_type.endswith("Polygon"):
            parts = [(c.line, c.width_m) for c in centrelines(way.geometry)]
        else:
            parts = [(line, way.width_m or 0.0) for line in shapely.get_parts(way.geometry)]
        found += [_Line(line, width, way.name, way.role) for line, width in parts]
    return found


def _connectors(lines: Sequence[_Line], gap_m: float) -> list[_Line]:
    """Short lines from an end to the middle of a way whose surface it touches."""
    found = []
    every: Any = np.array([one.line for one in lines])
    # An end may stop at the other's edge, or both ends may be drawn side by side.
    widths = np.array([one.width_m for one in lines])
    for n, one in enumerate(lines):
        for xy in (one.line.coords[0], one.line.coords[-1]):
            end = shapely.Point(xy)
            away = shapely.distance(every, end)
            away[n] = np.inf
            away[away > np.maximum(widths, one.width_m) / 2 + 2 * gap_m] = np.inf
            nearest = int(np.argmin(away))
            if not 10**-_DIGITS / 2 <= away[nearest] < np.inf:
                continue
            other = lines[nearest]
            on, _ = ops.nearest_points(other.line, end)
            found.append(_Line(shapely.LineString([on, end]), min(one.width_m, other.width_m),
                               one.name, one.role))  # fmt: skip
    return found


def _noded(lines: Sequence[_Line], places: Sequence[BaseGeometry]) -> list[shapely.LineString]:
    grid = 10.0**-_DIGITS
    whole = shapely.union_all([one.line for one in lines], grid_size=grid)
    # A node where a connector's foot or a place touches the middle of a way.
    feet = [shapely.Point(one.line.coords[0]) for one in lines]
    if not whole.is_empty:
        close = [place for place in places if whole.distance(place) <= _ATTACH_M]
        feet += [ops.nearest_points(whole, place)[0] for place in close]
    pieces: list[Any] = [part for part in shapely.get_parts(whole) if part.length > 0]
    tree = shapely.STRtree(feet)
    near = [tree.query(piece, predicate="dwithin", distance=2 * grid) for piece in pieces]
    return sorted(
        (
            c
            for piece, n in zip(pieces, near, strict=True)
            for c in _cut(piece, [feet[k] for k in n])
        ),
        key=lambda piece: tuple(piece.coords),
    )


def _cut(line: Any, points: Sequence[shapely.Point]) -> list[shapely.LineString]:
    at = sorted({round(float(line.project(p)), 4) for p in points})
    inner = [d for d in at if 0.001 < d < line.length - 0.001]
    stops = [0.0, *inner, float(line.length)]
    cuts: list[Any] = [ops.substring(line, a, b) for a, b in itertools.pairwise(stops)]
    return cuts


def _edges(
    pieces: Sequence[shapely.LineString], lines: Sequence[_Line], obstacles: Sequence[BaseGeometry]
) -> list[Edge]:
    """Pieces with the properties of the line each lies on, and their clear width."""
    tree = shapely.STRtree([one.line for one in lines])
    middles: Any = shapely.line_interpolate_point(np.array(pieces), 0.5, normalized=True)
    sources = [lines[n] for n in tree.nearest(middles)] if len(pieces) else []
    blocks = shapely.STRtree(list(obstacles)) if obstacles else None
    return [
        Edge(
            number,
            source.name,
            source.role,
            float(piece.length),
            clear_width_m(piece, source.width_m, blocks),
            piece,
        )
        for number, (piece, source) in enumerate(zip(pieces, sources, strict=True))
    ]


def _end_nodes(line: shapely.LineString) -> tuple[Node, Node]:
    first, last = line.coords[0], line.coords[-1]
    return (
        (round(first[0], _DIGITS), round(first[1], _DIGITS)),
        (round(last[0], _DIGITS), round(last[1], _DIGITS)),
    )


def _subdivided(network: Network) -> nx.Graph[Any]:
    """A simple graph with a middle node for each edge, so that parallel edges stay apart."""
    simple: nx.Graph[Any] = nx.Graph()
    for u, v, key in sorted(network.graph.edges(keys=True)):
        simple.add_edge(u, ("edge", key))
        simple.add_edge(("edge", key), v)
    return simple


def _shortest(network: Network, u: Node, v: Node) -> Edge:
    keys = [key for _, to, key in network.graph.edges(u, keys=True) if to == v]
    return network.edges[min(keys, key=lambda key: (network.edges[key].length_m, key))]


def _length_m(path: Sequence[Node]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(path))


def _bridges_between(network: Network, a: BaseGeometry, b: BaseGeometry) -> set[int]:
    first, last = network.node_at(a), network.node_at(b)
    if first is None or last is None or not nx.has_path(network.graph, first, last):
        return set()
    return {
        number
        for number in bridges(network)
        if not nx.has_path(without(network, [number]).graph, first, last)
    }


def _unreached(
    graph: nx.MultiGraph[Node], starts: Sequence[Node], nodes: Mapping[str, Node | None]
) -> set[str]:
    reached: set[Node] = set()
    for start in starts:
        reached |= set(nx.node_connected_component(graph, start))
    return {name for name, node in nodes.items() if node not in reached}
