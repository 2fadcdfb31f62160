"""The catalog of layers says what each is; a layer is read near a place and cited with its hash."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import rasterio
import shapely
from click.testing import CliRunner
from rasterio.transform import from_origin

from site_eval.cli.layers import layers
from site_eval.errors import SiteEvalError
from site_eval.formats import holes_share, read_raster_info
from site_eval.layers.catalog import Catalog, load_catalog
from site_eval.layers.inspection import age_days, inspect_catalog
from site_eval.layers.layer import cite, read_layer
from site_eval.record.verdict import Grade

EMMETT = (-116.55, 43.83, -116.44, 43.90)

ENTRY = """
[[layer]]
id = "homes"
kind = "residences"
name = "Homes"
publisher = "Example County"
vintage = "2026-01"
licence = "public record"
grade = "authoritative"
file = "homes.gpkg"
"""


def catalog_of(folder: Path, text: str = ENTRY) -> Path:
    path = folder / "catalog.toml"
    path.write_text(text)
    return path


def homes(folder: Path, crs: str = "EPSG:32611") -> gpd.GeoDataFrame:
    frame = gpd.GeoDataFrame(
        {"number": [1, 2]}, geometry=gpd.points_from_xy([-116.5, -115.0], [43.87, 44.0]), crs=4326
    )
    frame.to_crs(crs).to_file(folder / "homes.gpkg")
    return frame


def test_bundled_catalog_is_whole_and_graded() -> None:
    catalog = load_catalog()
    assert {"county", "places", "plss_control", "parcels", "wildfire"} <= {
        e.kind for e in catalog.entries
    }
    for entry in catalog.entries:
        made_up = entry.file is not None and "illustrative" in entry.file.parts
        assert made_up == (entry.grade is Grade.ILLUSTRATIVE), entry.id
        assert entry.file is not None
        assert entry.file.stat().st_size < 1_000_000


def test_bundled_places_are_incorporated_only_and_the_inactive_one_is_there() -> None:
    (entry,) = load_catalog().of_kind("places")
    places = read_layer(entry)
    assert len(places) == 201
    assert places["class"].str.startswith("C").all()
    assert list(places.loc[places["status"] != "A", "name"]) == ["Lost River city"]


def test_rows_near_a_place_are_those_that_touch_it() -> None:
    (entry,) = load_catalog().of_kind("places")
    near = read_layer(entry, near=EMMETT)
    assert list(near["geoid"]) == ["1625570"]
    assert near.crs == "EPSG:4326"
    nothing = read_layer(entry, near=(-114.0, 46.0, -113.99, 46.01))
    assert len(nothing) == 0
    assert "geoid" in nothing


def test_emmett_keeps_its_area_in_the_compact_layer() -> None:
    """ALAND + AWATER of TIGER/Line 2019 for GEOID 1625570: 7,274,574 + 64,993 m²."""
    (entry,) = load_catalog().of_kind("places")
    emmett = read_layer(entry, near=EMMETT).to_crs(5070)
    assert emmett.area.iloc[0] == pytest.approx(7_339_567, rel=2e-4)


def test_gem_county_keeps_its_area() -> None:
    """ALAND + AWATER of the Census for 16045; the 1:500,000 line is generalised."""
    (entry,) = load_catalog().of_kind("county")
    counties = read_layer(entry)
    gem = counties[counties["geoid"] == "16045"].to_crs(5070)
    assert gem.area.iloc[0] == pytest.approx(1_449_853_967 + 12_434_158, rel=2e-3)


def test_endowment_tract_of_the_example_is_a_parcel() -> None:
    (entry,) = load_catalog().of_kind("parcels")
    tract = read_layer(entry).set_index("number").loc["PN20409"]
    assert tract["acres_legal"] == 80.0


def test_layer_in_another_crs_is_cut_by_its_own_index(tmp_path: Path) -> None:
    homes(tmp_path)
    (entry,) = load_catalog(catalog_of(tmp_path)).of_kind("residences")
    assert list(read_layer(entry, near=EMMETT)["number"]) == [1]
    assert len(read_layer(entry)) == 2


def test_citation_carries_the_files_hash_and_follows_a_change(tmp_path: Path) -> None:
    homes(tmp_path)
    (entry,) = load_catalog(catalog_of(tmp_path)).of_kind("residences")
    first = cite(entry)
    assert first.sha256 == hashlib.sha256((tmp_path / "homes.gpkg").read_bytes()).hexdigest()
    assert (first.publisher, first.vintage, first.grade) == (
        "Example County",
        "2026-01",
        "authoritative",
    )
    with (tmp_path / "homes.gpkg").open("ab") as stream:
        stream.write(b"\0" * 10)
    assert cite(entry).sha256 != first.sha256


def test_own_catalog_extends_the_bundled_one_and_real_data_push_out_made_up(tmp_path: Path) -> None:
    homes(tmp_path)
    catalog = load_catalog(catalog_of(tmp_path, 'extends = "bundled"\n' + ENTRY))
    assert [e.id for e in catalog.of_kind("residences")] == ["homes"]
    assert catalog.of_kind("places")
    assert catalog.of_kind("wildfire")


def test_invalid_areas_are_mended_and_counted(tmp_path: Path) -> None:
    bow_tie = shapely.Polygon(
        [(-116.5, 43.87), (-116.49, 43.88), (-116.49, 43.87), (-116.5, 43.88)]
    )
    gpd.GeoDataFrame({"n": [1]}, geometry=[bow_tie], crs=4326).to_file(tmp_path / "homes.gpkg")
    (entry,) = load_catalog(catalog_of(tmp_path)).of_kind("residences")
    rows = read_layer(entry, near=EMMETT)
    assert rows.geometry.is_valid.all()
    assert rows.attrs["mended"] == 1


def test_illustrative_raster_has_the_form_of_whp_2023() -> None:
    (entry,) = load_catalog().of_kind("wildfire")
    assert entry.file is not None
    info = read_raster_info(entry.file)
    assert (info.crs.to_epsg(), info.dtype, info.nodata, info.cell_width) == (
        5070,
        "uint8",
        255.0,
        90.0,
    )
    with rasterio.open(entry.file) as source:
        assert set(np.unique(source.read(1))) == set(range(1, 8))


BAD: dict[str, tuple[str, str]] = {
    "not TOML": ("[[layer]", "not TOML"),
    "no layers": ("", "is empty"),
    "only a comment": ("# nothing\n", "has no layer"),
    "strange table": ("[layers]\n", "no key 'layers'"),
    "unknown key": (ENTRY + 'grad = "x"\n', "perhaps 'grade' is meant"),
    "unknown grade": (ENTRY.replace("authoritative", "official"), "grade"),
    "unknown kind": (ENTRY.replace("residences", "houses"), "kind"),
    "no licence": (ENTRY.replace('licence = "public record"\n', ""), "'licence' is missing"),
    "vintage in words": (ENTRY.replace("2026-01", "last year"), "vintage"),
    "no file": (ENTRY.replace('file = "homes.gpkg"\n', ""), "neither a file nor a service"),
    "file not there": (ENTRY.replace("homes.gpkg", "home.gpkg"), "'home.gpkg' is not there"),
    "two of one id": (ENTRY + ENTRY, "two layers have this id"),
    "extends nothing": ('extends = "county"\n' + ENTRY, 'write extends = "bundled"'),
    "uncertainty below zero": (ENTRY + "uncertainty_m = -1\n", "uncertainty_m"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_catalog_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    text, phrase = BAD[name]
    homes(tmp_path)
    with pytest.raises(SiteEvalError) as caught:
        load_catalog(catalog_of(tmp_path, text))
    assert phrase in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("extra", "phrase"),
    [
        ('fields = { name = "NAME" }\n', "has no field 'NAME'; map it to one of: number"),
        ('layer = "nothing"\n', "layer"),
    ],
)
def test_layer_that_does_not_fit_its_entry(extra: str, phrase: str, tmp_path: Path) -> None:
    homes(tmp_path)
    (entry,) = load_catalog(catalog_of(tmp_path, ENTRY + extra)).of_kind("residences")
    for near in (None, EMMETT):
        with pytest.raises(SiteEvalError, match=phrase):
            read_layer(entry, near=near)


def test_service_that_was_not_fetched_is_listed_but_not_at_hand(tmp_path: Path) -> None:
    text = ENTRY.replace('file = "homes.gpkg"', 'service = "https://example.org/FeatureServer/0"')
    catalog = load_catalog(catalog_of(tmp_path, text))
    assert catalog.of_kind("residences") == ()
    with pytest.raises(SiteEvalError, match="has not been fetched"):
        read_layer(catalog.entries[0])


def raster(path: Path, *, crs: str | None = "EPSG:5070", nodata: float | None = 255) -> None:
    profile = {"driver": "GTiff", "dtype": "uint8", "count": 1, "width": 4, "height": 4}
    place = from_origin(-1_650_000, 2_480_000, 90, 90)
    with rasterio.open(path, "w", crs=crs, nodata=nodata, transform=place, **profile) as target:
        target.write(np.full((1, 4, 4), 3, dtype="uint8"))


def test_inspection_tells_cover_age_and_faults(tmp_path: Path) -> None:
    homes(tmp_path)
    raster(tmp_path / "fire.tif", nodata=None)
    fire = (
        ENTRY.replace("homes.gpkg", "fire.tif")
        .replace('"homes"', '"fire"')
        .replace("residences", "wildfire")
    )
    old = ENTRY.replace("2026-01", "2019") + "max_age_days = 365\n"
    catalog = load_catalog(catalog_of(tmp_path, 'extends = "bundled"\n' + old + fire))
    reports = {r.id: r for r in inspect_catalog(catalog, county="16045", as_of=date(2027, 1, 1))}
    assert reports["homes"].remarks == ("2,922 days old, more than the 365 that are advised",)
    assert reports["homes"].problems == ()
    assert "states no nodata value" in reports["fire"].problems
    assert "covers only 0% of the county" in reports["fire"].problems
    assert reports["idaho-counties"].cover == pytest.approx(1.0)
    assert reports["homes"].crs == "WGS 84 / UTM zone 11N"


def test_holes_in_a_raster_are_told(tmp_path: Path) -> None:
    """A county box of 0.6 by 0.7 degrees on a raster whose western third has no data."""
    profile = {"driver": "GTiff", "dtype": "uint8", "count": 1, "width": 300, "height": 300}
    cells = np.full((1, 300, 300), 3, dtype="uint8")
    cells[:, :, :100] = 255
    place = from_origin(-117.0, 45.0, 0.005, 0.005)
    with rasterio.open(
        tmp_path / "fire.tif", "w", crs=4326, nodata=255, transform=place, **profile
    ) as target:
        target.write(cells)
    # Columns to -116.5 are holes: of a site from -116.6 to -116.4 they are a half.
    site = shapely.box(-116.6, 43.9, -116.4, 44.1)
    assert holes_share(tmp_path / "fire.tif", site) == pytest.approx(0.5, abs=0.02)
    text = ENTRY.replace("homes.gpkg", "fire.tif").replace("residences", "wildfire")
    catalog = load_catalog(catalog_of(tmp_path, text))
    (report,) = inspect_catalog(catalog, county="16045", as_of=date(2027, 1, 1), site=site)
    assert report.problems == ("has no data on about 50.0% of what it covers of the site",)


def test_age_counts_from_the_first_day_of_a_vintage(tmp_path: Path) -> None:
    homes(tmp_path)
    (entry,) = load_catalog(catalog_of(tmp_path)).entries
    assert age_days(entry, as_of=date(2026, 3, 1)) == 31 + 28


def test_raster_without_crs_is_refused(tmp_path: Path) -> None:
    raster(tmp_path / "a.tif", crs=None)
    with pytest.raises(SiteEvalError, match="has no CRS"):
        read_raster_info(tmp_path / "a.tif")


def test_commands_print_json_and_say_whether_a_layer_has_a_problem(tmp_path: Path) -> None:
    listed = CliRunner().invoke(layers, ["list", "--json"])
    assert listed.exit_code == 0
    assert {row["id"] for row in json.loads(listed.output)} >= {
        "idaho-places",
        "wildfire-illustrative",
    }
    checked = CliRunner().invoke(layers, ["check", "--json", "--as-of", "2027-04-15"])
    assert checked.exit_code == 0, checked.output
    homes(tmp_path)
    wrong = catalog_of(tmp_path, ENTRY + 'fields = { name = "NAME" }\n')
    failing = CliRunner().invoke(
        layers, ["check", "--json", "--layers", str(wrong), "--as-of", "2027-04-15"]
    )
    assert failing.exit_code == 1
    assert "has no field 'NAME'" in json.loads(failing.output)[0]["problems"][0]


def test_report_fits_eighty_columns() -> None:
    shown = CliRunner().invoke(layers, ["check", "--as-of", "2027-04-15"], env={"COLUMNS": "80"})
    assert "idaho-places" in shown.output
    assert max(len(line) for line in shown.output.splitlines()) <= 80


def test_of_kind_keeps_the_catalogs_order() -> None:
    catalog = load_catalog()
    twice = Catalog(catalog.file, (*catalog.entries, *catalog.entries))
    assert [e.id for e in twice.of_kind("places")] == ["idaho-places"] * 2
