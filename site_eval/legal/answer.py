"""What ``locate`` answers, as JSON: read, placed, and everything that a reader must know."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Status = Literal["located", "understood", "ambiguous", "not-understood"]
Kind = Literal["plss-aliquot", "metes-and-bounds", "lot-and-block", "parcel-number", "mixed"]
Method = Literal["parcel-layer", "surveyed-plss", "control-adjusted-grid", "ideal-grid", "traverse"]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AnswerWarning(_Model):
    """A warning; ``span`` is [start, end] in the untouched text."""

    code: str
    text: str
    span: tuple[int, int] | None = None


class TractAnswer(_Model):
    """What is taken of one section; parts are smallest first (``SWSE``)."""

    township: str | None
    range: str | None
    section: int | None
    parts: list[str]
    except_: list[str] = Field(default_factory=list, serialization_alias="except")


class CourseAnswer(_Model):
    """One course: ``line``, ``curve`` or ``words``; azimuths clockwise from the text's north."""

    kind: Literal["line", "curve", "words"]
    bearing: str | None = None
    azimuth_deg: float | None = None
    distance_ft: float | None = None
    side: Literal["L", "R"] | None = None
    radius_ft: float | None = None
    delta_deg: float | None = None
    arc_ft: float | None = None
    chord_azimuth_deg: float | None = None
    chord_ft: float | None = None
    text: str | None = None
    from_: str | None = Field(default=None, serialization_alias="from")


class ClosureAnswer(_Model):
    """How a traverse closes; ``precision`` is n of 1:n, None where exact or not defined."""

    misclosure_ft: float | None
    misclosure_bearing_deg: float | None = None
    perimeter_ft: float | None
    precision: float | None
    area_acres: float | None
    closed_by_construction: bool
    adjusted: bool
    closing_length_ft: float | None = None


class LotsAnswer(_Model):
    """Lots of one block of one subdivision."""

    subdivision: str | None
    block: str | None
    lots: list[str]
    qualifier: str | None = None


class Answer(_Model):
    """The answer to one description (``interfaces``: the command's JSON)."""

    id: str | None = None
    text: str
    status: Status
    kind: Kind
    meridian: str | None = None
    meridian_assumed: bool = False
    normal_form: str | None = None
    tracts: list[TractAnswer] = Field(default_factory=list)
    nominal_acres: float | None = None
    government_lots: int = 0
    stated_acres: float | None = None
    area_acres: float | None = None
    geometry: dict[str, Any] | None = None
    position_uncertainty_m: float | None = None
    method: Method | None = None
    tie: list[CourseAnswer] = Field(default_factory=list)
    courses: list[CourseAnswer] = Field(default_factory=list)
    closure: ClosureAnswer | None = None
    lots: list[LotsAnswer] = Field(default_factory=list)
    parcel_numbers: list[str] = Field(default_factory=list)
    container_only: bool = False
    unresolved: list[str] = Field(default_factory=list)
    warnings: list[AnswerWarning] = Field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, the interface's own key names; empty course fields left out."""
        data = self.model_dump(by_alias=True, mode="json")
        for key in ("tie", "courses"):
            data[key] = [{k: v for k, v in course.items() if v is not None} for course in data[key]]
        return data
