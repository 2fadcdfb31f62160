"""What a raster file says of itself, or the one sentence why it cannot be used."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import rasterio
import rasterio.windows
from affine import Affine
from pyproj import CRS
from rasterio.errors import NotGeoreferencedWarning, RasterioError
from rasterio.features import geometry_mask
from rasterio.warp import transform_bounds
from rasterio.windows import Window
from shapely.geometry.base import BaseGeometry

from site_eval.crs import WGS84, to_crs
from site_eval.errors import InputFileError
from site_eval.files import require_file
from site_eval.formats.placing import parsed_crs

CELLS_A_SIDE = 1024
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


def holes_share(path: Path, outline: BaseGeometry) -> float:
    """The share (0 to 1) of cells without data among those of the raster within *outline*.

    Counted on at most about a thousand cells a side, so a share below a tenth of a percent says
    nothing. *outline* is in EPSG:4326; 0 when the raster does not reach it.
    """
    with rasterio.open(path) as source:
        crs = parsed_crs(source.crs, str(path))
        there = to_crs(outline, WGS84, crs)
        window = rasterio.windows.from_bounds(*there.bounds, source.transform)
        whole = Window(0, 0, source.width, source.height)
        if not rasterio.windows.intersect(window, whole):
            return 0.0
        window = window.intersection(whole).round_offsets().round_lengths(op="ceil")
        step = max(1.0, window.width / CELLS_A_SIDE, window.height / CELLS_A_SIDE)
        shape = (max(1, round(window.height / step)), max(1, round(window.width / step)))
        mask = source.read_masks(1, window=window, out_shape=shape)
        place = source.window_transform(window) * Affine.scale(
            window.width / shape[1], window.height / shape[0]
        )
    inside = geometry_mask([there], shape, place, invert=True)
    return float((mask[inside] == 0).mean()) if inside.any() else 0.0


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
