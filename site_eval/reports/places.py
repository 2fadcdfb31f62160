"""What an evaluation says about places: its geometry as shapely features, in EPSG:4326."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import LocalFrame, frame_for
from site_eval.record.evaluation import Evaluation
from site_eval.record.verdict import Verdict
from site_eval.reports.words import finding_key


@dataclass(frozen=True)
class Place:
    """One feature. ``kind`` is a layout role, a context layer or an evidence kind."""

    geometry: BaseGeometry
    kind: str
    label: str
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Shown:
    """A place that a finding points to."""

    place: Place
    check: str
    clause: str
    verdict: Verdict
    finding: str


def site_geometry(evaluation: Evaluation) -> BaseGeometry:
    """The land, EPSG:4326."""
    land: BaseGeometry = shapely.force_2d(shapely.geometry.shape(evaluation.site.geometry))
    return land


def site_frame(evaluation: Evaluation) -> LocalFrame:
    """The local frame, in metres, that every report of this evaluation measures and draws in."""
    return frame_for(site_geometry(evaluation))


def uncertainty_band(evaluation: Evaluation) -> BaseGeometry | None:
    """The strip in which the true boundary lies with 95 % confidence; nothing if it has no width."""
    radius_m = evaluation.site.position_uncertainty_m
    if radius_m <= 0:
        return None
    frame = site_frame(evaluation)
    boundary = frame.to_local(site_geometry(evaluation)).boundary
    band: BaseGeometry = frame.to_geographic(boundary.buffer(radius_m, quad_segs=8))
    return band


def layout_places(evaluation: Evaluation) -> list[Place]:
    """The applicant's layout, in the order of the record."""
    return [
        Place(geometry, str(properties.get("role", "unknown")), _name(properties), properties)
        for geometry, properties in _features(evaluation.layout)
    ]


def context_places(evaluation: Evaluation, layers: Container[str] | None = None) -> list[Place]:
    """The surroundings, in the order of the record; only these *layers* when they are given."""
    return [
        Place(
            geometry,
            str(properties.get("layer", "other")),
            str(properties.get("label", "")),
            properties,
        )
        for geometry, properties in _features(evaluation.context, "layer", layers)
    ]


def shown_places(evaluation: Evaluation, checks: Container[str] | None = None) -> list[Shown]:
    """Every place that a finding points to, in the order of the findings; of these *checks*."""
    shown = []
    for index, finding in enumerate(evaluation.findings):
        if checks is not None and finding.check not in checks:
            continue
        for geometry, properties in _features(finding.evidence):
            place = Place(
                geometry,
                str(properties.get("kind", "evidence")),
                str(properties.get("label", "")),
                properties,
            )
            key = finding_key(finding, index)
            shown.append(Shown(place, finding.check, finding.clause.id, finding.verdict, key))
    return shown


def _features(
    collection: dict[str, Any], key: str = "", wanted: Container[str] | None = None
) -> Iterator[tuple[BaseGeometry, dict[str, Any]]]:
    """Features that have a geometry; the others cannot be drawn and are in the record anyway.

    Only those whose property *key* is *wanted*: to make geometry of thousands of stalls takes time.
    """
    for feature in collection.get("features", []):
        properties = dict(feature.get("properties") or {})
        if wanted is not None and properties.get(key) not in wanted:
            continue
        if feature.get("geometry"):
            # Heights of a drawing are of no use here, and not every format takes them.
            geometry = shapely.force_2d(shapely.geometry.shape(feature["geometry"]))
            if not geometry.is_empty:
                yield geometry, properties


def _name(properties: dict[str, Any]) -> str:
    return str(properties.get("name") or "")
