"""The same map comes out of every format; what a format cannot say must be stated."""

from __future__ import annotations

import json
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from site_eval.errors import SiteEvalError
from site_eval.formats import read_vector
from tests.input.maps_in_code import WEST, drawing, shapefile


def test_every_format_gives_the_same_features(any_format: Path, site_map: gpd.GeoDataFrame) -> None:
    read = read_vector(any_format)
    shapes = read.geometry.to_crs(4326)
    assert list(read["role"]) == list(site_map["role"])
    assert list(read["name"]) == list(site_map["name"])
    assert [float(w) for w in read["width_ft"].dropna()] == [24.0]
    for found, meant in zip(shapes, site_map.geometry, strict=True):
        assert found.hausdorff_distance(meant) < 1e-7


def test_shapefile_alone_and_zipped(site_map: gpd.GeoDataFrame, tmp_path: Path) -> None:
    path = shapefile(site_map.iloc[:1].to_crs(WEST), tmp_path / "site.shp")
    assert read_vector(path).crs == WEST
    import zipfile

    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        for part in tmp_path.glob("site.[!z]*"):
            archive.write(part, f"a folder/{part.name}")
    assert read_vector(tmp_path / "site.zip")["name"].iloc[0] == "The land"


def test_shapefile_whose_texts_are_not_in_the_encoding_it_states(
    site_map: gpd.GeoDataFrame, tmp_path: Path
) -> None:
    path = shapefile(site_map.iloc[2:].to_crs(WEST), tmp_path / "stage.shp", encoding="cp1252")
    path.with_suffix(".cpg").write_text("UTF-8")
    read = read_vector(path)
    assert read["name"].iloc[0] == "Bühne"


def test_drawing_gives_polygons_layers_and_block_attributes(tmp_path: Path) -> None:
    read = read_vector(drawing(tmp_path / "plan.dxf", units=21), crs=WEST)
    assert list(read["Layer"]) == ["SITE", "road", "TOILETS-W"]
    assert [g.geom_type for g in read.geometry] == ["Polygon", "LineString", "Point"]
    assert read.geometry.iloc[0].area == pytest.approx(900 * 600)
    assert read["count"].iloc[2] == "4"
    assert "1 TEXT" in read.attrs["notes"][0]


def test_heights_and_null_geometries_are_left_out_and_told(
    site_map: gpd.GeoDataFrame, tmp_path: Path
) -> None:
    frame = site_map.iloc[:2].copy()
    frame["geometry"] = [shapely.force_3d(frame.geometry.iloc[0], 780.0), None]
    frame.to_file(tmp_path / "map.gpkg")
    read = read_vector(tmp_path / "map.gpkg")
    assert len(read) == 1
    assert not read.geometry.has_z.any()
    notes = " ".join(read.attrs["notes"])
    assert "1 of 2 features have no geometry" in notes
    assert "Heights" in notes


def test_layer_is_named_when_there_are_several(site_map: gpd.GeoDataFrame, tmp_path: Path) -> None:
    path = tmp_path / "map.gpkg"
    site_map.iloc[:1].to_file(path, layer="site")
    site_map.iloc[1:2].to_file(path, layer="roads")
    assert read_vector(path, layer="roads")["role"].iloc[0] == "road"


def test_stated_crs_serves_a_shapefile_without_prj(
    site_map: gpd.GeoDataFrame, tmp_path: Path
) -> None:
    path = shapefile(site_map.iloc[:1].to_crs(WEST), tmp_path / "site.shp")
    path.with_suffix(".prj").unlink()
    read = read_vector(path, crs=WEST)
    assert read.geometry.to_crs(4326).iloc[0].centroid.x == pytest.approx(-116.6798, abs=1e-4)


def test_geojson_in_a_plane_is_read_when_its_crs_is_stated(
    site_map: gpd.GeoDataFrame, tmp_path: Path
) -> None:
    """Programs write GeoJSON in the project's CRS, though the standard asks for degrees."""
    path = tmp_path / "map.geojson"
    site_map.iloc[:1].to_crs(WEST).to_file(path)
    content = json.loads(path.read_text())
    assert "6453" in json.dumps(content.pop("crs"))
    assert read_vector(path).crs == WEST
    path.write_text(json.dumps(content))
    read = read_vector(path, crs=WEST)
    assert read.geometry.to_crs(4326).iloc[0].hausdorff_distance(site_map.geometry.iloc[0]) < 1e-7


def test_geojson_in_degrees_is_not_moved_by_a_wrong_crs(
    site_map: gpd.GeoDataFrame, tmp_path: Path
) -> None:
    site_map.to_file(tmp_path / "map.geojson", RFC7946="YES")
    with pytest.raises(SiteEvalError, match="look like degrees"):
        read_vector(tmp_path / "map.geojson", crs=WEST)
