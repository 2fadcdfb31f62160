"""Do areas keep apart, lie inside, and keep the distances that an ordinance asks for?"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

import shapely

from site_eval.case import Case, LayerData
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check
from site_eval.engine.words import listed
from site_eval.layout import Feature
from site_eval.ordinance.clause import Clause
from site_eval.ordinance.requirement import Arrangement
from site_eval.record.finding import Source
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.units import MILE_FT, feet, metres

# What an ordinance may keep a distance to, and the kind of layer that shows it.
LAYER_OF = {
    "residence": "residences",
    "dwelling": "residences",
    "water": "water",
    "well": "water",
    "reservoir": "water",
    "stream": "water",
    "watershed": "water",
}
LINES = frozenset({"property_line", "lot_line", "boundary", "line"})
DRAWING_M = 1.0
# Overlaps smaller than this are slips of the pen.
_SLIP_M2 = 4.0
_UNITS_FT = {
    "ft": 1.0,
    "feet": 1.0,
    "miles": MILE_FT,
    "mile": MILE_FT,
    "yards": 3.0,
    "m": feet(1.0),
}


@dataclass(frozen=True)
class Near:
    """What a distance is kept to: the nearest of its shapes, and how uncertain both lines are."""

    what: str
    distance_m: float
    uncertainty_m: float
    line: Any
    sources: tuple[Source, ...]


def judge(distance_ft: float, required: Required, uncertainty_ft: float) -> Verdict:
    """The verdict on a distance, whose uncertainty may leave it to a person."""
    sign = -1.0 if required.comparison == "at-most" else 1.0
    margin_ft = sign * (distance_ft - required.value)
    if margin_ft < -uncertainty_ft:
        return Verdict.DOES_NOT_COMPLY
    return Verdict.COMPLIES if margin_ft >= uncertainty_ft else Verdict.NEEDS_REVIEW


@check("setbacks", subjects=("setback.homes", "setback.water", "setback.lines", "setback.other"))
def setbacks(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether what the clause names keeps its distance from homes, water or lot lines.

    *Asks*: the least distance from each kind of thing to the nearest of what it keeps away from.
    *Measures*: straight distances between the outlines, with the uncertainty of the drawing, of
    the land and of the layer in squares.
    *Judges*: nearer or farther than the clause's figure by more than that uncertainty decides;
    between them a person does. Homes and waters come from layers: one that does not reach the site
    determines nothing. A written waiver that the clause admits is the engine's to weigh.
    *Cannot say*: what the layer lacks; where a home's wall is when the layer shows a point.
    *Source*: the clause's own figures; the layout; the residences or water layer.
    """
    rule = clause.requires
    if not isinstance(rule, Arrangement) or rule.form != "distance":
        return [Answer(Verdict.NOT_DETERMINED, "The clause states no distance to measure.")]
    limits = rule.resolve(case.basis).limits
    parts = case.features(*(part for part in rule.parts if part != "site"))
    shapes = [case.local(part.geometry) for part in parts]
    if "site" in rule.parts:
        shapes.append(case.site_local)
    if not shapes or not limits:
        return [Answer(Verdict.NOT_DETERMINED, _unmapped(rule.parts))]
    wanted = _strictest(limits)
    whole = shapely.union_all(shapes)
    kinds = dict.fromkeys(LAYER_OF.get(to, to) for to in rule.to)
    return [_distance(case, rule, kind, whole, wanted, several=len(limits) > 1) for kind in kinds]


@check("areas", subjects=("areas.apart",))
def apart(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether areas that have to be separate overlap.

    *Asks*: does any of the clause's areas lie on another?
    *Measures*: the ground that each two areas of different kinds have in common.
    *Judges*: more than a slip of the pen in common does not comply; nothing in common complies
    where every kind is mapped; a kind that the layout does not map is for a person.
    *Cannot say*: whether people keep to the areas.
    *Source*: the clause; the layout.
    """
    rule = clause.requires
    if not isinstance(rule, Arrangement) or len(rule.parts) < 2:
        return [Answer(Verdict.NOT_DETERMINED, "The clause names no areas to keep apart.")]
    areas = {part: case.features(part) for part in rule.parts}
    if sum(bool(found) for found in areas.values()) < 2:
        return [Answer(Verdict.NOT_DETERMINED, _unmapped(rule.parts))]
    common = list(_common(case, areas))
    missing = [part.replace("_", " ") for part, found in areas.items() if not found]
    said = (
        "; ".join(f"{a.name} and {b.name} have {shape.area:,.0f} m² in common"
                  for a, b, shape in common) + "."
        if common
        else f"None of {listed(p.replace('_', ' ') for p in areas if areas[p])} lie on one another."
    )  # fmt: skip
    clean = Verdict.NEEDS_REVIEW if missing else Verdict.COMPLIES
    return [
        Answer(
            Verdict.DOES_NOT_COMPLY if common else clean,
            said,
            measured=Measured(value=float(len(common)), unit="overlaps"),
            required=Required(value=0.0, unit="overlaps", comparison="at-most", formula=rule.what),
            reasons=(f"Not mapped: {listed(missing)}.",) if missing else (),
            sources=(case.layout.source,),
            evidence=tuple(
                Evidence(case.geographic(shape), f"{a.name} on {b.name}", "overlap")
                for a, b, shape in common
            ),
        )
    ]


@check("areas", subjects=("areas.inside",))
def inside(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether areas lie inside the licensed land.

    *Asks*: how much of each of the clause's areas lies beyond the land?
    *Measures*: the share of each area outside the land, grown by the land's own uncertainty.
    *Judges*: anything beyond that does not comply; what sticks out by less is for a person.
    *Cannot say*: where a surveyor would set the corners.
    *Source*: the clause; the layout; the land.
    """
    rule = clause.requires
    parts = case.features(*rule.parts) if isinstance(rule, Arrangement) else []
    if not isinstance(rule, Arrangement) or not parts:
        named = rule.parts if isinstance(rule, Arrangement) else ()
        return [Answer(Verdict.NOT_DETERMINED, _unmapped(named))]
    sure = case.site_local.buffer(case.land.position_uncertainty_m + DRAWING_M)
    shapes = [case.local(part.geometry) for part in parts]
    beyond = [(p, shapely.difference(s, sure)) for p, s in zip(parts, shapes, strict=True)]
    out = [(part, rest) for part, rest in beyond if not rest.is_empty]
    edge = [p for p, s in zip(parts, shapes, strict=True) if not case.site_local.covers(s)]
    verdict = Verdict.NEEDS_REVIEW if edge else Verdict.COMPLIES
    said = f"{listed(p.name for p, _ in out) or 'No part'} lies beyond the land."
    return [
        Answer(
            Verdict.DOES_NOT_COMPLY if out else verdict,
            said,
            measured=Measured(value=float(len(out)), unit="areas beyond the land"),
            required=Required(value=0.0, unit="areas", comparison="at-most", formula=rule.what),
            reasons=(
                (f"On the land's line, within its uncertainty: {listed(p.name for p in edge)}.",)
                if edge and not out
                else ()
            ),
            sources=(case.layout.source,),
            background=case.land.sources,
            on_land=True,
            evidence=tuple(
                Evidence(case.geographic(rest), f"{p.name}: beyond the land", "off")
                for p, rest in out
            ),
        )
    ]


def _distance(
    case: Case, rule: Arrangement, kind: str, whole: Any, wanted: Required, *, several: bool
) -> Answer:
    question = f"Is the distance to the nearest {_singular(kind)} kept?"
    near = _nearest(case, kind, whole, metres(max(_in_feet(wanted) * 2, MILE_FT)))
    if isinstance(near, Answer):
        return near
    away_ft, off_ft = feet(near.distance_m), feet(near.uncertainty_m)
    verdict = judge(away_ft, wanted.model_copy(update={"value": _in_feet(wanted)}), off_ft)
    more = "more than " if near.line is None else ""
    return Answer(
        verdict,
        f"{listed(p.replace('_', ' ') for p in rule.parts)[:1].upper()}"
        f"{listed(p.replace('_', ' ') for p in rule.parts)[1:]} come to {more}{away_ft:,.0f} ft from "
        f"the nearest {_singular(kind)}; {wanted.formula} is asked for.",
        question,
        measured=Measured(
            value=round(away_ft, 1),
            unit=f"ft to the nearest {_singular(kind)}",
            low=round(max(0.0, away_ft - off_ft), 1),
            high=round(away_ft + off_ft, 1),
        ),
        required=wanted,
        reasons=(
            f"95 % uncertainty of the distance: {off_ft:,.0f} ft.",
            *(
                ("The clause tells classes apart; its greatest distance is taken for all.",)
                if several
                else ()
            ),
        ),
        sources=(case.layout.source, *near.sources),
        background=case.land.sources,
        on_land=kind in LINES,
        evidence=(Evidence(case.geographic(near.line), f"{away_ft:,.0f} ft", "distance"),)
        if near.line is not None
        else (),
    )


def _nearest(case: Case, kind: str, whole: Any, search_m: float) -> Near | Answer:
    """The nearest thing of a kind, or why it cannot be told."""
    if kind in LINES:
        line = shapely.shortest_line(whole, case.site_local.boundary)
        off_m = hypot(case.land.position_uncertainty_m, DRAWING_M)
        return Near(kind, float(line.length), off_m, line, ())
    if kind in LAYER_OF.values():
        return _on_layers(case, kind, whole, search_m)
    shapes = [case.local(f.geometry) for f in case.features(kind)]
    if not shapes:
        return Answer(Verdict.NOT_DETERMINED, _unmapped((kind,)))
    line = shapely.shortest_line(whole, shapely.union_all(shapes))
    return Near(kind, float(line.length), DRAWING_M, line, ())


def _on_layers(case: Case, kind: str, whole: Any, search_m: float) -> Near | Answer:
    layers = case.layers(kind, within_m=search_m)
    telling = [data for data in layers if data.reaches(case.land.geometry)]
    if not telling:
        return Answer(Verdict.NOT_DETERMINED, _no_layer(kind, layers))
    off_m = hypot(DRAWING_M, *(data.entry.uncertainty_m for data in telling))
    shapes = [case.local(g) for data in telling for g in data.rows.geometry]
    sources = tuple(data.source for data in telling)
    if not shapes:
        return Near(kind, search_m, off_m, None, sources)
    line = shapely.shortest_line(whole, shapely.union_all(shapes))
    return Near(kind, float(line.length), off_m, line, sources)


def _no_layer(kind: str, layers: Sequence[LayerData]) -> str:
    if layers:
        return layers[0].silent()
    return f"The layer catalog names no {kind} layer; add one that covers the site."


def _strictest(limits: Sequence[Required]) -> Required:
    """The limit that is hardest to keep: of several distances to keep away, the greatest."""
    return max(limits, key=_in_feet)


def _in_feet(limit: Required) -> float:
    return limit.value * _UNITS_FT.get(limit.unit, 1.0)


def _common(case: Case, areas: dict[str, list[Feature]]) -> Iterator[tuple[Feature, Feature, Any]]:
    for one, other in itertools.combinations(areas, 2):
        for a, b in itertools.product(areas[one], areas[other]):
            shape = shapely.intersection(case.local(a.geometry), case.local(b.geometry))
            if shape.area > _SLIP_M2:
                yield a, b, shape


def _singular(kind: str) -> str:
    words = {"residences": "home", "water": "water", "property_line": "lot line"}
    return words.get(kind, kind.replace("_", " "))


def _unmapped(parts: Sequence[str]) -> str:
    names = " or ".join(part.replace("_", " ") for part in parts) or "nothing to measure"
    return f"The layout maps no {names}; add features of that role to the layout file."
