"""Accessible stalls: how many, and where they fit with their access aisles.

Numbers after ADA Standards 208.2 and 208.2.4, sizes after 502: a car stall of 96 in, a van stall
of 132 in, an access aisle of 60 in that two stalls share. Slope (at most 1 in 48), surface and
the 98 in of height for vans are for the inspection.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from site_eval.solvers.parking.layout import Packing
from site_eval.units import INTERNATIONAL_FOOT_M

CAR_M = 96 / 12 * INTERNATIONAL_FOOT_M
VAN_M = 132 / 12 * INTERNATIONAL_FOOT_M
AISLE_M = 60 / 12 * INTERNATIONAL_FOOT_M
_TABLE_208_2 = (
    (25, 1), (50, 2), (75, 3), (100, 4), (150, 5), (200, 6), (300, 7), (400, 8), (500, 9),
)  # fmt: skip
# Rows are looked at in full only up to this many of the nearest, or the search grows with the lot.
_ROWS_TRIED = 400


def accessible_required(stalls: int) -> int:
    """Accessible stalls among *stalls* of one facility, ADA 208.2.

    501 to 1,000: 2 % of the total, a fraction counting whole; above, 20 and 1 for each 100 or
    fraction over 1,000.

    >>> [accessible_required(n) for n in (0, 1, 25, 26, 500, 501, 1000, 1001, 1250)]
    [0, 1, 1, 2, 9, 11, 20, 21, 23]
    """
    if stalls <= 0:
        return 0
    for most, wanted in _TABLE_208_2:
        if stalls <= most:
            return wanted
    if stalls <= 1000:
        return math.ceil(stalls * 2 / 100)
    return 20 + math.ceil((stalls - 1000) / 100)


def van_required(accessible: int) -> int:
    """Van stalls among the accessible ones: 1 for each 6 or fraction (ADA 208.2.4)."""
    return math.ceil(accessible / 6)


@dataclass(frozen=True)
class _Block:
    """Accessible stalls side by side: two with the access aisle between, or one with its own."""

    widths_m: tuple[float, ...]
    kinds: tuple[str, ...]

    @property
    def length_m(self) -> float:
        return sum(self.widths_m)

    @property
    def stalls(self) -> int:
        return sum(kind != "access-aisle" for kind in self.kinds)


_VAN_PAIR = _Block((VAN_M, AISLE_M, CAR_M), ("van", "access-aisle", "accessible"))
_CAR_PAIR = _Block((CAR_M, AISLE_M, CAR_M), ("accessible", "access-aisle", "accessible"))
_VAN_ALONE = _Block((VAN_M, AISLE_M), ("van", "access-aisle"))
_CAR_ALONE = _Block((CAR_M, AISLE_M), ("accessible", "access-aisle"))


@dataclass(frozen=True)
class _Run:
    """Stalls side by side in one row, and the free ground beyond the last."""

    first: int
    count: int
    corner: NDArray[np.float64]
    along: NDArray[np.float64]
    deep: NDArray[np.float64]
    before_m: float
    slack_m: float
    """Spare length before the first and beyond the last."""
    distance_m: float
    beside_m: float
    """How far along the run the pedestrian gate lies."""


def with_accessible(packing: Packing, *, near: BaseGeometry | None = None) -> Packing:
    """Lay out the accessible stalls that a 90° layout of this size needs.

    They stand together in the rows nearest to *near* (a pedestrian gate), abreast of it. Without one, rows
    come first whose spare length at the end holds them, so that no stall is given up; a stall
    that must yield to an access aisle is counted in ``given_up``. Leaning stalls are left as
    they are, with the number required known from ``accessible_required``.
    """
    if packing.standard.angle_deg < 90 or not packing.count:
        return packing
    runs = _runs(packing, near)
    for lost in range(packing.count):
        wanted = accessible_required(packing.count - lost)
        placed = _placed(runs, packing.standard.stall_width_m, wanted, by_distance=near is not None)
        if placed is None:
            return packing
        if _given_up(placed, packing.standard.stall_width_m) <= lost:
            return _redrawn(packing, placed)
    return packing


def _runs(packing: Packing, near: BaseGeometry | None) -> list[_Run]:
    """Unbroken runs of stalls, with the spare length beyond their last."""
    corners = shapely.get_coordinates(packing.stalls).reshape(-1, 5, 2)
    width = packing.standard.stall_width_m
    found = []
    for first, last in _stretches(packing, corners):
        along = (corners[first, 1] - corners[first, 0]) / width
        deep = corners[first, 3] - corners[first, 0]
        front = shapely.LineString([corners[first, 0], corners[last, 1]])
        found.append(
            _Run(
                first,
                last - first + 1,
                corners[first, 0],
                along,
                deep,
                before_m=float(packing.spare_m[first, 0]),
                slack_m=float(packing.spare_m[last, 1]),
                distance_m=float(front.distance(near)) if near is not None else 0.0,
                beside_m=float(front.project(near.centroid)) if near is not None else 0.0,
            )
        )
    return found


def _stretches(packing: Packing, corners: NDArray[np.float64]) -> list[tuple[int, int]]:
    """First and last stall of each unbroken run; the order of stalls follows the rows."""
    same_row = packing.row_of[1:] == packing.row_of[:-1]
    touching = np.hypot(*(corners[1:, 0] - corners[:-1, 1]).T) < 1e-3
    breaks = np.flatnonzero(~(same_row & touching)) + 1
    starts = np.concatenate([[0], breaks])
    ends = np.concatenate([breaks - 1, [packing.count - 1]])
    return [(int(a), int(b)) for a, b in zip(starts, ends, strict=True)]


def _placed(
    runs: Sequence[_Run], width_m: float, wanted: int, *, by_distance: bool
) -> list[tuple[_Run, list[_Block]]] | None:
    """Blocks by run, or None when the rows cannot hold them."""
    blocks = _blocks(wanted)
    taken: dict[int, list[_Block]] = {}
    order = sorted(range(len(runs)), key=lambda n: (runs[n].distance_m, runs[n].first))
    for block in blocks:
        free = [
            (_cost(runs[n], [*taken.get(n, []), block], width_m)
             - _cost(runs[n], taken.get(n, []), width_m), place, n)
            for place, n in enumerate(order[:_ROWS_TRIED])
            if _fits(runs[n], [*taken.get(n, []), block], width_m)
        ]  # fmt: skip
        if not free:
            return None
        _, _, chosen = min(free, key=(lambda f: f[1:]) if by_distance else (lambda f: f))
        taken.setdefault(chosen, []).append(block)
    return [(runs[n], taken[n]) for n in sorted(taken)]


def _blocks(wanted: int) -> list[_Block]:
    """Vans first, each with a car beside its aisle; the last one alone if the number is odd."""
    vans = van_required(wanted)
    blocks = [_VAN_PAIR] * min(vans, wanted // 2)
    left = wanted - 2 * len(blocks)
    if vans > len(blocks):
        return [*blocks, _VAN_ALONE]
    return [*blocks, *[_CAR_PAIR] * (left // 2), *[_CAR_ALONE] * (left % 2)]


def _fits(run: _Run, blocks: list[_Block], width_m: float) -> bool:
    taken = sum(block.length_m for block in blocks)
    return taken <= _length_m(run, width_m)


def _length_m(run: _Run, width_m: float) -> float:
    return run.before_m + run.count * width_m + run.slack_m + 1e-6


def _cost(run: _Run, blocks: list[_Block], width_m: float) -> int:
    """Stalls given up in a run that takes *blocks*."""
    taken = sum(block.length_m for block in blocks)
    rest = math.floor((_length_m(run, width_m) - taken) / width_m)
    # Spare ground that would hold one stall more is left spare: no row grows by this.
    return max(0, run.count - rest - sum(block.stalls for block in blocks))


def _given_up(placed: list[tuple[_Run, list[_Block]]], width_m: float) -> int:
    return sum(_cost(run, blocks, width_m) for run, blocks in placed)


def _redrawn(packing: Packing, placed: list[tuple[_Run, list[_Block]]]) -> Packing:
    """The packing with the runs of *placed* laid out again: accessible stalls at their head."""
    width = packing.standard.stall_width_m
    heads = {run.first: (run, blocks) for run, blocks in placed}
    stalls: list[Any] = []
    kinds: list[str] = []
    rows: list[int] = []
    aisles: list[Any] = []
    number = 0
    while number < packing.count:
        if number not in heads:
            stalls.append(packing.stalls[number])
            kinds.append("stall")
            rows.append(int(packing.row_of[number]))
            number += 1
            continue
        run, blocks = heads[number]
        rest = run.count - _cost(run, blocks, width) - sum(b.stalls for b in blocks)
        for shape, kind in _shapes(run, blocks, rest, width):
            if kind == "access-aisle":
                aisles.append(shape)
                continue
            stalls.append(shape)
            kinds.append(kind)
            rows.append(int(packing.row_of[number]))
        number += run.count
    return replace(
        packing,
        stalls=np.array(stalls),
        kinds=tuple(kinds),
        row_of=np.array(rows, dtype=np.int64),
        spare_m=np.zeros((len(stalls), 2)),
        access_aisles=np.array(aisles),
        given_up=_given_up(placed, width),
    )


def _shapes(run: _Run, blocks: list[_Block], rest: int, width_m: float) -> list[tuple[Any, str]]:
    length = sum(block.length_m for block in blocks)
    before = min(max(0, round((run.beside_m - length / 2) / width_m)), rest)
    widths = [w for block in blocks for w in block.widths_m]
    kinds = [k for block in blocks for k in block.kinds]
    widths = [width_m] * before + widths + [width_m] * (rest - before)
    kinds = ["stall"] * before + kinds + ["stall"] * (rest - before)
    # Into the spare length before the first stall only as far as there is no other room.
    start = min(0.0, run.count * width_m + run.slack_m - sum(widths))
    at = start + np.concatenate([[0.0], np.cumsum(widths)])
    near_left = run.corner + at[:, None] * run.along
    return [
        (shapely.Polygon([near_left[n], near_left[n + 1], near_left[n + 1] + run.deep,
                          near_left[n] + run.deep]), kind)
        for n, kind in enumerate(kinds)
    ]  # fmt: skip
