"""The compiled loops themselves; imported only where numba is installed."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

# Polygons that follow one another lie together: a wide choice of segments serves many of them,
# a narrow one taken from it serves a few.
_FAR_AND_WIDE = 1024
_TOGETHER = 16

_compiled = numba.njit(cache=True, nogil=True, error_model="numpy")


@_compiled
def sum_classes(xy: Any, ring: Any, polygon: Any, sums: Any, total: Any) -> None:
    """Add to *total* what each edge sweeps of the running sums (``coverage.covered_sums``)."""
    height, width, kinds = sums.shape[0] - 1, sums.shape[1] - 1, sums.shape[2]
    for i in range(len(xy) - 1):
        if ring[i] != ring[i + 1]:
            continue
        x0, y0 = xy[i, 0], xy[i, 1]
        dx, dy = xy[i + 1, 0] - x0, xy[i + 1, 1] - y0
        if dy == 0.0:
            continue
        # The next line of the grid in each direction, and which way it goes on.
        go_x, go_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
        line_x = math.floor(x0) + (1 if dx > 0 else 0)
        line_y = math.floor(y0) + (1 if dy > 0 else 0)
        at = 0.0
        while at < 1.0:
            at_x = (line_x - x0) / dx if dx != 0.0 else 2.0
            at_y = (line_y - y0) / dy
            until = min(at_x, at_y, 1.0)
            if until > at:
                middle = (at + until) / 2
                x = x0 + dx * middle
                column, row = math.floor(x), math.floor(y0 + dy * middle)
                if 0 <= row < height:
                    tall = dy * (until - at)
                    right = tall * (x - column)
                    c0, c1 = min(max(column, 0), width), min(max(column + 1, 0), width)
                    for k in range(kinds):
                        total[polygon[i], k] += (tall - right) * sums[row, c0, k]
                        total[polygon[i], k] += right * sums[row, c1, k]
                at = until
            if at_x <= until:
                line_x += go_x
            if at_y <= until:
                line_y += go_y


@_compiled
def find_nearest(xy: Any, ring: Any, begin: Any, segments: Any, which: Any, squared: Any) -> None:
    """Fill *which* and *squared* with the nearest segment of each polygon and its distance."""
    count = len(begin) - 1
    every = np.arange(len(segments))
    some, few = np.empty_like(every), np.empty_like(every)
    for first in range(0, count, _FAR_AND_WIDE):
        last = min(first + _FAR_AND_WIDE, count)
        near = _choose(xy[begin[first] : begin[last]], segments, every, len(every), some)
        for a in range(first, last, _TOGETHER):
            b = min(a + _TOGETHER, last)
            nearer = _choose(xy[begin[a] : begin[b]], segments, some, near, few)
            for p in range(a, b):
                _search(xy, ring, begin, segments, p, few[:nearer], which, squared)


@_compiled
def _search(
    xy: Any, ring: Any, begin: Any, segments: Any, p: int, among: Any, which: Any, squared: Any
) -> None:
    """The nearest of some segments to polygon *p*."""
    a, b = begin[p], begin[p + 1]
    west, east = xy[a:b, 0].min(), xy[a:b, 0].max()
    south, north = xy[a:b, 1].min(), xy[a:b, 1].max()
    for s in among:
        if _boxes_apart(west, south, east, north, segments, s) >= squared[p]:
            continue
        for i in range(a, b):
            d = _apart(xy, i, i + 1 < b and ring[i] == ring[i + 1], segments, s)
            if d < squared[p]:
                squared[p] = d
                which[p] = s


@_compiled
def _choose(xy: Any, segments: Any, pool: Any, size: int, chosen: Any) -> int:
    """Segments of a pool that can be the nearest to something in the box of *xy*.

    Writes their numbers into *chosen* and says how many they are.
    """
    west, east = xy[:, 0].min(), xy[:, 0].max()
    south, north = xy[:, 1].min(), xy[:, 1].max()
    # Whatever lies in the box is at most this far from one of the segments' starts.
    reach = math.inf
    for s in pool[:size]:
        x = max(abs(segments[s, 0] - west), abs(segments[s, 0] - east))
        y = max(abs(segments[s, 1] - south), abs(segments[s, 1] - north))
        reach = min(reach, x * x + y * y)
    near = 0
    for s in pool[:size]:
        if _boxes_apart(west, south, east, north, segments, s) <= reach:
            chosen[near] = s
            near += 1
    return near


@_compiled
def _boxes_apart(
    west: float, south: float, east: float, north: float, segments: Any, s: int
) -> float:
    """Squared distance of a box to the box of segment *s*."""
    ax, ay, bx, by = segments[s, 0], segments[s, 1], segments[s, 2], segments[s, 3]
    x = max(west - max(ax, bx), min(ax, bx) - east, 0.0)
    y = max(south - max(ay, by), min(ay, by) - north, 0.0)
    return x * x + y * y


@_compiled
def _apart(xy: Any, i: int, joined: bool, segments: Any, s: int) -> float:
    """Squared distance of point *i* to segment *s*, or of the segment's ends to the edge after."""
    ax, ay, bx, by = segments[s, 0], segments[s, 1], segments[s, 2], segments[s, 3]
    least = _to_segment(xy[i, 0], xy[i, 1], ax, ay, bx, by)
    if joined:
        px, py, qx, qy = xy[i, 0], xy[i, 1], xy[i + 1, 0], xy[i + 1, 1]
        least = min(least, _to_segment(ax, ay, px, py, qx, qy))
        least = min(least, _to_segment(bx, by, px, py, qx, qy))
    return least


@_compiled
def _to_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Squared distance of a point to a segment."""
    ex, ey = bx - ax, by - ay
    long = ex * ex + ey * ey
    t = ((px - ax) * ex + (py - ay) * ey) / long if long > 0.0 else 0.0
    t = min(max(t, 0.0), 1.0)
    x, y = ax + t * ex - px, ay + t * ey - py
    return x * x + y * y
