"""Stalls by area alone: the ratios that planners use, beside the packed count."""

from __future__ import annotations

import math
from dataclasses import dataclass

from site_eval.solvers.parking.standard import Standard
from site_eval.units import ACRE_M2, INTERNATIONAL_FOOT_M

# Stalls an acre. 150: FHWA-OP-04-010, unstriped event field. 145: OAR 333-039-0055, 300 square
# feet a car. 100: 10 NYCRR 7-4.7(d).
FIELD_STALLS_PER_ACRE = 150.0
RATIOS_PER_ACRE = (
    ("FHWA event field, 150 an acre", FIELD_STALLS_PER_ACRE),
    ("Oregon OAR 333-039-0055, 300 sq ft a car", 43_560 / 300),
    ("New York 10 NYCRR 7-4.7(d), 100 an acre", 100.0),
)

# A lot drawn to the centimetre is not one stall poorer than the lot that was meant.
_DRAWN_EXACT = 1 + 1e-5


@dataclass(frozen=True)
class AreaEstimate:
    """One rule of thumb applied to an area."""

    name: str
    stalls: int


def area_estimates(area_m2: float) -> list[AreaEstimate]:
    """Stalls that the rules of thumb give for *area_m2*, whatever its shape."""
    return [
        AreaEstimate(name, math.floor(area_m2 / ACRE_M2 * per_acre * _DRAWN_EXACT))
        for name, per_acre in RATIOS_PER_ACRE
    ]


def upper_bound(area_m2: float, standard: Standard) -> int:
    """Stalls if every foot were row or aisle, no ends or cross aisles: 270 sq ft for 9 × 18 / 24.

    A packing of rows along aisles never holds more, but for the half aisle at an edge that is
    not shared: it is a check for sanity.
    """
    per_stall = standard.area_per_stall_m2
    return math.ceil(area_m2 / per_stall - 1e-9)


def square_feet_per_stall(area_m2: float, stalls: int) -> float:
    """Square feet of ground for each stall."""
    return area_m2 / INTERNATIONAL_FOOT_M**2 / stalls if stalls else math.inf
