"""Rules of time: so long before or after something, and hours in which something must not be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from site_eval.ordinance.basis import Basis, overlap_hours
from site_eval.ordinance.kinds import HourOfDay, Number, refusal
from site_eval.ordinance.rule import Figure, Rule
from site_eval.ordinance.words import clock, counted, exact
from site_eval.record.measure import Comparison, Required

TimeUnit = Literal["hours", "days", "weeks", "months"]

_ANCHORS = {
    "assembly": "people first assemble",
    "assembly-end": "the assembly ends",
    "filing": "the application is filed",
    "advertising": "it is first advertised",
    "board-session": "the board's session",
    "hearing": "the hearing",
    "provisional-permit": "the provisional permit",
}


class Schedule(Rule):
    """A deadline relative to an anchor, or hours of the day that have to stay free of something.

    A deadline: *amount* of *unit* before or after *anchor*, which is a name (assembly,
    assembly-end, filing, advertising, board-session …) or another schedule ("30 days before the
    filing date"). ``also`` are further deadlines that bind beside it. ``closed`` instead gives
    hours, e.g. ``["00:00", "07:00"]``, in which *activity* must not be.
    """

    kind: Literal["schedule"] = "schedule"
    amount: Annotated[Number, Field(ge=0)] | None = None
    unit: TimeUnit = "days"
    side: Literal["before", "after"] = "before"
    anchor: str | Schedule = "assembly"
    also: tuple[Schedule, ...] = ()
    closed: tuple[HourOfDay, HourOfDay] | None = None
    activity: str | None = None
    what: str | None = Field(default=None, description="Of what kind of thing: debris, structures")
    where: str | None = Field(default=None, description="On which land: the site, adjacent land")

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        if (self.amount is None) == (self.closed is None):
            raise refusal("a schedule has one shape; write either an amount or closed hours")
        if "comparison" in self.model_fields_set:
            raise refusal("a schedule's side says how it compares; leave comparison out")
        return self

    def figure(self, basis: Basis) -> Figure:  # noqa: ARG002 - the same for every crowd
        """The length of time; for closed hours none at all."""
        if self.closed is not None:
            return Figure(exact(0), self.describe())
        return Figure(exact(self.amount or 0), self.describe())

    def describe(self) -> str:
        """The rule in words."""
        if self.closed is not None:
            start, end = self.closed
            return f"no {self.activity or 'activity'} between {clock(start)} and {clock(end)}"
        anchor = self.anchor
        words = (
            _ANCHORS.get(anchor, anchor) if isinstance(anchor, str) else f"({anchor.describe()})"
        )
        first = f"{counted(exact(self.amount or 0), self.unit)} {self.side} {words}"
        first = ", ".join(filter(None, [first, self.what, self.where]))
        return " and ".join([first, *(other.describe() for other in self.also)])

    def inner(self) -> Iterator[Rule]:
        """The schedules that this one is chained to or joined with."""
        if not isinstance(self.anchor, str):
            yield self.anchor
        yield from self.also

    def _required(self, left: str, value: Fraction) -> Required:
        """The description is the formula; closed hours are counted in hours."""
        unit = "hours" if self.closed is not None else self.unit
        after = self.closed is not None or self.side == "after"
        comparison: Comparison = "at-most" if after else "at-least"
        return Required(value=float(value), unit=unit, comparison=comparison, formula=left)

    def moment(self, anchors: Mapping[str, datetime]) -> datetime | None:
        """The deadline by the known *anchors*, the stricter one of several; ``None`` if unknown."""
        own = self._own_moment(anchors)
        moments = [own, *(other.moment(anchors) for other in self.also)]
        known = [moment for moment in moments if moment is not None]
        if self.amount is None or len(known) < len(moments):
            return None
        return min(known)

    def overlap_hours(self, intervals: tuple[tuple[float, float], ...]) -> float:
        """Hours of the day by which *intervals* run into the closed hours."""
        return 0.0 if self.closed is None else overlap_hours(intervals, self.closed)

    def _own_moment(self, anchors: Mapping[str, datetime]) -> datetime | None:
        anchor = self.anchor
        start = anchors.get(anchor) if isinstance(anchor, str) else anchor.moment(anchors)
        if start is None or self.amount is None:
            return None
        sign = -1 if self.side == "before" else 1
        if self.unit == "months":
            return _months(start, sign * int(self.amount))
        return start + sign * timedelta(**{self.unit: self.amount})


def _months(start: datetime, months: int) -> datetime:
    """So many calendar months on, or the last day of a month that is too short."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    for day in range(start.day, 27, -1):
        try:
            return start.replace(year=year, month=month + 1, day=day)
        except ValueError:
            continue
    return start.replace(year=year, month=month + 1)
