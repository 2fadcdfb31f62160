"""Cells of an ArcGIS ImageServer: asked for by pictures on the service's own grid, each one checked."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from pyproj import CRS, Transformer
from rasterio.errors import RasterioError
from rasterio.io import MemoryFile
from rasterio.transform import from_origin
from rasterio.windows import Window

from site_eval.crs import WGS84
from site_eval.files import whole_file
from site_eval.layers.fetch.area import Box
from site_eval.layers.fetch.cells import WRITTEN, Cells
from site_eval.layers.fetch.gathered import Tell
from site_eval.layers.fetch.pages import keep, kept, open_store
from site_eval.layers.fetch.web import Web, ask_bytes, ask_json, refused

# The widest picture asked for at once; many services give no more.
MOST_PIXELS = 2048
_TYPES = {"U8": "uint8", "S8": "int8", "U16": "uint16", "S16": "int16", "U32": "uint32",
          "S32": "int32", "F32": "float32", "F64": "float64"}  # fmt: skip


@dataclass(frozen=True)
class Grid:
    """The service's own cells that touch the box; ``left`` and ``top`` in the service's CRS."""

    wkid: int
    left: float
    top: float
    cell_width: float
    cell_height: float
    columns: int
    rows: int
    pixel_type: str
    nodata: float | None
    step: int
    plain: bool

    def pictures(self) -> Iterator[Window]:
        """The pictures to ask for, from the north-west, row by row."""
        for row in range(0, self.rows, self.step):
            for column in range(0, self.columns, self.step):
                yield Window(
                    column, row, min(self.step, self.columns - column),
                    min(self.step, self.rows - row),
                )  # fmt: skip

    def corner(self, window: Window) -> tuple[float, float]:
        """The west and north edges of a picture."""
        return (
            self.left + window.col_off * self.cell_width,
            self.top - window.row_off * self.cell_height,
        )


def fetch_image(
    web: Web, url: str, box: Box, nodata: float | None, target: Path, *,
    folder: Path, resume: bool, tell: Tell,
) -> Cells:  # fmt: skip
    """The cells of *box* as the service stores them, in the GeoTIFF *target*."""
    grid = grid_of(url, ask_json(web, url, {"f": "json"}), box, nodata)
    plan = {"url": url, "grid": [str(value) for value in vars(grid).values()]}
    store = open_store(folder, plan, resume=resume)
    windows = list(grid.pictures())
    profile = {
        "dtype": _TYPES[grid.pixel_type], "count": 1, "width": grid.columns, "height": grid.rows,
        "crs": f"EPSG:{grid.wkid}", "nodata": grid.nodata,
        "transform": from_origin(grid.left, grid.top, grid.cell_width, grid.cell_height),
    }  # fmt: skip
    for number, window in enumerate(windows):
        if kept(store, number) is None:
            keep(store, number, _picture(web, url, grid, window))
        tell(number + 1, len(windows))
    with (
        whole_file(target) as temporary,
        rasterio.open(temporary, "w", **profile, **WRITTEN) as written,
    ):
        for number, window in enumerate(windows):
            written.write(_cells(kept(store, number) or b""), 1, window=window)
    return Cells(len(windows), None, store.resumed)


def grid_of(url: str, said: dict[str, Any], box: Box, nodata: float | None) -> Grid:
    """The service's grid over *box*, from what it says of itself."""
    try:
        extent, reference = said["extent"], said["extent"]["spatialReference"]
        wkid = int(reference.get("latestWkid") or reference["wkid"])
        wide, high = float(said["pixelSizeX"]), float(said["pixelSizeY"])
        pixel_type, bands = str(said["pixelType"]), int(said["bandCount"])
    except (KeyError, TypeError, ValueError):
        raise refused(url, "this is no image service", "check the address") from None
    if bands != 1 or pixel_type not in _TYPES:
        raise refused(
            url, f"it has {bands} bands of {pixel_type}", "name a service of one band of numbers"
        )
    place = Transformer.from_crs(WGS84, CRS.from_epsg(wkid), always_xy=True)
    west, south, east, north = place.transform_bounds(*box)
    left, top = float(extent["xmin"]), float(extent["ymax"])
    first = max(0, math.floor((west - left) / wide)), max(0, math.floor((top - north) / high))
    last = (
        math.ceil((min(east, float(extent["xmax"])) - left) / wide),
        math.ceil((top - max(south, float(extent["ymin"]))) / high),
    )
    if last[0] <= first[0] or last[1] <= first[1]:
        raise refused(url, "its cells do not reach the county", "check the address")
    stated = said.get("noDataValue") if nodata is None else nodata
    most = (int(said.get(key) or MOST_PIXELS) for key in ("maxImageWidth", "maxImageHeight"))
    return Grid(
        wkid, left + first[0] * wide, top - first[1] * high, wide, high,
        last[0] - first[0], last[1] - first[1], pixel_type,
        float(stated) if isinstance(stated, int | float) else None,
        min(MOST_PIXELS, *most), plain=not said.get("rasterFunctionInfos"),
    )  # fmt: skip


def _picture(web: Web, url: str, grid: Grid, window: Window) -> bytes:
    """One picture in the stored numbers: no colours, no smoothing, the very cells of the window."""
    west, north = grid.corner(window)
    east, south = west + window.width * grid.cell_width, north - window.height * grid.cell_height
    params = {
        "f": "image", "format": "tiff", "bbox": f"{west!r},{south!r},{east!r},{north!r}",
        "bboxSR": grid.wkid, "imageSR": grid.wkid, "size": f"{window.width},{window.height}",
        "pixelType": grid.pixel_type, "interpolation": "RSP_NearestNeighbor",
        "adjustAspectRatio": "false",
    }  # fmt: skip
    if grid.nodata is not None:
        params["noData"] = f"{grid.nodata:g}"
    if not grid.plain:
        # The service draws itself in colours unless it is told to give the stored numbers.
        params["renderingRule"] = json.dumps({"rasterFunction": "None"})
    return ask_bytes(
        web, f"{url}/exportImage", params, lambda body: _is_right(body, grid, window),
        "picture of the cells that were asked for",
    )  # fmt: skip


def _is_right(body: bytes, grid: Grid, window: Window) -> bool:
    """Whether *body* is a raster of the window's size, place and type, whole to its last cell."""
    try:
        with MemoryFile(body) as memory, memory.open() as picture:
            west, north = grid.corner(window)
            near = (
                abs(picture.transform.c - west) < grid.cell_width / 10
                and abs(picture.transform.f - north) < grid.cell_height / 10
            )
            same = (picture.width, picture.height) == (window.width, window.height)
            if not (near and same and picture.dtypes == (_TYPES[grid.pixel_type],)):
                return False
            picture.read(1)
    except RasterioError:
        return False
    return True


def _cells(body: bytes) -> np.ndarray[Any, Any]:
    with MemoryFile(body) as memory, memory.open() as picture:
        cells: np.ndarray[Any, Any] = picture.read(1)
        return cells
