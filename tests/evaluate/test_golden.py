"""The golden table of the ordinance's rates, through the whole evaluation.

The numbers are arithmetic done by hand from the ordinance's words: 1 gallon, 10 gallons and
2.5 pounds a person a day; one toilet for each 300 of a sex; one EMT for each 2,500; one space for
each 4; one guard for each 250; a bond of at most $10 a person.
"""

from datetime import UTC, date, datetime

import pytest

from site_eval.evaluate import evaluate
from site_eval.record.verdict import Verdict
from tests.evaluate.application import write_application

GOLDEN = {
    350: {"stalls": 88, "guards": 2, "emt": 1, "toilets": 1, "drink": 350, "bathe": 3_500,
          "waste": 875.0, "bond": 3_500},
    2_501: {"stalls": 626, "guards": 11, "emt": 2, "toilets": 5, "drink": 2_501, "bathe": 25_010,
            "waste": 6_252.5, "bond": 25_010},
    3_000: {"stalls": 750, "guards": 12, "emt": 2, "toilets": 5, "drink": 3_000, "bathe": 30_000,
            "waste": 7_500.0, "bond": 30_000},
    5_000: {"stalls": 1_250, "guards": 20, "emt": 2, "toilets": 9, "drink": 5_000, "bathe": 50_000,
            "waste": 12_500.0, "bond": 50_000},
}  # fmt: skip
CLAUSES = {
    "stalls": ("5.2.c", "plan__parking__stalls"),
    "guards": ("5.2.f", "plan__security__guards_on_duty"),
    "emt": ("5.2.a.4-emt", "plan__medical__emt_on_duty"),
    "drink": ("5.2.a.1-drinking", "plan__water__drinking_gallons_per_day"),
    "bathe": ("5.2.a.1-bathing", "plan__water__bathing_gallons_per_day"),
    "waste": ("5.2.a.3", "plan__waste__pounds_per_day"),
}


def findings_of(folder, **changes):
    path = write_application(folder, **changes)
    return evaluate(path, as_of=date(2027, 3, 1), generated_at=datetime(2027, 3, 1, tzinfo=UTC))


def of_clause(evaluation, clause_id):
    """The finding of a clause that has a number, or else its first."""
    found = [f for f in evaluation.findings if f.clause.id == clause_id]
    return next((f for f in found if f.required is not None), found[0])


@pytest.mark.parametrize("persons", GOLDEN)
def test_exactly_the_number_meets_each_clause_and_one_less_does_not(persons, tmp_path) -> None:
    golden = GOLDEN[persons]
    split = {"attendance__female": persons // 2, "attendance__male": persons - persons // 2}
    enough = {path: golden[name] for name, (_, path) in CLAUSES.items()}
    enough |= {"plan__toilets__female": golden["toilets"], "plan__toilets__male": golden["toilets"]}
    short = {path: value - 1 for path, value in enough.items()}
    just = findings_of(tmp_path, attendance__maximum=persons, **split, **enough)
    less = findings_of(tmp_path, attendance__maximum=persons, **split, **short)
    clauses = {name: clause for name, (clause, _) in CLAUSES.items()}
    for name, clause in {**clauses, "toilets": "5.2.a.2-female"}.items():
        assert of_clause(just, clause).required.value == golden[name], name
        # Stalls without a mapped lot are never more than for review.
        expected = Verdict.NEEDS_REVIEW if name == "stalls" else Verdict.COMPLIES
        assert of_clause(just, clause).verdict is expected, name
        assert of_clause(less, clause).verdict is Verdict.DOES_NOT_COMPLY, name
    bond = of_clause(just, "5.2.j.2")
    assert (bond.required.value, bond.required.comparison) == (golden["bond"], "at-most")
    assert of_clause(just, "4.1").verdict is Verdict.COMPLIES


def test_below_350_the_ordinance_does_not_apply(tmp_path) -> None:
    evaluation = findings_of(tmp_path, attendance__maximum=349)
    assert {f.verdict for f in evaluation.findings if f.check == "applicability"} == {
        Verdict.NOT_APPLICABLE
    }
    assert set(evaluation.summary) == set(Verdict)
    decided = {Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY, Verdict.NOT_DETERMINED}
    assert not [
        f for f in evaluation.findings if f.verdict in decided and f.check != "jurisdiction"
    ]


def test_staff_count_as_people(tmp_path) -> None:
    with_staff = findings_of(tmp_path, attendance__maximum=349, attendance__staff=1)
    assert of_clause(with_staff, "4.1").verdict is Verdict.COMPLIES
    included = findings_of(
        tmp_path, attendance__maximum=349, attendance__staff=1, attendance__staff_included=True
    )
    assert of_clause(included, "4.1").verdict is Verdict.NOT_APPLICABLE


def test_a_plan_made_for_more_than_is_declared_is_for_a_person(tmp_path) -> None:
    evaluation = findings_of(tmp_path, attendance__maximum=349, attendance__tickets=2_000)
    assert of_clause(evaluation, "4.1").verdict is Verdict.NEEDS_REVIEW
    assert of_clause(evaluation, "5.2.f").required.value == 2


@pytest.mark.parametrize(
    ("female", "male", "units_female", "units_male"),
    [(3_000, 0, 10, 1), (0, 3_000, 1, 10), (1_200, 1_800, 4, 6), (1_800, 1_200, 6, 4)],
    ids=["only women", "only men", "40:60", "60:40"],
)
def test_toilets_follow_the_declared_split(
    female, male, units_female, units_male, tmp_path
) -> None:
    evaluation = findings_of(
        tmp_path, attendance__maximum=3_000, attendance__female=female, attendance__male=male,
        plan__toilets__female=units_female, plan__toilets__male=units_male,
    )  # fmt: skip
    assert of_clause(evaluation, "5.2.a.2-female").required.value == units_female
    assert of_clause(evaluation, "5.2.a.2-male").required.value == units_male
    assert of_clause(evaluation, "5.2.a.2-female").verdict is Verdict.COMPLIES


def test_without_a_split_the_assumption_decides_nothing_alone(tmp_path) -> None:
    half = findings_of(tmp_path, attendance__maximum=3_000, plan__toilets__female=5)
    worst = findings_of(tmp_path, attendance__maximum=3_000, plan__toilets__female=6)
    few = findings_of(tmp_path, attendance__maximum=3_000, plan__toilets__female=3)
    verdicts = [of_clause(e, "5.2.a.2-female").verdict for e in (half, worst, few)]
    assert verdicts == [Verdict.NEEDS_REVIEW, Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY]


def test_day_only_has_bathing_water_but_no_sleepers(tmp_path) -> None:
    day = findings_of(tmp_path)
    assert of_clause(day, "5.1-overnight").verdict is Verdict.NOT_APPLICABLE
    assert of_clause(day, "5.2.a.1-bathing").required.value == 10_000
    night = findings_of(
        tmp_path, event__overnight=True, event__ends="2027-06-20T12:00:00",
        attendance__overnight=400, plan__camping__zoning_limit=399,
    )  # fmt: skip
    assert of_clause(night, "5.1-overnight").verdict is Verdict.DOES_NOT_COMPLY
