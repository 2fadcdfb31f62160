"""Drawings in SVG: a condition's timeline and the places of items; no style attributes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup, escape

from inspect_web.inspection.compliance import Timeline
from inspect_web.inspection.observation import Observation

WIDTH, HEIGHT, TOP = 900, 44, 16
MAP = 480
METRES_PER_DEGREE = 111_320.0  # of latitude
LABEL_APART = 12.0
FILL = {
    "met": "#2e7d32",
    "cured": "#7cb342",
    "not-met": "#b71c1c",
    "ceased": "#e53935",
    "stale": "#9e9e9e",
    "disputed": "#f9a825",
    "waived": "#5e35b1",
}
MARK = {"met": "○", "not-met": "✕"}


def timeline_svg(line: Timeline, begins: datetime, ends: datetime, zone: ZoneInfo) -> Markup:
    """The states of one condition from *begins* to *ends*, and each observation as a mark."""
    whole = max((ends - begins).total_seconds(), 1.0)

    def x(moment: datetime) -> float:
        share = (moment - begins).total_seconds() / whole
        return round(min(max(share, 0.0), 1.0) * WIDTH, 1)

    pieces = [
        f'<rect fill="{FILL.get(span.state, "#eceff1")}" x="{x(span.begins)}" y="{TOP}" height="18" '
        f'width="{max(x(span.ends) - x(span.begins), 1.0):.1f}">'
        f"<title>{span.state} from {_local(span.begins, zone)} to {_local(span.ends, zone)}"
        "</title></rect>"
        for span in line.spans
        if span.ends > begins and span.begins < ends
    ]
    pieces += [
        f'<text x="{x(one.observed_at)}" y="13" text-anchor="middle">{MARK.get(one.outcome, "·")}'
        f"<title>№ {one.ledger_seq} {_local(one.observed_at, zone)}: {escape(one.outcome)}"
        "</title></text>"
        for one in line.seen
        if begins <= one.observed_at <= ends
    ]
    pieces += [
        f'<text class="hour" x="{x(t)}" y="43" text-anchor="middle">{_hour(t, zone)}</text>'
        for t in _hours(begins, ends)
    ]
    said = ", ".join(dict.fromkeys(span.state for span in line.spans))
    return _svg(WIDTH, HEIGHT, f"{line.item.id}: {said}", pieces)


def places_svg(site: dict[str, Any], seen: Iterable[Observation]) -> Markup:
    """Where items were recorded, over the outline of the licensed land (north is up)."""
    fixes = [o for o in seen if o.place is not None]
    rings = list(_rings(site))
    points = [p for ring in rings for p in ring] + [_at(o) for o in fixes]
    if not points:
        return Markup("")
    west, south = (min(p[i] for p in points) for i in (0, 1))
    east, north = (max(p[i] for p in points) for i in (0, 1))
    scale = (MAP - 40) / max((east - west) * 0.72, north - south, 1e-9)

    def spot(p: tuple[float, float]) -> tuple[float, float]:
        return round(20 + (p[0] - west) * 0.72 * scale, 1), round(20 + (north - p[1]) * scale, 1)

    outline = " ".join("M" + " L".join(f"{a} {b}" for a, b in map(spot, r)) + " Z" for r in rings)
    pieces = [
        f'<path fill="#f1f8e9" stroke="#33691e" stroke-width="2" fill-rule="evenodd" d="{outline}"/>'
    ]
    metre = scale / METRES_PER_DEGREE
    labels: dict[tuple[float, float], list[str]] = {}
    for one in fixes:
        assert one.place is not None
        a, b = spot(_at(one))
        radius = max(one.place.accuracy_mm / 1000 * metre, 4.0)
        hue = FILL.get(one.outcome, "#546e7a")
        pieces.append(
            f'<circle stroke="{hue}" fill="{hue}" fill-opacity="0.3" cx="{a}" cy="{b}" '
            f'r="{radius:.1f}">'
            f"<title>№ {one.ledger_seq} {escape(one.condition)}: {escape(one.outcome)}</title></circle>"
        )
        near = next((k for k in labels if math.dist(k, (a, b)) < LABEL_APART), (a, b))
        labels.setdefault(near, []).append(one.condition)
    pieces += [
        f'<text x="{a - 9}" y="{b + 4}" text-anchor="end" font-size="11">'
        f"{escape(', '.join(dict.fromkeys(said)))}</text>"
        for (a, b), said in labels.items()
    ]
    height = min(MAP, round((north - south) * scale) + 40)
    return _svg(MAP, height, f"Places of {len(fixes)} items on the licensed land", pieces)


def _svg(width: int, height: int, label: str, pieces: list[str]) -> Markup:
    body = "".join(pieces)
    return Markup(  # noqa: S704 - every piece is made above, words are escaped
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(label)}">{body}</svg>'
    )


def _local(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%m-%d %H:%M}"


def _hour(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%H:%M}"


def _hours(begins: datetime, ends: datetime) -> list[datetime]:
    step = timedelta(hours=max(1, round((ends - begins) / timedelta(hours=8))))
    first = begins.replace(minute=0, second=0, microsecond=0) + step
    return [first + n * step for n in range(8) if first + n * step < ends]


def _at(one: Observation) -> tuple[float, float]:
    assert one.place is not None
    return one.place.lon_e7 / 1e7, one.place.lat_e7 / 1e7


def _rings(site: dict[str, Any]) -> list[list[tuple[float, float]]]:
    shape = site.get("coordinates", [])
    polygons = [shape] if site.get("type") == "Polygon" else shape
    if site.get("type") not in {"Polygon", "MultiPolygon"}:
        return []
    return [[(float(p[0]), float(p[1])) for p in ring] for polygon in polygons for ring in polygon]
