"""How parcels lie to municipalities or to a county: share, distance, relation, and which decides.

Only parcels near an edge are worth exact work. Outlines are cut into their segments in a tree; a
parcel that meets none lies wholly inside or wholly outside, and one of its points says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from site_eval.crs import LocalFrame
from site_eval.judges.jurisdiction import ORDER
from site_eval.solvers.compiled import nearest_segment
from site_eval.solvers.coverage import outlines
from site_eval.solvers.overlap import classify_measures, overlap


@dataclass(frozen=True)
class Boundaries:
    """Areas of one layer in local metres; a segment of an outline knows its area."""

    areas: NDArray[Any]
    segments: NDArray[np.float64]
    """Start and end of each: x0, y0, x1, y1."""
    tree: shapely.STRtree
    owner: NDArray[np.int64]
    uncertainty_m: float
    measured: bool
    """Whether the distance of parcels that are far outside is wanted."""
    fast: bool
    """Whether it is measured by the compiled loop."""


@dataclass(frozen=True)
class Lie:
    """Where each parcel lies; ``area`` is the number of the deciding or nearest area, −1 for none."""

    share: NDArray[np.float64]
    """Share of the parcel inside any of the areas, 0 to 1."""
    distance_m: NDArray[np.float64]
    """Least distance to an area; 0 where they touch, infinite where none was looked for."""
    relation: NDArray[Any]
    area: NDArray[np.int64]


def boundaries(
    areas: NDArray[Any],
    frame: LocalFrame,
    uncertainty_m: float,
    *,
    measured: bool = True,
    fast: bool = False,
) -> Boundaries:
    """Areas (EPSG:4326 polygons) ready to be asked; *uncertainty_m* is of parcel and area together."""
    local = np.asarray(frame.to_local(areas), dtype=object)
    lines, owner = shapely.get_parts(shapely.boundary(local), return_index=True)
    segments, line = _segments(lines)
    lines = np.asarray(shapely.linestrings(segments.reshape(-1, 2, 2)), dtype=object)
    tree = shapely.STRtree(lines)
    shapely.prepare(local)
    return Boundaries(local, segments, tree, owner[line], uncertainty_m, measured, fast)


def lie(parcels: NDArray[Any], among: Boundaries) -> Lie:
    """Say where each of *parcels* (local metres, valid polygons) lies to *among*."""
    count = len(parcels)
    found = Lie(
        np.zeros(count), np.full(count, np.inf), np.full(count, "outside", dtype="<U9"),
        np.full(count, -1, dtype=np.int64),
    )  # fmt: skip
    if not len(among.areas) or not count:
        return found
    shapely.prepare(parcels)
    touched = np.zeros(count, dtype=bool)
    touched[among.tree.query(parcels, predicate="intersects")[0]] = True
    within = _whole_inside(parcels, np.flatnonzero(~touched), among, found)
    _outside(parcels, np.flatnonzero(~touched & ~within), among, found)
    _on_an_edge(parcels, np.flatnonzero(touched), among, found)
    return found


def _segments(lines: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Lines in single segments (x0, y0, x1, y1), and the line of each."""
    xy, line = shapely.get_coordinates(lines, return_index=True)
    kept = line[1:] == line[:-1]
    return np.hstack([xy[:-1][kept], xy[1:][kept]]), line[1:][kept]


def _whole_inside(
    parcels: NDArray[Any], free: NDArray[np.int64], among: Boundaries, found: Lie
) -> NDArray[np.bool_]:
    """Parcels that meet no outline and lie inside an area; the surest of several areas decides."""
    inside = np.zeros(len(parcels), dtype=bool)
    if not len(free):
        return inside
    spots = shapely.get_point(shapely.get_exterior_ring(shapely.get_geometry(parcels[free], 0)), 0)
    area, at = shapely.STRtree(spots).query(among.areas, predicate="contains")
    hit = free[at]
    inside[hit] = True
    near, segment = among.tree.query(
        parcels[hit], predicate="dwithin", distance=among.uncertainty_m
    )
    unsure = np.zeros(len(hit), dtype=bool)
    unsure[near[among.owner[segment] == area[near]]] = True
    # The first of the surest wins: written last.
    order = np.lexsort((area, unsure))[::-1]
    found.share[hit], found.distance_m[hit] = 1.0, 0.0
    found.relation[hit[order]] = np.where(unsure, "too-close", "inside")[order]
    found.area[hit[order]] = area[order]
    return inside


def _outside(
    parcels: NDArray[Any], outside: NDArray[np.int64], among: Boundaries, found: Lie
) -> None:
    if not len(outside):
        return
    if among.measured:
        segment, found.distance_m[outside] = _nearest(parcels[outside], among)
        found.area[outside] = among.owner[segment]
    else:
        which, segment = among.tree.query(
            parcels[outside], predicate="dwithin", distance=among.uncertainty_m
        )
        at = outside[which]
        found.distance_m[at], found.area[at] = 0.0, among.owner[segment]
    found.relation[outside] = classify_measures(
        found.distance_m[outside], 0.0, 0.0, 0.0, among.uncertainty_m
    )


def _nearest(
    parcels: NDArray[Any], among: Boundaries
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The nearest segment of each parcel, none of which meets any, and how far it is."""
    if among.fast:
        shapes = outlines(parcels)
        begin = np.searchsorted(shapes.polygon, np.arange(len(parcels) + 1))
        return nearest_segment(shapes.xy, shapes.ring, begin, among.segments)
    (_, segment), distance = among.tree.query_nearest(
        parcels, return_distance=True, all_matches=False
    )
    return segment, distance


def _on_an_edge(
    parcels: NDArray[Any], touching: NDArray[np.int64], among: Boundaries, found: Lie
) -> None:
    """Parcels on an outline: exact overlap with every area near by, one at a time."""
    whole = shapely.STRtree(among.areas)
    for number in touching:
        parcel = parcels[number]
        near = np.sort(whole.query(parcel, predicate="intersects"))
        areas = [_around(parcel, among.areas[n]) for n in near]
        measured = overlap(parcel, areas)
        said = [
            str(classify_measures(m.distance_m, m.clearance_m, m.sticks_out_m, m.reaches_in_m,
                                  among.uncertainty_m))
            for m in measured
        ]  # fmt: skip
        best = min(range(len(near)), key=lambda n: (ORDER.index(said[n]), -measured[n].share))
        found.relation[number], found.area[number] = said[best], near[best]
        found.distance_m[number] = min(m.distance_m for m in measured)
        found.share[number] = _shared(parcel, areas, measured[best].share)


def _around(parcel: Any, area: Any) -> Any:
    """The area as far as it matters to a parcel that touches its outline.

    No point of the parcel is farther from the outline than the parcel is wide, so that what lies
    farther away changes no distance.
    """
    west, south, east, north = parcel.bounds
    reach = 1.01 * float(np.hypot(east - west, north - south)) + 1.0
    box = (west - reach, south - reach, east + reach, north + reach)
    clipped = shapely.clip_by_rect(area, *box)
    if shapely.is_valid(clipped) and clipped.area > 0:
        return clipped
    return shapely.intersection(area, shapely.box(*box))


def _shared(parcel: Any, areas: list[Any], only: float) -> float:
    if len(areas) == 1:
        return only
    return float(shapely.intersection(parcel, shapely.union_all(areas)).area / parcel.area)
