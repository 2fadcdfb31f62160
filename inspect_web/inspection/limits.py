"""Live counts against the numbers of the licence: last count, margin and age, with the formula."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from inspect_web.inspection.checklist import judge
from inspect_web.inspection.observation import Observation
from site_eval.record.condition import ChecklistItem
from site_eval.record.measure import Required


@dataclass(frozen=True)
class Limit:
    """One number of the licence beside the last count. ``margin`` is negative when it is broken."""

    item: ChecklistItem
    required: Required
    last: Observation | None
    value: Decimal | None
    margin: Decimal | None
    age: timedelta | None
    kept: bool | None


def limits(
    items: Iterable[ChecklistItem], seen: Iterable[Observation], now: datetime
) -> list[Limit]:
    """Every item with a number to keep to, in the checklist's order, with its newest count."""
    newest: dict[str, Observation] = {}
    for one in sorted(seen, key=lambda o: (o.observed_at, o.id)):
        if one.value is not None and not one.quarantined:
            newest[one.condition] = one
    return [
        _limit(item, item.threshold, newest.get(item.id), now)
        for item in items
        if item.threshold is not None and item.threshold.comparison != "none"
    ]


def _limit(
    item: ChecklistItem, required: Required, last: Observation | None, now: datetime
) -> Limit:
    if last is None or last.value is None:
        return Limit(item, required, None, None, None, None, None)
    bound = Decimal(str(required.value))
    margin = bound - last.value if required.comparison == "at-most" else last.value - bound
    kept = judge(last.value, required) == "met"
    return Limit(item, required, last, last.value, margin, now - last.observed_at, kept)
