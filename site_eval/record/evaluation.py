"""``evaluation.json``: everything that was read, measured and found for one application."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from site_eval.record.condition import Checklist
from site_eval.record.finding import Finding, Source
from site_eval.record.verdict import Verdict


class Tool(BaseModel):
    """The program that made the record."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    version: str


class InputFile(BaseModel):
    """A file that was read, and its hash."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    sha256: str


class OrdinanceReference(BaseModel):
    """The law that the findings cite."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    citation: str
    jurisdiction: str


class Description(BaseModel):
    """A legal description: its words, how they were read, and what is doubtful."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    understood: str
    warnings: list[str] = Field(default_factory=list)


class Site(BaseModel):
    """The land. ``position_uncertainty_m`` is the 95 % radius for any boundary point."""

    model_config = ConfigDict(extra="forbid")

    geometry: dict[str, Any]
    area_acres: float
    area_acres_sd: float
    position_uncertainty_m: float
    method: str
    description: Description
    sources: list[Source] = Field(default_factory=list)


class Evaluation(BaseModel):
    """The whole record of one evaluation; reports are drawn from it alone."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_: Literal["site-eval/evaluation/1"] = Field(
        default="site-eval/evaluation/1", alias="schema"
    )
    tool: Tool
    generated_at: str
    as_of: str
    inputs: list[InputFile]
    ordinance: OrdinanceReference
    application: dict[str, Any]
    site: Site
    layout: dict[str, Any] = Field(
        description="GeoJSON FeatureCollection, EPSG:4326: the layout as read, one role a feature"
    )
    context: dict[str, Any] = Field(
        description="GeoJSON FeatureCollection, EPSG:4326: reference features near the site, each "
        "with 'layer', 'label' and 'source' properties"
    )
    not_bound: str | None = Field(
        default=None,
        description="Why the ordinance does not bind this assembly at all; null when it binds",
    )
    findings: list[Finding]
    on_site_only: list[str] = Field(
        default_factory=list, description="Ids of clauses answered by the checklist alone"
    )
    checklist: Checklist
    summary: dict[Verdict, int]


def summarise(findings: list[Finding]) -> dict[Verdict, int]:
    """How many findings have each verdict, in the order of the verdicts; zeros kept."""
    counts = Counter(finding.verdict for finding in findings)
    return {verdict: counts[verdict] for verdict in Verdict}
