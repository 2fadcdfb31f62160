"""A licence as the Board grants it: the conditions proposed, edited in a file, become checklist items.

The file is TOML. ``proposed_order`` writes it from an evaluation, a person edits it, ``granted``
reads it back and adds its conditions to the evaluation's checklist. Nothing is granted by itself.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from site_eval.errors import InputFileError
from site_eval.record.condition import Answer, Cadence, Checklist, ChecklistItem, Phase
from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import ClauseReference
from site_eval.record.measure import Required
from site_eval.reports.decision import Proposal, proposals
from site_eval.reports.words import AGENCIES

_HEAD = """\
# Conditions proposed for {event}, drawn from the questions that its evaluation left open.
# Strike out, change and add. Then: site-eval grant {file} --order THIS_FILE --out checklist.json
#
# clause    a clause of the ordinance, or leave the line out for a condition of the Board's own
# agency    {agencies}
# phases    before, gate-open, live, night, after
# answer    yes-no, count, number, time, document, statement
# at_least  or at_most or equal, with unit: the number that an inspection is held against
# minutes   every how many minutes it is inspected; without it, once

ordered = ""          # the day of the Board's order, as 2026-06-30
"""


class BoardCondition(BaseModel):
    """One condition of the Board's order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(min_length=1)
    agency: str = Field(min_length=1)
    clause: str | None = None
    phases: list[Phase] = Field(default=["before"], min_length=1)
    answer: Answer = "yes-no"
    at_least: float | None = None
    at_most: float | None = None
    equal: float | None = None
    unit: str | None = None
    minutes: int | None = Field(default=None, gt=0)
    evidence: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_number(self) -> BoardCondition:
        given = [n for n in (self.at_least, self.at_most, self.equal) if n is not None]
        if len(given) > 1:
            raise ValueError("give one of at_least, at_most and equal, not several")
        if given and not self.unit:
            raise ValueError("a number needs its unit")
        if given and self.answer not in {"count", "number"}:
            raise ValueError("a number needs the answer 'count' or 'number'")
        return self


class Order(BaseModel):
    """The Board's order on an application."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ordered: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    conditions: list[BoardCondition] = Field(default_factory=list)


def proposed_order(evaluation: Evaluation, name: str) -> str:
    """The order file for *evaluation*, which a person edits; *name* is the evaluation's file."""
    head = _HEAD.format(
        event=evaluation.checklist.terms.event.replace("\n", " "),
        file=name,
        agencies=", ".join(_agencies(evaluation)),
    )
    return "\n".join([head, *(_block(proposal) for proposal in proposals(evaluation))])


def read_order(path: Path, text: str, evaluation: Evaluation) -> Order:
    """The order in *text*; raises ``InputFileError`` naming the first fault and its place."""
    mend = "mend that line; `site-eval grant EVALUATION --propose FILE` writes the form anew"
    try:
        order = Order.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(str(path), f"is no TOML ({error})", mend) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(p + 1) if isinstance(p, int) else str(p) for p in first["loc"])
        if where == "ordered":
            first["msg"] = "the day of the Board's order is missing, as 2026-06-30"
        raise InputFileError(f"{path} ({where})", first["msg"].rstrip("."), mend) from None
    known, agencies = _clauses(evaluation), _agencies(evaluation)
    for number, condition in enumerate(order.conditions, 1):
        place = f"{path} (conditions.{number}"
        if condition.clause and condition.clause not in known:
            raise InputFileError(
                f"{place}.clause)",
                f"the evaluation has no clause {condition.clause!r}",
                "name a clause of its findings, or leave the line out",
            )
        if condition.agency not in agencies:
            raise InputFileError(
                f"{place}.agency)",
                f"nobody is called {condition.agency!r}",
                f"name one of {', '.join(agencies)}",
            )
    return order


def granted(evaluation: Evaluation, order: Order) -> Checklist:
    """The evaluation's checklist, with every condition of *order* as an item ``board-N`` at its end."""
    clauses = _clauses(evaluation)
    added = [
        _item(number, condition, order.ordered, clauses)
        for number, condition in enumerate(order.conditions, 1)
    ]
    checklist = evaluation.checklist
    return checklist.model_copy(update={"items": [*checklist.items, *added]})


def _agencies(evaluation: Evaluation) -> list[str]:
    named = {*AGENCIES, *(item.agency for item in evaluation.checklist.items)}
    return sorted(named | {f.agency for f in evaluation.findings if f.agency})


def _clauses(evaluation: Evaluation) -> dict[str, ClauseReference]:
    found = [
        *(f.clause for f in evaluation.findings),
        *(i.clause for i in evaluation.checklist.items),
    ]
    return {clause.id: clause for clause in found}


def _item(
    number: int, condition: BoardCondition, ordered: str, clauses: dict[str, ClauseReference]
) -> ChecklistItem:
    citation = f"Order of the Board, {ordered}, condition {number}"
    clause = ClauseReference(id=f"board-{number}", citation=citation, quote=condition.text)
    if condition.clause:
        under = clauses[condition.clause]
        clause = ClauseReference(
            id=under.id, citation=f"{citation}, under {under.citation}", quote=under.quote
        )
    kind: Literal["once", "interval"] = "interval" if condition.minutes else "once"
    return ChecklistItem(
        id=f"board-{number}",
        clause=clause,
        subject="licence.condition",
        question=condition.text,
        agency=condition.agency,
        agency_named_in_text=True,
        phases=list(condition.phases),
        cadences=[Cadence(kind=kind, minutes=condition.minutes, set_by_text=True)],
        answer=condition.answer,
        unit=condition.unit,
        threshold=_threshold(condition, ordered),
        evidence=list(condition.evidence),
        note=f"Condition {number} of the license, added by the Board on {ordered}.",
    )


def _threshold(condition: BoardCondition, ordered: str) -> Required | None:
    for comparison, value in (
        ("at-least", condition.at_least),
        ("at-most", condition.at_most),
        ("equal", condition.equal),
    ):
        if value is not None:
            return Required(
                value=value,
                unit=condition.unit or "",
                comparison=comparison,  # type: ignore[arg-type]
                formula=f"{value:,g} {condition.unit}, as the Board ordered on {ordered}",
            )
    return None


def _block(proposal: Proposal) -> str:
    """One proposed condition as TOML."""
    lines = [
        "[[conditions]]",
        f"text = {_string(f'{proposal.title}: {proposal.ask}')}",
        f"clause = {_string(proposal.clause)}",
        f"agency = {_string(proposal.agency)}",
        'phases = ["before"]',
    ]
    required = proposal.required
    if required is None:
        lines.append('answer = "document"' if proposal.paper else 'answer = "yes-no"')
    else:
        key = required.comparison.replace("-", "_")
        lines += [
            'answer = "number"',
            f"{key} = {required.value!r}",
            f"unit = {_string(required.unit)}",
        ]
    return "\n".join(lines) + "\n"


def _string(text: str) -> str:
    """A TOML basic string on one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return (
        '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'
    )
