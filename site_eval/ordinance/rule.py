"""What every kind of rule shares: when it binds, and how its figure becomes a resolution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from pydantic import BaseModel, ConfigDict, Field

from site_eval.ordinance.basis import Basis
from site_eval.ordinance.condition import Condition
from site_eval.ordinance.words import counted
from site_eval.record.measure import Comparison, Required


@dataclass(frozen=True)
class Figure:
    """A rule worked out for one basis. ``left`` is the arithmetic, left of the equals sign.

    ``value`` is ``None`` when something is ``missing`` or the text has no number (``unsaid``).
    ``rivals`` are other values that the text gives for the same case.
    """

    value: Fraction | None
    left: str
    missing: tuple[str, ...] = ()
    used: frozenset[str] = frozenset()
    unsaid: str | None = None
    rivals: tuple[Fraction, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """One way to meet an either-or rule: every part has to be met."""

    name: str
    parts: tuple[tuple[str | None, Required], ...]


@dataclass(frozen=True)
class Resolution:
    """What a rule asks for here.

    ``required`` is the central figure; ``required_low`` and ``required_high`` are given when an
    assumption or a contradiction of the text leaves a range. ``missing`` names what the
    application does not state. With neither a figure nor anything missing, ``why`` says what the
    rule wants instead, or that the text has no number for this case. ``limits`` holds every
    figure of a rule that has several, ``options`` the ways of an either-or.
    """

    applies: bool
    why: str
    required: Required | None = None
    required_low: Required | None = None
    required_high: Required | None = None
    missing: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    limits: tuple[Required, ...] = ()
    options: tuple[Option, ...] = field(default=())


class Rule(BaseModel):
    """The base of the kinds. A kind gives its ``figure``; the rest follows from it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    when: Condition | None = Field(default=None, description="The rule binds only when this holds")
    comparison: Comparison = "at-least"
    unit: str = ""

    def figure(self, basis: Basis) -> Figure:
        """The rule worked out for *basis*, its condition left aside."""
        raise NotImplementedError

    def describe(self) -> str:
        """The rule in words, without numbers of any event."""
        raise NotImplementedError

    def names(self) -> Iterator[str]:
        """The quantities that the figure runs on."""
        yield from ()

    def flags(self) -> Iterator[str]:
        """The flags and quantities that its conditions run on."""
        for leaf in self.when.leaves() if self.when else ():
            name = leaf.flag or leaf.quantity
            if name:
                yield name

    def inner(self) -> Iterator[Rule]:
        """The rules within this rule."""
        yield from ()

    def resolve(self, basis: Basis) -> Resolution:
        """What the rule asks for on *basis*, with the range that assumptions leave."""
        binding = self._binding(basis)
        if binding is not None:
            return binding
        figure = self.figure(basis)
        if figure.value is None:
            return Resolution(
                applies=True,
                why=figure.unsaid or self.describe(),
                missing=figure.missing,
            )
        return self._resolved(basis, figure)

    def _binding(self, basis: Basis) -> Resolution | None:
        """The resolution when the condition does not hold or cannot be told; else nothing."""
        state = True if self.when is None else self.when.state(basis)
        if state or self.when is None:
            return None
        if state is None:
            why = f"Whether it binds is not known: {self.when.describe()}."
            return Resolution(applies=True, why=why, missing=self.when.missing(basis))
        why = f"It binds only when {self.when.describe()}, which is not so here."
        return Resolution(applies=False, why=why)

    def _resolved(self, basis: Basis, figure: Figure) -> Resolution:
        spread = [figure]
        for variant in basis.variants():
            other = self.figure(variant)
            if other.value is not None and other.value != figure.value:
                spread.append(other)
        required = [self._required(f.left, f.value) for f in spread if f.value is not None]
        required += [self._required("another figure of the text", v) for v in figure.rivals]
        ordered = sorted(required, key=lambda r: r.value)
        ranged = ordered[0].value != ordered[-1].value
        assumed = tuple(text for name, text in basis.assumed.items() if name in figure.used)
        return Resolution(
            applies=True,
            why=self.describe(),
            required=required[0],
            required_low=ordered[0] if ranged else None,
            required_high=ordered[-1] if ranged else None,
            assumptions=(*assumed, *figure.notes),
        )

    def _required(self, left: str, value: Fraction) -> Required:
        right = counted(value, self.unit)
        formula = right if left in {right, ""} else f"{left} = {right}"
        return Required(
            value=float(value), unit=self.unit, comparison=self.comparison, formula=formula
        )
