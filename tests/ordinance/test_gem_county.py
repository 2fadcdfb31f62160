"""Gem County Ordinance 2015-04 as data: quotes, cover, inspection items, and the numbers."""

import re
from math import ceil
from pathlib import Path

import pytest

from site_eval.application import known_paths
from site_eval.ordinance.basis import Basis
from site_eval.ordinance.clause import Clause, every_rule
from site_eval.ordinance.inspection import answered_by, check_ordinance, flat
from site_eval.ordinance.library import Ordinance, load_ordinance, ordinance_text
from site_eval.ordinance.requirement import Schedule

GEM = load_ordinance("gem-county-id-2015-04")
TEXT = flat(ordinance_text(GEM) or "")
AGENCIES = {
    "coordinator", "sheriff", "fire-district", "health-district", "road-director", "clerk",
    "planning-and-zoning", "board",
}  # fmt: skip
# The check ids that other programs rely on.
CHECKS = {
    "applicability", "filing-period", "jurisdiction", "wildfire", "capacity", "parking",
    "emergency-access", "drinking-water", "bathing-water", "toilets", "solid-waste",
    "emergency-medical", "lighting", "telephones", "camping", "security", "fire-protection",
    "traffic-dust", "noise", "insurance", "bonds", "application-contents", "ownership",
    "cleanup", "flood", "terrain",
}  # fmt: skip
# Subjects that need the map, the calendar or a judgement: a check of the tool answers them.
SUBJECTS_OF_CHECKS = {
    "location.flood", "location.terrain", "exception.permanent-assembly", "exception.auction",
    "exception.government-or-licensed", "jurisdiction.municipality", "filing.period",
}  # fmt: skip
# The editorial clause numbers of Sections 3 to 10, as the text's own brackets have them.
NUMBERS = (  # noqa: SIM905 - read as the text's own list
    "3.1 3.2 3.3 4.1 4.2 4.3 4.4 4.5.a 4.5.b 4.5.c 5.1 5.2 5.2.a.1 5.2.a.2 5.2.a.3 5.2.a.4 5.2.a.5 "
    "5.2.b 5.2.c 5.2.d 5.2.e 5.2.f 5.2.g 5.2.h 5.2.i 5.2.j.1 5.2.j.2 6.1 6.2 6.3 6.3.a 6.3.b 6.3.c "
    "6.3.d 6.3.e 6.3.f 6.3.g 6.3.h 6.3.i 6.3.j 6.3.k 6.3.l 6.3.m 6.3.n 6.3.o 6.3.p 6.3.q 6.3.r "
    "6.3.s 6.4 7.1 8.1 9.1 10.1 10.2 10.3"
).split()
ITEMS = (  # noqa: SIM905 - likewise
    "L1 L2 L3 L4 L5 A1 A2 W1 W2 W3 W4 T1 T2 T3 T4 T5 T6 S1 S2 S3 S4 M1 M2 M3 M4 I1 I2 I3 I4 I5 "
    "K1 K2 K3 K4 P1 P2 C1 G1 G2 G3 G4 F1 F2 F3 F4 F5 F6 F7 R1 R2 R3 R4 R5 R6 N1 N2 N3 B1 B2 "
    "Q1 Q2 Q3 Q4 Q5 Q6 Z1 X1 X2 X3 E1 E2 E3 V1"
).split()


def ids(clause: Clause) -> str:
    return clause.id


def crowd(persons: int, **quantities: float) -> Basis:
    basis = Basis(
        {"persons": float(persons), "days": 2.0, **quantities},
        {"dark": True, "overnight": True, "amplified": True},
    )
    return GEM.with_assumptions(basis)


def required(clause_id: str, basis: Basis) -> float:
    rule = GEM.clause(clause_id).requires
    assert rule is not None
    found = rule.resolve(basis).required
    assert found is not None
    return found.value


@pytest.mark.parametrize("clause", GEM.clauses, ids=ids)
def test_quote_is_verbatim(clause: Clause) -> None:
    assert clause.quote in TEXT


def test_the_bundled_text_is_the_law_alone_with_its_numbers() -> None:
    bracketed = {f"[{number}]" for number in NUMBERS if number != "5.2.a"}
    assert not {mark for mark in bracketed if mark not in TEXT}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_clause_of_the_text_is_there(number: str) -> None:
    assert [c for c in GEM.clauses if c.id == number or c.id.startswith(f"{number}-")]


def test_nothing_but_headings_and_joining_words_is_left_unquoted() -> None:
    body = TEXT[TEXT.index("[3.1]") : TEXT.index("APPROVED by the Gem County")]
    for clause in sorted(GEM.clauses, key=lambda c: -len(c.quote)):
        body = body.replace(clause.quote, "¦")
    bare = [
        re.sub(r"\[[0-9.a-z]+\] [A-Z][^:\[]*(:|(?=\[))", "", piece) for piece in body.split("¦")
    ]
    bare = [re.sub(r"\[[0-9.a-z]+\]", "", piece).strip(" ,.;:") for piece in bare]
    assert set(bare) <= {
        "",
        "and",
        "and provided that",
        "Additionally",
        "SECTION 10. VIOLATION; PENALTY",
    }


@pytest.mark.parametrize("clause", GEM.clauses, ids=ids)
def test_every_clause_is_answered_or_says_why_not(clause: Clause) -> None:
    assert answered_by(clause) or clause.subject in SUBJECTS_OF_CHECKS


@pytest.mark.parametrize("clause", GEM.clauses, ids=ids)
def test_clause_names_known_checks_and_agencies(clause: Clause) -> None:
    assert clause.check in CHECKS
    assert {clause.agency or "board", *(i.agency or "board" for i in clause.on_site)} <= AGENCIES
    assert clause.question.endswith("?")


def test_every_check_that_others_rely_on_has_a_clause() -> None:
    assert {clause.check for clause in GEM.clauses} == CHECKS


def test_every_inspection_item_of_the_table_is_there_once() -> None:
    assert sorted(i.id for c in GEM.clauses for i in c.on_site) == sorted(ITEMS)


def test_every_path_can_stand_in_an_application() -> None:
    assert set(GEM.declared_paths()) <= set(known_paths())


def test_the_file_has_no_fault(tmp_path: Path) -> None:
    remarks = check_ordinance(GEM.file, known_paths=known_paths())
    assert not [remark for remark in remarks if remark.fault]
    assert {r.place for r in remarks} == {
        c.id for c in GEM.clauses if c.subject in SUBJECTS_OF_CHECKS
    }


def test_every_slip_of_the_text_names_a_clause_and_a_reading() -> None:
    assert len(GEM.inconsistencies) >= 12
    for slip in GEM.inconsistencies:
        assert GEM.clause(slip.clause)
        assert slip.reading


# --- numbers ----------------------------------------------------------------------------------

# N: stalls, guards, EMTs, toilets F and M, drinking, bathing, waste, greatest performance bond.
GOLDEN = {
    350: (88, 2, 1, 1, 1, 350, 3_500, 875, 3_500),
    2_501: (626, 11, 2, 5, 5, 2_501, 25_010, 6_252.5, 25_010),
    3_000: (750, 12, 2, 5, 5, 3_000, 30_000, 7_500, 30_000),
    5_000: (1_250, 20, 2, 9, 9, 5_000, 50_000, 12_500, 50_000),
}
NUMBERED = (
    "5.2.c", "5.2.f", "5.2.a.4-emt", "5.2.a.2-female", "5.2.a.2-male", "5.2.a.1-drinking",
    "5.2.a.1-bathing", "5.2.a.3", "5.2.j.2",
)  # fmt: skip


@pytest.mark.parametrize("persons", GOLDEN)
def test_golden_table(persons: int) -> None:
    found = tuple(required(clause, crowd(persons)) for clause in NUMBERED)
    assert found == GOLDEN[persons]


@pytest.mark.parametrize("persons", [1, 249, 250, 251, 349, 350, 2_500, 2_501, 9_999, 123_456])
def test_rates_against_arithmetic_of_the_standard_library(persons: int) -> None:
    basis = crowd(persons)
    assert required("5.2.c", basis) == ceil(persons / 4)
    assert required("5.2.f", basis) == ceil(persons / 250)
    assert required("5.2.a.4-emt", basis) == max(1, ceil(persons / 2_500))
    assert required("5.2.a.3", basis) == persons * 5 / 2
    half = ceil(persons / 2)
    assert required("5.2.a.2-female", basis) == max(1, ceil(half / 300))


@pytest.mark.parametrize(
    ("female", "male", "toilets"),
    [(1_250, 1_150, (5, 4)), (2_400, 0, (8, 1)), (0, 2_400, (1, 8)), (960, 1_440, (4, 5))],
)
def test_toilets_by_a_stated_split(female: int, male: int, toilets: tuple[int, int]) -> None:
    basis = crowd(2_400, female=female, male=male)
    assert (required("5.2.a.2-female", basis), required("5.2.a.2-male", basis)) == toilets
    for clause in ("5.2.a.2-female", "5.2.a.2-male"):
        rule = GEM.clause(clause).requires
        assert rule is not None
        assert rule.resolve(basis).required_high is None


def test_toilets_without_a_split_are_tested_at_40_and_60_percent() -> None:
    rule = GEM.clause("5.2.a.2-female").requires
    assert rule is not None
    resolution = rule.resolve(crowd(5_000))
    assert resolution.required_low is not None
    assert resolution.required_high is not None
    assert (resolution.required_low.value, resolution.required_high.value) == (7, 10)
    assert "40 to 60 %" in resolution.assumptions[0]


def test_formula_is_written_out() -> None:
    rule = GEM.clause("5.2.c").requires
    assert rule is not None
    found = rule.resolve(crowd(2_400)).required
    assert found is not None
    assert found.formula == "ceil(2,400 persons / 4) = 600 stalls"


def test_bathing_water_binds_for_an_assembly_of_a_day() -> None:
    day_only = Basis({"persons": 350.0, "days": 1.0, "hours": 6.0}, {"overnight": False})
    assert required("5.2.a.1-bathing", day_only) == 3_500


@pytest.mark.parametrize(
    ("clause_id", "flag"),
    [
        ("5.2.b", "dark"),
        ("5.2.i", "amplified"),
        ("5.2.i-hours", "amplified"),
        ("5.1-overnight", "overnight"),
        ("5.2.f-bond", "plan.security.sheriff_requires_extra_help"),
    ],
)
def test_clause_does_not_bind_when_its_condition_fails(clause_id: str, flag: str) -> None:
    rule = GEM.clause(clause_id).requires
    assert rule is not None
    assert not rule.resolve(Basis({"persons": 400.0}, {flag: False})).applies
    unknown = rule.resolve(Basis({"persons": 400.0}))
    assert unknown.applies
    assert flag in unknown.missing


def test_filing_cleanup_bond_and_insurance() -> None:
    basis = Basis({"persons": 400.0}, {"plan.security.sheriff_requires_extra_help": True})
    assert required("6.1", basis) == 60
    assert required("8.1", basis) == 10
    assert required("5.2.f-bond", basis) == 5_000
    assert required("5.2.j.1", basis) == 1_000_000


@pytest.mark.parametrize(
    ("clause_id", "comparison"),
    [("5.2.j.2", "at-most"), ("8.1", "at-most"), ("6.1", "at-least"), ("4.3", "at-most")],
)
def test_ceilings_are_told_from_floors(clause_id: str, comparison: str) -> None:
    rule = GEM.clause(clause_id).requires
    assert rule is not None
    found = rule.resolve(crowd(400)).required
    assert found is not None
    assert found.comparison == comparison


def test_amplified_sound_past_midnight_runs_into_the_closed_hours() -> None:
    rule = GEM.clause("5.2.i-hours").requires
    assert isinstance(rule, Schedule)
    assert rule.overlap_hours(((12.0, 0.5),)) == 0.5
    assert rule.overlap_hours(((12.0, 23.0),)) == 0.0
    assert rule.overlap_hours(((7.0, 24.0),)) == 0.0
    assert rule.overlap_hours(((6.0, 12.0),)) == 1.0


@pytest.mark.parametrize(("persons", "binds"), [(349, False), (350, True)])
def test_the_ordinance_binds_from_350(persons: int, binds: bool) -> None:
    assert GEM.binds_on(Basis({"persons": float(persons)})) is binds
    assert GEM.binds_on(Basis({})) is None


def test_every_rule_describes_itself() -> None:
    for clause in GEM.clauses:
        for rule in every_rule(clause.requires):
            assert rule.describe()


def test_identity() -> None:
    assert isinstance(GEM, Ordinance)
    assert (GEM.jurisdiction.fips, GEM.jurisdiction.time_zone) == ("16045", "America/Boise")
    assert GEM.threshold_persons == 350
