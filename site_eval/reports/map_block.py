"""The title block of a printed map: title, legend, scale, north, locator, sources and notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from site_eval.record.evaluation import Evaluation
from site_eval.reports.map_ink import (
    INK,
    QUIET,
    Entry,
    area_patch,
    code_box,
    line_strokes,
    words,
)
from site_eval.reports.map_sheet import Rect, Sheet, bar_feet, scale_words
from site_eval.reports.map_topics import Drawn, Topic
from site_eval.reports.map_view import POINTS_PER_INCH, View
from site_eval.reports.packet_data import all_sources
from site_eval.reports.places import context_places, site_frame, site_geometry
from site_eval.reports.symbols import CONTEXT, SITE, Symbol
from site_eval.reports.type_metrics import fitted, text_size_pt, wrapped
from site_eval.reports.words import day_words, finding_key, number

_PAD_PT = 6.0


def title_block(
    axes: Any,
    sheet: Sheet,
    evaluation: Evaluation,
    content: Drawn,
    view: View,
    legend: list[Entry],
    under: str = "",
) -> None:
    """Draw every part of the block on *axes*, which are in points of the whole sheet.

    *under* names what lies below the map and is no part of the evaluation.
    """
    topic = content.topic
    for part in (sheet.title, sheet.legend, sheet.aids, sheet.locator, sheet.notes):
        _frame(axes, part)
    _title(axes, sheet.title, evaluation, topic)
    _legend(axes, sheet.legend, legend)
    _aids(axes, sheet.aids, view)
    if topic.extent == "county":
        _outline(axes, sheet.locator, evaluation)
    else:
        _locator(axes, sheet.locator, evaluation)
    _notes(axes, sheet.notes, evaluation, content, view, under)


def _title(axes: Any, rect: Rect, evaluation: Evaluation, topic: Topic) -> None:
    x, y, width, height = _inner(rect)
    terms = evaluation.checklist.terms
    filing = evaluation.application.get("filing") or {}
    meeting = filing.get("board_meeting")
    dates = [f"Checked as of {day_words(evaluation.as_of)}"]
    if meeting:
        dates.append(f"Board meeting of {day_words(str(meeting))}")
    lines: list[tuple[str, float, str, str]] = [
        (evaluation.ordinance.jurisdiction, 7.0, "normal", QUIET),
        (terms.event, 11.0, "bold", INK),
        (topic.title, 9.5, "bold", INK),
        (topic.question, 7.0, "normal", INK),
        ("; ".join(dates), 6.5, "normal", QUIET),
    ]
    for share in (1.0, 0.93, 0.87, 0.81, 0.75, 0.7):
        rows = [
            (row, size * share, weight, colour)
            for text, size, weight, colour in lines
            for row in wrapped(text, width, size * share, weight)
        ]
        if sum(size * 1.25 for _, size, _, _ in rows) <= height:
            break
    top = y + height
    for row, size, weight, colour in rows:
        top -= size * 1.25
        words(axes, (x, top), row, size, 5, weight=weight, colour=colour, left=True)


def _legend(axes: Any, rect: Rect, entries: list[Entry]) -> None:
    """As many columns as it takes; the titles wrap, the type shrinks before anything is cut."""
    x, y, width, height = _inner(rect)
    words(axes, (x, y + height - 7), "Legend", 7.5, 5, weight="bold", left=True)
    room = height - 12
    tries = ((1, 7.0), (2, 6.5), (2, 6.0), (3, 6.0), (3, 5.5), (3, 5.0), (4, 5.0))
    # A word that runs out of its column is better than a legend that runs out of its frame.
    flows = (
        _flow(entries, *one, width, room, whole_words=whole)
        for whole in (True, False)
        for one in tries
    )
    placed = next((flow for flow in flows if flow is not None), None)
    placed = placed or _flow(entries, 4, 5.0, width, float("inf"), whole_words=False) or []
    for entry, left, down, lines, size in placed:
        base = y + room - down
        _swatch(axes, entry, x + left, base - size * 0.85)
        for row, text in enumerate(lines):
            at = (x + left + 27, base - size - row * size * 1.15)
            words(axes, at, text, size, 5, left=True)


def _flow(
    entries: list[Entry], columns: int, size: float, width: float, room: float, *, whole_words: bool
) -> list[tuple[Entry, float, float, list[str], float]] | None:
    """Where each entry goes (entry, left, down, lines, size), or nothing when they do not fit."""
    column_width = width / columns
    placed: list[tuple[Entry, float, float, list[str], float]] = []
    column, down = 0, 0.0
    for entry in entries:
        _, lines = fitted(entry.title, column_width - 30, size * 6.3, (size,))
        tall = max(11.0, len(lines) * size * 1.15 + 3.0)
        if down + tall > room:
            column, down = column + 1, 0.0
        too_wide = any(text_size_pt(line, size)[0] > column_width - 28 for line in lines)
        if column >= columns or (too_wide and whole_words):
            return None
        placed.append((entry, column * column_width, down, lines, size))
        down += tall
    return placed


def _swatch(axes: Any, entry: Entry, x: float, y: float) -> None:
    from matplotlib.patches import Circle
    from matplotlib.path import Path

    if entry.shape == "area":
        corners = [(x, y - 3.5), (x + 22, y - 3.5), (x + 22, y + 4.5), (x, y + 4.5), (x, y - 3.5)]
        axes.add_artist(area_patch(Path(np.array(corners), closed=True), entry.symbol, 5))
    elif entry.shape == "line":
        for stroke in line_strokes(np.array([(x, y), (x + 22, y)]), entry.symbol, 5):
            axes.add_artist(stroke)
    elif entry.symbol.code:
        code_box(axes, (x + 11, y), entry.symbol, 5)
    else:
        axes.add_artist(
            Circle(
                (x + 11, y),
                4,
                facecolor="none",
                edgecolor=entry.symbol.colour,
                linewidth=1.8,
                zorder=5,
            )
        )


def _aids(axes: Any, rect: Rect, view: View) -> None:
    """North arrow and scale bar, with the scale in words."""
    from matplotlib.patches import Polygon, Rectangle

    x, y, width, height = _inner(rect)
    tip, foot, middle = y + height - 1, y + height - 31, x + width - 11
    right_half = [(middle, tip), (middle + 6.5, foot), (middle, foot + 6)]
    left_half = [(middle, tip), (middle - 6.5, foot), (middle, foot + 6)]
    axes.add_artist(Polygon(right_half, facecolor=INK, edgecolor=INK, linewidth=0.6, zorder=5))
    axes.add_artist(Polygon(left_half, facecolor="white", edgecolor=INK, linewidth=0.6, zorder=5))
    words(axes, (middle, foot - 6), "N", 8, 5, weight="bold")
    length_ft = bar_feet(view.scale_feet, (width - 34) / POINTS_PER_INCH)
    length_pt = length_ft / view.scale_feet * POINTS_PER_INCH
    for index in range(4):
        axes.add_artist(
            Rectangle(
                (x + index * length_pt / 4, y + 20),
                length_pt / 4,
                4,
                facecolor=INK if index % 2 == 0 else "white",
                edgecolor=INK,
                linewidth=0.6,
                zorder=5,
            )
        )
    miles = length_ft >= 5280
    end = f"{length_ft / 5280:g} mi" if miles else f"{length_ft:,.0f} ft"
    half = f"{length_ft / 10560:g}" if miles else f"{length_ft / 2:,.0f}"
    words(axes, (x + 1, y + 29), "0", 6, 5)
    if length_pt > 55:
        words(axes, (x + length_pt / 2, y + 29), half, 6, 5)
    words(axes, (x + length_pt, y + 29), end, 6, 5)
    size, lines = fitted(scale_words(view.scale_feet), width - 24, 16, (6.5, 6.0, 5.5))
    for row, text in enumerate(lines):
        words(axes, (x, y + 9 - row * size * 1.2), text, size, 5, left=True)


def _locator(axes: Any, rect: Rect, evaluation: Evaluation) -> None:
    """The county's outline with the site and the incorporated places in it."""
    site = site_geometry(evaluation)
    context = context_places(evaluation, ("county", "places"))
    county = next((p for p in context if p.kind == "county" and p.geometry.intersects(site)), None)
    if county is None:
        _outline(axes, rect, evaluation)
        return
    x, y, _, height = _inner(rect)
    local = site_frame(evaluation)
    inset = _inset(rect, local.to_local(county.geometry).bounds)
    _small_area(axes, inset(local.to_local(county.geometry)), CONTEXT["county"], 5)
    for place in context:
        if place.kind == "places" and place.geometry.intersects(county.geometry):
            _small_area(axes, inset(local.to_local(place.geometry)), CONTEXT["places"], 5.1)
    at = inset(local.to_local(site.centroid))
    axes.plot(at.x, at.y, marker="*", markersize=9, color=INK, markeredgecolor="white", zorder=6)
    words(axes, (x, y + height - 6), f"★ In {evaluation.ordinance.jurisdiction}", 6.5, 5, left=True)


def _outline(axes: Any, rect: Rect, evaluation: Evaluation) -> None:
    """The site's own outline with its acres, where the county is shown already or not known."""
    x, y, _, height = _inner(rect)
    local = site_frame(evaluation)
    site = local.to_local(site_geometry(evaluation))
    _small_area(axes, _inset(rect, site.bounds)(site), replace(SITE, fill="#eeeeee"), 5)
    acres = number(round(evaluation.site.area_acres, 1))
    words(axes, (x, y + height - 6), f"The site, {acres} acres", 6.5, 5, left=True)


def _inset(rect: Rect, bounds: tuple[float, float, float, float]) -> Callable[[Any], Any]:
    """A function from local metres to a small picture in the middle of a part of the block."""
    x, y, width, height = _inner(rect)
    west, south, east, north = bounds
    scale = max((east - west) / width, (north - south) / (height - 12))
    centre = [x + width / 2, y + (height - 12) / 2]

    def to_paper(geometry: Any) -> Any:
        moved = shapely.transform(
            geometry, lambda p: (p - [(west + east) / 2, (south + north) / 2]) / scale + centre
        )
        return moved.simplify(0.1)

    return to_paper


def _small_area(axes: Any, geometry: Any, symbol: Symbol, z: float) -> None:
    from matplotlib.path import Path

    for part in shapely.get_parts(geometry):
        if part.geom_type == "Polygon":
            path = Path(np.asarray(part.exterior.coords), closed=True)
            axes.add_artist(area_patch(path, symbol, z))


def _notes(
    axes: Any, rect: Rect, evaluation: Evaluation, content: Drawn, view: View, under: str
) -> None:
    x, y, width, height = _inner(rect)
    frame = view.frame
    text = (
        "Prepared for discussion; not a survey. "
        f"Made {day_words(evaluation.generated_at[:10])} by {evaluation.tool.name} "
        f"{evaluation.tool.version}. "
        f"Projection: transverse Mercator, centre {abs(frame.lat_deg):.4f}° "
        f"{'N' if frame.lat_deg >= 0 else 'S'}, {abs(frame.lon_deg):.4f}° "
        f"{'E' if frame.lon_deg >= 0 else 'W'}, NAD83. "
        f"Sources: {'; '.join(filter(None, [*_sources(evaluation, content), under]))}."
    )
    size, lines = fitted(text, width, height, (6.5, 6.0, 5.5, 5.0))
    for row, line in enumerate(lines):
        at = (x, y + height - size * (row + 1) * 1.22)
        words(axes, at, line, size, 5, colour=QUIET, left=True)


def _sources(evaluation: Evaluation, content: Drawn) -> list[str]:
    """What this map rests on, with vintages: the land, what findings shown here cite, its layers."""
    shown = {s.finding for s in content.evidence}
    cited = [
        source
        for index, finding in enumerate(evaluation.findings)
        if finding_key(finding, index) in shown
        for source in finding.sources
    ]
    known = {s.name: s.vintage for s in all_sources(evaluation)}
    names = [s.name for s in (*evaluation.site.sources, *cited)]
    names += [str(place.properties.get("source") or "") for place in content.context]
    return [f"{n} ({known[n]})" if n in known else n for n in dict.fromkeys(names) if n]


def _frame(axes: Any, rect: Rect) -> None:
    from matplotlib.patches import Rectangle

    k = POINTS_PER_INCH
    axes.add_artist(
        Rectangle(
            (rect.x * k, rect.y * k),
            rect.width * k,
            rect.height * k,
            facecolor="white",
            edgecolor=INK,
            linewidth=0.6,
            zorder=4,
        )
    )


def _inner(rect: Rect) -> tuple[float, float, float, float]:
    """The room inside a part's border, points: left, bottom, width, height."""
    k = POINTS_PER_INCH
    return (
        rect.x * k + _PAD_PT,
        rect.y * k + _PAD_PT,
        rect.width * k - 2 * _PAD_PT,
        rect.height * k - 2 * _PAD_PT,
    )
