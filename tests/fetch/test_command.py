"""``site-eval layers fetch``: killed and gone on with, offline, and handed on to the checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import shapely

from site_eval.cli import main
from site_eval.evaluate import evaluate
from site_eval.resources import bundled
from tests.fetch.faults import Faults, feature_app
from tests.fetch.ground import all_pins, parcels, pins, write_json
from tests.fetch.servers import free_port, koop, serving, static_app
from tests.fetch.test_archives import counties

BOX = "-116.60,43.85,-116.40,43.95"
ROWS = 230


def command(*arguments: Any) -> list[str]:
    code = "from site_eval.cli import main; main()"
    return [sys.executable, "-c", code, "layers", *map(str, arguments)]


@dataclass(frozen=True)
class Done:
    """How a command ended and what it said."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: Any, group: str = "layers") -> Done:
    """The command in this process, as ``main`` runs it."""
    status: Any = None
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()) as err,
    ):
        patch.setattr(sys, "argv", ["site-eval", group, *map(str, arguments)])
        try:
            main()
        except SystemExit as stopped:
            status = stopped.code
    return Done(int(status or 0), out.getvalue(), err.getvalue())


def lots(address: str, out: Path, *more: Any) -> list[Any]:
    return [
        "fetch", "--layer", "county-parcels", "--url", f"county-parcels={address}/FeatureServer/0",
        "--bbox", BOX, "--out", out, "--pause", 0, *more,
    ]  # fmt: skip


def test_a_fetch_that_is_killed_leaves_nothing_half_and_is_gone_on_with(tmp_path: Path) -> None:
    faults = Faults(stated_cap=10, delay_s=0.1)
    out = tmp_path / "out"
    with serving(feature_app(parcels(ROWS), faults)) as address:
        with subprocess.Popen(command(*lots(address, out))) as process:
            while len(faults.ranges()) < 6:
                assert process.poll() is None
                time.sleep(0.02)
            meanwhile = run(*lots(address, out))
            assert meanwhile.returncode == 2
            assert "another fetch is writing here" in meanwhile.stderr
            process.kill()
        # The lock of a killed process is a file that holds nobody off.
        assert {path.name for path in out.iterdir()} == {".pages", ".fetching"}
        before = faults.ranges()
        faults.asked.clear()
        faults.delay_s = 0.0
        done = run(*lots(address, out, "--resume", "--json"))
    assert done.returncode == 0, done.stderr
    (fetched,) = json.loads(done.stdout)
    assert (fetched["rows"], fetched["pages"], fetched["resumed"]) == (ROWS, 23, True)
    # No page that was answered and kept is asked for again: at most the one that was under way.
    again = set(before) & set(faults.ranges())
    assert len(again) <= 1
    assert len(set(before) | set(faults.ranges())) == 23
    assert pins(out / "county-parcels.fgb") == all_pins(ROWS)
    assert {path.name for path in out.iterdir()} == {
        "county-parcels.fgb", "catalog.toml", "fetched.json",
    }  # fmt: skip


def test_without_a_network_one_sentence_and_status_2(tmp_path: Path) -> None:
    done = run(
        "fetch", "--layer", "county-parcels", "--layer", "tiger-roads", "--bbox", BOX,
        "--url", "county-parcels=http://gis.county.invalid/FeatureServer/0",
        "--url", "tiger-roads=http://census.invalid/roads.zip",
        "--out", tmp_path / "out", "--tries", 2, "--pause", 0,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    (said,) = done.stderr.splitlines()
    assert "its name is not known here" in said
    assert "--resume" in said
    assert not (tmp_path / "out" / "catalog.toml").exists()


def test_one_layer_that_fails_does_not_keep_the_others_back(tmp_path: Path) -> None:
    with serving(feature_app(parcels(20), Faults())) as address:
        done = run(
            *lots(address, tmp_path), "--layer", "nfhl-flood-zones", "--tries", 1,
            "--url", f"nfhl-flood-zones=http://127.0.0.1:{free_port()}/MapServer/28",
        )  # fmt: skip
    assert done.returncode == 2
    assert "county-parcels" in done.stdout
    assert done.stderr.count("\n") == 1
    assert len(pins(tmp_path / "county-parcels.fgb")) == 20


def test_an_incomplete_layer_ends_with_1_and_check_tells_it(tmp_path: Path) -> None:
    with serving(feature_app(parcels(20), Faults(count=25))) as address:
        done = run(*lots(address, tmp_path))
    assert done.returncode == 1
    assert "! came incomplete: the service counts 25 rows and lists 20" in done.stdout
    checked = run("check", "--layers", tmp_path / "catalog.toml", "--json")
    assert checked.returncode == 1
    report = next(r for r in json.loads(checked.stdout) if r["id"] == "county-parcels")
    assert report["problems"] == ["came incomplete: the service counts 25 rows and lists 20"]


def test_check_tells_a_fetched_file_that_was_changed(tmp_path: Path) -> None:
    with serving(feature_app(parcels(20), Faults())) as address:
        run(*lots(address, tmp_path))
        other = tmp_path / "other"
        run(*lots(address, other))
    assert run("check", "--layers", tmp_path / "catalog.toml").returncode == 0
    from shutil import copy

    import pyogrio

    rows = pyogrio.read_dataframe(other / "county-parcels.fgb")[:5]
    pyogrio.write_dataframe(rows, other / "five.fgb", driver="FlatGeobuf")
    copy(other / "five.fgb", tmp_path / "county-parcels.fgb")
    checked = run("check", "--layers", tmp_path / "catalog.toml")
    assert checked.returncode == 1
    assert "the file was changed since it was fetched" in checked.stdout


def test_a_county_that_is_not_at_hand_is_got_first(tmp_path: Path) -> None:
    """The box of the county comes from the county layer that the same command fetches."""
    counties(tmp_path)
    with serving(static_app(tmp_path, [])) as static:
        alone = run("fetch", "--county", "16999", "--layer", "tiger-roads", "--out", tmp_path / "a")
        assert alone.returncode == 2
        with serving(feature_app(parcels(20), Faults())) as address:
            done = run(
                "fetch", "--county", "16004", "--out", tmp_path / "b", "--pause", 0,
                "--layer", "county-parcels", "--layer", "tiger-counties", "--json",
                "--url", f"county-parcels={address}/FeatureServer/0",
                "--url", f"tiger-counties={static}/county.zip",
            )  # fmt: skip
    # The parcels of the test server lie in another county: they are refused, by that box.
    assert "rows lie outside the box" in done.stderr
    assert json.loads(done.stdout)[0]["entry"]["id"] == "tiger-counties"
    from site_eval.layers.catalog import load_catalog

    ids = [entry.id for entry in load_catalog(tmp_path / "b" / "catalog.toml").of_kind("county")]
    assert ids == ["tiger-counties"]


def test_resume_leaves_a_layer_that_came_whole_a_while_ago(tmp_path: Path) -> None:
    faults = Faults()
    with serving(feature_app(parcels(20), faults)) as address:
        run(*lots(address, tmp_path))
        faults.asked.clear()
        done = run(*lots(address, tmp_path, "--resume"))
        assert (done.returncode, faults.asked) == (0, [])
        assert "20 rows" in done.stdout
        run(*lots(address, tmp_path))
        assert faults.asked != []


def test_a_file_that_was_removed_is_fetched_again(tmp_path: Path) -> None:
    with serving(feature_app(parcels(20), Faults())) as address:
        run(*lots(address, tmp_path))
        (tmp_path / "county-parcels.fgb").unlink()
        assert run("check", "--layers", tmp_path / "catalog.toml").returncode == 2
        # Without --bbox: the county is looked up in this catalog first.
        arguments = [a for a in lots(address, tmp_path, "--resume") if a not in {"--bbox", BOX}]
        assert run(*arguments).returncode == 0
    assert len(pins(tmp_path / "county-parcels.fgb")) == 20


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with serving(static_app(tmp_path, [])) as address:
        for layer, more in (("tiger-roads", []), ("usgs-dem", ["--bbox", BOX])):
            done = run(
                "fetch", "--layer", layer, "--url", f"{layer}={address}/file",
                "--out", tmp_path / "file" / "under", "--pause", 0, *more,
            )  # fmt: skip
            assert done.returncode == 2
            assert len(done.stderr.splitlines()) == 1


def test_a_folder_of_another_county_is_left_alone(tmp_path: Path) -> None:
    with serving(feature_app(parcels(20), Faults())) as address:
        run(*lots(address, tmp_path))
        done = run(*lots(address, tmp_path), "--county", "16001")
    assert done.returncode == 2
    assert "holds the layers of county 16045" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (["--county", "Gem"], "'Gem' is no county's GEOID"),
        (["--layer", "nfhl"], "there is no recipe 'nfhl'"),
        (["--layer", "county-parcels"], "add --url county-parcels="),
        (["--url", "county-parcels"], "has no = in it"),
        (["--url", "county-parcels=ftp://x"], "is no web address"),
        (["--bbox", "1,2,3"], "is no box"),
        (["--recipes", "nowhere"], "the folder holds no recipe"),
    ],
)
def test_a_wrong_option_is_one_sentence(arguments: list[str], phrase: str, tmp_path: Path) -> None:
    done = run("fetch", "--out", tmp_path, *arguments)
    assert done.returncode == 2
    assert phrase in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_fetched_flood_zones_answer_the_question_and_are_cited(tmp_path: Path) -> None:
    """The bundled recipe, against Koop with the fields of the national layer, to the finding."""
    zones = [
        {
            "type": "Feature",
            "id": number,
            "properties": {"OBJECTID": number, "FLD_ZONE": zone, "SFHA_TF": flag},
            "geometry": {"type": "Polygon", "coordinates": [ring]},
        }
        for number, zone, flag, ring in (
            (1, "AE", "T", box_ring(-116.70, -116.6775)),
            (2, "X", "F", box_ring(-116.6775, -116.65)),
        )
    ]
    collection = {"type": "FeatureCollection", "features": zones}
    meta = {"metadata": {"name": "zones", "idField": "OBJECTID"}}
    write_json(tmp_path / "zones.geojson", collection | meta)
    with koop(tmp_path) as services:
        done = run(
            "fetch", "--layer", "nfhl-flood-zones", "--out", tmp_path / "out",
            "--url", f"nfhl-flood-zones={services}/zones/FeatureServer/0",
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    judged = evaluate(
        bundled("examples", "sand-hollow", "application.toml"),
        catalog_file=tmp_path / "out" / "catalog.toml",
        as_of=date(2027, 4, 15),
        generated_at=datetime(2027, 4, 15, tzinfo=UTC),
    )
    (finding,) = [f for f in judged.findings if f.check == "flood"]
    (source,) = [s for s in finding.sources if s.name.startswith("Flood hazard zones")]
    today = datetime.now(UTC).date().isoformat()
    assert source.name == f"Flood hazard zones (National Flood Hazard Layer), fetched {today}"
    assert (source.publisher, source.grade) == ("Federal Emergency Management Agency", "published")
    assert (
        source.sha256
        == json.loads((tmp_path / "out" / "fetched.json").read_text())["layers"][0]["entry"][
            "sha256"
        ]
    )
    # The special zone ends between the site's west and east sides.
    assert finding.measured is not None
    assert 0 < float(finding.measured.value) < 100


def test_fetched_sections_place_a_legal_description(tmp_path: Path) -> None:
    """The bundled recipe, against Koop with the fields of CadNSDI, to the land."""
    west, south, east, north = -116.58, 43.90, -116.56, 43.9145
    ring = [[west, south], [west, north], [east, north], [east, south], [west, south]]
    names = {"PLSSID": "ID080070N0030W0", "FRSTDIVID": "ID080070N0030W0SN220", "FRSTDIVTYP": "SN",
             "FRSTDIVNO": "22", "FRSTDIVLAB": "22", "SHAPE_AREA": 1.0}  # fmt: skip
    section = {
        "type": "Feature", "id": 7, "properties": {"OBJECTID": 7, **names},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }  # fmt: skip
    meta = {"metadata": {"name": "sections", "idField": "OBJECTID"}}
    collection = {"type": "FeatureCollection", "features": [section], **meta}
    write_json(tmp_path / "sections.geojson", collection)
    with koop(tmp_path) as services:
        done = run(
            "fetch", "--layer", "plss-sections", "--out", tmp_path / "out",
            "--url", f"plss-sections={services}/sections/FeatureServer/0",
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    located = run(
        "NE1/4 Sec. 22, T. 7 N., R. 3 W., Boise Meridian", "--format", "json",
        "--plss", tmp_path / "out" / "plss-sections.fgb", group="locate",
    )  # fmt: skip
    answer = json.loads(located.stdout)
    assert answer["method"] == "surveyed-plss"
    lon, lat = shapely.centroid(shapely.from_geojson(json.dumps(answer["geometry"]))).coords[0]
    # A quarter of the way in from the north-east corner, both ways.
    assert (lon, lat) == pytest.approx((-116.565, 43.910875), abs=1e-5)


def box_ring(west: float, east: float) -> list[list[float]]:
    south, north = 43.92, 43.95
    return [[west, south], [west, north], [east, north], [east, south], [west, south]]


def test_check_asks_about_a_site(tmp_path: Path) -> None:
    far = {
        "type": "Feature", "properties": {},
        "geometry": {"type": "Polygon", "coordinates": [box_ring(-100.0, -99.9)]},
    }  # fmt: skip
    site = write_json(tmp_path / "site.geojson", {"type": "FeatureCollection", "features": [far]})
    checked = run("check", "--site", site, "--json")
    assert checked.returncode == 1
    problems = {r["id"]: r["problems"] for r in json.loads(checked.stdout)}
    assert problems["idaho-places"] == ["covers only 0% of the site"]
    assert problems["stations-illustrative"] == ["has nothing in the site"]
    application = bundled("examples", "emmett-park", "application.toml")
    near = run("check", "--site", application, "--json", "--as-of", "2020-01-01")
    covers = {r["id"]: r["cover"] for r in json.loads(near.stdout)}
    assert covers["idaho-counties"] == pytest.approx(1.0)


def test_strict_counts_age(tmp_path: Path) -> None:
    assert run("check", "--as-of", "2019-06-01").returncode == 0
    assert run("check", "--as-of", "2027-04-15").returncode == 0
    assert run("check", "--as-of", "2027-04-15", "--strict").returncode == 1


def test_nothing_but_the_result_is_printed_away_from_a_terminal(tmp_path: Path) -> None:
    with serving(feature_app(parcels(20), Faults())) as address:
        done = subprocess.run(
            command(*lots(address, tmp_path)), capture_output=True, text=True, check=True,
            env={**os.environ, "TERM": "xterm-256color"},
        )  # fmt: skip
    assert done.stderr == ""
    first, last = done.stdout.splitlines()
    assert first.split()[:3] == ["county-parcels", "20", "rows"]
    assert last == str(tmp_path / "catalog.toml")
