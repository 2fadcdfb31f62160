"""Ways that lead nowhere else: how far a vehicle drives in before it has to turn or back out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx
import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.solvers.access_graph import Network, Node


@dataclass(frozen=True)
class DeadEnd:
    """A way that ends: its length from where a vehicle could still go on another way."""

    end: shapely.Point
    length_m: float
    edges: tuple[int, ...]
    spots: tuple[shapely.Point, ...]
    """The end, and the junctions before it within the length that needs no turnaround."""


def dead_ends(
    network: Network, *, longer_than_m: float, gates: Sequence[BaseGeometry] = ()
) -> list[DeadEnd]:
    """Ends of ways more than *longer_than_m* into ground that one way alone leads to.

    Forks within a dead end do not shorten it: what counts is the distance from a loop or a way
    between gates. Gates are no dead ends. Ends with a common fork near by are told once.
    """
    graph = network.graph
    kept = _core(graph, {network.node_at(gate) for gate in gates})
    pruned = graph.subgraph(set(graph.nodes) - kept)
    found: dict[Node, DeadEnd] = {}
    for branch in nx.connected_components(pruned):
        root = _root(graph, branch, kept)
        if root is None:
            continue
        whole = graph.subgraph({*branch, root})
        for leaf in sorted(branch):
            if graph.degree(leaf) == 1:
                fork, end = _ending(network, whole, root, leaf, longer_than_m)
                if end.length_m > longer_than_m:
                    found[fork] = max(found.get(fork, end), end, key=lambda one: one.length_m)
    return sorted(found.values(), key=lambda end: (-end.length_m, end.end.x, end.end.y))


def _core(graph: nx.MultiGraph[Node], gates: set[Node | None]) -> set[Node]:
    """What is left when ends are taken away again and again: loops, and ways between gates."""
    left: nx.MultiGraph[Node] = nx.MultiGraph(graph)
    waiting = [node for node in left if left.degree(node) <= 1 and node not in gates]
    while waiting:
        node = waiting.pop()
        if node not in left or len(left) == 1:
            continue
        after = list(left.neighbors(node))
        # The last of two that only have one another stays: something has to be the middle.
        left.remove_node(node)
        waiting += [n for n in after if left.degree(n) == 1 and n not in gates]
    return set(left.nodes)


def _root(graph: nx.MultiGraph[Node], branch: Iterable[Node], kept: set[Node]) -> Node | None:
    """Where a branch hangs on the rest; a tree hangs on it by one node."""
    roots = {n for node in branch for n in graph.neighbors(node) if n in kept}
    return min(roots) if roots else None


def _ending(
    network: Network, whole: nx.MultiGraph[Node], root: Node, leaf: Node, reach_m: float
) -> tuple[Node, DeadEnd]:
    """The dead end at *leaf*, and the fork before it that others may share."""
    path = nx.dijkstra_path(whole, root, leaf, weight="length_m")
    edges = [int(min(whole[a][b])) for a, b in pairwise(path)]
    lengths = [network.edges[number].length_m for number in edges]
    spots, fork, back_m = [leaf], leaf, 0.0
    for node, length in zip(reversed(path[:-1]), reversed(lengths), strict=True):
        back_m += length
        if back_m > reach_m:
            break
        spots.append(node)
        if fork == leaf and whole.degree(node) > 2:
            fork = node
    points = tuple(shapely.Point(spot) for spot in spots)
    return fork, DeadEnd(points[0], sum(lengths), tuple(edges), points)
