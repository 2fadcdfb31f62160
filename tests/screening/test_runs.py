"""Runs over a file: formats, a broken row, a run that is killed, workers, and the command."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import shapely
from click.testing import CliRunner

from site_eval.cli import site_eval
from site_eval.crs import WGS84
from site_eval.errors import InputFileError, OutputError
from site_eval.resources import bundled
from site_eval.screening.plan import work_folder
from site_eval.screening.question import Question
from site_eval.screening.story import screen_file
from tests.screening.county import quarter_quarters

QUESTION = Question("gem-county-id-2015-04", 2400, date(2026, 6, 1))


def parcel_frame(count: int = 60) -> gpd.GeoDataFrame:
    shapes = quarter_quarters(count // 6, 6)
    ids = [f"RP{n:05d}" for n in range(len(shapes))]
    return gpd.GeoDataFrame(
        {"parcel_id": ids, "owner": "someone", "capacity": 1.0}, geometry=list(shapes), crs=WGS84
    )


def parcel_file(path: Path, count: int = 60) -> Path:
    frame = parcel_frame(count)
    frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_file(path)
    return path


def sorted_rows(path: Path) -> Any:
    frame = gpd.read_parquet(path) if path.suffix == ".parquet" else gpd.read_file(path)
    return frame.sort_values("row").reset_index(drop=True)


def assert_same(ours: Path, theirs: Path) -> None:
    """Every column of two files is equal, numbers to the rounding of sums in another order."""
    pd.testing.assert_frame_equal(
        sorted_rows(ours).drop(columns="geometry"),
        sorted_rows(theirs).drop(columns="geometry"),
        rtol=1e-9,
        atol=1e-9,
    )


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answers of one process over GeoParquet, to compare others with."""
    folder = tmp_path_factory.mktemp("plain")
    out = folder / "out.parquet"
    screen_file(parcel_file(folder / "in.parquet"), out, QUESTION)
    return out


def test_the_answers_keep_the_ids_and_say_what_they_rest_on(plain: Path) -> None:
    rows = sorted_rows(plain)
    assert list(rows.parcel_id) == [f"RP{n:05d}" for n in range(60)]
    assert "owner" not in rows
    assert rows.crs == WGS84
    assert rows.error.isna().all()
    about = json.loads(pq.read_schema(plain).metadata[b"site_eval"])
    assert {layer["kind"] for layer in about["layers"]} == {
        "places", "county", "wildfire", "roads", "stations",
    }  # fmt: skip
    assert about["layers_missing"] == ["flood", "dem"]
    assert not work_folder(plain).exists()


@pytest.mark.parametrize("suffix", [".gpkg", ".fgb"])
@pytest.mark.parametrize("source", [".gpkg", ".geojson", ".shp"])
def test_every_format_gives_the_same_answers(
    plain: Path, tmp_path: Path, source: str, suffix: str
) -> None:
    out = tmp_path / f"out{suffix}"
    screen_file(parcel_file(tmp_path / f"in{source}"), out, QUESTION)
    ours, theirs = sorted_rows(out), sorted_rows(plain)
    assert ours.verdict_jurisdiction.tolist() == theirs.verdict_jurisdiction.tolist()
    assert np.allclose(ours.municipal_distance_m, theirs.municipal_distance_m, atol=1e-3)
    assert np.allclose(ours.capacity, theirs.capacity, atol=1)


def test_metres_in_the_file_give_the_answers_of_degrees(plain: Path, tmp_path: Path) -> None:
    source = tmp_path / "in.gpkg"
    parcel_frame().to_crs(6453).to_file(source)
    screen_file(source, tmp_path / "out.parquet", QUESTION)
    ours, theirs = sorted_rows(tmp_path / "out.parquet"), sorted_rows(plain)
    assert np.allclose(ours.municipal_distance_m, theirs.municipal_distance_m, atol=0.01)
    assert np.allclose(
        ours.wildfire_ring_high, theirs.wildfire_ring_high, atol=1e-5, equal_nan=True
    )


def test_a_column_of_the_input_never_passes_for_an_answer(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    screen_file(
        parcel_file(tmp_path / "in.gpkg", 12), out, QUESTION, keep=("parcel_id", "capacity")
    )
    rows = sorted_rows(out)
    assert (rows.input_capacity == 1.0).all()
    assert (rows.capacity > 1.0).all()


@pytest.mark.parametrize("suffix", [".parquet", ".gpkg", ".fgb"])
def test_one_broken_row_is_named_and_the_others_are_answered(
    plain: Path, tmp_path: Path, suffix: str
) -> None:
    frame = parcel_frame()
    frame.loc[17, "geometry"] = None
    frame.to_parquet(tmp_path / "in.parquet")
    summary = screen_file(tmp_path / "in.parquet", tmp_path / f"out{suffix}", QUESTION)
    rows, whole = sorted_rows(tmp_path / f"out{suffix}"), sorted_rows(plain)
    assert summary.errors == ("row 18 (parcel_id RP00017): it has no geometry",)
    assert rows.error[17] == summary.errors[0]
    assert rows.verdict_jurisdiction[17] == "not-determined"
    others = rows.index != 17
    assert rows.verdict_jurisdiction[others].tolist() == (
        whole.verdict_jurisdiction[others].tolist()
    )


def test_a_row_that_breaks_the_measuring_is_found_among_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from site_eval.screening import part

    true_screen, frame = part.screen, parcel_frame()
    bad = frame.geometry[40]

    def brittle(polygons: Any, sources: Any) -> Any:
        if any(p is not None and p.equals(bad) for p in polygons):
            raise ValueError("Too odd to measure.")
        return true_screen(polygons, sources)

    monkeypatch.setattr(part, "screen", brittle)
    frame.to_parquet(tmp_path / "in.parquet")
    summary = screen_file(tmp_path / "in.parquet", tmp_path / "out.parquet", QUESTION)
    assert summary.broken == 1
    assert summary.errors == (
        "row 41 (parcel_id RP00040): it could not be measured (too odd to measure)",
    )


KILLED = """
from datetime import date
from pathlib import Path
from site_eval.screening.question import Question
from site_eval.screening.story import screen_file
screen_file(Path({source!r}), Path({out!r}),
            Question("gem-county-id-2015-04", 2400, date(2026, 6, 1)), partition_rows=6)
"""


def test_a_killed_run_leaves_nothing_half_written_and_is_taken_up(
    plain: Path, tmp_path: Path
) -> None:
    source, out = parcel_file(tmp_path / "in.parquet"), tmp_path / "out.parquet"
    code = KILLED.format(source=str(source), out=str(out))
    process = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    folder = work_folder(out)
    while not list(folder.glob("part-*.parquet")) and process.poll() is None:
        time.sleep(0.005)
    process.kill()
    process.wait()
    finished = {p.name: p.stat().st_mtime_ns for p in folder.glob("part-*.parquet")}
    assert 0 < len(finished) < 10
    assert not out.exists()

    seen: list[int] = []
    screen_file(source, out, QUESTION, resume=True, told=lambda done, _parts: seen.append(done))
    assert seen == list(range(len(finished), 11))
    assert_same(out, plain)
    assert set(tmp_path.iterdir()) == {source, out}


def test_work_about_another_question_is_not_taken_up(tmp_path: Path) -> None:
    source, out = parcel_file(tmp_path / "in.parquet", 12), tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        screen_file(source, out, QUESTION, told=_stop)
    other = Question("gem-county-id-2015-04", 5000, date(2026, 6, 1))
    with pytest.raises(InputFileError, match="about other parcels, layers or options"):
        screen_file(source, out, other, resume=True)
    with pytest.raises(InputFileError, match="about other parcels, layers or options"):
        screen_file(source, out, QUESTION, resume=True, keep=("parcel_id",))


def test_work_by_a_profile_that_was_changed_since_is_not_taken_up(tmp_path: Path) -> None:
    source, out = parcel_file(tmp_path / "in.parquet", 12), tmp_path / "out.parquet"
    profile = tmp_path / "profile.toml"
    text = bundled("profiles", "default.toml").read_text()
    profile.write_text(text)
    question = replace(QUESTION, profile_file=profile)
    with pytest.raises(KeyboardInterrupt):
        screen_file(source, out, question, told=_stop)
    profile.write_text(text.replace("ring_m = 1530.0", "ring_m = 1000.0"))
    with pytest.raises(InputFileError, match="about other parcels, layers or options"):
        screen_file(source, out, question, resume=True)


def _stop(done: int, _parts: int) -> None:
    if done:
        raise KeyboardInterrupt


def test_a_pool_gives_the_answers_of_one_process(plain: Path, tmp_path: Path) -> None:
    source, out = parcel_file(tmp_path / "in.parquet"), tmp_path / "out.parquet"
    screen_file(source, out, QUESTION, workers=2, partition_rows=20)
    assert_same(out, plain)


def test_a_dask_cluster_gives_the_answers_of_one_process(plain: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    source, out = parcel_file(tmp_path / "in.parquet"), tmp_path / "out.parquet"
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, processes=False
    ) as cluster:
        screen_file(source, out, QUESTION, scheduler=cluster.scheduler_address, partition_rows=20)
    assert_same(out, plain)


def test_degrees_that_are_called_metres_are_refused_and_the_other_way_round(
    tmp_path: Path,
) -> None:
    frame = parcel_frame(12)
    frame.set_crs(6453, allow_override=True).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputFileError, match="look like degrees"):
        screen_file(tmp_path / "a.parquet", tmp_path / "out.parquet", QUESTION)
    frame.to_crs(6453).set_crs(4326, allow_override=True).to_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputFileError, match="are not degrees"):
        screen_file(tmp_path / "b.parquet", tmp_path / "out.parquet", QUESTION)
    assert not work_folder(tmp_path / "out.parquet").exists()


def test_the_command_tells_a_summary_and_the_broken_row(tmp_path: Path) -> None:
    frame = parcel_frame(12)
    frame.loc[3, "geometry"] = shapely.Point(-116.5, 43.9)
    frame.to_file(tmp_path / "in.gpkg")
    arguments = [
        "screen", str(tmp_path / "in.gpkg"), "--out", str(tmp_path / "out.gpkg"), "--persons",
        "2400", "--as-of", "2026-06-01", "--workers", "1",
    ]  # fmt: skip
    told = CliRunner().invoke(site_eval, arguments)
    assert told.exit_code == 1
    assert "12 parcels written" in told.stdout
    assert "row 4 (parcel_id RP00003): its geometry is a point, no area" in told.stderr
    as_json = CliRunner().invoke(site_eval, [*arguments, "--json"])
    answer = json.loads(as_json.stdout)
    assert (answer["parcels"], answer["broken"]) == (12, 1)
    assert sum(answer["verdicts"]["jurisdiction"].values()) == 12


@pytest.mark.parametrize(
    ("source", "out", "words"),
    [
        ("none.gpkg", "out.parquet", "there is no such parcel file"),
        ("words.gpkg", "out.parquet", "cannot be read"),
        ("in.parquet", "out.xlsx", "no format that is written here"),
        ("bare.parquet", "out.parquet", "says nothing of a geometry"),
    ],
)
def test_input_that_cannot_be_used_is_told_in_one_sentence(
    tmp_path: Path, source: str, out: str, words: str
) -> None:
    (tmp_path / "words.gpkg").write_text("no map at all")
    parcel_file(tmp_path / "in.parquet", 12)
    parcel_frame(12).drop(columns="geometry").to_parquet(tmp_path / "bare.parquet")
    with pytest.raises((InputFileError, OutputError), match=words):
        screen_file(tmp_path / source, tmp_path / out, QUESTION)
    assert not (tmp_path / out).exists()
