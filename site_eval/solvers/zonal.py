"""Cells of a raster under a polygon, weighted by exact cover; nothing left out in silence.

The traps of ``exactextract`` are shut here once: a polygon in another CRS (a warning and a count
of 0 there), nodata and ground off the raster (dropped there without a word), parallel unsorted
class lists, and cells that are not of equal area. The raster is read as a window of cell
numbers, so that every cell under the polygon is accounted for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
import shapely
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource
from numpy.typing import NDArray
from pyproj import CRS, Proj, Transformer
from rasterio.windows import Window
from shapely.geometry.base import BaseGeometry

_AUTHALIC_RADIUS_M = 6_371_007.2
# Edges are cut to a cell before they are projected: a straight edge is not straight in both CRSs.
_EDGE_PIECES_MAX = 5_000


@dataclass(frozen=True)
class Cells:
    """The raster cells that a polygon touches."""

    values: NDArray[Any]
    """One value a cell, as stored; meaningless where not ``valid``."""
    valid: NDArray[np.bool_]
    """False for nodata."""
    fraction: NDArray[np.float64]
    """Share of the cell that lies under the polygon, 0 to 1."""
    weight: NDArray[np.float64]
    """Relative ground area of the covered part, for shares."""
    coverage: float
    """Share of the polygon that lies on the raster, nodata included, 0 to 1."""
    cell_size_m: float
    """Side of a square cell of the same ground area, metres."""


@dataclass(frozen=True)
class ClassShares:
    """Classes of a raster under a polygon."""

    shares: Mapping[int, float]
    """Share by class of the *valid* ground under the polygon, sorted by class; sums to 1."""
    coverage: float
    """Share of the polygon with a valid class, 0 to 1: the rest is off the raster or nodata."""
    nodata_share: float
    """Share of the polygon on nodata cells."""
    cell_size_m: float
    pixel_count: float
    """Number of cells under the polygon, fractions added, nodata included."""

    def share_of(self, classes: AbstractSet[int], of: AbstractSet[int] | None = None) -> float:
        """Share of *classes* among *of* (all classes found, when None); 0 if *of* is absent."""
        base = sum(s for c, s in self.shares.items() if of is None or c in of)
        found = sum(s for c, s in self.shares.items() if c in classes and (of is None or c in of))
        return found / base if base > 0 else 0.0


def grown(polygons: Any, reach_m: float) -> Any:
    """Polygons (local metres) with all that lies within *reach_m* of them.

    A quarter circle is eight chords, up to 0.5 % of the reach inside it: far less than a cell.
    """
    return shapely.buffer(polygons, reach_m, quad_segs=8)


def class_shares(
    polygon: BaseGeometry,
    raster_path: Path | str,
    polygon_crs: CRS | str,
    *,
    band: int = 1,
    classify: Callable[[NDArray[Any]], NDArray[np.int64]] | None = None,
) -> ClassShares:
    """Shares of the classes of a raster under *polygon* (given in *polygon_crs*).

    Classes are whole numbers; 0 is a class like any other. Denominators (all land, burnable) are
    the caller's: see ``ClassShares.share_of``. *classify* turns stored values to classes. Raises
    ``ValueError`` for a raster without CRS or with values that are no whole numbers.
    """
    cells = cells_under(polygon, raster_path, polygon_crs, band=band)
    values, weight = cells.values[cells.valid], cells.weight[cells.valid]
    if classify is not None:
        values = classify(values)
    if values.size and not np.array_equal(values, np.round(values)):
        raise ValueError("The raster holds values that are not whole numbers, so no classes.")
    total, valid = float(cells.weight.sum()), float(weight.sum())
    nodata = cells.coverage * (1 - valid / total) if total > 0 else 0.0
    found = np.unique(values)
    shares = {int(c): float(weight[values == c].sum() / valid) for c in found}
    return ClassShares(
        shares=shares,
        coverage=cells.coverage - nodata,
        nodata_share=nodata,
        cell_size_m=cells.cell_size_m,
        pixel_count=float(cells.fraction.sum()),
    )


@dataclass(frozen=True)
class Patch:
    """A window of a raster around a polygon, the polygon in the raster's CRS."""

    polygon: BaseGeometry
    values: NDArray[Any]
    valid: NDArray[np.bool_]
    bounds: tuple[float, float, float, float] | None
    """West, south, east, north of the window; None when the polygon lies off the raster."""
    crs: CRS
    resolution: tuple[float, float]


def cells_under(
    polygon: BaseGeometry, raster_path: Path | str, polygon_crs: CRS | str, *, band: int = 1
) -> Cells:
    """Every cell of *band* that *polygon* touches, with the covered share of each.

    Raises ``ValueError`` for a raster without CRS, a rotated raster, or an empty polygon.
    """
    patch = read_patch(polygon, raster_path, polygon_crs, band=band)
    index, fraction = cover(patch)
    covered = float(fraction.sum()) * patch.resolution[0] * patch.resolution[1]
    width_m, height_m = cell_sides_m(patch)
    return Cells(
        values=patch.values.ravel()[index],
        valid=patch.valid.ravel()[index],
        fraction=fraction,
        weight=fraction * _row_weight(patch, index),
        coverage=min(1.0, covered / float(patch.polygon.area)),
        cell_size_m=float(np.sqrt(width_m * height_m)),
    )


def read_patch(
    polygon: BaseGeometry,
    raster_path: Path | str,
    polygon_crs: CRS | str,
    *,
    band: int = 1,
    margin_cells: int = 0,
) -> Patch:
    """Read the cells around *polygon* and *margin_cells* more on each side.

    Raises ``ValueError`` for a raster without CRS, a rotated raster, or an empty polygon.
    """
    if polygon.is_empty or polygon.area <= 0:
        raise ValueError("The polygon has no area.")
    with rasterio.open(raster_path) as source:
        if source.crs is None:
            raise ValueError("The raster has no coordinate reference system.")
        if source.transform.b or source.transform.d:
            raise ValueError("The raster is rotated; warp it north up with nearest neighbour.")
        crs = CRS.from_wkt(source.crs.to_wkt())
        placed = _projected(polygon, CRS.from_user_input(polygon_crs), crs, source.res)
        window = _window(source, placed, margin_cells)
        values, valid = _read(source, band, window)
        bounds = source.window_bounds(window) if window is not None else None
        return Patch(placed, values, valid, bounds, crs, source.res)


def cover(patch: Patch) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Flat numbers of the patch's cells under its polygon, and the covered share of each."""
    if patch.bounds is None:
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    west, south, east, north = patch.bounds
    shape = patch.values.shape
    numbers = np.arange(shape[0] * shape[1], dtype=np.float64).reshape(shape)
    raster = NumPyRasterSource(numbers, west, south, east, north)
    mapping = shapely.geometry.mapping(patch.polygon)
    feature = {"type": "Feature", "geometry": mapping, "properties": {}}
    found = exact_extract(raster, feature, ["values", "coverage"])[0]["properties"]
    index = np.asarray(found["values"]).round().astype(np.intp)
    return index, np.asarray(found["coverage"], dtype=np.float64)


def cell_sides_m(patch: Patch) -> tuple[float, float]:
    """A cell's width and height on the ground at the polygon, metres."""
    at = patch.polygon.representative_point()
    return sides_at_m(patch.crs, patch.resolution, at.x, at.y)


def sides_at_m(
    crs: CRS, resolution: tuple[float, float], x: float, y: float
) -> tuple[float, float]:
    """Width and height on the ground, metres, of a cell of *resolution* at a place of *crs*."""
    width, height = resolution
    if crs.is_geographic:
        degree_m = np.radians(1.0) * _AUTHALIC_RADIUS_M
        return float(width * degree_m * np.cos(np.radians(y))), float(height * degree_m)
    unit_m = crs.axis_info[0].unit_conversion_factor
    to_degrees = Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)
    # The square root of the areal scale: right for conformal maps, and for equal-area ones it
    # keeps the cell's area, which is what counts.
    scale = np.sqrt(Proj(crs).get_factors(*to_degrees.transform(x, y)).areal_scale)
    return float(width * unit_m / scale), float(height * unit_m / scale)


def _projected(
    polygon: BaseGeometry, source: CRS, target: CRS, res: tuple[float, float]
) -> BaseGeometry:
    if source == target:
        return polygon
    mover = Transformer.from_crs(source, target, always_xy=True)
    rough = shapely.transform(polygon, lambda p: np.column_stack(mover.transform(p[:, 0], p[:, 1])))
    cells_round = max(1.0, float(rough.length) / min(res))
    pieces = min(cells_round, _EDGE_PIECES_MAX)
    fine = shapely.segmentize(polygon, float(polygon.length) / pieces)
    placed = shapely.transform(fine, lambda p: np.column_stack(mover.transform(p[:, 0], p[:, 1])))
    if not np.isfinite(shapely.get_coordinates(placed)).all():
        raise ValueError("The polygon lies outside the area where the raster's CRS is defined.")
    return placed


def _window(source: Any, placed: BaseGeometry, margin: int) -> Window | None:
    west, south, east, north = placed.bounds
    inverse = ~source.transform
    left, top = inverse * (west, north)
    right, bottom = inverse * (east, south)
    cols = max(0, int(np.floor(left)) - margin), min(source.width, int(np.ceil(right)) + margin)
    rows = max(0, int(np.floor(top)) - margin), min(source.height, int(np.ceil(bottom)) + margin)
    if cols[0] >= cols[1] or rows[0] >= rows[1]:
        return None
    return Window(cols[0], rows[0], cols[1] - cols[0], rows[1] - rows[0])


def _read(source: Any, band: int, window: Window | None) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    if window is None:
        return np.zeros((0, 0)), np.zeros((0, 0), dtype=bool)
    values = source.read(band, window=window)
    valid = source.read_masks(band, window=window) > 0
    if np.issubdtype(values.dtype, np.floating):
        valid &= np.isfinite(values)
    return values, valid


def _row_weight(patch: Patch, index: NDArray[np.intp]) -> NDArray[np.float64] | float:
    """Relative ground area of cells; a constant unless the raster is in degrees."""
    if not patch.crs.is_geographic or patch.bounds is None:
        return 1.0
    _, south, _, north = patch.bounds
    rows = index // patch.values.shape[1]
    middle = north - (rows + 0.5) * (north - south) / patch.values.shape[0]
    return np.asarray(np.cos(np.radians(middle)))
