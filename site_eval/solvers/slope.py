"""Steepness of the ground from an elevation raster: shares above limits, and where it is too steep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS, Transformer
from scipy.ndimage import map_coordinates
from shapely.geometry.base import BaseGeometry

from site_eval.solvers.zonal import Patch, cell_sides_m, cover, read_patch

# Slopes of a raster steeper than this are mistakes of its height unit, not ground.
_IMPOSSIBLE_PERCENT = 500.0


@dataclass(frozen=True)
class SlopeShares:
    """Steepness under a polygon, percent (rise over run times 100)."""

    mean_percent: float | None
    maximum_percent: float | None
    share_above: Mapping[float, float]
    """By limit in percent, the share of the measured ground that is steeper."""
    coverage: float
    """Share of the polygon's cells for which a slope could be computed, 0 to 1."""
    cell_size_m: float
    lowest_m: float | None
    highest_m: float | None


def slope_shares(
    polygon: BaseGeometry,
    raster_path: Path | str,
    polygon_crs: CRS | str,
    *,
    limits_percent: Sequence[float] = (5.0, 10.0, 15.0),
    height_to_m: float = 1.0,
) -> SlopeShares:
    """Slope by Horn's method under *polygon*, cells weighted by exact cover.

    *height_to_m* turns the raster's heights to metres. Raises ``ValueError`` for a raster
    without CRS and for slopes beyond belief.
    """
    patch = read_patch(polygon, raster_path, polygon_crs, margin_cells=1)
    index, fraction = cover(patch)
    slopes = _slope_percent(patch, height_to_m).ravel()[index]
    heights = _heights_m(patch, height_to_m).ravel()[index]
    known = np.isfinite(slopes)
    if (slopes[known] > _IMPOSSIBLE_PERCENT).any():
        raise ValueError("Slopes above 500 %: the heights are hardly in the unit that was said.")
    weight, heights = fraction[known], heights[np.isfinite(heights)]
    sides = cell_sides_m(patch)
    cells = float(patch.polygon.area) / (patch.resolution[0] * patch.resolution[1])
    return SlopeShares(
        mean_percent=_mean(slopes[known], weight),
        maximum_percent=float(slopes[known].max()) if known.any() else None,
        share_above={v: _mean(slopes[known] > v, weight) or 0.0 for v in limits_percent},
        coverage=min(1.0, float(weight.sum()) / cells),
        cell_size_m=float(np.sqrt(sides[0] * sides[1])),
        lowest_m=float(heights.min()) if heights.size else None,
        highest_m=float(heights.max()) if heights.size else None,
    )


def steep_ground(
    polygon: BaseGeometry,
    raster_path: Path | str,
    polygon_crs: CRS | str,
    *,
    above_percent: float,
    height_to_m: float = 1.0,
) -> BaseGeometry:
    """Part of *polygon* on cells steeper than *above_percent*, in its own CRS; may be empty."""
    patch = read_patch(polygon, raster_path, polygon_crs, margin_cells=1)
    if patch.bounds is None:
        return shapely.Polygon()
    slopes = np.nan_to_num(_slope_percent(patch, height_to_m), nan=0.0)
    rows, columns = np.nonzero(slopes > above_percent)
    west, _, _, north = patch.bounds
    width, height = patch.resolution
    x, y = west + columns * width, north - rows * height
    steep = shapely.union_all(shapely.box(x, y - height, x + width, y))
    mover = Transformer.from_crs(patch.crs, CRS.from_user_input(polygon_crs), always_xy=True)
    moved = shapely.transform(steep, lambda p: np.column_stack(mover.transform(p[:, 0], p[:, 1])))
    return shapely.intersection(moved, polygon)


def grade_profile(
    line: BaseGeometry,
    raster_path: Path | str,
    line_crs: CRS | str,
    *,
    step_m: float = 5.0,
    smooth_m: float = 15.0,
    height_to_m: float = 1.0,
) -> NDArray[np.float64]:
    """Grade in percent along *line* (a CRS in metres): steps of *step_m*, smoothed by *smooth_m*.

    Positive is up in the line's direction; NaN where the raster says nothing. A raster coarser
    than the smoothing hides short pitches: tell its cell size beside the result.
    """
    patch = read_patch(line.buffer(step_m), raster_path, line_crs, margin_cells=2)
    count = max(2, round(float(line.length) / step_m) + 1)
    run_m = float(line.length) / (count - 1)
    at: Any = shapely.line_interpolate_point(
        np.array(line), np.linspace(0, float(line.length), count)
    )
    height = _height_at(patch, shapely.get_coordinates(at), line_crs, height_to_m)
    width = max(1, min(count, round(smooth_m / run_m)))
    padded = np.pad(height, (width // 2, width - 1 - width // 2), mode="edge")
    smooth = np.convolve(padded, np.ones(width) / width, mode="valid")
    return np.asarray(np.diff(smooth) / run_m * 100)


def horn_slope_percent(
    heights_m: NDArray[np.float64], width_m: float, height_m: float
) -> NDArray[np.float64]:
    """Slope of each cell by Horn (1981) from its eight neighbours; NaN at the rim and at gaps."""
    h = np.full((heights_m.shape[0] + 2, heights_m.shape[1] + 2), np.nan)
    h[1:-1, 1:-1] = heights_m
    nw, n, ne = h[:-2, :-2], h[:-2, 1:-1], h[:-2, 2:]
    w, e = h[1:-1, :-2], h[1:-1, 2:]
    sw, s, se = h[2:, :-2], h[2:, 1:-1], h[2:, 2:]
    east = ((ne + 2 * e + se) - (nw + 2 * w + sw)) / (8 * width_m)
    north = ((nw + 2 * n + ne) - (sw + 2 * s + se)) / (8 * height_m)
    return np.asarray(np.hypot(east, north) * 100 + 0 * heights_m)


def _slope_percent(patch: Patch, height_to_m: float) -> NDArray[np.float64]:
    return horn_slope_percent(_heights_m(patch, height_to_m), *cell_sides_m(patch))


def _heights_m(patch: Patch, height_to_m: float) -> NDArray[np.float64]:
    return np.where(patch.valid, patch.values.astype(float) * height_to_m, np.nan)


def _height_at(
    patch: Patch, points: NDArray[np.float64], crs: CRS | str, height_to_m: float
) -> NDArray[np.float64]:
    """Heights between cell centres, bilinear."""
    if patch.bounds is None:
        return np.full(len(points), np.nan)
    mover = Transformer.from_crs(CRS.from_user_input(crs), patch.crs, always_xy=True)
    x, y = mover.transform(points[:, 0], points[:, 1])
    west, _, _, north = patch.bounds
    column = (np.asarray(x) - west) / patch.resolution[0] - 0.5
    row = (north - np.asarray(y)) / patch.resolution[1] - 0.5
    heights = _heights_m(patch, height_to_m)
    return np.asarray(
        map_coordinates(heights, [row, column], order=1, mode="constant", cval=np.nan)
    )


def _mean(values: NDArray[Any], weight: NDArray[np.float64]) -> float | None:
    return float(np.average(values, weights=weight)) if weight.size and weight.sum() > 0 else None
