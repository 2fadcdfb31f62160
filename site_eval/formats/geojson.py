"""A GeoJSON file looked at before it is read: whether it is one, holds features and states a CRS."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_eval.errors import InputFileError
from site_eval.files import MAX_TEXT_BYTES, read_text

_TYPES = {
    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString",
    "Polygon", "MultiPolygon", "GeometryCollection",
}  # fmt: skip


@dataclass(frozen=True)
class Inspected:
    """What the head of the file says; a ``crs`` member is of the format's older version."""

    states_crs: bool
    empty: bool


def inspected(path: Path, named: Path) -> Inspected:
    """Look at the GeoJSON file *path*, called *named* in errors.

    A layer too large to be looked at whole is left to the reader. Raises ``InputFileError`` with
    line and column for text that is not JSON, and for JSON that is no map.
    """
    if path.stat().st_size > MAX_TEXT_BYTES:
        return Inspected(states_crs=True, empty=False)
    content = _parsed(path, named)
    if not isinstance(content, dict) or content.get("type") not in _TYPES:
        raise _error(str(named), "the JSON is not GeoJSON", "export it as a FeatureCollection")
    collection = content["type"] == "FeatureCollection"
    return Inspected(
        states_crs=content.get("crs") is not None,
        empty=collection and not content.get("features"),
    )


def _parsed(path: Path, named: Path) -> Any:
    try:
        return json.loads(read_text(path, what="map file"))
    except json.JSONDecodeError as error:
        place = f"{named}, line {error.lineno}, column {error.colno}"
        raise _error(
            place, f"this is not JSON ({error.msg.lower()})", "export the map again"
        ) from None
    except (RecursionError, ValueError):
        raise _error(str(named), "the JSON is nested too deep", "export the map again") from None


def _error(place: str, fault: str, mend: str) -> InputFileError:
    return InputFileError(place, fault, mend, code="input-file.content")
