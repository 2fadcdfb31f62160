"""When a rule binds: a small tree of facts and numbers, answered yes, no or unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from site_eval.ordinance.basis import Basis, overlap_hours
from site_eval.ordinance.kinds import HourOfDay, Number, refusal
from site_eval.ordinance.words import clock, number, quantity_words

_BOUNDS = {
    "at_least": "at least",
    "more_than": "more than",
    "at_most": "at most",
    "less_than": "less than",
    "equal": "exactly",
}


class Condition(BaseModel):
    """One condition, of exactly one form: a flag, a bounded quantity, a presence, or a group.

    ``words`` replaces the generated description where the ordinance has better ones.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    flag: str | None = None
    is_: bool = Field(default=True, alias="is")
    quantity: str | None = None
    at_least: Number | None = None
    more_than: Number | None = None
    at_most: Number | None = None
    less_than: Number | None = None
    equal: Number | None = None
    present_between: tuple[HourOfDay, HourOfDay] | None = None
    all_: tuple[Condition, ...] | None = Field(default=None, alias="all", min_length=1)
    any_: tuple[Condition, ...] | None = Field(default=None, alias="any", min_length=1)
    not_: Condition | None = Field(default=None, alias="not")
    words: str | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        forms = [self.flag, self.quantity, self.present_between, self.all_, self.any_, self.not_]
        if sum(form is not None for form in forms) != 1:
            raise refusal(
                "a condition has one form; write exactly one of flag, quantity, present_between, "
                "all, any, not"
            )
        if (self.quantity is not None) != bool(self._bounds()):
            raise refusal(
                "a quantity and a bound belong together; write both, the bound as at_least, "
                "more_than, at_most, less_than or equal"
            )
        return self

    def state(self, basis: Basis) -> bool | None:
        """True, false, or ``None`` when something that it needs is unknown."""
        if self.flag is not None:
            found = basis.flag(self.flag)
            return None if found is None else found is self.is_
        if self.quantity is not None:
            value = basis.quantities.get(self.quantity)
            return None if value is None else self._within(value)
        if self.present_between is not None:
            if basis.clock is None:
                return None
            return overlap_hours(basis.clock, self.present_between) > 0
        if self.not_ is not None:
            inner = self.not_.state(basis)
            return None if inner is None else not inner
        return self._group(basis)

    def holds(self, basis: Basis) -> bool:
        """Whether the condition is known to hold; unknown is not holding."""
        return self.state(basis) is True

    def missing(self, basis: Basis) -> tuple[str, ...]:
        """Names of the flags and quantities that are unknown, in the order of the text."""
        unknown = [leaf for leaf in self.leaves() if leaf.state(basis) is None]
        names = (leaf.flag or leaf.quantity or "the hours of presence" for leaf in unknown)
        return tuple(dict.fromkeys(names))

    def leaves(self) -> Iterator[Condition]:
        """The conditions that are not groups."""
        inner = [*(self.all_ or ()), *(self.any_ or ()), *([self.not_] if self.not_ else [])]
        if not inner:
            yield self
        for condition in inner:
            yield from condition.leaves()

    def describe(self) -> str:
        """The condition in words."""
        if self.words:
            return self.words
        if self.flag is not None:
            return f"{quantity_words(self.flag)}{'' if self.is_ else ' is not so'}"
        if self.quantity is not None:
            bounds = " and ".join(f"{_BOUNDS[k]} {number(v)}" for k, v in self._bounds().items())
            return f"{bounds} {quantity_words(self.quantity)}"
        if self.present_between is not None:
            start, end = self.present_between
            return f"people are present between {clock(start)} and {clock(end)}"
        if self.not_ is not None:
            return f"not ({self.not_.describe()})"
        joint = " and " if self.all_ else " or "
        return joint.join(f"({c.describe()})" for c in self.all_ or self.any_ or ())

    def _bounds(self) -> dict[str, float]:
        found = {name: getattr(self, name) for name in _BOUNDS}
        return {name: value for name, value in found.items() if value is not None}

    def _within(self, value: float) -> bool:
        tests = {
            "at_least": value.__ge__,
            "more_than": value.__gt__,
            "at_most": value.__le__,
            "less_than": value.__lt__,
            "equal": value.__eq__,
        }
        return all(tests[name](float(bound)) for name, bound in self._bounds().items())

    def _group(self, basis: Basis) -> bool | None:
        """Kleene's logic: one false decides an "all", one true an "any", whatever is unknown."""
        states = [condition.state(basis) for condition in self.all_ or self.any_ or ()]
        deciding = self.any_ is not None
        if deciding in states:
            return deciding
        return None if None in states else not deciding
