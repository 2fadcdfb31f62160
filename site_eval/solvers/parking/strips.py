"""Where a horizontal strip of given height lies wholly inside a polygon: exact, and for many at once.

Every edge that enters a strip blocks the x-range of its part inside; between the blocked ranges
the strip is wholly inside or wholly outside. So containment of stalls and their aisle pads is a
matter of intervals, and no polygon need be tested against another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

# Strips are shrunk by this at top and bottom, and intervals swollen: 5 mm, less than any lot is
# drawn to, so that a lot 60 ft wide holds a module of 60 ft wherever its coordinates were rounded.
EPS_M = 0.005


@dataclass(frozen=True)
class Edges:
    """All edges of a polygon, holes too, turned so that aisles run along x."""

    x0: NDArray[np.float64]
    y0: NDArray[np.float64]
    x1: NDArray[np.float64]
    y1: NDArray[np.float64]
    """Each edge from its lower end (x0, y0) to its upper end (x1, y1)."""

    @property
    def reach_m(self) -> float:
        """Extent along x."""
        low = min(float(self.x0.min()), float(self.x1.min()))
        return max(float(self.x0.max()), float(self.x1.max())) - low

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
    exact = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
    angle = np.radians(by_deg)
    c, s = exact.get(float(by_deg) % 360, (float(np.cos(angle)), float(np.sin(angle))))
    x, y = xy[..., 0], xy[..., 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)


def free_intervals(edges: Edges, low_m: float, high_m: float) -> NDArray[np.float64]:
    """Intervals of x, n by 2 and ascending, where the strip from *low_m* to *high_m* is inside."""
    _, left, right = _gaps(edges, np.array([low_m]), high_m - low_m)
    return np.column_stack([left - EPS_M, right + EPS_M])


def interval_counts(
    edges: Edges, lows_m: NDArray[np.float64], height_m: float, *, shortest_m: float
) -> NDArray[np.int64]:
    """Number of free intervals of at least *shortest_m* in each strip (ascending *lows_m*)."""
    strip, left, right = _gaps(edges, lows_m, height_m)
    long = right - left + 2 * EPS_M >= shortest_m
    return np.bincount(strip[long], minlength=len(lows_m))


def stall_counts(
    edges: Edges,
    lows_m: NDArray[np.float64],
    height_m: float,
    *,
    pitch_m: float,
    lead_m: float = 0.0,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Stalls of one row in each strip (ascending *lows_m*), and the stretches they stand in."""
    strip, left, right = _gaps(edges, lows_m, height_m)
    room = np.maximum(right - left + 2 * EPS_M - lead_m, 0.0)
    stalls = np.floor(room / pitch_m).astype(np.int64)
    total = np.bincount(strip, weights=stalls, minlength=len(lows_m)).astype(np.int64)
    return total, np.bincount(strip[stalls > 0], minlength=len(lows_m))


def _gaps(
    edges: Edges, lows_m: NDArray[np.float64], height_m: float
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Gaps between blocked ranges that lie inside: number of the strip, left and right end.

    Only pairs of a strip and an edge that enters it are looked at. Blocked ranges are sorted
    within their strip; a gap opens where the next range starts beyond all before it, and is
    inside when an odd number of edges before it cross the strip's middle.
    """
    first = np.searchsorted(lows_m, edges.y0 - height_m + EPS_M, side="right")
    last = np.searchsorted(lows_m, edges.y1 - EPS_M, side="left")
    times = np.maximum(last - first, 0)
    edge = np.repeat(np.arange(len(times)), times)
    strip = np.arange(len(edge)) - np.repeat(np.cumsum(times) - times, times) + first[edge]
    x0, y0, x1, y1 = (part[edge] for part in (edges.x0, edges.y0, edges.x1, edges.y1))
    low = lows_m[strip] + EPS_M
    high = lows_m[strip] + height_m - EPS_M
    slope = (x1 - x0) / np.where(y1 > y0, y1 - y0, np.inf)
    flat = y1 == y0
    at_low = np.where(flat, x0, x0 + slope * (np.maximum(low, y0) - y0))
    at_high = np.where(flat, x1, x0 + slope * (np.minimum(high, y1) - y0))
    start, end = np.minimum(at_low, at_high), np.maximum(at_low, at_high)
    middle = (low + high) / 2
    crosses = (y0 <= middle) & (y1 > middle)
    # Strips far apart on one axis, so that one sort and one running maximum serve all of them.
    span = float(edges.reach_m) + 1.0
    order = np.argsort(start + strip * span)
    strip, start, end, crosses = strip[order], start[order], end[order], crosses[order]
    apart = strip * span
    reach = np.maximum.accumulate(end + apart) - apart
    # Each strip's middle is crossed an even number of times, so parity runs through too.
    odd = np.cumsum(crosses) % 2 == 1
    inside = odd[:-1] & (strip[1:] == strip[:-1]) & (start[1:] > reach[:-1])
    return strip[:-1][inside], reach[:-1][inside], start[1:][inside]
