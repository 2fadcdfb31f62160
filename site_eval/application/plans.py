"""The plan tables of ``application.toml``: what an applicant promises to furnish."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from site_eval.application.kinds import Amount, Count, Document, Hours, Many


class Table(BaseModel):
    """A table that knows all its keys; TOML has types, so none is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Water(Table):
    """Drinking and bathing water."""

    drinking_gallons_per_day: Amount | None = None
    bathing_gallons_per_day: Amount | None = None
    source: str | None = None
    storage_gallons: Amount | None = None
    outlets: Count | None = None
    purity_report: Document | None = None
    plan: Document | None = None


class Toilets(Table):
    """Toilets by sex, and places to wash hands."""

    female: Count | None = None
    male: Count | None = None
    unisex: Count | None = None
    urinals: Count | None = None
    accessible: Count | None = None
    handwash: Count | None = None
    separate_enclosed: bool | None = None
    disposal: str | None = None
    service_interval_hours: Amount | None = None
    plan: Document | None = None


class Waste(Table):
    """Solid waste."""

    pounds_per_day: Amount | None = None
    cans: Count | None = None
    cans_tight_lids: bool | None = None
    personnel: Count | None = None
    collections_per_day: Amount | None = None
    disposal: str | None = None
    plan: Document | None = None


class Medical(Table):
    """Emergency medical care; ``emt_on_duty`` is the fewest at any hour."""

    emt_on_duty: Count | None = None
    ambulances: Count | None = None
    ambulance_backup: bool | None = None
    structures: Count | None = None
    structure_enclosed: bool | None = None
    roster: Document | None = None
    plan: Document | None = None


class Lighting(Table):
    """Light during darkness."""

    minimum_foot_candles: Amount | None = None
    power_source: str | None = None
    power_kw: Amount | None = None
    lasers: bool | None = None
    lawful_use: Document | None = None
    plan: Document | None = None


class Parking(Table):
    """Stalls on and off the land."""

    stalls: Count | None = None
    accessible_stalls: Count | None = None
    offsite_stalls: Count | None = None
    shuttle: bool | None = None
    sheriff_requires_offsite: bool | None = None
    gate_lanes: Count | None = None
    plan: Document | None = None


class Telephones(Table):
    """Telephones for those who attend."""

    land_line: Count | None = None
    satellite: Count | None = None
    cellular: Count | None = None
    signs: bool | None = None
    plan: Document | None = None


class Camping(Table):
    """Where people sleep; ``zoning_limit`` is the number that zoning or health rules allow."""

    on_site: bool | None = None
    sites: Count | None = None
    sleeping_capacity: Count | None = None
    zoning_limit: Count | None = None
    offsite_location: str | None = None
    plan: Document | None = None


class Amplification(Table):
    """Amplified sound; ``sound_level_dba`` at ``reference_distance_ft`` from the loudspeakers."""

    hours: Many[Hours] = ()
    sound_level_dba: float | None = Field(default=None, gt=0, le=160)
    reference_distance_ft: float | None = Field(default=None, gt=0, le=5000)
    plan: Document | None = None


class Security(Table):
    """Guards; ``guards_on_duty`` is the fewest at one time."""

    guards_on_duty: Count | None = None
    guards_total: Count | None = None
    qualified: bool | None = None
    sheriff_requires_extra_help: bool | None = None
    roster: Document | None = None
    plan: Document | None = None


class Fire(Table):
    """Fire protection; ``restriction_stage`` is the fire restriction in force, 0 for none."""

    alarms: Count | None = None
    extinguishers: Count | None = None
    personnel: Count | None = None
    lane_width_ft: Amount | None = None
    escapes: Count | None = None
    wildfire_provisions: Many[str] = ()
    restriction_stage: Count | None = None
    plan: Document | None = None


class Traffic(Table):
    """Traffic control and dust abatement."""

    controllers: Count | None = None
    dust_measures: Many[str] = ()
    plan: Document | None = None


class Concessionaire(Table):
    """Somebody who sells food."""

    name: str = Field(min_length=1)
    address: str | None = None
    permit: str | None = None


class Food(Table):
    """Food concessions."""

    concessionaires: Many[Concessionaire] = ()
    plan: Document | None = None


class Admission(Table):
    """How the number admitted is held to the maximum."""

    plan: Document | None = None
    counting_method: str | None = None


class Cleanup(Table):
    """Removal of structures and waste after the event."""

    complete_within_days: Amount | None = None
    structures: Many[str] = ()
    plan: Document | None = None


class Plan(Table):
    """The plans of the application, a table each."""

    water: Water = Water()
    toilets: Toilets = Toilets()
    waste: Waste = Waste()
    medical: Medical = Medical()
    lighting: Lighting = Lighting()
    parking: Parking = Parking()
    telephones: Telephones = Telephones()
    camping: Camping = Camping()
    amplification: Amplification = Amplification()
    security: Security = Security()
    fire: Fire = Fire()
    traffic: Traffic = Traffic()
    food: Food = Food()
    admission: Admission = Admission()
    cleanup: Cleanup = Cleanup()
