"""Are there enough parking spaces on the land, and can the mapped lots hold them?"""

from __future__ import annotations

from dataclasses import dataclass

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, either, role, value
from site_eval.engine.words import number
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.units import acres

# A 9 by 18 ft stall with half a 24 ft aisle: 270 sq ft, 161 to the acre; no lot holds more.
STALL_WITH_AISLE_FT2 = 9.0 * (18.0 + 24.0 / 2)
FT2_PER_ACRE = 43_560.0
# Persons in a vehicle at rural fairs and festivals (West Virginia study, low-volume roads).
REALISTIC_OCCUPANCY = 2.33


@dataclass(frozen=True)
class Supply:
    """What is declared and what the mapped ground can hold at the most."""

    declared: float | None
    mapped: float
    ceiling: float
    inside_share: float


def judge(supply: Supply, required: float) -> tuple[Verdict, list[str]]:
    """The verdict on stalls inside the grounds; more than the ground holds is never believed."""
    stated = supply.declared if supply.declared is not None else supply.mapped
    reasons = []
    if supply.declared is not None and supply.mapped and supply.declared != supply.mapped:
        reasons.append(
            f"The plan states {number(supply.declared)} stalls, the layout's lots {number(supply.mapped)}."
        )
    if supply.inside_share < 0.999:
        reasons.append(
            f"{100 * (1 - supply.inside_share):.0f} % of the lots lies outside the land."
        )
    usable = min(stated, supply.ceiling)
    if stated > supply.ceiling:
        reasons.append(
            f"{number(stated)} stalls do not fit: the ground holds at most {number(supply.ceiling)}."
        )
    if usable < required:
        return Verdict.DOES_NOT_COMPLY, reasons
    return (Verdict.NEEDS_REVIEW if reasons else Verdict.COMPLIES), reasons


@check(
    "parking",
    subjects=("parking.spaces",),
    needs=[either(role("parking"), value("plan.parking.stalls"))],
)
def parking(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the lots inside the grounds hold a space for every so many persons.

    *Asks*: stalls on the land against the clause's rate; can the mapped ground hold them?
    *Measures*: declared stalls; the lots' area inside the land, at 270 sq ft a stall with its half
    aisle (a ceiling that no layout passes).
    *Judges*: fewer than the rate, or more than the ground can hold, does not comply; a difference
    between plan and layout, or a lot outside the land, is for a person. Parking elsewhere never
    counts as inside; the sheriff may require it.
    *Cannot say*: ground when wet, what drivers do.
    *Source*: the clause; stall and aisle dimensions of common parking codes.
    """
    required = clause.requires.resolve(case.basis).required if clause.requires else None
    if required is None:
        return [Answer(Verdict.NOT_DETERMINED, "The clause states no rate for this case.")]
    if not case.features("parking"):
        return [_unmapped(case, required)]
    supply = _supply(case)
    verdict, reasons = judge(supply, required.value)
    stated = supply.declared if supply.declared is not None else supply.mapped
    return [
        Answer(
            verdict,
            f"{number(stated)} stalls are declared inside the grounds; {number(required.value)} are "
            f"asked for ({required.formula}). The mapped lots of "
            f"{_lots_acres(case):.1f} acres could hold at most {number(supply.ceiling)}.",
            measured=Measured(value=stated, unit="stalls", high=supply.ceiling),
            required=required,
            reasons=(*reasons, *_advice(case, stated)),
            sources=(case.declared, case.layout.source),
            evidence=tuple(
                Evidence(f.geometry, f"{f.name}: {f.properties.get('spaces', '?')} stalls", "lot")
                for f in case.features("parking")
            ),
        )
    ]


def _unmapped(case: Case, required: Required) -> Answer:
    """Stalls that the plan states, with no lot on the layout to hold them."""
    stated = float(case.value("plan.parking.stalls"))
    enough = stated >= required.value
    return Answer(
        Verdict.NEEDS_REVIEW if enough else Verdict.DOES_NOT_COMPLY,
        f"The plan states {number(stated)} stalls; {number(required.value)} are asked for "
        f"({required.formula}). The layout maps no parking, so that it was not checked whether "
        "they fit.",
        measured=Measured(value=stated, unit="stalls"),
        required=required,
        reasons=("Map the lots with the role parking.",),
        sources=(case.declared,),
    )


def _supply(case: Case) -> Supply:
    lots = shapely.union_all([case.local(f.geometry) for f in case.features("parking")])
    near = case.site_local.buffer(case.land.position_uncertainty_m)
    inside = shapely.intersection(lots, near)
    obstacles = [case.local(f.geometry) for f in case.features("obstacle", "structure")]
    clear = shapely.difference(inside, shapely.union_all(obstacles))
    return Supply(
        declared=case.value("plan.parking.stalls"),
        mapped=float(sum(f.properties.get("spaces") or 0 for f in case.features("parking"))),
        ceiling=float(int(acres(clear.area) * FT2_PER_ACRE / STALL_WITH_AISLE_FT2)),
        inside_share=float(inside.area / lots.area) if lots.area else 0.0,
    )


def _advice(case: Case, stalls: float) -> list[str]:
    """What helps the sheriff and the road director, beyond the clause's number."""
    persons = case.basis.quantities["persons"]
    likely = persons / REALISTIC_OCCUPANCY
    lines = [
        f"At {REALISTIC_OCCUPANCY:g} persons a vehicle, as at rural fairs, {number(round(likely))} "
        f"vehicles come: {number(round(abs(stalls - likely)))} "
        f"{'fewer' if likely <= stalls else 'more'} than there are stalls."
    ]
    offsite = case.value("plan.parking.offsite_stalls")
    if offsite:
        lines.append(
            f"{number(offsite)} stalls elsewhere are not counted; the sheriff may require them."
        )
    return lines


def _lots_acres(case: Case) -> float:
    lots = shapely.union_all([case.local(f.geometry) for f in case.features("parking")])
    return acres(lots.area)
