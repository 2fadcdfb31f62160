"""How much of a site lies in an area, how near it is, and whether that is surer than the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

Relation = Literal["inside", "outside", "partly", "too-close"]

# Deviations are sampled along outlines at this spacing; the true maximum is at most half of it
# greater, so a sampled deviation never overstates.
_SAMPLE_M = 2.0


@dataclass(frozen=True)
class Overlap:
    """One site against one area, in metres and square metres."""

    area_m2: float
    """Area of the site inside the area."""
    share: float
    """That area over the site's own, 0 to 1."""
    distance_m: float
    """Least distance between the two; 0 where they touch or overlap."""
    clearance_m: float
    """For a site wholly inside, the distance to the area's boundary; else 0."""
    sticks_out_m: float
    """How far the site reaches out of the area: the greatest distance of a point of it."""
    reaches_in_m: float
    """How far the site reaches into the area from the area's boundary."""


def overlap(site: BaseGeometry, areas: Sequence[BaseGeometry]) -> list[Overlap]:
    """Measure *site* (local metres) against each of *areas*, in their order.

    Raises ``ValueError`` when the site has no area.
    """
    if site.area <= 0:
        raise ValueError("The site has no area.")
    return [_measured(site, area) for area in areas]


def classify(site: BaseGeometry, area: BaseGeometry, uncertainty_m: float) -> Relation:
    """Say where *site* lies to *area* when both together are placed to *uncertainty_m* (95 %).

    ``inside``/``outside``: by more than the uncertainty. ``partly``: it reaches further than the
    uncertainty both in and out. ``too-close``: the data cannot tell.
    """
    m = overlap(site, [area])[0]
    found = classify_measures(
        m.distance_m, m.clearance_m, m.sticks_out_m, m.reaches_in_m, uncertainty_m
    )
    return cast("Relation", str(found))


def classify_measures(
    distance_m: ArrayLike,
    clearance_m: ArrayLike,
    sticks_out_m: ArrayLike,
    reaches_in_m: ArrayLike,
    uncertainty_m: ArrayLike,
) -> NDArray[np.str_]:
    """``classify`` on measured numbers or arrays of them (fields of ``Overlap``)."""
    u = np.asarray(uncertainty_m, dtype=float)
    outside = np.asarray(distance_m, dtype=float) > u
    inside = np.asarray(clearance_m, dtype=float) > u
    partly = (np.asarray(sticks_out_m, dtype=float) > u) & (np.asarray(reaches_in_m, float) > u)
    # An area that contains the site sharply (u = 0, common boundary) has clearance 0.
    flush = (u == 0) & (np.asarray(sticks_out_m) == 0) & (np.asarray(reaches_in_m, float) > 0)
    return np.select(
        [outside, inside | flush, partly], ["outside", "inside", "partly"], "too-close"
    )


def _measured(site: BaseGeometry, area: BaseGeometry) -> Overlap:
    common = shapely.intersection(site, area)
    beyond = shapely.difference(site, area)
    within = beyond.area <= 0
    boundary = area.boundary
    return Overlap(
        area_m2=float(common.area),
        share=float(common.area / site.area),
        distance_m=float(site.distance(area)),
        clearance_m=float(site.distance(boundary)) if within and common.area > 0 else 0.0,
        sticks_out_m=_greatest_distance_m(beyond, area),
        reaches_in_m=_greatest_distance_m(common, boundary),
    )


def _greatest_distance_m(part: BaseGeometry, other: BaseGeometry) -> float:
    """Greatest distance to *other* of points of *part*: sampled outline and widest places."""
    polygons = [p for p in shapely.get_parts(part) if p.geom_type == "Polygon" and p.area > 1e-6]
    if not polygons or other.is_empty:
        return 0.0
    outline = shapely.segmentize(np.array([p.exterior for p in polygons]), _spacing_m(part))
    on_outline: Any = shapely.points(shapely.get_coordinates(outline))
    every = np.concatenate([on_outline, np.array(_centres(polygons))])
    shapely.prepare(other)
    return float(np.nanmax(shapely.distance(every, other)))


def _centres(polygons: Sequence[Any]) -> list[Any]:
    # Slivers make GEOS divide by zero; what comes of it is no number and is left out above.
    with np.errstate(divide="ignore", invalid="ignore"):
        circles: list[Any] = [shapely.maximum_inscribed_circle(p, tolerance=1.0) for p in polygons]
    return [shapely.get_point(circle, 0) for circle in circles]


def _spacing_m(part: BaseGeometry) -> float:
    """Fine for a field, coarser for a whole county, so that outlines stay below 20,000 points."""
    return max(_SAMPLE_M, float(part.length) / 20_000)
