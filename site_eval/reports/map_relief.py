"""Hill shade under a printed map, from an elevation raster that the caller names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from site_eval.errors import InputFileError
from site_eval.reports.map_view import View

# Light from the north-west, 45 degrees high, as maps have it: from below, hills look like pits.
_AZIMUTH_DEG = 315.0
_ALTITUDE_DEG = 45.0
# Shade runs from this grey to white, light enough for names to be read over it.
_DARKEST = 0.72
# No more cells than paper can show; fewer where the raster is coarser.
_MOST_CELLS = 1200


def draw_relief(axes: Any, view: View, raster: Path, exaggeration: float = 2.0) -> None:
    """Draw the ground's shade below everything else on *axes*, in points of the map's frame.

    Heights in metres stand in the first band of *raster*; slopes are exaggerated. Ground without a
    height stays white. Raises ``InputFileError`` for a file that cannot be read or does not reach
    the map.
    """
    heights, cell_m = _heights(view, raster)
    from matplotlib.colors import LightSource

    light = LightSource(azdeg=_AZIMUTH_DEG, altdeg=_ALTITUDE_DEG)
    known = np.isfinite(heights)
    filled = np.where(known, heights, float(np.nanmean(heights)))
    shade = light.hillshade(filled, vert_exag=exaggeration, dx=cell_m, dy=cell_m)
    grey = _DARKEST + (1 - _DARKEST) * shade
    # A cell beside unknown ground takes its slope from a filled-in height.
    edge = known & ~(np.isfinite(np.gradient(heights)[0]) & np.isfinite(np.gradient(heights)[1]))
    grey[~known | edge] = 1.0
    axes.imshow(
        np.repeat(grey[..., None], 3, axis=2),
        extent=(0, view.width_pt, 0, view.height_pt),
        interpolation="bilinear",
        aspect="auto",
        zorder=0.1,
    )
    axes.set_xlim(0, view.width_pt)
    axes.set_ylim(0, view.height_pt)


def _heights(view: View, raster: Path) -> tuple[NDArray[np.float64], float]:
    """Heights on a grid of the map's own frame, north up, NaN where unknown; and its cell in metres."""
    import rasterio
    from rasterio.enums import Resampling
    from rasterio.errors import RasterioError
    from rasterio.transform import from_origin
    from rasterio.warp import calculate_default_transform, reproject

    k = view.metres_per_point
    width_m, height_m = view.width_pt * k, view.height_pt * k
    mend = "name a GeoTIFF of elevations in metres that covers the map"
    try:
        with rasterio.open(raster) as source:
            if source.crs is None:
                raise InputFileError(str(raster), "has no coordinate system", mend)
            target = rasterio.crs.CRS.from_wkt(view.frame.crs.to_wkt())
            finest, _, _ = calculate_default_transform(
                source.crs, target, source.width, source.height, *source.bounds
            )
            cell_m = max(float(finest.a), max(width_m, height_m) / _MOST_CELLS)
            shape = (int(np.ceil(height_m / cell_m)), int(np.ceil(width_m / cell_m)))
            heights = np.full(shape, np.nan)
            reproject(
                rasterio.band(source, 1),
                heights,
                dst_transform=from_origin(view.west_m, view.south_m + height_m, cell_m, cell_m),
                dst_crs=target,
                dst_nodata=np.nan,
                resampling=Resampling.bilinear,
            )
    except RasterioError as error:
        raise InputFileError(str(raster), f"cannot be read as a raster ({error})", mend) from None
    if min(shape) < 2 or not np.isfinite(heights).any():
        raise InputFileError(str(raster), "has no height on the ground of the map", mend)
    return heights, cell_m
