"""Geometries as their roles need them: areas closed, crossings mended or refused."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import frame_for
from site_eval.errors import LayoutError

AREA_ROLES = {"site", "parking", "parking_overflow", "assembly_area", "camping"}
WAY_ROLES = {"road", "fire_lane", "public_road", "fence"}
MAX_AREA_CHANGE = 0.01


def fitted(place: str, role: str, shape: BaseGeometry, notes: list[str]) -> BaseGeometry:
    """*shape* as *role* needs it: one part unwrapped, closed lines made areas, crossings mended."""
    parts = shapely.get_parts(shape)
    geometry = parts[0] if len(parts) == 1 else shape
    kind = geometry.geom_type
    if role in AREA_ROLES and kind == "LineString" and geometry.is_closed:
        geometry = shapely.Polygon(geometry.coords)
        notes.append(f"{place.rpartition(', ')[2]}: a closed line was read as an area.")
    elif role in AREA_ROLES and kind not in {"Polygon", "MultiPolygon"}:
        raise LayoutError(
            place, f"this is a {kind}, not an area", "draw it as a polygon", code="layout.kind"
        )
    if role in WAY_ROLES and kind in {"Point", "MultiPoint"}:
        raise LayoutError(
            place, f"this is a {kind}", "draw it as a line or an area", code="layout.kind"
        )
    if kind == "GeometryCollection":
        raise LayoutError(
            place, "points, lines and areas are mixed", "draw each by itself", code="layout.kind"
        )
    return _mended(place, geometry, notes) if geometry.geom_type.endswith("Polygon") else geometry


def _mended(place: str, geometry: BaseGeometry, notes: list[str]) -> BaseGeometry:
    frame = frame_for(geometry)
    area_m2 = abs(float(frame.to_local(geometry).area))
    if geometry.is_valid:
        if area_m2 < 0.01:
            raise LayoutError(place, "the polygon has no area", "draw it anew", code="layout.kind")
        return geometry
    reason = shapely.is_valid_reason(geometry).replace("[", " at ").rstrip("]").lower()
    parts = shapely.get_parts(shapely.make_valid(geometry))
    whole = shapely.union_all([p for p in parts if p.geom_type.endswith("Polygon")])
    mended_m2 = float(frame.to_local(whole).area)
    if mended_m2 == 0 or abs(mended_m2 - area_m2) > MAX_AREA_CHANGE * mended_m2:
        raise LayoutError(
            place, f"the outline crosses itself ({reason}) and its area is in doubt", "draw it anew",
            code="layout.crossing",
        )  # fmt: skip
    notes.append(
        f"{place.rpartition(', ')[2]}: the outline crossed itself ({reason}) and was mended; its "
        f"area changed by {abs(mended_m2 / area_m2 - 1):.2%}."
    )
    return whole
