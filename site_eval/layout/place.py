"""The layout against the land: whether it lies there at all, and what is far off."""

from __future__ import annotations

import math
from pathlib import Path

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import GEOD, LocalFrame, frame_for
from site_eval.layout.feature import Feature
from site_eval.layout.values import fault, raise_any
from site_eval.units import MILE_FT, feet

FAR_M = 1_000.0
LOST_M = 50_000.0


def require_near(path: Path, features: list[Feature], near: BaseGeometry) -> list[str]:
    frame = frame_for(near)
    land = frame.to_local(near)
    metres = [_distance_m(frame, land, feature.geometry) for feature in features]
    if min(metres) > FAR_M:
        flipped = shapely.transform(features[0].geometry, lambda points: points[:, ::-1])
        swapped = _distance_m(frame, land, flipped) <= FAR_M
        raise fault(
            path, f"the layout lies {_miles(min(metres))} from the land",
            "latitude and longitude seem to be swapped" if swapped
            else "check its CRS, and that it is the layout of this land", "far",
        )  # fmt: skip
    raise_any(
        fault(
            path,
            f"{f.role} '{f.name}' lies {_miles(m)} from the land",
            "move it or take it out",
            "far",
        )
        for f, m in zip(features, metres, strict=True)
        if m > LOST_M
    )
    return [
        f"{f.role} '{f.name}' lies {_miles(m)} from the land."
        for f, m in zip(features, metres, strict=True)
        if m > FAR_M
    ]


def _distance_m(frame: LocalFrame, land: BaseGeometry, geometry: BaseGeometry) -> float:
    """Distance to the land; beyond a few degrees, where the frame ends, along the great circle."""
    lon, lat = geometry.centroid.x, geometry.centroid.y
    if abs(lat) > 90 or abs(lon - frame.lon_deg) > 3 or abs(lat - frame.lat_deg) > 3:
        return _great_circle_m(frame, lon, lat)
    return float(land.distance(frame.to_local(geometry)))


def _great_circle_m(frame: LocalFrame, lon: float, lat: float) -> float:
    if abs(lat) > 90:
        return math.inf
    return float(GEOD.inv(frame.lon_deg, frame.lat_deg, lon, lat)[2])


def _miles(metres: float) -> str:
    return f"{feet(metres) / MILE_FT:,.1f} miles"
