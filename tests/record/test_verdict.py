"""A verdict is never better than its inputs."""

import pytest

from site_eval.record.verdict import Grade, Verdict, cap

A, P, D, I, X = (
    Grade.AUTHORITATIVE,
    Grade.PUBLISHED,
    Grade.DECLARED,
    Grade.INFERRED,
    Grade.ILLUSTRATIVE,
)
YES, NO, REVIEW = Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY, Verdict.NEEDS_REVIEW


@pytest.mark.parametrize(
    ("verdict", "grades", "plan_suffices", "expected"),
    [
        (YES, [A, P], False, YES),
        (YES, [A, D], False, REVIEW),
        (YES, [A, D], True, YES),
        (YES, [I], True, REVIEW),
        (YES, [X], True, REVIEW),
        (NO, [X], True, REVIEW),
        (NO, [D], False, NO),
        (NO, [I], False, NO),
        (YES, [], False, YES),
        (Verdict.NOT_DETERMINED, [X], False, Verdict.NOT_DETERMINED),
        (Verdict.NOT_APPLICABLE, [X], False, Verdict.NOT_APPLICABLE),
    ],
)
def test_grade_caps_verdict(verdict, grades, plan_suffices, expected) -> None:
    capped, reasons = cap(verdict, grades, plan_suffices=plan_suffices)
    assert capped is expected
    assert bool(reasons) == (capped is not verdict)


@pytest.mark.parametrize("grade", list(Grade))
@pytest.mark.parametrize("plan_suffices", [True, False])
def test_one_more_source_never_turns_another_verdict_into_complies(grade, plan_suffices) -> None:
    for verdict in set(Verdict) - {YES}:
        assert cap(verdict, [P, grade], plan_suffices=plan_suffices)[0] is not YES
    if cap(YES, [grade], plan_suffices=plan_suffices)[0] is not YES:
        assert cap(YES, [A, P, grade], plan_suffices=plan_suffices)[0] is REVIEW
