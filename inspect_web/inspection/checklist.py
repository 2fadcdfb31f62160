"""Checklist items as people and phones use them: what a number means, and what an agency gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from inspect_web.inspection.observation import Observation, Outcome
from site_eval.record.condition import Checklist, ChecklistItem
from site_eval.record.measure import Required

AGENCIES = {
    "coordinator": "Event coordinator",
    "sheriff": "Sheriff",
    "fire-district": "Fire district",
    "health-district": "Health district",
    "road-director": "Road and bridge director",
    "clerk": "Clerk",
    "planning-and-zoning": "Planning and zoning",
    "board": "Board of commissioners",
}
PHASES = {
    "before": "Before the event",
    "gate-open": "Gates open",
    "live": "During the event",
    "night": "At night",
    "after": "Afterwards",
}
COMPARED = {"at-least": "at least", "at-most": "at most", "equal": "exactly"}


def items_of(checklist: Checklist, agency: str) -> list[ChecklistItem]:
    """What *agency* inspects; the coordinator sees every item."""
    return [i for i in checklist.items if agency in {"coordinator", i.agency}]


def judge(value: Decimal, required: Required) -> Outcome:
    """Whether a counted or measured *value* keeps to the number that is *required*."""
    bound = Decimal(str(required.value))
    kept = {
        "at-least": value >= bound,
        "at-most": value <= bound,
        "equal": value == bound,
        "none": True,
    }[required.comparison]
    return "met" if kept else "not-met"


def outcome_of(item: ChecklistItem, seen: Observation) -> Outcome:
    """What an observation says of its condition: the number decides where there is a threshold."""
    limit = item.threshold
    if seen.value is None or limit is None or limit.comparison == "none":
        return seen.outcome
    if seen.outcome not in {"met", "not-met"}:
        return seen.outcome
    return judge(seen.value, limit)


def contradictions(
    items: Mapping[str, ChecklistItem], seen: Iterable[Observation]
) -> list[Observation]:
    """Observations whose tapped answer and number say opposite things."""
    return [
        one
        for one in seen
        if one.condition in items and outcome_of(items[one.condition], one) != one.outcome
    ]
