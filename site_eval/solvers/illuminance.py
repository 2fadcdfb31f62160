"""Foot-candles on level ground from declared lamps, point by point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

from site_eval.units import FOOT_CANDLE_LUX

GRID_M = 2.0
_GRID_POINTS_MAX = 250_000


@dataclass(frozen=True)
class Lamp:
    """A lamp taken as a Lambert downlight; an aimed floodlight throws further and unevener."""

    x_m: float
    y_m: float
    mount_height_m: float
    lumens: float


@dataclass(frozen=True)
class Grid:
    """Horizontal illuminance at grade over an area."""

    minimum_fc: float
    average_fc: float
    maximum_fc: float
    share_below: float
    """Share of the points under the limit asked for."""
    points_xy_m: NDArray[np.float64]
    values_fc: NDArray[np.float64]
    darkest_xy_m: tuple[float, float]
    spacing_m: float


def illuminance_fc(lamps: Sequence[Lamp], points_xy_m: ArrayLike) -> NDArray[np.float64]:
    """Sum over the lamps of ``E = I(γ) cos³γ / h²``, ``I(γ) = (Φ / π) cos γ``, in foot-candles.

    Points lie on level ground (n by 2, local metres).

    >>> round(float(illuminance_fc([Lamp(0, 0, 4, 20_000)], [[0, 0]])[0]))
    37
    """
    at = np.atleast_2d(np.asarray(points_xy_m, float))
    total = np.zeros(len(at))
    for lamp in lamps:
        if lamp.mount_height_m <= 0 or lamp.lumens < 0:
            raise ValueError("A lamp needs a positive height and lumens of at least 0.")
        square = (at[:, 0] - lamp.x_m) ** 2 + (at[:, 1] - lamp.y_m) ** 2
        cosine = lamp.mount_height_m / np.sqrt(square + lamp.mount_height_m**2)
        total += lamp.lumens / np.pi * cosine**4 / lamp.mount_height_m**2
    return total / FOOT_CANDLE_LUX


def grid(
    area: BaseGeometry, lamps: Sequence[Lamp], *, limit_fc: float, spacing_m: float = GRID_M
) -> Grid:
    """Illuminance over *area* on a grid and along its outline, which is where it is darkest.

    Raises ``ValueError`` for an area without extent.
    """
    points, spacing = _points(area, spacing_m)
    values = illuminance_fc(lamps, points)
    darkest = int(values.argmin())
    return Grid(
        minimum_fc=float(values.min()),
        average_fc=float(values.mean()),
        maximum_fc=float(values.max()),
        share_below=float((values < limit_fc).mean()),
        points_xy_m=points,
        values_fc=values,
        darkest_xy_m=(float(points[darkest, 0]), float(points[darkest, 1])),
        spacing_m=spacing,
    )


def boundary_maximum(
    boundary: BaseGeometry, lamps: Sequence[Lamp], *, spacing_m: float = 5.0
) -> tuple[float, tuple[float, float]]:
    """Greatest horizontal foot-candles along a boundary and where: light that leaves the site."""
    outline = boundary if boundary.geom_type.endswith("String") else boundary.boundary
    points = shapely.get_coordinates(shapely.segmentize(outline, spacing_m))
    values = illuminance_fc(lamps, points)
    worst = int(values.argmax())
    return float(values[worst]), (float(points[worst, 0]), float(points[worst, 1]))


def _points(area: BaseGeometry, spacing_m: float) -> tuple[NDArray[np.float64], float]:
    if area.is_empty or area.area <= 0:
        raise ValueError("The area to light has no extent.")
    west, south, east, north = area.bounds
    spacing = max(spacing_m, float(np.sqrt((east - west) * (north - south) / _GRID_POINTS_MAX)))
    # From the middle outward, so that the grid does not depend on which side is called west.
    x, y = np.meshgrid(_centred(west, east, spacing), _centred(south, north, spacing))
    inside = shapely.contains_xy(area, x.ravel(), y.ravel())
    interior = np.column_stack([x.ravel()[inside], y.ravel()[inside]])
    outline = shapely.get_coordinates(shapely.segmentize(area.boundary, spacing))
    return np.vstack([interior, outline]), spacing


def _centred(low: float, high: float, spacing: float) -> NDArray[np.float64]:
    half = int((high - low) / 2 / spacing)
    return np.asarray((low + high) / 2 + spacing * np.arange(-half, half + 1), dtype=np.float64)
