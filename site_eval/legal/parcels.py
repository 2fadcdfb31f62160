"""Parcels and platted lots looked up in a layer by number or name; near matches are only offered."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import WGS84
from site_eval.errors import LandError, LayerError

# A parcel layer is drawn, not surveyed; its own accuracy is rarely stated. The tool's allowance.
PARCEL_RADIUS_M = 10.0

# Our name for a field: the names that parcel layers use for it, most telling first.
USUAL_FIELDS = {
    "parcel": (
        "PARCEL_ID",
        "PARCELID",
        "PARCEL_NO",
        "PARCEL",
        "PIN",
        "APN",
        "PARCEL_NUM",
        "PARCELNUMB",
    ),
    "subdivision": ("SUBDIVISION", "SUBDIV", "SUB_NAME", "SUBNAME", "PLAT_NAME", "PLATNAME"),
    "block": ("BLOCK", "BLK", "BLOCK_NO"),
    "lot": ("LOT", "LOT_NO", "LOTNO", "LOT_NUM"),
}


def field_of(frame: Any, mapping: Mapping[str, str], name: str) -> str:
    """The layer's own field for our *name*, by the catalog's mapping or a usual spelling."""
    if name in mapping:
        if mapping[name] in frame.columns:
            return mapping[name]
        raise LayerError(
            "parcel layer", f"it has no field {mapping[name]!r}", "mend the catalog's mapping"
        )
    columns = {str(column).upper(): str(column) for column in frame.columns}
    for usual in USUAL_FIELDS[name]:
        if usual in columns:
            return columns[usual]
    raise LayerError(
        "parcel layer",
        f"no field is mapped to {name!r}",
        f"map one of its fields to {name!r} in the catalog",
    )


def find_parcel(number: str, frame: Any, mapping: Mapping[str, str]) -> BaseGeometry:
    """The polygon of a parcel number, EPSG:4326; punctuation and case do not count."""
    column = field_of(frame, mapping, "parcel")
    wanted = plain_number(number)
    hits = frame[frame[column].map(plain_number) == wanted]
    if len(hits) == 0:
        near = difflib.get_close_matches(wanted, {plain_number(v) for v in frame[column]}, n=3)
        offer = f"; the nearest there are {', '.join(sorted(near))}" if near else ""
        raise LandError(
            f"parcel {number!r}",
            f"it is not in the parcel layer{offer}",
            "check the number or the layer",
        )
    located = hits.to_crs(WGS84) if hits.crs is not None else hits
    return shapely.union_all(located.geometry.to_numpy())


def find_lots(
    subdivision: str,
    block: str | None,
    lots: tuple[str, ...],
    frame: Any,
    mapping: Mapping[str, str],
) -> tuple[BaseGeometry | None, list[str]]:
    """The polygon of platted lots, and warnings; None when any of them is not in the layer."""
    column = field_of(frame, mapping, "subdivision")
    names = {plain_name(value) for value in frame[column] if value is not None}
    wanted = plain_name(subdivision)
    if wanted not in names:
        near = difflib.get_close_matches(wanted, sorted(names), n=3, cutoff=0.75)
        offer = f"; near names: {', '.join(near)}" if near else ""
        return None, [f"subdivision {subdivision!r} is not in the layer{offer}"]
    hits = frame[frame[column].map(plain_name) == wanted]
    if block is not None:
        hits = hits[
            hits[field_of(frame, mapping, "block")].map(plain_number) == plain_number(block)
        ]
    lot_column = hits[field_of(frame, mapping, "lot")].map(plain_number)
    missing = [lot for lot in lots if plain_number(lot) not in set(lot_column)]
    if missing:
        return None, [f"lot {lot} of {subdivision} is not in the layer" for lot in missing]
    chosen = hits[lot_column.isin({plain_number(lot) for lot in lots})]
    located = chosen.to_crs(WGS84) if chosen.crs is not None else chosen
    return shapely.union_all(located.geometry.to_numpy()), []


def plain_number(value: object) -> str:
    """Capitals and digits only, leading zeros of a plain number left out."""
    text = re.sub(r"[^A-Z0-9]", "", str(value).upper())
    return text.lstrip("0") or "0" if text.isdigit() else text


_NAME_WORDS = {
    "SUBDIVISION": "SUB", "SUBD": "SUB", "SUBDIV": "SUB", "ADDITION": "ADD", "ADDN": "ADD",
    "NUMBER": "NO", "FIRST": "1", "1ST": "1", "SECOND": "2", "2ND": "2", "THIRD": "3", "3RD": "3",
    "FOURTH": "4", "4TH": "4", "FIFTH": "5", "5TH": "5", "ESTATES": "EST", "HEIGHTS": "HTS",
    "ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5",
}  # fmt: skip


def plain_name(value: object) -> str:
    """A subdivision's name with its usual abbreviations made one."""
    words = re.findall(r"[A-Z0-9]+", str(value).upper().replace("'", ""))
    return " ".join(
        _NAME_WORDS.get(w, w) for w in words if w not in {"THE", "NO", "NUMBER", "PLAT", "OF"}
    )
