"""Does the ordinance bind this assembly at all?"""

from __future__ import annotations

from site_eval.case import Case
from site_eval.engine.answer import Answer
from site_eval.engine.registry import check
from site_eval.engine.words import number
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict


@check("applicability", subjects=("licence.required",), scope=True)
def licence_required(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether so many people are expected that a licence is needed.

    *Asks*: are as many people expected at one time as the ordinance binds from?
    *Measures*: the declared maximum with the staff, and what else the plan is made for (tickets
    valid on one day, stalls at the clause's own persons a stall).
    *Judges*: below the threshold the ordinance does not apply, unless the plan is made for more:
    "actual or reasonably anticipated" is then for a person to judge.
    *Cannot say*: how many will really come.
    *Source*: the clause's own threshold.
    """
    required = _threshold(case, clause)
    persons = case.basis.quantities["persons"]
    verdict, statement = _licence_verdict(case, persons, required.value)
    return [
        Answer(
            verdict,
            statement,
            measured=Measured(value=persons, unit="persons"),
            required=required,
            reasons=case.notes,
            sources=(case.declared,),
            unbinds=verdict is Verdict.NOT_APPLICABLE,
        )
    ]


def _licence_verdict(case: Case, persons: float, threshold: float) -> tuple[Verdict, str]:
    """The verdict and its sentence for so many people against the threshold."""
    people, limit = number(persons), number(threshold)
    if persons >= threshold:
        return Verdict.COMPLIES, (
            f"{people} people at one time are at least {limit}: the ordinance binds, and this "
            "application asks for the licence."
        )
    anticipated = _anticipated(case, threshold)
    if anticipated:
        return Verdict.NEEDS_REVIEW, (
            f"{people} people are declared, below {limit}, but the plan is made for more: "
            f"{'; '.join(anticipated)}. Whether {limit} are reasonably anticipated is for a person "
            "to judge."
        )
    return Verdict.NOT_APPLICABLE, (
        f"{people} people at one time are fewer than {limit}: the ordinance does not apply."
    )


@check("applicability", subjects=("exception.permanent-assembly", "exception.auction"), scope=True)
def excepted_by_capacity(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether a permanent place of assembly, or an auction, is excepted.

    *Asks*: does the assembly exceed the maximum capacity by more than the clause allows?
    *Measures*: people at one time less the declared capacity.
    *Judges*: within the allowance the exception would apply; the capacity is the applicant's word
    and the kind of place a judgement, so a person confirms it.
    *Cannot say*: whether the place is of the kind that the clause lists; the capacity of an
    athletic field without a structure.
    *Source*: the clause's own allowance.
    """
    venue = case.application.venue
    wanted = clause.subject.removeprefix("exception.")
    if venue.kind != wanted:
        statement = f"The exception does not apply: the place is declared as {venue.kind}."
        return [Answer(Verdict.NOT_APPLICABLE, statement, sources=(case.declared,))]
    if venue.seating_capacity is None:
        statement = "The application does not state venue.seating_capacity; add it."
        return [Answer(Verdict.NOT_DETERMINED, statement)]
    allowed = _threshold(case, clause).value
    limit = venue.seating_capacity + allowed
    persons = case.basis.quantities["persons"]
    within = persons <= limit
    arithmetic = (
        f"{number(persons)} people against a capacity of {number(venue.seating_capacity)} plus "
        f"{number(allowed)}, {number(limit)}"
    )
    return [
        Answer(
            Verdict.NEEDS_REVIEW if within else Verdict.NOT_APPLICABLE,
            f"On the declared capacity the exception {'would' if within else 'does not'} apply: "
            f"{arithmetic}.",
            measured=Measured(value=persons, unit="persons"),
            required=Required(
                value=limit,
                unit="persons",
                comparison="at-most",
                formula=f"{number(venue.seating_capacity)} seats + {number(allowed)}",
            ),
            reasons=(
                "If the coordinator confirms the place and its capacity, the ordinance does not "
                "apply.",
            )
            if within
            else (),
            sources=(case.declared,),
        )
    ]


@check("applicability", subjects=("exception.government-or-licensed",), scope=True)
def excepted_by_sponsor(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether a government fair on fairgrounds, or another county licence, is excepted.

    *Asks*: is this a government-sponsored fair or event on established fairgrounds, or an
    assembly licensed under another ordinance of the county?
    *Measures*: what the application declares of the venue.
    *Judges*: a claim is for a person to confirm; without one the exception does not apply.
    *Cannot say*: who really sponsors the event.
    *Source*: the clause.
    """
    venue = case.application.venue
    if venue.licensed_under:
        statement = (
            f"The application says that the assembly is licensed under {venue.licensed_under}; if "
            "so, this ordinance does not apply."
        )
        return [Answer(Verdict.NEEDS_REVIEW, statement, sources=(case.declared,))]
    if venue.kind != "fairgrounds":
        statement = (
            "The exception does not apply: no established fairgrounds and no other licence of the "
            "county are declared."
        )
        return [Answer(Verdict.NOT_APPLICABLE, statement, sources=(case.declared,))]
    if venue.government_sponsored is None:
        statement = "The application does not state venue.government_sponsored; add it."
        return [Answer(Verdict.NOT_DETERMINED, statement)]
    if not venue.government_sponsored:
        statement = "The exception does not apply: the event is not sponsored by a government."
        return [Answer(Verdict.NOT_APPLICABLE, statement, sources=(case.declared,))]
    statement = (
        "A government-sponsored event on established fairgrounds is declared; if the coordinator "
        "confirms both, the ordinance does not apply."
    )
    return [Answer(Verdict.NEEDS_REVIEW, statement, sources=(case.declared,))]


def _threshold(case: Case, clause: Clause) -> Required:
    if clause.requires is not None:
        required = clause.requires.resolve(case.basis).required
        if required is not None:
            return required
    value = float(case.ordinance.threshold_persons)
    return Required(value=value, unit="persons", formula=f"{number(value)} persons")


def _anticipated(case: Case, threshold: float) -> list[str]:
    """What in the plan is made for more people than the threshold."""
    attendance = case.application.attendance
    hints = []
    per_day = attendance.tickets_per_day or attendance.tickets
    if per_day and per_day >= threshold:
        hints.append(f"{number(per_day)} tickets")
    stalls = case.value("plan.parking.stalls")
    if stalls and stalls * 4 >= threshold:
        hints.append(f"{number(stalls)} parking stalls, at four persons each")
    return hints
