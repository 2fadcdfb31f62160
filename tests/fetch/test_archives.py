"""Archives are gone on with where they broke off, and opened with care."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyogrio
import pytest
import rasterio
import shapely
from flask import Flask, Response, request, send_file
from rasterio.transform import from_origin

from site_eval.errors import SiteEvalError
from tests.fetch.ground import BOX, fetch, recipe
from tests.fetch.servers import serving, static_app

COUNTY = """keep = []
kind = "county"
fields = { name = "NAME", geoid = "GEOID" }"""


def counties(folder: Path) -> Path:
    """A shapefile of five counties side by side from 116.6° W, zipped, in NAD83 as TIGER is."""
    boxes = [shapely.box(-116.6 + n * 0.5, 43.8, -116.1 + n * 0.5, 44.2) for n in range(5)]
    frame = gpd.GeoDataFrame(
        {"NAME": list("ABCDE"), "GEOID": ["16045", "16001", "16002", "16003", "16004"]},
        geometry=boxes, crs="EPSG:4269",
    )  # fmt: skip
    (folder / "shp").mkdir()
    frame.to_file(folder / "shp" / "tl_us_county.shp")
    with zipfile.ZipFile(folder / "county.zip", "w") as archive:
        for file in (folder / "shp").iterdir():
            archive.write(file, f"inner/{file.name}")
        archive.writestr("inner/readme.txt", "read me")
    return folder / "county.zip"


def classes(folder: Path, *, nodata: float | None = 255) -> Path:
    """A zipped raster of classes on a degree grid of 0.01°, its value the column's last digit."""
    cells = np.tile(np.arange(200) % 10, (200, 1)).astype("uint8")
    profile = {
        "driver": "GTiff", "dtype": "uint8", "count": 1, "width": 200, "height": 200,
        "crs": "EPSG:4326", "nodata": nodata, "transform": from_origin(-117.5, 45.0, 0.01, 0.01),
    }  # fmt: skip
    with rasterio.open(folder / "whp_cls.tif", "w", **profile) as target:
        target.write(cells, 1)
    with zipfile.ZipFile(folder / "whp.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(folder / "whp_cls.tif", "Data/whp_GeoTIF/whp_cls.tif")
        archive.writestr("Data/whp_GeoTIF/whp_cnt.tif", np.random.default_rng(1).bytes(500_000))
    return folder / "whp.zip"


def test_counties_around_the_county_come_out_of_a_national_file(tmp_path: Path) -> None:
    counties(tmp_path)
    with serving(static_app(tmp_path, [])) as address:
        wanted = recipe(
            tmp_path, "zip", f"{address}/county.zip", more=COUNTY,
            service='area = "around-county"\ncounty_field = "GEOID"',
        )  # fmt: skip
        fetched = fetch(wanted, tmp_path / "out", box=None)
    rows = pyogrio.read_dataframe(tmp_path / "out" / "lots.fgb")
    assert sorted(rows["GEOID"]) == ["16001", "16045"]
    assert fetched.entry.coverage == pytest.approx((-116.6, 43.8, -116.1, 44.2))


def test_a_county_that_the_file_lacks_is_told(tmp_path: Path) -> None:
    counties(tmp_path)
    with serving(static_app(tmp_path, [])) as address:
        wanted = recipe(
            tmp_path, "zip", f"{address}/county.zip", more=COUNTY,
            service='area = "around-county"\ncounty_field = "GEOID"',
        )  # fmt: skip
        with pytest.raises(SiteEvalError, match="it has no county 41045"):
            fetch(wanted, tmp_path / "out", box=None, geoid="41045")


def test_cells_of_the_box_are_the_file_s_own(tmp_path: Path) -> None:
    classes(tmp_path)
    with serving(static_app(tmp_path, [])) as address:
        wanted = recipe(
            tmp_path, "zip", f"{address}/whp.zip", service='member = "WHP_CLS.tif"',
            more='kind = "wildfire"\n',
        )  # fmt: skip
        fetched = fetch(wanted, tmp_path / "out")
    with rasterio.open(tmp_path / "out" / "lots.tif") as cut:
        assert (cut.nodata, cut.dtypes, cut.crs.to_epsg()) == (255, ("uint8",), 4326)
        # Columns 90 to 109 and rows 105 to 114 of the whole hold the box -116.6…-116.4, 43.85…43.95.
        assert cut.bounds == pytest.approx(BOX)
        assert cut.read(1).tolist() == [[n % 10 for n in range(90, 110)]] * 10
    modified = datetime.fromtimestamp((tmp_path / "whp.zip").stat().st_mtime, UTC).date()
    assert fetched.entry.vintage == modified.isoformat()


def test_an_archive_that_breaks_off_is_gone_on_with(tmp_path: Path) -> None:
    file = classes(tmp_path)
    asked: list[str] = []
    app = Flask("breaking")

    @app.get("/whp.zip")
    def broken():
        asked.append(request.headers.get("Range", ""))
        if len(asked) > 1:
            return send_file(file, conditional=True, etag=True)
        whole = file.read_bytes()
        tag = send_file(file, etag=True).headers["ETag"]
        return Response(
            iter([whole[:300_000]]), headers={"Content-Length": str(len(whole)), "ETag": tag}
        )

    with serving(app) as address:
        wanted = recipe(
            tmp_path, "zip", f"{address}/whp.zip", service='member = "whp_cls.tif"',
            more='kind = "wildfire"\n',
        )  # fmt: skip
        fetch(wanted, tmp_path / "out")
    # Blocks of 256 KiB are written; what came of the second one is asked for again.
    assert asked == ["", "bytes=262144-"]


def test_an_archive_that_changed_meanwhile_is_fetched_from_its_start(tmp_path: Path) -> None:
    file = classes(tmp_path)
    pages = tmp_path / "out" / ".pages" / "lots"
    pages.mkdir(parents=True)
    (pages / "archive.zip").write_bytes(b"PK of another day")
    (pages / "archive.json").write_text('{"etag": "\\"of-another-day\\"", "size": 99999}')
    with serving(static_app(tmp_path, [])) as address:
        wanted = recipe(
            tmp_path, "zip", f"{address}/{file.name}", service='member = "whp_cls.tif"',
            more='kind = "wildfire"\n',
        )  # fmt: skip
        fetch(wanted, tmp_path / "out", resume=True)
    with rasterio.open(tmp_path / "out" / "lots.tif") as cut:
        assert cut.width == 20


BAD: dict[str, tuple[bytes, str]] = {
    "a sign-in page": (b"<html>welcome</html>", "a web page, not an archive"),
    "no archive": (b"GIF89a" * 50, "the archive is damaged"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_archive_is_one_sentence(name: str, tmp_path: Path) -> None:
    content, phrase = BAD[name]
    (tmp_path / "a.zip").write_bytes(content)
    with serving(static_app(tmp_path, [])) as address:
        wanted = recipe(tmp_path, "zip", f"{address}/a.zip", more='kind = "wildfire"\n')
        with pytest.raises(SiteEvalError, match=phrase) as caught:
            fetch(wanted, tmp_path / "out")
    assert len(str(caught.value).splitlines()) == 1


def test_a_damaged_member_and_a_missing_one_are_told(tmp_path: Path) -> None:
    file = classes(tmp_path)
    content = bytearray(file.read_bytes())
    content[200:260] = b"\0" * 60
    (tmp_path / "bad.zip").write_bytes(content)
    with serving(static_app(tmp_path, [])) as address:
        for name, member, phrase in (
            ("bad.zip", "whp_cls.tif", "the archive is damaged"),
            ("whp.zip", "whp_cls.img", "0 files 'whp_cls.img'"),
        ):
            wanted = recipe(
                tmp_path, "zip", f"{address}/{name}", service=f'member = "{member}"',
                more='kind = "wildfire"\n',
            )  # fmt: skip
            with pytest.raises(SiteEvalError, match=phrase):
                fetch(wanted, tmp_path / f"out-{name}")
