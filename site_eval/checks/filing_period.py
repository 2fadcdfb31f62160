"""Was the application filed early enough?"""

from __future__ import annotations

from datetime import date, timedelta

from site_eval.case import Case
from site_eval.engine.answer import Answer
from site_eval.engine.registry import check
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict


@check("filing-period", subjects=("filing.period",))
def filing_period(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the application came in as many days before the assembly as the clause wants.

    *Asks*: were there at least so many days between receipt and the first assembly?
    *Measures*: days from the day of receipt (not counted) to the day on which people first
    assemble (counted), in the event's own time zone; arrival for camping is assembling.
    *Judges*: at least the clause's days.
    *Cannot say*: whether the coordinator has the application as complete.
    *Source*: the clause; the way of counting is Idaho Code 73-109, to be confirmed by counsel.
    """
    days_required = _days(case, clause)
    first = case.application.event.assembles.date()
    latest = first - timedelta(days=days_required)
    required = Required(
        value=float(days_required),
        unit="days",
        formula=f"{first.isoformat()} less {days_required} days = {latest.isoformat()} at the latest",
    )
    received = case.application.filing.received
    if received is None:
        return [_not_filed(case.as_of, latest, required)]
    days = judge_days(received, first)
    meets = days >= days_required
    return [
        Answer(
            Verdict.COMPLIES if meets else Verdict.DOES_NOT_COMPLY,
            f"Received on {received.isoformat()}, {days} days before people first assemble on "
            f"{first.isoformat()}; the latest day was {latest.isoformat()}.",
            measured=Measured(value=float(days), unit="days"),
            required=required,
            reasons=_close(days, days_required),
            sources=(case.declared,),
        )
    ]


def judge_days(received: date, first: date) -> int:
    """Days before the assembly: the day of receipt is not counted, the first day is."""
    return (first - received).days


def _close(days: int, required: int) -> tuple[str, ...]:
    if days == required:
        return ("Exactly on the last day: it holds only if the first day is counted as a whole.",)
    return ()


def _not_filed(as_of: date, latest: date, required: Required) -> Answer:
    if as_of > latest:
        statement = (
            f"No day of receipt is stated, and the latest day, {latest.isoformat()}, has passed."
        )
        return Answer(Verdict.NEEDS_REVIEW, statement, required=required)
    statement = (
        f"No day of receipt is stated (filing.received); the latest is {latest.isoformat()}."
    )
    return Answer(Verdict.NOT_DETERMINED, statement, required=required)


def _days(case: Case, clause: Clause) -> int:
    if clause.requires is None:
        raise ValueError(f"clause {clause.id} states no number of days")
    required = clause.requires.resolve(case.basis).required
    if required is None:
        raise ValueError(f"clause {clause.id} states no number of days")
    return int(required.value)
