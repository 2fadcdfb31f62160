"""Rules without a rate: a paper that somebody named has to give, and how things lie on the land."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from site_eval.ordinance.basis import Basis
from site_eval.ordinance.condition import Condition
from site_eval.ordinance.kinds import Number, refusal
from site_eval.ordinance.rule import Figure, Resolution, Rule
from site_eval.ordinance.words import counted, exact
from site_eval.record.measure import Required


class Waiver(BaseModel):
    """What lifts a rule: a paper, from whom."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str
    by: str
    notarized: bool = False
    path: str | None = Field(default=None, description="Where the application states it")

    def given(self, basis: Basis) -> bool:
        """Whether the application states that the waiver is there."""
        return self.path is not None and basis.flag(self.path) is True

    def describe(self) -> str:
        """The waiver in words."""
        return f"{'notarized ' if self.notarized else ''}{self.paper} of {self.by}"


class Paper(Rule):
    """A written statement, plan or approval decides; the text has no number."""

    kind: Literal["paper"] = "paper"
    what: str
    by: str | None = Field(default=None, description="The officer or body whose paper decides")

    def figure(self, basis: Basis) -> Figure:  # noqa: ARG002 - a paper is no number
        """No number: the paper decides."""
        return Figure(None, "", unsaid=f"{self.describe()} decides; the text has no number.")

    def describe(self) -> str:
        """The rule in words."""
        return f"{self.what} of {self.by}" if self.by else self.what


class Limit(BaseModel):
    """One measure of an arrangement and its bound; ``of`` says for which class of thing."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    measure: str
    at_least: Number | None = None
    at_most: Number | None = None
    equal: Number | None = None
    unit: str = ""
    of: str | None = None
    when: Condition | None = None

    @model_validator(mode="after")
    def _one_bound(self) -> Self:
        if sum(b is not None for b in (self.at_least, self.at_most, self.equal)) != 1:
            raise refusal("a limit has one bound; write exactly one of at_least, at_most, equal")
        return self

    def required(self) -> Required:
        """The bound as a requirement."""
        bounds = {"at-least": self.at_least, "at-most": self.at_most, "equal": self.equal}
        comparison, value = next((k, v) for k, v in bounds.items() if v is not None)
        subject = f"{self.measure} ({self.of})" if self.of else self.measure
        return Required(
            value=value,
            unit=self.unit,
            comparison=comparison,  # type: ignore[arg-type]  # the keys are the literals
            formula=f"{subject} {comparison.replace('-', ' ')} {counted(exact(value), self.unit)}",
        )


Form = Literal[
    "distance",  # parts keep a distance from features
    "ring",  # a part encloses the site, with gates
    "apart",  # parts do not overlap
    "inside",  # the first part lies within the second
    "outside",  # the first part lies outside the second
    "line",  # grade, width, surface along a line
    "open",  # a way is kept free
    "spread",  # a part is spread over the grounds
    "size",  # sizes of a part, such as a stall
    "audible",  # a sound must not be plainly heard
    "words",  # a person judges the words of the text
]


class Arrangement(Rule):
    """How things lie on the land, or how something is kept: a form, its parts and its limits.

    ``parts`` and ``to`` are layout roles or classes of reference features. ``bearings`` are
    compass degrees near which gates have to lie. ``surfaces`` are those that count.
    ``measured_to`` tells the boundary of a parcel from the footprint of a building.
    """

    kind: Literal["arrangement"] = "arrangement"
    form: Form
    what: str = Field(description="The arrangement in words")
    parts: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    bearings: tuple[Number, ...] = ()
    surfaces: tuple[str, ...] = ()
    measured_to: Literal["boundary", "footprint", "line", "point"] | None = None
    unless: Waiver | None = None

    def figure(self, basis: Basis) -> Figure:  # noqa: ARG002 - limits are resolved on their own
        """No single number."""
        return Figure(None, "", unsaid=self.describe())

    def describe(self) -> str:
        """The rule in words."""
        return f"{self.what}, unless by {self.unless.describe()}" if self.unless else self.what

    def flags(self) -> Iterator[str]:
        """The flags and quantities of its conditions, limits and waiver."""
        yield from super().flags()
        if self.unless is not None and self.unless.path:
            yield self.unless.path
        for limit in self.limits:
            for leaf in limit.when.leaves() if limit.when else ():
                yield from filter(None, (leaf.flag, leaf.quantity))

    def resolve(self, basis: Basis) -> Resolution:
        """The limits that bind on *basis*; the first of them as the requirement."""
        binding = self._binding(basis)
        if binding is not None:
            return binding
        if self.unless is not None and self.unless.given(basis):
            return Resolution(applies=False, why=f"Waived by {self.unless.describe()}.")
        limits = tuple(
            limit.required()
            for limit in self.limits
            if limit.when is None or limit.when.state(basis) is not False
        )
        first = limits[0] if limits else None
        return Resolution(applies=True, why=self.describe(), required=first, limits=limits)
