"""What a coordinator must know of a layer before relying on it: cover, age, faults."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import ellipsoidal_area_m2
from site_eval.errors import SiteEvalError
from site_eval.formats import read_raster_info
from site_eval.layers.catalog import NEEDED_FIELDS, Catalog, LayerEntry
from site_eval.layers.layer import read_layer
from site_eval.record.verdict import Grade

FULL_COVER = 0.999


@dataclass(frozen=True)
class LayerReport:
    """One layer looked at. ``cover`` is the share of the county within the layer's cover."""

    id: str
    kind: str
    rows: int | None
    crs: str | None
    cover: float | None
    age_days: int
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def inspect_catalog(catalog: Catalog, *, county: str, as_of: date) -> list[LayerReport]:
    """A report for each layer, against the county of this GEOID and the day *as_of*."""
    outline = _county_outline(catalog, county)
    return [inspect_layer(entry, outline, as_of=as_of) for entry in catalog.entries]


def inspect_layer(entry: LayerEntry, county: BaseGeometry | None, *, as_of: date) -> LayerReport:
    """One layer's report; whatever keeps it from being read is a problem, not an error."""
    facts: dict[str, Any] = {"rows": None, "crs": None, "cover": None}
    problems, remarks = [], []
    try:
        facts |= _raster_facts(entry, county) if entry.is_raster else _vector_facts(entry, county)
        problems += facts.pop("problems", [])
    except SiteEvalError as error:
        problems.append(f"{error.fault}; {error.mend}")
    cover = facts["cover"]
    if cover is not None and cover < FULL_COVER:
        problems.append(f"covers only {cover:.0%} of the county")
    missing = [name for name in NEEDED_FIELDS.get(entry.kind, ()) if name not in entry.fields]
    if missing and not entry.is_raster:
        problems.append(f"no field is mapped to {', '.join(missing)}")
    age = age_days(entry, as_of=as_of)
    if entry.max_age_days is not None and age > entry.max_age_days:
        remarks.append(f"{age:,} days old, more than the {entry.max_age_days:,} that are advised")
    if entry.grade is Grade.ILLUSTRATIVE:
        remarks.append("illustrative: made up, decides nothing")
    return LayerReport(
        id=entry.id, kind=entry.kind, age_days=age, problems=tuple(problems), remarks=tuple(remarks),
        **facts,
    )  # fmt: skip


def age_days(entry: LayerEntry, *, as_of: date) -> int:
    """Days from the layer's vintage (a year or month counts from its first day) to *as_of*."""
    year, month, day = ([int(part) for part in entry.vintage.split("-")] + [1, 1])[:3]
    return (as_of - date(year, month, day)).days


def _county_outline(catalog: Catalog, county: str) -> BaseGeometry | None:
    for entry in catalog.of_kind("county"):
        rows = read_layer(entry)
        if "geoid" in rows and (hit := rows[rows["geoid"] == county]).shape[0]:
            return shapely.union_all(hit.geometry.to_numpy())
    return None


def _raster_facts(entry: LayerEntry, county: BaseGeometry | None) -> dict[str, Any]:
    assert entry.file is not None
    info = read_raster_info(entry.file)
    problems = [] if info.nodata is not None else ["states no nodata value"]
    return {
        "crs": info.crs.name,
        "cover": _share(county, entry.coverage or info.bounds_deg),
        "problems": problems,
    }


def _vector_facts(entry: LayerEntry, county: BaseGeometry | None) -> dict[str, Any]:
    rows = read_layer(entry)
    problems = []
    if rows.attrs["mended"]:
        problems.append(f"{rows.attrs['mended']} invalid areas, mended when read")
    if county is not None and entry.coverage is None and not rows.intersects(county).any():
        problems.append("has nothing in the county")
    return {
        "rows": len(rows),
        "crs": rows.attrs["own_crs"],
        "cover": _share(county, entry.coverage) if entry.coverage else None,
        "problems": problems,
    }


def _share(county: BaseGeometry | None, box: tuple[float, float, float, float]) -> float | None:
    if county is None:
        return None
    inside = county.intersection(shapely.box(*box))
    return ellipsoidal_area_m2(inside) / ellipsoidal_area_m2(county)
