"""The six files: whole or not at all, the same bytes for the same evaluation, and readable back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyogrio
import pytest
from rich.console import Console

from site_eval.errors import InputFileError, OutputError
from site_eval.record.condition import Checklist
from site_eval.record.evaluation import Evaluation
from site_eval.record.verdict import Verdict
from site_eval.reports import write
from site_eval.reports.findings_csv import COLUMNS, findings_csv
from site_eval.reports.geopackage import write_geopackage
from site_eval.reports.read import read_evaluation
from site_eval.reports.table import print_table
from site_eval.reports.write import evaluation_json, write_all

NAMES = ["evaluation.json", "findings.csv", "site.gpkg", "map.html", "packet.pdf", "checklist.json"]


def test_all_six_files_are_written_and_again_with_the_same_bytes(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    first = write_all(evaluation, tmp_path / "one")
    second = write_all(evaluation, tmp_path / "two" / "deeper")
    assert list(first) == NAMES
    for name in NAMES:
        assert first[name].read_bytes() == second[name].read_bytes(), name
    assert sorted(p.name for p in (tmp_path / "one").iterdir()) == sorted(NAMES)


def test_nothing_is_left_when_one_file_cannot_be_made(
    evaluation: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evaluation.json").write_text("old")

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(write, "write_packet", broken)
    with pytest.raises(RuntimeError):
        write_all(evaluation, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["evaluation.json"]
    assert (tmp_path / "evaluation.json").read_text() == "old"


def test_a_folder_that_is_a_file_is_told(evaluation: Evaluation, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(OutputError, match="taken"):
        write_all(evaluation, tmp_path / "taken")


def test_a_bare_evaluation_is_written_too(bare: Evaluation, tmp_path: Path) -> None:
    assert all(path.stat().st_size > 0 for path in write_all(bare, tmp_path).values())


def test_the_record_reads_back_as_it_was(evaluation: Evaluation, tmp_path: Path) -> None:
    text = evaluation_json(evaluation)
    path = tmp_path / "evaluation.json"
    path.write_text(text, encoding="utf-8")
    again = read_evaluation(path)
    assert evaluation_json(again) == text
    assert again.findings[0].statement == evaluation.findings[0].statement
    assert text.endswith("}\n")
    assert list(json.loads(text))[:2] == ["schema", "tool"]


def test_floats_are_rounded_and_never_minus_nothing(evaluation: Evaluation) -> None:
    site = evaluation.site.model_copy(update={"area_acres": 80.1 + 1e-12, "area_acres_sd": -1e-12})
    text = evaluation_json(evaluation.model_copy(update={"site": site}))
    assert '"area_acres": 80.1,' in text
    assert '"area_acres_sd": 0.0,' in text


def test_checklist_json_is_the_checklist(evaluation: Evaluation) -> None:
    again = Checklist.model_validate_json(write.checklist_json(evaluation.checklist))
    assert again.items[0].id == "K1"
    assert (
        json.loads(write.checklist_json(evaluation.checklist))["schema"] == "site-eval/checklist/1"
    )


@pytest.mark.parametrize("content", ["not json", "{}", '{"schema": "other"}'])
def test_a_file_that_is_no_evaluation_is_one_sentence(content: str, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text(content)
    with pytest.raises(InputFileError) as caught:
        read_evaluation(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_csv_has_a_line_a_finding_with_bare_numbers(evaluation: Evaluation) -> None:
    rows = list(csv.DictReader(io.StringIO(findings_csv(evaluation))))
    assert len(rows) == len(evaluation.findings)
    assert tuple(rows[0]) == COLUMNS
    parking = next(row for row in rows if row["check"] == "parking")
    assert (parking["measured"], parking["required"], parking["verdict"]) == (
        "570",
        "600",
        "does-not-comply",
    )


def test_csv_disarms_what_a_spreadsheet_would_run(evaluation: Evaluation) -> None:
    evaluation.findings[0].statement = '=HYPERLINK("http://example.org")'
    row = next(csv.DictReader(io.StringIO(findings_csv(evaluation))))
    assert row["statement"].startswith("'=")


def test_geopackage_has_every_layer_in_epsg_4326(evaluation: Evaluation, tmp_path: Path) -> None:
    path = tmp_path / "site.gpkg"
    write_geopackage(evaluation, path)
    layers = dict(pyogrio.list_layers(path))
    assert set(layers) == {"site", "site_uncertainty", "layout", "evidence", "context", "findings"}
    site = pyogrio.read_dataframe(path, layer="site")
    assert site.crs.to_epsg() == 4326
    assert site.area_acres[0] == pytest.approx(80.287)
    layout = pyogrio.read_dataframe(path, layer="layout")
    assert len(layout) == len(evaluation.layout["features"])
    assert layout.loc[layout.name == "Lot A", "spaces"].item() == 420
    assert layout.loc[layout.name == "Main stage", "spaces"].isna().item()
    findings = pyogrio.read_dataframe(path, layer="findings")
    evidence = pyogrio.read_dataframe(path, layer="evidence")
    assert set(evidence.finding) <= set(findings.finding)


def test_geopackage_states_the_records_own_time(evaluation: Evaluation, tmp_path: Path) -> None:
    path = tmp_path / "site.gpkg"
    write_geopackage(evaluation, path)
    contents = pyogrio.read_dataframe(
        path, sql="SELECT last_change FROM gpkg_contents", sql_dialect="SQLITE"
    )
    assert {str(value)[:10] for value in contents.last_change} == {"2027-04-15"}


@pytest.mark.parametrize("width", [60, 80, 140])
def test_table_names_every_finding_in_any_width_without_colour(
    evaluation: Evaluation, width: int
) -> None:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    print_table(evaluation, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert max(len(line) for line in text.splitlines()) <= width
    told = [f for f in evaluation.findings if f.verdict is not Verdict.NOT_APPLICABLE]
    for sign, verdict in (("✓", Verdict.COMPLIES), ("✗", Verdict.DOES_NOT_COMPLY)):
        expected = sum(f.verdict is verdict for f in told) + 1  # and once in the summary
        assert text.count(f"{sign} ") == expected
    assert "5.2.e" in text  # the clause that does not bind is listed by its id


def test_table_prints_brackets_as_they_are(evaluation: Evaluation) -> None:
    evaluation.findings[3].statement = "See [bold]this[/bold] [link=x]y"
    console = Console(width=200, file=io.StringIO(), color_system=None)
    print_table(evaluation, console)
    assert "[bold]this[/bold] [link=x]y" in console.file.getvalue()  # type: ignore[attr-defined]


def test_heights_and_a_time_without_a_zone_do_no_harm(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    ring = [[*pair, 800.0] for pair in evaluation.site.geometry["coordinates"][0]]
    evaluation.site.geometry["coordinates"] = [ring]
    evaluation.layout["features"][16]["geometry"] = {
        "type": "Point",
        "coordinates": [-116.677, 43.932, 801.5],
    }
    evaluation.generated_at = "2027-04-15T16:00:00"
    written = write_all(evaluation, tmp_path)
    site = pyogrio.read_dataframe(written["site.gpkg"], layer="site")
    assert not site.geometry[0].has_z
