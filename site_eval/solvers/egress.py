"""How many people a place holds and lets out, and how long the queue at its gates grows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from site_eval.units import INTERNATIONAL_FOOT_M

# People a metre of clear width a minute, on the level. 82: Guide to Safety at Sports Grounds and
# Fruin's E/F boundary; 109: older UK open-air guidance; 66: stairs.
LEVEL_RATE_PER_M_MIN = 82.0
STAIR_RATE_PER_M_MIN = 66.0
# HSG195: an exit narrower than this is none.
MINIMUM_EXIT_M = 1.05
# Square metres a person. Concert: HSG195, net of structures and of ground without a view.
# Fair: a proposal between standing crowd and stroll, no authority.
M2_PER_PERSON = {"concert": 0.5, "fair": 1.9, "seated": 7 * INTERNATIONAL_FOOT_M**2}
# HSG195: minutes to leave, by risk.
EGRESS_MINUTES = {"high": 5.0, "normal": 8.0, "low": 10.0}
# FHWA Managing Travel for Planned Special Events, Table 6-10: cash lane, 9 to 12 s a vehicle.
LANE_VEHICLES_PER_H = (300.0, 400.0)
QUEUED_VEHICLE_FT = 25.0
# Fruin, Pedestrian Planning and Design: walkway level of service, square feet a person.
_WALKWAY_FT2 = ((35.0, "A"), (25.0, "B"), (15.0, "C"), (10.0, "D"), (5.0, "E"))


@dataclass(frozen=True)
class Limit:
    """One bound on the number of people; ``persons`` None when it cannot be told."""

    name: str
    persons: float | None
    basis: str


@dataclass(frozen=True)
class Capacity:
    """The least of several limits, and which one binds."""

    persons: int | None
    binding: str | None
    limits: tuple[Limit, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Egress:
    """Exits against a crowd, the largest exit taken as lost."""

    width_m: float
    """Width that counts: exits of at least 1.05 m, less the largest."""
    lost_m: float
    rate_per_m_min: float

    def persons(self, minutes: float) -> float:
        """People who get out in *minutes*."""
        return self.width_m * self.rate_per_m_min * minutes

    def minutes(self, persons: float) -> float:
        """Minutes until *persons* are out; infinite when no width is left."""
        flow = self.width_m * self.rate_per_m_min
        return persons / flow if flow > 0 else math.inf


@dataclass(frozen=True)
class Queue:
    """A queue of vehicles before gates, over the arrivals given."""

    longest_vehicles: float
    longest_m: float
    at_minute: float
    """When the queue is longest, minutes after the first interval starts."""
    empty_minute: float
    """When the last vehicle is through."""
    longest_wait_minutes: float


def capacity(limits: Iterable[Limit]) -> Capacity:
    """Take the least known limit, rounded down; limits that cannot be told are listed.

    Of equal limits the first binds.
    """
    given = tuple(limits)
    known = [limit for limit in given if limit.persons is not None]
    unknown = tuple(limit.name for limit in given if limit.persons is None)
    if not known:
        return Capacity(None, None, given, unknown)
    least = min(known, key=lambda limit: limit.persons or 0.0)
    return Capacity(math.floor((least.persons or 0.0) + 1e-9), least.name, given, unknown)


def area_persons(net_area_m2: float, m2_per_person: float) -> float:
    """People on a net area at a density; net of structures and of ground without a view."""
    if m2_per_person <= 0:
        raise ValueError("The area a person takes must be positive.")
    return net_area_m2 / m2_per_person


def egress(
    exit_widths_m: Sequence[float], *, rate_per_m_min: float = LEVEL_RATE_PER_M_MIN
) -> Egress:
    """Width that remains when the largest exit is lost (HSG195); exits under 1.05 m are none.

    >>> egress([3.0, 2.0, 4.0]).persons(8)
    3280.0
    """
    counted = [width for width in exit_widths_m if width >= MINIMUM_EXIT_M]
    lost = max(counted, default=0.0)
    return Egress(sum(counted) - lost, lost, rate_per_m_min)


def walkway_service(ft2_per_person: float) -> str:
    """Fruin's level of service of a walkway, A (free) to F (jammed)."""
    return next((grade for least, grade in _WALKWAY_FT2 if ft2_per_person > least), "F")


def queue(
    arrivals: ArrayLike, *, interval_minutes: float, lanes: int, lane_vehicles_per_h: float
) -> Queue:
    """Let *arrivals* (vehicles in each interval, evenly spread) pass *lanes* gate lanes.

    The fluid queue of arrivals less service, never below zero; a vehicle takes 25 ft.
    """
    service = lanes * lane_vehicles_per_h * interval_minutes / 60
    if service <= 0:
        raise ValueError("At least one gate lane must serve.")
    waiting = _waiting(np.asarray(arrivals, dtype=float), service)
    peak = int(waiting.argmax())
    return Queue(
        longest_vehicles=float(waiting[peak]),
        longest_m=float(waiting[peak]) * QUEUED_VEHICLE_FT * INTERNATIONAL_FOOT_M,
        at_minute=peak * interval_minutes,
        empty_minute=_empty_minute(waiting, service, interval_minutes),
        longest_wait_minutes=float(waiting[peak]) / service * interval_minutes,
    )


def _waiting(
    arrivals: np.ndarray[tuple[int], np.dtype[np.float64]], service: float
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Vehicles waiting at each interval's start and at the end of the last."""
    waiting = np.zeros(arrivals.size + 1)
    for step, arriving in enumerate(arrivals):
        waiting[step + 1] = max(0.0, waiting[step] + arriving - service)
    return waiting


def _empty_minute(waiting: ArrayLike, service: float, interval_minutes: float) -> float:
    left = np.asarray(waiting)
    return float((left.size - 1) * interval_minutes + left[-1] / service * interval_minutes)


def ingress_minutes(vehicles: float, *, lanes: int, lane_vehicles_per_h: float) -> float:
    """Minutes until *vehicles* are through the gates when they come at once."""
    if lanes <= 0 or lane_vehicles_per_h <= 0:
        return math.inf
    return vehicles / (lanes * lane_vehicles_per_h) * 60
