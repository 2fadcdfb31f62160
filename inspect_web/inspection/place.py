"""Whether a fix lies inside an area: inside, outside, or undecided when its circle crosses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal

from inspect_web.inspection.observation import Place

Where = Literal["inside", "outside", "undecided"]
METRES_PER_DEGREE = 111_320.0  # of latitude; good to 0.6 % at the size of a licensed site
Point = tuple[float, float]


def where(place: Place, area: dict[str, Any]) -> Where:
    """Compare *place* with a GeoJSON polygon or multipolygon (EPSG:4326).

    The circle of 95 % decides: a fix whose circle reaches over the edge says neither.
    """
    longitude, latitude = place.lon_e7 / 1e7, place.lat_e7 / 1e7
    scale = METRES_PER_DEGREE * math.cos(math.radians(latitude))
    rings = [
        [((x - longitude) * scale, (y - latitude) * METRES_PER_DEGREE) for x, y, *_ in ring]
        for ring in _rings(area)
    ]
    edges = [edge for ring in rings for edge in pairwise(ring)]
    if min((_distance(a, b) for a, b in edges), default=math.inf) <= place.accuracy_mm / 1000:
        return "undecided"
    return "inside" if sum(_crosses(a, b) for a, b in edges) % 2 else "outside"


def _rings(area: dict[str, Any]) -> Iterator[list[list[float]]]:
    kind = area.get("type")
    if kind == "Feature":
        yield from _rings(area["geometry"])
    elif kind == "FeatureCollection":
        for feature in area["features"]:
            yield from _rings(feature)
    elif kind == "Polygon":
        yield from area["coordinates"]
    elif kind == "MultiPolygon":
        for polygon in area["coordinates"]:
            yield from polygon


def _distance(a: Point, b: Point) -> float:
    """Metres from the origin to the segment *a*–*b*."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else max(0.0, min(1.0, -(a[0] * dx + a[1] * dy) / length))
    return math.hypot(a[0] + share * dx, a[1] + share * dy)


def _crosses(a: Point, b: Point) -> bool:
    """Whether a ray from the origin along +x crosses the segment."""
    return (a[1] > 0) != (b[1] > 0) and (b[0] - a[0]) * -a[1] / (b[1] - a[1]) + a[0] > 0
