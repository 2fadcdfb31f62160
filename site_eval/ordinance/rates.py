"""Rules of one number: so many for each so many, and a fixed amount."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from site_eval.ordinance.basis import Basis
from site_eval.ordinance.kinds import Number, refusal
from site_eval.ordinance.rule import Figure, Rule
from site_eval.ordinance.words import counted, exact, number, quantity_words, singular

Rounding = Literal["none", "up", "down", "nearest", "each-started", "each-full"]


class Fixed(Rule):
    """A number that does not depend on the crowd."""

    kind: Literal["fixed"] = "fixed"
    value: Number

    def figure(self, basis: Basis) -> Figure:  # noqa: ARG002 - the same for every basis
        """The number itself."""
        return Figure(exact(self.value), counted(exact(self.value), self.unit))

    def describe(self) -> str:
        """The rule in words."""
        return counted(exact(self.value), self.unit)


class Rate(Rule):
    """*amount* for each *per* of the product of the quantities *of*.

    ``rounding``: "up" rounds the result; "each-started" counts a started group as whole ("or
    fraction thereof"), "each-full" counts full groups alone; both round before *amount*
    multiplies. ``beyond`` takes away what the first quantity does not count for ("each further
    500 beyond 2,500"). ``minimum`` and ``maximum`` hold the result. A member of *of* may itself
    be a rate ("half of the male toilets that are required").
    """

    kind: Literal["rate"] = "rate"
    amount: Annotated[Number, Field(ge=0)]
    per: Annotated[Number, Field(gt=0)] = 1.0
    of: tuple[str | Rate, ...] = Field(min_length=1)
    rounding: Rounding = "none"
    beyond: Annotated[Number, Field(ge=0)] = 0.0
    minimum: Number | None = None
    maximum: Number | None = None

    @model_validator(mode="after")
    def _bare_members(self) -> Self:
        if any(rate.when is not None for rate in self.of if not isinstance(rate, str)):
            raise refusal("a rate within a rate has a condition; put it on the outer rate")
        return self

    def figure(self, basis: Basis) -> Figure:
        """The amount for *basis*, with the arithmetic."""
        factors = [_factor(basis, item) for item in self.of]
        missing = tuple(name for factor in factors for name in factor.missing)
        used = frozenset[str]().union(*(factor.used for factor in factors))
        if missing:
            return Figure(None, "", missing=missing, used=used)
        product, words = self._product(factors)
        value, left = self._rounded(product, words)
        return self._held(value, left, used)

    def describe(self) -> str:
        """The rule in words."""
        of = [quantity_words(i) if isinstance(i, str) else f"({i.describe()})" for i in self.of]
        if self.per == 1:
            groups = f"each {' and '.join(singular(name) for name in of)}"
        else:
            groups = f"every {number(self.per)} {' × '.join(of)}"
        beyond = f" beyond {number(self.beyond)}" if self.beyond else ""
        return f"{counted(exact(self.amount), self.unit)} for {groups}{beyond}"

    def names(self) -> Iterator[str]:
        """The quantities of the product."""
        for item in self.of:
            if isinstance(item, str):
                yield item
            else:
                yield from item.names()

    def inner(self) -> Iterator[Rule]:
        """The rates that are members of the product."""
        for item in self.of:
            if not isinstance(item, str):
                yield item

    def _product(self, factors: list[Figure]) -> tuple[Fraction, str]:
        values = [factor.value or Fraction(0) for factor in factors]
        words = [factor.left for factor in factors]
        if self.beyond:
            values[0] = max(Fraction(0), values[0] - exact(self.beyond))
            words[0] = f"max(0, {words[0]} − {number(self.beyond)})"
        product = Fraction(1)
        for value in values:
            product *= value
        return product, " × ".join(words)

    def _rounded(self, product: Fraction, words: str) -> tuple[Fraction, str]:
        amount, per = exact(self.amount), exact(self.per)
        groups = words if per == 1 else f"{words} / {number(per)}"
        if self.rounding in {"each-started", "each-full"}:
            name, whole = ("ceil", ceil) if self.rounding == "each-started" else ("floor", floor)
            times = "" if amount == 1 else f"{number(amount)} × "
            return amount * whole(product / per), f"{times}{name}({groups})"
        value = amount * product / per
        left = groups if amount == 1 and (per != 1 or self.rounding != "none") else (
            f"{number(amount)} × {groups}"
        )  # fmt: skip
        if self.rounding == "up":
            return Fraction(ceil(value)), f"ceil({left})"
        if self.rounding == "down":
            return Fraction(floor(value)), f"floor({left})"
        if self.rounding == "nearest":
            return Fraction(floor(value + Fraction(1, 2))), f"round({left})"
        return value, left

    def _held(self, value: Fraction, left: str, used: frozenset[str]) -> Figure:
        if self.minimum is not None and value < exact(self.minimum):
            return Figure(exact(self.minimum), f"max({number(self.minimum)}, {left})", used=used)
        if self.maximum is not None and value > exact(self.maximum):
            return Figure(exact(self.maximum), f"min({number(self.maximum)}, {left})", used=used)
        return Figure(value, left, used=used)


def _factor(basis: Basis, item: str | Rate) -> Figure:
    if not isinstance(item, str):
        figure = item.figure(basis)
        return Figure(figure.value, figure.left, figure.missing, figure.used)
    value = basis.quantities.get(item)
    if value is None:
        return Figure(None, "", missing=(item,), used=frozenset({item}))
    left = counted(exact(value), quantity_words(item))
    return Figure(exact(value), left, used=frozenset({item}))
