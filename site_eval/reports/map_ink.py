"""Ink on a printed map: areas, lines and lettered boxes, each remembered for the legend."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.reports.map_labels import Box, OnLine, Space, along, around, inside, near
from site_eval.reports.symbols import Shape, Symbol
from site_eval.reports.type_metrics import text_size_pt

INK = "#1a1a1a"
QUIET = "#4a4a4a"
LABEL_PT = 6.5
# An area smaller than this on the paper, square points, is too small to be told by its outline.
TINY_PT2 = 60.0
CODE_PT = 5.5
_SAME_CODE_PT = 20.0
_HALO_PT = 2.2


@dataclass(frozen=True)
class Entry:
    """One line of the legend."""

    symbol: Symbol
    shape: Shape
    title: str


@dataclass
class Ink:
    """A map being drawn: matplotlib axes in points, what is taken, and what was drawn."""

    axes: Any
    space: Space
    legend: dict[str, Entry] = field(default_factory=dict)
    coded: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def note(self, symbol: Symbol, shape: Shape, title: str | None = None) -> None:
        """Remember a symbol for the legend, once."""
        words = title or symbol.title
        self.legend.setdefault(words, Entry(symbol, shape, words))


def area(ink: Ink, geometry: BaseGeometry, symbol: Symbol, z: float) -> None:
    """An area with its fill, its hatching and its outline."""
    parts = _parts(geometry, "Polygon")
    if parts:
        ink.axes.add_artist(area_patch(_path(parts), symbol, z))


def area_patch(path: Any, symbol: Symbol, z: float) -> Any:
    """The matplotlib patch of an area; the legend's swatch is made by the same hand."""
    from matplotlib.patches import PathPatch

    patch = PathPatch(
        path,
        facecolor=symbol.fill or "none",
        edgecolor=symbol.colour if symbol.width else "none",
        linewidth=symbol.width,
        linestyle=_style(symbol),
        hatch=symbol.hatch or None,
        zorder=z,
        joinstyle="miter",
    )
    patch.set_hatch_linewidth(0.45)
    return patch


def line(ink: Ink, geometry: BaseGeometry, symbol: Symbol, z: float) -> None:
    """A line; a broad solid one gets a white core, as roads have."""
    for part in _parts(geometry, "LineString"):
        for stroke in line_strokes(np.asarray(part.coords), symbol, z):
            ink.axes.add_artist(stroke)


def line_strokes(points: Any, symbol: Symbol, z: float) -> list[Any]:
    """The matplotlib lines that make one line."""
    from matplotlib.lines import Line2D

    def stroke(colour: str, width: float, above: float) -> Any:
        return Line2D(
            points[:, 0],
            points[:, 1],
            color=colour,
            linewidth=width,
            linestyle=_style(symbol),
            zorder=z + above,
            solid_capstyle="butt",
        )

    strokes = [stroke(symbol.colour, symbol.width, 0)]
    if not symbol.dash and symbol.width >= 2:
        strokes.append(stroke("white", symbol.width - 1.1, 0.01))
    return strokes


def code(ink: Ink, geometry: BaseGeometry, symbol: Symbol, z: float) -> None:
    """A lettered box at a point, moved aside where others stand, with a line to its place.

    Beside a box with the same letters, a dot is enough.
    """
    for part in _parts(geometry, "Point"):
        at = (part.x, part.y)
        if not (0 <= part.x <= ink.space.width and 0 <= part.y <= ink.space.height):
            continue
        width, height = code_size_pt(symbol)
        same = ink.coded.setdefault(symbol.code, [])
        if any(math.dist(at, other) < _SAME_CODE_PT for other in same):
            _dot(ink, at, symbol.colour, z)
            continue
        box = ink.space.put(width, height, near(*at))
        centre = (box.x + width / 2, box.y + height / 2) if box else at
        same.append(at)
        if centre != at:
            _leader(ink, at, centre, symbol.colour, z)
        code_box(ink.axes, centre, symbol, z + 0.02)


def code_size_pt(symbol: Symbol) -> tuple[float, float]:
    """Width and height of a lettered box."""
    return text_size_pt(symbol.code or "•", CODE_PT, "bold")[0] + 4.4, 9.2


def code_box(axes: Any, centre: tuple[float, float], symbol: Symbol, z: float) -> None:
    """The lettered box itself, white letters on the symbol's colour."""
    from matplotlib.patches import FancyBboxPatch

    width, height = code_size_pt(symbol)
    axes.add_artist(
        FancyBboxPatch(
            (centre[0] - width / 2 + 1, centre[1] - height / 2 + 1),
            width - 2,
            height - 2,
            boxstyle="round,pad=0.6,rounding_size=1.6",
            facecolor=symbol.colour,
            edgecolor="white",
            linewidth=0.5,
            zorder=z,
        )
    )
    words(axes, centre, symbol.code or "•", CODE_PT, z + 0.01, weight="bold", colour="white")


def ring(ink: Ink, geometry: BaseGeometry, symbol: Symbol, z: float) -> None:
    """A ring around a point that a finding is about; what stands in it stays readable."""
    from matplotlib.patches import Circle

    for part in _parts(geometry, "Point"):
        ink.axes.add_artist(
            Circle(
                (part.x, part.y),
                8.5,
                facecolor="none",
                edgecolor=symbol.colour,
                linewidth=2,
                zorder=z,
            )
        )


def label_area(ink: Ink, geometry: BaseGeometry, text: str, z: float, colour: str) -> bool:
    """A name inside an area, upright in a narrow one, beside a tiny one; whether it had room."""
    width, height = text_size_pt(text, LABEL_PT)
    wide, tall = width + 3, height + 2
    parts = sorted(_parts(geometry, "Polygon"), key=lambda p: -p.area)[:1]
    visible = shapely.clip_by_rect(parts[0], 0, 0, ink.space.width, ink.space.height)
    if visible.is_empty:
        return False
    if box := ink.space.put(wide, tall, inside(visible, wide, tall)):
        return _named(ink, box, text, z, colour)
    if box := ink.space.put(tall, wide, inside(visible, tall, wide)):
        return _named(ink, box, text, z, colour, angle_deg=90)
    if visible.area < TINY_PT2:
        west, south, east, north = visible.bounds
        middle = ((west + east) / 2, (south + north) / 2)
        if box := ink.space.put(wide, tall, around(*middle, wide, tall, reach=(north - south) / 2)):
            return _named(ink, box, text, z, colour)
    return False


def label_point(ink: Ink, geometry: BaseGeometry, text: str, z: float, colour: str) -> bool:
    """A name beside a point; whether there was room for it."""
    width, height = text_size_pt(text, LABEL_PT)
    for part in _parts(geometry, "Point")[:1]:
        if 0 <= part.x <= ink.space.width and 0 <= part.y <= ink.space.height:
            spots = around(part.x, part.y, width + 2, height + 1)
            if box := ink.space.put(width + 2, height + 1, spots):
                return _named(ink, box, text, z, colour)
    return False


def label_line(ink: Ink, geometry: BaseGeometry, text: str, z: float, colour: str) -> bool:
    """A name along a straight piece of a line; whether one had room for it."""
    visible = shapely.clip_by_rect(geometry, 0, 0, ink.space.width, ink.space.height)
    width, height = text_size_pt(text, LABEL_PT)
    for spot in along_free(ink.space, visible, width + 4, height + 1):
        ink.space.taken.extend(spot.boxes)
        words(
            ink.axes,
            (spot.x, spot.y),
            text,
            LABEL_PT,
            z,
            angle_deg=spot.angle_deg,
            colour=colour,
            ground=True,
        )
        return True
    return False


def along_free(
    space: Space, geometry: BaseGeometry, width: float, height: float
) -> Iterable[OnLine]:
    """The places along a line at which a label is free."""
    for part in _parts(geometry, "LineString"):
        for spot in along(part, width, height):
            if all(space.free(box) for box in spot.boxes):
                yield spot


def words(
    axes: Any,
    at: tuple[float, float],
    text: str,
    size_pt: float,
    z: float,
    *,
    weight: str = "normal",
    colour: str = INK,
    angle_deg: float = 0.0,
    halo: bool = False,
    ground: bool = False,
    left: bool = False,
) -> None:
    """Text, centred at a point or starting there; never read as a formula.

    *halo* sets it off from what lies under it, *ground* puts it on a white ground.
    """
    from matplotlib.patheffects import withStroke

    axes.text(
        *at,
        text,
        fontsize=size_pt,
        family="DejaVu Sans",
        weight=weight,
        color=colour,
        rotation=angle_deg,
        rotation_mode="anchor",
        ha="left" if left else "center",
        va="baseline" if left else "center_baseline",
        zorder=z,
        parse_math=False,
        path_effects=[withStroke(linewidth=_HALO_PT, foreground="white")] if halo else None,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2} if ground else None,
        clip_on=False,
    )


def _named(ink: Ink, box: Box, text: str, z: float, colour: str, *, angle_deg: float = 0.0) -> bool:
    centre = (box.x + box.width / 2, box.y + box.height / 2)
    words(ink.axes, centre, text, LABEL_PT, z, halo=True, colour=colour, angle_deg=angle_deg)
    return True


def _leader(
    ink: Ink, place: tuple[float, float], box: tuple[float, float], colour: str, z: float
) -> None:
    from matplotlib.lines import Line2D

    ink.axes.add_artist(
        Line2D([place[0], box[0]], [place[1], box[1]], color=colour, linewidth=0.6, zorder=z)
    )
    _dot(ink, place, colour, z)


def _dot(ink: Ink, place: tuple[float, float], colour: str, z: float) -> None:
    from matplotlib.patches import Circle

    ink.axes.add_artist(
        Circle(place, 1.6, facecolor=colour, edgecolor="white", linewidth=0.4, zorder=z + 0.01)
    )


def _parts(geometry: BaseGeometry, kind: str) -> list[Any]:
    """The simple parts of one kind; rings count as lines."""
    kinds = {kind, "LinearRing"} if kind == "LineString" else {kind}
    found: list[Any] = []
    for part in shapely.get_parts(geometry):
        if part.geom_type in kinds:
            found.append(part)
        elif part.geom_type.startswith(("Multi", "Geometry")):
            found += _parts(part, kind)
    return [part for part in found if not part.is_empty]


def _path(polygons: list[Any]) -> Any:
    """Polygons with their holes as one path."""
    from matplotlib.path import Path

    rings = [ring for polygon in polygons for ring in (polygon.exterior, *polygon.interiors)]
    return Path.make_compound_path(*[Path(np.asarray(ring.coords), closed=True) for ring in rings])


def _style(symbol: Symbol) -> Any:
    return (0, symbol.dash) if symbol.dash else "solid"
