"""The decision rule on wildfire hazard, from both sides of each of its shares."""

from datetime import date, timedelta

import pytest

from site_eval.judges.wildfire import Exposure, Rule, in_closed_season, judge, outcome, verdict_of
from site_eval.profile import load_profile

RULE = Rule(**load_profile().wildfire_rule.model_dump(exclude={"source"}))
CALM = {
    "site_high": 0.0, "site_very_high": 0.0, "site_moderate_up": 0.0, "ring_high": 0.0,
    "coverage": 1.0, "independent_exits": 2,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "not-indicated"),
        ({"site_high": 0.25}, "prone"),
        ({"site_high": 0.2499}, "review"),
        ({"site_very_high": 0.05}, "prone"),
        ({"site_very_high": 0.0499, "site_high": 0.0499}, "review"),
        ({"ring_high": 0.50}, "prone"),
        ({"ring_high": 0.4999}, "review"),
        ({"ring_high": 0.25, "independent_exits": 1}, "prone"),
        ({"ring_high": 0.2499, "independent_exits": 1}, "review"),
        ({"ring_high": 0.001}, "review"),
        ({"corridor_very_high": 0.01}, "review"),
        ({"corridor_very_high": 0.01, "independent_exits": 1}, "prone"),
        ({"site_moderate_up": 0.5}, "review"),
        ({"site_moderate_up": 0.4999}, "not-indicated"),
        ({"coverage": 0.99}, "review"),
        ({"restricted": True}, "review"),
        ({"independent_exits": 0}, "not-indicated"),
    ],
)
def test_each_share_of_the_rule_decides_where_it_says(changes, expected) -> None:
    found, reasons = judge(Exposure(**(CALM | changes)), in_season=False, rule=RULE)
    assert found == expected
    assert bool(reasons) == (expected != "not-indicated")


def test_an_irrigated_field_ringed_by_high_hazard_is_for_a_person() -> None:
    found = outcome(Exposure(**(CALM | {"ring_high": 1.0})), in_season=False, rule=RULE)
    assert str(found) == "prone"
    assert str(verdict_of(found)) == "needs-review"


def test_many_parcels_are_judged_as_one_is() -> None:
    highs = [0.0, 0.1, 0.3]
    many = outcome(Exposure(**(CALM | {"site_high": highs})), in_season=False, rule=RULE)
    one = [
        judge(Exposure(**(CALM | {"site_high": h})), in_season=False, rule=RULE)[0] for h in highs
    ]
    assert list(many) == one == ["not-indicated", "review", "prone"]


@pytest.mark.parametrize(
    ("first", "last", "season", "within"),
    [
        ("2027-05-09", "2027-05-09", ("05-10", "10-20"), False),
        ("2027-05-09", "2027-05-10", ("05-10", "10-20"), True),
        ("2027-10-20", "2027-10-20", ("05-10", "10-20"), True),
        ("2027-10-21", "2027-10-22", ("05-10", "10-20"), False),
        ("2027-04-01", "2027-11-30", ("05-10", "10-20"), True),
        ("2026-12-30", "2027-01-02", ("11-01", "03-31"), True),
        ("2027-06-01", "2027-06-03", ("11-01", "03-31"), False),
    ],
    ids=["before", "into it", "last day", "after", "all around it", "past New Year", "between"],
)
def test_the_season_is_met_by_any_day_of_the_event(first, last, season, within) -> None:
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    days = [start + timedelta(days=n) for n in range((end - start).days + 1)]
    assert in_closed_season(days, season) is within
