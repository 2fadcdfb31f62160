"""Do the declared lamps light the central area, and do they light the boundary?"""

from __future__ import annotations

from typing import Any

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, role
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.illuminance import Lamp, boundary_maximum, grid
from site_eval.units import metres

# Medical and health facilities that are mapped as points are lit over this radius.
FACILITY_RADIUS_M = 3.0
CENTRAL_ROLES = ("assembly_area", "stage", "food")
FACILITY_ROLES = (
    "medical",
    "ambulance",
    "toilet",
    "toilet_female",
    "toilet_male",
    "handwash",
    "drinking_water",
    "shower",
)


@check("lighting", subjects=("lighting.central-area",), needs=[role("light"), role(*CENTRAL_ROLES)])
def lighting(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the lamps on the plan give the foot-candles that the clause wants.

    *Asks*: how bright is the darkest point of the central area and of the medical and health
    facilities?
    *Measures*: horizontal illuminance at grade from the lamps' declared lumens and heights, taken
    as Lambert downlights, on a grid and along the outlines; the average beside it.
    *Judges*: the clause names no average, plane or height: the strict reading is every point. A
    model of declared lamps never complies by itself; it needs a meter after dark.
    *Cannot say*: aimed floodlights, shades, dirt, aging.
    *Source*: E = I(γ)·cos³γ/h²; 1 foot-candle = 10.764 lux.
    """
    lamps, unsaid = _lamps(case)
    if not lamps:
        return [
            Answer(
                Verdict.NOT_DETERMINED,
                "The lamps on the layout state no lumens and mount_height_ft; add both.",
            )
        ]
    limit_fc = _limit_fc(case, clause)
    parts = [
        _area(case, clause, lamps, unsaid, CENTRAL_ROLES, "the central area", limit_fc),
        _area(case, clause, lamps, unsaid, FACILITY_ROLES, "the health facilities", limit_fc),
    ]
    return [answer for answer in parts if answer]


@check("lighting", subjects=("lighting.spill",), needs=[role("light")])
def spill(case: Case, clause: Clause) -> list[Answer]:
    """Ask how bright the lamps make the site's own boundary.

    *Asks*: the greatest foot-candles along the boundary.
    *Measures*: horizontal illuminance at grade from the declared lamps, every 5 m of the line.
    *Judges*: "unreasonably" has no number: always for a person, with a scale beside it.
    *Cannot say*: glare, lasers, spots and strobes.
    *Source*: E = I(γ)·cos³γ/h²; moonlight and trespass figures of the Lighting Research Center.
    """
    lamps, _ = _lamps(case)
    if not lamps:
        return [
            Answer(
                Verdict.NOT_DETERMINED,
                "The lamps on the layout state no lumens and mount_height_ft; add both.",
            )
        ]
    return [_spill(case, lamps)]


def _area(
    case: Case,
    clause: Clause,
    lamps: list[Lamp],
    unsaid: int,
    roles: tuple[str, ...],
    what: str,
    limit_fc: float,
) -> Answer | None:
    shapes = [_with_extent(case.local(f.geometry)) for f in case.features(*roles)]
    if not shapes:
        return None
    result = grid(shapely.union_all(shapes), lamps, limit_fc=limit_fc)
    dark = case.geographic(shapely.Point(*result.darkest_xy_m))
    enough = result.minimum_fc >= limit_fc
    return Answer(
        Verdict.NEEDS_REVIEW
        if enough or result.average_fc >= limit_fc
        else Verdict.DOES_NOT_COMPLY,
        f"By the declared lamps the darkest point of {what} has {result.minimum_fc:.1f} "
        f"foot-candles and the average is {result.average_fc:.1f}; "
        f"{100 * result.share_below:.0f} % of the points are under {limit_fc:g}.",
        question=f"Is {what} lit at {limit_fc:g} foot-candles?",
        measured=Measured(value=round(result.minimum_fc, 2), unit="foot-candles, darkest point"),
        required=Required(
            value=limit_fc, unit="foot-candles", formula=f"{limit_fc:g} foot-candles"
        ),
        reasons=(
            "A model of the declared lamps; only a meter after dark can show compliance.",
            f"Reading: every point (strict). {clause.reading or ''}".strip(),
            *((f"{unsaid} lamps state no lumens or height and were left out.",) if unsaid else ()),
        ),
        sources=(case.declared,),
        evidence=(Evidence(dark, f"Darkest point of {what}: {result.minimum_fc:.1f} fc", "dark"),),
    )


def _spill(case: Case, lamps: list[Lamp]) -> Answer:
    most_fc, at = boundary_maximum(case.site_local, lamps)
    return Answer(
        Verdict.NEEDS_REVIEW,
        f"By the declared lamps the site's boundary gets at most {most_fc:.2f} foot-candles. The "
        "text gives no number for light that shines unreasonably beyond it; for scale, full "
        "moonlight is about 0.03 and 0.1 is held acceptable by some.",
        measured=Measured(value=round(most_fc, 3), unit="foot-candles, brightest boundary point"),
        reasons=("'Unreasonably' is a judgement; lasers, spots and strobes are not modelled.",),
        sources=(case.declared,),
        evidence=(
            Evidence(
                case.geographic(shapely.Point(*at)),
                f"Brightest boundary point: {most_fc:.2f} fc",
                "bright",
            ),
        ),
    )


def _lamps(case: Case) -> tuple[list[Lamp], int]:
    """The lamps that can be computed, and how many cannot."""
    lamps, unsaid = [], 0
    for feature in case.features("light"):
        height_ft = feature.properties.get("mount_height_ft")
        lumens = feature.properties.get("lumens")
        if not height_ft or lumens is None:
            unsaid += 1
            continue
        point = case.local(feature.geometry).centroid
        count = feature.properties.get("count") or 1
        lamps.append(Lamp(point.x, point.y, metres(height_ft), lumens * count))
    return lamps, unsaid


def _with_extent(geometry: Any) -> Any:
    if geometry.area > 0:
        return geometry
    return geometry.buffer(FACILITY_RADIUS_M)


def _limit_fc(case: Case, clause: Clause) -> float:
    required = clause.requires.resolve(case.basis).required if clause.requires else None
    if required is None:
        raise ValueError(f"clause {clause.id} states no foot-candles")
    return required.value
