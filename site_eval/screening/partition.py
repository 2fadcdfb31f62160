"""Parcels and layers in, one row of measures and verdicts a parcel out; pure and in any order."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import hypot
from typing import Any

import numpy as np
import pandas as pd
import shapely
from numpy.typing import NDArray

from site_eval.crs import DATUM_UNCERTAINTY_M, LocalFrame
from site_eval.judges import flood as flood_judge
from site_eval.judges import jurisdiction, parking, terrain, wildfire
from site_eval.layers.catalog import LayerEntry
from site_eval.record.verdict import Grade, Verdict, cap
from site_eval.screening.boundaries import Lie, boundaries, lie
from site_eval.screening.capacity import room
from site_eval.screening.frames import by_frame
from site_eval.screening.ground import flood
from site_eval.screening.hazard import hazard
from site_eval.screening.question import Sources, Vectors
from site_eval.solvers.hazard_raster import CLASSES
from site_eval.solvers.parking.standard import standard_ft
from site_eval.solvers.raster_table import steep_table
from site_eval.units import ACRE_M2

# A parcel this near a road touches it: lines of parcels and roads do not quite meet.
FRONTS_WITHIN_M = 15.0
CHECKS = (
    "jurisdiction",
    "municipality",
    "county",
    "wildfire",
    "flood",
    "terrain",
    "parking",
    "capacity",
    "response",
)
# A place farther away is neither measured nor named, as in ``evaluate``.
SEARCH_M = 60_000.0
_FRAMES_READY = 4
_UNKNOWN = Verdict.NOT_DETERMINED.value
_NUMBERS = (
    "area_acres", "municipal_share", "municipal_distance_m", "county_share",
    *(f"wildfire_share_{c}" for c in CLASSES), "wildfire_ring_high", "wildfire_coverage",
    "flood_share", "flood_mapped_share", "slope_share", "slope_coverage",
    "road_distance_m", "station_minutes", "stalls_estimate", "stalls_ceiling", "capacity",
)  # fmt: skip
_WORDS = ("municipal_relation", "place_geoid", "place_name", "county_relation", "capacity_binds")

Row = dict[str, NDArray[Any]]


def screen(geometries: NDArray[Any], sources: Sources) -> pd.DataFrame:
    """Answer every question for EPSG:4326 polygons; nulls get ``not-determined`` throughout.

    A measure whose layer is missing, or does not reach the parcel, is not a number: nothing is
    never taken for zero.
    """
    table = _empty(len(geometries))
    known = np.flatnonzero(~shapely.is_missing(geometries))
    for frame, at in by_frame(geometries[known]) if len(known) else ():
        numbers = known[at]
        lonlat = geometries[numbers]
        local = np.asarray(frame.to_local(lonlat), dtype=object)
        found = _measured(local, lonlat, frame, sources)
        for name, values in found.items():
            table[name][numbers] = values
    _bind(table, known)
    return pd.DataFrame(table)


def _bind(table: Row, known: NDArray[np.int64]) -> None:
    """Say first whether the ordinance binds the land; where it does not, nothing else is asked.

    ``evaluate`` does the same: what was measured stays, the other verdicts do not apply.
    """
    municipality, county = (table[f"verdict_{n}"][known] for n in ("municipality", "county"))
    bound = jurisdiction.together(municipality, county)
    table["verdict_jurisdiction"][known] = bound
    unbound = known[bound == Verdict.NOT_APPLICABLE.value]
    for name in CHECKS[3:]:
        table[f"verdict_{name}"][unbound] = Verdict.NOT_APPLICABLE.value


def _empty(count: int) -> dict[str, NDArray[Any]]:
    table: dict[str, NDArray[Any]] = {name: np.full(count, np.nan) for name in _NUMBERS}
    table |= {name: np.full(count, None, dtype=object) for name in (*_WORDS, "fronts_road")}
    return table | {f"verdict_{c}": np.full(count, _UNKNOWN, dtype=object) for c in CHECKS}


def _measured(
    local: NDArray[Any], lonlat: NDArray[Any], frame: LocalFrame, sources: Sources
) -> Row:
    row: Row = {"area_acres": shapely.area(local) / ACRE_M2}
    row |= _municipal(local, lonlat, frame, sources)
    row |= _county(local, lonlat, frame, sources)
    row |= _wildfire(local, frame, sources)
    row |= _flood(local, lonlat, frame, sources)
    row |= _terrain(local, frame, sources)
    row |= _roads(lonlat, sources)
    return row | _room(shapely.area(local), row, sources)


def _municipal(
    local: NDArray[Any], lonlat: NDArray[Any], frame: LocalFrame, sources: Sources
) -> Row:
    places = sources.vectors("places")
    if places is None:
        return {}
    chosen = np.char.startswith(places.fields["class"].astype(str), "C")
    found = _lies(local, places, np.flatnonzero(chosen), frame, sources)
    geoid, name = places.fields["geoid"][chosen], places.fields["name"][chosen]
    idle = np.isin(places.fields["status"][chosen].astype(str), list(jurisdiction.INACTIVE))
    near = np.maximum(found.area, 0)
    some = (found.area >= 0) & (found.distance_m <= SEARCH_M)
    verdict = jurisdiction.judge(
        found.relation,
        found.distance_m,
        active=~idle[near] if some.any() else np.ones(len(local), dtype=bool),
        stale=_stale(places.entry, sources.question.as_of),
    )
    row = {
        "municipal_share": found.share,
        "municipal_distance_m": np.where(some, found.distance_m, np.nan),
        "municipal_relation": _named(found.relation),
        "place_geoid": _picked(geoid, np.where(some, found.area, -1)),
        "place_name": _picked(name, np.where(some, found.area, -1)),
        "verdict_municipality": _capped(verdict, places.entry),
    }
    told = some if places.entry.coverage is None else _within(lonlat, places.entry.coverage)
    return _only_where(row, told, "verdict_municipality")


def _county(local: NDArray[Any], lonlat: NDArray[Any], frame: LocalFrame, sources: Sources) -> Row:
    counties = sources.vectors("county")
    if counties is None or sources.county_fips is None:
        return {}
    own = np.flatnonzero(counties.fields["geoid"].astype(str) == sources.county_fips)
    found = _lies(local, counties, own, frame, sources, measured=False)
    row = {
        "county_share": found.share,
        "county_relation": _named(found.relation),
        "verdict_county": _capped(jurisdiction.judge_county(found.relation), counties.entry),
    }
    reach = counties.entry.coverage
    told = _shown(lonlat, counties) if reach is None else _within(lonlat, reach)
    return _only_where(row, told, "verdict_county")


def _lies(
    local: NDArray[Any],
    layer: Vectors,
    chosen: NDArray[np.int64],
    frame: LocalFrame,
    sources: Sources,
    *,
    measured: bool = True,
) -> Lie:
    key = ("lies", layer.entry.id, frame)
    if key not in sources.kept:
        _forget(sources, key)
        beside = np.flatnonzero(_beside(layer.shapes[chosen], frame))
        uncertainty_m = hypot(
            sources.question.uncertainty_m, layer.entry.uncertainty_m, DATUM_UNCERTAINTY_M
        )
        # Parcels come with their own datum shift, as a polygon file of one site does.
        uncertainty_m = hypot(uncertainty_m, DATUM_UNCERTAINTY_M)
        sources.kept[key] = (
            beside,
            boundaries(
                layer.shapes[chosen[beside]],
                frame,
                uncertainty_m,
                measured=measured,
                fast=sources.fast,
            ),
        )
    beside, among = sources.kept[key]
    found = lie(local, among)
    # Numbers among the areas near by, back to numbers among those chosen.
    return replace(found, area=np.append(beside, -1)[found.area])


def _beside(shapes: NDArray[Any], frame: LocalFrame) -> NDArray[np.bool_]:
    """Which shapes come within ``SEARCH_M`` of a frame's degree cell, and some more."""
    box = shapely.bounds(shapes)
    east = (box[:, 0] <= frame.lon_deg + 2.5) & (box[:, 2] >= frame.lon_deg - 2.5)
    north = (box[:, 1] <= frame.lat_deg + 1.5) & (box[:, 3] >= frame.lat_deg - 1.5)
    return np.asarray(east & north, dtype=np.bool_)


def _forget(sources: Sources, key: tuple[str, str, LocalFrame]) -> None:
    """Let go of the frame that was made first when a layer is ready in several."""
    ready = [k for k in sources.kept if k[:2] == key[:2]]
    if len(ready) >= _FRAMES_READY:
        del sources.kept[ready[0]]


def _wildfire(local: NDArray[Any], frame: LocalFrame, sources: Sources) -> Row:
    entry = sources.entry("wildfire")
    if entry is None or entry.file is None:
        return {}
    figures = sources.profile.wildfire
    found = hazard(
        local, frame, entry.file, figures.ring_m, breaks=figures.index_breaks, fast=sources.fast
    )
    exposure = found.exposure
    day = sources.question.held_on
    in_season = wildfire.in_closed_season([day] if day else [], figures.season)
    rule = wildfire.Rule(**sources.profile.wildfire_rule.model_dump(exclude={"source"}))
    verdict = wildfire.verdict_of(wildfire.outcome(exposure, in_season=in_season, rule=rule))
    row = found.shares | {
        "wildfire_ring_high": np.asarray(exposure.ring_high),
        "wildfire_coverage": np.asarray(exposure.coverage),
        "verdict_wildfire": _capped(verdict, entry),
    }
    on_it = found.site.known > 0
    row["verdict_wildfire"] = np.where(on_it, row["verdict_wildfire"], _UNKNOWN)
    return {n: v if n.startswith("verdict") or n == "wildfire_coverage"
            else np.where(on_it, v, np.nan) for n, v in row.items()}  # fmt: skip


def _flood(local: NDArray[Any], lonlat: NDArray[Any], frame: LocalFrame, sources: Sources) -> Row:
    zones = sources.vectors("flood")
    if zones is None:
        return {}
    found = flood(local, zones.shapes, zones.fields["zone"], frame)
    verdict = flood_judge.judge(found.special, found.unstudied, found.mapped)
    row = {
        # Where mapping is missing, no special zone found is not none there.
        "flood_share": np.where(
            (found.mapped >= flood_judge.WHOLE) | (found.special > 0), found.special, np.nan
        ),
        "flood_mapped_share": found.mapped,
        "verdict_flood": _capped(verdict, zones.entry),
    }
    # Without a stated reach nothing is taken for granted: ground without a zone is unmapped.
    reach = zones.entry.coverage
    return row if reach is None else _only_where(row, _within(lonlat, reach), "verdict_flood")


def _terrain(local: NDArray[Any], frame: LocalFrame, sources: Sources) -> Row:
    entry = sources.entry("dem")
    if entry is None or entry.file is None:
        return {}
    found = steep_table(
        local, frame.crs, entry.file, sources.profile.slope.crowd_percent, fast=sources.fast
    )
    steep = found.share(frozenset({1}))
    verdict = _capped(terrain.judge(steep, found.known), entry)
    return {
        "slope_share": np.where(found.known > 0, steep, np.nan),
        "slope_coverage": found.known,
        "verdict_terrain": np.where(found.known > 0, verdict, _UNKNOWN),
    }


def _roads(lonlat: NDArray[Any], sources: Sources) -> Row:
    found = sources.near_road(lonlat)
    if found is None:
        return {}
    entry = sources.entry("roads")
    reached = np.isfinite(found.minutes)
    total = found.minutes + sources.profile.response.turnout_minutes
    row = {
        "road_distance_m": found.distance_m,
        "fronts_road": (found.distance_m <= FRONTS_WITHIN_M).astype(object),
        "station_minutes": np.where(reached, total, np.nan),
        # The ordinance has no number of minutes: what is measured is for the fire district.
        "verdict_response": np.where(reached, Verdict.NEEDS_REVIEW.value, _UNKNOWN),
    }
    covered = _within(lonlat, (entry and entry.coverage) or sources.road_box)
    return _only_where(row, covered, "verdict_response")


def _room(area_m2: NDArray[np.float64], row: Row, sources: Sources) -> Row:
    stall = sources.profile.stall
    density = min(sources.profile.crowd.m2_per_person.values())
    lost = [np.nan_to_num(row[n]) for n in ("flood_share", "slope_share") if n in row]
    usable = area_m2 * np.clip(1.0 - sum(lost, np.zeros(len(area_m2))), 0.0, 1.0)
    per_stall_m2 = standard_ft(stall.width_ft, stall.depth_ft, stall.aisle_ft).area_per_stall_m2
    found = room(
        area_m2, usable, stall_m2=per_stall_m2, person_m2=density, rule=sources.stalls_by_crowd
    )
    row = {
        "stalls_estimate": found.stalls,
        "stalls_ceiling": found.ceiling,
        "capacity": found.persons,
        "capacity_binds": found.binds.astype(object),
        # No density is law: what the ground could hold is for people to judge.
        "verdict_capacity": np.full(len(area_m2), Verdict.NEEDS_REVIEW.value, dtype=object),
    }
    required = sources.stalls_required
    if required is not None:
        verdict = parking.judge(required, found.stalls, found.ceiling, required)
        # An estimate from an area never complies; it can only show that nothing could.
        row["verdict_parking"] = _capped(verdict, None)
    return row


def _capped(verdict: NDArray[Any], entry: LayerEntry | None) -> NDArray[Any]:
    """Verdicts lowered to what the layer's grade can carry, in the one place where that is done."""
    grade = entry.grade if entry else Grade.INFERRED
    result = np.asarray(verdict, dtype=object).copy()
    for said in np.unique(np.asarray(verdict, dtype=str)):
        result[result == said] = cap(Verdict(said), [grade], plan_suffices=False)[0].value
    return result


def _shown(lonlat: NDArray[Any], layer: Vectors) -> NDArray[np.bool_]:
    """Whether a layer that does not state its reach shows anything within a kilometre or so."""
    reach_deg = 0.01
    boxes = shapely.box(*(shapely.bounds(lonlat) + reach_deg * np.array([-1, -1, 1, 1])).T)
    found = np.zeros(len(lonlat), dtype=bool)
    found[shapely.STRtree(layer.shapes).query(boxes, predicate="intersects")[0]] = True
    return found


def _within(lonlat: NDArray[Any], reach: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    west, south, east, north = reach
    box = shapely.bounds(lonlat)
    return np.asarray(
        (box[:, 0] >= west) & (box[:, 1] >= south) & (box[:, 2] <= east) & (box[:, 3] <= north)
    )


def _only_where(row: Row, covered: NDArray[np.bool_], verdict: str) -> Row:
    """Blank a row's values where the layer says nothing about the ground."""
    if covered.all():
        return row
    blank: Row = {}
    for name, values in row.items():
        missing: Any = _UNKNOWN if name == verdict else np.nan
        missing = None if values.dtype == object and name != verdict else missing
        kept = values.copy()
        kept[~covered] = missing
        blank[name] = kept
    return blank


def _named(relation: NDArray[Any]) -> NDArray[Any]:
    """Relations as they are written out: ``near`` is nearer than the data can tell."""
    return np.where(relation == "too-close", "near", relation).astype(object)


def _picked(values: NDArray[Any], numbers: NDArray[np.int64]) -> NDArray[Any]:
    found = np.full(len(numbers), None, dtype=object)
    some = numbers >= 0
    found[some] = values[numbers[some]].astype(str)
    return found


def _stale(entry: LayerEntry, as_of: date) -> bool:
    return (as_of - date(int(entry.vintage[:4]), 1, 1)).days > jurisdiction.STALE_DAYS
