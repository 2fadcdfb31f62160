"""How many stalls and people the ground of a parcel could hold at the very most, and what binds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from site_eval.solvers.parking.estimate import FIELD_STALLS_PER_ACRE
from site_eval.units import ACRE_M2

# Crowds for which the required stalls are worked out: a step is under one percent.
_MOST = 500_000
_STEPS = 2_000


@dataclass(frozen=True)
class Room:
    """One row a parcel. ``ceiling`` is what no layout could pass, at the profile's stall size."""

    stalls: NDArray[np.float64]
    ceiling: NDArray[np.float64]
    persons: NDArray[np.float64]
    binds: NDArray[Any]


@dataclass(frozen=True)
class Needs:
    """Required stalls by size of crowd, from the ordinance's own rule."""

    persons: NDArray[np.float64]
    stalls: NDArray[np.float64]


def needs(required: Callable[[float], float | None]) -> Needs | None:
    """The rule as a table, or nothing when it cannot be worked out from the crowd alone."""
    persons = np.unique(np.geomspace(1, _MOST, _STEPS).round())
    found = [required(float(n)) for n in persons]
    if any(stalls is None for stalls in found):
        return None
    return Needs(persons, np.array(found, dtype=float))


def room(
    area_m2: NDArray[np.float64],
    usable_m2: NDArray[np.float64],
    *,
    stall_m2: float,
    person_m2: float,
    rule: Needs | None,
) -> Room:
    """What fits if the whole parcel were used.

    *usable_m2* leaves out what is flooded or steep. ``stalls`` if all of it were parking;
    ``persons`` where crowd and required stalls share it, at *person_m2* of net ground a person.
    It is an estimate from areas: no shape, road, neighbour or facility is looked at.
    """
    field_m2 = ACRE_M2 / FIELD_STALLS_PER_ACRE
    alone = usable_m2 / person_m2
    persons, binds = alone, np.full(len(area_m2), "people", dtype="<U7")
    if rule is not None:
        asked_m2 = rule.persons * person_m2 + rule.stalls * field_m2
        at = np.searchsorted(asked_m2, usable_m2, side="right")
        persons = np.where(at > 0, rule.persons[at - 1], 0.0)
        parked = np.where(at > 0, rule.stalls[at - 1], 0.0) * field_m2
        binds = np.where(parked > persons * person_m2, "parking", "people")
    return Room(
        np.floor(usable_m2 / field_m2), np.ceil(area_m2 / stall_m2 - 1e-9), np.floor(persons), binds
    )
