"""Parcels across a city line and layers around them, for both ways of asking to measure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import rasterio
import shapely
from numpy.typing import NDArray
from rasterio.transform import from_origin

from site_eval.crs import WGS84, LocalFrame
from site_eval.resources import bundled

# The middle of Emmett; the grid of quarter-quarter sections below reaches over its line.
EMMETT = LocalFrame(-116.49, 43.87)
QUARTER_QUARTER_M = 402.336


def quarter_quarters(columns: int, rows: int, *, frame: LocalFrame = EMMETT) -> NDArray[Any]:
    """A grid of quarter-quarter sections (EPSG:4326) around the middle of *frame*."""
    side = QUARTER_QUARTER_M
    x, y = np.meshgrid(
        (np.arange(columns) - columns / 2) * side, (np.arange(rows) - rows / 2) * side
    )
    boxes = shapely.box(x.ravel(), y.ravel(), x.ravel() + side, y.ravel() + side)
    return np.asarray(frame.to_geographic(boxes), dtype=object)


def catalog_with_published_ground(folder: Path) -> Path:
    """A catalog over the bundled one: its wildfire classes as if published, flood zones, heights."""
    _flood_zones(folder / "flood.fgb")
    _heights(folder / "heights.tif")
    classes = bundled("layers", "illustrative", "wildfire_classes.tif")
    catalog = folder / "catalog.toml"
    catalog.write_text(
        'extends = "bundled"\n'
        + _entry("wildfire", str(classes))
        + _entry("flood", "flood.fgb", 'fields = { zone = "FLD_ZONE" }')
        + _entry("dem", "heights.tif")
    )
    return catalog


def _entry(kind: str, file: str, *more: str) -> str:
    lines = [
        "[[layer]]", f'id = "test-{kind}"', f'kind = "{kind}"', f'name = "Test {kind}"',
        'publisher = "test"', 'vintage = "2026-01-01"', 'licence = "CC0-1.0"',
        'grade = "published"', f'file = "{file}"', *more,
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _flood_zones(path: Path) -> None:
    """A river's special zone through a mapped strip; the rest of the land is not mapped."""
    river = shapely.LineString([(-9_000, -1_500), (-2_000, 300), (9_000, 900)]).buffer(350)
    strip = shapely.box(-9_000, -3_000, 9_000, 2_600)
    unstudied = shapely.box(5_000, -3_000, 9_000, -1_000)
    zones = [river, unstudied.difference(river), strip.difference(river).difference(unstudied)]
    frame = gpd.GeoDataFrame(
        {"FLD_ZONE": ["AE", "D", "X"]}, geometry=list(EMMETT.to_geographic(zones)), crs=WGS84
    )
    frame.to_file(path)


def _heights(path: Path) -> None:
    """Hills of 60 m in the north, flat in the south, on a grid of 30 m that ends in the east."""
    cell, columns, rows = 30.0, 500, 600
    x = np.arange(columns) * cell - 9_000 + cell / 2
    y = 9_000 - np.arange(rows) * cell - cell / 2
    hills = 60 * np.sin(x / 300)[None, :] * np.sin(y / 400)[:, None]
    height = 700 + np.where(y[:, None] > 500, hills, 0.0)
    with rasterio.open(
        path, "w", driver="GTiff", width=columns, height=rows, count=1, dtype="float32",
        crs=EMMETT.crs.to_wkt(), transform=from_origin(-9_000, 9_000, cell, cell), nodata=-9999,
    ) as out:  # fmt: skip
        out.write(height.astype("float32"), 1)
