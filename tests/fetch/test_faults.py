"""Rows come whole from services that cap, lie and break off, or it is said that they did not."""

from __future__ import annotations

import json
from pathlib import Path

import pyogrio
import pytest

from site_eval.errors import SiteEvalError
from site_eval.layers.catalog import load_catalog
from site_eval.layers.fetch.record import read_record
from site_eval.layers.layer import cite
from tests.fetch.faults import Faults, feature_app
from tests.fetch.ground import all_pins, fetch, parcels, pins, recipe
from tests.fetch.servers import free_port, serving

ROWS = 230


@pytest.fixture(scope="module")
def lots() -> dict:
    return parcels(ROWS)


def got(tmp_path: Path, lots: dict, faults: Faults, **changes):
    """Fetch all parcels from a server with *faults*, 50 rows asked for at once."""
    with serving(feature_app(lots, faults)) as address:
        wanted = recipe(
            tmp_path, "arcgis-feature", f"{address}/FeatureServer/0", service="page_rows = 50"
        )
        return fetch(wanted, tmp_path / "out", **changes)


PASSING: dict[str, Faults] = {
    "nothing": Faults(),
    "a cap below the stated one": Faults(cap=7),
    "a stated cap below ours": Faults(stated_cap=20, cap=20),
    "no order": Faults(ordered=False, cap=13),
    "an older server": Faults(old=True, cap=45),
    "row numbers unknown to it": Faults(knows_ids=False, cap=40),
    "a capped list of row numbers": Faults(id_cap=60),
    "busy, then not": Faults(script=["busy", "", "busy", "busy"]),
    "too many questions": Faults(script=["too many", "too many"]),
    "an error with status 200": Faults(script=["", "error in 200", "error in 200"]),
    "a page cut off": Faults(script=["cut off", "", "cut off"]),
    "fewer bytes than announced": Faults(script=["short"]),
    "a web page in between": Faults(script=["", "web page"]),
    "a connection reset in the middle": Faults(script=["reset", "", "reset"]),
}


@pytest.mark.parametrize("name", PASSING)
def test_every_row_comes_in_spite_of(name: str, tmp_path: Path, lots: dict) -> None:
    fetched = got(tmp_path, lots, PASSING[name])
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
    assert (fetched.rows, fetched.server_count, fetched.entry.incomplete) == (ROWS, ROWS, None)
    assert not (tmp_path / "out" / ".pages").exists()


def test_holes_stay_holes(tmp_path: Path, lots: dict) -> None:
    got(tmp_path, lots, Faults())
    rows = pyogrio.read_dataframe(tmp_path / "out" / "lots.fgb")
    holes = sum(
        len(part.interiors) for area in rows.geometry for part in getattr(area, "geoms", [area])
    )
    assert holes == len(range(0, ROWS, 7))


def test_fewer_rows_than_counted_are_told_and_decide_nothing(tmp_path: Path, lots: dict) -> None:
    fetched = got(tmp_path, lots, Faults(count=ROWS + 40))
    assert fetched.entry.incomplete == "the service counts 270 rows and lists 230"
    assert (fetched.rows, fetched.server_count) == (ROWS, ROWS + 40)
    entry = next(e for e in load_catalog(tmp_path / "out" / "catalog.toml").of_kind("parcels"))
    assert (entry.grade, entry.coverage) == ("inferred", None)


def test_more_rows_than_counted_are_all_there_with_a_remark(tmp_path: Path, lots: dict) -> None:
    fetched = got(tmp_path, lots, Faults(count=100))
    assert fetched.remarks == ("The service counts 100 rows and lists 230.",)
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
    assert fetched.entry.incomplete is None


def test_rows_listed_and_never_given_are_named_and_the_rest_is_there(
    tmp_path: Path, lots: dict
) -> None:
    # Row numbers 11 + 3 n of the parcels 5 and 100.
    fetched = got(tmp_path, lots, Faults(withheld=frozenset({26, 311})))
    assert fetched.entry.incomplete == "2 rows are listed and not given (OBJECTID 26, 311)"
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS, but=[5, 100])


def test_a_server_that_lists_and_gives_nothing_is_not_asked_for_each_row(
    tmp_path: Path, lots: dict
) -> None:
    faults = Faults(withheld=frozenset(feature["id"] for feature in lots["features"]))
    fetched = got(tmp_path, lots, faults)
    assert (fetched.rows, fetched.entry.coverage) == (0, None)
    assert "230 rows are listed and not given" in str(fetched.entry.incomplete)
    assert len(faults.ranges()) < 5 * 30


def test_an_address_copied_from_a_browser_will_do(tmp_path: Path, lots: dict) -> None:
    with serving(feature_app(lots, Faults())) as address:
        pasted = f"{address}/FeatureServer/0/query?where=1%3D1&f=html"
        wanted = recipe(tmp_path, "arcgis-feature", pasted)
        assert fetch(wanted, tmp_path / "out").address == f"{address}/FeatureServer/0"


@pytest.mark.parametrize(
    ("fault", "phrase"),
    [
        ("sign in", "name a layer that is open to all"),
        ("error in 200", "the service answers 'Error performing query' (500)"),
        ("web page", "the answer is a web page, not data"),
        ("cut off", "the answer is cut off or is not JSON"),
        ("busy", "status 503"),
        ("rude", "the service answers '[2J no rows' (400)"),
    ],
)
def test_a_fault_that_stays_is_one_sentence_and_leaves_nothing_half_written(
    fault: str, phrase: str, tmp_path: Path, lots: dict
) -> None:
    with pytest.raises(SiteEvalError) as caught:
        got(tmp_path, lots, Faults(script=[fault] * 500))
    assert phrase in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".pages"]


def test_pages_that_came_are_not_asked_for_again(tmp_path: Path, lots: dict) -> None:
    faults = Faults(script=["", "", "", *["sign in"] * 500])
    with serving(feature_app(lots, faults)) as address:
        wanted = recipe(
            tmp_path, "arcgis-feature", f"{address}/FeatureServer/0", service="page_rows = 50"
        )
        with pytest.raises(SiteEvalError):
            fetch(wanted, tmp_path / "out")
        faults.script.clear()
        faults.asked.clear()
        (damaged,) = (tmp_path / "out" / ".pages" / "lots").glob("000001-*.page")
        damaged.write_bytes(damaged.read_bytes()[:-9])
        fetched = fetch(wanted, tmp_path / "out", resume=True)
    # Of five pages the first and the third are kept; the second was damaged on the disk.
    assert len(faults.ranges()) == 3
    assert fetched.resumed
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)


def test_pages_of_another_state_of_the_service_are_not_mixed_in(tmp_path: Path, lots: dict) -> None:
    fewer = {**lots, "features": lots["features"][:-1]}
    faults = Faults(script=["", "", *["sign in"] * 500])
    app = feature_app(fewer, faults)
    with serving(app) as address:
        wanted = recipe(
            tmp_path, "arcgis-feature", f"{address}/FeatureServer/0", service="page_rows = 50"
        )
        with pytest.raises(SiteEvalError):
            fetch(wanted, tmp_path / "out")
        faults.script.clear()
        fewer["features"].append(lots["features"][-1])
        fetched = fetch(wanted, tmp_path / "out", resume=True)
    assert not fetched.resumed
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)


def test_what_was_there_stays_when_a_new_fetch_fails(tmp_path: Path, lots: dict) -> None:
    got(tmp_path, lots, Faults())
    before = (tmp_path / "out" / "lots.fgb").read_bytes()
    with pytest.raises(SiteEvalError):
        got(tmp_path, lots, Faults(script=["sign in"] * 500))
    assert (tmp_path / "out" / "lots.fgb").read_bytes() == before
    entry = load_catalog(tmp_path / "out" / "catalog.toml").of_kind("parcels")[0]
    assert cite(entry).sha256 == entry.sha256


def test_the_finding_s_source_tells_where_when_and_of_what_date(tmp_path: Path, lots: dict) -> None:
    fetched = got(tmp_path, lots, Faults())
    source = cite(load_catalog(tmp_path / "out" / "catalog.toml").of_kind("parcels")[0])
    assert source.name == "Lots, fetched 2027-02-01"
    # 1,704,067,200 s after 1970 began is the first second of 2024.
    assert (source.publisher, source.vintage, source.licence) == (
        "Example County", "2024-01-01", "CC0-1.0",
    )  # fmt: skip
    record = read_record(tmp_path / "out")
    assert record is not None
    assert record.layers == (fetched,)
    assert json.loads((tmp_path / "out" / "fetched.json").read_text())["schema"] == (
        "site-eval/fetched/1"
    )


def test_a_layer_is_found_by_a_part_of_its_name(tmp_path: Path, lots: dict) -> None:
    with serving(feature_app(lots, Faults())) as address:
        url = f"{address}/FeatureServer"
        found = recipe(tmp_path, "arcgis-feature", url, service='layer_name = "tax"')
        assert fetch(found, tmp_path / "out").rows == ROWS
        lost = recipe(tmp_path, "arcgis-feature", url, service='layer_name = "parcel"')
        with pytest.raises(SiteEvalError, match="0 'Tax Lots', 1 'Roads'"):
            fetch(lost, tmp_path / "out")


def test_a_field_that_is_not_there_is_told_before_any_row_is_asked_for(
    tmp_path: Path, lots: dict
) -> None:
    faults = Faults()
    with serving(feature_app(lots, faults)) as address:
        wanted = recipe(tmp_path, "arcgis-feature", f"{address}/FeatureServer/0")
        with pytest.raises(SiteEvalError, match=r"add --field lots.number=NAME with one of:.*PIN"):
            fetch(wanted, tmp_path / "out", fields={"lots": {"number": "APN"}})
    assert faults.asked == []


def test_only_the_fields_that_are_kept_are_asked_for(tmp_path: Path, lots: dict) -> None:
    faults = Faults()
    with serving(feature_app(lots, faults)) as address:
        wanted = recipe(tmp_path, "arcgis-feature", f"{address}/FeatureServer/0", more="keep = []")
        fetch(wanted, tmp_path / "out")
    assert {q["outFields"] for q in faults.asked if "outFields" in q} == {"OBJECTID,PIN"}
    assert list(pyogrio.read_info(tmp_path / "out" / "lots.fgb")["fields"]) == ["PIN"]


def test_a_host_that_refuses_is_one_sentence(tmp_path: Path) -> None:
    wanted = recipe(tmp_path, "arcgis-feature", f"http://127.0.0.1:{free_port()}/FeatureServer/0")
    with pytest.raises(SiteEvalError, match="the connection is refused") as caught:
        fetch(wanted, tmp_path / "out")
    assert len(str(caught.value).splitlines()) == 1


def test_rows_with_latitude_and_longitude_turned_are_refused(tmp_path: Path) -> None:
    turned = parcels(20)
    for feature in turned["features"]:
        rings = feature["geometry"]["coordinates"]
        feature["geometry"]["coordinates"] = [[p[::-1] for p in ring][::-1] for ring in rings]
    with pytest.raises(SiteEvalError, match="all 20 rows lie outside the box"):
        got(tmp_path, turned, Faults())


def test_a_layer_without_rows_is_written_and_says_that_nothing_is_there(tmp_path: Path) -> None:
    fetched = got(tmp_path, parcels(0), Faults())
    assert (fetched.rows, fetched.entry.incomplete) == (0, None)
    from site_eval.layers.layer import read_layer

    entry = load_catalog(tmp_path / "out" / "catalog.toml").of_kind("parcels")[0]
    near = read_layer(entry, near=(-116.5, 43.8, -116.4, 43.9))
    assert len(near) == 0
    assert "number" in near
