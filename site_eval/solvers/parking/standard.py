"""Sizes of stalls and aisles: tables by angle, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from site_eval.units import INTERNATIONAL_FOOT_M, metres

# Aisle by angle, feet: two-way and one-way. Snohomish SMC 14.235.270, Table 11 (stalls of
# 8.5 ft, interlocking). The one-way aisle at 90° is the two-way one: a car needs the room to turn.
AISLE_FT: Mapping[int, tuple[float, float]] = MappingProxyType(
    {90: (24.0, 24.0), 60: (22.0, 18.5), 45: (20.0, 13.5), 30: (20.0, 11.0)}
)


@dataclass(frozen=True)
class Standard:
    """One kind of stall with its aisle, metres.

    Rows run along an aisle; at 90° a stall is a rectangle across it. Below 90° stalls lean and
    interlock with those behind them.
    """

    stall_width_m: float
    stall_length_m: float
    aisle_m: float
    angle_deg: float = 90.0
    one_way: bool = False
    cross_aisle_m: float | None = None
    """None: the aisle, rounded up to whole stalls, as one leaves out stalls to mark it."""
    block_stalls: int | None = None
    """At most so many stalls side by side between lanes (None: no lanes but the circulation)."""
    lane_m: float = 20 * INTERNATIONAL_FOOT_M
    name: str = ""

    def __post_init__(self) -> None:
        """Refuse sizes that are no sizes."""
        if min(self.stall_width_m, self.stall_length_m, self.aisle_m) <= 0:
            raise ValueError("Stall and aisle need positive sizes.")
        if not 20 <= self.angle_deg <= 90:
            raise ValueError("The angle of stalls lies between 20 and 90 degrees.")
        if self.block_stalls is not None and self.block_stalls < 1:
            raise ValueError("A block holds at least one stall.")

    @cached_property
    def pitch_m(self) -> float:
        """Length of aisle a stall takes, ``w / sin φ``."""
        return self.stall_width_m / math.sin(math.radians(self.angle_deg))

    @cached_property
    def wall_depth_m(self) -> float:
        """Depth of a row against a wall, ``l sin φ + w cos φ``."""
        phi = math.radians(self.angle_deg)
        return self.stall_length_m * math.sin(phi) + self.stall_width_m * math.cos(phi)

    @cached_property
    def depth_m(self) -> float:
        """Depth of a row that interlocks with the next, ``l sin φ + w cos φ / 2``."""
        return self.wall_depth_m - self.overlap_m

    @cached_property
    def overlap_m(self) -> float:
        """How far a leaning row reaches into the next one's half, ``w cos φ / 2``."""
        return self.stall_width_m * math.cos(math.radians(self.angle_deg)) / 2

    @cached_property
    def lead_m(self) -> float:
        """Extra length of aisle that the last leaning stall of a run sticks out."""
        phi = math.radians(self.angle_deg)
        extent = self.stall_length_m * math.cos(phi) + self.stall_width_m * math.sin(phi)
        return extent - self.pitch_m

    @cached_property
    def module_m(self) -> float:
        """Aisle with a row on both sides."""
        return 2 * self.depth_m + self.aisle_m

    @cached_property
    def cross_m(self) -> float:
        """Width of a cross aisle."""
        if self.cross_aisle_m is not None:
            return self.cross_aisle_m
        return math.ceil(self.aisle_m / self.pitch_m - 1e-9) * self.pitch_m

    @cached_property
    def area_per_stall_m2(self) -> float:
        """Ground a stall takes with its half of the aisle, no ends counted.

        >>> round(standard("lot-9x18").area_per_stall_m2 / 0.3048**2)
        270
        """
        return self.module_m / 2 * self.pitch_m


def standard_ft(width_ft: float, length_ft: float, aisle_ft: float) -> Standard:
    """A 90° standard from feet."""
    return Standard(metres(width_ft), metres(length_ft), metres(aisle_ft))


# What people ask for by name. Sources: OAR 333-039-0055 (10 by 20 ft, 300 sq ft a car); 10 NYCRR
# 7-4.7(d) (30 buses an acre); RV sizes are usual practice without an authority.
STANDARDS: Mapping[str, Standard] = MappingProxyType(
    {
        "lot-9x18": replace(standard_ft(9, 18, 24), name="marked lot, 9 × 18 ft, aisle 24 ft"),
        "lot-8.5x18": replace(
            standard_ft(8.5, 18, 24), name="marked lot, 8.5 × 18 ft, aisle 24 ft"
        ),
        "event-10x20": replace(
            standard_ft(10, 20, 25), name="event field, 10 × 20 ft, aisle 25 ft"
        ),
        "event-10x20-lanes": replace(
            standard_ft(10, 20, 25),
            block_stalls=20,
            name="event field, 10 × 20 ft, aisle 25 ft, a 20-ft lane every 20 stalls",
        ),
        "bus-12x45": replace(standard_ft(12, 45, 40), name="bus, 12 × 45 ft, aisle 40 ft"),
        "rv-12x40": replace(standard_ft(12, 40, 35), name="RV, 12 × 40 ft, aisle 35 ft"),
    }
)


def standard(
    name: str = "lot-9x18",
    *,
    stall_ft: tuple[float, float] | None = None,
    aisle_ft: float | None = None,
    angle_deg: float = 90.0,
    one_way: bool = False,
) -> Standard:
    """A named standard, changed by what is given; the aisle follows the angle when not given.

    Raises ``ValueError`` for an unknown name, or an angle without a table and without an aisle.
    """
    if name not in STANDARDS:
        raise ValueError(f"No parking standard is called '{name}'.")
    base = STANDARDS[name]
    width_m, length_m = base.stall_width_m, base.stall_length_m
    if stall_ft is not None:
        width_m, length_m = metres(stall_ft[0]), metres(stall_ft[1])
    aisle_m = base.aisle_m
    if aisle_ft is not None:
        aisle_m = metres(aisle_ft)
    elif angle_deg != 90 or one_way:
        aisle_m = metres(_tabled_aisle_ft(angle_deg, one_way))
    changed = stall_ft is not None or aisle_ft is not None or angle_deg != 90 or one_way
    return replace(
        base,
        stall_width_m=width_m,
        stall_length_m=length_m,
        aisle_m=aisle_m,
        angle_deg=angle_deg,
        one_way=one_way,
        name="" if changed else base.name,
    )


def _tabled_aisle_ft(angle_deg: float, one_way: bool) -> float:
    if angle_deg not in AISLE_FT:
        known = ", ".join(str(angle) for angle in AISLE_FT)
        raise ValueError(f"No aisle is tabled for {angle_deg:g}°: give one, or take {known}.")
    return AISLE_FT[int(angle_deg)][int(one_way)]
