"""Where a horizontal strip of given height lies wholly inside a polygon: exact, and for many at once.

Every edge that enters a strip blocks the x-range of its part inside; between the blocked ranges
the strip is wholly inside or wholly outside. So containment of stalls and their aisle pads is a
matter of intervals, and no polygon need be tested against another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

# Strips are shrunk by this at top and bottom, and intervals swollen, so that what fits to the
# last digit fits: a thousandth of a millimetre.
EPS_M = 1e-6
_BLOCK_CELLS = 400_000


@dataclass(frozen=True)
class Edges:
    """All edges of a polygon, holes too, turned so that aisles run along x."""

    x0: NDArray[np.float64]
    y0: NDArray[np.float64]
    x1: NDArray[np.float64]
    y1: NDArray[np.float64]
    """Each edge from its lower end (x0, y0) to its upper end (x1, y1)."""

    @property
    def low_m(self) -> float:
        """The least y."""
        return float(self.y0.min())

    @property
    def high_m(self) -> float:
        """The greatest y."""
        return float(self.y1.max())


def edges_of(polygon: BaseGeometry, azimuth_deg: float, origin: NDArray[np.float64]) -> Edges:
    """Edges of *polygon* turned about *origin* so that the direction *azimuth_deg* is along x.

    The direction is counted from east, counterclockwise.
    """
    parts = []
    for ring in shapely.get_rings(polygon):
        xy = turned(shapely.get_coordinates(ring) - origin, -azimuth_deg)
        parts.append(np.hstack([xy[:-1], xy[1:]]))
    a = np.vstack(parts)
    upward = a[:, 1] <= a[:, 3]
    a = np.where(upward[:, None], a, a[:, [2, 3, 0, 1]])
    return Edges(a[:, 0], a[:, 1], a[:, 2], a[:, 3])


def turned(xy: NDArray[np.float64], by_deg: float) -> NDArray[np.float64]:
    """Points turned about the origin, counterclockwise; exact for right angles."""
    exact = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}
    angle = np.radians(by_deg)
    c, s = exact.get(by_deg % 360, (float(np.cos(angle)), float(np.sin(angle))))
    x, y = xy[..., 0], xy[..., 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)


def free_intervals(edges: Edges, low_m: float, high_m: float) -> NDArray[np.float64]:
    """Intervals of x, n by 2 and ascending, where the strip from *low_m* to *high_m* is inside."""
    left, right, inside = _gaps(edges, np.array([low_m]), high_m - low_m)
    keep = inside[0]
    return np.column_stack([left[0][keep] - EPS_M, right[0][keep] + EPS_M])


def stall_counts(
    edges: Edges,
    lows_m: NDArray[np.float64],
    height_m: float,
    *,
    pitch_m: float,
    lost_m: float,
) -> NDArray[np.int64]:
    """Stalls of one row in each strip, each free interval losing *lost_m* to circulation."""
    counts = np.zeros(len(lows_m), dtype=np.int64)
    rows = max(1, _BLOCK_CELLS // max(1, len(edges.x0)))
    for start in range(0, len(lows_m), rows):
        block = slice(start, start + rows)
        left, right, inside = _gaps(edges, lows_m[block], height_m)
        room = np.where(inside, right - left + 2 * EPS_M - lost_m, 0.0)
        counts[block] = np.floor(np.maximum(room, 0.0) / pitch_m).astype(np.int64).sum(axis=1)
    return counts


def _gaps(edges: Edges, lows_m: NDArray[np.float64], height_m: float) -> tuple[Any, Any, Any]:
    """Left, right and insideness of the gaps between blocked ranges, one strip a row."""
    low = lows_m[:, None] + EPS_M
    high = lows_m[:, None] + height_m - EPS_M
    enters = (edges.y0 < high) & (edges.y1 > low)
    columns = enters.any(axis=0)
    if not columns.any():
        empty = np.zeros((len(lows_m), 0))
        return empty, empty, empty.astype(bool)
    enters = enters[:, columns]
    x0, y0, x1, y1 = (part[columns] for part in (edges.x0, edges.y0, edges.x1, edges.y1))
    rise = np.where(y1 > y0, y1 - y0, 1.0)
    slope = (x1 - x0) / rise
    at_low = np.where(y1 > y0, x0 + slope * (np.maximum(low, y0) - y0), x0)
    at_high = np.where(y1 > y0, x0 + slope * (np.minimum(high, y1) - y0), x1)
    blocked_from = np.where(enters, np.minimum(at_low, at_high), np.inf)
    blocked_to = np.where(enters, np.maximum(at_low, at_high), np.inf)
    middle = (low + high) / 2
    crosses = (y0 <= middle) & (y1 > middle)
    order = np.argsort(blocked_from, axis=1, kind="stable")
    blocked_from = np.take_along_axis(blocked_from, order, 1)
    reach = np.maximum.accumulate(np.take_along_axis(blocked_to, order, 1), axis=1)
    parity = np.cumsum(np.take_along_axis(crosses, order, 1), axis=1) % 2 == 1
    left, right = reach[:, :-1], blocked_from[:, 1:]
    inside = np.isfinite(left) & np.isfinite(right) & (right > left) & parity[:, :-1]
    return np.where(inside, left, 0.0), np.where(inside, right, 0.0), inside
