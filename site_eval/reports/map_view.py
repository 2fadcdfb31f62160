"""The window of a printed map: which ground it shows, at which scale, and ground turned into paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import LocalFrame
from site_eval.record.evaluation import Evaluation
from site_eval.reports.map_sheet import Rect, feet_per_inch
from site_eval.reports.map_topics import Drawn
from site_eval.reports.places import context_places, site_frame, site_geometry
from site_eval.units import metres

POINTS_PER_INCH = 72.0
# A bend of a coast or a county line smaller than this on the paper is not seen, only stored.
_FINE_PT = 0.05
# Ground left free around what is shown, as a share of it.
_MARGIN = 0.04
_LEAST_MARGIN_M = 15.0
# How far outside the site a layout is still followed.
_BESIDE_M = 60.0
# Without a county's outline a vicinity map shows this much around the site.
_VICINITY_M = 8_000.0
_SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)


@dataclass(frozen=True)
class View:
    """Ground to paper: points of 1/72 inch from the map frame's lower left corner.

    ``west_m`` and ``south_m`` are that corner in the local frame.
    """

    frame: LocalFrame
    scale_feet: int
    west_m: float
    south_m: float
    width_pt: float
    height_pt: float

    @property
    def metres_per_point(self) -> float:
        """Ground metres to a point of paper."""
        return metres(self.scale_feet) / POINTS_PER_INCH

    def paper(self, geometry: BaseGeometry) -> BaseGeometry:
        """EPSG:4326 geometry on the paper, cut at the map's frame (may be empty)."""
        local = self.frame.to_local(geometry)

        def move(points: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
            return (points - [self.west_m, self.south_m]) / self.metres_per_point

        parts = shapely.get_parts(shapely.transform(local, move))
        # A little beyond the frame, so that outlines are not drawn along the cut. Part by part:
        # stalls that share an edge are no valid multipolygon.
        bad = ~shapely.is_valid(parts)
        parts[bad] = shapely.make_valid(parts[bad])
        cut = shapely.get_parts(
            shapely.clip_by_rect(parts, -20, -20, self.width_pt + 20, self.height_pt + 20)
        )
        finer = shapely.simplify(cut[~shapely.is_empty(cut)], _FINE_PT)
        return _gathered(finer[~shapely.is_empty(finer)])

    def graticule(self) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
        """Meridians at the lower edge (points, words) and parallels at the left edge."""
        west, south = self._lonlat(0, 0)
        east, north = self._lonlat(self.width_pt, self.height_pt)
        meridians = [
            (self.frame.xy(lon, south)[0] - self.west_m, _degrees(lon, "E", "W"))
            for lon in _round_values(west, east)
        ]
        parallels = [
            (self.frame.xy(west, lat)[1] - self.south_m, _degrees(lat, "N", "S"))
            for lat in _round_values(south, north)
        ]
        k = self.metres_per_point
        return [(x / k, w) for x, w in meridians], [(y / k, w) for y, w in parallels]

    def _lonlat(self, x_pt: float, y_pt: float) -> tuple[float, float]:
        k = self.metres_per_point
        return self.frame.lonlat(self.west_m + x_pt * k, self.south_m + y_pt * k)


def _gathered(parts: Any) -> BaseGeometry:
    """Simple parts as one geometry of their highest dimension."""
    dimensions = shapely.get_dimensions(parts)
    kept = list(parts[dimensions == max(dimensions, default=0)])
    if len(kept) == 1:
        only: BaseGeometry = kept[0]
        return only
    several: tuple[Callable[[list[Any]], BaseGeometry], ...] = (
        shapely.MultiPoint,
        shapely.MultiLineString,
        shapely.MultiPolygon,
    )
    return several[max(dimensions, default=0)](kept)


def tallness_of(evaluation: Evaluation, content: Drawn) -> float:
    """Height over width of the ground that the topic is about."""
    west, south, east, north = _with_margin(_ground(evaluation, content, site_frame(evaluation)))
    return (north - south) / (east - west)


def view_of(evaluation: Evaluation, content: Drawn, frame: Rect) -> View:
    """The window that shows what the topic is about, at an engineer's scale, centred."""
    local = site_frame(evaluation)
    west, south, east, north = _with_margin(_ground(evaluation, content, local))
    width, height = east - west, north - south
    scale = feet_per_inch(width, height, frame)
    shown_width, shown_height = metres(scale) * frame.width, metres(scale) * frame.height
    return View(
        local,
        scale,
        (west + east - shown_width) / 2,
        (south + north - shown_height) / 2,
        frame.width * POINTS_PER_INCH,
        frame.height * POINTS_PER_INCH,
    )


def _with_margin(
    bounds: tuple[float, float, float, float],
) -> tuple[float, float, float, float]:
    west, south, east, north = bounds
    margin = max(_LEAST_MARGIN_M, _MARGIN * max(east - west, north - south))
    return west - margin, south - margin, east + margin, north + margin


def _ground(
    evaluation: Evaluation, content: Drawn, local: LocalFrame
) -> tuple[float, float, float, float]:
    """West, south, east and north of what has to be seen, local metres."""
    site = local.to_local(site_geometry(evaluation))
    radius = evaluation.site.position_uncertainty_m
    shown = [site.buffer(radius) if radius > 0 else site]
    if content.topic.extent == "county":
        counties = [p.geometry for p in context_places(evaluation, ("county",))]
        shown += [local.to_local(c) for c in counties if c.intersects(site_geometry(evaluation))]
        if len(shown) == 1:
            shown.append(site.buffer(_VICINITY_M))
    else:
        # A road that leads on for miles is cut; what lies just outside the site is not.
        near = site.buffer(_BESIDE_M)
        shown += [near.intersection(local.to_local(place.geometry)) for place in content.layout]
    if content.topic.extent == "evidence":
        shown += [local.to_local(s.place.geometry) for s in content.evidence]
    bounds = shapely.total_bounds([geometry for geometry in shown if not geometry.is_empty])
    return float(bounds[0]), float(bounds[1]), float(bounds[2]), float(bounds[3])


def _round_values(low: float, high: float) -> Iterator[float]:
    """Three to six round values in an interval of degrees."""
    span = (high - low) * 3600
    step = next((s for s in _SECONDS if span / s <= 5), _SECONDS[-1])
    first = math.ceil(low * 3600 / step + 0.15)
    last = math.floor(high * 3600 / step - 0.15)
    return ((index * step) / 3600 for index in range(first, last + 1))


def _degrees(value: float, positive: str, negative: str) -> str:
    seconds = round(abs(value) * 3600)
    side = positive if value >= 0 else negative
    degrees, rest = divmod(seconds, 3600)
    return f"{degrees}°{rest // 60:02d}′{rest % 60:02d}″ {side}"
