"""Is the assembly ringed by a closed fence, with gates where the clause wants them?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, role
from site_eval.engine.words import listed
from site_eval.ordinance.clause import Clause
from site_eval.ordinance.requirement import Arrangement
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.units import metres

GATE_ROLES = (
    "gate", "public_entrance", "public_exit", "emergency_entrance", "emergency_exit",
)  # fmt: skip
_POINTS = {0: "north", 90: "east", 180: "south", 270: "west"}
# A gate this near the fence stands in it; a fence drawn in pieces may leave this much open.
_IN_FENCE_M = 3.0
_PEN_M = 1.0
_OPENING_FT = 20.0


@dataclass(frozen=True)
class Ring:
    """What the fence encloses, its gates, and what lies outside or open."""

    enclosed: Any
    gates: tuple[Any, ...]
    outside: tuple[str, ...]
    open_ends: tuple[Any, ...]
    missing_bearings: tuple[float, ...]


def judge(ring: Ring, least_gates: float) -> tuple[Verdict, list[str]]:
    """The verdict on a fence, with every reason."""
    fails = [
        (bool(ring.outside), f"the fence does not enclose {listed(ring.outside)}"),
        (
            len(ring.gates) < least_gates,
            f"{len(ring.gates)} gates stand in the fence, fewer than {least_gates:g}",
        ),
        (
            bool(ring.missing_bearings),
            f"no gate lies near {listed(_point(b) for b in ring.missing_bearings)}",
        ),
    ]
    failed = [words for holds, words in fails if holds]
    return (Verdict.DOES_NOT_COMPLY if failed else Verdict.COMPLIES), failed


@check("fence", subjects=("fence.ring",), needs=[role("fence")])
def ring(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether a closed fence encloses the assembly, with the gates that the clause wants.

    *Asks*: does the drawn fence, its gates shut, enclose every assembly area; do enough gates stand
    in it; does one lie near each of the clause's compass points, seen from the middle?
    *Measures*: the ground that fence and gates close in (a gate closes its own width, pieces drawn
    up to a metre apart count as joined); gates within 3 m of the fence; their bearings, an eighth
    of a circle to each side.
    *Judges*: an assembly area outside, gates too few or a compass point without one does not comply.
    *Cannot say*: height and kind of the fence, whether it stands.
    *Source*: the clause; the layout.
    """
    rule = clause.requires
    if not isinstance(rule, Arrangement):
        return [Answer(Verdict.NOT_DETERMINED, "The clause states no fence to measure.")]
    limits = rule.resolve(case.basis).limits
    least = next((limit.value for limit in limits if limit.comparison == "at-least"), 0.0)
    if not case.features("assembly_area"):
        said = "The layout maps no assembly area, so that there is nothing to enclose."
        return [Answer(Verdict.NOT_DETERMINED, said)]
    found = _ring(case, rule.bearings)
    verdict, reasons = judge(found, least)
    closed = "does not close" if found.enclosed.is_empty else "closes in ground of its own"
    return [
        Answer(
            verdict,
            f"The fence as drawn {closed}; {len(found.gates)} gates stand in it.",
            measured=Measured(value=float(len(found.gates)), unit="gates in the fence"),
            required=Required(value=least, unit="gates", formula=rule.what),
            reasons=tuple(f"{words[:1].upper()}{words[1:]}." for words in reasons),
            sources=(case.layout.source,),
            evidence=(
                *(
                    Evidence(case.geographic(end), "The fence ends here", "end")
                    for end in found.open_ends
                ),
                *(
                    Evidence(case.geographic(gate), "Gate in the fence", "gate")
                    for gate in found.gates
                ),
            ),
        )
    ]


def _ring(case: Case, bearings: tuple[float, ...]) -> Ring:
    fences = [_lines(case.local(f.geometry)) for f in case.features("fence")]
    fence = shapely.union_all(fences)
    every = [(f, case.local(f.geometry)) for f in case.features(*GATE_ROLES)]
    gates = [(f, shape) for f, shape in every if shape.distance(fence) <= _IN_FENCE_M + _half_m(f)]
    shut = [shape.buffer(_half_m(f) + _PEN_M) for f, shape in gates]
    wall = shapely.union_all([fence.buffer(_PEN_M), *shut])
    holes = [shapely.Polygon(inner) for part in shapely.get_parts(wall) for inner in part.interiors]
    enclosed = shapely.union_all(holes)
    # What touches the fence from within lies on the wall's own thickness.
    inner = shapely.union(enclosed.buffer(2 * _PEN_M), wall) if holes else enclosed
    outside = [
        f.name or f.id
        for f in case.features("assembly_area")
        if not inner.covers(case.local(f.geometry))
    ]
    points = tuple(shape.centroid for _, shape in gates)
    middle = (enclosed if holes else fence).centroid
    return Ring(
        enclosed, points, tuple(outside), _open_ends(fence, shut) if outside else (),
        tuple(b for b in bearings if not any(_near(middle, gate, b) for gate in points)),
    )  # fmt: skip


def _lines(shape: Any) -> Any:
    return shape.boundary if shape.area > 0 else shape


def _half_m(feature: Any) -> float:
    return metres(float(feature.properties.get("width_ft") or _OPENING_FT)) / 2


def _open_ends(fence: Any, shut: list[Any]) -> tuple[Any, ...]:
    """Ends of fence lines that meet neither another line nor, across a gate, another end."""
    whole = shapely.line_merge(fence) if fence.geom_type != "LineString" else fence
    lines = [line for line in shapely.get_parts(whole) if not line.is_closed]
    ends = [shapely.Point(xy) for line in lines for xy in (line.coords[0], line.coords[-1])]
    return tuple(end for n, end in enumerate(ends) if not _met(n, ends, lines, shut))


def _met(number: int, ends: list[Any], lines: list[Any], shut: list[Any]) -> bool:
    """Whether the fence goes on where this end is."""
    end = ends[number]
    others = [line for n, line in enumerate(lines) if n != number // 2]
    rest = [*others, *(e for n, e in enumerate(ends) if n != number)]
    gates = [gate for gate in shut if gate.distance(end) <= _PEN_M]
    here = [end.buffer(_PEN_M), *gates]
    return any(place.distance(other) <= _PEN_M for place in here for other in rest)


def _near(middle: Any, gate: Any, bearing: float) -> bool:
    seen = math.degrees(math.atan2(gate.x - middle.x, gate.y - middle.y))
    return abs((seen - bearing + 180) % 360 - 180) <= 45.0


def _point(bearing: float) -> str:
    return _POINTS.get(round(bearing) % 360, f"{bearing:g}°")
