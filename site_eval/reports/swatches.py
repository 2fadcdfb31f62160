"""Legend swatches and hatching as SVG, from the same symbols that the printed maps use."""

from __future__ import annotations

from html import escape
from typing import Any

# matplotlib's hatch letters as lines of an 8 x 8 tile.
_LINES = {
    "/": "M-2,2 L2,-2 M0,8 L8,0 M6,10 L10,6",
    "\\": "M-2,6 L2,10 M0,0 L8,8 M6,-2 L10,2",
    "-": "M0,4 L8,4",
    "|": "M4,0 L4,8",
    "+": "M0,4 L8,4 M4,0 L4,8",
    "x": "M0,0 L8,8 M0,8 L8,0",
}


def pattern_id(layer: dict[str, Any]) -> str:
    """The id of a layer's fill pattern; empty when it is filled plainly or not at all."""
    return f"hatch-{layer['slug']}" if layer["hatch"] and layer["fill"] else ""


def pattern_svg(layer: dict[str, Any]) -> str:
    """The layer's fill as an SVG pattern: its colour and its hatching over it."""
    hatch, colour = layer["hatch"], escape(layer["colour"])
    size = 8 if len(hatch) > 1 else 12
    marks = f'<path d="{_LINES.get(hatch[0], "")}" stroke="{colour}" stroke-width="1" fill="none"/>'
    if hatch[0] in ".o":
        marks = f'<circle cx="4" cy="4" r="1.1" fill="{colour}"/>'
    return (
        f'<pattern id="{pattern_id(layer)}" width="{size}" height="{size}" '
        f'viewBox="0 0 8 8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" fill="{escape(layer["fill"])}"/>{marks}</pattern>'
    )


def swatch_svg(layer: dict[str, Any]) -> str:
    """The small picture beside a layer's name."""
    body = {"area": _area, "line": _line, "point": _point}[layer["shape"]](layer)
    return (
        '<svg class="swatch" width="30" height="16" viewBox="0 0 30 16" aria-hidden="true" '
        f'focusable="false">{body}</svg>'
    )


def _area(layer: dict[str, Any]) -> str:
    pattern = pattern_id(layer)
    fill = f"url(#{pattern})" if pattern else layer["fill"] or "none"
    edge = "none" if layer["slug"] == "band" else escape(layer["colour"])
    width = min(float(layer["width"]), 2.4)
    if layer["evidence"]:
        width = 3
    return (
        f'<rect x="2" y="2" width="26" height="12" fill="{escape(fill)}" stroke="{edge}" '
        f'stroke-width="{width}" stroke-dasharray="{layer["dash"]}"/>'
    )


def _line(layer: dict[str, Any]) -> str:
    width = 4 if layer["evidence"] else layer["width"]
    return (
        f'<path d="M1,8 L29,8" stroke="{escape(layer["colour"])}" stroke-width="{width}" '
        f'stroke-dasharray="{layer["dash"]}"/>'
    )


def _point(layer: dict[str, Any]) -> str:
    colour = escape(layer["colour"])
    if not layer["code"]:
        return f'<circle cx="15" cy="8" r="6" fill="none" stroke="{colour}" stroke-width="3"/>'
    return (
        f'<rect x="2" y="1" width="26" height="14" rx="3" fill="{colour}"/>'
        f'<text x="15" y="12" text-anchor="middle" font-size="10" font-weight="700" '
        f'fill="#fff">{escape(layer["code"])}</text>'
    )
