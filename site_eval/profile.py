"""Figures that the ordinance does not give: the fire code's, event guidance, the tool's proposals."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from site_eval.errors import InputFileError, ManyErrors
from site_eval.files import read_text
from site_eval.resources import bundled

MonthDay = Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]


class Table(BaseModel):
    """Figures of one subject and where they come from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = Field(min_length=1)


class FireAccess(Table):
    """Fire apparatus access roads."""

    lane_width_ft: float = Field(gt=0)
    gate_width_ft: float = Field(gt=0)
    reach_ft: float = Field(gt=0)
    dead_end_ft: float = Field(gt=0)
    turnaround_ft: float = Field(gt=0)
    grade_percent: float = Field(gt=0)
    turn_inside_ft: float = Field(gt=0)
    turn_outside_ft: float = Field(gt=0)
    remoteness_share: float = Field(gt=0, le=1)


class Crowd(Table):
    """Densities and exits. ``m2_per_person`` is by the nature of the event."""

    exit_rate_per_m_min: float = Field(gt=0)
    exit_minutes: float = Field(gt=0)
    m2_per_person: dict[str, float]
    campers_per_ha: float = Field(gt=0)


class Vehicles(Table):
    """Arrivals and gates."""

    persons_per_vehicle: float = Field(gt=0)
    lane_vehicles_per_h: float = Field(gt=0)
    queued_vehicle_ft: float = Field(gt=0)
    arrival_peak_share_per_h: float = Field(gt=0, le=1)


class Stall(Table):
    """The stall and aisle that lots are packed with."""

    width_ft: float = Field(gt=0)
    depth_ft: float = Field(gt=0)
    aisle_ft: float = Field(gt=0)


class Wildfire(Table):
    """Where hazard is looked for, and the closed season: month and day, past New Year where it is."""

    ring_m: float = Field(gt=0)
    outer_ring_m: float = Field(gt=0)
    corridor_m: float = Field(gt=0)
    season: tuple[MonthDay, MonthDay]
    season_source: str = Field(min_length=1)
    index_breaks: tuple[float, float, float, float]


class WildfireRule(Table):
    """From which shares of hazard on a location is told as prone, or for review."""

    site_high: float = Field(gt=0, le=1)
    site_very_high: float = Field(gt=0, le=1)
    ring_high: float = Field(gt=0, le=1)
    ring_high_one_way: float = Field(gt=0, le=1)
    ways_out: float = Field(ge=0)
    site_moderate_up: float = Field(gt=0, le=1)
    coverage: float = Field(gt=0, le=1)


class Sound(Table):
    """The screen for amplified sound."""

    open_window_db: float = Field(ge=0)
    background_dba: float = Field(ge=0)
    search_miles: float = Field(gt=0)


class Walk(Table):
    """Walking distances."""

    toilet_ft: float = Field(gt=0)


class Slope(Table):
    """Ground that is too steep."""

    crowd_percent: float = Field(gt=0)
    parking_percent: float = Field(gt=0)


class Response(Table):
    """Travel from stations."""

    speed_mph: float = Field(gt=0)
    turnout_minutes: float = Field(ge=0)


class Profile(BaseModel):
    """All the figures of one profile file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fire_access: FireAccess
    crowd: Crowd
    vehicles: Vehicles
    stall: Stall
    wildfire: Wildfire
    wildfire_rule: WildfireRule
    sound: Sound
    walk: Walk
    slope: Slope
    response: Response


def load_profile(path: Path | None = None) -> Profile:
    """The profile in the TOML file *path*, or the bundled one.

    Raises ``InputFileError`` or ``ManyErrors`` with the table and key of every fault.
    """
    file = path or bundled("profiles", "default.toml")
    try:
        content = tomllib.loads(read_text(file, what="profile"))
        return Profile.model_validate(content)
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(str(file), f"this is not TOML ({error})", "mend the line") from None
    except ValidationError as error:
        raise ManyErrors(
            InputFileError(
                f"{file} ({'.'.join(str(step) for step in detail['loc'])})",
                detail["msg"][:1].lower() + detail["msg"][1:],
                "mend it as in the bundled profile",
            )
            for detail in error.errors(include_url=False)
        ) from None
