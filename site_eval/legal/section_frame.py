"""One section on the ground, and its aliquots by the rules of the Manual of Surveying Instructions.

A section is divided by straight lines between opposite quarter corners; a quarter by lines between
the midpoints of its sides (BLM *Manual of Surveying Instructions*, 2009, sections 3-117 to 3-120).
Within a quarter that is the same as interpolating its four corners, since the lines between the
midpoints of opposite sides bisect each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from site_eval.legal.section_unit import UNIT, Box, box_of, divide
from site_eval.legal.tree import Aliquot, Part, Strip
from site_eval.units import US_SURVEY_FOOT_M, square_metres

Point = tuple[float, float]


@dataclass(frozen=True)
class SectionFrame:
    """Known points of a section in metres, row by row from the south, each row from the west.

    Three rows are the corners, the quarter corners and the centre; five have the sixteenth corners
    too. ``radii_m`` is each point's 95 % radius.
    """

    nodes: tuple[tuple[Point, ...], ...]
    radii_m: tuple[tuple[float, ...], ...]
    method: str

    def point(self, u: float, v: float) -> Point:
        """Where a place of the unit section is; u east, v north."""
        column, s = self._cell(u)
        row, t = self._cell(v)
        sw, se = self.nodes[row][column], self.nodes[row][column + 1]
        nw, ne = self.nodes[row + 1][column], self.nodes[row + 1][column + 1]
        x, y = (
            (1 - s) * (1 - t) * a + s * (1 - t) * b + (1 - s) * t * c + s * t * d
            for a, b, c, d in zip(sw, se, nw, ne, strict=True)
        )
        return x, y

    def radius_m(self, box: Box = UNIT) -> float:
        """The largest 95 % radius among the known points that fix a rectangle."""
        west, south, east, north = box
        cells = len(self.nodes) - 1
        columns = range(int(west * cells), min(cells, -int(-east * cells // 1)) + 1)
        rows = range(int(south * cells), min(cells, -int(-north * cells // 1)) + 1)
        return max(self.radii_m[row][column] for row in rows for column in columns)

    def polygon(self, box: Box) -> Polygon:
        """The ground polygon of a rectangle of the unit section, with its nodes on the way."""
        west, south, east, north = box
        marks = [n / (len(self.nodes) - 1) for n in range(len(self.nodes))]
        us = [west, *(m for m in marks if west < m < east), east]
        vs = [south, *(m for m in marks if south < m < north), north]
        ring = [self.point(u, south) for u in us]
        ring += [self.point(east, v) for v in vs[1:]]
        ring += [self.point(u, north) for u in us[-2::-1]]
        ring += [self.point(west, v) for v in vs[-2:0:-1]]
        return Polygon(ring)

    def _cell(self, share: float) -> tuple[int, float]:
        cells = len(self.nodes) - 1
        index = min(int(share * cells), cells - 1)
        return index, share * cells - index

    def part(self, part: Part) -> BaseGeometry | None:
        """The ground polygon of an aliquot or a strip of one; None for lots and tracts."""
        if isinstance(part, Aliquot):
            return self.polygon(box_of(part.steps))
        if isinstance(part, Strip):
            return self._strip(part)
        return None

    def _strip(self, strip: Strip) -> BaseGeometry | None:
        base = self.part(strip.of)
        if base is None or base.is_empty:
            return base
        if strip.unit == "ac":
            return _strip_of_area(base, strip.side, square_metres(strip.amount))
        return _band(base, strip.side, strip.amount * US_SURVEY_FOOT_M)


def frame_from_corners(
    corners: tuple[Point, Point, Point, Point],
    quarters: tuple[Point | None, Point | None, Point | None, Point | None],
    radius_m: float,
    method: str,
) -> SectionFrame:
    """From SW, SE, NE, NW and the south, east, north, west quarter corners (midpoint where None)."""
    sw, se, ne, nw = corners
    south, east, north, west = (
        given or ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for given, a, b in zip(quarters, (sw, se, ne, nw), (se, ne, nw, sw), strict=True)
    )
    centre = _crossing(south, north, west, east)
    radii = ((radius_m,) * 3,) * 3
    return SectionFrame(((sw, south, se), (west, centre, east), (nw, north, ne)), radii, method)


def side_of(polygon: BaseGeometry, side: str) -> tuple[Point, Point]:
    """The two corners that end one side (N, S, E, W) of a four-sided tract, west or south first."""
    hull = shapely.get_coordinates(shapely.get_exterior_ring(polygon.convex_hull))
    corners = four_corners(hull[:-1])
    sw, se, ne, nw = corners
    return {"N": (nw, ne), "S": (sw, se), "E": (se, ne), "W": (sw, nw)}[side]


def nominal_lot_box(section: int, number: int) -> Box | None:
    """Where a lot lies by the usual numbering, on a section of a regular township; None elsewhere.

    Lots 1–4 run west along the north side of sections 1–5; lots 1–4 run south along the west side
    of sections 7, 18, 19, 30 and 31; section 6 has 1–4 along the north and 5–7 down the west
    (BLM *Manual*, 2009, sections 3-87 to 3-93).
    """
    north = ("NENE", "NWNE", "NENW", "NWNW")
    west = ("NWNW", "SWNW", "NWSW", "SWSW")
    if section == 6:
        names: tuple[str, ...] = (*north, "SWNW", "NWSW", "SWSW")
    elif 1 <= section <= 5:
        names = north
    elif section in {7, 18, 19, 30, 31}:
        names = west
    else:
        return None
    if not 1 <= number <= len(names):
        return None
    name = names[number - 1]
    return divide(box_of((name[2:],)), name[:2])


def four_corners(points: NDArray[np.float64]) -> tuple[Point, Point, Point, Point]:
    """The points farthest towards SW, SE, NE and NW."""
    centred = points - points.mean(axis=0)
    picks = [np.argmax(centred @ np.array(way)) for way in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    sw, se, ne, nw = ((float(points[p][0]), float(points[p][1])) for p in picks)
    return sw, se, ne, nw


def _band(base: BaseGeometry, side: str, depth_m: float) -> BaseGeometry:
    """What of *base* lies within *depth_m* of its side."""
    a, b = side_of(base, side)
    line = LineString([a, b])
    stretched = _stretched(line, 2.0)
    inward = depth_m if side in {"S", "E"} else -depth_m
    # Left of a line is positive: inside is left of a south or east side drawn west to east or
    # south to north, right of a north or west one.
    sign = {"S": 1, "E": 1, "N": -1, "W": -1}[side]
    band = stretched.buffer(
        abs(inward) * sign, single_sided=True, cap_style="flat", join_style="mitre"
    )
    return shapely.intersection(base, band)


def _strip_of_area(base: BaseGeometry, side: str, area_m2: float) -> BaseGeometry:
    """The band along *side* that holds *area_m2*, by halving; the whole when it is smaller."""
    if area_m2 >= base.area:
        return base
    west, south, east, north = base.bounds
    low, high = 0.0, float(np.hypot(east - west, north - south))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _band(base, side, middle).area > area_m2 else (middle, high)
    return _band(base, side, high)


def _stretched(line: LineString, times: float) -> LineString:
    (ax, ay), (bx, by) = line.coords
    cx, cy, dx, dy = (ax + bx) / 2, (ay + by) / 2, (bx - ax) / 2 * times, (by - ay) / 2 * times
    return LineString([(cx - dx, cy - dy), (cx + dx, cy + dy)])


def _crossing(south: Point, north: Point, west: Point, east: Point) -> Point:
    """Where the line south–north meets the line west–east."""
    dx1, dy1 = north[0] - south[0], north[1] - south[1]
    dx2, dy2 = east[0] - west[0], east[1] - west[1]
    determinant = dx1 * dy2 - dy1 * dx2
    t = ((west[0] - south[0]) * dy2 - (west[1] - south[1]) * dx2) / determinant
    return south[0] + t * dx1, south[1] + t * dy1
