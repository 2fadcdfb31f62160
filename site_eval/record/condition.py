"""Licence conditions as checklist items: what an agency looks at on site, when, and against what."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from site_eval.record.finding import ClauseReference
from site_eval.record.measure import Required

Phase = Literal["before", "gate-open", "live", "night", "after"]
Answer = Literal["yes-no", "count", "number", "time", "document", "statement"]
CadenceKind = Literal[
    "once", "interval", "shift", "daily", "nightly", "at-all-times", "on-event", "after-event"
]


class Cadence(BaseModel):
    """How often an item is due. ``minutes`` is given for ``interval`` and ``at-all-times``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: CadenceKind
    minutes: int | None = Field(default=None, gt=0)
    days_after: list[int] = Field(
        default_factory=list, description="Days after the event's end, for 'after-event'"
    )
    set_by_text: bool = Field(default=False, description="True when the ordinance itself fixes it")


class ChecklistItem(BaseModel):
    """One condition of the licence as somebody inspects it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    clause: ClauseReference
    subject: str
    question: str
    agency: str
    agency_named_in_text: bool
    phases: list[Phase]
    cadences: list[Cadence]
    answer: Answer
    unit: str | None = None
    threshold: Required | None = None
    judgement: bool = Field(default=False, description="The text gives no number; a reason is due")
    evidence: list[str] = Field(default_factory=list)
    note: str | None = None


class LicenceTerms(BaseModel):
    """What the licence rests on. Times are ISO 8601 with offset; ``time_zone`` is an IANA name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: str
    starts: str
    ends: str
    time_zone: str
    maximum: int
    female: int | None = None
    male: int | None = None
    overnight: int | None = None


class Checklist(BaseModel):
    """``checklist.json``: the items for one licence, thresholds computed for its terms."""

    model_config = ConfigDict(extra="forbid")

    schema_: Literal["site-eval/checklist/1"] = Field(
        default="site-eval/checklist/1", alias="schema"
    )
    ordinance_id: str
    ordinance_citation: str
    jurisdiction: str
    terms: LicenceTerms
    items: list[ChecklistItem]
