"""The county that layers are fetched for: its number, its box, and boxes widened by kilometres."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import shapely

from site_eval.errors import LayerError
from site_eval.layers.catalog import Catalog
from site_eval.layers.layer import read_layer

Box = tuple[float, float, float, float]
KM_PER_DEGREE = 111.32


@dataclass(frozen=True)
class Area:
    """A county by its GEOID (state and county, five digits) and its box in degrees."""

    geoid: str
    box: Box

    def widened(self, margin_km: float) -> Box:
        """The box with *margin_km* more on every side."""
        west, south, east, north = self.box
        up = margin_km / KM_PER_DEGREE
        aside = up / max(0.05, math.cos(math.radians(max(abs(south), abs(north)))))
        return (
            max(-180.0, west - aside), max(-90.0, south - up),
            min(180.0, east + aside), min(90.0, north + up),
        )  # fmt: skip


def checked_geoid(text: str) -> str:
    """*text* when it is a county's GEOID."""
    if not re.fullmatch(r"\d{5}", text):
        raise LayerError(
            "--county", f"'{text}' is no county's GEOID", "write state and county, as 16045"
        )
    return text


def checked_box(text: str) -> Box:
    """The box that ``--bbox`` states: west, south, east, north in degrees."""
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        west = south = east = north = math.nan
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):
        raise LayerError("--bbox", f"'{text}' is no box", "write west,south,east,north in degrees")
    return west, south, east, north


def county_area(geoid: str, catalogs: list[Catalog]) -> Area | None:
    """The county's area by the first of the catalogs whose county layer holds it."""
    for catalog in catalogs:
        for entry in catalog.of_kind("county"):
            rows = read_layer(entry)
            hit = rows[rows["geoid"].astype(str) == geoid]
            if len(hit):
                west, south, east, north = shapely.total_bounds(hit.geometry.to_numpy())
                return Area(geoid, (float(west), float(south), float(east), float(north)))
    return None
