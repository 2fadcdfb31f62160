"""From a licence's terms to the checklist: whose item, when, and against which number."""

from typing import Any

import pytest

from site_eval.licensing import checklist_for, on_site_only
from site_eval.ordinance.basis import Basis
from site_eval.ordinance.library import load_ordinance
from site_eval.record.condition import Checklist, ChecklistItem, LicenceTerms

GEM = load_ordinance("gem-county-id-2015-04")
TERMS = LicenceTerms(
    event="Sand Hollow Harvest Festival",
    starts="2027-06-19T10:00:00-06:00",
    ends="2027-06-20T18:00:00-06:00",
    time_zone="America/Boise",
    maximum=2_400,
    female=1_250,
    male=1_150,
    overnight=1_400,
)
APPLIED = Basis(
    {"persons": 2_400.0, "days": 2.0, "hours": 32.0, "plan.waste.personnel": 12.0},
    {"dark": True, "amplified": True, "overnight": True},
)


def made(basis: Basis = APPLIED, **terms: Any) -> Checklist:
    return checklist_for(GEM, TERMS.model_copy(update=terms), basis)


def item(checklist: Checklist, item_id: str) -> ChecklistItem:
    (found,) = [entry for entry in checklist.items if entry.id == item_id]
    return found


def test_every_item_of_the_ordinance_is_on_the_list() -> None:
    assert [i.id for i in made().items] == [i.id for c in GEM.clauses for i in c.on_site]


@pytest.mark.parametrize(
    ("item_id", "value", "comparison", "formula"),
    [
        ("T1", 5, "at-least", "ceil(1,250 females / 300) = 5 toilets"),
        ("T2", 4, "at-least", "ceil(1,150 males / 300) = 4 toilets"),
        ("W1", 2_400, "at-least", "1 × 2,400 persons = 2,400 gallons per day"),
        ("W2", 24_000, "at-least", "10 × 2,400 persons = 24,000 gallons per day"),
        ("S1", 6_000, "at-least", "2.5 × 2,400 persons = 6,000 pounds per day"),
        ("M1", 1, "at-least", "max(1, ceil(2,400 persons / 2,500)) = 1 EMT"),
        ("M3", 1, "at-least", "1 ambulance"),
        ("K1", 600, "at-least", "ceil(2,400 persons / 4) = 600 stalls"),
        ("G1", 10, "at-least", "ceil(2,400 persons / 250) = 10 guards"),
        ("I1", 5, "at-least", "5 foot-candles"),
        ("L3", 2_400, "at-most", "1 × 2,400 persons = 2,400 people"),
        ("A1", 1_400, "at-most", "1 × 1,400 persons overnight = 1,400 persons overnight"),
        ("B1", 1_000_000, "at-least", "1,000,000 USD"),
        ("B2", 24_000, "at-most", "10 × 2,400 persons = 24,000 USD"),
        ("X1", 0, "at-most", "0 structures"),
        ("S4", 12, "at-least", "1 × 12 waste personnel = 12 persons"),
    ],
)
def test_threshold_of_this_licence(
    item_id: str, value: float, comparison: str, formula: str
) -> None:
    threshold = item(made(), item_id).threshold
    assert threshold is not None
    assert (threshold.value, threshold.comparison, threshold.formula) == (
        value,
        comparison,
        formula,
    )


def test_the_licence_decides_not_the_application() -> None:
    applied = Basis(
        {**APPLIED.quantities, "persons": 5_000.0, "female": 4_000.0, "male": 1_000.0},
        APPLIED.flags,
    )
    checklist = made(applied, maximum=1_000, female=500, male=500)
    threshold = item(checklist, "K1").threshold
    assert threshold is not None
    assert threshold.value == 250
    toilets = item(checklist, "T1").threshold
    assert toilets is not None
    assert toilets.value == 2


def test_without_a_split_the_threshold_is_strict_and_both_counts_are_shown() -> None:
    toilets = item(made(female=None, male=None), "T1")
    assert toilets.threshold is not None
    assert toilets.threshold.formula == "ceil(2,400 females / 300) = 8 toilets"
    assert toilets.judgement
    assert toilets.note is not None
    assert "ceil(1,200 females / 300) = 4 toilets" in toilets.note
    assert "ceil(1,440 females / 300) = 5 toilets" in toilets.note


def test_staff_of_unstated_sex_are_added_to_each_sex_in_turn() -> None:
    toilets = item(made(maximum=2_700), "T1")
    assert toilets.threshold is not None
    # 1,250 females and 300 others: at the most 1,550.
    assert toilets.threshold.value == 6


def test_items_that_do_not_bind_are_left_out_and_unknown_ones_stay() -> None:
    quiet = Basis(APPLIED.quantities, {"dark": False, "amplified": False, "overnight": False})
    left = {i.id for i in made().items} - {i.id for i in made(quiet).items}
    assert left == {"I1", "I2", "I3", "N1", "N2", "N3", "A1"}
    unknown = item(made(Basis(APPLIED.quantities)), "N2")
    assert unknown.note is not None
    assert "whether that is so is not known" in unknown.note


def test_a_threshold_that_the_plan_has_to_state_says_what_is_missing() -> None:
    posts = item(made(), "R3")
    assert posts.threshold is None
    assert posts.note is not None
    assert "plan.traffic.controllers" in posts.note


def test_times_that_the_text_fixes_are_told_from_proposed_ones() -> None:
    fixed = {i.id for i in made().items if any(c.set_by_text for c in i.cadences)}
    assert fixed == {"S2", "M3", "M4", "G3", "F1", "R1", "R2", "N2", "Q6", "X1"}


def test_every_clause_reference_is_a_quote_of_the_ordinance() -> None:
    for entry in made().items:
        clause = GEM.clause(entry.clause.id)
        assert entry.clause.quote == clause.quote
        assert entry.evidence, entry.id
        assert entry.threshold is None or entry.unit == entry.threshold.unit
        assert entry.threshold is None or entry.answer in {"count", "number"}


def test_clauses_without_number_or_paper_are_on_site_only() -> None:
    found = on_site_only(GEM)
    assert {"7.1", "9.1", "10.1", "10.2", "10.3", "4.3"} <= set(found)
    assert "5.2.c" not in found
    assert "6.3.a" not in found
