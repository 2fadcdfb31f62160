"""What an ordinance file lets be assumed when the application does not state a quantity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from site_eval.ordinance.basis import Basis, Scenario
from site_eval.ordinance.kinds import Number, refusal
from site_eval.ordinance.words import exact, number, quantity_words


class Assumption(BaseModel):
    """Two quantities that share a whole, such as females and males among the persons.

    When neither is stated, the first is taken as *central* of the whole, and *low* to *high* are
    tested. When one is stated, the other is the rest. When both are stated and do not make up
    the whole, the rest is counted to each in turn.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["split"] = "split"
    whole: str = "persons"
    parts: tuple[str, str]
    central: Annotated[Number, Field(ge=0, le=1)]
    low: Annotated[Number, Field(ge=0, le=1)]
    high: Annotated[Number, Field(ge=0, le=1)]
    reason: str

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.low <= self.central <= self.high:
            raise refusal("the shares do not rise; order them low, central, high")
        return self


def assume(basis: Basis, assumptions: Iterable[Assumption]) -> Basis:
    """The *basis* with every assumption applied, in their order."""
    for assumption in assumptions:
        if assumption.whole in basis.quantities:
            basis = _split(basis, assumption)
    return basis


def _split(basis: Basis, assumption: Assumption) -> Basis:
    first, second = (basis.quantities.get(part) for part in assumption.parts)
    if first is None and second is None:
        return _by_shares(basis, assumption)
    if first is not None and second is not None:
        return _with_rest(basis, assumption, first, second)
    return _remainder(basis, assumption)


def _by_shares(basis: Basis, assumption: Assumption) -> Basis:
    whole = exact(basis.quantities[assumption.whole])
    shares = [exact(s) for s in (assumption.central, assumption.low, assumption.high)]
    central, low, high = (_shared(whole, share, assumption) for share in shares)
    percent = f"{number(shares[1] * 100)} to {number(shares[2] * 100)} %"
    text = (
        f"The application does not state the split; {number(shares[0] * 100)} % "
        f"{quantity_words(assumption.parts[0])} are assumed and {percent} tested. "
        f"{assumption.reason}"
    )
    return _added(basis, assumption, central, [low, high], text)


def _with_rest(basis: Basis, assumption: Assumption, first: float, second: float) -> Basis:
    """Both are stated; what they leave of the whole may be of either."""
    rest = exact(basis.quantities[assumption.whole]) - exact(first) - exact(second)
    if rest <= 0:
        return basis
    names = assumption.parts
    stated = {names[0]: first, names[1]: second}
    ends = [{**stated, name: stated[name] + float(rest)} for name in names]
    half = float(ceil(rest / 2))
    central = {name: value + half for name, value in stated.items()}
    text = (
        f"{quantity_words(names[0])} and {quantity_words(names[1])} as stated leave "
        f"{number(rest)} of the {quantity_words(assumption.whole)} open (staff, for one); they "
        "are counted half to each, and wholly to each in turn."
    )
    return _added(basis, assumption, central, ends, text[:1].upper() + text[1:])


def _remainder(basis: Basis, assumption: Assumption) -> Basis:
    names = assumption.parts
    known, other = names if names[0] in basis.quantities else (names[1], names[0])
    rest = max(0.0, basis.quantities[assumption.whole] - basis.quantities[known])
    text = f"The {quantity_words(other)} are not stated; the rest of the whole is taken."
    return _added(basis, assumption, {known: basis.quantities[known], other: rest}, [], text)


def _shared(whole: Fraction, share: Fraction, assumption: Assumption) -> dict[str, float]:
    """Whole people of each part, a broken person counted up (never fewer than there may be)."""
    first, second = assumption.parts
    return {first: float(ceil(whole * share)), second: float(ceil(whole * (1 - share)))}


def _added(
    basis: Basis,
    assumption: Assumption,
    central: dict[str, float],
    ends: list[dict[str, float]],
    text: str,
) -> Basis:
    scenarios = tuple(Scenario(f"{assumption.parts[0]} {n}", end) for n, end in enumerate(ends, 1))
    return replace(
        basis,
        quantities={**basis.quantities, **central},
        assumed={**basis.assumed, **dict.fromkeys(assumption.parts, text)},
        scenarios=(*basis.scenarios, *scenarios),
    )
