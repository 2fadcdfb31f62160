"""Does the legal description describe the land that the layout uses?"""

from __future__ import annotations

from typing import Any

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check
from site_eval.engine.words import listed
from site_eval.layout import Feature
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured
from site_eval.record.verdict import Verdict
from site_eval.units import feet

# Roads that lead to the land and the gates on its line may lie beyond it.
BEYOND_ROLES = {"public_road", "road", "fire_lane", "fence", "site"}
DRAWING_M = 5.0


@check("ownership", subjects=("ownership.description",))
def description(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the description was read whole and placed, and whether the layout lies on it.

    *Asks*: is anything of the description unread, doubtful or not drawable; does any mapped thing
    lie off the described land?
    *Measures*: the doubts of reading and placing; how far each mapped thing reaches beyond the
    land, against the land's own position uncertainty.
    *Judges*: read whole, placed, and everything on it complies; any doubt is for a person.
    *Cannot say*: title; whether the described land is the applicant's to use; where a surveyor
    would set the corners.
    *Source*: the description; the sources that placed it.
    """
    land = case.land
    within_m = land.position_uncertainty_m + DRAWING_M
    beyond = [(f, d) for f in case.layout.features if f.role not in BEYOND_ROLES
              and (d := _beyond_m(case, f)) > within_m]  # fmt: skip
    doubts = [*land.needs_review, *land.warnings]
    if beyond:
        farthest = max(d for _, d in beyond)
        doubts.append(
            f"{listed(f.name or f.role for f, _ in beyond)} lie{'s' if len(beyond) == 1 else ''} up "
            f"to {feet(farthest):,.0f} ft beyond the described land."
        )
    statement = (
        f"Read as {land.understood or land.text}: {land.area_acres:,.2f} acres, every point of its "
        f"boundary placed to within {feet(land.position_uncertainty_m):,.0f} ft (95 %) by "
        f"{land.method.replace('-', ' ')}."
    )
    return [
        Answer(
            Verdict.NEEDS_REVIEW if doubts else Verdict.COMPLIES,
            statement,
            "Does the description describe the land that the layout uses?",
            measured=Measured(
                value=round(land.area_acres, 2),
                unit="acres",
                low=round(land.area_acres - 2 * land.area_sd_acres, 2),
                high=round(land.area_acres + 2 * land.area_sd_acres, 2),
            ),
            reasons=tuple(doubts),
            sources=(case.declared,),
            background=land.sources,
            evidence=(
                Evidence(land.geometry, land.understood or "The land", "land"),
                *(
                    Evidence(f.geometry, f"{f.name or f.role}: off the land", "off")
                    for f, _ in beyond
                ),
            ),
        )
    ]


def _beyond_m(case: Case, feature: Feature) -> float:
    """How far a thing reaches beyond the land, metres."""
    rest: Any = shapely.difference(case.local(feature.geometry), case.site_local)
    if rest.is_empty:
        return 0.0
    corners = shapely.points(shapely.get_coordinates(rest))
    return float(shapely.distance(corners, case.site_local).max())
