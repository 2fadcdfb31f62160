"""A traverse put on the ground by its tie to a corner of the public land survey."""

from __future__ import annotations

import math
from dataclasses import dataclass

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.validation import make_valid

from site_eval.crs import LocalFrame, frame_at
from site_eval.legal.corners import NamedCorner
from site_eval.legal.place import Placer
from site_eval.legal.traverse import (
    ADJUST_PRECISION,
    Closure,
    compass_rule,
    outline,
    traverse_points,
)
from site_eval.legal.tree import MetesTree, SectionLand, Words
from site_eval.units import US_SURVEY_FOOT_M

# The description's north is not known to be true north. At Emmett the section grid is turned by
# 0.52 degrees; one whole degree covers that and the usual bases of bearing at 95 %.
ROTATION_RAD = math.radians(1.0)

# A point of beginning that the user gives says nothing of its own accuracy: a hand-held receiver's.
GIVEN_POINT_RADIUS_M = 5.0


@dataclass(frozen=True)
class PlacedTraverse:
    """EPSG:4326 polygon of a traverse, its 95 % radius in metres, and whether it was adjusted."""

    geometry: BaseGeometry
    position_uncertainty_m: float
    adjusted: bool
    doubts: tuple[str, ...]


def place_traverse(
    tree: MetesTree, closure: Closure, corner: NamedCorner, placer: Placer
) -> PlacedTraverse | None:
    """Draw the figure from its corner; None when the tie or the figure cannot be computed."""
    tie = traverse_points(tree.tie)
    if tie is None or not closure.points:
        return None
    land = SectionLand(corner.township, corner.range, corner.section)
    local = placer.local_frame(land)
    frame = placer.frame(land, local)
    radius_m = frame.radius_m((corner.u, corner.v, corner.u, corner.v))
    return _drawn(tree, closure, local, frame.point(corner.u, corner.v), tie[-1], radius_m)


def place_traverse_at(
    tree: MetesTree, closure: Closure, lon_deg: float, lat_deg: float
) -> PlacedTraverse | None:
    """Draw the figure from its point of beginning, given in degrees."""
    if not closure.points:
        return None
    local = frame_at(lon_deg, lat_deg)
    start = local.xy(lon_deg, lat_deg)
    return _drawn(tree, closure, local, start, (0.0, 0.0), GIVEN_POINT_RADIUS_M)


def _drawn(
    tree: MetesTree,
    closure: Closure,
    local: LocalFrame,
    corner_m: tuple[float, float],
    beginning_ft: tuple[float, float],
    corner_radius_m: float,
) -> PlacedTraverse:
    measured = [course for course in tree.courses if not isinstance(course, Words)]
    precise = closure.precision is None or closure.precision >= ADJUST_PRECISION
    adjusted = precise and not closure.closed_by_construction
    points = compass_rule(closure.points, measured) if adjusted else closure.points
    ring = [
        (
            corner_m[0] + (beginning_ft[0] + east) * US_SURVEY_FOOT_M,
            corner_m[1] + (beginning_ft[1] + north) * US_SURVEY_FOOT_M,
        )
        for east, north in outline(points, measured)
    ]
    polygon = Polygon(ring)
    doubts = [] if adjusted else ["the traverse does not close well enough to be adjusted"]
    if not polygon.is_valid:
        doubts.append("the courses cross one another")
    reach_m = max(math.dist(corner_m, point) for point in ring)
    miss_m = (closure.misclosure_ft or 0.0) * US_SURVEY_FOOT_M
    radius_m = math.hypot(corner_radius_m, ROTATION_RAD * reach_m, miss_m)
    geometry = local.to_geographic(make_valid(polygon))
    return PlacedTraverse(geometry, radius_m, adjusted, tuple(doubts))
