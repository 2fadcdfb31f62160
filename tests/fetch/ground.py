"""Made-up rows in and around Gem County, and what the fetched files are compared with."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyogrio

from site_eval.layers.fetch.record import Fetched
from site_eval.layers.fetch.story import Order, fetch_layer
from site_eval.layers.fetch.web import Manners
from site_eval.layers.recipe import Recipe, load_recipe

GEM = "16045"
BOX = (-116.60, 43.85, -116.40, 43.95)
# A pause of nothing: the tests ask as often, but do not wait.
QUICK = Manners(tries=4, pause_s=0.0, timeout_s=10.0)
NOON = datetime(2027, 2, 1, 12, tzinfo=UTC)


def lot(number: int) -> list[list[list[float]]]:
    """Rings of parcel *number*: 50 to a row, each seventh with a hole; none crosses the box's edge."""
    west = -116.595 + 0.003 * (number % 50)
    south = 43.855 + 0.0015 * (number // 50)
    outer = _ring(west, south, 0.002, 0.001)
    return (
        [outer, _ring(west + 0.0005, south + 0.0002, 0.0004, 0.0004)]
        if number % 7 == 0
        else [outer]
    )


def _ring(west: float, south: float, wide: float, high: float) -> list[list[float]]:
    east, north = west + wide, south + high
    return [[west, south], [west, north], [east, north], [east, south], [west, south]]


def parcels(count: int, *, far: int = 0) -> dict[str, Any]:
    """GeoJSON of *count* parcels in the box and *far* ones outside, numbered with gaps."""
    inside = [_feature(number, lot(number)) for number in range(count)]
    outside = [
        _feature(count + n, [_ring(-115.0, 43.0 + n / 500, 0.001, 0.001)]) for n in range(far)
    ]
    return {"type": "FeatureCollection", "features": inside + outside}


def _feature(number: int, rings: list[list[list[float]]]) -> dict[str, Any]:
    # Numbers with gaps, as rows deleted over the years leave them.
    return {
        "type": "Feature",
        "id": 3 * number + 11,
        "properties": {"OBJECTID": 3 * number + 11, "PIN": f"P{number:05d}", "OWNER": "a name"},
        "geometry": {"type": "Polygon", "coordinates": rings},
    }


def pins(file: Path) -> list[str]:
    """The parcel numbers in a fetched file, in order."""
    return sorted(pyogrio.read_dataframe(file)["PIN"])


def all_pins(count: int, *, but: Iterable[int] = ()) -> list[str]:
    """The parcel numbers that must be there."""
    return [f"P{number:05d}" for number in range(count) if number not in set(but)]


RECIPE = """
id = "lots"
kind = "parcels"
name = "Lots"
publisher = "Example County"
licence = "CC0-1.0"
grade = "published"
verified_live = false
empty_means_none = true
fields = {{ number = "PIN" }}
{more}

[service]
type = "{type}"
address = "{address}"
margin_km = 0
{service}

[vintage]
rule = "edited"
"""


def recipe(folder: Path, kind: str, address: str, *, service: str = "", more: str = "") -> Recipe:
    """A recipe for parcels from a server of the tests."""
    file = folder / "lots.toml"
    text = RECIPE.format(type=kind, address=address, service=service, more=more)
    if "kind =" in more:
        text = text.replace('kind = "parcels"\n', "").replace('fields = { number = "PIN" }\n', "")
    file.write_text(text)
    return load_recipe(file)


def fetch(wanted: Recipe, out: Path, **changes: Any) -> Fetched:
    """Fetch one layer for the box of the tests, without waiting."""
    order = replace(Order(geoid=GEM, out=out, box=BOX, manners=QUICK), **changes)
    return fetch_layer(wanted, order, now=lambda: NOON, tell=lambda _done, _whole: None)


def write_json(file: Path, content: Any) -> Path:
    """Write *content* to *file*."""
    file.write_text(json.dumps(content))
    return file
