"""Another county edits a copy of the TOML file and nothing else."""

from datetime import UTC, date, datetime

import pytest

from site_eval.evaluate import evaluate
from site_eval.ordinance.library import load_ordinance
from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding
from site_eval.record.verdict import Verdict

APPLICATION = """
[event]
name = "Plain Gathering"
time_zone = "America/Boise"
starts = "2027-06-19T10:00:00"
ends = "2027-06-19T20:00:00"
overnight = false
amplified = false

[attendance]
maximum = 1200

[[land]]
description = "S½NE¼ of Section 22, T. 7 N., R. 3 W., Boise Meridian, Gem County, Idaho"

[filing]
received = "2027-04-01"

[plan.parking]
stalls = 300

[plan.toilets]
female = 2
male = 2
unisex = 10

[plan.showers]
heads = 11

[plan.waste]
cans = 40
cubic_yards = 5
"""
CHANGES = {
    # Parking for three, filing ninety days before, binding from 1,000.
    'amount = 1, per = 4, of = ["persons"]': 'amount = 1, per = 3, of = ["persons"]',
    'amount = 60, unit = "days"': 'amount = 90, unit = "days"',
    "threshold_persons = 350": "threshold_persons = 1000",
    'value = 350, unit = "persons"': 'value = 1000, unit = "persons"',
    "\nat_least = 350": "\nat_least = 1000",
    'id = "gem-county-id-2015-04"': 'id = "another-county-2027"',
}  # fmt: skip
MORE = """
[[clauses]]
id = "12.1"
citation = "Section 12, Showers"
heading = "Showers"
quote = "one shower for every one hundred persons"
subject = "showers.number"
check = "showers"
question = "Are there enough showers?"
requires = { kind = "rate", amount = 1, per = 100, of = ["persons"], unit = "showers", rounding = "up" }
declared_in = "plan.showers.heads"
plan_suffices = true

[[clauses]]
id = "12.2"
citation = "Section 12, Refuse"
heading = "Refuse"
quote = "one thirty-gallon container for sixteen persons or one cubic yard for one hundred twenty-five"
subject = "refuse.containers"
check = "solid-waste"
question = "Are there enough containers?"
plan_suffices = true
[clauses.requires]
kind = "either"
mixed = true
unit = "containers"
of = [
  { name = "cans", parts = [{ requires = { kind = "rate", amount = 1, per = 16, of = ["persons"], unit = "cans", rounding = "each-started" }, declared_in = "plan.waste.cans" }] },
  { name = "yards", parts = [{ requires = { kind = "rate", amount = 1, per = 125, of = ["persons"], unit = "cubic yards", rounding = "each-started" }, declared_in = "plan.waste.cubic_yards" }] },
]

[[clauses]]
id = "12.3"
citation = "Section 12, Toilets"
heading = "Toilets for either sex"
quote = "toilets by attendance"
subject = "toilets.unisex"
check = "toilets"
question = "Are there enough toilets for either sex?"
requires = { kind = "tiers", by = "persons", unit = "toilets", tiers = [{ band = [100, 999], value = 5 }, { band = [1000], requires = { kind = "rate", amount = 1, per = 120, of = ["persons"], rounding = "up" } }] }
declared_in = "plan.toilets.unisex"
plan_suffices = true

[[clauses]]
id = "12.4"
citation = "Section 12, Fence"
heading = "Fence"
quote = "a closed fence with four gates"
subject = "fence.paint"
check = "fence"
question = "Is the site fenced?"
requires = { kind = "arrangement", form = "ring", what = "a closed fence with four gates", parts = ["fence", "gate"], bearings = [0, 90, 180, 270], limits = [{ measure = "gates", at_least = 4 }] }
"""


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = tmp_path_factory.mktemp("county")
    text = load_ordinance("gem-county-id-2015-04").file.read_text()
    for before, after in CHANGES.items():
        assert before in text, before
        text = text.replace(before, after)
    (folder / "law.toml").write_text(text + MORE)
    (folder / "application.toml").write_text(APPLICATION)
    return evaluate(
        folder / "application.toml",
        ordinance=folder / "law.toml",
        as_of=date(2027, 4, 2),
        generated_at=datetime(2027, 4, 2, tzinfo=UTC),
    )


def of(evaluation: Evaluation, clause: str) -> list[Finding]:
    return [finding for finding in evaluation.findings if finding.clause.id == clause]


def test_the_other_law_is_cited(evaluated: Evaluation) -> None:
    assert evaluated.ordinance.id == "another-county-2027"
    assert any(file.path == "ordinance/law.toml" for file in evaluated.inputs)


def test_changed_numbers_decide(evaluated: Evaluation) -> None:
    parking = next(f for f in of(evaluated, "5.2.c") if f.required)
    assert parking.required is not None
    assert parking.required.formula == "ceil(1,200 persons / 3) = 400 stalls"
    assert parking.verdict is Verdict.DOES_NOT_COMPLY
    (filing,) = of(evaluated, "6.1")
    assert filing.verdict is Verdict.DOES_NOT_COMPLY  # 79 days, of 90
    (binds,) = of(evaluated, "4.1")
    assert binds.required is not None
    assert binds.required.value == 1000


def test_a_new_number_at_a_new_path_needs_no_code(evaluated: Evaluation) -> None:
    (showers,) = of(evaluated, "12.1")
    assert showers.check == "showers"
    assert showers.verdict is Verdict.DOES_NOT_COMPLY
    assert showers.measured is not None
    assert showers.required is not None
    assert (showers.measured.value, showers.required.value) == (11, 12)


def test_an_either_or_adds_up_shares(evaluated: Evaluation) -> None:
    # 75 cans or 10 yards: 40 / 75 and 5 / 10 make 1.03.
    (refuse,) = of(evaluated, "12.2")
    assert refuse.verdict is Verdict.COMPLIES


def test_tiers_with_a_rate_decide(evaluated: Evaluation) -> None:
    (toilets,) = of(evaluated, "12.3")
    assert toilets.required is not None
    assert toilets.required.value == 10
    assert toilets.verdict is Verdict.COMPLIES


def test_a_subject_that_no_check_answers_is_told(evaluated: Evaluation) -> None:
    (fence,) = of(evaluated, "12.4")
    assert fence.verdict is Verdict.NOT_DETERMINED
    assert "fence.paint" in fence.statement


def test_every_clause_ends_somewhere(evaluated: Evaluation) -> None:
    found = {finding.clause.id for finding in evaluated.findings} | set(evaluated.on_site_only)
    ids = {clause.id for clause in load_ordinance("gem-county-id-2015-04").clauses}
    assert ids | {"12.1", "12.2", "12.3", "12.4"} <= found


def test_a_number_that_only_the_ordinance_knows_may_be_left_out(tmp_path) -> None:
    gem = load_ordinance("gem-county-id-2015-04").file.read_text("utf-8")
    (tmp_path / "county.toml").write_text(gem + MORE, "utf-8")
    without = APPLICATION.replace("[plan.showers]\nheads = 11\n", "")
    (tmp_path / "application.toml").write_text(without, "utf-8")
    evaluation = evaluate(
        tmp_path / "application.toml",
        ordinance=tmp_path / "county.toml",
        as_of=date(2027, 4, 2),
        generated_at=datetime(2027, 4, 2, tzinfo=UTC),
    )
    showers = next(f for f in evaluation.findings if f.clause.id == "12.1")
    assert showers.verdict is Verdict.NOT_DETERMINED
    assert "plan.showers.heads" in showers.statement
