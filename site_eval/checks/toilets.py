"""Do the mapped toilets agree with the declared ones, and are they throughout the grounds?"""

from __future__ import annotations

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, role
from site_eval.layout import Feature
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.units import feet

TOILET_ROLES = ("toilet_female", "toilet_male", "toilet")
USED_ROLES = ("assembly_area", "camping", "parking", "food")


@check("toilets", subjects=("toilets.spread",), needs=[role(*TOILET_ROLES), role(*USED_ROLES)])
def spread(case: Case, clause: Clause) -> list[Answer]:
    """Ask how far the used grounds are from a toilet, and whether map and plan agree.

    *Asks*: what is the farthest point of the used grounds from a toilet for either sex?
    *Measures*: straight distances from the outline of each used area to the nearest bank.
    *Judges*: "conveniently located" is a judgement: always for a person, with the worst area named.
    *Cannot say*: the walk around fences; queues.
    *Source*: the clause; 300 ft is the tool's own proposal.
    """
    far_ft, area, at = _farthest(case)
    counts = _counts(case)
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"The farthest point of the used grounds is {far_ft:,.0f} ft from a toilet, in "
            f"{area.name or area.role.replace('_', ' ')}; {counts}.",
            measured=Measured(
                value=round(far_ft, 0), unit="ft to the nearest toilet, farthest point"
            ),
            required=Required(
                value=case.profile.walk.toilet_ft,
                unit="ft",
                comparison="none",
                formula="advice; the text has no number",
            ),
            reasons=("'Conveniently located throughout the grounds' is a judgement.",),
            sources=(case.layout.source,),
            evidence=(Evidence(case.geographic(at), f"{far_ft:,.0f} ft to a toilet", "far"),),
        )
    ]


def _farthest(case: Case) -> tuple[float, Feature, shapely.Point]:
    """The farthest vertex or edge point of any used area from the nearest toilet bank."""
    banks = shapely.union_all([case.local(f.geometry) for f in case.features(*TOILET_ROLES)])
    found = []
    for area in case.features(*USED_ROLES):
        shape = case.local(area.geometry)
        outline = shape.boundary if shape.area > 0 else shape
        spots = shapely.get_coordinates(shapely.segmentize(outline, 3.0))
        points = [shapely.Point(spot) for spot in spots]
        worst = max(points, key=banks.distance)
        found.append((feet(float(banks.distance(worst))), area, worst))
    return max(found, key=lambda item: item[0])


def _counts(case: Case) -> str:
    """The mapped units beside the declared ones."""
    parts = []
    for name, path in (("toilet_female", "female"), ("toilet_male", "male")):
        mapped = sum(f.properties.get("count") or 1 for f in case.features(name))
        declared = case.value(f"plan.toilets.{path}")
        parts.append(
            f"{mapped} for {path}s mapped, {declared if declared is not None else 'none'} stated"
        )
    return "; ".join(parts)
