"""Parcels that are easily measured wrongly: each trap once, with numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import rasterio
import shapely
from pyproj import CRS
from rasterio.transform import from_origin

from site_eval.crs import WGS84, frame_at, to_crs
from site_eval.screening.cleaning import cleaned
from site_eval.screening.partition import screen
from site_eval.screening.question import Question, Sources

FRAME = frame_at(-116.5, 43.9)


def layers(folder: Path, **files: tuple[str, str]) -> Path:
    """A catalog of these kinds only: file and more keys by kind."""
    lines = []
    for kind, (file, more) in files.items():
        lines.append(
            f'[[layer]]\nid = "{kind}"\nkind = "{kind}"\nname = "{kind}"\npublisher = "test"\n'
            f'vintage = "2026-01-01"\nlicence = "CC0-1.0"\ngrade = "published"\nfile = "{file}"\n{more}\n'
        )
    path = folder / "catalog.toml"
    path.write_text("".join(lines))
    return path


def towns(folder: Path, areas: Sequence[Any], *, more: str = "") -> Path:
    """A catalog with these municipalities (local metres), numbered from 1."""
    numbers = [str(n) for n in range(1, len(areas) + 1)]
    frame = gpd.GeoDataFrame(
        {"name": numbers, "geoid": numbers, "class": "C1", "status": "A"},
        geometry=[FRAME.to_geographic(area) for area in areas], crs=WGS84,
    )  # fmt: skip
    frame.to_file(folder / "places.fgb")
    fields = 'fields = { name = "name", geoid = "geoid", class = "class", status = "status" }\n'
    return layers(folder, places=("places.fgb", fields + more))


def asked(catalog: Path, *parcels: Any, frame: bool = True) -> pd.DataFrame:
    """Answers for parcels in local metres."""
    shapes = [FRAME.to_geographic(p) if frame else p for p in parcels]
    question = Question("gem-county-id-2015-04", 2400, date(2026, 6, 1), catalog)
    return screen(np.array(shapes, dtype=object), Sources(question))


def test_a_parcel_that_holds_a_whole_town_is_partly_inside(tmp_path: Path) -> None:
    found = asked(
        towns(tmp_path, [shapely.box(0, 0, 200, 200)]), shapely.box(-900, -900, 1100, 1100)
    )
    assert found.municipal_relation[0] == "partly"
    assert found.municipal_share[0] == pytest.approx(0.01, rel=1e-4)


def test_land_in_a_hole_of_a_town_is_outside_it(tmp_path: Path) -> None:
    town = shapely.box(0, 0, 4000, 4000).difference(shapely.box(1000, 1000, 3000, 3000))
    found = asked(towns(tmp_path, [town]), shapely.box(1900, 1900, 2100, 2100))
    assert found.municipal_relation[0] == "outside"
    assert found.municipal_distance_m[0] == pytest.approx(900, rel=1e-4)


def test_towns_that_overlap_are_counted_once_and_inside_decides(tmp_path: Path) -> None:
    catalog = towns(tmp_path, [shapely.box(0, 0, 500, 1000), shapely.box(-3000, -3000, 3000, 3000)])
    found = asked(catalog, shapely.box(400, 400, 600, 600))
    assert found.municipal_share[0] == pytest.approx(1.0, abs=1e-9)
    assert (found.municipal_relation[0], found.place_geoid[0]) == ("inside", "2")


def test_a_parcel_in_parts_with_a_hole_is_measured_as_it_is(tmp_path: Path) -> None:
    parcel = shapely.union_all([
        shapely.box(-100, 0, 100, 100).difference(shapely.box(-50, 40, 50, 60)),
        shapely.box(5_000, 0, 5_100, 180),
    ])  # fmt: skip
    found = asked(towns(tmp_path, [shapely.box(0, -5_000, 3_000, 5_000)]), parcel)
    # 20,000 less 2,000 and 18,000 square metres; half of the first part is inside.
    assert found.area_acres[0] * 4046.8564224 == pytest.approx(36_000, rel=1e-4)
    assert found.municipal_share[0] == pytest.approx(0.25, rel=1e-4)


def test_a_town_beyond_the_layers_reach_is_not_taken_for_none(tmp_path: Path) -> None:
    west = FRAME.lonlat(-500.0, 0.0)[0]
    catalog = towns(
        tmp_path,
        [shapely.box(2000, 0, 3000, 1000)],
        more=f"coverage = [{west}, 43.0, -116.0, 45.0]",
    )
    found = asked(catalog, shapely.box(0, 0, 100, 100), shapely.box(-600, 0, -450, 100))
    assert list(found.verdict_municipality) == ["complies", "not-determined"]
    assert np.isnan(found.municipal_distance_m[1])
    assert np.isnan(found.municipal_share[1])


def test_far_towns_are_neither_measured_nor_named_and_each_keeps_its_own_name(
    tmp_path: Path,
) -> None:
    far, near = shapely.box(-400_000, 0, -399_000, 1000), shapely.box(2000, 0, 3000, 1000)
    catalog = towns(tmp_path, [far, near])
    found = asked(catalog, shapely.box(0, 0, 100, 100), shapely.box(-70_000, 0, -69_900, 100))
    assert found.place_geoid[0] == "2"
    assert pd.isna(found.place_geoid[1])
    assert found.municipal_distance_m[0] == pytest.approx(1900, rel=1e-4)
    assert np.isnan(found.municipal_distance_m[1])
    # The layer does not say where it ends: nothing shown for 60 km is not nothing there.
    assert found.verdict_municipality.tolist() == ["complies", "not-determined"]


def test_a_county_layer_of_elsewhere_does_not_take_land_out_of_the_county(tmp_path: Path) -> None:
    frame = gpd.GeoDataFrame(
        {"name": ["Elsewhere"], "geoid": ["99999"]},
        geometry=[FRAME.to_geographic(shapely.box(90_000, 0, 99_000, 9_000))], crs=WGS84,
    )  # fmt: skip
    frame.to_file(tmp_path / "county.fgb")
    fields = 'fields = { name = "name", geoid = "geoid" }\n'
    catalog = layers(tmp_path, county=("county.fgb", fields))
    near, far = shapely.box(89_900, 0, 89_990, 100), shapely.box(0, 0, 100, 100)
    found = asked(catalog, near, far)
    assert found.verdict_county.tolist() == ["not-applicable", "not-determined"]


def test_no_layer_at_all_determines_nothing(tmp_path: Path) -> None:
    places = towns(tmp_path, [shapely.box(2000, 0, 3000, 1000)])
    found = asked(places, shapely.box(0, 0, 100, 100)).iloc[0]
    for name in ("county", "wildfire", "flood", "terrain", "jurisdiction"):
        assert found[f"verdict_{name}"] == "not-determined"
    for name in (
        "wildfire_share_1",
        "flood_share",
        "slope_share",
        "road_distance_m",
        "county_share",
    ):
        assert np.isnan(found[name])


def test_parcels_off_the_raster_or_on_its_gaps_have_no_shares(tmp_path: Path) -> None:
    albers = CRS.from_epsg(5070)
    at = to_crs(FRAME.to_geographic(shapely.Point(0, 0)), WGS84, albers)
    values = np.full((100, 100), 1, dtype="uint8")
    values[40:60, 40:60] = 255
    with rasterio.open(
        tmp_path / "w.tif", "w", driver="GTiff", height=100, width=100, count=1, dtype="uint8",
        crs="EPSG:5070", transform=from_origin(at.x - 9_000, at.y + 9_000, 180, 180), nodata=255,
    ) as out:  # fmt: skip
        out.write(values, 1)
    catalog = layers(tmp_path, wildfire=("w.tif", ""))
    gap, edge, off, well = (
        shapely.box(x - 200, y - 200, x + 200, y + 200)
        for x, y in ((0, 0), (0, 8_900), (60_000, 0), (5_500, 0))
    )
    found = asked(catalog, gap, edge, off, well)
    assert found.wildfire_share_1.isna().tolist() == [True, False, True, False]
    assert found.verdict_wildfire.tolist() == [
        "not-determined", "needs-review", "not-determined", "complies",
    ]  # fmt: skip
    assert found.wildfire_coverage[1] < 1


def test_unmapped_land_is_not_dry_land(tmp_path: Path) -> None:
    zones = gpd.GeoDataFrame(
        {"FLD_ZONE": ["X", "AE"]},
        geometry=[FRAME.to_geographic(shapely.box(x, 0, x + 1000, 1000)) for x in (0, 1000)],
        crs=WGS84,
    )
    zones.to_file(tmp_path / "f.fgb")
    catalog = layers(tmp_path, flood=("f.fgb", 'fields = { zone = "FLD_ZONE" }'))
    dry, wet, half, off = (shapely.box(x, 400, x + 200, 600) for x in (400, 900, -100, -5000))
    found = asked(catalog, dry, wet, half, off)
    assert found.verdict_flood.tolist() == ["complies", *["needs-review"] * 3]
    assert found.flood_share[1] == pytest.approx(0.5, rel=1e-3)
    assert found.flood_mapped_share[2] == pytest.approx(0.5, rel=1e-3)
    assert np.isnan(found.flood_share[[2, 3]]).all()


def wkb(*shapes: Any) -> Any:
    return np.array([None if s is None else shapely.to_wkb(s) for s in shapes], dtype=object)


def test_rows_that_are_no_parcel_say_why() -> None:
    square = shapely.box(-116.5, 43.9, -116.49, 43.91)
    far = shapely.union_all(
        [shapely.box(179.9, 51, 180, 51.1), shapely.box(-180, 51, -179.9, 51.1)]
    )
    with np.errstate(invalid="ignore"):
        gone = shapely.Polygon([(-116.5, 43.9), (float("nan"), 43.9), (-116.4, 44), (-116.5, 43.9)])
    rows = wkb(
        square, None, shapely.Polygon(), shapely.Point(-116.5, 43.9),
        shapely.LineString([(-116.5, 43.9), (-116.4, 43.9)]), gone,
        shapely.box(550_000, 4_860_000, 550_400, 4_860_400),
        shapely.box(-116.5, 43.9, -116.49, 43.900000001), far,
    )  # fmt: skip
    rows = np.append(rows, b"no geometry at all")
    found = cleaned(rows, WGS84)
    assert [fault and fault.split(";")[0] for fault in found.fault] == [
        None,
        "it has no geometry",
        "its geometry is empty",
        "its geometry is a point, no area",
        "its geometry is a line, no area",
        "a coordinate is not a number",
        "its coordinates do not belong to the file's CRS",
        "its area is less than a square metre",
        "it lies on both sides of the 180th meridian",
        "its geometry cannot be read",
    ]
    assert shapely.is_missing(found.polygons).tolist() == [False, *[True] * 9]


def test_an_outline_that_crosses_itself_is_mended_and_told() -> None:
    bow = shapely.Polygon([(-116.5, 43.9), (-116.49, 43.91), (-116.49, 43.9), (-116.5, 43.91)])
    found = cleaned(wkb(bow), WGS84)
    assert found.fault[0] is None
    assert found.mended[0]
    assert shapely.is_valid(found.polygons[0])
    assert shapely.area(found.polygons[0]) == pytest.approx(0.5 * 0.01 * 0.01)
