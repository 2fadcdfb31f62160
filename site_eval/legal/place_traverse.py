"""A traverse put on the ground by its tie to a corner of the public land survey."""

from __future__ import annotations

import math
from dataclasses import dataclass

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.validation import make_valid

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
    x, y = frame.point(corner.u, corner.v)
    measured = [course for course in tree.courses if not isinstance(course, Words)]
    precise = closure.precision is None or closure.precision >= ADJUST_PRECISION
    adjusted = precise and not closure.closed_by_construction
    points = compass_rule(closure.points, measured) if adjusted else closure.points
    ring_ft = outline(points, measured)
    start = tie[-1]
    ring = [
        (x + (start[0] + east) * US_SURVEY_FOOT_M, y + (start[1] + north) * US_SURVEY_FOOT_M)
        for east, north in ring_ft
    ]
    polygon = make_valid(Polygon(ring))
    reach_m = max(math.hypot(px - x, py - y) for px, py in ring)
    radius_m = math.hypot(
        frame.radius_m((corner.u, corner.v, corner.u, corner.v)),
        ROTATION_RAD * reach_m,
        (closure.misclosure_ft or 0.0) * 0.3,
    )
    doubts = [] if adjusted else ["the traverse does not close well enough to be adjusted"]
    if not Polygon(ring).is_valid:
        doubts.append("the courses cross one another")
    return PlacedTraverse(local.to_geographic(polygon), radius_m, adjusted, tuple(doubts))
