"""Are an emergency entrance and an emergency exit there, apart, and joined to what they serve?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, role
from site_eval.layout import Feature
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers import access_graph as access
from site_eval.solvers.clearance import Bottleneck, Way, beyond_reach, bottleneck, surface
from site_eval.units import feet, metres

# International Fire Code 503.2.1 (unobstructed width), 503.1.1 (reach), 503.2.5 (dead end); the
# edition in force and its appendix D are for the fire district to confirm.
LANE_WIDTH_FT = 20.0
REACH_FT = 150.0
DEAD_END_FT = 150.0
# A gate drawn this near the land's line is taken to be on it; the land's own uncertainty is added.
ON_BOUNDARY_M = 10.0
SAME_GATE_M = 10.0
WAY_ROLES = ("road", "fire_lane", "public_road")
SERVED_ROLES = ("stage", "assembly_area", "medical", "camping", "parking", "food")
FIXED_ROLES = ("obstacle", "structure", "stage", "medical", "fence")


@dataclass(frozen=True)
class Gates:
    """What was measured of the entrance and the exit."""

    entrances: int
    exits: int
    apart_m: float
    off_boundary_m: float
    joined_to_public_road: bool
    unreached: tuple[str, ...]
    separate_ways: int


def judge(gates: Gates, *, near_m: float) -> tuple[Verdict, list[str]]:
    """The verdict on the gates, with every reason; *near_m* is how near a line counts as on it."""
    fails = [
        (not gates.entrances, "the layout maps no emergency entrance"),
        (not gates.exits, "the layout maps no emergency exit"),
        (not gates.joined_to_public_road, "the gates are not joined to a mapped public road"),
        (bool(gates.unreached), f"no mapped way leads from the gates to {_list(gates.unreached)}"),
    ]
    doubts = [
        (gates.apart_m < SAME_GATE_M, "entrance and exit are one place; the text can be read so"),
        (
            gates.off_boundary_m > near_m,
            f"a gate is drawn {feet(gates.off_boundary_m):,.0f} ft off the land's line",
        ),
        (gates.separate_ways < 2, "entrance and exit share a stretch that a single block closes"),
    ]
    failed = [words for holds, words in fails if holds]
    if failed:
        return Verdict.DOES_NOT_COMPLY, failed
    doubted = [words for holds, words in doubts if holds]
    return (Verdict.NEEDS_REVIEW if doubted else Verdict.COMPLIES), doubted


@check(
    "emergency-access",
    subjects=("emergency.access",),
    needs=[role("emergency_entrance", "emergency_exit"), role("road", "fire_lane")],
)
def entrance_and_exit(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether an emergency entrance and an emergency exit serve the site.

    *Asks*: are both there, on the land's line, apart, joined to a public road and by mapped ways
    to every place that people use, by ways that one block does not close together?
    *Measures*: distances to the line and to each other; shortest ways on the network of roads and
    lanes; the number of ways between the gates that share no stretch.
    *Judges*: a missing gate or a place out of reach fails; one gate for both, a gate off the line
    or a shared stretch is for a person.
    *Cannot say*: whether they are kept open at all times; that is inspected.
    *Source*: the clause; Menger's theorem for separate ways.
    """
    network = _network(case)
    gates = _gates(case, network)
    near_m = ON_BOUNDARY_M + case.land.position_uncertainty_m
    verdict, reasons = judge(gates, near_m=near_m)
    statement = (
        f"The layout maps {gates.entrances} emergency entrance and {gates.exits} emergency exit, "
        f"{feet(gates.apart_m):,.0f} ft apart, "
        f"{'joined' if gates.joined_to_public_road else 'not joined'} to a public road; "
        f"{'every' if not gates.unreached else 'not every'} place that people use is reached. "
        "Whether they are kept open at all times is inspected on site."
    )
    return [
        Answer(
            verdict,
            statement,
            measured=Measured(value=round(feet(gates.apart_m), 1), unit="ft between the gates"),
            reasons=tuple(f"{words[:1].upper()}{words[1:]}." for words in reasons),
            sources=(case.layout.source,),
            background=case.land.sources,
            evidence=tuple(
                Evidence(f.geometry, f.name or f.role.replace("_", " "), "gate")
                for f in case.features("emergency_entrance", "emergency_exit")
            ),
        ),
        *_remoteness(case),
    ]


@check("emergency-access", subjects=("fire.lanes",), needs=[role("fire_lane", "road")])
def fire_lanes(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the fire apparatus access road is wide enough and reaches far enough.

    *Asks*: what is the widest vehicle that passes from the entrance to each place and to the exit,
    does every place lie within reach of a lane, and do lanes end without a way out?
    *Measures*: the bottleneck by bisection on the drivable surface, obstacles taken out; each
    lane's narrowest width; ground farther than 150 ft from a lane; dead ends.
    *Judges*: under 20 ft clear does not comply; the clause names the fire code, whose edition and
    figures the fire district confirms. Reach and dead ends are for that review.
    *Cannot say*: height, bearing capacity, ground when wet, gradients without an elevation layer.
    *Source*: International Fire Code 503.1.1, 503.2.1, 503.2.5.
    """
    ways = _ways(case)
    free = surface(ways, _obstacles(case))
    network = _network(case)
    return [
        _width_answer(case, network, free),
        _reach_answer(case, free),
        *_dead_end_answers(case, network),
    ]


def _width_answer(case: Case, network: access.Network, free: Any) -> Answer:
    lanes = [e for e in network.edges if e.role == "fire_lane"]
    narrow = [e for e in lanes if feet(e.width_m) < LANE_WIDTH_FT - 0.1]
    neck = _neck(case, free)
    least_ft = min([feet(e.width_m) for e in lanes], default=feet(neck.width_m) if neck else 0.0)
    names = tuple(dict.fromkeys(e.name or "a lane" for e in narrow))
    through = f"The widest vehicle from the entrance to the exit is {feet(neck.width_m):.1f} ft." if (
        neck) else "No way from the entrance to the exit was found."  # fmt: skip
    narrowest = f"The narrowest fire lane is {least_ft:.1f} ft wide" + (
        f": {_list(names)}" if narrow else ""
    )
    return Answer(
        Verdict.DOES_NOT_COMPLY if narrow else Verdict.NEEDS_REVIEW,
        f"{narrowest}. {through} The fire code asks for {LANE_WIDTH_FT:.0f} ft unobstructed.",
        question="Are the fire lanes wide enough for a fire engine?",
        measured=Measured(value=round(least_ft, 1), unit="ft, narrowest fire lane"),
        required=Required(
            value=LANE_WIDTH_FT, unit="ft", formula="International Fire Code 503.2.1"
        ),
        reasons=(
            "The fire district confirms the edition of the fire code and its figures.",
            "Clear height (13 ft 6 in) and bearing capacity are not on a plan.",
        ),
        sources=(case.layout.source,),
        evidence=(
            *(Evidence(case.geographic(e.line), f"{e.name}: {feet(e.width_m):.1f} ft", "pinch")
              for e in narrow),
            *((Evidence(case.geographic(neck.pinch), "Narrowest place on the way", "pinch"),)
              if neck and neck.pinch is not None else ()),
        ),
    )  # fmt: skip


def _reach_answer(case: Case, free: Any) -> Answer:
    places = case.features(*SERVED_ROLES)
    rest = beyond_reach([case.local(f.geometry) for f in places], free, metres(REACH_FT))
    far = [
        (f, r) for f, r in zip(places, rest, strict=True) if f.role != "parking" and r.area > 1.0
    ]
    names = _list([f.name or f.role for f, _ in far])
    return Answer(
        Verdict.NEEDS_REVIEW,
        f"Parts of {names} are farther than {REACH_FT:.0f} ft from a fire lane."
        if far
        else f"Every mapped place that people use is within {REACH_FT:.0f} ft of a fire lane, in a "
        "straight line.",
        question="Is every place within reach of a fire lane?",
        reasons=("The code's 150 ft is measured by the hose, which a fence makes longer.",),
        sources=(case.layout.source,),
        evidence=tuple(
            Evidence(case.geographic(r), f"Beyond {REACH_FT:.0f} ft: {f.name}", "reach")
            for f, r in far
        ),
    )


def _dead_end_answers(case: Case, network: access.Network) -> list[Answer]:
    gates = [case.local(f.geometry) for f in _gate_features(case)]
    ends = access.dead_ends(network, longer_than_m=metres(DEAD_END_FT), gates=gates)
    inside = [e for e in ends if case.site_local.buffer(5.0).contains(e.end)]
    if not inside:
        return []
    longest = feet(max(e.length_m for e in inside))
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"{len(inside)} mapped way{'s' if len(inside) > 1 else ''} end farther than "
            f"{DEAD_END_FT:.0f} ft from the last junction, the longest after {longest:,.0f} ft: a "
            "turnaround is asked for.",
            question="Can a fire engine turn around where a lane ends?",
            measured=Measured(value=round(longest, 0), unit="ft, longest dead end"),
            required=Required(
                value=DEAD_END_FT,
                unit="ft",
                comparison="at-most",
                formula="International Fire Code 503.2.5",
            ),
            sources=(case.layout.source,),
            evidence=tuple(
                Evidence(case.geographic(e.end), f"Dead end of {feet(e.length_m):,.0f} ft", "end")
                for e in inside
            ),
        )
    ]


def _remoteness(case: Case) -> list[Answer]:
    """The fire code's distance between two access roads, as advice."""
    ins, outs = case.features("emergency_entrance"), case.features("emergency_exit")
    if not ins or not outs:
        return []
    found = access.remoteness(
        case.local(ins[0].geometry), case.local(outs[0].geometry), case.site_local
    )
    apart, needed = feet(found.distance_m), feet(found.half_diagonal_m)
    meets = found.distance_m >= found.half_diagonal_m
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"The emergency gates are {apart:,.0f} ft apart; where two access roads are required the "
            f"fire code asks for half the longest diagonal, {needed:,.0f} ft: "
            f"{'met' if meets else 'not met'}. Whether it binds here is for the fire district.",
            question="Are the two emergency gates remote from one another?",
            measured=Measured(value=round(apart, 0), unit="ft between the gates"),
            required=Required(
                value=round(needed, 0),
                unit="ft",
                formula="half the longest diagonal (IFC appendix D, D104.3)",
            ),
            sources=(case.layout.source,),
        )
    ]


def _gates(case: Case, network: access.Network) -> Gates:
    """Measure the gates on the network."""
    ins = [case.local(f.geometry) for f in case.features("emergency_entrance")]
    outs = [case.local(f.geometry) for f in case.features("emergency_exit")]
    both = [*ins, *outs]
    roads = [case.local(f.geometry) for f in case.features("public_road")]
    lengths = access.reaches(network, both[0], _doors(case))
    unreached = tuple(name for name, length in lengths.items() if length is None)
    boundary = case.site_local.boundary
    ways = access.disjoint_routes(network, ins[0], outs[0]) if ins and outs else []
    return Gates(
        entrances=len(ins),
        exits=len(outs),
        apart_m=float(ins[0].distance(outs[0])) if ins and outs else 0.0,
        off_boundary_m=max(float(gate.distance(boundary)) for gate in both),
        joined_to_public_road=all(_joined(network, gate, roads) for gate in both),
        unreached=unreached,
        separate_ways=len(ways) if len(both) > 1 else 0,
    )


def _joined(network: access.Network, gate: Any, roads: list[Any]) -> bool:
    """Whether a mapped way leads from the gate to any public road."""
    lengths = access.reaches(network, gate, {str(n): road for n, road in enumerate(roads)})
    return any(length is not None for length in lengths.values())


def _doors(case: Case) -> dict[str, Any]:
    """For each place that people use, the nearest point of a mapped way within a hose's reach.

    A place farther than that from every way keeps its own shape, and so is not reached.
    """
    lanes = surface(_ways(case))
    doors = {}
    for feature in case.features(*SERVED_ROLES):
        place = case.local(feature.geometry)
        way = shapely.shortest_line(place, lanes)
        near = way.length <= metres(REACH_FT)
        doors[feature.name or feature.id] = shapely.get_point(way, -1) if near else place
    return doors


def _neck(case: Case, free: Any) -> Bottleneck | None:
    ins, outs = case.features("emergency_entrance"), case.features("emergency_exit")
    if not ins or not outs:
        return None
    return bottleneck(free, case.local(ins[0].geometry), case.local(outs[0].geometry))


def _network(case: Case) -> access.Network:
    gates = [case.local(f.geometry) for f in _gate_features(case)]
    places = [*gates, *_doors(case).values()]
    return access.build(_ways(case), obstacles=_obstacles(case), places=places)


def _gate_features(case: Case) -> list[Feature]:
    return case.features("emergency_entrance", "emergency_exit", "public_entrance", "public_exit")


def _ways(case: Case) -> list[Way]:
    """Every mapped way; a centreline without a width is taken as the plan's lane width."""
    default_ft = float(case.value("plan.fire.lane_width_ft") or LANE_WIDTH_FT)
    return [
        Way(
            case.local(f.geometry),
            metres(float(f.properties.get("width_ft") or default_ft)),
            f.name,
            f.role,
        )
        for f in case.features(*WAY_ROLES)
    ]


def _obstacles(case: Case) -> list[Any]:
    shapes = [case.local(f.geometry) for f in case.features(*FIXED_ROLES)]
    return [shape for shape in shapes if shape.area > 0]


def _list(names: Any) -> str:
    items = list(names)
    if len(items) > 4:
        items = [*items[:4], f"{len(items) - 4} more"]
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else "nothing"
