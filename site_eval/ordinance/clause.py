"""A clause: its words, what it asks for, and how that is answered on paper and on site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator

from site_eval.ordinance.condition import Condition
from site_eval.ordinance.kinds import Number
from site_eval.ordinance.requirement import Requirement, Rule
from site_eval.record.condition import Answer, Cadence, Phase


class Table(BaseModel):
    """A table of the ordinance file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ApprovalWanted(Table):
    """An agency's written approval; without a subject any approval of the agency answers."""

    agency: str
    subject: str | None = None


class Document(Table):
    """A paper that the clause wants: at one of *paths* of the application, or as an approval."""

    name: str
    path: str | None = None
    paths: tuple[str, ...] = ()
    approval: ApprovalWanted | None = None
    when: Condition | None = None

    def model_post_init(self, context: Any, /) -> None:  # noqa: ARG002 - pydantic's signature
        """Make ``path`` the first of ``paths``, so that readers need only the latter."""
        if self.path is not None and self.path not in self.paths:
            object.__setattr__(self, "paths", (self.path, *self.paths))

    @property
    def when_text(self) -> str:
        """When the paper is due, in words; empty when always."""
        return f"{self.name}: due only when {self.when.describe()}" if self.when else ""


def _shape(value: Any) -> str:
    return "same" if isinstance(value, str) else "rule"


Threshold = Annotated[
    Annotated[Literal["same"], Tag("same")] | Annotated[Requirement, Tag("rule")],
    Discriminator(_shape),
]


class OnSite(Table):
    """What somebody looks at on the ground. ``threshold`` "same" is the clause's own rule."""

    id: str
    question: str
    agency: str | None = None
    agency_named: bool = False
    phases: tuple[Phase, ...] = Field(min_length=1)
    cadences: tuple[Cadence, ...] = Field(min_length=1)
    answer: Answer
    unit: str | None = None
    threshold: Threshold | None = None
    judgement: bool = False
    evidence: tuple[str, ...] = ()
    note: str | None = None
    when: Condition | None = None

    @field_validator("cadences", mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [{"kind": item} if isinstance(item, str) else item for item in value]


class Power(Table):
    """What somebody may or must do under the clause: revoke, vary, stop admission, claim a bond."""

    power: str
    by: str
    must: bool = False
    grounds: tuple[str, ...] = ()
    paper: str | None = None
    agreement_of: str | None = Field(default=None, description="Whose concurrence is needed")
    notice_hours: Number | None = None
    chance_to_cure: bool | None = None
    hearing: bool | None = None
    emergency: bool | None = None
    lowest: Requirement | None = Field(default=None, description="How far a variance may go down")
    after: tuple[str, ...] = Field(default=(), description="What follows, e.g. an announcement")

    def describe(self) -> str:
        """The power in words."""
        parts = [f"{self.by} {'must' if self.must else 'may'} {self.power}"]
        parts += ["at once in an emergency"] if self.emergency else []
        parts += [f"with the agreement of {self.agreement_of}"] if self.agreement_of else []
        parts += [f"by {self.paper}"] if self.paper else []
        parts += [f"down to {self.lowest.describe()}"] if self.lowest else []
        parts += [f"after {self.notice_hours:g} hours' notice"] if self.notice_hours else []
        parts += ["after a chance to cure"] if self.chance_to_cure else []
        parts += ["after a hearing"] if self.hearing else []
        parts += [f"when {' or '.join(self.grounds)}"] if self.grounds else []
        return ", ".join(parts) + "".join(f"; then {what}" for what in self.after)


class Clause(Table):
    """One clause, or one part of a clause that asks for one thing.

    ``quote`` is verbatim. ``declared_in`` names the paths of the application whose values, added
    up, answer ``requires``. ``plan_suffices``: the clause itself asks only for a plan or a paper,
    so that the applicant's word can decide. ``reading`` is the ambiguity and the reading taken;
    with ``reading_matters`` a pass under it is still for a person. ``covers`` says why a clause
    needs neither a check nor an inspection.
    """

    id: str
    citation: str
    quote: str = Field(min_length=1)
    heading: str
    subject: str
    check: str
    question: str
    agency: str | None = None
    agency_named: bool = False
    requires: Requirement | None = None
    declared_in: str | tuple[str, ...] = ()
    plan_suffices: bool = False
    documents: tuple[Document, ...] = ()
    on_site: tuple[OnSite, ...] = ()
    exceptions: tuple[str, ...] = ()
    powers: tuple[Power, ...] = ()
    reading: str | None = None
    reading_matters: bool = False
    covers: str | None = None

    @field_validator("quote", "question", "reading", "covers")
    @classmethod
    def _on_one_line(cls, value: str | None) -> str | None:
        return None if value is None else " ".join(value.split())

    @property
    def declared_paths(self) -> tuple[str, ...]:
        """The paths of ``declared_in``, whose values are added up, and of an either-or's ways.

        A clause has the one or the other: the values of several ways are never added up.
        """
        own = (self.declared_in,) if isinstance(self.declared_in, str) else self.declared_in
        ways = [
            part.declared_in
            for rule in every_rule(self.requires)
            for way in getattr(rule, "of", ())
            for part in getattr(way, "parts", ())
            if part.declared_in
        ]
        return tuple(dict.fromkeys([*own, *ways]))

    def rules(self) -> Iterator[Rule]:
        """Every rule of the clause: its own, its items', its powers'."""
        yield from every_rule(self.requires)
        for item in self.on_site:
            if item.threshold != "same":
                yield from every_rule(item.threshold)
        for power in self.powers:
            yield from every_rule(power.lowest)

    def conditions(self) -> Iterator[Condition]:
        """The conditions of its papers and items (those of rules belong to the rules)."""
        whens = [d.when for d in self.documents] + [item.when for item in self.on_site]
        yield from (when for when in whens if when is not None)


def every_rule(rule: Rule | None) -> Iterator[Rule]:
    """A rule and all rules within it."""
    if rule is not None:
        yield rule
        for inner in rule.inner():
            yield from every_rule(inner)
