"""Two inner loops, compiled when numba is installed: the same answers, sooner.

Compiling takes seconds once and is kept on disk, so that it pays from about 100,000 polygons up.
Without numba, or below that, callers take their own plain way.
"""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray


def available() -> bool:
    """Whether the loops can be compiled here."""
    return find_spec("numba") is not None


def class_sums(
    xy: NDArray[np.float64],
    ring: NDArray[np.int64],
    polygon: NDArray[np.int64],
    count: int,
    sums: NDArray[np.float64],
) -> NDArray[np.float64]:
    """``coverage.covered_sums`` of outlines given as points with their ring and polygon."""
    total = np.zeros((count, sums.shape[2]))
    from site_eval.solvers.kernels import sum_classes

    sum_classes(xy, ring, polygon, sums, total)
    return total


def nearest_segment(
    xy: NDArray[np.float64],
    ring: NDArray[np.int64],
    begin: NDArray[np.int64],
    segments: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each polygon, the number of the nearest of *segments* (x0, y0, x1, y1), and how far.

    The points of polygon n are those from ``begin[n]`` to ``begin[n + 1]``. No polygon may meet a
    segment. Neighbours should follow one another: some are dealt with at once.
    """
    count = len(begin) - 1
    which, squared = np.zeros(count, dtype=np.int64), np.full(count, np.inf)
    from site_eval.solvers.kernels import find_nearest

    find_nearest(xy, ring, begin, segments, which, squared)
    return which, np.sqrt(squared)
