"""The map of a comparison: what a new version of a plan adds, takes away and moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from site_eval.errors import OutputError
from site_eval.files import whole_file
from site_eval.record.evaluation import Evaluation
from site_eval.reports import map_ink
from site_eval.reports.compare import same_things
from site_eval.reports.map_block import title_block
from site_eval.reports.map_canvas import RC, canvas_for, kind_of, save, save_pages
from site_eval.reports.map_content import draw_boundary
from site_eval.reports.map_ink import Ink
from site_eval.reports.map_sheet import sheet_named
from site_eval.reports.map_topics import Drawn, Topic
from site_eval.reports.map_view import View, tallness_of, view_of
from site_eval.reports.places import Place, site_geometry
from site_eval.reports.static_map import compose
from site_eval.reports.symbols import Symbol, role_symbol, shape_of

_CHANGES = Topic(
    "changes", "Changes of the plan", "What was added, taken away or moved?", "site", "site", (), ()
)
_SAME = Symbol("Unchanged", "", "#6b6b6b", "#efefef", width=0.8)
_GONE = Symbol("Before: taken away or moved", "", "#b34700", "#f9e3d6", "\\\\\\\\", (3, 2), 1.8)
_NEW = Symbol("After: added or moved", "", "#0072B2", "#dcebf6", "////", (), 1.8)


def write_comparison_map(
    a: Evaluation, b: Evaluation, path: Path, sheet: str = "letter-landscape"
) -> None:
    """Draw *b* over *a* on one sheet; two sites that share no ground become two pages of a PDF.

    Raises ``OutputError`` for a suffix it does not know, and when two pages are asked for in a
    form that has none.
    """
    kind = kind_of(path)
    together = site_geometry(a).intersects(site_geometry(b))
    if not together and kind != "pdf":
        raise OutputError(
            str(path), "the two sites share no ground, so they need two pages", "name it .pdf"
        )
    with whole_file(path) as temporary:
        if together:
            save(_overlay(a, b, sheet), temporary, kind)
        else:
            save_pages([compose(e, "site-plan", sheet)[0] for e in (a, b)], temporary)


def _overlay(a: Evaluation, b: Evaluation, sheet_name: str) -> Any:
    from matplotlib import rc_context

    same, gone, new = same_things(a, b)
    content = Drawn(_CHANGES, (*same, *gone, *new), (), ())
    sheet = sheet_named(sheet_name, tallness_of(b, content))
    view = view_of(b, content, sheet.frame)
    with rc_context(RC):
        canvas = canvas_for(sheet, view)
        draw_boundary(canvas.ink, view, b)
        for places, symbol, z in ((same, _SAME, 3.0), (gone, _GONE, 5.0), (new, _NEW, 7.0)):
            for place in _areas_first(places):
                _ink(canvas.ink, view, place, symbol, z)
        for place in (*new, *gone):
            _name(canvas.ink, view, place)
        legend = list(canvas.ink.legend.values())
        title_block(canvas.sheet_axes, sheet, b, content, view, legend)
    return canvas.figure


def _areas_first(places: tuple[Place, ...]) -> list[Place]:
    order = {"area": 0, "line": 1, "point": 2}
    return sorted(places, key=lambda place: order[shape_of(place.geometry.geom_type)])


def _ink(ink: Ink, view: View, place: Place, symbol: Symbol, z: float) -> None:
    paper = view.paper(place.geometry)
    if paper.is_empty:
        return
    shape = shape_of(paper.geom_type)
    if shape == "area":
        map_ink.area(ink, paper, symbol, z)
    elif shape == "line":
        map_ink.line(ink, paper, symbol, z + 1)
    else:
        coded = Symbol(symbol.title, role_symbol(place.kind).code, symbol.colour)
        map_ink.code(ink, paper, coded, z + 12)
    ink.note(symbol, "area")


def _name(ink: Ink, view: View, place: Place) -> None:
    paper = view.paper(place.geometry)
    if paper.is_empty or not place.label:
        return
    put = {
        "area": map_ink.label_area,
        "line": map_ink.label_line,
        "point": map_ink.label_point,
    }[shape_of(paper.geom_type)]
    put(ink, paper, place.label, 25.0, map_ink.INK)
