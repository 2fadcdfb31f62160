"""Small rasters written on the spot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from rasterio.transform import from_origin


def write_raster(
    path: Path,
    values: Any,
    *,
    west: float = 500_000,
    north: float = 4_900_000,
    cell: float = 30.0,
    crs: str | None = "EPSG:26911",
    nodata: float | None = None,
) -> Path:
    array = np.asarray(values)
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        height=array.shape[0],
        width=array.shape[1],
        count=1,
        dtype=array.dtype,
        crs=crs,
        transform=from_origin(west, north, cell, cell),
        nodata=nodata,
    ) as target:
        target.write(array, 1)
    return path
