"""Are the fire apparatus access roads wide enough, long enough, and safe against one block?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, role
from site_eval.engine.words import listed
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers import access_graph as access
from site_eval.solvers.clearance import (
    Bottleneck,
    Turn,
    beyond_reach,
    bottleneck,
    turnaround,
    turns,
)
from site_eval.solvers.dead_ends import dead_ends
from site_eval.units import feet, metres
from site_eval.ways import SERVED_ROLES, WAY_ROLES, doors, drivable, gate_features, network

_CONFIRM = "The fire district confirms the edition of the fire code and its figures."
# A drawn width within this of the figure is the figure: the error of measuring a drawing.
_MEASURING_FT = 0.1


@check("emergency-access", subjects=("fire.lanes",), needs=[role("fire_lane", "road")])
def fire_lanes(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the fire apparatus access roads are wide enough, and what one block cuts off.

    *Asks*: what is the widest vehicle that passes from the entrance to the exit; is every lane as
    wide as the fire code's figure; does every place lie within reach of a lane; do lanes end
    without a way out; can a fire engine take the bends; which single block cuts a place off?
    *Measures*: the bottleneck by bisection on the drivable surface, what stands on it taken out;
    each lane's narrowest cross section; the gates' declared widths; ground farther than the reach
    from any lane; dead ends, and whether a hammerhead or a circle fits at their end;
    the ring that a fire engine sweeps in each bend; the network with each stretch taken out.
    *Judges*: a lane under the figure does not comply; the clause names the fire code, whose edition
    and figures the fire district confirms, so that the rest is for that review.
    *Cannot say*: clear height, bearing capacity, ground when wet, gradients without an elevation
    layer, whether a gate is locked.
    *Source*: International Fire Code 503.1.1, 503.2.1, 503.2.4, 503.2.5, figures of the profile.
    """
    return [
        _width(case),
        _reach(case),
        *_gates(case),
        *_dead_ends(case),
        *_bends(case),
        *_blocks(case),
    ]


def judge(least_ft: float, figure_ft: float) -> Verdict:
    """The verdict on the narrowest lane; wide enough is still the fire district's to confirm."""
    if least_ft < figure_ft - _MEASURING_FT:
        return Verdict.DOES_NOT_COMPLY
    return Verdict.NEEDS_REVIEW


def _width(case: Case) -> Answer:
    figure_ft = case.profile.fire_access.lane_width_ft
    edges = network(case).edges
    lanes = [e for e in edges if e.role == "fire_lane"] or list(edges)
    narrow = [e for e in lanes if feet(e.width_m) < figure_ft - _MEASURING_FT]
    least_ft = min(feet(e.width_m) for e in lanes)
    names = tuple(dict.fromkeys(e.name for e in narrow))
    return Answer(
        judge(least_ft, figure_ft),
        f"The narrowest fire lane is {least_ft:.1f} ft wide{f': {listed(names)}' if names else ''}. "
        f"{_through(case)} The fire code asks for {figure_ft:g} ft unobstructed.",
        question="Are the fire lanes wide enough for a fire engine?",
        measured=Measured(value=round(least_ft, 1), unit="ft, narrowest fire lane"),
        required=Required(
            value=figure_ft, unit="ft", formula=f"{figure_ft:g} ft, fire code 503.2.1"
        ),
        reasons=(
            *_assumed(case),
            _CONFIRM,
            "Clear height (13 ft 6 in) and bearing capacity are not on a plan.",
        ),
        sources=(case.layout.source,),
        evidence=(
            *_pinch(case),
            *(
                Evidence(case.geographic(e.line), f"{e.name}: {feet(e.width_m):.1f} ft", "narrow")
                for e in narrow
            ),
        ),
    )


def _pinch(case: Case) -> list[Evidence]:
    """A line across the place that holds back the widest vehicle between the gates."""
    neck = _neck(case)
    if neck is None or neck.pinch is None:
        return []
    label = f"Widest vehicle: {feet(neck.width_m):.1f} ft" if neck.width_m else "Gap in the way"
    return [Evidence(case.geographic(neck.pinch), label, "pinch")]


def _gates(case: Case) -> list[Answer]:
    """Whether the emergency gates are as wide as the fire code's figure."""
    figure_ft = case.profile.fire_access.gate_width_ft
    gates = case.features("emergency_entrance", "emergency_exit")
    stated = [f for f in gates if f.properties.get("width_ft")]
    if not gates:
        return []
    question = "Are the emergency gates wide enough for a fire engine?"
    if not stated:
        said = "The layout states no width_ft for the emergency gates; add it."
        return [Answer(Verdict.NOT_DETERMINED, said, question)]
    least_ft = min(float(f.properties["width_ft"]) for f in stated)
    narrow = [f for f in stated if float(f.properties["width_ft"]) < figure_ft]
    unsaid = [f for f in gates if f not in stated]
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"The narrowest emergency gate is declared as {least_ft:.1f} ft wide; the fire code asks "
            f"for {figure_ft:g} ft{f': {listed(f.name for f in narrow)} is less' if narrow else ''}.",
            question,
            measured=Measured(value=round(least_ft, 1), unit="ft, narrowest emergency gate"),
            required=Required(
                value=figure_ft, unit="ft", formula=f"{figure_ft:g} ft, fire code D103.5"
            ),
            reasons=(
                *((f"No width is stated for {listed(f.name for f in unsaid)}.",) if unsaid else ()),
                _CONFIRM,
            ),
            sources=(case.layout.source,),
            evidence=tuple(
                Evidence(f.geometry, f"{f.name}: {f.properties['width_ft']:g} ft", "narrow")
                for f in narrow
            ),
        )
    ]


def _assumed(case: Case) -> list[str]:
    """Say so where a way is a line whose width nobody stated: its width is no measurement."""
    mapped = case.features(*WAY_ROLES)
    bare = [f for f in mapped if f.geometry.area == 0 and not f.properties.get("width_ft")]
    if not bare:
        return []
    stated = case.value("plan.fire.lane_width_ft")
    taken = f"the {stated:g} ft of the plan" if stated else "the fire code's figure"
    return [
        f"{len(bare)} of {len(mapped)} ways are lines without a width; {taken} is taken for them "
        "and was not measured."
    ]


def _through(case: Case) -> str:
    """The widest vehicle between the emergency gates, in words."""
    neck = _neck(case)
    if neck is None:
        return "No entrance and exit are mapped to pass between."
    if neck.width_m == 0:
        return "No mapped way leads from the entrance to the exit."
    return f"From the entrance to the exit a vehicle of {feet(neck.width_m):.1f} ft passes."


def _neck(case: Case) -> Bottleneck | None:
    ins, outs = case.features("emergency_entrance"), case.features("emergency_exit")
    if not ins or not outs:
        return None
    gates = [case.local(f.geometry) for f in (ins[0], outs[0])]
    return bottleneck(drivable(case), *gates)


def _reach(case: Case) -> Answer:
    reach_ft = case.profile.fire_access.reach_ft
    places = [f for f in case.features(*SERVED_ROLES) if f.role != "parking"]
    rest = beyond_reach([case.local(f.geometry) for f in places], drivable(case), metres(reach_ft))
    far = [(f, r) for f, r in zip(places, rest, strict=True) if r.area > 1.0]
    names = listed([f.name or f.role for f, _ in far])
    return Answer(
        Verdict.NEEDS_REVIEW,
        f"Parts of {names} are farther than {reach_ft:g} ft from a way."
        if far
        else f"Every mapped place that people use is within {reach_ft:g} ft of a way, in a "
        "straight line.",
        question="Is every place within reach of a fire lane?",
        reasons=(_CONFIRM, "The code's distance is that of the hose; a fence makes it longer."),
        sources=(case.layout.source,),
        evidence=tuple(
            Evidence(case.geographic(r), f"Beyond {reach_ft:g} ft: {f.name}", "reach")
            for f, r in far
        ),
    )


def _dead_ends(case: Case) -> list[Answer]:
    figures = case.profile.fire_access
    limit_ft = figures.dead_end_ft
    gates = [case.local(f.geometry) for f in gate_features(case)]
    ends = dead_ends(network(case), longer_than_m=metres(limit_ft), gates=gates)
    inside = [e for e in ends if case.site_local.buffer(5.0).contains(e.end)]
    if not inside:
        return []
    tight = [e for e in inside if not any(_turns_around(case, spot) for spot in e.spots)]
    longest = feet(max(e.length_m for e in inside))
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"{len(inside)} mapped way{'s end' if len(inside) > 1 else ' ends'} farther than "
            f"{limit_ft:g} ft into ground that one way alone leads to, the longest after "
            f"{longest:,.0f} ft; {len(tight) or 'none'} of them without room to turn around.",
            question="Can a fire engine turn around where a lane ends?",
            measured=Measured(value=float(len(tight)), unit="dead ends without a turnaround"),
            required=Required(
                value=0.0,
                unit="dead ends",
                comparison="at-most",
                formula=f"beyond {limit_ft:g} ft a turnaround (fire code 503.2.5): a hammerhead of "
                f"120 ft or a circle of {figures.turnaround_ft:g} ft",
            ),
            reasons=(_CONFIRM,),
            sources=(case.layout.source,),
            evidence=tuple(
                Evidence(
                    case.geographic(e.end),
                    f"Dead end of {feet(e.length_m):,.0f} ft, "
                    f"{'no' if e in tight else 'with'} room to turn",
                    "end",
                )
                for e in sorted(inside, key=lambda e: e not in tight)
            ),
        )
    ]


def _turns_around(case: Case, end: shapely.Point) -> bool:
    room = turnaround(end, drivable(case))
    circle_m = metres(case.profile.fire_access.turnaround_ft - _MEASURING_FT)
    return room.hammerhead or room.circle_m >= circle_m


def _bends(case: Case) -> list[Answer]:
    """Bends of the way from the entrance to each place that the swept ring does not fit."""
    figures = case.profile.fire_access
    ins = case.features("emergency_entrance")
    if not ins:
        return []
    start = case.local(ins[0].geometry)
    tight: dict[tuple[float, float], float] = {}
    for door in doors(case).values():
        path = access.route(network(case), start, door) if door.geom_type == "Point" else None
        for bend in _tight(
            path or (), drivable(case), figures.turn_inside_ft, figures.turn_outside_ft
        ):
            tight[round(bend.at.x, 1), round(bend.at.y, 1)] = bend.deflection_deg
    if not tight:
        return []
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"At {len(tight)} bend{'s' if len(tight) > 1 else ''} the mapped way is too narrow for the "
            f"ring of {figures.turn_inside_ft:g} to {figures.turn_outside_ft:g} ft that a large fire "
            "engine sweeps; on open ground it may swing wide.",
            question="Can a fire engine take the bends?",
            measured=Measured(value=float(len(tight)), unit="bends too tight"),
            required=Required(
                value=0.0, unit="bends", comparison="at-most", formula="fire code 503.2.4"
            ),
            reasons=(_CONFIRM,),
            sources=(case.layout.source,),
            evidence=tuple(
                Evidence(case.geographic(shapely.Point(*at)), f"Bend of {angle:.0f}°", "bend")
                for at, angle in sorted(tight.items())
            ),
        )
    ]


def _tight(
    path: Sequence[access.Edge], free: Any, inside_ft: float, outside_ft: float
) -> list[Turn]:
    """The bends of a route, its stretches joined, that do not fit."""
    if not path:
        return []
    line = shapely.line_merge(shapely.union_all([edge.line for edge in path]))
    if line.geom_type != "LineString":
        return []
    found = turns(line, free, inside_m=metres(inside_ft), outside_m=metres(outside_ft))
    return [bend for bend in found if not bend.fits]


def _blocks(case: Case) -> list[Answer]:
    """What each single blocked stretch cuts off from both emergency gates."""
    gates = [case.local(f.geometry) for f in case.features("emergency_entrance", "emergency_exit")]
    if not gates:
        return []
    mapped = network(case)
    lost = access.cut_off(mapped, gates, doors(case))
    if not lost:
        return []
    places = sorted({name for names in lost.values() for name in names})
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"One block of a single stretch cuts {listed(places)} off from both emergency gates.",
            question="Does one blocked stretch cut a place off?",
            measured=Measured(value=float(len(places)), unit="places cut off by one block"),
            reasons=("A second way to these places would mend it.",),
            sources=(case.layout.source,),
            evidence=tuple(
                Evidence(
                    case.geographic(mapped.edges[number].line),
                    f"{mapped.edges[number].name}: alone leads to {listed(names)}",
                    "single",
                )
                for number, names in lost.items()
            ),
        )
    ]
