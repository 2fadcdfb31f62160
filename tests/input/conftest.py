"""One small map, rewritten into every format, and an application that is good as it stands."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from tests.input.maps_in_code import APPLICATION, WEST


@pytest.fixture
def land() -> shapely.Polygon:
    """About 40 acres in Gem County."""
    return shapely.box(-116.6823, 43.9305, -116.6773, 43.9342)


@pytest.fixture
def site_map(land: shapely.Polygon) -> gpd.GeoDataFrame:
    """Three features, one of each dimension, with text beyond ASCII and numbers."""
    west, south, _east, _north = land.bounds
    rows = [
        ("site", "The land", None, land),
        (
            "road",
            "Zufahrt Süd",
            24.0,
            shapely.LineString([(west, south), (west + 0.002, south + 0.002)]),
        ),
        ("stage", "Bühne", None, shapely.Point(west + 0.002, south + 0.002)),
    ]
    return gpd.GeoDataFrame(
        {
            "role": [r[0] for r in rows],
            "name": [r[1] for r in rows],
            "width_ft": [r[2] for r in rows],
        },
        geometry=[r[3] for r in rows],
        crs=4326,
    )


def _geojson(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_file(folder / "map.geojson")
    return folder / "map.geojson"


def _geopackage(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_crs(WEST).to_file(folder / "map.gpkg", layer="plan")
    return folder / "map.gpkg"


def _flatgeobuf(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_file(folder / "map.fgb", driver="FlatGeobuf", SPATIAL_INDEX="NO")
    return folder / "map.fgb"


def _kml(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    frame.to_file(folder / "map.kml", driver="LIBKML")
    return folder / "map.kml"


def _kmz(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    inner = _kml(frame, folder)
    with zipfile.ZipFile(folder / "map.kmz", "w") as archive:
        archive.write(inner, "doc.kml")
    inner.unlink()
    return folder / "map.kmz"


def _geojson_zip(frame: gpd.GeoDataFrame, folder: Path) -> Path:
    inner = _geojson(frame, folder)
    with zipfile.ZipFile(folder / "map.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(inner, "export/map.geojson")
    inner.unlink()
    return folder / "map.zip"


WRITERS: dict[str, Callable[[gpd.GeoDataFrame, Path], Path]] = {
    "geojson": _geojson,
    "geopackage": _geopackage,
    "flatgeobuf": _flatgeobuf,
    "kml": _kml,
    "kmz": _kmz,
    "zip": _geojson_zip,
}


@pytest.fixture(params=sorted(WRITERS))
def any_format(request: pytest.FixtureRequest, site_map: gpd.GeoDataFrame, tmp_path: Path) -> Path:
    """The same map in each format that holds features of every dimension."""
    return WRITERS[request.param](site_map, tmp_path)


@pytest.fixture
def application_file(tmp_path: Path) -> Callable[..., Path]:
    """Write the good application, with text added at its end or replaced in it."""

    def write(extra: str = "", **replace: str) -> Path:
        text = APPLICATION
        for old, new in replace.items():
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "application.toml"
        path.write_text(text + extra, encoding="utf-8")
        return path

    return write
