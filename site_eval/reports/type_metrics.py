"""How wide text is, so that it can be wrapped and kept from colliding before it is drawn."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any


@cache
def _properties(size_pt: float, weight: str) -> Any:
    from matplotlib.font_manager import FontProperties

    return FontProperties(family="DejaVu Sans", size=size_pt, weight=weight)


@lru_cache(maxsize=4096)
def text_size_pt(text: str, size_pt: float, weight: str = "normal") -> tuple[float, float]:
    """Width and height of one line, points."""
    from matplotlib.textpath import text_to_path

    width, height, descent = text_to_path.get_text_width_height_descent(
        text, _properties(size_pt, weight), ismath=False
    )
    return float(width), float(max(height + descent, size_pt))


def wrapped(text: str, width_pt: float, size_pt: float, weight: str = "normal") -> list[str]:
    """The text in lines no wider than *width_pt*; a word that is wider stands alone."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_size_pt(longer, size_pt, weight)[0] <= width_pt:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fitted(
    text: str,
    width_pt: float,
    height_pt: float,
    sizes_pt: tuple[float, ...],
    weight: str = "normal",
) -> tuple[float, list[str]]:
    """The largest of *sizes_pt* at which the text fits, and its lines; the last one cut if none."""
    for size in sizes_pt:
        lines = wrapped(text, width_pt, size, weight)
        if len(lines) * size * 1.25 <= height_pt:
            return size, lines
    size = sizes_pt[-1]
    kept = max(1, int(height_pt / (size * 1.25)))
    lines = wrapped(text, width_pt, size, weight)
    return size, [*lines[: kept - 1], lines[kept - 1] + " …"] if len(lines) > kept else lines
