"""``site.gpkg``: everything with a place, as layers for a GIS, and the findings as a table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.record.evaluation import Evaluation
from site_eval.reports.places import (
    context_places,
    layout_places,
    shown_places,
    site_geometry,
    uncertainty_band,
)
from site_eval.reports.words import finding_key, measured_words, required_words

Rows = list[tuple[BaseGeometry | None, dict[str, Any]]]


def write_geopackage(evaluation: Evaluation, path: Path) -> None:
    """Write layers ``site``, ``site_uncertainty``, ``layout``, ``evidence``, ``context`` and the
    table ``findings`` (joined to ``evidence`` by ``finding``), EPSG:4326.

    A layer with nothing in it is left out. The same evaluation gives the same bytes: the time of
    last change is the record's own ``generated_at``.
    """
    layers: list[tuple[str, str, Rows]] = [
        ("site", "MultiPolygon", _site(evaluation)),
        ("site_uncertainty", "MultiPolygon", _band(evaluation)),
        ("layout", "Unknown", _layout(evaluation)),
        ("evidence", "Unknown", _evidence(evaluation)),
        ("context", "Unknown", _context(evaluation)),
        ("findings", "None", _findings(evaluation)),
    ]
    path.unlink(missing_ok=True)
    with _fixed_time(evaluation.generated_at):
        for name, geometry_type, rows in layers:
            if rows:
                _write(path, name, geometry_type, rows)


def _write(path: Path, layer: str, geometry_type: str, rows: Rows) -> None:
    from pyogrio.raw import write

    names = list(dict.fromkeys(name for _, properties in rows for name in properties))
    columns = [_column([properties.get(name) for _, properties in rows]) for name in names]
    spatial = geometry_type != "None"
    geometries = [shapely.to_wkb(_typed(g, geometry_type)) for g, _ in rows if g is not None]
    write(
        str(path),
        np.array(geometries, dtype=object) if spatial else None,
        [values for values, _ in columns],
        names,
        field_mask=[mask for _, mask in columns],
        layer=layer,
        driver="GPKG",
        geometry_type=geometry_type if spatial else None,
        crs="EPSG:4326" if spatial else None,
        append=path.exists(),
        nan_as_null=True,
    )


def _typed(geometry: BaseGeometry, geometry_type: str) -> BaseGeometry:
    """Single polygons as multipolygons where the layer asks for them."""
    if geometry_type == "MultiPolygon" and isinstance(geometry, shapely.Polygon):
        return shapely.MultiPolygon([geometry])
    return geometry


def _column(values: list[Any]) -> tuple[Any, Any]:
    """A column's values and the mask of its gaps: numbers if all are, else text."""
    numeric = all(
        v is None or (isinstance(v, int | float) and not isinstance(v, bool)) for v in values
    )
    mask = np.array([value is None for value in values], dtype=bool)
    if numeric and not mask.all():
        return np.array([0.0 if v is None else float(v) for v in values]), mask
    return np.array([None if v is None else _text(v) for v in values], dtype=object), mask


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _site(evaluation: Evaluation) -> Rows:
    site = evaluation.site
    properties = {
        "event": evaluation.checklist.terms.event,
        "description": site.description.text,
        "understood": site.description.understood,
        "method": site.method,
        "area_acres": site.area_acres,
        "area_acres_sd": site.area_acres_sd,
        "position_uncertainty_m": site.position_uncertainty_m,
    }
    return [(site_geometry(evaluation), properties)]


def _band(evaluation: Evaluation) -> Rows:
    band = uncertainty_band(evaluation)
    if band is None:
        return []
    return [(band, {"radius_m": evaluation.site.position_uncertainty_m, "confidence": "95 %"})]


def _layout(evaluation: Evaluation) -> Rows:
    return [
        (p.geometry, {"role": p.kind, "name": p.label, **_flat(p.properties, "role", "name")})
        for p in layout_places(evaluation)
    ]


def _context(evaluation: Evaluation) -> Rows:
    return [
        (p.geometry, {"layer": p.kind, "label": p.label, **_flat(p.properties, "layer", "label")})
        for p in context_places(evaluation)
    ]


def _evidence(evaluation: Evaluation) -> Rows:
    return [
        (
            shown.place.geometry,
            {
                "finding": shown.finding,
                "check": shown.check,
                "clause": shown.clause,
                "verdict": shown.verdict.value,
                "kind": shown.place.kind,
                "label": shown.place.label,
            },
        )
        for shown in shown_places(evaluation)
    ]


def _findings(evaluation: Evaluation) -> Rows:
    return [
        (
            None,
            {
                "finding": finding_key(finding, index),
                "check": finding.check,
                "clause": finding.clause.id,
                "citation": finding.clause.citation,
                "question": finding.question,
                "verdict": finding.verdict.value,
                "statement": finding.statement,
                "measured": measured_words(finding.measured) or None,
                "required": required_words(finding.required) or None,
                "reasons": " | ".join(finding.reasons) or None,
                "agency": finding.agency,
            },
        )
        for index, finding in enumerate(evaluation.findings)
    ]


def _flat(properties: dict[str, Any], *known: str) -> dict[str, Any]:
    """Properties a table can hold, but for those already *known* and a GIS's own key."""
    return {
        name: value
        for name, value in sorted(properties.items())
        if name not in {*known, "fid", "geom"} and not isinstance(value, dict | list)
    }


@contextmanager
def _fixed_time(generated_at: str) -> Iterator[None]:
    """Make GDAL write *generated_at* as the time of last change of every layer."""
    from pyogrio import get_gdal_config_option, set_gdal_config_options

    time = datetime.fromisoformat(generated_at)
    utc = time.astimezone(UTC) if time.tzinfo else time
    before = get_gdal_config_option("OGR_CURRENT_DATE") or os.environ.get("OGR_CURRENT_DATE")
    set_gdal_config_options({"OGR_CURRENT_DATE": utc.strftime("%Y-%m-%dT%H:%M:%S.000Z")})
    try:
        yield
    finally:
        set_gdal_config_options({"OGR_CURRENT_DATE": before})
