"""Cross aisles that join the aisles of a stack, room to turn on each, and the stalls that remain.

Frame of this module: aisles run along x. A *node* is one free stretch of one aisle. A *link* is a
range of x where the ground from one aisle to the next is free, so that a cross aisle may lie
there. A *cut* takes a cross aisle's width out of rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from site_eval.solvers.parking.stack import Stack
from site_eval.solvers.parking.standard import Standard
from site_eval.solvers.parking.strips import EPS_M, Edges, free_intervals

# Exact trial of so many of the most promising lines for a cross aisle, by the links they serve.
_TRIED_LINES = 12


@dataclass
class Row:
    """One free stretch of a row beside an aisle, and what has been cut out of it."""

    level: int
    above: bool
    left_m: float
    right_m: float
    node: int
    cuts: list[tuple[float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Node:
    """One free stretch of the aisle at a level."""

    level: int
    left_m: float
    right_m: float


@dataclass(frozen=True)
class Link:
    """Where a cross aisle may join two nodes."""

    level: int
    low: int
    high: int
    left_m: float
    right_m: float


@dataclass(frozen=True)
class Band:
    """A cross aisle or a turning place, as a rectangle; the width left out, not the one needed."""

    left_m: float
    right_m: float
    low_m: float
    high_m: float
    nodes: tuple[int, ...]
    kind: str


@dataclass(frozen=True)
class Run:
    """Ground for stalls side by side along one aisle."""

    level: int
    above: bool
    left_m: float
    right_m: float
    node: int
    before_m: float = 0.0
    """What the cross aisle to the left has to spare over an aisle's width."""


@dataclass(frozen=True)
class Plan:
    """A stack with its circulation drawn."""

    stack: Stack
    nodes: tuple[Node, ...]
    bands: tuple[Band, ...]
    runs: tuple[Run, ...]
    component: tuple[int, ...]
    """By node, the number of the connected part it belongs to."""


def circulate(edges: Edges, std: Standard, stack: Stack) -> Plan:
    """Draw cross aisles so that as many aisles as possible hang together, at few stalls' cost."""
    nodes = _nodes(edges, std, stack)
    rows = _rows(edges, std, stack, nodes)
    served = {row.node for row in rows}
    links = [k for k in _links(edges, std, stack, nodes) if {k.low, k.high} <= served]
    parts = _Parts(len(nodes))
    bands = _cross_aisles(std, stack, rows, links, parts)
    bands += _turning_places(std, stack, nodes, rows, bands)
    runs = _runs(std, rows)
    return Plan(
        stack, tuple(nodes), tuple(bands), tuple(runs), tuple(map(parts.root, nodes_of(nodes)))
    )


def nodes_of(nodes: list[Node]) -> Iterable[int]:
    """The numbers of *nodes*."""
    return range(len(nodes))


class _Parts:
    """Which nodes hang together (disjoint sets)."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def root(self, node: int) -> int:
        while self._parent[node] != node:
            self._parent[node] = self._parent[self._parent[node]]
            node = self._parent[node]
        return node

    def join(self, a: int, b: int) -> bool:
        first, second = sorted((self.root(a), self.root(b)))
        self._parent[second] = first
        return first != second

    def copy(self) -> _Parts:
        other = _Parts(0)
        other._parent = self._parent.copy()
        return other


def _nodes(edges: Edges, std: Standard, stack: Stack) -> list[Node]:
    return [
        Node(level, float(left), float(right))
        for level, aisle in enumerate(stack.aisles)
        for left, right in free_intervals(edges, aisle.low_m, aisle.low_m + std.aisle_m)
        if right - left >= std.pitch_m
    ]


def _rows(edges: Edges, std: Standard, stack: Stack, nodes: list[Node]) -> list[Row]:
    found = []
    depth = std.wall_depth_m
    for level, aisle in enumerate(stack.aisles):
        sides = [(False, aisle.low_m - depth)] * aisle.below + [(True, aisle.low_m)] * aisle.above
        for above, low in sides:
            for left, right in free_intervals(edges, low, low + depth + std.aisle_m):
                node = _node_at(nodes, level, float(left), float(right))
                if node is not None and right - left >= std.pitch_m + std.lead_m - EPS_M:
                    found.append(Row(level, above, float(left), float(right), node))
    return found


def _node_at(nodes: list[Node], level: int, left_m: float, right_m: float) -> int | None:
    slack = 10 * EPS_M
    for number, node in enumerate(nodes):
        if (
            node.level == level
            and node.left_m - slack <= left_m
            and right_m <= node.right_m + slack
        ):
            return number
    return None


def _links(edges: Edges, std: Standard, stack: Stack, nodes: list[Node]) -> list[Link]:
    found = []
    for level, (lower, upper) in enumerate(zip(stack.aisles, stack.aisles[1:], strict=False)):
        for left, right in free_intervals(edges, lower.low_m, upper.low_m + std.aisle_m):
            if right - left < std.cross_m - EPS_M:
                continue
            low = _node_at(nodes, level, float(left), float(right))
            high = _node_at(nodes, level + 1, float(left), float(right))
            if low is not None and high is not None:
                found.append(Link(level, low, high, float(left), float(right)))
    return found


def _cross_aisles(
    std: Standard, stack: Stack, rows: list[Row], links: list[Link], parts: _Parts
) -> list[Band]:
    """Straight lines first: always the line that joins most parts, and of those the cheapest."""
    bands: list[Band] = []
    width = std.cross_m
    starts = np.array(sorted({x for k in links for x in (k.left_m, k.right_m - width)}))
    left = np.array([k.left_m for k in links])
    right = np.array([k.right_m for k in links])
    fits = (starts[:, None] >= left - EPS_M) & (starts[:, None] + width <= right + EPS_M)
    open_links = np.ones(len(links), dtype=bool)
    while open_links.any():
        promise = (fits & open_links).sum(axis=1)
        tried = np.argsort(-promise, kind="stable")[:_TRIED_LINES]
        choices = [
            (_line(float(starts[n]), np.flatnonzero(fits[n] & open_links), links, parts), n)
            for n in tried
            if promise[n]
        ]
        if not choices:
            break
        chosen, at = min(
            choices, key=lambda c: (-len(c[0]), _cost(std, rows, links, c[0], starts[c[1]]), c[1])
        )
        for number in chosen:
            bands += _joined(std, stack, rows, links[number], float(starts[at]), parts)
        open_links = np.array([parts.root(k.low) != parts.root(k.high) for k in links], dtype=bool)
    return bands


def _line(start_m: float, numbers: Iterable[int], links: list[Link], parts: _Parts) -> list[int]:
    """Links that a straight cross aisle at *start_m* would use: those that join something."""
    del start_m
    trial = parts.copy()
    return [n for n in numbers if trial.join(links[n].low, links[n].high)]


def _cost(
    std: Standard, rows: list[Row], links: list[Link], numbers: list[int], start_m: float
) -> int:
    """Stalls lost by cutting the rows between the aisles of each link."""
    cut = (float(start_m), float(start_m) + std.cross_m)
    return sum(
        _lost(std, row, cut) for n in numbers for row in _between(rows, links[n])
    )  # fmt: skip


def _between(rows: list[Row], link: Link) -> list[Row]:
    return [
        row
        for row in rows
        if (row.node == link.low and row.above) or (row.node == link.high and not row.above)
    ]


def _joined(
    std: Standard, stack: Stack, rows: list[Row], link: Link, start_m: float, parts: _Parts
) -> list[Band]:
    """Cut the cross aisle of one link; where traffic is one-way, one at its other end too."""
    parts.join(link.low, link.high)
    starts = [start_m]
    if std.one_way:
        ends = (link.left_m, link.right_m - std.cross_m)
        other = max(ends, key=lambda x: abs(x - start_m))
        if abs(other - start_m) >= std.cross_m:
            starts.append(other)
    between = _between(rows, link)
    bands = []
    for start in starts:
        for row in between:
            _cut(row, (start, start + std.cross_m))
        low = stack.aisles[link.level].low_m + std.aisle_m
        high = stack.aisles[link.level + 1].low_m
        nodes = (link.low, link.high)
        bands.append(Band(start, start + std.cross_m, low, high, nodes, "cross-aisle"))
    return bands


def _turning_places(
    std: Standard, stack: Stack, nodes: list[Node], rows: list[Row], bands: list[Band]
) -> list[Band]:
    """Each aisle has one place where the rows on both sides stand back, to turn or pass."""
    found = []
    for number in range(len(nodes)):
        mine = [row for row in rows if row.node == number]
        if not mine:
            continue
        lines = sorted({band.left_m for band in bands if number in band.nodes})
        low = min(row.left_m for row in mine)
        high = max(row.right_m for row in mine) - std.cross_m
        starts = [*lines, low, max(low, high)]
        wanted = [low, max(low, high)] if std.one_way else [_cheapest(std, mine, starts)]
        for start in wanted:
            cut = (start, start + std.cross_m)
            found += [_turning_band(std, stack, row, cut) for row in mine if _cut(row, cut)]
    return found


def _cheapest(std: Standard, rows: list[Row], starts: list[float]) -> float:
    return min(
        starts, key=lambda x: (sum(_lost(std, row, (x, x + std.cross_m)) for row in rows), x)
    )


def _turning_band(std: Standard, stack: Stack, row: Row, cut: tuple[float, float]) -> Band:
    low = stack.aisles[row.level].low_m
    # Leaning stalls behind reach into the row by their half of the interlock.
    deep = std.depth_m - std.overlap_m
    y = (low + std.aisle_m, low + std.aisle_m + deep) if row.above else (low - deep, low)
    left, right = max(cut[0], row.left_m), min(cut[1], row.right_m)
    return Band(left, right, *y, (row.node,), "turning-place")


def _cut(row: Row, cut: tuple[float, float]) -> bool:
    """Take *cut* out of *row*; whether anything was there to take."""
    if cut[1] <= row.left_m + EPS_M or cut[0] >= row.right_m - EPS_M:
        return False
    if any(abs(cut[0] - a) < EPS_M and abs(cut[1] - b) < EPS_M for a, b in row.cuts):
        return False
    row.cuts.append(cut)
    return True


def _lost(std: Standard, row: Row, cut: tuple[float, float]) -> int:
    before = _stalls(std, _left_over(row, row.cuts))
    return before - _stalls(std, _left_over(row, [*row.cuts, cut]))


def _stalls(std: Standard, stretches: list[tuple[float, float]]) -> int:
    return sum(
        max(0, int((b - a - std.lead_m + 2 * EPS_M) / std.pitch_m)) for a, b in stretches
    )  # fmt: skip


def _left_over(row: Row, cuts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """What of *row* the cuts leave, from left to right."""
    stretches = []
    at = row.left_m
    for left, right in sorted(cuts):
        if left > at:
            stretches.append((at, min(left, row.right_m)))
        at = max(at, right)
    if at < row.right_m:
        stretches.append((at, row.right_m))
    return stretches


def _runs(std: Standard, rows: list[Row]) -> list[Run]:
    lanes = _lanes(std, rows)
    return [
        Run(row.level, row.above, left, right, row.node, _before_m(std, row, left))
        for row in rows
        for left, right in _left_over(row, [*row.cuts, *lanes])
        if right - left >= std.pitch_m + std.lead_m - 2 * EPS_M
    ]


def _before_m(std: Standard, row: Row, left_m: float) -> float:
    """What cross aisles leave over before a run that begins at the end of one."""
    if not any(abs(cut[1] - left_m) < EPS_M for cut in row.cuts):
        return 0.0
    ends = [max(a, row.left_m) + std.aisle_m for a, _ in row.cuts if a < left_m]
    return max(0.0, left_m - max(ends))


def _lanes(std: Standard, rows: list[Row]) -> list[tuple[float, float]]:
    """Straight lanes across all rows, so that no more stalls stand side by side than allowed."""
    if std.block_stalls is None or not rows:
        return []
    left = min((a for row in rows for a, _ in _left_over(row, row.cuts)), default=0.0)
    right = max(row.right_m for row in rows)
    block = std.block_stalls * std.pitch_m + std.lead_m
    count = int((right - left) / (block + std.lane_m)) + 1
    starts = left + block + (block + std.lane_m) * np.arange(count)
    return [(float(x), float(x) + std.lane_m) for x in starts]
