"""How parcels lie to municipalities or to a county: share, distance, relation, and which decides.

Only parcels near an edge are worth exact work. Outlines are cut into their segments in a tree; a
parcel that meets none lies wholly inside or wholly outside, and one of its points says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import geopandas as gpd
import numpy as np
import shapely
from numpy.typing import NDArray

from site_eval.crs import LocalFrame
from site_eval.judges.jurisdiction import ORDER
from site_eval.solvers.compiled import nearest_segment
from site_eval.solvers.coverage import outlines
from site_eval.solvers.overlap import classify_measures, overlap

_FINE_M = 10.0
# Parts smaller than this are rounding, as in ``overlap``.
_LEAST_M2 = 1e-6


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
        corner = shapely.points(shapely.bounds(parcels)[:, :2])
        order = np.argsort(gpd.GeoSeries(corner).hilbert_distance().to_numpy(), kind="stable")
        shapes = outlines(parcels[order])
        begin = np.searchsorted(shapes.polygon, np.arange(len(parcels) + 1))
        which, apart = nearest_segment(shapes.xy, shapes.ring, begin, among.segments)
        back = np.argsort(order)
        return which[back], apart[back]
    (_, segment), distance = among.tree.query_nearest(
        parcels, return_distance=True, all_matches=False
    )
    return segment, distance


def _on_an_edge(
    parcels: NDArray[Any], touching: NDArray[np.int64], among: Boundaries, found: Lie
) -> None:
    """Parcels on an outline: exact overlap with every area that they meet."""
    if not len(touching):
        return
    which, area = shapely.STRtree(among.areas).query(parcels[touching], predicate="intersects")
    which = touching[which]
    near = np.array(
        [_around(parcels[p], among.areas[a]) for p, a in zip(which, area, strict=True)],
        dtype=object,
    )
    common = shapely.intersection(parcels[which], near)
    share = shapely.area(common) / shapely.area(parcels[which])
    said = _relations(parcels[which], near, common, among.uncertainty_m)
    rank = np.array([ORDER.index(str(word)) for word in said], dtype=np.int64)
    # The first relation of the order decides, then the greater share: written last.
    for n in np.lexsort((-share, rank))[::-1]:
        found.relation[which[n]], found.area[which[n]] = said[n], area[n]
        found.share[which[n]] = share[n]
    found.distance_m[touching] = 0.0
    for parcel in np.flatnonzero(np.bincount(which, minlength=len(parcels)) > 1):
        together = shapely.union_all(common[which == parcel])
        found.share[parcel] = together.area / parcels[parcel].area


def _relations(
    parcels: NDArray[Any], areas: NDArray[Any], common: NDArray[Any], uncertainty_m: float
) -> NDArray[np.str_]:
    """The relation of each parcel to the area whose outline it touches.

    Where some point already reaches far enough in, and another out, the parcel is partly inside;
    where all that is in, or out, stays near the outline, it is too close to tell. Only what is
    left is measured in full.
    """
    beyond, outline = shapely.difference(parcels, areas), shapely.boundary(areas)
    partly = _reaches(beyond, areas, uncertainty_m) & _reaches(common, outline, uncertainty_m)
    said = np.where(partly, "partly", "").astype("<U9")
    left = np.flatnonzero(~partly)
    near = _stays(beyond[left], areas[left], uncertainty_m)
    near |= _stays(common[left], outline[left], uncertainty_m)
    said[left[near]] = "too-close"
    for n in left[~near]:
        m = overlap(parcels[n], [areas[n]])[0]
        measures = (m.distance_m, m.clearance_m, m.sticks_out_m, m.reaches_in_m)
        said[n] = str(classify_measures(*measures, uncertainty_m))
    return said


def _reaches(parts: NDArray[Any], others: NDArray[Any], beyond_m: float) -> NDArray[np.bool_]:
    """Whether a point of a part's outline lies well farther than this from the other shape.

    ``overlap`` looks at outlines every two metres: what lies a metre farther it finds too.
    """
    fine = shapely.segmentize(parts, max(beyond_m, _FINE_M))
    spots, owner = shapely.get_coordinates(fine, return_index=True)
    shapely.prepare(others)
    far = ~shapely.dwithin(others[owner], shapely.points(spots), beyond_m + 1.0)
    found = np.zeros(len(parts), dtype=bool)
    found[owner[far]] = True
    return found & (shapely.area(parts) > _LEAST_M2)


def _stays(parts: NDArray[Any], others: NDArray[Any], within_m: float) -> NDArray[np.bool_]:
    """Whether a part surely lies within this distance of the other shape."""
    if within_m <= 0:
        return np.zeros(len(parts), dtype=bool)
    # The chords of a buffer lie inside its circles, so that what they hold is near enough.
    around = shapely.buffer(others, within_m, quad_segs=16)
    return np.asarray(shapely.covers(around, parts) & ~shapely.is_empty(parts), dtype=bool)


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
