"""A layer of surveyed sections and lots in the BLM's CadNSDI fields, looked up by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import WGS84, LocalFrame
from site_eval.errors import LayerError
from site_eval.legal.meridians import meridian_named
from site_eval.legal.section_frame import (
    Point,
    SectionFrame,
    four_corners,
    frame_from_corners,
)

# CadNSDI records no accuracy with a section. This is the tool's own allowance for a section drawn
# from surveyed corners, not a measurement.
SURVEYED_RADIUS_M = 15.0
_QUARTER_CORNER_SHARE = 0.06

Key = tuple[str, str, int]


@dataclass(frozen=True)
class PlssLayer:
    """Sections and lots of one meridian, EPSG:4326, by township, range and section."""

    sections: dict[Key, BaseGeometry]
    lots: dict[tuple[str, str, int, str], BaseGeometry]

    def section_frame(self, key: Key, local: LocalFrame) -> SectionFrame | None:
        """The section's corners and quarter corners, or None when the layer lacks it."""
        geometry = self.sections.get(key)
        if geometry is None:
            return None
        return frame_of_polygon(local.to_local(geometry))

    def lot(self, key: Key, number: str) -> BaseGeometry | None:
        """A government lot's polygon."""
        return self.lots.get((*key, number))


def plss_layer(frame: Any, meridian: str) -> PlssLayer:
    """Index a GeoDataFrame with ``PLSSID`` and ``FRSTDIVNO`` (and second divisions when there are).

    A second division is a government lot when ``SECDIVTYP`` is L or its text begins with LOT;
    its number is in ``SECDIVNO``.
    """
    missing = [name for name in ("PLSSID", "FRSTDIVNO") if name not in frame.columns]
    if missing:
        raise LayerError(
            "PLSS layer",
            f"it has no field {' or '.join(missing)}",
            "use the CadNSDI first divisions",
        )
    code = meridian_named(meridian).blm_code
    located = frame.to_crs(WGS84) if frame.crs is not None else frame
    sections: dict[Key, list[BaseGeometry]] = {}
    lots: dict[tuple[str, str, int, str], BaseGeometry] = {}
    for row in located.to_dict("records"):
        key = _key(str(row["PLSSID"]), str(row["FRSTDIVNO"]), code)
        if key is None or row["geometry"] is None:
            continue
        number = _lot_number(row)
        if number is not None:
            lots[(*key, number)] = row["geometry"]
        else:
            sections.setdefault(key, []).append(row["geometry"])
    return PlssLayer({key: shapely.union_all(parts) for key, parts in sections.items()}, lots)


def frame_of_polygon(polygon: BaseGeometry) -> SectionFrame:
    """The nine points of a section drawn in metres: its corners, and vertices near mid-side."""
    ring = np.asarray(shapely.get_parts(polygon)[0].exterior.coords)[:-1]
    corners = four_corners(ring)
    quarters = tuple(
        _near_middle(ring, a, b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
    )
    south, east, north, west = quarters
    return frame_from_corners(
        corners, (south, east, north, west), SURVEYED_RADIUS_M, "surveyed-plss"
    )


def _near_middle(ring: Any, a: Point, b: Point) -> Point | None:
    """The vertex nearest the middle of a side, if one is near enough to be its quarter corner."""
    middle = np.array([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])
    distance = np.hypot(*(ring - middle).T)
    nearest = int(np.argmin(distance))
    limit = _QUARTER_CORNER_SHARE * float(np.hypot(b[0] - a[0], b[1] - a[1]))
    if distance[nearest] > limit:
        return None
    return float(ring[nearest][0]), float(ring[nearest][1])


def _key(plssid: str, section: str, meridian_code: str) -> Key | None:
    """``ID080070N0030W0`` and ``22``: state, meridian, township and range with fraction and side."""
    if len(plssid) < 14 or plssid[2:4] != meridian_code or not section.strip().isdigit():
        return None
    township, t_fraction, t_side = plssid[4:7], plssid[7], plssid[8]
    range_, r_fraction, r_side = plssid[9:12], plssid[12], plssid[13]
    if not (township.isdigit() and range_.isdigit()):
        return None
    return (
        f"{int(township)}{'.5' if t_fraction == '2' else ''}{t_side}",
        f"{int(range_)}{'.5' if r_fraction == '2' else ''}{r_side}",
        int(section),
    )


def _lot_number(row: dict[str, Any]) -> str | None:
    kind = str(row.get("SECDIVTYP") or "").strip().upper()
    text = str(row.get("SECDIVTXT") or "").strip().upper()
    number = str(row.get("SECDIVNO") or "").strip()
    if (kind == "L" or text.startswith(("LOT", "GOVERNMENT LOT"))) and number.isdigit():
        return str(int(number))
    return None
