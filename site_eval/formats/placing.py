"""Where coordinates lie: the CRS that is meant, and whether the numbers can belong to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError

from site_eval.crs import WGS84
from site_eval.errors import InputFileError

MARGIN_DEG = 1.0


def parsed_crs(text: Any, place: str) -> CRS:
    """The horizontal CRS that *text* (``EPSG:6453``, WKT, PROJ) names; *place* says where it stood."""
    try:
        crs = CRS.from_user_input(text)
    except CRSError:
        raise InputFileError(
            place,
            f"'{str(text)[:60]}' names no coordinate reference system",
            "write it as EPSG:6453 (Idaho West, US survey feet)",
            code="input-file.crs",
        ) from None
    flat = crs.to_2d()
    if not (flat.is_geographic or flat.is_projected):
        raise InputFileError(
            place,
            f"'{crs.name}' is not tied to the earth",
            "name a projected or geographic CRS",
            code="input-file.crs",
        )
    return flat


def require_in_place(frame: Any, path: Path) -> None:
    """Refuse a frame whose coordinates cannot belong to its CRS, and say what seems wrong."""
    crs = frame.crs
    bounds = tuple(float(value) for value in frame.total_bounds)
    if crs.is_geographic:
        _require_degrees(bounds, crs, path)
    elif max(abs(value) for value in bounds) <= 360:
        raise _misplaced(
            path,
            f"the coordinates {_shown(bounds)} look like degrees, but '{crs.name}' is in "
            f"{crs.axis_info[0].unit_name}",
            "state the CRS in which the file was made",
        )
    else:
        _require_in_use(bounds, crs, path)


def _require_degrees(bounds: tuple[float, ...], crs: CRS, path: Path) -> None:
    west, south, east, north = bounds
    if max(abs(south), abs(north)) > 90 and max(abs(west), abs(east)) <= 90:
        raise _misplaced(
            path,
            f"latitude and longitude are swapped ({_shown(bounds)})",
            "write longitude first, then latitude",
        )
    if max(abs(south), abs(north)) > 90 or max(abs(west), abs(east)) > 180:
        raise _misplaced(
            path,
            f"the coordinates {_shown(bounds)} are not degrees, but the file's CRS is '{crs.name}'",
            "export it in longitude and latitude, or state the CRS it is in",
        )
    if crs != WGS84:
        _require_in_use(bounds, crs, path)


def _require_in_use(bounds: tuple[float, ...], crs: CRS, path: Path) -> None:
    area = crs.area_of_use
    if area is None:
        return
    lon, lat = _centre_deg(bounds, crs)
    if not _within(lon, lat, area.bounds):
        where = f"{lon:.2f}, {lat:.2f}" if np.isfinite([lon, lat]).all() else "no place on earth"
        turned = _centre_deg((bounds[1], bounds[0], bounds[3], bounds[2]), crs)
        hint = "; easting and northing may be swapped" if _within(*turned, area.bounds) else ""
        raise _misplaced(
            path,
            f"the coordinates {_shown(bounds)} fall on {where}, outside the area of use of "
            f"'{crs.name}'{hint}",
            "state the CRS in which the file was made",
        )


def _centre_deg(bounds: tuple[float, ...], crs: CRS) -> tuple[float, float]:
    mover = Transformer.from_crs(crs, WGS84, always_xy=True)
    x, y = (bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2
    lon, lat = mover.transform(x, y)
    return float(lon), float(lat)


def _within(lon: float, lat: float, area: tuple[float, float, float, float]) -> bool:
    west, south, east, north = area
    if not np.isfinite([lon, lat]).all() or not south - MARGIN_DEG <= lat <= north + MARGIN_DEG:
        return False
    if west > east:  # an area that crosses the antimeridian
        return lon >= west - MARGIN_DEG or lon <= east + MARGIN_DEG
    return west - MARGIN_DEG <= lon <= east + MARGIN_DEG


def _shown(bounds: tuple[float, ...]) -> str:
    west, south, east, north = bounds
    return f"x {west:,.7g} to {east:,.7g}, y {south:,.7g} to {north:,.7g}"


def _misplaced(path: Path, fault: str, mend: str) -> InputFileError:
    return InputFileError(str(path), fault, mend, code="input-file.place")
