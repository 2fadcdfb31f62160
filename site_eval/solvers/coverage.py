"""Cells of a grid under many polygons at once, each with its exactly covered share.

Signed areas are accumulated edge by edge, as a font's outline is turned into grey pixels: an edge
adds to each cell that it crosses the part of its height that lies right of it, and the sum along
a row is then the covered share. A closed ring adds nothing beyond itself, so that the windows of
all polygons are summed in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

# Cells of all windows that are summed at once: about 100 MB at work.
_CELLS_AT_ONCE = 2_000_000
_NOTHING = 1e-12


@dataclass(frozen=True)
class Covered:
    """Pairs of a polygon and a cell that it covers, at least in part."""

    polygon: NDArray[np.int64]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    share: NDArray[np.float64]
    """Covered share of the cell, 0 to 1 (above 1 where parts of one multipolygon overlap)."""


@dataclass(frozen=True)
class _Edges:
    """Edges that are not level, in cell units, with the polygon of each."""

    start: NDArray[np.float64]
    step: NDArray[np.float64]
    polygon: NDArray[np.int64]


@dataclass(frozen=True)
class _Windows:
    """The block of cells around each polygon, and where it begins in one long row of cells."""

    column: NDArray[np.int64]
    row: NDArray[np.int64]
    width: NDArray[np.int64]
    begin: NDArray[np.int64]
    size: int


def covered_cells(polygons: NDArray[Any]) -> Iterator[Covered]:
    """The covered cells of *polygons*, some polygons at a time, in their order.

    *polygons* are valid polygons or multipolygons in cell units: x is the column, y the row, and
    the cell (r, c) is the square from (c, r) to (c + 1, r + 1). Cells off the grid are told too;
    the caller knows its size. Empty polygons and nulls cover nothing.
    """
    known = np.flatnonzero(~(shapely.is_missing(polygons) | shapely.is_empty(polygons)))
    for chosen in _groups(polygons, known):
        found = _covered(polygons[chosen])
        yield Covered(chosen[found.polygon], found.row, found.column, found.share)


def _groups(polygons: NDArray[Any], known: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Numbers of polygons whose windows together stay below the limit."""
    box = shapely.bounds(polygons[known])
    cells = np.prod(np.ceil(box[:, 2:] - box[:, :2]) + 2, axis=1)
    total = np.cumsum(cells)
    while len(known):
        count = max(1, int(np.searchsorted(total, _CELLS_AT_ONCE)))
        yield known[:count]
        total = total[count:] - total[count - 1]
        known = known[count:]


def _covered(polygons: NDArray[Any]) -> Covered:
    windows = _windows(polygons)
    edges = _edges(polygons)
    summed = np.cumsum(_heights(edges, windows))
    cell = np.flatnonzero(np.abs(summed) > _NOTHING)
    polygon = np.searchsorted(windows.begin, cell, side="right") - 1
    row, column = np.divmod(cell - windows.begin[polygon], windows.width[polygon])
    return Covered(
        polygon, row + windows.row[polygon], column + windows.column[polygon], np.abs(summed[cell])
    )


def _windows(polygons: NDArray[Any]) -> _Windows:
    box = np.floor(shapely.bounds(polygons)).astype(np.int64)
    width = box[:, 2] - box[:, 0] + 2
    size = width * (box[:, 3] - box[:, 1] + 1)
    begin = np.concatenate([[0], np.cumsum(size)])
    # One cell more, for an edge on the last line of the last window.
    return _Windows(box[:, 0], box[:, 1], width, begin[:-1], int(begin[-1]) + 1)


def _edges(polygons: NDArray[Any]) -> _Edges:
    parts, whole = shapely.get_parts(shapely.orient_polygons(polygons), return_index=True)
    rings, part = shapely.get_rings(parts, return_index=True)
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    step = xy[1:] - xy[:-1]
    kept = (ring[1:] == ring[:-1]) & (step[:, 1] != 0)
    return _Edges(xy[:-1][kept], step[kept], whole[part[ring[:-1][kept]]])


def _heights(edges: _Edges, windows: _Windows) -> NDArray[np.float64]:
    """What each cell adds to the sum along its row."""
    edge, low, high = _pieces(edges)
    middle = (low + high) / 2
    x = edges.start[edge, 0] + edges.step[edge, 0] * middle
    y = edges.start[edge, 1] + edges.step[edge, 1] * middle
    height = edges.step[edge, 1] * (high - low)
    polygon = edges.polygon[edge]
    column, row = np.floor(x), np.floor(y)
    right = height * (x - column)
    cell = (
        windows.begin[polygon]
        + (row.astype(np.int64) - windows.row[polygon]) * windows.width[polygon]
        + (column.astype(np.int64) - windows.column[polygon])
    )
    added = np.bincount(cell, height - right, windows.size + 1)
    added += np.bincount(cell + 1, right, windows.size + 1)
    return np.asarray(added[: windows.size], dtype=np.float64)


def _pieces(
    edges: _Edges,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Each edge cut at the lines of the grid: its number, and from where to where (0 to 1)."""
    count = len(edges.polygon)
    numbers = np.arange(count)
    cuts = [_crossings(edges.start[:, axis], edges.step[:, axis]) for axis in (0, 1)]
    edge = np.concatenate([numbers, *(owner for owner, _ in cuts)])
    at = np.concatenate([np.zeros(count), *(where for _, where in cuts)])
    order = np.argsort(edge + at * (1 - 1e-9), kind="stable")
    edge, at = edge[order], at[order]
    following = np.append(at[1:], 1.0)
    following[np.append(edge[1:] != edge[:-1], True)] = 1.0
    return edge, at, following


def _crossings(
    start: NDArray[np.float64], step: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Where edges cross whole numbers along one axis: edge and share of its length."""
    first, last = np.floor(start), np.floor(start + step)
    count = np.abs(last - first).astype(np.int64)
    owner = np.repeat(np.arange(len(start)), count)
    nth = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    line = np.minimum(first, last)[owner] + 1 + nth
    at = (line - start[owner]) / step[owner]
    return owner, np.asarray(np.clip(at, 0.0, 1.0))
