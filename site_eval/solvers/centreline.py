"""The middle line of a drawn road surface and its width, from the Voronoi diagram of its outline."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True)
class Centreline:
    """One stretch of the middle of a surface."""

    line: shapely.LineString
    width_m: float
    """Twice the least distance to the surface's edge along the stretch's inner part."""


def centrelines(polygon: BaseGeometry, *, spacing_m: float | None = None) -> list[Centreline]:
    """Middle lines of *polygon*, from junction to junction, side twigs into its corners left out.

    The outline is sampled every *spacing_m* (a quarter of the usual width when None). A stretch
    that ends at the outline is carried on to it, so that a gate drawn on the edge lies on the
    line. Widths by this line are for the map; what passes is decided by ``clearance.bottleneck``.
    """
    found: list[Centreline] = []
    for part in shapely.get_parts(polygon):
        if part.geom_type == "Polygon" and part.area > 0:
            found += _of_one(part, spacing_m)
    return found


def _of_one(polygon: Any, spacing_m: float | None) -> list[Centreline]:
    usual_m = 2 * float(polygon.area) / float(polygon.length)
    spacing = spacing_m or max(0.5, usual_m / 4)
    outline = shapely.segmentize(polygon.boundary, spacing)
    cells = shapely.voronoi_polygons(
        shapely.MultiPoint(shapely.get_coordinates(outline)), only_edges=True
    )
    segments = [s for s in _segments(cells) if polygon.contains(s)]
    graph: nx.Graph[Any] = nx.Graph()
    for segment in segments:
        a, b = (tuple(np.round(xy, 4)) for xy in segment.coords)
        if a != b:
            graph.add_edge(a, b)
    _prune(graph, polygon, usual_m)
    return [_measured(line, polygon) for line in _stretches(graph, polygon, usual_m)]


def _segments(lines: BaseGeometry) -> list[Any]:
    found: list[Any] = []
    for line in shapely.get_parts(lines):
        xy = shapely.get_coordinates(line)
        found += [shapely.LineString([a, b]) for a, b in itertools.pairwise(xy)]
    return found


def _prune(graph: nx.Graph[Any], polygon: Any, usual_m: float) -> None:
    """Take out the twigs that run into corners: no longer than the surface is wide there."""
    boundary = polygon.boundary
    for _ in range(3):
        twigs = []
        for leaf in sorted(n for n in graph if graph.degree(n) == 1):
            path, joint = _twig(graph, leaf)
            width = 2 * boundary.distance(shapely.Point(joint))
            length = shapely.LineString(path).length
            if graph.degree(joint) > 2 and length <= max(width, usual_m):
                twigs.append(path)
        if not twigs:
            break
        for path in twigs:
            graph.remove_nodes_from(path[:-1])
    if graph.number_of_nodes() == 0:
        return
    largest = max(nx.connected_components(graph), key=len)
    graph.remove_nodes_from([n for n in list(graph) if n not in largest])


def _twig(graph: nx.Graph[Any], leaf: Any) -> tuple[list[Any], Any]:
    path = [leaf]
    node, came = leaf, None
    while True:
        onward = [n for n in graph[node] if n != came]
        if len(onward) != 1 or (len(path) > 1 and graph.degree(node) != 2):
            return path, node
        came, node = node, onward[0]
        path.append(node)


def _stretches(graph: nx.Graph[Any], polygon: Any, usual_m: float) -> list[shapely.LineString]:
    if graph.number_of_edges() == 0:
        return []
    merged = shapely.line_merge(
        shapely.MultiLineString([(a, b) for a, b in sorted(map(sorted, graph.edges))])
    )
    lines = [_smooth(line, usual_m) for line in shapely.get_parts(merged)]
    leaves = {n for n in graph if graph.degree(n) == 1}
    return [_carried_on(line, leaves, polygon) for line in lines]


def _smooth(line: Any, usual_m: float) -> Any:
    return shapely.simplify(line, usual_m / 20)


def _carried_on(line: Any, leaves: set[Any], polygon: Any) -> shapely.LineString:
    """Carry a loose end straight on to the outline."""
    xy = [tuple(point) for point in line.coords]
    for turn in range(2):
        if tuple(np.round(xy[-1], 4)) in leaves:
            a, b = np.array(xy[-2]), np.array(xy[-1])
            reach = max(polygon.boundary.distance(shapely.Point(b)) * 4, 1.0)
            ahead = b + (b - a) / np.linalg.norm(b - a) * reach
            inside = shapely.intersection(shapely.LineString([b, ahead]), polygon)
            first = [p for p in shapely.get_parts(inside) if p.distance(shapely.Point(b)) < 1e-6]
            if first and first[0].geom_type == "LineString":
                xy.append(tuple(first[0].coords[-1]))
        xy.reverse()
        del turn
    return shapely.LineString(xy)


def _measured(line: shapely.LineString, polygon: Any) -> Centreline:
    """Width along the inner part: at a loose end the edge is the end, not the side."""
    margin = 2 * float(polygon.area) / float(polygon.length)
    inner = np.linspace(
        min(margin, line.length / 2), max(line.length - margin, line.length / 2), 50
    )
    points: Any = shapely.line_interpolate_point(np.array(line), inner)
    return Centreline(line, 2 * float(shapely.distance(points, polygon.boundary).min()))
