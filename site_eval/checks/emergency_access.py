"""Are an emergency entrance and an emergency exit there, apart, and joined to what they serve?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, role
from site_eval.engine.words import listed
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers import access_graph as access
from site_eval.units import feet
from site_eval.ways import doors, network, ways_out

# A gate drawn this near the land's line is taken to be on it; the land's own uncertainty is added.
ON_BOUNDARY_M = 10.0
SAME_GATE_M = 10.0


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
    shared: tuple[access.Edge, ...] = ()
    single: tuple[access.Edge, ...] = ()

    @property
    def shared_names(self) -> tuple[str, ...]:
        """Names of the ways that emergency and visitors' traffic share."""
        return tuple(dict.fromkeys(edge.name for edge in self.shared))


def judge(gates: Gates, *, near_m: float) -> tuple[Verdict, list[str]]:
    """The verdict on the gates, with every reason; *near_m* is how near a line counts as on it."""
    fails = [
        (not gates.entrances, "the layout maps no emergency entrance"),
        (not gates.exits, "the layout maps no emergency exit"),
        (not gates.joined_to_public_road, "the gates are not joined to a mapped public road"),
        (bool(gates.unreached), f"no mapped way leads from the gates to {listed(gates.unreached)}"),
    ]
    doubts = [
        (gates.apart_m < SAME_GATE_M, "entrance and exit are one place; the text can be read so"),
        (
            gates.off_boundary_m > near_m,
            f"a gate is drawn {feet(gates.off_boundary_m):,.0f} ft off the land's line",
        ),
        (gates.separate_ways < 2, "entrance and exit share a stretch that a single block closes"),
        (
            bool(gates.shared),
            f"emergency and visitors' traffic share {listed(gates.shared_names)}",
        ),
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
    to every place that people use, by ways that one block does not close together and that the
    visitors' queue does not fill? Do the roads beyond the site keep them two?
    *Measures*: distances to the line and to each other; shortest ways on the network of roads and
    lanes; the number of ways between the gates that share no stretch; the stretches on the site
    that shortest ways of visitors and of emergency vehicles have in common; over the road layer,
    the ways from the gates to beyond 2,400 m that share no stretch.
    *Judges*: a missing gate or a place out of reach fails; one gate for both, a gate off the line
    or a shared stretch is for a person.
    *Cannot say*: whether they are kept open at all times; that is inspected.
    *Source*: the clause; Menger's theorem for separate ways.
    """
    roads = network(case)
    gates = _gates(case, roads)
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
            evidence=tuple(_evidence(case, gates)),
        ),
        *_remoteness(case),
        *_beyond(case),
    ]


def _evidence(case: Case, gates: Gates) -> Iterator[Evidence]:
    """The stretches that raise a doubt, then the gates."""
    for edge in gates.single:
        label = f"{edge.name}: the only way between entrance and exit"
        yield Evidence(case.geographic(edge.line), label, "single")
    for edge in gates.shared:
        label = f"{edge.name}: visitors and emergency vehicles"
        yield Evidence(case.geographic(edge.line), label, "shared")
    for feature in case.features("emergency_entrance", "emergency_exit"):
        yield Evidence(feature.geometry, feature.name or feature.role.replace("_", " "), "gate")


def _beyond(case: Case) -> list[Answer]:
    """Whether one block of the roads beyond the site closes both gates: then they are one way."""
    ins, outs = case.features("emergency_entrance"), case.features("emergency_exit")
    if not ins or not outs:
        return []
    question = "Do the two emergency gates lead away by roads that no one block closes together?"
    out = ways_out(case, "emergency_entrance", "emergency_exit")
    if out is None:
        said = (
            "No road layer shows a road near the site, so that the roads beyond it are not followed: "
            "two gates on one dead-end road are one way out. Name a roads layer in the catalog."
        )
        return [Answer(Verdict.NOT_DETERMINED, said, question)]
    reach_m = case.profile.wildfire.outer_ring_m
    lost = [f for f, r in zip((*ins, *outs), out.routes, strict=True) if r is None]
    sources = tuple(d.source for d in case.layers("roads", within_m=reach_m) if len(d.rows))
    if lost:
        said = (
            f"The road layer leads from {listed(f.name for f in lost)} to no road "
            f"{reach_m:,.0f} m away; a gate may be drawn off the road, or the layer may be short."
        )
        return [Answer(Verdict.NOT_DETERMINED, said, question, sources=sources)]
    one = out.independent < 2
    stretch_m = sum(line.length for line in out.shared)
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            "Every way from both emergency gates to roads "
            f"{reach_m:,.0f} m away takes the same {feet(stretch_m):,.0f} ft of road: for whoever "
            "comes or leaves, the two gates are one."
            if one
            else "The road layer leads from the two emergency gates to roads "
            f"{reach_m:,.0f} m away by {out.independent} ways that share no stretch.",
            question,
            measured=Measured(value=float(out.independent), unit="ways that share no stretch"),
            required=Required(
                value=2.0, unit="ways", comparison="none", formula="advice; the text has no number"
            ),
            reasons=("Gates, locks and seasonal closures are not on a road layer.",),
            sources=(*sources, case.layout.source),
            evidence=(
                *(
                    Evidence(case.geographic(line), "Every way out takes this stretch", "single")
                    for line in out.shared
                ),
                *(
                    Evidence(case.geographic(route), "Way out", "route")
                    for route in out.routes
                    if route is not None
                ),
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
    share = case.profile.fire_access.remoteness_share
    apart, needed = feet(found.distance_m), feet(2 * share * found.half_diagonal_m)
    meets = apart >= needed
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"The emergency gates are {apart:,.0f} ft apart; where two access roads are required the "
            f"fire code asks for {100 * share:.0f} % of the longest diagonal, {needed:,.0f} ft: "
            f"{'met' if meets else 'not met'}. Whether it binds here is for the fire district.",
            question="Are the two emergency gates remote from one another?",
            measured=Measured(value=round(apart, 0), unit="ft between the gates"),
            required=Required(
                value=round(needed, 0),
                unit="ft",
                formula=f"{100 * share:.0f} % of the longest diagonal (IFC appendix D, D104.3)",
            ),
            sources=(case.layout.source,),
        )
    ]


def _gates(case: Case, mapped: access.Network) -> Gates:
    """Measure the gates on the network."""
    ins = [case.local(f.geometry) for f in case.features("emergency_entrance")]
    outs = [case.local(f.geometry) for f in case.features("emergency_exit")]
    both = [*ins, *outs]
    roads = [case.local(f.geometry) for f in case.features("public_road")]
    lengths = access.reaches(mapped, both[0], doors(case))
    unreached = tuple(name for name, length in lengths.items() if length is None)
    boundary = case.site_local.boundary
    ways = access.disjoint_routes(mapped, ins[0], outs[0]) if ins and outs else []
    return Gates(
        entrances=len(ins),
        exits=len(outs),
        apart_m=float(ins[0].distance(outs[0])) if ins and outs else 0.0,
        off_boundary_m=max(float(gate.distance(boundary)) for gate in both),
        joined_to_public_road=all(_joined(mapped, gate, roads) for gate in both),
        unreached=unreached,
        separate_ways=len(ways) if len(both) > 1 else 0,
        shared=_shared(case, mapped, both),
        single=_single(mapped, ins[0], outs[0]) if len(ways) == 1 else (),
    )


def _single(mapped: access.Network, entrance: Any, exit_: Any) -> tuple[access.Edge, ...]:
    """The stretches that every way from the entrance to the exit takes."""
    alone = set(access.bridges(mapped))
    return tuple(e for e in _route(mapped, entrance, exit_) if e.number in alone)


def _shared(case: Case, mapped: access.Network, emergency: list[Any]) -> tuple[access.Edge, ...]:
    """The ways on the site that visitors' and emergency vehicles' shortest ways share."""
    lots = [doors(case)[f.name or f.id] for f in case.features("parking")]
    served = [doors(case)[f.name or f.id] for f in case.features("stage", "medical")]
    gates = [case.local(f.geometry) for f in case.features("public_entrance", "public_exit")]
    public = {e.number: e for gate in gates for lot in lots for e in _route(mapped, gate, lot)}
    urgent = {
        e.number
        for gate in emergency
        for place in [*emergency, *served]
        for e in _route(mapped, gate, place)
    }
    common = [edge for number, edge in sorted(public.items()) if number in urgent]
    return tuple(edge for edge in common if edge.role != "public_road")


def _route(mapped: access.Network, start: Any, place: Any) -> tuple[access.Edge, ...]:
    return access.route(mapped, start, place) or ()


def _joined(mapped: access.Network, gate: Any, roads: list[Any]) -> bool:
    """Whether a mapped way leads from the gate to any public road."""
    lengths = access.reaches(mapped, gate, {str(n): road for n, road in enumerate(roads)})
    return any(length is not None for length in lengths.values())
