"""Does the land lie in the county, and outside every incorporated municipality?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from math import hypot
from typing import Any, cast

import shapely

from site_eval.case import Case, LayerData
from site_eval.crs import DATUM_UNCERTAINTY_M
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer
from site_eval.judges.jurisdiction import (
    ANNEXATION_M,
    INACTIVE,
    ORDER,
    STALE_DAYS,
    judge,
    judge_county,
)
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.overlap import Overlap, Relation, classify_measures, overlap
from site_eval.units import MILE_FT, feet

# A place farther away than this is not drawn or named.
_SEARCH_M = 60_000.0


@dataclass(frozen=True)
class Place:
    """A municipality, its overlap with the site, and the uncertainty of the comparison."""

    name: str
    active: bool
    overlap: Overlap
    uncertainty_m: float
    layer: LayerData
    geometry: Any


@check(
    "jurisdiction",
    subjects=("jurisdiction.municipality",),
    needs=[layer("places")],
    scope=True,
)
def municipality(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the land is outside every incorporated municipality.

    *Asks*: outside, inside, partly inside, or too close to call?
    *Measures*: overlap with and distance to every incorporated place (TIGER class C, never a
    census-designated place) in the site's own projection, with the 95 % uncertainty of the land's
    boundary, of the layer's lines and of the datum added in squares.
    *Judges*: outside only when no municipality comes within that uncertainty; inside only when the
    whole site with its uncertainty lies within one. Limits older than two years within a mile of
    the site are for a person: annexation cannot be excluded.
    *Cannot say*: annexations since the layer's date; areas of city impact (they are not limits).
    *Source*: the places layer; class codes of the Census Bureau.
    """
    places = _places(case)
    layers = case.layers("places", within_m=_SEARCH_M)
    reached = any(data.reaches(case.land.geometry) for data in layers)
    if not places:
        return [_none_near(case) if reached else _unsaid(layers[0])]
    nearest = min(places, key=lambda p: (p.overlap.distance_m, -p.overlap.share))
    relations = {_relation(p.overlap, p.uncertainty_m): p for p in reversed(places)}
    deciding = next(relation for relation in ORDER if relation in relations)
    if deciding == "outside" and not reached:
        return [_unsaid(nearest.layer)]
    place = nearest if deciding == "outside" else relations[deciding]
    return [_place_answer(case, place, deciding)]


@check(
    "jurisdiction",
    subjects=("jurisdiction.county", "jurisdiction.municipality"),
    needs=[layer("county")],
    scope=True,
)
def county(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the land is in the county whose ordinance this is.

    *Asks*: is the whole site within the county?
    *Measures*: the share of the site in the county's polygon, with the uncertainty of both lines.
    *Judges*: whole: yes; none: the ordinance does not apply; part or within the uncertainty of the
    line: a person decides.
    *Cannot say*: where the surveyed county line is.
    *Source*: the county layer, by the county's FIPS code.
    """
    fips = case.ordinance.jurisdiction.fips
    for data in case.layers("county", within_m=1_000.0):
        if not data.reaches(case.land.geometry):
            return [_unsaid(data, f"Does the land lie in {case.ordinance.jurisdiction.name}?")]
        rows = data.rows
        if "geoid" in rows:
            rows = rows[rows["geoid"].astype(str) == fips]
        area = case.local(shapely.union_all(rows.geometry.to_numpy())) if len(rows) else None
        return [_county_answer(case, data, area)]
    return []


def _county_answer(case: Case, data: LayerData, area: Any) -> Answer:
    """The answer for the county's polygon, which is ``None`` when no part of it is near."""
    name = case.ordinance.jurisdiction.name
    uncertainty_m = _combined_m(case, data.entry.uncertainty_m)
    measured = overlap(case.site_local, [area])[0] if area is not None else None
    standing = _relation(measured, uncertainty_m) if measured else "outside"
    share = 100 * measured.share if measured else 0.0
    return Answer(
        Verdict(str(judge_county(standing))),
        _COUNTY_WORDS[standing].format(
            name=name,
            share=f"{share:.1f}",
            margin=_distance(measured.clearance_m if measured else 0.0),
            uncertainty=f"{uncertainty_m:.0f} m",
        ),
        question=f"Does the land lie in {name}?",
        measured=Measured(value=round(share, 2), unit="% of the site in the county"),
        reasons=(f"95 % uncertainty of the comparison: {uncertainty_m:.0f} m.",),
        sources=(data.source,),
        background=case.land.sources,
        on_land=True,
        unbinds=standing == "outside",
    )


_COUNTY_WORDS: dict[Relation, str] = {
    "inside": "The whole site lies in {name}, {margin} from its line at the nearest.",
    "outside": "No part of the land lies in {name}: its ordinance does not apply.",
    "partly": "Only {share} % of the site lies in {name}; the rest is another county's.",
    "too-close": "The line of {name} is nearer to the site's boundary than the {uncertainty} by "
    "which the data may be off: they cannot decide.",
}


def _place_answer(case: Case, place: Place, relation: Relation) -> Answer:
    """The answer that one municipality decides."""
    distance_m = place.overlap.distance_m
    stale = _stale(place, case.as_of)
    verdict = Verdict(str(judge(relation, distance_m, active=place.active, stale=stale)))
    reasons = list(_reasons(case, place))
    if relation == "outside" and verdict is Verdict.NEEDS_REVIEW:
        reasons.append(
            f"The limits are those of {place.layer.source.vintage} and less than a mile away: ask "
            f"{place.name} for annexations since."
        )
    return Answer(
        verdict,
        _words(place, relation),
        measured=Measured(
            value=round(distance_m, 1),
            unit="m to the nearest municipality",
            low=round(max(0.0, distance_m - place.uncertainty_m), 1),
            high=round(distance_m + place.uncertainty_m, 1),
        ),
        required=Required(
            value=0.0, unit="m", comparison="none", formula="outside every municipality"
        ),
        reasons=tuple(reasons),
        sources=(place.layer.source,),
        background=case.land.sources,
        on_land=True,
        evidence=(_between(case, place),),
        unbinds=verdict is Verdict.NOT_APPLICABLE,
    )


def _words(place: Place, relation: Relation) -> str:
    if relation == "inside":
        return (
            f"The whole site lies inside {place.name}, {_distance(place.overlap.clearance_m)} from "
            "its limits: the ordinance does not apply to assemblies within a municipality."
        )
    if relation == "outside":
        return (
            f"The site lies outside every incorporated municipality; the nearest is {place.name}, "
            f"{_distance(place.overlap.distance_m)} away."
        )
    if relation == "partly":
        return (
            f"{100 * place.overlap.share:.1f} % of the site lies inside {place.name}; the ordinance "
            "does not say what holds for a site on both sides of the limits."
        )
    return (
        f"The limits of {place.name} are nearer to the site's boundary than the "
        f"{place.uncertainty_m:.0f} m by which the data may be off: they cannot decide."
    )


def _reasons(case: Case, place: Place) -> list[str]:
    reasons = [
        f"95 % uncertainty of the comparison: {place.uncertainty_m:.0f} m "
        f"(land {case.land.position_uncertainty_m:.0f} m, limits "
        f"{place.layer.entry.uncertainty_m:.0f} m, datum {DATUM_UNCERTAINTY_M:.1f} m)."
    ]
    if not place.active:
        reasons.append(f"The Census Bureau lists {place.name} as inactive.")
    return reasons


def _none_near(case: Case) -> Answer:
    data = case.layers("places", within_m=_SEARCH_M)[0]
    return Answer(
        Verdict.COMPLIES,
        f"No incorporated municipality lies within {_SEARCH_M / 1000:.0f} km of the site.",
        measured=Measured(
            value=_SEARCH_M, unit="m to the nearest municipality", low=_SEARCH_M, high=None
        ),
        sources=(data.source,),
        background=case.land.sources,
        on_land=True,
    )


def _unsaid(data: LayerData, question: str | None = None) -> Answer:
    return Answer(Verdict.NOT_DETERMINED, data.silent(), question, sources=(data.source,))


def _places(case: Case) -> list[Place]:
    """Every incorporated place near by, measured."""
    found = []
    for data in case.layers("places", within_m=_SEARCH_M):
        rows = data.rows[data.rows["class"].astype(str).str.startswith("C")]
        local = [case.local(geometry) for geometry in rows.geometry]
        for (_, row), area, measured in zip(
            rows.iterrows(), local, overlap(case.site_local, local), strict=True
        ):
            found.append(
                Place(
                    name=str(row["name"]),
                    active=str(row["status"]) not in INACTIVE,
                    overlap=measured,
                    uncertainty_m=_combined_m(case, data.entry.uncertainty_m),
                    layer=data,
                    geometry=area,
                )
            )
    return found


def _relation(measured: Overlap, uncertainty_m: float) -> Relation:
    return cast(
        "Relation",
        str(
            classify_measures(
                measured.distance_m,
                measured.clearance_m,
                measured.sticks_out_m,
                measured.reaches_in_m,
                uncertainty_m,
            )
        ),
    )


def _combined_m(case: Case, layer_uncertainty_m: float) -> float:
    return hypot(case.land.position_uncertainty_m, layer_uncertainty_m, DATUM_UNCERTAINTY_M)


def _between(case: Case, place: Place) -> Evidence:
    """The shortest line to the place, or the common part where they overlap."""
    if place.overlap.distance_m > 0:
        line = shapely.shortest_line(case.site_local, place.geometry)
        return Evidence(case.geographic(line), f"{_distance(line.length)} to {place.name}")
    common = shapely.intersection(case.site_local, place.geometry)
    return Evidence(case.geographic(common), f"Inside {place.name}", kind="overlap")


def _stale(place: Place, as_of: date) -> bool:
    year = int(place.layer.source.vintage[:4])
    return (as_of - date(year, 1, 1)).days > STALE_DAYS


def _distance(distance_m: float) -> str:
    """A distance in feet, or in miles from a mile on."""
    if distance_m >= ANNEXATION_M:
        return f"{feet(distance_m) / MILE_FT:,.1f} miles"
    return f"{feet(distance_m):,.0f} ft"
