"""Pack stalls into ground: search the direction, stack aisles, draw circulation, reach a gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from site_eval.solvers.joining import joined
from site_eval.solvers.parking.circulation import Plan, circulate
from site_eval.solvers.parking.gates import driveways
from site_eval.solvers.parking.layout import Drawn, Packing, drawn, run_sizes
from site_eval.solvers.parking.perimeter import with_perimeter_row
from site_eval.solvers.parking.stack import best_stack
from site_eval.solvers.parking.standard import Standard
from site_eval.solvers.parking.strips import edges_of
from site_eval.units import INTERNATIONAL_FOOT_M

GRID_DEG = 5.0
REFINE_DEG = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)
# Layouts drawn in full; fewer where an outline of many corners makes each dear.
_DRAWN = 30
_DRAWN_DEAR = 12
_DEAR_CORNERS = 120
_REFINED = 3
_COARSE_STEP_M = 2 * INTERNATIONAL_FOOT_M
_ROUGH_M = 0.5
_EDGE_SHARE = 0.1
_EDGES_MAX = 16


def usable_ground(
    lot: BaseGeometry,
    *,
    obstacles: Sequence[BaseGeometry] = (),
    clear_m: float = 0.0,
    kept_free: Sequence[BaseGeometry] = (),
    setback_m: float = 0.0,
) -> BaseGeometry:
    """Ground of *lot* that stalls and aisles may use.

    Taken out: *obstacles* with *clear_m* around them, ground *kept_free* as it is (fire lanes,
    canals with their banks, steep ground), and a strip of *setback_m* along the lot's outline.
    """
    ground = shapely.make_valid(lot)
    if setback_m > 0:
        ground = ground.buffer(-setback_m, join_style="mitre")
    if obstacles:
        swollen = shapely.buffer(np.array(list(obstacles)), clear_m) if clear_m else obstacles
        ground = shapely.difference(ground, joined(swollen))
    if kept_free:
        ground = shapely.difference(ground, joined(kept_free))
    return ground


def pack(
    ground: BaseGeometry,
    standard: Standard,
    *,
    gates: Sequence[BaseGeometry] = (),
    azimuths_deg: Sequence[float] | None = None,
    perimeter: bool = False,
) -> list[Packing]:
    """Lay out stalls in each piece of *ground* (local metres); pieces without a stall are left out.

    Every stall and the aisle before it lie wholly in the ground; aisles hang together by cross
    aisles and reach one of *gates* (near the ground; none given: one is taken as given at the
    largest connected part). *azimuths_deg* fixes the directions to try; *perimeter* also tries a
    row along one side of each piece, across the ends of the aisles. The result is the best
    found, and the same for the same input.
    """
    pieces = [p for p in shapely.get_parts(ground) if p.geom_type == "Polygon"]
    packed = [_pack_piece(p, standard, gates, azimuths_deg) for p in pieces]
    if perimeter:
        packed = [_with_perimeter(one, gates) if one is not None else None for one in packed]
    return [one for one in packed if one is not None and (one.count or one.unreachable)]


def _with_perimeter(packing: Packing, gates: Sequence[BaseGeometry]) -> Packing:
    def repack(ground: BaseGeometry) -> Packing | None:
        parts = [p for p in shapely.get_parts(ground) if p.geom_type == "Polygon"]
        largest = max(parts, key=lambda part: float(part.area))
        return _pack_piece(largest, packing.standard, gates, (packing.azimuth_deg,))

    return with_perimeter_row(packing, repack)


def candidate_azimuths(polygon: BaseGeometry, *, grid_deg: float = GRID_DEG) -> list[float]:
    """Directions worth a try: along and across long edges and the least rectangle, and a grid."""
    along = [*_edge_azimuths(polygon), *_edge_azimuths(shapely.oriented_envelope(polygon))]
    every = [a % 180 for base in along for a in (base, base + 90)]
    every += [float(a) for a in np.arange(0, 180, grid_deg)]
    kept: list[float] = []
    for azimuth in every:
        if all(abs((azimuth - k + 90) % 180 - 90) > 0.05 for k in kept):
            kept.append(azimuth)
    return kept


def _edge_azimuths(polygon: Any) -> list[float]:
    """Directions of edges longer than a tenth of the outline's largest extent, longest first."""
    if polygon.geom_type != "Polygon":
        return []
    xy = shapely.get_coordinates(shapely.simplify(polygon, 0.3).exterior)
    step = np.diff(xy, axis=0)
    length = np.hypot(step[:, 0], step[:, 1])
    order = np.argsort(-length, kind="stable")
    long = [n for n in order if length[n] >= _EDGE_SHARE * length.max()][:_EDGES_MAX]
    return [round(float(np.degrees(np.arctan2(step[n, 1], step[n, 0]))), 6) for n in long]


def _pack_piece(
    piece: Any,
    std: Standard,
    gates: Sequence[BaseGeometry],
    azimuths_deg: Sequence[float] | None,
) -> Packing | None:
    origin = np.round(shapely.get_coordinates(piece.centroid)[0], 3)
    azimuths = list(azimuths_deg) if azimuths_deg is not None else candidate_azimuths(piece)
    scored = _scored(piece, std, azimuths, origin)
    if azimuths_deg is None:
        near = [round(a + d, 6) % 180 for _, a in scored[:_REFINED] for d in REFINE_DEG]
        fresh = [a for a in dict.fromkeys(near) if a not in azimuths]
        scored = sorted(scored + _scored(piece, std, fresh, origin), key=_expected)
    best: tuple[int, float, Plan] | None = None
    dear = shapely.get_num_coordinates(piece) > _DEAR_CORNERS
    for expected, azimuth in scored[: _DRAWN_DEAR if dear else _DRAWN]:
        if expected == 0:
            break
        edges = edges_of(piece, azimuth, origin)
        plan = circulate(edges, std, best_stack(edges, std))
        count = largest_part(plan, std)
        if best is None or count > best[0]:
            best = (count, azimuth, plan)
    if best is None:
        return None
    return _finished(piece, std, gates, best[1], origin, best[2])


def _expected(scored: tuple[int, float]) -> int:
    """Most first; of equals the one named first, and the directions of edges are."""
    return -scored[0]


def _scored(
    piece: Any, std: Standard, azimuths: Sequence[float], origin: NDArray[np.float64]
) -> list[tuple[int, float]]:
    # Round outlines in fewer pieces: directions are only compared here, nothing is placed.
    rough = shapely.simplify(piece, _ROUGH_M)
    found = [
        (best_stack(edges_of(rough, a, origin), std, step_m=_COARSE_STEP_M).expected, a)
        for a in azimuths
    ]
    return sorted(found, key=_expected)


def largest_part(plan: Plan, std: Standard) -> int:
    return max(_part_sizes(plan, std).values(), default=0)


def _part_sizes(plan: Plan, std: Standard) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for run, size in zip(plan.runs, run_sizes(plan, std), strict=True):
        part = plan.component[run.node]
        sizes[part] = sizes.get(part, 0) + size
    return sizes


def _finished(
    piece: Any,
    std: Standard,
    gates: Sequence[BaseGeometry],
    azimuth: float,
    origin: NDArray[np.float64],
    plan: Plan,
) -> Packing:
    shapes = drawn(plan, std, azimuth, origin)
    sizes = _part_sizes(plan, std)
    if gates:
        ways, reached = driveways(piece, shapes, gates)
    else:
        largest = min(sizes, key=lambda part: (-sizes[part], part)) if sizes else -1
        ways, reached = np.zeros(0, dtype=object), {largest}
    return _assembled(piece, std, azimuth, shapes, ways, reached, gate_assumed=not gates)


def _assembled(
    piece: Any,
    std: Standard,
    azimuth: float,
    shapes: Drawn,
    ways: NDArray[Any],
    reached: set[int],
    *,
    gate_assumed: bool,
) -> Packing:
    parts = np.array(sorted(reached), dtype=np.int64)
    kept = np.isin(shapes.part_of, parts)
    unreachable = int((~kept).sum())
    if len(ways):
        kept &= ~_overlaps(shapes.stalls, ways)
    used = np.unique(shapes.run_of[kept])
    return Packing(
        ground=piece,
        standard=std,
        azimuth_deg=azimuth,
        stalls=shapes.stalls[kept],
        kinds=("stall",) * int(kept.sum()),
        row_of=np.searchsorted(used, shapes.run_of[kept]),
        spare_m=shapes.spare_m[kept],
        aisles=shapes.aisles[np.isin(shapes.aisle_part, parts) & _with_stalls(shapes, kept)],
        cross_aisles=shapes.bands[np.isin(shapes.band_part, parts)],
        driveways=ways,
        access_aisles=np.zeros(0, dtype=object),
        unreachable=unreachable,
        given_up=0,
        gate_assumed=gate_assumed,
    )


def _with_stalls(shapes: Drawn, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Aisles of parts that keep a stall."""
    return np.isin(shapes.aisle_part, np.unique(shapes.part_of[kept]))


def _overlaps(stalls: NDArray[Any], ways: NDArray[Any]) -> NDArray[np.bool_]:
    whole = joined(ways)
    return np.asarray(shapely.area(shapely.intersection(stalls, whole)) > 1e-4)
