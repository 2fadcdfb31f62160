"""What each row's geometry is worth: a polygon that can be measured, or one sentence why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import CRS

from site_eval.crs import WGS84, to_crs

# Smaller than a square metre is no parcel but a sliver of digitising.
LEAST_M2 = 1.0
_DEGREE_M = 111_320.0
_AREAL = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)
_KINDS = ("point", "line", "ring", "polygon", "point", "line", "polygon", "collection")
MENDED = "the outline crosses itself; it was mended, and its area may differ from what was meant"


@dataclass(frozen=True)
class Cleaned:
    """EPSG:4326 polygons (null where a row is broken), what is wrong, and what was mended."""

    polygons: NDArray[Any]
    fault: NDArray[Any]
    """One sentence without the row's name, or nothing."""
    mended: NDArray[np.bool_]


def cleaned(wkb: NDArray[Any], crs: CRS) -> Cleaned:
    """Read *wkb* (bytes or nulls) in *crs*."""
    with np.errstate(invalid="ignore"):  # a coordinate that is no number is told below
        shapes = np.asarray(shapely.from_wkb(wkb, on_invalid="ignore"), dtype=object)
    unread = shapely.is_missing(shapes) & np.array([w is not None for w in wkb], dtype=bool)
    fault = np.full(len(shapes), None, dtype=object)
    fault[unread] = "its geometry cannot be read"
    shapes = np.asarray(shapely.force_2d(shapes), dtype=object)
    _tell(fault, shapely.is_missing(shapes), "it has no geometry")
    _tell(fault, shapely.is_empty(shapes), "its geometry is empty")
    for code, kind in enumerate(_KINDS):
        if code not in (*_AREAL, shapely.GeometryType.GEOMETRYCOLLECTION):
            _tell(fault, shapely.get_type_id(shapes) == code, f"its geometry is a {kind}, no area")
    _tell(fault, ~_finite(shapes), "a coordinate is not a number")
    sound = unbroken(fault)
    polygons = np.full(len(shapes), None, dtype=object)
    polygons[sound] = shapes[sound] if crs == WGS84 else to_crs(shapes[sound], crs, WGS84)
    _tell(fault, ~_on_earth(polygons), "its coordinates do not belong to the file's CRS")
    mended = _mend(polygons, unbroken(fault))
    _measure(polygons, fault)
    polygons[~unbroken(fault)] = None
    return Cleaned(polygons, fault, mended & unbroken(fault))


def unbroken(fault: NDArray[Any]) -> NDArray[np.bool_]:
    """Rows that have no fault."""
    return np.fromiter((words is None for words in fault), dtype=bool, count=len(fault))


def _tell(fault: NDArray[Any], where: Any, words: str) -> None:
    """Give *words* to the rows that have no fault yet."""
    fault[np.asarray(where, dtype=bool) & unbroken(fault)] = words


def _finite(shapes: NDArray[Any]) -> NDArray[np.bool_]:
    return _every_point(shapes, lambda xy: np.asarray(np.isfinite(xy).all(axis=1)))


def _on_earth(shapes: NDArray[Any]) -> NDArray[np.bool_]:
    def fits(xy: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray((np.abs(xy[:, 0]) <= 180) & (np.abs(xy[:, 1]) <= 90))

    return _every_point(shapes, fits)


def _every_point(
    shapes: NDArray[Any], fits: Callable[[NDArray[np.float64]], NDArray[np.bool_]]
) -> NDArray[np.bool_]:
    xy, owner = shapely.get_coordinates(shapes, return_index=True)
    good = np.ones(len(shapes), dtype=bool)
    good[owner[~fits(xy)]] = False
    return good


def _mend(polygons: NDArray[Any], sound: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mend outlines that cross themselves, keeping areas alone; which rows were mended."""
    known = np.flatnonzero(sound)
    bad = known[~shapely.is_valid(polygons[known])]
    for number in bad:
        parts = shapely.get_parts(shapely.make_valid(polygons[number], method="structure"))
        areas = [p for part in parts for p in shapely.get_parts(part) if p.geom_type == "Polygon"]
        polygons[number] = shapely.union_all(areas) if areas else shapely.Polygon()
    mended = np.zeros(len(polygons), dtype=bool)
    mended[bad] = True
    loose = known[shapely.get_type_id(polygons[known]) == shapely.GeometryType.GEOMETRYCOLLECTION]
    for number in loose:
        parts = shapely.get_parts(polygons[number])
        areas = [p for p in parts if shapely.get_type_id(p) in _AREAL]
        polygons[number] = shapely.union_all(areas) if areas else shapely.Polygon()
    return mended


def _measure(polygons: NDArray[Any], fault: NDArray[Any]) -> None:
    """Refuse what has no area to speak of, and what lies on both sides of the antimeridian."""
    box = shapely.bounds(polygons)
    _tell(fault, box[:, 2] - box[:, 0] > 180, "it lies on both sides of the 180th meridian; cut it")
    metres = np.cos(np.radians(np.nan_to_num(box[:, 1]))) * _DEGREE_M**2
    _tell(fault, shapely.area(polygons) * metres < LEAST_M2, "its area is less than a square metre")
