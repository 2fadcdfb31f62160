"""How many people can reasonably assemble on the mapped ground, and how many can sleep there?"""

from __future__ import annotations

from typing import Any

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, role
from site_eval.engine.words import number
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.egress import (
    Capacity,
    Limit,
    area_persons,
    capacity,
    egress,
)
from site_eval.units import acres, metres

FACILITIES = {
    "parking.spaces": "the parking",
    "toilets.female": "the women's toilets",
    "toilets.male": "the men's toilets",
    "water.drinking": "the drinking water",
    "security.guards": "the guards",
}
EXIT_ROLES = ("public_exit", "public_entrance", "emergency_exit", "gate")
SOLID_ROLES = ("structure", "obstacle", "stage", "food", "medical")


@check("capacity", subjects=("capacity.persons",), needs=[role("assembly_area")])
def reasonable(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the maximum is more than can reasonably assemble at the location.

    *Asks*: which of the limits binds, and is the declared maximum below it?
    *Measures*: the assembly area net of structures at a density for the kind of event; people
    through the exits with the largest lost; people that the vehicles in the stalls carry; people
    that the declared facilities serve at the ordinance's own rates.
    *Judges*: the text gives no density: below every limit is for a person to confirm, above one
    that the tool proposed is too. The tool proposes, people decide.
    *Cannot say*: sight lines, crowd behaviour, what is reasonable.
    *Source*: HSG195 (0.5 m² a person, one exit discounted), Guide to Safety at Sports Grounds
    (82 persons a metre a minute, 8 minutes).
    """
    result = capacity(_limits(case))
    persons = case.basis.quantities["persons"]
    if result.persons is None:
        return [Answer(Verdict.NOT_DETERMINED, "No limit of the location could be measured.")]
    within = persons <= result.persons
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"The mapped location holds about {number(result.persons)} people, bound by "
            f"{result.binding}; {number(persons)} are "
            f"{'fewer' if within else 'more'}. The ordinance gives no density, so that a person "
            "decides what is reasonable.",
            measured=Measured(value=persons, unit="persons"),
            required=Required(
                value=float(result.persons),
                unit="persons",
                comparison="at-most",
                formula=_formula(result),
            ),
            reasons=(*_limit_words(result), *case.notes),
            sources=(case.layout.source,),
            evidence=tuple(
                Evidence(feature.geometry, feature.name or "Assembly area", "assembly")
                for feature in case.features("assembly_area")
            ),
        )
    ]


@check("capacity", subjects=("capacity.overnight",), answers_unstated=True)
def overnight(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether more people stay overnight than may sleep on the land.

    *Asks*: sleepers against the limit that zoning or health rules set for the location.
    *Measures*: declared sleepers; the declared limit; beside them the mapped camping ground at a
    family density.
    *Judges*: without a number from planning and zoning and the health district nothing is decided.
    *Cannot say*: what the zoning allows.
    *Source*: the clause; camping density from event guidance (about 215 tents a hectare).
    """
    if not case.application.event.overnight:
        return [Answer(Verdict.NOT_APPLICABLE, "Nobody stays overnight.", sources=(case.declared,))]
    sleepers = case.basis.quantities.get("overnight_persons")
    if sleepers is None:
        return [
            Answer(Verdict.NOT_DETERMINED, "The application does not state attendance.overnight.")
        ]
    ground = shapely.union_all([case.local(f.geometry) for f in case.features("camping")])
    advice = (
        f"The mapped camping ground of {acres(ground.area):.1f} acres holds about "
        f"{number(int(ground.area / 10_000 * case.profile.crowd.campers_per_ha))} at a family density."
        if ground.area > 0
        else "The layout maps no camping ground."
    )
    limit = case.value("plan.camping.zoning_limit")
    if limit is None:
        statement = (
            f"{number(sleepers)} people stay overnight; no limit by zoning or health rules is "
            "stated (plan.camping.zoning_limit). Ask planning and zoning and the health district."
        )
        return [
            Answer(
                Verdict.NOT_DETERMINED,
                statement,
                measured=Measured(value=sleepers, unit="persons overnight"),
                reasons=(advice,),
                sources=(case.declared,),
            )
        ]
    within = sleepers <= limit
    return [
        Answer(
            Verdict.NEEDS_REVIEW if within else Verdict.DOES_NOT_COMPLY,
            f"{number(sleepers)} people stay overnight, against a stated limit of {number(limit)}.",
            measured=Measured(value=sleepers, unit="persons overnight"),
            required=Required(
                value=float(limit),
                unit="persons",
                comparison="at-most",
                formula="limit stated by the applicant; zoning confirms it",
            ),
            reasons=(
                advice,
                *(("The limit is the applicant's word; zoning confirms it.",) if within else ()),
            ),
            sources=(case.declared,),
        )
    ]


def _limits(case: Case) -> list[Limit]:
    """Each bound on the crowd that the layout and the plan give."""
    nature = case.application.event.nature or "concert"
    figures = case.profile.crowd
    density = figures.m2_per_person.get(nature, min(figures.m2_per_person.values()))
    net_m2 = _net_area_m2(case)
    widths = [metres(width) for width in _exit_widths_ft(case)]
    minutes = figures.exit_minutes
    out = egress(widths, rate_per_m_min=figures.exit_rate_per_m_min)
    occupancy = case.profile.vehicles.persons_per_vehicle
    stalls = case.value("plan.parking.stalls")
    return [
        Limit(
            "the assembly area",
            area_persons(net_m2, density),
            f"{number(round(net_m2))} m² net at {density:g} m² a person ({nature})",
        ),
        Limit(
            "the exits",
            out.persons(minutes) if widths else None,
            f"{out.width_m:.1f} m of exits, the largest lost, at "
            f"{out.rate_per_m_min:g} a metre a minute in "
            f"{minutes:g} minutes",
        ),
        Limit(
            "the parking, at what vehicles carry",
            occupancy * stalls if stalls else None,
            f"{number(stalls or 0)} spaces, {occupancy:g} persons a vehicle",
        ),
        *_by_clauses(case),
    ]


def _by_clauses(case: Case) -> list[Limit]:
    """How many people the declared facilities serve at the ordinance's own rates."""
    persons = case.basis.quantities["persons"]
    limits = []
    for clause in case.ordinance.clauses:
        if clause.subject not in FACILITIES or clause.requires is None:
            continue
        required = clause.requires.resolve(case.basis).required
        values = [case.value(path) for path in clause.declared_paths]
        declared = sum(value for value in values if value is not None)
        if required is not None and required.value > 0 and any(v is not None for v in values):
            limits.append(
                Limit(
                    f"{FACILITIES[clause.subject]}, at the ordinance's rate",
                    persons * declared / required.value,
                    f"{number(declared)} {required.unit} declared, {number(required.value)} asked for",
                )
            )
    return limits


def _net_area_m2(case: Case) -> float:
    ground: Any = shapely.union_all(
        [case.local(f.geometry) for f in case.features("assembly_area")]
    )
    solid = shapely.union_all([case.local(f.geometry) for f in case.features(*SOLID_ROLES)])
    return float(shapely.difference(ground, solid).area)


def _exit_widths_ft(case: Case) -> list[float]:
    return [
        float(feature.properties["width_ft"])
        for feature in case.features(*EXIT_ROLES)
        if feature.properties.get("width_ft")
    ]


def _formula(result: Capacity) -> str:
    known = [f"{limit.name} {number(int(limit.persons))}" for limit in result.limits
             if limit.persons is not None]  # fmt: skip
    return f"least of: {'; '.join(known)}"


def _limit_words(result: Capacity) -> list[str]:
    return [
        f"{limit.name[:1].upper()}{limit.name[1:]}: "
        + (f"{number(int(limit.persons))} people" if limit.persons is not None else "not measured")
        + f" ({limit.basis})."
        for limit in result.limits
    ]
