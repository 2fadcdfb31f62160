"""How long does a fire engine or an ambulance take from the nearest station?"""

from __future__ import annotations

from site_eval.case import Case, LayerData
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer, role
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured
from site_eval.record.verdict import Verdict
from site_eval.solvers.travel import minutes_between, road_graph
from site_eval.units import MILE_FT, metres

REACH_MILES = 40.0
REACH_M = metres(REACH_MILES * MILE_FT)


@check(
    "emergency-access",
    subjects=("emergency.access",),
    needs=[layer("roads"), layer("stations"), role("emergency_entrance")],
)
def response(case: Case, clause: Clause) -> list[Answer]:
    """Ask how many minutes by road the emergency entrance is from the nearest station.

    *Asks*: the shortest travel time from any mapped station, with the turnout before it.
    *Measures*: shortest way over the road layer at one speed for all roads, both of the profile.
    *Judges*: the ordinance has no number: always for the fire district, never compliance.
    *Cannot say*: who is on call, closed roads, volunteers' way to the station.
    *Source*: the road and station layers; speed and turnout of the profile.
    """
    figures = case.profile.response
    roads = case.layers("roads", within_m=REACH_M)
    stations = case.layers("stations", within_m=REACH_M)
    lines = [case.local(r) for data in roads for r in data.rows.geometry]
    starts = [case.local(s).centroid for data in stations for s in data.rows.geometry]
    sources = tuple(data.source for data in (*roads, *stations))
    question = "How long does help take from the nearest station?"
    missing = _missing(roads, stations)
    if missing:
        return [Answer(Verdict.NOT_DETERMINED, missing, question, sources=sources)]
    network = road_graph(lines, [figures.speed_mph] * len(lines))
    gate = case.features("emergency_entrance")[0]
    travel = minutes_between(network, starts, [case.local(gate.geometry)])[0].minutes
    if travel is None:
        said = "The road layer does not lead from any mapped station to the emergency entrance."
        return [Answer(Verdict.NOT_DETERMINED, said, question, sources=sources)]
    total = travel + figures.turnout_minutes
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"By road at {figures.speed_mph:g} mph the emergency entrance is {travel:.0f} minutes from "
            f"the nearest station, {total:.0f} with {figures.turnout_minutes:g} minutes to turn out. "
            "The ordinance has no number; the fire district judges it.",
            question,
            measured=Measured(value=round(total, 1), unit="minutes from alarm to gate"),
            reasons=(f"Speed and turnout: {figures.source}.",),
            sources=sources,
            evidence=(Evidence(gate.geometry, f"{total:.0f} minutes from a station", "gate"),),
        )
    ]


def _missing(roads: list[LayerData], stations: list[LayerData]) -> str:
    """What keeps the time from being told: a layer that shows nothing within reach."""
    for what, layers in (("road", roads), ("station", stations)):
        if not any(len(data.rows) for data in layers):
            names = ", ".join(data.entry.name for data in layers)
            return (
                f"No {what} within {REACH_MILES:g} miles is on {names}; name a layer of this area in "
                "the catalog."
            )
    return ""
