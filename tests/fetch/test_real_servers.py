"""Rows come whole from servers that others wrote: Koop's FeatureServer, pygeoapi, MapServer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyogrio
import pytest
import shapely

from site_eval.layers.catalog import load_catalog
from site_eval.layers.layer import read_layer
from tests.fetch.ground import all_pins, fetch, parcels, pins, recipe, write_json
from tests.fetch.servers import koop, mapserver, pygeoapi

ROWS, FAR = 1_230, 70


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    write_json(
        folder / "lots.geojson",
        {**parcels(ROWS, far=FAR), "metadata": {"name": "lots", "idField": "OBJECTID"}},
    )
    return folder


@pytest.fixture(scope="module")
def feature_server(data: Path) -> Iterator[str]:
    with koop(data) as services:
        yield f"{services}/lots/FeatureServer"


@pytest.fixture(scope="module")
def ogc_collection(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pygeoapi(tmp_path_factory.mktemp("pygeoapi"), data / "lots.geojson") as address:
        yield address


@pytest.mark.parametrize("path", ["", "/0"])
def test_a_feature_server_gives_the_rows_in_the_box_and_no_other(
    path: str, feature_server: str, tmp_path: Path
) -> None:
    wanted = recipe(tmp_path, "arcgis-feature", feature_server + path, service="page_rows = 300")
    fetched = fetch(wanted, tmp_path / "out")
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
    # 1,230 rows by 300 are five pages.
    assert (fetched.rows, fetched.server_count, fetched.pages) == (ROWS, ROWS, 5)
    assert fetched.remarks == ()


def test_geometry_comes_as_it_was_drawn(feature_server: str, data: Path, tmp_path: Path) -> None:
    fetch(recipe(tmp_path, "arcgis-feature", feature_server), tmp_path / "out")
    theirs = pyogrio.read_dataframe(data / "lots.geojson").set_index("PIN").geometry[:ROWS]
    ours = pyogrio.read_dataframe(tmp_path / "out" / "lots.fgb").set_index("PIN").geometry
    apart = shapely.area(shapely.symmetric_difference(ours.loc[theirs.index].array, theirs.array))
    # A square centimetre is 1e-14 of a square degree here.
    assert apart.max() < 1e-14


def test_a_where_clause_with_the_county_s_number_is_filled_in(
    feature_server: str, tmp_path: Path
) -> None:
    clause = "where = \"PIN < 'P00{county_fips}' AND '{geoid}' = '16045'\"\narea = 'all'"
    wanted = recipe(tmp_path, "arcgis-feature", feature_server, service=clause)
    fetched = fetch(wanted, tmp_path / "out")
    # County 045: the parcels P00000 to P00044.
    assert fetched.asked == {"where": "PIN < 'P00045' AND '16045' = '16045'"}
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(45)


def test_a_collection_comes_whole_page_by_page(ogc_collection: str, tmp_path: Path) -> None:
    fetched = fetch(recipe(tmp_path, "ogc-features", ogc_collection), tmp_path / "out")
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
    # The server gives 400 a page, whatever is asked.
    assert (fetched.rows, fetched.server_count, fetched.pages) == (ROWS, ROWS, 4)
    assert fetched.entry.incomplete is None


def test_a_collection_s_kept_pages_are_gone_on_from(ogc_collection: str, tmp_path: Path) -> None:
    wanted = recipe(tmp_path, "ogc-features", ogc_collection)

    def stop_after_two(done: int, _whole: int) -> None:
        if done == 800:
            raise KeyboardInterrupt

    from site_eval.layers.fetch.story import Order, fetch_layer
    from tests.fetch.ground import BOX, GEM, NOON, QUICK

    order = Order(geoid=GEM, out=tmp_path / "out", box=BOX, manners=QUICK)
    with pytest.raises(KeyboardInterrupt):
        fetch_layer(wanted, order, now=lambda: NOON, tell=stop_after_two)
    fetched = fetch(wanted, tmp_path / "out", resume=True)
    # Four pages, two of them kept.
    assert (fetched.questions, fetched.pages, fetched.resumed) == (2, 4, True)
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)


def test_a_wfs_comes_whole_though_it_counts_no_further_than_its_cap(
    data: Path, tmp_path: Path
) -> None:
    with mapserver(tmp_path, data / "lots.geojson") as address:
        wanted = recipe(tmp_path, "wfs", address, service='layer_name = "lots"')
        fetched = fetch(wanted, tmp_path / "out")
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
    # Four pages and an empty one; MapServer's own number stops at its cap of 400.
    assert (fetched.rows, fetched.server_count, fetched.pages) == (ROWS, 400, 5)
    assert fetched.remarks == ("The service counts 400 rows and gave 1,230.",)


def test_the_fetched_layer_is_read_near_a_place_with_our_names(
    feature_server: str, tmp_path: Path
) -> None:
    fetch(recipe(tmp_path, "arcgis-feature", feature_server), tmp_path / "out")
    entry = load_catalog(tmp_path / "out" / "catalog.toml").of_kind("parcels")[0]
    near = read_layer(entry, near=(-116.5955, 43.8545, -116.5945, 43.8555))
    assert list(near["number"]) == ["P00000"]
