"""Printed maps: one question, one sheet, to scale, as vector or at 300 dots an inch."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from site_eval.files import whole_file
from site_eval.record.evaluation import Evaluation
from site_eval.reports.map_block import title_block
from site_eval.reports.map_canvas import RC, canvas_for, kind_of, save, save_pages
from site_eval.reports.map_content import draw_content
from site_eval.reports.map_relief import draw_relief
from site_eval.reports.map_sheet import scale_words, sheet_named
from site_eval.reports.map_topics import Drawn, drawn, topic_named, worth_drawing
from site_eval.reports.map_view import View, tallness_of, view_of
from site_eval.reports.symbols import role_symbol
from site_eval.reports.words import VERDICTS, check_title, number
from site_eval.units import feet

_DECIMALS = re.compile(r"(?<=\.\d\d)\d+")


def write_static_map(
    evaluation: Evaluation,
    path: Path,
    topic: str = "site-plan",
    sheet: str = "letter-landscape",
    relief: Path | None = None,
) -> None:
    """Write one map as ``.svg``, ``.pdf`` or ``.png`` (300 dpi), by the path's suffix.

    *topic* is one of ``map_topics.TOPICS``, *sheet* one of ``map_sheet.SHEETS``, *relief* an
    elevation raster whose hill shade lies below. The same evaluation gives the same bytes. Raises
    ``OutputError`` for a name or a suffix it does not know, ``InputFileError`` for the raster.
    """
    kind = kind_of(path)
    figure, _view, _content = compose(evaluation, topic, sheet, relief)
    with whole_file(path) as temporary:
        save(figure, temporary, kind)


def map_svg(
    evaluation: Evaluation, topic: str, sheet: str = "packet", *, outlines: bool = True
) -> tuple[str, str]:
    """One map as SVG text, and its alternative text; its letters as *outlines* or as text."""
    figure, view, content = compose(evaluation, topic, sheet)
    stream = io.BytesIO()
    save(figure, stream, "svg", outlines=outlines)
    return _shorter(stream.getvalue().decode("utf-8")), _alternative(evaluation, content, view)


def write_atlas(
    evaluation: Evaluation,
    path: Path,
    sheet: str = "letter-landscape",
    relief: Path | None = None,
) -> list[str]:
    """Write every map that has something to show into one PDF; return their titles."""
    topics = worth_drawing(evaluation)
    with whole_file(path) as temporary:
        pages = [compose(evaluation, topic.id, sheet, relief)[0] for topic in topics]
        save_pages(pages, temporary)
    return [topic.title for topic in topics]


def compose(
    evaluation: Evaluation, topic_id: str, sheet_name: str, relief: Path | None = None
) -> tuple[Any, View, Drawn]:
    """The matplotlib figure of one map, its window, and what it draws."""
    from matplotlib import rc_context

    topic = topic_named(topic_id)
    content = drawn(evaluation, topic)
    sheet = sheet_named(sheet_name, tallness_of(evaluation, content))
    view = view_of(evaluation, content, sheet.frame)
    with rc_context(RC):
        canvas = canvas_for(sheet, view)
        if relief is not None:
            draw_relief(canvas.ink.axes, view, relief)
        draw_content(canvas.ink, view, evaluation, content)
        legend = list(canvas.ink.legend.values())
        under = f"hill shade from {relief.name}" if relief is not None else ""
        title_block(canvas.sheet_axes, sheet, evaluation, content, view, legend, under)
    return canvas.figure, view, content


def _shorter(svg: str) -> str:
    """Outlines to a hundredth of a point, which no printer shows; their scales stay as they are."""
    return re.sub(r' d="[^"]*"', lambda outline: _DECIMALS.sub("", outline[0]), svg)


def _alternative(evaluation: Evaluation, content: Drawn, view: View) -> str:
    """What the map shows, for those who cannot see it."""
    topic = content.topic
    kinds: dict[str, int] = {}
    for place in content.layout:
        title = role_symbol(place.kind).title.lower()
        kinds[title] = kinds.get(title, 0) + 1
    things = ", ".join(f"{n} {title}" if n > 1 else title for title, n in kinds.items())
    found = "; ".join(
        f"{check_title(s.check)}, {VERDICTS[s.verdict].word.lower()}: {s.place.label}"
        for s in content.evidence[:12]
        if s.place.label
    )
    parts = [
        f"Map: {topic.title}. {topic.question}",
        f"North is up; scale {scale_words(view.scale_feet)}.",
        f"The site has {number(round(evaluation.site.area_acres, 2))} acres; its boundary is drawn "
        f"with a band of {number(round(feet(evaluation.site.position_uncertainty_m)))} ft to either "
        "side, in which the true boundary lies with 95 % confidence.",
    ]
    if things:
        parts.append(f"Drawn from the plan: {things}.")
    if found:
        parts.append(f"Places that findings point to: {found}.")
    return " ".join(parts)
