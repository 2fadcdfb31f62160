"""Cells of a grid under many polygons at once, summed, each cell by its exactly covered share.

Signed areas are accumulated edge by edge, as a font's outline is turned into grey pixels: what
lies right of an edge is added or taken away, and a closed ring leaves what is within. With the
sums of each row from every cell to its end at hand, an edge needs to look only at the cells that
it crosses, however large the polygon is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import csr_array

from site_eval.solvers.compiled import class_sums

# Pieces of edges that are at work at once: about 100 MB.
_PIECES_AT_ONCE = 1_000_000
_CRUMB_CELLS = 1e-9

Move = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Outlines:
    """The rings of many polygons as one run of points, each polygon's points together.

    Exteriors and holes are wound against one another; empty polygons and nulls have no points.
    """

    xy: NDArray[np.float64]
    polygon: NDArray[np.int64]
    ring: NDArray[np.int64]
    count: int
    """How many polygons there are, those without points too."""

    def moved(self, move: Move) -> Outlines:
        """The same outlines elsewhere."""
        return Outlines(move(self.xy), self.polygon, self.ring, self.count)

    def of(self, chosen: NDArray[np.int64]) -> Outlines:
        """The outlines of some polygons, numbered anew."""
        fresh = np.full(self.count, -1, dtype=np.int64)
        fresh[chosen] = np.arange(len(chosen))
        number = fresh[self.polygon]
        kept = number >= 0
        order = np.argsort(number[kept], kind="stable")
        return Outlines(
            self.xy[kept][order], number[kept][order], self.ring[kept][order], len(chosen)
        )

    def areas(self) -> NDArray[np.float64]:
        """Signed area of each polygon; holes taken out."""
        start, end, polygon = self.edges()
        twice = (start[:, 0] - end[:, 0]) * (start[:, 1] + end[:, 1])
        return np.bincount(polygon, twice, self.count) / 2

    def boxes(self) -> NDArray[np.float64]:
        """West, south, east, north of each polygon; not numbers where it has no points."""
        box = np.full((self.count, 4), np.nan)
        if len(self.polygon):
            first = np.flatnonzero(np.append(True, self.polygon[1:] != self.polygon[:-1]))
            who = self.polygon[first]
            box[who, :2] = np.minimum.reduceat(self.xy, first)
            box[who, 2:] = np.maximum.reduceat(self.xy, first)
        return box

    def edges(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Starts and ends of the edges, and the polygon of each."""
        joined = self.ring[1:] == self.ring[:-1]
        return self.xy[:-1][joined], self.xy[1:][joined], self.polygon[:-1][joined]

    def fine(self, longest: float) -> Outlines:
        """Points added so that no edge is longer than *longest*."""
        step = np.diff(self.xy, axis=0)
        joined = self.ring[1:] == self.ring[:-1]
        pieces = np.where(joined, np.ceil(np.hypot(step[:, 0], step[:, 1]) / longest), 1)
        pieces = np.append(np.maximum(pieces, 1), 1).astype(np.int64)
        if pieces.max(initial=1) == 1:
            return self
        at = np.repeat(np.arange(len(pieces)), pieces)
        nth = np.arange(len(at)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        along = np.vstack([step, np.zeros(2)])[at] * (nth / pieces[at])[:, None]
        return Outlines(self.xy[at] + along, self.polygon[at], self.ring[at], self.count)


def outlines(polygons: NDArray[Any]) -> Outlines:
    """The outlines of valid polygons and multipolygons; nulls and empty ones have none."""
    there = np.flatnonzero(~(shapely.is_missing(polygons) | shapely.is_empty(polygons)))
    if not len(there):
        none = np.zeros(0, dtype=np.int64)
        return Outlines(np.zeros((0, 2)), none, none, len(polygons))
    oriented = shapely.orient_polygons(polygons[there])
    _, xy, (ring_ends, *outer) = shapely.to_ragged_array(oriented, include_z=False)
    ring = np.repeat(np.arange(len(ring_ends) - 1), np.diff(ring_ends))
    # From the rings of each part, and the parts of each polygon, to the points of each polygon.
    ends = np.asarray(ring_ends)
    for offsets in outer:
        ends = ends[np.asarray(offsets)]
    return Outlines(np.asarray(xy), np.repeat(there, np.diff(ends)), ring, len(polygons))


def to_the_right(values: NDArray[Any]) -> NDArray[np.float64]:
    """Sums of each row of *values* (row, column, kind) from every cell to its end.

    One row and one column more than the grid has hold nothing: that is what lies beyond.
    """
    height, width, kinds = values.shape
    sums = np.zeros((height + 1, width + 1, kinds))
    np.cumsum(values[:, ::-1], axis=1, out=sums[:height, width - 1 :: -1])
    return sums


def covered_sums(
    shapes: Outlines, sums: NDArray[np.float64], *, fast: bool = False
) -> NDArray[np.float64]:
    """The values under each polygon summed by kind, cells weighted by their covered share.

    *shapes* are in cell units: x is the column, y the row, the cell (r, c) is the square from
    (c, r) to (c + 1, r + 1). *sums* are those of ``to_the_right``; nothing is beyond the grid.
    *fast* takes the compiled loop, which must be available.
    """
    if fast:
        found = class_sums(shapes.xy, shapes.ring, shapes.polygon, shapes.count, sums)
    else:
        found = _plain_sums(shapes, sums)
    total = np.abs(found)
    # Rounding of running sums leaves crumbs where there is nothing.
    total[total < _CRUMB_CELLS] = 0.0
    return total


def _plain_sums(shapes: Outlines, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    start, end, polygon = shapes.edges()
    kept = start[:, 1] != end[:, 1]
    start, end, polygon = start[kept], end[kept], polygon[kept]
    total = np.zeros((shapes.count, sums.shape[2]))
    flat = sums.reshape(-1, sums.shape[2])
    for chosen in _shifts(start, end):
        pieces = _pieces(start[chosen], end[chosen] - start[chosen])
        total += _weights(pieces, polygon[chosen], shapes.count, sums.shape) @ flat
    return total


def _shifts(start: NDArray[np.float64], end: NDArray[np.float64]) -> list[slice]:
    """Runs of edges that are cut in no more pieces than can be at work at once."""
    cells = 1 + np.abs(np.floor(end) - np.floor(start)).sum(axis=1)
    shift = (np.cumsum(cells) // _PIECES_AT_ONCE).astype(np.int64)
    bounds = [0, *(np.flatnonzero(np.diff(shift)) + 1), len(shift)] if len(shift) else [0]
    return [slice(int(a), int(b)) for a, b in pairwise(bounds)]


@dataclass(frozen=True)
class _Pieces:
    """Edges cut at the lines of the grid: the middle of each piece, and its signed height."""

    edge: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    height: NDArray[np.float64]


def _pieces(start: NDArray[np.float64], step: NDArray[np.float64]) -> _Pieces:
    edge = np.arange(len(start))
    cuts = [_crossings(start[:, axis], step[:, axis]) for axis in (0, 1)]
    edge = np.concatenate([edge, *(owner for owner, _ in cuts)])
    at = np.concatenate([np.zeros(len(start)), *(where for _, where in cuts)])
    # Three runs that are in order: merging them is quick.
    order = np.argsort(edge + at * (1 - 1e-9), kind="stable")
    edge, at = edge[order], at[order]
    until = np.append(at[1:], 1.0)
    until[np.append(edge[1:] != edge[:-1], True)] = 1.0
    middle = (at + until) / 2
    x = start[edge, 0] + step[edge, 0] * middle
    y = start[edge, 1] + step[edge, 1] * middle
    return _Pieces(edge, x, y, step[edge, 1] * (until - at))


def _crossings(
    start: NDArray[np.float64], step: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Where edges cross whole numbers along one axis, from start to end: edge and share."""
    first, last = np.floor(start), np.floor(start + step)
    count = np.abs(last - first).astype(np.int64)
    owner = np.repeat(np.arange(len(start)), count)
    nth = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    line = np.where(step > 0, first + 1, first)[owner] + np.where(step > 0, 1, -1)[owner] * nth
    at = (line - start[owner]) / step[owner]
    return owner, np.asarray(np.clip(at, 0.0, 1.0))


def _weights(
    pieces: _Pieces, polygon: NDArray[np.int64], count: int, shape: tuple[int, ...]
) -> csr_array:
    """How much each polygon takes of each running sum: a piece shares between two neighbours."""
    height, width = shape[0] - 1, shape[1] - 1
    column, row = np.floor(pieces.x), np.floor(pieces.y)
    right = pieces.height * (pieces.x - column)
    row = np.where((row < 0) | (row > height), height, row).astype(np.int64)
    left_at = np.clip(column, 0, width).astype(np.int64)
    right_at = np.clip(column + 1, 0, width).astype(np.int64)
    begin = row * (width + 1)
    at = np.column_stack([begin + left_at, begin + right_at]).ravel()
    share = np.column_stack([pieces.height - right, right]).ravel()
    owner = polygon[pieces.edge]
    begins = 2 * np.searchsorted(owner, np.arange(count + 1))
    return csr_array((share, at, begins), shape=(count, shape[0] * shape[1]))
