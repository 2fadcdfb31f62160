"""What is inside a printed map's frame: surroundings, plan, boundary, evidence, and their names."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import shapely

from site_eval.record.evaluation import Evaluation
from site_eval.reports import map_ink
from site_eval.reports.map_ink import Ink
from site_eval.reports.map_labels import Box
from site_eval.reports.map_topics import Drawn
from site_eval.reports.map_view import View
from site_eval.reports.places import Place, Shown, site_geometry, uncertainty_band
from site_eval.reports.symbols import BAND, SITE, Symbol, context_symbol, role_symbol, shape_of
from site_eval.reports.words import VERDICTS, check_title, number
from site_eval.units import feet

# Fill and hatching for kinds of evidence, told apart in grey as well.
_EVIDENCE_FILLS = (
    ("#fdf0cf", "...."),
    ("#f3cf8e", "////"),
    ("#d9a05b", "xxxx"),
    ("#e8e8e8", "\\\\\\\\"),
)
# Evidence that is a distance, not a thing: outlined, never filled.
_OUTLINES = frozenset({"sound", "ring", "buffer"})
# More parts than this are drawn finely, and named as one.
_MANY = 20
# Land known this well has sides that are known to about a foot.
_MEASURED_M = 1.0
Item = tuple[Place, Symbol, Any]


def draw_content(ink: Ink, view: View, evaluation: Evaluation, content: Drawn) -> None:
    """Everything on the map: the surroundings below, then the plan, the boundary, the evidence.

    Lettered boxes take their places before names do, so that names give way to them.
    """
    draw_boundary(ink, view, evaluation)
    evidence = [(s, view.paper(s.place.geometry)) for s in content.evidence]
    layout = [(p, role_symbol(p.kind), view.paper(p.geometry)) for p in content.layout]
    context = [(p, context_symbol(p.kind), view.paper(p.geometry)) for p in content.context]
    layout = _ranked([item for item in layout if not item[2].is_empty])
    context = _ranked([item for item in context if not item[2].is_empty])
    _evidence(ink, [e for e in evidence if not e[1].is_empty], layout)
    for place, symbol, paper in context:
        _drawn(ink, place, symbol, paper, 1.0)
    for place, symbol, paper in layout:
        _drawn(ink, place, symbol, paper, 4.0)
    if content.topic.id == "site-plan":
        _dimensions(ink, view, evaluation)
    ink.space.taken.extend(_beside(view.paper(site_geometry(evaluation)).boundary))
    shown = [(s.place, SITE, _whole(paper)) for s, paper in evidence if not paper.is_empty]
    site = view.paper(site_geometry(evaluation))
    around = [(p, symbol, _outside(paper, site)) for p, symbol, paper in context]
    _names(ink, shown, [*layout, *(item for item in around if not item[2].is_empty)])


def _whole(paper: Any) -> Any:
    """Hundreds of stalls as one area, for one name."""
    return paper.convex_hull if shapely.get_num_geometries(paper) > _MANY else paper


def _outside(paper: Any, site: Any) -> Any:
    """Where the name of an area of the surroundings may stand: not on the site's own plan."""
    return paper.difference(site) if shape_of(paper.geom_type) == "area" else paper


def _names(ink: Ink, shown: list[Item], drawn_items: list[Item]) -> None:
    """Names: what findings point to first, then ways, then the rest beside those ways."""
    named: list[str] = []
    ways = [item for item in drawn_items if shape_of(item[2].geom_type) == "line"]
    others = [item for item in drawn_items if item not in ways]
    for item in (*shown, *ways):
        _named(ink, *item, named)
    for _, symbol, paper in ways:
        if symbol.width >= 1.5:
            ink.space.taken.extend(_beside(paper))
    for item in others:
        if shape_of(item[2].geom_type) == "area" or item[1].rank <= 2:
            _named(ink, *item, named)


def _beside(outline: Any) -> list[Box]:
    """Small boxes along a line, so that no name is written across it."""
    steps = [outline.interpolate(distance) for distance in range(0, int(outline.length) + 1, 5)]
    return [Box(at.x - 1.5, at.y - 1.5, 3, 3) for at in steps if not at.is_empty]


def _ranked(items: list[Item]) -> list[Item]:
    """Areas before lines before points, and the important first within each."""
    order = {"area": 0, "line": 1, "point": 2}
    return sorted(items, key=lambda item: (order[shape_of(item[2].geom_type)], item[1].rank))


def _drawn(ink: Ink, place: Place, symbol: Symbol, paper: Any, z: float) -> None:
    shape = shape_of(paper.geom_type)
    if place.kind == "plss_section":
        # A section is drawn as its lines; it is not a thing with an inside.
        shape, paper = "line", paper.boundary if paper.geom_type.endswith("Polygon") else paper
    if shape == "area" and symbol.code and paper.area < map_ink.TINY_PT2:
        # A hut or a tank: too small to be told by its outline.
        map_ink.area(ink, paper, symbol, z)
        map_ink.code(ink, paper.centroid, symbol, z + 10)
        shape = "point"
    elif shape == "area":
        map_ink.area(ink, paper, symbol, z + 0.1 * (1 - symbol.rank / 10))
    elif shape == "line":
        map_ink.line(ink, paper, symbol, z + 1)
    else:
        map_ink.code(ink, paper, symbol, z + 10)
    ink.note(symbol, shape)


def _named(ink: Ink, place: Place, symbol: Symbol, paper: Any, named: list[str]) -> None:
    """Write a place's name where there is room, once for a name."""
    told = any(name.startswith(place.label) for name in named)
    if not place.label or symbol.rank > 3 or place.kind == "site" or told:
        return
    if symbol.code and shape_of(paper.geom_type) == "area" and paper.area < map_ink.TINY_PT2:
        return
    put = {
        "area": map_ink.label_area,
        "line": map_ink.label_line,
        "point": map_ink.label_point,
    }[shape_of(paper.geom_type)]
    colour = map_ink.QUIET if place.kind == "plss_section" else map_ink.INK
    if put(ink, paper, place.label, 25.0, colour):
        named.append(place.label)


def draw_boundary(ink: Ink, view: View, evaluation: Evaluation) -> None:
    """The site's outline and the band in which the true one lies."""
    band = uncertainty_band(evaluation)
    site = view.paper(site_geometry(evaluation))
    if site.area < map_ink.TINY_PT2:
        marker = Symbol("The site", "SITE", "#000000")
        map_ink.code(ink, site.centroid, marker, 20)
        ink.note(marker, "point")
        return
    map_ink.area(ink, site, SITE, 8)
    ink.note(SITE, "area")
    radius_m = evaluation.site.position_uncertainty_m
    if band is not None and radius_m / view.metres_per_point > SITE.width / 2:
        words = f"Boundary uncertain: ± {number(round(feet(radius_m)))} ft (95 %)"
        strip = replace(BAND, width=0.0, title=words)
        map_ink.area(ink, view.paper(band), strip, 0.5)
        ink.note(strip, "area")


def _dimensions(ink: Ink, view: View, evaluation: Evaluation) -> None:
    """The length of each straight side of the land, outside it, as a surveyor's plat has them."""
    frame = view.frame
    # Corners that bend the line by less than the boundary is known are no corners.
    tolerance_m = max(0.5, evaluation.site.position_uncertainty_m / 5)
    local = frame.to_local(site_geometry(evaluation))
    for polygon in shapely.get_parts(local.simplify(tolerance_m)):
        ring = shapely.orient_polygons(polygon).exterior.coords
        for start, end in itertools.pairwise(ring):
            side = shapely.LineString([start, end])
            # Rings run counter-clockwise: the outside is on the right.
            outside = side.offset_curve(-9.0 * view.metres_per_point)
            paper = view.paper(frame.to_geographic(outside))
            map_ink.label_line(
                ink, paper, _length_words(evaluation, side.length), 25.0, map_ink.QUIET
            )


def _length_words(evaluation: Evaluation, length_m: float) -> str:
    """A side in feet, to the foot when the land was measured and to ten when it was placed."""
    exact = evaluation.site.position_uncertainty_m < _MEASURED_M
    length_ft = feet(length_m)
    return f"{length_ft:,.0f} ft" if exact else f"≈ {round(length_ft, -1):,.0f} ft"


def _evidence(ink: Ink, evidence: list[tuple[Shown, Any]], layout: list[Any]) -> None:
    """What findings point to: outlined in the verdict's colour, filled where nothing else is."""
    fills: dict[str, tuple[str, str]] = {}
    for shown, paper in sorted(evidence, key=lambda e: -e[1].area):
        style = VERDICTS[shown.verdict]
        shape = shape_of(paper.geom_type)
        title = f"{style.sign} {check_title(shown.check)}: {_kind_words(shown, evidence)}"
        symbol = Symbol(title, "", style.colour, width=2.2, dash=(6, 2) if shape == "area" else ())
        if shape == "area":
            many = shapely.get_num_geometries(paper) > _MANY
            bare = not many and not any(paper.equals_exact(other, 3.0) for _, _, other in layout)
            if bare and shown.place.kind not in _OUTLINES:
                kind = shown.place.kind
                fill = fills.setdefault(kind, _EVIDENCE_FILLS[len(fills) % len(_EVIDENCE_FILLS)])
                symbol = replace(symbol, fill=fill[0], hatch=fill[1], width=0.8, dash=())
            if many:
                symbol = replace(symbol, width=0.35, dash=())
            map_ink.area(ink, paper, symbol, 3.0 if symbol.fill else 9.0)
        elif shape == "line":
            map_ink.line(ink, paper, replace(symbol, dash=(1, 1.2), width=3.0), 9.0)
            symbol = replace(symbol, dash=(1, 1.2), width=3.0)
        else:
            map_ink.ring(ink, paper, symbol, 22)
        ink.note(symbol, shape)


def _kind_words(shown: Shown, evidence: list[tuple[Shown, Any]]) -> str:
    """The label when a kind has one only, else the kind."""
    labels = {
        s.place.label
        for s, _ in evidence
        if s.place.kind == shown.place.kind and s.check == shown.check
    }
    if len(labels) == 1 and shown.place.label:
        return shown.place.label
    return shown.place.kind.replace("-", " ").replace("_", " ")
