"""Cells of a raster under many polygons: shares of classes, and shares above a limit.

The same figures as ``zonal`` and ``slope`` give for one polygon (a test compares them), for many
at once: windows of the raster are read for neighbours together, and covered shares are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from numpy.typing import NDArray
from pyproj import CRS
from rasterio.windows import Window

from site_eval.solvers.coverage import Outlines, covered_sums, outlines, to_the_right
from site_eval.solvers.moving import move_between
from site_eval.solvers.slope import horn_slope_percent
from site_eval.solvers.zonal import sides_at_m

# Cells of a window that are held at once.
_WINDOW_CELLS = 1_500_000
_CLASSES_AT_ONCE = 7
# What a polygon may be off when it is moved to the raster's CRS, in cells: 0.01 mm of 100 m.
_NEAR = 1e-7
# Straight edges of one CRS bend in another; pieces this long keep that below a millimetre.
_PIECE_M = 200.0


@dataclass(frozen=True)
class Table:
    """One row a polygon: summed weight by class, and how much of the polygon was known."""

    classes: tuple[int, ...]
    weight: NDArray[np.float64]
    """Covered cells by class, weighted by their ground area; one column a class."""
    known: NDArray[np.float64]
    """Share of the polygon on cells with a value, 0 to 1."""
    area_cells: NDArray[np.float64]
    """Area of each polygon in cells."""

    def of(self, classes: frozenset[int]) -> NDArray[np.float64]:
        """Summed weight of some classes."""
        chosen = [n for n, c in enumerate(self.classes) if c in classes]
        return np.asarray(self.weight[:, chosen].sum(axis=1), dtype=np.float64)

    def share(
        self, classes: frozenset[int], among: frozenset[int] | None = None
    ) -> NDArray[np.float64]:
        """Share of *classes* among others (all, when None); 0 where there is none of those."""
        base = self.weight.sum(axis=1) if among is None else self.of(among)
        part = self.of(classes if among is None else classes & among)
        return np.divide(part, base, out=np.zeros(len(base)), where=base > 0)

    def less(self, other: Table) -> Table:
        """What is left of each polygon when *other*'s, which lies within it, is taken out."""
        classes = tuple(sorted({*self.classes, *other.classes}))
        weight = _widened(self, classes) - _widened(other, classes)
        area = self.area_cells - other.area_cells
        known = self.known * self.area_cells - other.known * other.area_cells
        return Table(classes, np.maximum(weight, 0.0), _over(known, area), area)


def class_table(
    polygons: NDArray[Any],
    crs: CRS,
    path: Path,
    *,
    fast: bool = False,
    piece_m: float = _PIECE_M,
    classify: Callable[[NDArray[Any]], NDArray[np.int64]] | None = None,
) -> Table:
    """Weights of the classes of a raster under *polygons* (metres of *crs*, none null).

    *classify* turns stored values to classes. Raises ``ValueError`` for a raster without CRS, a
    rotated one, or values that are no classes.
    """

    def sort(block: _Block) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        if classify is None:
            return _classes(block)
        codes = np.zeros(block.values.shape, dtype=np.int64)
        codes[block.valid] = classify(block.values[block.valid])
        return codes, block.valid

    return _tabled(outlines(polygons).fine(piece_m), crs, path, 0, sort, fast=fast)


def steep_table(
    polygons: NDArray[Any], crs: CRS, path: Path, limit_percent: float, *, fast: bool = False
) -> Table:
    """Weights of ground steeper than a limit (class 1) and not (class 0), by Horn's method."""

    def steep(block: _Block) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        heights = np.where(block.valid, block.values.astype(float), np.nan)
        slope = horn_slope_percent(heights, block.width_m, block.height_m)  # type: ignore[arg-type]
        return (slope > limit_percent).astype(np.int16), np.isfinite(slope)

    return _tabled(outlines(polygons).fine(_PIECE_M), crs, path, 1, steep, fast=fast)


@dataclass(frozen=True)
class _Block:
    values: NDArray[Any]
    valid: NDArray[np.bool_]
    row: int
    column: int
    width_m: float | NDArray[np.float64]
    """A cell's width on the ground; by row where the raster is in degrees."""
    height_m: float
    row_weight: NDArray[np.float64] | None


_Sorted = Callable[[_Block], tuple[NDArray[Any], NDArray[np.bool_]]]


def _tabled(
    shapes: Outlines, crs: CRS, path: Path, margin: int, sort: _Sorted, *, fast: bool
) -> Table:
    with rasterio.open(path) as source:
        if source.crs is None:
            raise ValueError("The raster has no coordinate reference system.")
        if source.transform.b or source.transform.d:
            raise ValueError("The raster is rotated; warp it north up with nearest neighbour.")
        cells = _in_cells(shapes, crs, source)
        sums: dict[int, NDArray[np.float64]] = {}
        known = np.zeros(cells.count)
        for chosen in _neighbours(cells.boxes(), source.height, source.width):
            near = cells if len(chosen) == cells.count else cells.of(chosen)
            block = _block(source, near.boxes(), margin)
            if block is not None:
                _add(block, near, chosen, sort, sums, known, fast=fast)
    classes = tuple(sorted(sums))
    empty = np.zeros((cells.count, 0))
    area = np.abs(cells.areas())
    weight = np.column_stack([sums[c] for c in classes]) if classes else empty
    return Table(classes, weight, np.minimum(_over(known, area), 1.0), area)


def _add(
    block: _Block,
    cells: Outlines,
    numbers: NDArray[np.int64],
    sort: _Sorted,
    sums: dict[int, NDArray[np.float64]],
    known: NDArray[np.float64],
    *,
    fast: bool,
) -> None:
    """Add what one block holds to the sums by class, some classes at a time."""
    codes, valid = sort(block)
    shifted = cells.moved(lambda xy: xy - (block.column, block.row))
    weight = 1.0 if block.row_weight is None else block.row_weight[:, None]
    found = np.unique(codes[valid])
    for some in np.array_split(found, max(1, -(-len(found) // _CLASSES_AT_ONCE))):
        layers = [valid, *((valid & (codes == one)) * weight for one in some)]
        total = covered_sums(shifted, to_the_right(np.stack(layers, axis=2)), fast=fast)
        for kind, one in enumerate(some, 1):
            sums.setdefault(int(one), np.zeros(len(known)))[numbers] += total[:, kind]
    known[numbers] += total[:, 0]


def _classes(block: _Block) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    values = block.values[block.valid]
    if not np.issubdtype(values.dtype, np.integer) and not np.array_equal(values, np.round(values)):
        raise ValueError("The raster holds values that are not whole numbers, so no classes.")
    return np.where(block.valid, block.values, 0).astype(np.int64), block.valid


def _in_cells(shapes: Outlines, crs: CRS, source: Any) -> Outlines:
    """Outlines as columns and rows of the raster."""
    target = CRS.from_wkt(source.crs.to_wkt())
    box = np.concatenate([shapes.xy.min(axis=0), shapes.xy.max(axis=0)])
    cell = min(source.res)
    move = move_between(crs, target, box, within=_NEAR * cell, points=len(shapes.xy))
    inverse = ~source.transform

    def to_cells(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(move(xy) * (inverse.a, inverse.e) + (inverse.c, inverse.f))

    return shapes.moved(to_cells)


def _neighbours(box: NDArray[np.float64], height: int, width: int) -> Iterator[NDArray[np.int64]]:
    """Groups of polygons whose common window is small enough to hold, by halves."""
    if not np.isfinite(box).all():
        raise ValueError("A polygon lies outside the area where the raster's CRS is defined.")
    waiting = [np.arange(len(box))]
    while waiting:
        chosen = waiting.pop()
        low = np.maximum(box[chosen, :2].min(axis=0), 0)
        high = np.minimum(box[chosen, 2:].max(axis=0), (width, height))
        span = np.maximum(high - low, 0)
        if span.prod() <= _WINDOW_CELLS or len(chosen) == 1:
            yield chosen
            continue
        axis = int(np.argmax(span))
        order = chosen[np.argsort(box[chosen, axis] + box[chosen, axis + 2], kind="stable")]
        waiting += [order[: len(order) // 2], order[len(order) // 2 :]]


def _block(source: Any, box: NDArray[np.float64], margin: int) -> _Block | None:
    low = np.floor(box[:, :2].min(axis=0)).astype(int) - margin
    high = np.ceil(box[:, 2:].max(axis=0)).astype(int) + margin
    column, row = np.maximum(low, 0)
    right, bottom = np.minimum(high, (source.width, source.height))
    if right <= column or bottom <= row:
        return None
    window = Window(int(column), int(row), int(right - column), int(bottom - row))
    values = source.read(1, window=window)
    valid = source.read_masks(1, window=window) > 0
    if np.issubdtype(values.dtype, np.floating):
        valid &= np.isfinite(values)
    width_m, height_m, weight = _sides(source, window)
    return _Block(values, valid, int(row), int(column), width_m, height_m, weight)


def _sides(
    source: Any, window: Window
) -> tuple[float | NDArray[np.float64], float, NDArray[np.float64] | None]:
    crs = CRS.from_wkt(source.crs.to_wkt())
    west, south, east, north = source.window_bounds(window)
    if not crs.is_geographic:
        return *sides_at_m(crs, source.res, (west + east) / 2, (south + north) / 2), None
    width_m, height_m = sides_at_m(crs, source.res, 0.0, 0.0)
    middle = north - (np.arange(window.height) + 0.5) * source.res[1]
    cosine = np.cos(np.radians(middle))
    return width_m * cosine[:, None], height_m, cosine


def _widened(table: Table, classes: tuple[int, ...]) -> NDArray[np.float64]:
    wide = np.zeros((len(table.area_cells), len(classes)))
    for number, code in enumerate(table.classes):
        wide[:, classes.index(code)] = table.weight[:, number]
    return wide


def _over(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
