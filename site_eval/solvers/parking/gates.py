"""From a lot's gate to its nearest aisle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import ops
from shapely.geometry.base import BaseGeometry

from site_eval.solvers.joining import joined
from site_eval.solvers.parking.layout import Drawn
from site_eval.units import INTERNATIONAL_FOOT_M

# A lot gate is at least 20 ft wide, and the way from it as well.
DRIVEWAY_M = 20 * INTERNATIONAL_FOOT_M
# A gate further from the ground than this is not this lot's gate.
NEAR_M = 100 * INTERNATIONAL_FOOT_M
_OUTSIDE_SHARE = 0.02


def driveways(
    ground: BaseGeometry, shapes: Drawn, gates: Sequence[BaseGeometry]
) -> tuple[NDArray[Any], set[int]]:
    """Ways from *gates* to the aisles, and the connected parts that they reach.

    A way is straight, 20 ft wide, from the gate to the nearest aisle or cross aisle of a part;
    it may cross stalls (which then fall) but leaves the ground only between the gate and the
    ground's edge.
    """
    ways: list[Any] = []
    reached: set[int] = set()
    for part in sorted(set(shapes.part_of.tolist())):
        surface = joined(
            [*shapes.aisles[shapes.aisle_part == part], *shapes.bands[shapes.band_part == part]]
        )
        for gate in gates:
            way = _way(ground, surface, gate)
            if way is not None:
                reached.add(part)
                ways.append(way)
                break
    kept = [way for way in ways if not way.is_empty]
    return np.array(kept, dtype=object), reached


def _way(ground: BaseGeometry, surface: BaseGeometry, gate: BaseGeometry) -> Any | None:
    """The way from one gate to one part; empty where the gate lies on an aisle; None: no way."""
    if ground.distance(gate) > NEAR_M:
        return None
    middle = gate.centroid
    entry, _ = ops.nearest_points(ground, middle)
    on, _ = ops.nearest_points(surface, entry)
    if on.distance(entry) < 0.1 and entry.distance(middle) < 0.1:
        return shapely.Polygon()
    inner = shapely.LineString([entry, on]).buffer(DRIVEWAY_M / 2, cap_style="flat")
    outside = shapely.difference(inner, ground).area
    # At the edge itself half a way's corner may stick out where the edge is not square to it.
    if inner.area > 0 and outside > _OUTSIDE_SHARE * inner.area + DRIVEWAY_M**2 / 4:
        return None
    whole = shapely.LineString([middle, entry, on]).buffer(
        DRIVEWAY_M / 2, cap_style="flat", join_style="mitre"
    )
    return shapely.difference(whole, surface)
