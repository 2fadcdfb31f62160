"""Sections from a principal meridian's initial point: the ideal grid, adjusted to surveyed corners.

The ideal grid has townships of exactly six miles, laid off north along the meridian and then east
along the parallel on the GRS 80 ellipsoid. Real surveys depart from it by a slowly varying misfit.
Where corners are known, that misfit is predicted by simple kriging (prior mean zero, exponential
covariance; see Cressie, *Statistics for Spatial Data*, 1993, section 3.4), which gives its own
standard error: small beside a known corner, back to the ideal grid's far from any.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from site_eval.crs import GEOD
from site_eval.errors import LandError
from site_eval.legal.meridians import meridian_named
from site_eval.resources import bundled
from site_eval.units import MILE_FT, US_SURVEY_FOOT_M

MILE_M = MILE_FT * US_SURVEY_FOOT_M
RADIUS_95_PER_SD = 2.4477  # sqrt(chi-square, 2 degrees of freedom, 0.95): a circle's 95 % radius

# Covariance of the misfit, metres and kilometres; fitted to the Gem and Payette corners
# (docs/accuracy.md), the sill widened until the stated radius covers the tracts left out.
SILL_M = 100.0
RANGE_KM = 53.0
ROUGHNESS_M = 3.0
ROUGHNESS_RANGE_KM = 1.0
NUGGET_M = 2.0
# A prediction whose error is still this share of the sill owes little to the control.
CONTROL_HELPS = 0.6
# The ideal grid away from any control, 95 % radius: measured on whole sections of state trust land
# in Arizona and Utah, where it is off by kilometres (docs/accuracy.md).
IDEAL_NEAR_M = 150.0
IDEAL_PER_MILE_M = 55.0

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Corner:
    """A known point: miles east and north of the initial point on the ideal grid, and where it is."""

    meridian: str
    east_mi: float
    north_mi: float
    lon_deg: float
    lat_deg: float


@dataclass(frozen=True)
class Located:
    """A point of the grid, its 95 % radius in metres, and how it was found."""

    lon_deg: float
    lat_deg: float
    radius_m: float
    method: str


def grid_position(
    township: str, range_: str, section: int, east: float = 0.0, north: float = 0.0
) -> tuple[float, float]:
    """Miles east and north of the initial point of a place in a section.

    *east* and *north* run from 0 at the section's south-west corner to 1. Sections are numbered
    from the north-east corner, westward and eastward in turn (43 U.S.C. 751). Half townships lie
    off the ideal grid and are refused.
    """
    if not 1 <= section <= 36:
        raise LandError(f"section {section}", "a township has sections 1 to 36", "check the number")
    row, column = divmod(section - 1, 6)
    if row % 2 == 0:
        column = 5 - column
    return (
        _edge(range_, "E") + column + east,
        _edge(township, "N") + (5 - row) + north,
    )


def ideal_lonlat(meridian: str, east_mi: float, north_mi: float) -> tuple[float, float]:
    """The ideal grid's point so many miles east and north of a meridian's initial point."""
    initial = meridian_named(meridian)
    _, lat, _ = GEOD.fwd(initial.lon_deg, initial.lat_deg, 0.0, north_mi * MILE_M)
    sine = math.sin(math.radians(lat))
    normal_m = GEOD.a / math.sqrt(1.0 - GEOD.es * sine * sine)
    east_deg = math.degrees(east_mi * MILE_M / (normal_m * math.cos(math.radians(lat))))
    return initial.lon_deg + east_deg, float(lat)


class Grid:
    """The section grid of one meridian with the control that is known there."""

    def __init__(self, meridian: str, corners: Sequence[Corner] = ()) -> None:
        """Use those of *corners* that belong to *meridian*."""
        self.meridian = meridian_named(meridian).name
        used = [corner for corner in corners if corner.meridian == self.meridian]
        self.places_km = (
            np.array([[c.east_mi, c.north_mi] for c in used]).reshape(-1, 2) * MILE_M / 1e3
        )
        self.weights: FloatArray | None = None
        self._factor: FloatArray | None = None
        if used:
            misfit = np.array([_misfit_m(self.meridian, corner) for corner in used])
            covariance = _covariance(self.places_km, self.places_km)
            covariance += np.eye(len(used)) * NUGGET_M**2
            factor: FloatArray = np.asarray(np.linalg.inv(covariance), dtype=np.float64)
            self._factor = factor
            self.weights = factor @ misfit

    def locate(self, places: Sequence[tuple[float, float]]) -> list[Located]:
        """Points given in miles east and north of the initial point."""
        ideal = [ideal_lonlat(self.meridian, east, north) for east, north in places]
        radius = [_ideal_radius_m(east, north) for east, north in places]
        if self.weights is None or self._factor is None:
            return [
                Located(lon, lat, r, "ideal-grid")
                for (lon, lat), r in zip(ideal, radius, strict=True)
            ]
        at_km = np.array(places) * MILE_M / 1e3
        cross = _covariance(at_km, self.places_km)
        shift = cross @ self.weights
        variance = SILL_M**2 + ROUGHNESS_M**2 + NUGGET_M**2
        variance = variance - np.einsum("ij,jk,ik->i", cross, self._factor, cross)
        sd_m = np.sqrt(np.maximum(variance, NUGGET_M**2))
        found = []
        for (lon, lat), r, (east_m, north_m), sd in zip(ideal, radius, shift, sd_m, strict=True):
            if sd > CONTROL_HELPS * SILL_M:
                found.append(Located(lon, lat, r, "ideal-grid"))
                continue
            lon_, lat_ = _moved(lon, lat, float(east_m), float(north_m))
            found.append(Located(lon_, lat_, float(sd) * RADIUS_95_PER_SD, "control-adjusted-grid"))
        return found


@cache
def bundled_corners() -> tuple[Corner, ...]:
    """The control that ships with the tool: Gem and Payette counties, Idaho."""
    return tuple(read_corners(bundled("layers", "plss", "gem_payette_control_corners.csv")))


def read_corners(path: Path, meridian: str = "Boise") -> list[Corner]:
    """Corners of a CSV file with the columns of the bundled one."""
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return [_corner(row, meridian, f"{path}, line {line}") for line, row in enumerate(rows, 2)]


_SECTION = re.compile(r"T(\d+[NS])\s*R(\d+[EW])\s*Sec\s*(\d+)", re.IGNORECASE)


def _corner(row: dict[str, str], meridian: str, place: str) -> Corner:
    match = _SECTION.fullmatch((row.get("section") or "").strip())
    try:
        if match is None:
            raise ValueError(row.get("section"))  # noqa: TRY301 - one message for every bad cell
        east, north = grid_position(
            match[1].upper(),
            match[2].upper(),
            int(match[3]),
            float(row["quarters_east_of_SW_corner"]) / 4,
            float(row["quarters_north_of_SW_corner"]) / 4,
        )
        return Corner(meridian, east, north, float(row["lon"]), float(row["lat"]))
    except (KeyError, ValueError, TypeError):
        raise LandError(
            place, "no control corner can be read here", "write section, quarters and degrees"
        ) from None


def _edge(value: str, positive: str) -> float:
    """Miles from the meridian or base line to the west or south edge of a range or township."""
    number, side = value[:-1], value[-1]
    if not number.isdigit() or int(number) == 0:
        raise LandError(
            value,
            "half townships and ranges are not on the ideal grid",
            "give a PLSS layer (--plss)",
        )
    return 6.0 * (int(number) - 1) if side == positive else -6.0 * int(number)


def _ideal_radius_m(east_mi: float, north_mi: float) -> float:
    return IDEAL_NEAR_M + IDEAL_PER_MILE_M * math.hypot(east_mi, north_mi)


def _misfit_m(meridian: str, corner: Corner) -> tuple[float, float]:
    lon, lat = ideal_lonlat(meridian, corner.east_mi, corner.north_mi)
    per_lon, per_lat = _metres_per_degree(lat)
    return (corner.lon_deg - lon) * per_lon, (corner.lat_deg - lat) * per_lat


def _moved(lon: float, lat: float, east_m: float, north_m: float) -> tuple[float, float]:
    per_lon, per_lat = _metres_per_degree(lat)
    return lon + east_m / per_lon, lat + north_m / per_lat


def _metres_per_degree(lat: float) -> tuple[float, float]:
    sine = math.sin(math.radians(lat))
    w2 = 1.0 - GEOD.es * sine * sine
    normal_m = GEOD.a / math.sqrt(w2)
    meridian_m = GEOD.a * (1.0 - GEOD.es) / w2**1.5
    return (
        math.radians(1.0) * normal_m * math.cos(math.radians(lat)),
        math.radians(1.0) * meridian_m,
    )


def _covariance(one: FloatArray, other: FloatArray) -> FloatArray:
    distance_km = np.hypot(one[:, None, 0] - other[None, :, 0], one[:, None, 1] - other[None, :, 1])
    rough = ROUGHNESS_M**2 * np.exp(-distance_km / ROUGHNESS_RANGE_KM)
    return np.asarray(SILL_M**2 * np.exp(-distance_km / RANGE_KM) + rough)
