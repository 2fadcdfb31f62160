"""The projected CRS fit for a place, and geometry moved between CRSs.

All computing is done in metres on an ellipsoidal transverse Mercator whose central meridian and
latitude of origin are the place's own centre and whose scale there is 1: within 30 km of the
centre its scale is off by less than 12 parts in a million and its areas by less than 23. That is
nearer the ellipsoid than the state plane zone is in Gem County (up to 55 ppm, see
``docs/accuracy.md``), and it needs no table of zones. NAD83 and WGS 84 are taken as equal; the
difference in Idaho is below 1.5 m and is carried as ``DATUM_UNCERTAINTY_M``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import shapely
from pyproj import CRS, Geod, Transformer
from shapely.geometry.base import BaseGeometry

WGS84 = CRS.from_epsg(4326)
GEOD = Geod(ellps="GRS80")
DATUM_UNCERTAINTY_M = 1.5


@dataclass(frozen=True)
class LocalFrame:
    """Metres east and north of a centre; x is east, y is true north at the centre."""

    lon_deg: float
    lat_deg: float

    @property
    def crs(self) -> CRS:
        """The transverse Mercator of this centre."""
        return _local_crs(self.lon_deg, self.lat_deg)

    def to_local(self, geometry: Any) -> Any:
        """EPSG:4326 (longitude, latitude) geometry or array of geometries, to local metres."""
        return _transformed(geometry, _transformer(WGS84, self.crs))

    def to_geographic(self, geometry: Any) -> Any:
        """Local metres to EPSG:4326 (longitude, latitude)."""
        return _transformed(geometry, _transformer(self.crs, WGS84))

    def xy(self, lon_deg: float, lat_deg: float) -> tuple[float, float]:
        """One point, degrees to local metres."""
        x, y = _transformer(WGS84, self.crs).transform(lon_deg, lat_deg)
        return float(x), float(y)

    def lonlat(self, x_m: float, y_m: float) -> tuple[float, float]:
        """One point, local metres to degrees."""
        lon, lat = _transformer(self.crs, WGS84).transform(x_m, y_m)
        return float(lon), float(lat)


def frame_for(geometry: BaseGeometry) -> LocalFrame:
    """The local frame centred on an EPSG:4326 geometry's bounds."""
    west, south, east, north = geometry.bounds
    return LocalFrame(round((west + east) / 2, 4), round((south + north) / 2, 4))


def frame_at(lon_deg: float, lat_deg: float) -> LocalFrame:
    """The local frame centred on a point."""
    return LocalFrame(round(lon_deg, 4), round(lat_deg, 4))


def ellipsoidal_area_m2(geometry: BaseGeometry) -> float:
    """Area on the GRS 80 ellipsoid of an EPSG:4326 polygon or multipolygon, square metres."""
    polygons = [part for part in shapely.get_parts(geometry) if part.geom_type == "Polygon"]
    return float(sum(_polygon_area_m2(polygon) for polygon in polygons))


def _polygon_area_m2(polygon: Any) -> float:
    oriented = shapely.orient_polygons(polygon)
    area_m2, _perimeter_m = GEOD.geometry_area_perimeter(oriented)
    return abs(float(area_m2))


def to_crs(geometry: Any, source: CRS, target: CRS) -> Any:
    """Geometry (or an array) from one CRS to another, always in x, y = east, north order."""
    return _transformed(geometry, _transformer(source, target))


@cache
def _local_crs(lon_deg: float, lat_deg: float) -> CRS:
    return CRS.from_proj4(
        f"+proj=tmerc +lat_0={lat_deg} +lon_0={lon_deg} +k_0=1 +x_0=0 +y_0=0 "
        "+ellps=GRS80 +towgs84=0,0,0 +units=m +no_defs"
    )


@cache
def _transformer(source: CRS, target: CRS) -> Transformer:
    return Transformer.from_crs(source, target, always_xy=True)


def _transformed(geometry: Any, transformer: Transformer) -> Any:
    def move(points: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        x, y = transformer.transform(points[:, 0], points[:, 1])
        return np.column_stack([x, y])

    return shapely.transform(geometry, move)
