"""What a raster file says of itself, or the one sentence why it cannot be used."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import rasterio
from pyproj import CRS
from rasterio.errors import NotGeoreferencedWarning, RasterioError
from rasterio.warp import transform_bounds

from site_eval.errors import InputFileError
from site_eval.files import require_file
from site_eval.formats.placing import parsed_crs

MAX_BYTES = 64 * 1024**3  # a raster is read by windows, so a national one may be named


@dataclass(frozen=True)
class RasterInfo:
    """A raster's frame. ``bounds_deg`` is west, south, east, north in EPSG:4326."""

    path: Path
    crs: CRS
    width: int
    height: int
    bands: int
    dtype: str
    nodata: float | None
    cell_width: float
    cell_height: float
    bounds_deg: tuple[float, float, float, float]


def read_raster_info(path: Path) -> RasterInfo:
    """The frame of the raster *path*; refuses one without a CRS, rotated, or unreadable."""
    require_file(path, what="raster", limit_bytes=MAX_BYTES)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.open(path) as source:
                return _described(path, source)
    except RasterioError:
        raise InputFileError(
            str(path),
            "this is not a raster that can be read",
            "name a GeoTIFF",
            code="input-file.content",
        ) from None


def _described(path: Path, source: rasterio.DatasetReader) -> RasterInfo:
    if source.crs is None:
        raise InputFileError(
            str(path),
            "the raster has no CRS",
            "write it with its CRS (gdal_edit.py -a_srs EPSG:5070)",
            code="input-file.no-crs",
        )
    turn = source.transform
    if turn.b or turn.d or turn.a <= 0 or turn.e >= 0:
        raise InputFileError(
            str(path),
            "the raster is rotated or upside down",
            "warp it north up (gdalwarp)",
            code="input-file.content",
        )
    return RasterInfo(
        path=path,
        crs=parsed_crs(source.crs.to_wkt(), str(path)),
        width=source.width,
        height=source.height,
        bands=source.count,
        dtype=source.dtypes[0],
        nodata=source.nodata,
        cell_width=float(turn.a),
        cell_height=float(-turn.e),
        bounds_deg=transform_bounds(source.crs, "EPSG:4326", *source.bounds),
    )
