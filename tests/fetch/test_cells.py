"""Cells come by ranges from tiles, and by pictures from an image service, as they are stored."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from flask import Flask, Response, request
from rasterio.io import MemoryFile
from rasterio.transform import from_origin

from site_eval.errors import SiteEvalError
from site_eval.layers.fetch.cells import tiles_of
from tests.fetch.ground import BOX, fetch, recipe
from tests.fetch.servers import serving, static_app

DEM = 'kind = "dem"\n'
CELL = 0.001


def tile(folder: Path, name: str, west: float, north: float) -> None:
    """A tiled GeoTIFF of one degree whose cells hold their own centre's place, in millidegrees."""
    size = 1000
    lon = west + CELL * (np.arange(size) + 0.5)
    lat = north - CELL * (np.arange(size) + 0.5)
    cells = (lon[None, :] * 1000 + lat[:, None]).astype("float64")
    with rasterio.open(
        folder / f"{name}.tif", "w", driver="COG", dtype="float64", count=1, width=size,
        height=size, crs="EPSG:4269", nodata=-999999,
        transform=from_origin(west, north, CELL, CELL), compress="deflate", blocksize=256,
    ) as target:  # fmt: skip
        target.write(cells, 1)


def test_tiles_are_named_by_their_north_west_corner() -> None:
    assert tiles_of((-116.73, 43.78, -116.13, 44.53)) == ["n44w117", "n45w117"]
    assert tiles_of((-117.2, 43.2, -116.9, 43.4)) == ["n44w118", "n44w117"]


def test_cells_come_by_ranges_out_of_two_tiles(tmp_path: Path) -> None:
    tile(tmp_path, "n44w117", -117, 44)
    tile(tmp_path, "n45w117", -117, 45)
    box = (-116.60, 43.95, -116.55, 44.05)
    ranges: list[str] = []
    with serving(static_app(tmp_path, ranges)) as address:
        wanted = recipe(tmp_path, "cog", f"{address}/{{tile}}.tif", more=DEM)
        fetch(wanted, tmp_path / "out", box=box)
    with rasterio.open(tmp_path / "out" / "lots.tif") as cut:
        assert cut.bounds == pytest.approx(box, abs=1.01 * CELL)
        rows, columns = np.mgrid[0 : cut.height, 0 : cut.width]
        lon, lat = rasterio.transform.xy(cut.transform, rows.ravel(), columns.ravel())
        there = cut.read(1).ravel()
        assert there == pytest.approx(np.array(lon) * 1000 + np.array(lat), abs=1e-6)
    whole = sum((tmp_path / f"{name}.tif").stat().st_size for name in ("n44w117", "n45w117"))
    read = sum(int(b) - int(a) + 1 for a, b in (r[6:].split("-") for r in ranges))
    assert all(r.startswith("bytes=") for r in ranges)
    assert read < whole / 3


def test_a_busy_server_of_tiles_is_asked_again(tmp_path: Path) -> None:
    tile(tmp_path, "n44w117", -117, 44)
    ranges: list[str] = []
    with serving(static_app(tmp_path, ranges, busy=2)) as address:
        wanted = recipe(tmp_path, "cog", f"{address}/{{tile}}.tif", more=DEM)
        fetch(wanted, tmp_path / "out")
    with rasterio.open(tmp_path / "out" / "lots.tif") as cut:
        assert cut.bounds == pytest.approx(BOX, abs=1.01 * CELL)
        assert not np.any(cut.read(1) == cut.nodata)


def test_a_server_without_ranges_is_one_sentence(tmp_path: Path) -> None:
    tile(tmp_path, "n44w117", -117, 44)
    with serving(static_app(tmp_path, [], plain=True)) as address:
        wanted = recipe(tmp_path, "cog", f"{address}/{{tile}}.tif", more=DEM)
        with pytest.raises(SiteEvalError, match="cannot be read by ranges"):
            fetch(wanted, tmp_path / "out")


def test_a_tile_that_is_not_there_is_told(tmp_path: Path) -> None:
    tile(tmp_path, "n44w117", -117, 44)
    with serving(static_app(tmp_path, [])) as address:
        wanted = recipe(tmp_path, "cog", f"{address}/{{tile}}.tif", more=DEM)
        with pytest.raises(SiteEvalError, match=r"n45w117.tif: the tile is not there .status 404"):
            fetch(wanted, tmp_path / "out", box=(-116.6, 43.9, -116.5, 44.1))


def test_what_is_no_raster_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "n44w117.tif").write_text("<html>welcome</html>" * 500)
    with serving(static_app(tmp_path, [])) as address:
        wanted = recipe(tmp_path, "cog", f"{address}/{{tile}}.tif", more=DEM)
        with pytest.raises(SiteEvalError, match="cannot be read by ranges") as caught:
            fetch(wanted, tmp_path / "out")
    assert len(str(caught.value).splitlines()) == 1
    assert not list((tmp_path / "out").glob("*.tif"))


class Pictures:
    """An image service over one array, in the form of an ArcGIS ImageServer."""

    def __init__(self, faults: list[str]) -> None:
        """The picture at each question is spoilt by the next of *faults*."""
        self.faults = faults
        self.asked: list[dict[str, str]] = []
        self.cells = (np.arange(400)[:, None] * 1000 + np.arange(600)[None, :]).astype("int32")
        self.left, self.top, self.cell = -1_700_000.0, 2_600_000.0, 300.0

    def app(self) -> Flask:
        app = Flask("pictures")

        @app.get("/ImageServer")
        def service():
            return {
                "pixelSizeX": self.cell, "pixelSizeY": self.cell, "bandCount": 1,
                "pixelType": "S32", "maxImageWidth": 40, "maxImageHeight": 30,
                "rasterFunctionInfos": [{"name": "Colours"}],
                "extent": {
                    "xmin": self.left, "ymax": self.top, "xmax": self.left + 600 * self.cell,
                    "ymin": self.top - 400 * self.cell,
                    "spatialReference": {"wkid": 102039, "latestWkid": 5070},
                },
            }  # fmt: skip

        @app.get("/ImageServer/exportImage")
        def export():
            self.asked.append(request.args.to_dict())
            return self._picture(self.faults.pop(0) if self.faults else "")

        return app

    def _picture(self, fault: str) -> Response:
        asked = self.asked[-1]
        assert json.loads(asked["renderingRule"]) == {"rasterFunction": "None"}
        assert asked["interpolation"] == "RSP_NearestNeighbor"
        west, _south, _east, north = (float(n) for n in asked["bbox"].split(","))
        width, height = (int(n) for n in asked["size"].split(","))
        column, row = round((west - self.left) / self.cell), round((self.top - north) / self.cell)
        cells = self.cells[row : row + height, column : column + width]
        if fault == "error in 200":
            return Response(json.dumps({"error": {"code": 500, "message": "no picture"}}))
        if fault == "smaller":
            cells = cells[::2, ::2]
        with MemoryFile() as memory:
            with memory.open(
                driver="GTiff", dtype="float32" if fault == "other type" else "int32", count=1,
                width=cells.shape[1], height=cells.shape[0], crs="EPSG:5070",
                transform=from_origin(west, north, self.cell, self.cell),
            ) as target:  # fmt: skip
                target.write(cells, 1)
            body = BytesIO(memory.read()).getvalue()
        return Response(
            body[: len(body) // 2] if fault == "cut off" else body, mimetype="image/tiff"
        )


@pytest.mark.parametrize(
    "faults", [[], ["error in 200"], ["", "smaller"], ["cut off", "cut off"], ["other type"]]
)
def test_an_image_service_gives_its_own_cells(faults: list[str], tmp_path: Path) -> None:
    pictures = Pictures(list(faults))
    with serving(pictures.app()) as address:
        wanted = recipe(tmp_path, "arcgis-image", f"{address}/ImageServer", more=DEM)
        fetched = fetch(wanted, tmp_path / "out")
    with rasterio.open(tmp_path / "out" / "lots.tif") as cut:
        assert (cut.crs.to_epsg(), cut.res) == (5070, (300.0, 300.0))
        column = round((cut.transform.c - pictures.left) / 300)
        row = round((pictures.top - cut.transform.f) / 300)
        whole = pictures.cells[row : row + cut.height, column : column + cut.width]
        assert np.array_equal(cut.read(1), whole)
        covered = rasterio.warp.transform_bounds(cut.crs, 4326, *cut.bounds)
    assert shapely.box(*covered).covers(shapely.box(*BOX))
    # 61 by 49 cells by squares of 30, the smaller of the two limits.
    assert (fetched.pages, cut.width, cut.height) == (6, 61, 49)
    assert len(pictures.asked) == fetched.pages + len([f for f in faults if f])


def test_a_picture_that_never_comes_right_is_told(tmp_path: Path) -> None:
    with serving(Pictures(["smaller"] * 20).app()) as address:
        wanted = recipe(tmp_path, "arcgis-image", f"{address}/ImageServer", more=DEM)
        with pytest.raises(SiteEvalError):
            fetch(wanted, tmp_path / "out")
    assert not list((tmp_path / "out").glob("*.tif"))
