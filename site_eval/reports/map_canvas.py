"""The empty sheet of a printed map, ready for ink, and how it is saved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_eval.errors import OutputError
from site_eval.reports import map_ink
from site_eval.reports.map_ink import Ink
from site_eval.reports.map_labels import Box, Space
from site_eval.reports.map_sheet import Sheet
from site_eval.reports.map_view import POINTS_PER_INCH, View
from site_eval.reports.type_metrics import text_size_pt

DPI = 300
# Nothing random and no clock in the bytes; text as outlines, so that no font has to be there.
RC: Any = {
    "svg.hashsalt": "site-eval",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "path.simplify": False,
}
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": None},
    "png": {"Software": None},
}


@dataclass(frozen=True)
class Canvas:
    """A figure with the map's ink and the axes, in points, of the whole sheet."""

    figure: Any
    ink: Ink
    sheet_axes: Any


def canvas_for(sheet: Sheet, view: View) -> Canvas:
    """An empty sheet with the map's frame and its graticule."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(sheet.width, sheet.height))
    ink = _map_axes(figure, sheet, view)
    _graticule(ink, view)
    return Canvas(figure, ink, _sheet_axes(figure, sheet))


def kind_of(path: Path) -> str:
    """How a map is to be saved, by the path's suffix; raises ``OutputError`` for others."""
    kind = path.suffix.removeprefix(".").lower()
    if kind not in METADATA:
        raise OutputError(
            str(path), "a map is not written in this form", "name it .svg, .pdf or .png"
        )
    return kind


def save(figure: Any, target: Any, kind: str, *, outlines: bool = True) -> None:
    """Write the figure to a path or a stream; the same figure gives the same bytes.

    Without *outlines* an SVG keeps its text as text: a fraction of the size, for a screen.
    """
    from matplotlib import rc_context

    with rc_context(RC if outlines else RC | {"svg.fonttype": "none"}):
        figure.savefig(target, format=kind, dpi=DPI, metadata=METADATA[kind])


def save_pages(figures: list[Any], target: Any) -> None:
    """Write figures as the pages of one PDF."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import PdfPages

    with rc_context(RC), PdfPages(target, metadata=METADATA["pdf"]) as pages:
        for figure in figures:
            pages.savefig(figure)


def _map_axes(figure: Any, sheet: Sheet, view: View) -> Ink:
    frame = sheet.frame
    axes = figure.add_axes(
        (
            frame.x / sheet.width,
            frame.y / sheet.height,
            frame.width / sheet.width,
            frame.height / sheet.height,
        )
    )
    axes.set_xlim(0, view.width_pt)
    axes.set_ylim(0, view.height_pt)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_facecolor("white")
    for spine in axes.spines.values():
        spine.set_linewidth(1.2)
        spine.set_zorder(30)
    return Ink(axes, Space(view.width_pt, view.height_pt))


def _sheet_axes(figure: Any, sheet: Sheet) -> Any:
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, sheet.width * POINTS_PER_INCH)
    axes.set_ylim(0, sheet.height * POINTS_PER_INCH)
    axes.axis("off")
    axes.patch.set_visible(False)
    return axes


def _graticule(ink: Ink, view: View) -> None:
    """Ticks and words of the graticule along the lower and the left edge."""
    meridians, parallels = view.graticule()
    for x, text in meridians:
        ink.axes.plot([x, x], [0, 5], color="black", linewidth=0.6, zorder=29)
        width = text_size_pt(text, 5.5)[0]
        ink.space.taken.append(Box(x - width / 2, 5, width, 8))
        map_ink.words(ink.axes, (x, 9), text, 5.5, 29, halo=True, colour="#444444")
    for y, text in parallels:
        ink.axes.plot([0, 5], [y, y], color="black", linewidth=0.6, zorder=29)
        width = text_size_pt(text, 5.5)[0]
        ink.space.taken.append(Box(5, y - width / 2, 8, width))
        map_ink.words(ink.axes, (9, y), text, 5.5, 29, halo=True, colour="#444444", angle_deg=90)
