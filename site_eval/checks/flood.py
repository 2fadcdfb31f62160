"""Does the site lie in a mapped flood hazard area?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import shapely

from site_eval.case import Case, LayerData
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer
from site_eval.judges.flood import SPECIAL, UNSTUDIED, WHOLE, judge
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured
from site_eval.record.verdict import Verdict


@check("flood", subjects=("location.flood",), needs=[layer("flood")])
def flood(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the site lies in a Special Flood Hazard Area or a floodway.

    *Asks*: what share of the site is in which flood zone?
    *Measures*: overlap of the site with the zones of the flood layer, in the site's projection.
    *Judges*: no special zone on fully mapped land complies; a special zone is for a person, with
    camping in it or a floodway named; unmapped land is never taken as dry.
    *Cannot say*: flash floods of small streams, a dam's failure, what the map's date left out.
    *Source*: the flood layer (National Flood Hazard Layer field FLD_ZONE).
    """
    return [_answer(case, data) for data in case.layers("flood", within_m=500.0)]


def _answer(case: Case, data: LayerData) -> Answer:
    site = case.site_local
    if data.entry.coverage is not None and not data.reaches(case.land.geometry):
        question = "Does the site lie in a mapped flood hazard area?"
        return Answer(Verdict.NOT_DETERMINED, data.silent(), question, sources=(data.source,))
    zones = [
        (str(row["zone"]).strip(), case.local(row.geometry)) for _, row in data.rows.iterrows()
    ]
    special = _common(site, (area for zone, area in zones if zone in SPECIAL))
    unstudied = _common(site, (area for zone, area in zones if zone in UNSTUDIED))
    mapped = _common(site, (area for _, area in zones))
    shares = [part.area / site.area for part in (special, unstudied, mapped)]
    camping = [case.local(feature.geometry) for feature in case.features("camping")]
    camped = _common(special, camping).area > 0
    return Answer(
        Verdict(str(judge(*shares))),
        _statement(shares, camping_flooded=camped),
        question="Does the site lie in a mapped flood hazard area?",
        measured=Measured(
            value=round(100 * shares[0], 1), unit="% of the site in a Special Flood Hazard Area"
        ),
        reasons=(
            *(("A camping area lies in a Special Flood Hazard Area.",) if camped else ()),
            f"Zones mapped on {100 * shares[2]:.0f} % of the site.",
        ),
        sources=(data.source,),
        background=case.land.sources,
        on_land=True,
        evidence=(Evidence(case.geographic(special), "Special Flood Hazard Area", kind="flood"),),
    )


def _statement(shares: list[float], *, camping_flooded: bool) -> str:
    special, unstudied, mapped = shares
    if special:
        what = f"{100 * special:.1f} % of the site is in a Special Flood Hazard Area"
        return f"{what}{', camping among it' if camping_flooded else ''}."
    if mapped < WHOLE:
        return f"{100 * (1 - mapped):.0f} % of the site has no flood mapping; that is not dry land."
    if unstudied:
        return f"{100 * unstudied:.0f} % of the site is in a zone that was not studied (D)."
    return "No part of the site is in a mapped Special Flood Hazard Area."


def _common(site: Any, areas: Iterable[Any]) -> Any:
    found = [area for area in areas if not area.is_empty]
    return shapely.intersection(site, shapely.union_all(found))
