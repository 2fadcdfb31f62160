"""Two evaluations side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pypdf
import pytest
import shapely
from click.testing import CliRunner

from site_eval.cli.compare import compare as command
from site_eval.errors import OutputError
from site_eval.record.evaluation import Evaluation, summarise
from site_eval.record.measure import Measured
from site_eval.record.verdict import Verdict
from site_eval.reports.compare import compare
from site_eval.reports.compare_map import write_comparison_map
from site_eval.reports.write import evaluation_json


@pytest.fixture
def later(evaluation: Evaluation) -> Evaluation:
    """The next submission: parking enough, one lot moved, one thing gone, one new."""
    after = evaluation.model_copy(deep=True)
    parking = next(f for f in after.findings if f.check == "parking")
    parking.verdict, parking.measured = Verdict.COMPLIES, Measured(value=610, unit="stall")
    water = next(f for f in after.findings if f.check == "drinking-water")
    water.verdict = Verdict.NEEDS_REVIEW
    features = after.layout["features"]
    lot = shapely.geometry.shape(features[0]["geometry"])
    moved = shapely.affinity.translate(lot, 0.0002, 0)
    features[0]["geometry"] = dict(shapely.geometry.mapping(moved))
    features[:] = [f for f in features if f["properties"]["name"] != "Ticket office"]
    features.append({**features[-1], "properties": {"role": "fence", "name": "South fence"}})
    after.summary = summarise(after.findings)
    after.checklist.terms = after.checklist.terms.model_copy(update={"maximum": 2440})
    return after


def elsewhere(evaluation: Evaluation) -> Evaluation:
    site = shapely.affinity.translate(shapely.geometry.shape(evaluation.site.geometry), 0.1, 0.1)
    copy = evaluation.model_copy(deep=True)
    copy.site.geometry = dict(shapely.geometry.mapping(site))
    copy.layout["features"] = []
    return copy


def test_an_evaluation_does_not_differ_from_itself(evaluation: Evaluation) -> None:
    same = compare(evaluation, evaluation)
    assert (same.facts, same.changed, same.layout) == ((), (), ())
    assert same.counts() == {"same": len(evaluation.findings)}


def test_what_changed_is_told_with_its_direction(evaluation: Evaluation, later: Evaluation) -> None:
    found = {item.check: item.change for item in compare(evaluation, later).changed}
    assert found == {"parking": "better", "drinking-water": "worse"}
    back = {item.check: item.change for item in compare(later, evaluation).changed}
    assert back == {"parking": "worse", "drinking-water": "better"}


def test_facts_and_layout_are_compared(evaluation: Evaluation, later: Evaluation) -> None:
    comparison = compare(evaluation, later)
    assert [(f.title, f.before, f.after) for f in comparison.facts] == [
        ("Persons", "2,400", "2,440")
    ]
    assert {(c.name, c.change) for c in comparison.layout} == {
        ("Lot A", "changed"),
        ("Ticket office", "removed"),
        ("South fence", "added"),
    }


def test_a_finding_on_one_side_only_is_added_or_removed(
    evaluation: Evaluation, later: Evaluation
) -> None:
    later.findings = [f for f in later.findings if f.check != "noise"]
    noise = next(c for c in compare(evaluation, later).changed if c.check == "noise")
    assert (noise.change, noise.after) == ("removed", "")


def test_two_places_are_compared_without_their_layouts(evaluation: Evaluation) -> None:
    comparison = compare(evaluation, elsewhere(evaluation))
    assert not comparison.same_land
    assert comparison.layout == ()


def test_the_map_is_one_sheet_for_one_place_and_two_pages_for_two(
    evaluation: Evaluation, later: Evaluation, tmp_path: Path
) -> None:
    write_comparison_map(evaluation, later, tmp_path / "one.pdf")
    assert len(pypdf.PdfReader(tmp_path / "one.pdf").pages) == 1
    write_comparison_map(evaluation, elsewhere(evaluation), tmp_path / "two.pdf")
    assert len(pypdf.PdfReader(tmp_path / "two.pdf").pages) == 2
    with pytest.raises(OutputError, match="two pages"):
        write_comparison_map(evaluation, elsewhere(evaluation), tmp_path / "two.png")


def test_the_command_prints_a_table_or_one_json_document(
    evaluation: Evaluation, later: Evaluation, tmp_path: Path
) -> None:
    a, b = tmp_path / "a.json", tmp_path / "b.json"
    a.write_text(evaluation_json(evaluation))
    b.write_text(evaluation_json(later))
    table = CliRunner().invoke(command, [str(a), str(b)])
    assert "▲ better" in table.output
    assert "South fence" in table.output
    assert table.exit_code == 1  # three findings still do not comply
    answer = CliRunner().invoke(command, [str(a), str(b), "--json"])
    assert json.loads(answer.output)["counts"]["better"] == 1
