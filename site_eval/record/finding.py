"""A finding: one question, one clause, what was measured, from which sources, and the verdict."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Grade, Verdict


def empty_collection() -> dict[str, Any]:
    """A GeoJSON FeatureCollection with nothing in it."""
    return {"type": "FeatureCollection", "features": []}


class ClauseReference(BaseModel):
    """The clause that a finding answers, quoted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    citation: str
    quote: str


class Source(BaseModel):
    """Where a number came from. ``vintage`` is the date that the data stand for, not of the copy."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    publisher: str
    vintage: str
    licence: str
    grade: Grade
    sha256: str | None = None


class Finding(BaseModel):
    """One answer. ``evidence`` is GeoJSON in EPSG:4326; its features carry a ``label``."""

    model_config = ConfigDict(extra="forbid")

    check: str
    clause: ClauseReference
    question: str
    verdict: Verdict
    statement: str
    measured: Measured | None = None
    required: Required | None = None
    reasons: list[str] = Field(default_factory=list)
    agency: str | None = None
    sources: list[Source] = Field(default_factory=list)
    evidence: dict[str, Any] = Field(default_factory=empty_collection)
