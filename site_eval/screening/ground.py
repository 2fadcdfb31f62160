"""Flood zones and steep ground under every parcel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from site_eval.crs import LocalFrame
from site_eval.judges.flood import SPECIAL, UNSTUDIED

# Side of the squares that zones are cut into, so that a parcel meets small pieces only.
_SQUARE_M = 2_000.0


@dataclass(frozen=True)
class Flood:
    """Shares of each parcel, 0 to 1."""

    special: NDArray[np.float64]
    unstudied: NDArray[np.float64]
    mapped: NDArray[np.float64]


def flood(
    parcels: NDArray[Any], zones: NDArray[Any], names: NDArray[Any], frame: LocalFrame
) -> Flood:
    """Measure *parcels* (local metres) against *zones* (EPSG:4326 polygons) with their names."""
    near = _near(parcels, zones, frame)
    local = np.asarray(frame.to_local(zones[near]), dtype=object)
    clean = np.array([str(name).strip() for name in names[near]], dtype=object)
    return Flood(
        _share(parcels, local[np.isin(clean, list(SPECIAL))]),
        _share(parcels, local[np.isin(clean, list(UNSTUDIED))]),
        _share(parcels, local),
    )


def _share(parcels: NDArray[Any], areas: NDArray[Any]) -> NDArray[np.float64]:
    """Share of each parcel on the union of *areas*."""
    covered = np.zeros(len(parcels))
    if len(areas):
        pieces = _squares(shapely.union_all(areas), shapely.total_bounds(parcels))
        tree = shapely.STRtree(pieces)
        parcel, piece = tree.query(parcels, predicate="intersects")
        common = shapely.area(shapely.intersection(parcels[parcel], pieces[piece]))
        np.add.at(covered, parcel, common)
    return np.minimum(covered / shapely.area(parcels), 1.0)


def _near(parcels: NDArray[Any], zones: NDArray[Any], frame: LocalFrame) -> NDArray[np.int64]:
    """Numbers of the zones whose box meets the parcels'."""
    reach = shapely.box(*shapely.total_bounds(parcels)).buffer(_SQUARE_M)
    west, south, east, north = shapely.bounds(frame.to_geographic(reach))
    box = shapely.bounds(zones)
    beside = (box[:, 2] < west) | (box[:, 0] > east) | (box[:, 3] < south) | (box[:, 1] > north)
    return np.flatnonzero(~beside)


def _squares(area: Any, within: NDArray[np.float64]) -> NDArray[Any]:
    """An area cut along a grid over the box *within*."""
    west, south = np.maximum(area.bounds[:2], within[:2])
    east, north = np.minimum(area.bounds[2:], within[2:])
    x, y = np.meshgrid(
        np.arange(west, east + _SQUARE_M, _SQUARE_M), np.arange(south, north + _SQUARE_M, _SQUARE_M)
    )
    grid = shapely.box(x.ravel(), y.ravel(), x.ravel() + _SQUARE_M, y.ravel() + _SQUARE_M)
    parts = shapely.get_parts(area)
    square, part = shapely.STRtree(parts).query(grid, predicate="intersects")
    pieces = shapely.intersection(grid[square], parts[part])
    return np.asarray(pieces[shapely.area(pieces) > 0], dtype=object)
