"""What lies around the site, for the maps: the county, its places, roads and homes near by."""

from __future__ import annotations

from typing import Any

import shapely

from site_eval.case import Case, LayerData
from site_eval.engine.answer import geojson

# How far around the site each kind of layer is drawn.
_DRAWN_WITHIN_M = {
    "county": 60_000.0,
    "places": 20_000.0,
    "plss_section": 3_000.0,
    "parcels": 1_000.0,
    "roads": 5_000.0,
    "residences": 5_000.0,
    "fire_districts": 20_000.0,
    "stations": 30_000.0,
    "flood": 3_000.0,
}
# About 5 m: finer than a line on any map of a county.
_SIMPLIFY_DEG = 5e-5


def context_features(case: Case) -> dict[str, Any]:
    """Reference features near the site as GeoJSON: ``layer``, ``label`` and ``source`` each."""
    features = [
        feature
        for kind, within_m in _DRAWN_WITHIN_M.items()
        for layer in case.layers(kind, within_m=within_m)
        for feature in _features(kind, layer)
    ]
    return {"type": "FeatureCollection", "features": features}


def _features(kind: str, layer: LayerData) -> list[dict[str, Any]]:
    name_field = layer.entry.fields.get("name")
    found = []
    for _, row in layer.rows.iterrows():
        geometry = row.geometry
        if kind in {"county", "places"}:
            geometry = shapely.simplify(geometry, _SIMPLIFY_DEG)
        label = str(row[name_field]) if name_field and name_field in layer.rows else kind
        found.append(
            {
                "type": "Feature",
                "properties": {
                    "layer": kind,
                    "label": label,
                    "source": layer.source.name,
                    "publisher": layer.source.publisher,
                    "vintage": layer.source.vintage,
                    "grade": layer.source.grade.value,
                },
                "geometry": geojson(geometry),
            }
        )
    return found
