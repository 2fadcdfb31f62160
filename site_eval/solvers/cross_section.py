"""How wide a lane is between what stands in it, by cross sections along its line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from site_eval.solvers.joining import joined as united


def clear_width_m(
    line: shapely.LineString, width_m: float, obstacles: shapely.STRtree | None
) -> float:
    """Widest clear part of the narrowest cross section, taken every half metre."""
    if obstacles is None:
        return width_m
    near = obstacles.query(line, predicate="dwithin", distance=width_m / 2)
    if not len(near):
        return width_m
    blocked = united(obstacles.geometries.take(near))
    count = max(3, math.ceil(line.length * 2))
    rays = _cross_rays(line, np.linspace(0, line.length, count), width_m)
    parts, ray = shapely.get_parts(shapely.difference(rays, blocked), return_index=True)
    widest = np.zeros(count)
    np.maximum.at(widest, ray, shapely.length(parts))
    return float(min(width_m, widest.min()))


def _cross_rays(line: shapely.LineString, at_m: NDArray[np.float64], width_m: float) -> Any:
    """Lines of a given length square across *line*."""
    whole = np.array(line)
    p = shapely.get_coordinates(shapely.line_interpolate_point(whole, at_m))
    a = shapely.get_coordinates(shapely.line_interpolate_point(whole, np.maximum(at_m - 0.1, 0)))
    ahead = np.minimum(at_m + 0.1, float(line.length))
    b = shapely.get_coordinates(shapely.line_interpolate_point(whole, ahead))
    along = (b - a) / np.maximum(np.hypot(*(b - a).T), 1e-9)[:, None]
    across = np.column_stack([-along[:, 1], along[:, 0]]) * width_m / 2
    return shapely.linestrings(np.stack([p - across, p + across], axis=1))
