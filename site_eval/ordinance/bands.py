"""Bands of a quantity, and the two-way table of bands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from site_eval.ordinance.basis import Basis
from site_eval.ordinance.kinds import Number, refusal
from site_eval.ordinance.rule import Figure, Rule
from site_eval.ordinance.words import counted, exact, number, quantity_words


class Band(BaseModel):
    """A stretch of a quantity. Write ``[500, 599]`` for "from 500 to 599, both included".

    ``at_least`` and ``at_most`` include their end, ``above`` and ``below`` do not; ``[90000]``
    has no upper end.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    at_least: Number | None = None
    above: Number | None = None
    at_most: Number | None = None
    below: Number | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_pair(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if len(value) not in {1, 2}:
            raise refusal("a band has one or two ends; write [from, to] or [from]")
        return dict(zip(("at_least", "at_most"), value, strict=False))

    def holds(self, value: float) -> bool:
        """Whether *value* lies in the band."""
        low = self.at_least is None or value >= self.at_least
        high = self.at_most is None or value <= self.at_most
        return low and high and not self._shut_out(value)

    def meets(self, after: Band) -> str | None:
        """What is wrong where this band ends and *after* begins; nothing when they join.

        Whole numbers are meant: 599 and 600 join.
        """
        end = self.at_most if self.at_most is not None else self.below
        start = after.at_least if after.at_least is not None else after.above
        if end is None or start is None:
            return "overlap"
        last = end if self.at_most is not None else end - 1
        first = start if after.at_least is not None else start + 1
        if first > last + 1:
            return f"leave a gap between {number(last)} and {number(first)}"
        return f"overlap at {number(first)}" if first <= last else None

    def describe(self, name: str) -> str:
        """The band in words."""
        ends = {
            "at least": self.at_least,
            "more than": self.above,
            "at most": self.at_most,
            "less than": self.below,
        }
        words = [f"{word} {number(end)}" for word, end in ends.items() if end is not None]
        return f"{' and '.join(words) or 'any number of'} {quantity_words(name)}"

    def _shut_out(self, value: float) -> bool:
        too_low = self.above is not None and value <= self.above
        return too_low or (self.below is not None and value >= self.below)


class Table(Rule):
    """A number by two quantities. ``columns`` are the upper ends, each column above the last one.

    A case outside the rows or the columns has no number in the text, and that is what is said.
    """

    kind: Literal["table"] = "table"
    by: tuple[str, str]
    rows: tuple[Band, ...] = Field(min_length=1)
    columns: tuple[Number, ...] = Field(min_length=1)
    cells: tuple[tuple[Number, ...], ...]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if len(self.cells) != len(self.rows) or any(
            len(r) != len(self.columns) for r in self.cells
        ):
            raise refusal(
                "the cells do not fit the bands; write {rows} rows of {columns} numbers",
                rows=len(self.rows),
                columns=len(self.columns),
            )
        if list(self.columns) != sorted(set(self.columns)):
            raise refusal("the columns do not rise; order them, each once")
        return self

    def figure(self, basis: Basis) -> Figure:
        """The cell for *basis*."""
        missing = tuple(name for name in self.by if name not in basis.quantities)
        used = frozenset(self.by)
        if missing:
            return Figure(None, "", missing=missing, used=used)
        first, second = (basis.quantities[name] for name in self.by)
        rows = [index for index, band in enumerate(self.rows) if band.holds(first)]
        column = next((i for i, end in enumerate(self.columns) if second <= end), None)
        where = " and ".join(
            counted(exact(v), quantity_words(n))
            for v, n in zip((first, second), self.by, strict=True)
        )
        if not rows or column is None:
            return Figure(None, "", used=used, unsaid=f"The table has no number for {where}.")
        values = [exact(self.cells[row][column]) for row in rows]
        rivals = tuple(v for v in values[1:] if v != values[0])
        notes = (f"The table gives more than one number for {where}.",) if rivals else ()
        return Figure(values[0], f"table[{where}]", used=used, rivals=rivals, notes=notes)

    def describe(self) -> str:
        """The rule in words."""
        return f"a table by {' and '.join(quantity_words(name) for name in self.by)}"

    def names(self) -> Iterator[str]:
        """The two quantities."""
        yield from self.by
