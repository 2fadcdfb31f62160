"""The best stack of aisles for one direction: which y each aisle has, and which rows it serves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from site_eval.solvers.parking.standard import Standard
from site_eval.solvers.parking.strips import Edges, interval_counts, stall_counts
from site_eval.units import INTERNATIONAL_FOOT_M

# Positions are tried every foot or so: a whole number of steps makes a module.
STEP_M = INTERNATIONAL_FOOT_M


@dataclass(frozen=True)
class Aisle:
    """One aisle along x, and the rows that face it."""

    low_m: float
    below: bool
    above: bool


@dataclass(frozen=True)
class Stack:
    """Aisles from bottom to top, and the stalls expected before circulation is drawn."""

    aisles: tuple[Aisle, ...]
    expected: int


def best_stack(edges: Edges, std: Standard, *, step_m: float = STEP_M) -> Stack:
    """Choose positions of aisles freely, not on a lattice, by dynamic programming over y.

    At each position: leave it empty, or start an aisle with rows on both sides, or with one row
    below or above. Every row counts its stalls with their aisle pads inside, a cross aisle's
    width taken off each stretch. A stack on a lattice with any offset is one of those compared.
    """
    per_module = max(1, round(std.module_m / step_m))
    step = std.module_m / per_module
    positions = max(0, int((edges.high_m - edges.low_m) / step + 1e-6)) + 1
    lows = edges.low_m + step * np.arange(positions, dtype=np.float64)
    # Rows by where their aisle lies: under it, over it, and over an aisle that comes first. A
    # leaning row reaches half its saw teeth beyond the depth that is its own, so that an aisle
    # without a row beside it keeps that much off.
    ways = _ways(edges, std, lows + std.depth_m)
    rows = _Rows(
        under=row_counts(edges, std, lows + std.depth_m, above=False, ways=ways).tolist(),
        over=row_counts(edges, std, lows + std.depth_m, above=True, ways=ways).tolist(),
        first=row_counts(edges, std, lows + std.overlap_m, above=True).tolist(),
    )
    single = int(np.ceil((std.depth_m + std.aisle_m + std.overlap_m) / step - 1e-6))
    return _stacked(rows, edges.low_m, std, step, (per_module, single))


def lattice_stack(edges: Edges, std: Standard, offset_m: float) -> Stack:
    """Aisles on a lattice of modules that starts at *offset_m* above the lowest point.

    The plain sweep that ``best_stack`` is measured against.
    """
    first = edges.low_m + offset_m - std.module_m
    count = int((edges.high_m - first) / std.module_m) + 1
    lows = first + std.module_m * np.arange(count, dtype=np.float64) + std.depth_m
    below = row_counts(edges, std, lows, above=False)
    above = row_counts(edges, std, lows, above=True)
    aisles = tuple(
        Aisle(float(y), bool(b), bool(a)) for y, b, a in zip(lows, below, above, strict=True)
        if b or a
    )  # fmt: skip
    return Stack(aisles, int(below.sum() + above.sum()))


@dataclass(frozen=True)
class _Rows:
    under: list[int]
    over: list[int]
    first: list[int]


def row_counts(
    edges: Edges,
    std: Standard,
    aisles_m: NDArray[np.float64],
    *,
    above: bool,
    ways: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Stalls expected of a row beside an aisle at each of *aisles_m* (its lower edge, ascending).

    Each stretch of the row gives up a cross aisle (two where traffic is one-way), but a row that
    only an obstacle beside the aisle splits gives up one for each stretch of its aisle (*ways*,
    counted when not given).
    """
    lows = aisles_m if above else aisles_m - std.wall_depth_m
    height = std.wall_depth_m + std.aisle_m
    stalls, stretches = stall_counts(edges, lows, height, pitch_m=std.pitch_m, lead_m=std.lead_m)
    if ways is None:
        ways = _ways(edges, std, aisles_m)
    ends = (2 if std.one_way else 1) * int(np.ceil(std.cross_m / std.pitch_m - 1e-9))
    return np.asarray(np.maximum(stalls - ends * np.minimum(stretches, ways), 0))


def _ways(edges: Edges, std: Standard, aisles_m: NDArray[np.float64]) -> NDArray[np.int64]:
    return interval_counts(edges, aisles_m, std.aisle_m, shortest_m=std.cross_m)


def _stacked(
    rows: _Rows, low_m: float, std: Standard, step: float, sizes: tuple[int, int]
) -> Stack:
    module, single = sizes
    positions = len(rows.under)
    best = [0] * (positions + module + 1)
    move = [0] * positions
    for y in range(positions - 1, -1, -1):
        options = (
            best[y + 1],
            rows.under[y] + rows.over[y] + best[y + module],
            rows.under[y] + best[y + single],
            rows.first[y] + best[y + single],
        )
        # The first of equals: empty ground rather than a row that brings nothing.
        best[y] = max(options)
        move[y] = options.index(best[y])
    aisles = []
    y = 0
    while y < positions:
        if move[y] == 0:
            y += 1
            continue
        at = low_m + step * y + (std.overlap_m if move[y] == 3 else std.depth_m)
        below = move[y] != 3 and rows.under[y] > 0
        above = move[y] == 3 or (move[y] == 1 and rows.over[y] > 0)
        aisles.append(Aisle(at, below, above))
        y += module if move[y] == 1 else single
    return Stack(tuple(aisles), best[0])
