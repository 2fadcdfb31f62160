"""Somebody else's drawing, read by a mapping alone, under another county's copy of the rules."""

import json
from datetime import UTC, date, datetime

import pytest

from site_eval.evaluate import evaluate
from site_eval.ordinance.library import load_ordinance
from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding
from site_eval.record.verdict import Verdict
from site_eval.reports.map_html import map_html
from site_eval.resources import bundled

FOLDER = bundled("examples", "confest")


@pytest.fixture(scope="module")
def confest() -> Evaluation:
    return evaluate(
        FOLDER / "application.toml",
        ordinance=FOLDER / "ordinance.toml",
        catalog_file=FOLDER / "layers.toml",
        as_of=date(2027, 1, 15),
        generated_at=datetime(2027, 1, 15, 12, tzinfo=UTC),
    )


def of(evaluation: Evaluation, clause: str) -> list[Finding]:
    return [f for f in evaluation.findings if f.clause.id == clause]


def test_their_words_become_our_roles(confest: Evaluation) -> None:
    rows = json.loads((FOLDER / "layout.geojson").read_text("utf-8"))["features"]
    words = [row["properties"]["what"] for row in rows]
    read = [f["properties"]["role"] for f in confest.layout["features"]]
    assert read.count("road") == words.count("line: internal-road") == 130
    assert read.count("toilet") == words.count("point: toilet-block") == 15
    assert read.count("camping") == sum(w.startswith("polygon: camping-area") for w in words) == 3
    assert len(read) < len(rows)  # the rest is ignored by name


def test_their_fields_become_our_properties(confest: Evaluation) -> None:
    toilets = [
        f["properties"] for f in confest.layout["features"] if f["properties"]["role"] == "toilet"
    ]
    assert {t["name"]: t.get("count") for t in toilets}["7 toilets"] == 7
    surfaces = {f["properties"].get("surface") for f in confest.layout["features"]}
    assert {"Bare", "Sand", "Sealed"} <= surfaces


def test_the_land_is_the_grid_of_247_hectares(confest: Evaluation) -> None:
    # 247 cells of 100 m a side on the map's grid; a transverse Mercator scale there of 1.0004
    # (2.8 degrees west of the central meridian) makes them 0.08 % smaller on the ground.
    assert confest.site.area_acres == pytest.approx(247 * 10_000 / 4046.8564224, rel=1e-3)


@pytest.mark.parametrize(
    "clause", ["4.4", "4.4-flood", "4.4-terrain", "4.5.b"], ids=lambda c: f"clause {c}"
)
def test_what_no_layer_answers_is_not_determined(confest: Evaluation, clause: str) -> None:
    asked = [f for f in of(confest, clause) if "layer catalog names no" in f.statement]
    assert asked
    assert {f.verdict for f in asked} == {Verdict.NOT_DETERMINED}


def test_a_width_that_nobody_stated_is_called_assumed(confest: Evaluation) -> None:
    lanes = [f for f in of(confest, "5.2.g-lanes") if f.required and f.required.unit == "ft"]
    width = next(f for f in lanes if f.measured and "narrowest" in f.measured.unit)
    assert width.verdict is Verdict.NEEDS_REVIEW
    assert any("130 of 130 ways are lines without a width" in reason for reason in width.reasons)


def test_the_parking_that_fits_is_less_than_the_area_would_hold(confest: Evaluation) -> None:
    stalls = next(f for f in of(confest, "5.2.c") if f.measured)
    # The lot is 26.64 acres; no stall of 9 × 18 ft with half of a 24-ft aisle is under 270 sq ft.
    assert 500 < stalls.measured.value < 26.64 * 43_560 / 270


def test_the_county_is_made_up_and_says_so(confest: Evaluation) -> None:
    law = load_ordinance(FOLDER / "ordinance.toml")
    assert law.jurisdiction.name == "Example County (made up)"
    assert law.jurisdiction.time_zone == "Australia/Sydney"
    assert "made up" in confest.ordinance.citation
    assert {c.id for c in law.clauses} == {
        c.id for c in load_ordinance("gem-county-id-2015-04").clauses
    }


def test_the_map_of_it_can_be_opened(confest: Evaluation) -> None:
    assert len(map_html(confest).encode()) < 2_000_000
