"""Laws of the rule engine, whatever the numbers."""

import doctest
from fractions import Fraction
from math import ceil, floor
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_eval.ordinance import basis as basis_module
from site_eval.ordinance import words as words_module
from site_eval.ordinance.assumption import Assumption, assume
from site_eval.ordinance.basis import Basis, overlap_hours
from site_eval.ordinance.condition import Condition
from site_eval.ordinance.requirement import Fixed, Greatest, Rate, Sum
from site_eval.ordinance.words import counted, exact, number, singular

PERSONS = st.integers(0, 200_000)
PER = st.integers(1, 5_000)
SPLIT = Assumption(parts=("female", "male"), central=0.5, low=0.4, high=0.6, reason="Not said.")


def value(rule: Rate | Sum | Greatest | Fixed, basis: Basis) -> float:
    required = rule.resolve(basis).required
    assert required is not None
    return required.value


@settings(max_examples=60)
@given(PERSONS, PER)
def test_up_is_the_least_whole_number_that_suffices(persons: int, per: int) -> None:
    found = value(
        Rate(amount=1, per=per, of=("persons",), rounding="up"), Basis({"persons": persons})
    )
    assert found * per >= persons
    assert (found - 1) * per < persons or found == 0


@settings(max_examples=60)
@given(PERSONS, PER, st.integers(1, 20))
def test_started_groups_ask_for_no_less_than_full_ones(persons: int, per: int, amount: int) -> None:
    basis = Basis({"persons": persons})
    started = Rate(amount=amount, per=per, of=("persons",), rounding="each-started")
    full = Rate(amount=amount, per=per, of=("persons",), rounding="each-full")
    assert value(started, basis) == amount * ceil(Fraction(persons, per))
    assert value(full, basis) == amount * floor(Fraction(persons, per))


@settings(max_examples=60)
@given(PERSONS, PERSONS, PER)
def test_a_rate_never_falls_as_the_crowd_grows(one: int, other: int, per: int) -> None:
    rule = Rate(amount=1, per=per, of=("persons",), rounding="up", minimum=1)
    fewer, more = sorted((one, other))
    assert value(rule, Basis({"persons": fewer})) <= value(rule, Basis({"persons": more}))


@settings(max_examples=60)
@given(PERSONS)
def test_sum_and_greatest_join_their_parts(persons: int) -> None:
    parts = (Fixed(value=3), Rate(amount=1, per=150, of=("persons",), rounding="up"))
    basis = Basis({"persons": persons})
    values = [value(part, basis) for part in parts]
    assert value(Sum(of=parts), basis) == sum(values)
    assert value(Greatest(of=parts), basis) == max(values)


@settings(max_examples=60)
@given(st.integers(1, 100_000))
def test_assumed_split_makes_up_the_whole_and_its_ends_enclose_the_middle(persons: int) -> None:
    basis = assume(Basis({"persons": float(persons)}), [SPLIT])
    for variant in (basis, *basis.variants()):
        both = variant.quantities["female"] + variant.quantities["male"]
        assert persons <= both <= persons + 1
    resolution = Rate(amount=1, per=300, of=("female",), rounding="up").resolve(basis)
    assert resolution.required is not None
    low = resolution.required_low or resolution.required
    high = resolution.required_high or resolution.required
    assert low.value <= resolution.required.value <= high.value
    assert high.value == ceil(Fraction(ceil(Fraction(6 * persons, 10)), 300))


@settings(max_examples=60)
@given(st.integers(0, 5000), st.integers(0, 5000), st.integers(0, 500))
def test_those_of_unstated_sex_are_counted_to_each_in_turn(f: int, m: int, staff: int) -> None:
    basis = Basis({"persons": float(f + m + staff), "female": float(f), "male": float(m)})
    tested = [variant.quantities for variant in assume(basis, [SPLIT]).variants()]
    assert len(tested) == (2 if staff else 0)
    for quantities in tested:
        assert quantities["female"] + quantities["male"] == f + m + staff
        assert (quantities["female"], quantities["male"]) in {(f + staff, m), (f, m + staff)}


@settings(max_examples=60)
@given(st.integers(0, 23), st.integers(0, 24), st.integers(0, 23), st.integers(0, 24))
def test_overlap_of_hours_is_symmetric_and_counts_whole_hours(
    a: int, b: int, c: int, d: int
) -> None:
    def hours(start: int, end: int) -> set[int]:
        if (start, end) == (0, 0):
            return set(range(24))
        return set(range(start, end)) if end > start else set(range(start, 24)) | set(range(end))

    found = overlap_hours(((float(a), float(b)),), (float(c), float(d)))
    assert found == overlap_hours(((float(c), float(d)),), (float(a), float(b)))
    assert found == len(hours(a, b) & hours(c, d))


@pytest.mark.parametrize(
    ("states", "all_", "any_"),
    [
        ((True, True), True, True),
        ((True, False), False, True),
        ((True, None), None, True),
        ((False, None), False, None),
        ((None, None), None, None),
    ],
)
def test_unknown_facts_leave_open_only_what_they_could_decide(
    states: tuple[bool | None, bool | None], all_: bool | None, any_: bool | None
) -> None:
    known = {name: state for name, state in zip("ab", states, strict=True) if state is not None}
    basis = Basis({}, known)
    both = [{"flag": "a"}, {"flag": "b"}]
    assert Condition.model_validate({"all": both}).state(basis) is all_
    assert Condition.model_validate({"any": both}).state(basis) is any_


def test_not_turns_a_known_answer_and_keeps_an_unknown_one() -> None:
    condition = Condition.model_validate({"not": {"flag": "a"}})
    assert condition.state(Basis({}, {"a": True})) is False
    assert condition.state(Basis({}, {"a": False})) is True
    assert condition.state(Basis({})) is None


def test_a_text_of_the_application_is_a_flag() -> None:
    basis = Basis({}).with_values({"applicant.kind": "corporation", "x": True, "y": 3, "z": None})
    assert basis.flag("applicant.kind=corporation") is True
    assert basis.flag("applicant.kind=partnership") is False
    assert Basis({}).flag("applicant.kind=partnership") is None
    assert (basis.flag("x"), basis.quantities, basis.flag("z")) == (True, {"y": 3.0}, None)


@pytest.mark.parametrize("amount", [0.1, 1.1, 2.5, 0.5, 1.5])
def test_decimals_are_taken_as_they_are_written(amount: float) -> None:
    rule = Rate(amount=amount, of=("persons",), rounding="up")
    assert value(rule, Basis({"persons": 10.0})) == ceil(Fraction(str(amount)) * 10)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (counted(1, "stalls"), "1 stall"),
        (counted(2, "pounds per day"), "2 pounds per day"),
        (counted(1, "pounds per day"), "1 pound per day"),
        (counted(Fraction(5, 2), "pounds"), "2.5 pounds"),
        (counted(1, "ft"), "1 ft"),
        (singular("chemical toilets"), "chemical toilet"),
        (singular("lavatories"), "lavatory"),
        (number(1_234_567), "1,234,567"),
        (number(exact(0.1) + exact(0.2)), "0.3"),
    ],
)
def test_numbers_and_units_in_words(found: str, expected: str) -> None:
    assert found == expected


@pytest.mark.parametrize("module", [basis_module, words_module], ids=lambda m: m.__name__)
def test_examples_in_docstrings_run(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
