"""Map files as they come in from the world: each fault is told in one sentence, with its code."""

from __future__ import annotations

import json
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from site_eval.errors import SiteEvalError
from site_eval.formats import MAX_BYTES, read_raster_info, read_vector
from tests.input.maps_in_code import WEST, drawing, shapefile

SITE = shapely.box(-116.6823, 43.9305, -116.6773, 43.9342)


def collection(*geometries: dict[str, object] | None, **more: object) -> str:
    features = [
        {"type": "Feature", "properties": {"role": "site"}, "geometry": g} for g in geometries
    ]
    return json.dumps({"type": "FeatureCollection", "features": features, **more})


def polygon(shape: shapely.Geometry = SITE) -> dict[str, object]:
    return json.loads(shapely.to_geojson(shape))


def frame(shape: shapely.Geometry = SITE, crs: str = "EPSG:4326") -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame({"role": ["site"]}, geometry=[shape], crs=crs)


def text(name: str, content: str | bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def missing(folder: Path) -> Path:
    return folder / "nothing.geojson"


def a_folder(folder: Path) -> Path:
    (folder / "map.gpkg").mkdir()
    return folder / "map.gpkg"


def too_large(folder: Path) -> Path:
    path = folder / "map.gpkg"
    with path.open("wb") as stream:
        stream.write(b"SQLite format 3\0")
        stream.truncate(MAX_BYTES + 1)
    return path


def renamed_geopackage(folder: Path) -> Path:
    frame().to_file(folder / "map.gpkg")
    (folder / "map.gpkg").rename(folder / "map.geojson")
    return folder / "map.geojson"


def broken_geopackage(folder: Path) -> Path:
    frame().to_file(folder / "map.gpkg")
    path = folder / "map.gpkg"
    path.write_bytes(path.read_bytes()[:5000])
    return path


def two_layers(folder: Path) -> Path:
    path = folder / "map.gpkg"
    frame().to_file(path, layer="site")
    frame().to_file(path, layer="roads")
    return path


def without_features(folder: Path) -> Path:
    frame().iloc[:0].to_file(folder / "map.gpkg")
    return folder / "map.gpkg"


def without_prj(folder: Path) -> Path:
    path = shapefile(frame().to_crs(WEST), folder / "map.shp")
    path.with_suffix(".prj").unlink()
    return path


def without_shx(folder: Path) -> Path:
    path = shapefile(frame().to_crs(WEST), folder / "map.shp")
    path.with_suffix(".shx").unlink()
    return path


def lone_shp_in_zip(folder: Path) -> Path:
    path = shapefile(frame().to_crs(WEST), folder / "map.shp")
    with zipfile.ZipFile(folder / "map.zip", "w") as archive:
        archive.write(path, "map.shp")
    return folder / "map.zip"


def zipped(*members: tuple[str, bytes]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        with zipfile.ZipFile(folder / "map.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members:
                archive.writestr(name, content)
        return folder / "map.zip"

    return write


def damaged_zip(folder: Path) -> Path:
    path = zipped(("map.geojson", collection(polygon()).encode() * 50))(folder)
    content = bytearray(path.read_bytes())
    content[60:90] = os.urandom(30)
    path.write_bytes(content)
    return path


def lying_zip(folder: Path) -> Path:
    """A member that says it holds ten bytes and holds five megabytes."""
    path = zipped(("map.geojson", b" " * 5_000_000))(folder)
    content = path.read_bytes()
    size = struct.pack("<I", 5_000_000)
    path.write_bytes(content.replace(size, struct.pack("<I", 10)))
    return path


def in_state_plane_called_degrees(folder: Path) -> Path:
    moved = frame().to_crs(WEST).set_crs("EPSG:4326", allow_override=True)
    moved.to_file(folder / "map.gpkg")
    return folder / "map.gpkg"


def degrees_called_state_plane(folder: Path) -> Path:
    frame().set_crs(WEST, allow_override=True).to_file(folder / "map.gpkg")
    return folder / "map.gpkg"


def metres_called_feet(folder: Path) -> Path:
    """Idaho West in metres, filed under the zone's feet: it falls off the zone."""
    moved = frame().to_crs("EPSG:32611").set_crs(WEST, allow_override=True)
    moved.to_file(folder / "map.gpkg")
    return folder / "map.gpkg"


def easting_for_northing(folder: Path) -> Path:
    moved = frame().to_crs("EPSG:32611")
    turned = moved.set_geometry(shapely.transform(moved.geometry.to_numpy(), lambda p: p[:, ::-1]))
    turned.set_crs("EPSG:32611", allow_override=True).to_file(folder / "map.gpkg")
    return folder / "map.gpkg"


def broken_dxf(folder: Path) -> Path:
    path = drawing(folder / "plan.dxf")
    path.write_text(path.read_text()[:400])
    return path


SWAPPED = shapely.transform(SITE, lambda points: points[:, ::-1])
SECRET = '<?xml version="1.0"?><!DOCTYPE k [<!ENTITY a "aaaa">]><kml><Placemark/></kml>'

CASES: dict[str, tuple[Callable[[Path], Path], str, str]] = {
    "no such file": (missing, "input-file", "no such map file"),
    "a folder": (a_folder, "input-file", "this is a folder"),
    "empty file": (text("map.geojson", ""), "input-file", "is empty"),
    "three gigabytes": (too_large, "input-file", "more than the"),
    "unknown format": (text("map.docx", "x"), "input-file.format", "no map format"),
    "dwg under the name of dxf": (text("plan.dxf", b"AC1032\0\0"), "input-file.content", "a DWG drawing"),
    "pdf under the name of kml": (text("map.kml", "%PDF-1.7"), "input-file.content", "a PDF document"),
    "geopackage under the name of geojson": (renamed_geopackage, "input-file.content", "GeoPackage"),
    "html error page saved as geojson": (text("map.geojson", "<html>"), "input-file.content", "HTML"),
    "json with a comma too many": (
        text("map.geojson", '{"type": "FeatureCollection",\n "features": [,]}'),
        "input-file.content", "not JSON",
    ),
    "json that is no map": (text("map.json", '{"a": 1}'), "input-file.content", "not GeoJSON"),
    "json nested a million deep": (text("map.json", '{"a":' * 100_000), "input-file.content", "JSON"),
    "not UTF-8": (text("map.geojson", b'{"type": "Feature\xff"}'), "input-file", "not UTF-8"),
    "no features": (text("map.geojson", collection()), "input-file.no-features", "no feature"),
    "only null geometries": (text("map.geojson", collection(None)), "input-file.no-features", "no feature"),
    "empty geopackage": (without_features, "input-file.no-features", "no feature"),
    "truncated geopackage": (broken_geopackage, "input-file.content", "is damaged"),
    "two layers and none named": (two_layers, "input-file.layer", "name one of 'site', 'roads'"),
    "shapefile without prj": (without_prj, "input-file.no-crs", "does not say its CRS"),
    "shapefile without shx": (without_shx, "input-file.parts", ".shx is missing"),
    "zip with the shp alone": (lone_shp_in_zip, "input-file.parts", ".dbf and .shx is missing"),
    "zip without a map": (zipped(("readme.txt", b"x")), "input-file.archive", "no map file"),
    "zip with two maps": (
        zipped(("a.geojson", b"{}"), ("b.geojson", b"{}")), "input-file.layer", "holds 2 maps",
    ),
    "zip bomb": (zipped(("map.geojson", b" " * 300_000_000)), "input-file.archive", "would unpack to"),
    "zip that lies about its sizes": (lying_zip, "input-file.archive", "archive"),
    "zip that climbs out of its folder": (
        zipped(("../../map.geojson", b"{}")), "input-file.archive", "outside its folder",
    ),
    "damaged zip": (damaged_zip, "input-file.archive", "damaged"),
    "kml with entities of its own": (text("map.kml", SECRET), "input-file.content", "entities"),
    "latitude before longitude": (
        text("map.geojson", collection(polygon(SWAPPED))), "input-file.place", "are swapped",
    ),
    "state plane called degrees": (in_state_plane_called_degrees, "input-file.place", "are not degrees"),
    "degrees called state plane": (degrees_called_state_plane, "input-file.place", "look like degrees"),
    "metres called feet": (metres_called_feet, "input-file.place", "outside the area of use"),
    "easting for northing": (easting_for_northing, "input-file.place", "may be swapped"),
    "dxf without a CRS": (lambda f: drawing(f / "plan.dxf"), "input-file.no-crs", "cannot say its CRS"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_bad_map_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    make, code, phrase = CASES[name]
    path = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SiteEvalError) as caught:
        read_vector(path)
    message = str(caught.value)
    assert caught.value.code == code
    assert phrase in message
    assert str(tmp_path) in message
    assert "\n" not in message
    assert message.endswith(".")
    assert sorted(tmp_path.rglob("*")) == before


def test_layer_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(SiteEvalError, match="perhaps 'roads' is meant"):
        read_vector(two_layers(tmp_path), layer="raods")


def test_broken_drawing(tmp_path: Path) -> None:
    with pytest.raises(SiteEvalError) as caught:
        read_vector(broken_dxf(tmp_path), crs=WEST)
    assert caught.value.code in {"input-file.content", "input-file.no-features"}


@pytest.mark.parametrize(
    ("crs", "units", "phrase"),
    [
        ("EPSG:99999", 0, "names no coordinate reference system"),
        ("feet", 0, "names no coordinate reference system"),
        (WEST, 6, "the drawing is in"),
        (WEST, 1, "the drawing is in"),
        ("EPSG:32611", 0, "outside the area of use"),
    ],
)
def test_drawing_and_its_crs_must_fit(tmp_path: Path, crs: str, units: int, phrase: str) -> None:
    with pytest.raises(SiteEvalError, match=phrase):
        read_vector(drawing(tmp_path / "plan.dxf", units=units), crs=crs)


def test_stated_crs_must_agree_with_the_file(tmp_path: Path) -> None:
    frame().to_file(tmp_path / "map.gpkg")
    with pytest.raises(SiteEvalError, match="the file says its CRS is 'WGS 84'"):
        read_vector(tmp_path / "map.gpkg", crs=WEST)


@pytest.mark.parametrize(
    ("make", "phrase"),
    [
        (missing, "no such raster"),
        (text("a.tif", "not a raster"), "not a raster"),
        (text("a.tif", ""), "is empty"),
    ],
)
def test_bad_raster(make: Callable[[Path], Path], phrase: str, tmp_path: Path) -> None:
    with pytest.raises(SiteEvalError, match=phrase):
        read_raster_info(make(tmp_path))
