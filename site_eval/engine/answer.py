"""What a check says of one question, before the engine adds the clause and caps the verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.record.finding import Source
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict


@dataclass(frozen=True)
class Evidence:
    """A place on the map that shows the answer: EPSG:4326 geometry and its label."""

    geometry: BaseGeometry
    label: str
    kind: str = "evidence"


@dataclass(frozen=True)
class Answer:
    """One answer. ``sources`` are those that decide it; ``background`` are only cited.

    ``unbinds`` is for the checks of scope: the ordinance does not bind this assembly at all.
    ``on_land`` says that the answer rests on where the land is, so that a doubt about the land is a
    doubt about the answer.
    """

    verdict: Verdict
    statement: str
    question: str | None = None
    measured: Measured | None = None
    required: Required | None = None
    reasons: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    background: tuple[Source, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    unbinds: bool = False
    on_land: bool = False


def feature_collection(evidence: Iterable[Evidence]) -> dict[str, Any]:
    """Evidence as GeoJSON, coordinates to 1e-7 degree (about 1 cm)."""
    features = [
        {
            "type": "Feature",
            "properties": {"label": item.label, "kind": item.kind},
            "geometry": geojson(item.geometry),
        }
        for item in evidence
        if not item.geometry.is_empty
    ]
    return {"type": "FeatureCollection", "features": features}


def geojson(geometry: BaseGeometry) -> dict[str, Any]:
    """A geometry as GeoJSON with coordinates rounded to 1e-7 degree; rings wound as RFC 7946."""
    rounded = shapely.set_precision(geometry, 1e-7, mode="pointwise")
    if rounded.geom_type in {"Polygon", "MultiPolygon"}:
        rounded = shapely.orient_polygons(rounded)
    mapping = shapely.geometry.mapping(rounded)
    return {"type": mapping["type"], "coordinates": _listed(mapping["coordinates"])}


def _listed(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_listed(item) for item in value]
    return round(float(value), 7)
