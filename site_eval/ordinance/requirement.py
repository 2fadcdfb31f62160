"""The kinds of rule as one tagged union, and the kinds that are made of other kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from site_eval.ordinance.bands import Band, Table
from site_eval.ordinance.basis import Basis
from site_eval.ordinance.kinds import Number, refusal
from site_eval.ordinance.places import Arrangement, Paper
from site_eval.ordinance.rates import Fixed, Rate
from site_eval.ordinance.rule import Figure, Option, Resolution, Rule
from site_eval.ordinance.timing import Schedule
from site_eval.ordinance.words import counted, exact, quantity_words
from site_eval.record.measure import Required

__all__ = [
    "Arrangement",
    "Either",
    "Fixed",
    "Greatest",
    "Option",
    "Paper",
    "Rate",
    "Requirement",
    "Resolution",
    "Rule",
    "Schedule",
    "Sum",
    "Table",
    "Tiers",
    "options_met",
]


class Tier(BaseModel):
    """A band and what it asks for: a number, or a rule of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    band: Band
    value: Number | None = None
    requires: Requirement | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        if (self.value is None) == (self.requires is None):
            raise refusal("a tier has one answer; write either a value or requires")
        if self.requires is not None and self.requires.when is not None:
            raise refusal("a rule within a tier has a condition; put it on the tiers")
        return self

    def figure(self, basis: Basis, unit: str) -> Figure:
        """What the tier asks for."""
        if self.requires is not None:
            return self.requires.figure(basis)
        value = exact(self.value or 0.0)
        return Figure(value, counted(value, unit))


class Tiers(Rule):
    """Steps by one quantity. Where two tiers meet, both are told; where none does, that is told."""

    kind: Literal["tiers"] = "tiers"
    by: str
    tiers: tuple[Tier, ...] = Field(min_length=1)

    def figure(self, basis: Basis) -> Figure:
        """The tier in which *basis* lies."""
        value = basis.quantities.get(self.by)
        if value is None:
            return Figure(None, "", missing=(self.by,), used=frozenset({self.by}))
        where = counted(exact(value), quantity_words(self.by))
        found = [t.figure(basis, self.unit) for t in self.tiers if t.band.holds(value)]
        if not found:
            unsaid = f"The text has no number for {where}."
            return Figure(None, "", used=frozenset({self.by}), unsaid=unsaid)
        missing = tuple(name for figure in found for name in figure.missing)
        if missing:
            return Figure(None, "", missing=missing)
        first, *others = found
        rivals = tuple(f.value for f in others if f.value is not None and f.value != first.value)
        notes = (f"The text has more than one tier for {where}.",) if rivals else ()
        used = first.used | {self.by}
        return Figure(first.value, f"tier of {where}: {first.left}", (), used, None, rivals, notes)

    def describe(self) -> str:
        """The rule in words."""
        return f"{self.unit or 'a number'} in steps by {quantity_words(self.by)}"

    def names(self) -> Iterator[str]:
        """The quantity of the steps and those of the tiers' rules."""
        yield self.by

    def inner(self) -> Iterator[Rule]:
        """The rules of the tiers."""
        for tier in self.tiers:
            if tier.requires is not None:
                yield tier.requires


class Greatest(Rule):
    """The greatest of several figures: a floor and a rate."""

    kind: Literal["greatest"] = "greatest"
    of: tuple[Requirement, ...] = Field(min_length=2)

    def figure(self, basis: Basis) -> Figure:
        """The greatest figure of those that bind."""
        return _joined(self.of, basis, "max", lambda values: max(values, default=Fraction(0)))

    def describe(self) -> str:
        """The rule in words."""
        return "the greatest of: " + "; ".join(rule.describe() for rule in self.of)

    def inner(self) -> Iterator[Rule]:
        """The rules compared."""
        yield from self.of


class Sum(Rule):
    """Several figures added: rates by role, a base and its increments."""

    kind: Literal["sum"] = "sum"
    of: tuple[Requirement, ...] = Field(min_length=2)

    def figure(self, basis: Basis) -> Figure:
        """The sum of the figures that bind."""
        return _joined(self.of, basis, "+", lambda values: sum(values, Fraction(0)))

    def describe(self) -> str:
        """The rule in words."""
        return " plus ".join(rule.describe() for rule in self.of)

    def inner(self) -> Iterator[Rule]:
        """The rules added."""
        yield from self.of


class Part(BaseModel):
    """One thing that a way of an either-or needs, and where the application declares it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    requires: Requirement
    declared_in: str | None = None


class Way(BaseModel):
    """One way of an either-or; every part of it is needed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    parts: tuple[Part, ...] = Field(min_length=1)


class Either(Rule):
    """Any one of several ways; ``mixed`` when shares of them may be added up."""

    kind: Literal["either"] = "either"
    of: tuple[Way, ...] = Field(min_length=2)
    mixed: bool = False

    def figure(self, basis: Basis) -> Figure:
        """The figure of the first way's first part; the ways themselves are in ``options``."""
        return self.of[0].parts[0].requires.figure(basis)

    def describe(self) -> str:
        """The rule in words."""
        ways = (" and ".join(p.requires.describe() for p in way.parts) for way in self.of)
        return " or ".join(ways)

    def inner(self) -> Iterator[Rule]:
        """The rules of every way."""
        for way in self.of:
            yield from (part.requires for part in way.parts)

    def resolve(self, basis: Basis) -> Resolution:
        """Every way with its figures; the first way's figure is the requirement, all are told."""
        binding = self._binding(basis)
        if binding is not None:
            return binding
        resolved = [
            [(p, r) for p in way.parts if (r := p.requires.resolve(basis)).applies]
            for way in self.of
        ]
        missing = tuple(dict.fromkeys(n for way in resolved for _, r in way for n in r.missing))
        if missing or any(r.required is None for way in resolved for _, r in way):
            return Resolution(applies=True, why=self.describe(), missing=missing)
        options = tuple(
            Option(way.name, tuple((p.declared_in, r.required) for p, r in parts if r.required))
            for way, parts in zip(self.of, resolved, strict=True)
        )
        formula = " or ".join(
            " and ".join(required.formula for _, required in option.parts) for option in options
        )
        first = options[0].parts[0][1].model_copy(update={"formula": formula})
        return Resolution(applies=True, why=self.describe(), required=first, options=options)


Requirement = Annotated[
    Rate | Tiers | Table | Fixed | Greatest | Sum | Either | Schedule | Paper | Arrangement,
    Field(discriminator="kind"),
]

for _model in (Tier, Tiers, Greatest, Sum, Part, Way, Either):
    _model.model_rebuild()


def options_met(
    options: tuple[Option, ...], stated: Mapping[str, float], *, mixed: bool = False
) -> bool | None:
    """Whether the *stated* values, by dotted path, meet one of the ways of an either-or.

    With *mixed*, the shares to which each way is met are added (a share is that of its least met
    part). Of ceilings ("100 cars or 30 buses to an acre") every share has to be at most one, or
    with *mixed* their sum. ``None`` when nothing is stated of any way.
    """
    paths = {path for option in options for path, _ in option.parts if path}
    if not paths & set(stated):
        return None
    shares = [min(_share(stated, *part) for part in option.parts) for option in options]
    share = sum(shares, Fraction(0)) if mixed else max(shares)
    ceiling = options[0].parts[0][1].comparison == "at-most"
    return share <= 1 if ceiling else share >= 1


def _share(stated: Mapping[str, float], path: str | None, required: Required) -> Fraction:
    have = exact(stated.get(path, 0.0)) if path else Fraction(0)
    return Fraction(1) if required.value <= 0 else have / exact(required.value)


def _joined(
    rules: tuple[Requirement, ...],
    basis: Basis,
    sign: Literal["max", "+"],
    join: Callable[[list[Fraction]], Fraction],
) -> Figure:
    """The figures of the rules that bind, joined; what is missing of any is missing of all."""
    bound = [(rule, rule.when.state(basis) if rule.when else True) for rule in rules]
    unknown = [n for rule, state in bound if state is None and rule.when
               for n in rule.when.missing(basis)]  # fmt: skip
    figures = [rule.figure(basis) for rule, state in bound if state]
    missing = tuple(dict.fromkeys([*unknown, *(n for f in figures for n in f.missing)]))
    unsaid = next((f.unsaid for f in figures if f.unsaid), None)
    used = frozenset[str]().union(*(figure.used for figure in figures))
    if missing or unsaid:
        return Figure(None, "", missing=missing, used=used, unsaid=unsaid)
    value = join([f.value for f in figures if f.value is not None])
    words = [f.left for f in figures] or ["0"]
    left = f"max({', '.join(words)})" if sign == "max" else " + ".join(words)
    return Figure(value, left, used=used, notes=tuple(n for f in figures for n in f.notes))
