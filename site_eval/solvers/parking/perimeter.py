"""One more row of stalls along a side of the ground, across the ends of the aisles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from site_eval.solvers.joining import joined
from site_eval.solvers.parking.layout import Packing
from site_eval.solvers.parking.strips import EPS_M

_SIDES = 6
_LEAST_STALLS = 6
# A side nearer to the aisles' direction than this has a row along it already.
_ACROSS_DEG = 20.0


def with_perimeter_row(packing: Packing, repack: Callable[[Any], Packing | None]) -> Packing:
    """The packing, or a better one with a row along one side of its ground.

    For each of the longest sides that lie across the aisles: the strip of a stall's depth along
    it is taken out, the rest packed again by *repack*, and stalls are set in the strip wherever
    the ground before them is an aisle's width of free ground that joins the drivable surface.
    """
    if packing.standard.angle_deg < 90 or not packing.count:
        return packing
    best = packing
    for start, end in _sides(packing):
        strip = _strip(start, end, packing.standard.stall_length_m)
        inner = repack(shapely.difference(packing.ground, strip))
        if inner is None:
            continue
        fuller = _with_row(packing.ground, inner, start, end)
        if fuller.count > best.count:
            best = fuller
    return best


def _sides(packing: Packing) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Long sides across the aisles, the ground on their left, longest first."""
    ring: Any = shapely.orient_polygons(shapely.simplify(packing.ground, 0.3))
    xy = shapely.get_coordinates(ring.exterior)
    step = np.diff(xy, axis=0)
    length = np.hypot(step[:, 0], step[:, 1])
    turn = np.degrees(np.arctan2(step[:, 1], step[:, 0])) - packing.azimuth_deg
    across = np.abs((turn + 90) % 180 - 90) > _ACROSS_DEG
    least = _LEAST_STALLS * packing.standard.stall_width_m
    order = [n for n in np.argsort(-length, kind="stable") if across[n] and length[n] >= least]
    return [(xy[n], xy[n + 1]) for n in order[:_SIDES]]


def _strip(start: NDArray[np.float64], end: NDArray[np.float64], depth_m: float) -> Any:
    along = (end - start) / np.hypot(*(end - start))
    inward = np.array([-along[1], along[0]]) * depth_m
    # A little beyond the side at its back and ends: nothing may be left between them.
    back = -inward / depth_m * 0.5
    return shapely.Polygon([start + back, end + back, end + inward, start + inward])


def _with_row(
    ground: Any, inner: Packing, start: NDArray[np.float64], end: NDArray[np.float64]
) -> Packing:
    stalls, pads = _row(inner, start, end)
    if not len(stalls):
        return inner
    free = shapely.covers(ground.buffer(EPS_M * 2), stalls) & shapely.covers(
        ground.buffer(EPS_M * 2), pads
    )
    standing = shapely.STRtree(inner.stalls)
    hit = standing.query(shapely.buffer(pads, -0.01), predicate="intersects")[0]
    hit_too = standing.query(shapely.buffer(stalls, -0.01), predicate="intersects")[0]
    free[np.unique(np.concatenate([hit, hit_too]))] = False
    lane, reached = _reached(inner, pads, free)
    if not reached.any():
        return inner
    row = int(inner.row_of.max()) + 1 if inner.count else 0
    count = int(reached.sum())
    return replace(
        inner,
        ground=ground,
        stalls=np.concatenate([inner.stalls, stalls[reached]]),
        kinds=inner.kinds + ("stall",) * count,
        row_of=np.concatenate([inner.row_of, np.full(count, row, dtype=np.int64)]),
        spare_m=np.concatenate([inner.spare_m, np.zeros((count, 2))]),
        aisles=np.concatenate([inner.aisles, lane]),
    )


def _row(
    inner: Packing, start: NDArray[np.float64], end: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Stalls side by side along the side, backs to it, and the aisle pad before each."""
    std = inner.standard
    length = float(np.hypot(*(end - start)))
    along = (end - start) / length
    inward = np.array([-along[1], along[0]])
    count = int(length / std.stall_width_m + 1e-9)
    first = start + along * (np.arange(count) * std.stall_width_m)[:, None]
    width, deep = along * std.stall_width_m, inward * std.stall_length_m
    pad = inward * std.aisle_m
    # Corners from the aisle's side, as in every row: front left, front right, back.
    stalls = [first + deep + width, first + deep, first, first + width]
    pads = [first + deep, first + deep + width, first + deep + width + pad, first + deep + pad]
    return _polygons(stalls), _polygons(pads)


def _polygons(corners: list[NDArray[np.float64]]) -> NDArray[Any]:
    return np.asarray(shapely.polygons(np.stack([*corners, corners[0]], axis=1)))


def _reached(
    inner: Packing, pads: NDArray[Any], free: NDArray[np.bool_]
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Which free pads hang together with the drivable surface, and the lane they make."""
    lanes = [part for part in shapely.get_parts(joined(pads[free])) if part.area > 0]
    if not lanes:
        return np.zeros(0, dtype=object), np.zeros(len(pads), dtype=bool)
    ways = joined([*inner.aisles, *inner.cross_aisles])
    # Wide enough to drive through: the lane and the surface share half an aisle at least.
    wide = inner.standard.aisle_m / 2
    kept = [
        lane
        for lane in lanes
        if shapely.intersection(lane.buffer(0.05).boundary, ways.buffer(0.05)).length >= wide
    ]
    if not kept:
        return np.zeros(0, dtype=object), np.zeros(len(pads), dtype=bool)
    lane = joined(kept).buffer(0.02)
    return np.array(kept, dtype=object), free & np.asarray(shapely.covers(lane, pads))
