"""Any clause that asks for a number which the plan declares: no code of its own is needed."""

from __future__ import annotations

from collections.abc import Sequence

from site_eval.case import Case
from site_eval.engine.answer import Answer
from site_eval.engine.words import number
from site_eval.ordinance.clause import Clause
from site_eval.ordinance.requirement import Either, Resolution, options_met
from site_eval.ordinance.words import counted, exact
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict


def answers(case: Case, clause: Clause) -> list[Answer]:
    """The answer for a clause with a numeric requirement and a declared value; else nothing."""
    paths = clause.declared_paths
    if clause.requires is None or not paths:
        return []
    resolution = clause.requires.resolve(case.basis)
    if resolution.required is None or not resolution.applies:
        return [_without_number(case, resolution)]
    known = {path: float(value) for path in paths if (value := case.value(path)) is not None}
    if not known:
        return [_unstated(case, paths, resolution.required)]
    if resolution.options:
        return [_one_of_several(case, clause, known, resolution)]
    return [_compared(case, clause, sum(known.values()), resolution)]


def judge(value: float, required: Required) -> bool:
    """Whether *value* meets the one number that is required."""
    if required.comparison == "at-most":
        return value <= required.value
    if required.comparison == "equal":
        return value == required.value
    return value >= required.value


def _without_number(case: Case, resolution: Resolution) -> Answer:
    """The clause does not bind, the text has no number for this case, or something is unstated."""
    if not resolution.applies:
        return Answer(Verdict.NOT_APPLICABLE, resolution.why, sources=(case.declared,))
    if not resolution.missing:
        return Answer(Verdict.NOT_DETERMINED, resolution.why, sources=(case.declared,))
    missing = ", ".join(resolution.missing)
    statement = f"The number cannot be worked out: the application does not state {missing}."
    return Answer(Verdict.NOT_DETERMINED, statement)


def _unstated(case: Case, paths: Sequence[str], required: Required) -> Answer:
    places = " or ".join(paths)
    return Answer(
        Verdict.NOT_DETERMINED,
        f"It is {_need(required)} ({required.formula}), but the application does not state "
        f"{places}; add it.",
        required=required,
        sources=(case.declared,),
    )


def _compared(case: Case, clause: Clause, value: float, resolution: Resolution) -> Answer:
    """Judge at the central requirement and at both ends of what assumptions leave open."""
    required = resolution.required
    if required is None:
        raise ValueError("a resolution without a number cannot be compared")
    ends = [r for r in (required, resolution.required_low, resolution.required_high) if r]
    passes = [judge(value, end) for end in ends]
    reasons = [*resolution.assumptions]
    if all(passes):
        verdict = Verdict.COMPLIES
    elif not any(passes):
        verdict = Verdict.DOES_NOT_COMPLY
    else:
        verdict = Verdict.NEEDS_REVIEW
        formulas = "; ".join(dict.fromkeys(end.formula for end in ends))
        reasons.append(f"The answer turns on an assumption: {formulas}.")
    if verdict is Verdict.COMPLIES and clause.reading_matters and clause.reading:
        verdict = Verdict.NEEDS_REVIEW
    if clause.reading:
        reasons.append(f"Reading taken: {clause.reading}")
    return Answer(
        verdict,
        _statement(value, required),
        measured=Measured(value=value, unit=required.unit),
        required=required,
        reasons=tuple(reasons),
        sources=(case.declared,),
    )


def _one_of_several(
    case: Case, clause: Clause, known: dict[str, float], resolution: Resolution
) -> Answer:
    """An either-or: any one of the clause's ways suffices."""
    mixed = isinstance(clause.requires, Either) and clause.requires.mixed
    met = options_met(resolution.options, known, mixed=mixed)
    stated = "; ".join(f"{path} {number(value)}" for path, value in known.items())
    formula = resolution.required.formula if resolution.required else resolution.why
    return Answer(
        Verdict.COMPLIES if met else Verdict.DOES_NOT_COMPLY,
        f"The plan states {stated}. Asked for is any one of: {formula}.",
        required=resolution.required,
        reasons=resolution.assumptions,
        sources=(case.declared,),
    )


def _need(required: Required) -> str:
    words = {"at-least": "at least", "at-most": "at most", "equal": "exactly", "none": "about"}
    return f"asked for {words[required.comparison]} {_counted(required.value, required.unit)}"


def _statement(value: float, required: Required) -> str:
    """What is stated, what is asked for with its arithmetic, and by how much they differ."""
    gap = value - required.value
    words = {
        "at-least": ("to spare", "short"),
        "at-most": ("over", "under"),
        "equal": ("too many", "too few"),
        "none": ("more", "fewer"),
    }[required.comparison]
    difference = f"{number(abs(gap))} {words[0] if gap > 0 else words[1]}" if gap else "just enough"
    return (
        f"The plan states {_counted(value, required.unit)}; {_need(required)} "
        f"({required.formula}): {difference}."
    )


def _counted(value: float, unit: str) -> str:
    return f"${number(value)}" if unit == "USD" else counted(exact(value), unit)
