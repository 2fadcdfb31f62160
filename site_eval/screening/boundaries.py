"""How parcels lie to municipalities or to a county: share, distance, relation, and which decides.

Only parcels near an edge are worth exact work. Outlines are cut into short pieces in a tree; a
parcel that meets no piece lies wholly inside or wholly outside, and one look at a prepared
polygon says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from site_eval.crs import LocalFrame
from site_eval.judges.jurisdiction import ORDER
from site_eval.solvers.overlap import classify_measures, overlap

# Vertices of an outline's piece: short enough that a tree tells most parcels apart.
_PIECE = 8


@dataclass(frozen=True)
class Boundaries:
    """Areas of one layer in local metres; a piece of outline knows its area."""

    areas: NDArray[Any]
    tree: shapely.STRtree
    owner: NDArray[np.int64]
    uncertainty_m: float


@dataclass(frozen=True)
class Lie:
    """Where each parcel lies; ``area`` is the number of the deciding or nearest area, −1 for none."""

    share: NDArray[np.float64]
    """Share of the parcel inside any of the areas, 0 to 1."""
    distance_m: NDArray[np.float64]
    """Least distance to an area; 0 where they touch, infinite without any area."""
    relation: NDArray[Any]
    area: NDArray[np.int64]


def boundaries(areas: NDArray[Any], frame: LocalFrame, uncertainty_m: float) -> Boundaries:
    """Areas (EPSG:4326 polygons) ready to be asked; *uncertainty_m* is of parcel and area together."""
    local = np.asarray(frame.to_local(areas), dtype=object)
    lines, owner = shapely.get_parts(shapely.boundary(local), return_index=True)
    pieces, line = _cut(lines)
    shapely.prepare(local)
    return Boundaries(local, shapely.STRtree(pieces), owner[line], uncertainty_m)


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
    touching = np.unique(among.tree.query(parcels, predicate="intersects")[0])
    free = np.setdiff1d(np.arange(count), touching)
    within = _whole_inside(parcels, free, among, found)
    _outside(parcels, np.setdiff1d(free, within), among, found)
    _on_an_edge(parcels, touching, among, found)
    return found


def _cut(lines: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Lines in pieces of a few vertices, and the line of each."""
    pieces: list[Any] = []
    owner: list[int] = []
    for number, line in enumerate(lines):
        xy = shapely.get_coordinates(line)
        starts = range(0, max(1, len(xy) - 1), _PIECE)
        pieces += [shapely.LineString(xy[at : at + _PIECE + 1]) for at in starts]
        owner += [number] * len(starts)
    return np.array(pieces, dtype=object), np.array(owner, dtype=np.int64)


def _whole_inside(
    parcels: NDArray[Any], free: NDArray[np.int64], among: Boundaries, found: Lie
) -> NDArray[np.int64]:
    """Parcels that meet no outline and lie inside an area; the deepest area decides."""
    inside: list[NDArray[np.int64]] = []
    corner = shapely.points(shapely.get_coordinates(shapely.point_on_surface(parcels[free])))
    for number, area in enumerate(among.areas):
        hit = free[shapely.contains_properly(area, corner)]
        if not len(hit):
            continue
        own = shapely.STRtree(among.tree.geometries.take(np.flatnonzero(among.owner == number)))
        clearance = own.query_nearest(parcels[hit], return_distance=True, all_matches=False)[1]
        sure = clearance > among.uncertainty_m
        deeper = np.array([ORDER.index(r) for r in found.relation[hit]]) > np.where(sure, 0, 2)
        found.share[hit], found.distance_m[hit] = 1.0, 0.0
        found.relation[hit[deeper]] = np.where(sure, "inside", "too-close")[deeper]
        found.area[hit[deeper]] = number
        inside.append(hit)
    return np.unique(np.concatenate(inside)) if inside else np.zeros(0, dtype=np.int64)


def _outside(
    parcels: NDArray[Any], outside: NDArray[np.int64], among: Boundaries, found: Lie
) -> None:
    if not len(outside):
        return
    (which, piece), distance = among.tree.query_nearest(
        parcels[outside], return_distance=True, all_matches=False
    )
    at = outside[which]
    found.distance_m[at], found.area[at] = distance, among.owner[piece]
    found.relation[at] = classify_measures(distance, 0.0, 0.0, 0.0, among.uncertainty_m)


def _on_an_edge(
    parcels: NDArray[Any], touching: NDArray[np.int64], among: Boundaries, found: Lie
) -> None:
    """Parcels on an outline: exact overlap with every area near by, one at a time."""
    whole = shapely.STRtree(among.areas)
    for number in touching:
        near = np.sort(whole.query(parcels[number], predicate="intersects"))
        measured = overlap(parcels[number], list(among.areas[near]))
        said = [
            str(classify_measures(m.distance_m, m.clearance_m, m.sticks_out_m, m.reaches_in_m,
                                  among.uncertainty_m))
            for m in measured
        ]  # fmt: skip
        best = min(range(len(near)), key=lambda n: (ORDER.index(said[n]), -measured[n].share))
        found.relation[number], found.area[number] = said[best], near[best]
        found.distance_m[number] = min(m.distance_m for m in measured)
        found.share[number] = _shared(parcels[number], among.areas[near], measured[best].share)


def _shared(parcel: Any, areas: NDArray[Any], only: float) -> float:
    if len(areas) == 1:
        return only
    return float(shapely.intersection(parcel, shapely.union_all(areas)).area / parcel.area)
