"""A layout is read with one role a feature; what is wrong names the feature and the mend."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from site_eval.application import LayoutSpec
from site_eval.errors import LayoutError, ManyErrors, SiteEvalError
from site_eval.formats import read_vector
from site_eval.layout import ROLES, Layout, layout_geojson, no_layout, read_layout
from tests.input.maps_in_code import WEST, drawing, shapefile

WEST_LON, SOUTH_LAT = -116.6823, 43.9305
SITE = shapely.box(WEST_LON, SOUTH_LAT, -116.6773, 43.9342)

Row = tuple[dict[str, Any], shapely.Geometry]


def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
    """Points in thousandths of a degree (about 80 by 110 m) from the site's south-west corner."""
    return [(WEST_LON + x / 1000, SOUTH_LAT + y / 1000) for x, y in points]


def area(*points: tuple[float, float]) -> shapely.Polygon:
    return shapely.Polygon(at(*points))


def spot(x: float, y: float) -> shapely.Point:
    return shapely.Point(at((x, y))[0])


LAND: Row = ({"role": "site", "name": "The land"}, SITE)


def write(folder: Path, *rows: Row) -> Path:
    features = [
        {"type": "Feature", "properties": p, "geometry": json.loads(shapely.to_geojson(g))}
        for p, g in rows
    ]
    path = folder / "layout.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def read(path: Path, *, near: shapely.Geometry | None = SITE, **spec: Any) -> Layout:
    return read_layout(path, LayoutSpec(file=path, **spec), near=near)


def test_features_keep_role_name_and_typed_properties(tmp_path: Path) -> None:
    layout = read(
        write(
            tmp_path,
            LAND,
            (
                {"role": "Fire Lane", "width_ft": "20", "surface": "gravel"},
                shapely.LineString(at((1, 1), (2, 2))),
            ),
            ({"role": "toilet-female", "count": 4.0, "colour": "blue"}, spot(1, 1)),
        )
    )
    lane, toilet = layout.features[1:]
    assert (lane.role, lane.name, lane.properties) == (
        "fire_lane", "Fire lane 1", {"width_ft": 20.0, "surface": "gravel"},
    )  # fmt: skip
    assert toilet.properties == {"count": 4, "colour": "blue"}
    assert layout.by_role("toilet_female", "fire_lane") == (lane, toilet)
    assert layout.warnings == ()


def test_roles_and_fields_are_mapped(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        ({"Art": "Grundstück", "Breite": None}, SITE),
        ({"Art": "Weg", "Breite": 14}, shapely.LineString(at((1, 1), (2, 2)))),
        ({"Art": "Notiz", "Breite": None}, spot(1, 1)),
    )
    layout = read(
        path,
        role_field="Art",
        roles={"Grundstück": "site", "Weg": "road", "Notiz": "ignore"},
        fields={"Breite": "width_ft"},
    )
    assert [f.role for f in layout.features] == ["site", "road"]
    assert layout.features[1].properties["width_ft"] == 14.0
    assert layout.warnings == ("1 features were left out, as layout.roles says.",)


def test_drawing_takes_its_layers_for_roles(tmp_path: Path) -> None:
    path = drawing(tmp_path / "plan.dxf")
    layout = read(path, crs=WEST, roles={"TOILETS-W": "toilet_female"})
    assert [f.role for f in layout.features] == ["site", "road", "toilet_female"]
    assert layout.features[2].properties["count"] == 4
    assert "Idaho West" in layout.crs_note


def test_shapefile_cuts_names_to_ten_letters_and_is_understood(tmp_path: Path) -> None:
    import geopandas as gpd

    frame = gpd.GeoDataFrame(
        {"role": ["loudspeaker"], "sound_level_dba": [100.0], "reference_distance_ft": [50.0]},
        geometry=[spot(1, 1)],
        crs=4326,
    )
    layout = read(shapefile(frame, tmp_path / "layout.shp"))
    assert layout.features[0].properties == {
        "sound_level_dba": 100.0,
        "reference_distance_ft": 50.0,
    }


def test_layers_of_a_geopackage_serve_as_roles(tmp_path: Path) -> None:
    import geopandas as gpd

    path = tmp_path / "layout.gpkg"
    for layer, shape, crs in (
        ("site", SITE, 4326),
        ("stage", spot(1, 1), WEST),
        ("Gates", spot(0, 1), 4326),
    ):
        frame = gpd.GeoDataFrame({"count": [1]}, geometry=[shape], crs=4326)
        frame.to_crs(crs).to_file(path, layer=layer)
    layout = read(path, roles={"Gates": "gate"})
    assert [f.role for f in layout.features] == ["site", "stage", "gate"]
    assert layout.features[1].geometry.distance(spot(1, 1)) < 1e-8
    only = read(path, layer="stage", role_field="count", roles={"1": "stage"})
    assert [f.role for f in only.features] == ["stage"]


def test_zip_of_shapefiles_serves_as_layers(tmp_path: Path) -> None:
    import zipfile

    import geopandas as gpd

    with zipfile.ZipFile(tmp_path / "layout.zip", "w") as archive:
        for role, shape in (("site", SITE), ("stage", spot(1, 1))):
            shapefile(
                gpd.GeoDataFrame({"n": [1]}, geometry=[shape], crs=4326), tmp_path / f"{role}.shp"
            )
            for part in sorted(tmp_path.glob(f"{role}.*")):
                archive.write(part, part.name)
    assert [f.role for f in read(tmp_path / "layout.zip").features] == ["site", "stage"]


def test_small_crossing_is_mended_and_told(tmp_path: Path) -> None:
    """A spur of a tenth of a metre across the outline changes the area by far less than 1 %."""
    wrong = area(
        (0, 0), (2, 0), (2, 2), (1, 2), (1.001, 1.9999), (1.001, 2.0001), (0.999, 2), (0, 2)
    )
    assert not wrong.is_valid
    layout = read(write(tmp_path, LAND, ({"role": "parking", "name": "Lot A"}, wrong)))
    assert layout.features[1].geometry.is_valid
    assert "Lot A" in layout.warnings[0]
    assert "was mended" in layout.warnings[0]


def test_closed_line_serves_as_an_area(tmp_path: Path) -> None:
    ring = shapely.LineString(at((0, 0), (1, 0), (1, 1), (0, 0)))
    layout = read(write(tmp_path, LAND, ({"role": "camping"}, ring)))
    assert layout.features[1].geometry.geom_type == "Polygon"
    assert "read as an area" in layout.warnings[0]


def test_same_thing_drawn_twice_and_a_far_one_are_told(tmp_path: Path) -> None:
    far = shapely.Point(WEST_LON + 0.1, SOUTH_LAT)
    layout = read(
        write(
            tmp_path,
            LAND,
            ({"role": "stage"}, spot(1, 1)),
            ({"role": "stage"}, spot(1, 1)),
            ({"role": "parking", "name": "Fairgrounds"}, far.buffer(0.001)),
        )
    )
    told = " ".join(layout.warnings)
    assert "stage 'Stage 2' is drawn twice (also as 'Stage 1')" in told
    assert "parking 'Fairgrounds' lies 4.7 miles from the land" in told  # 0.094 degree of 80.2 km


BOW_TIE = area((0, 0), (2, 2), (2, 0), (0, 2))
ABROAD = shapely.box(7.6, 51.9, 7.7, 52.0)
SWAPPED = shapely.transform(SITE, lambda p: p[:, ::-1])
CASES: dict[str, tuple[list[Row], dict[str, Any], str, str]] = {
    "unknown role": ([({"role": "toilets_women"}, spot(1, 1))], {}, "layout.role", "is not a role"),
    "role misspelt": ([({"role": "stagee"}, spot(1, 1))], {}, "layout.role", "perhaps 'stage' is meant"),
    "no role": ([({"role": None}, spot(1, 1))], {}, "layout.role", "have nothing in the field 'role'"),
    "no role field": ([({"kind": "stage"}, spot(1, 1))], {}, "layout.role-field", "name the field as role_field: kind"),
    "mapped to an unknown role": ([LAND], {"roles": {"site": "sites"}}, "layout.role", "'sites' in layout.roles"),
    "mapped from no field": ([LAND], {"fields": {"W": "width_ft"}}, "layout.field", "no field 'W'"),
    "mapped to no property": ([LAND], {"fields": {"name": "title"}}, "layout.field", "'title' is not a property"),
    "all left out": ([LAND], {"roles": {"site": "ignore"}}, "layout.role", "every feature is left out"),
    "bow tie": ([({"role": "parking", "name": "Lot A"}, BOW_TIE)], {}, "layout.crossing", "feature 1 (parking 'Lot A')"),
    "parking as a point": ([({"role": "parking"}, spot(1, 1))], {}, "layout.kind", "a Point, not an area"),
    "camping as an open line": (
        [({"role": "camping"}, shapely.LineString(at((0, 0), (1, 0), (1, 1))))], {}, "layout.kind", "not an area",
    ),
    "road as a point": ([({"role": "road"}, spot(1, 1))], {}, "layout.kind", "draw it as a line"),
    "points and areas in one": (
        [({"role": "stage"}, shapely.GeometryCollection([spot(1, 1), BOW_TIE]))], {}, "layout.kind", "are mixed",
    ),
    "area without area": (
        [({"role": "stage"}, area((0, 0), (1, 0), (2, 0)))], {}, "layout.", "feature 1 (stage 'Stage 1')",
    ),
    "half a toilet": ([({"role": "toilet", "count": 1.5}, spot(1, 1))], {}, "layout.property", "count is '1.5'"),
    "minus stalls": ([({"role": "stage", "spaces": -3}, spot(1, 1))], {}, "layout.property", "spaces is '-3'"),
    "lane of no width": ([({"role": "gate", "width_ft": 0}, spot(1, 1))], {}, "layout.property", "more than 0"),
    "width in words": ([({"role": "gate", "width_ft": "20 ft"}, spot(1, 1))], {}, "layout.property", "'20 ft'"),
    "louder than a rocket": (
        [({"role": "loudspeaker", "sound_level_dba": 300}, spot(1, 1))], {}, "layout.property", "at most 160",
    ),
    "another continent": ([({"role": "site"}, ABROAD)], {}, "layout.far", "miles from the land; check its CRS"),
    "latitude first": ([({"role": "site"}, SWAPPED)], {}, "input-file.place", "are swapped"),
    "one feature at null island": (
        [LAND, ({"role": "stage", "name": "B"}, shapely.Point(0, 0))], {}, "layout.far", "stage 'B' lies",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_bad_layout_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    rows, spec, code, phrase = CASES[name]
    with pytest.raises(SiteEvalError) as caught:
        read(write(tmp_path, *rows), **spec)
    assert caught.value.code.startswith(code)
    assert phrase in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_swapped_coordinates_are_found_where_both_could_be_degrees(tmp_path: Path) -> None:
    land = shapely.box(20.0, 40.0, 20.01, 40.01)
    flipped = shapely.transform(land, lambda p: p[:, ::-1])
    with pytest.raises(LayoutError, match="seem to be swapped"):
        read(write(tmp_path, ({"role": "site"}, flipped)), near=land)


def test_all_features_at_fault_are_told_at_once(tmp_path: Path) -> None:
    path = write(
        tmp_path, LAND, ({"role": "parking"}, BOW_TIE),
        ({"role": "gate", "width_ft": -1, "count": "x"}, spot(1, 1)),
    )  # fmt: skip
    with pytest.raises(ManyErrors) as caught:
        read(path)
    assert len(caught.value.errors) == 3


def test_no_layout_has_no_features() -> None:
    assert no_layout().features == ()
    assert layout_geojson(no_layout()) == {"type": "FeatureCollection", "features": []}


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(ROLES), st.floats(0, 4), st.floats(0, 3), st.floats(0.01, 1), st.integers(0, 99)),
        min_size=1, max_size=8,
    )
)  # fmt: skip
def test_written_and_read_again_it_is_the_same_layout(
    tmp_path_factory: pytest.TempPathFactory, things: list[tuple[str, float, float, float, int]]
) -> None:
    folder = tmp_path_factory.mktemp("layout")
    first = read(
        write(
            folder,
            *(
                ({"role": r, "count": n}, area((x, y), (x + d, y), (x + d, y + d)))
                for r, x, y, d, n in things
            ),
        )
    )
    path = folder / "again.geojson"
    path.write_text(json.dumps(layout_geojson(first)))
    second = read(path)
    assert [f.id for f in second.features] == [f.id for f in first.features]
    for one, other in zip(first.features, second.features, strict=True):
        assert (one.role, one.name, one.properties) == (other.role, other.name, other.properties)
        assert one.geometry.hausdorff_distance(other.geometry) <= math.sqrt(2) * 0.5e-7 + 1e-12


def test_layout_in_every_format(any_format: Path, land: shapely.Polygon) -> None:
    layout = read(any_format, near=land)
    assert sorted(f.role for f in layout.features) == ["road", "site", "stage"]
    assert layout.by_role("road")[0].properties["width_ft"] == 24.0
    assert read_vector(any_format).crs is not None
