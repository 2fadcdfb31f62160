"""What a coordinator must know of a layer before relying on it: cover, age, faults."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import ellipsoidal_area_m2
from site_eval.errors import SiteEvalError
from site_eval.files import sha256_of
from site_eval.formats import holes_share, read_raster_info
from site_eval.layers.catalog import NEEDED_FIELDS, Catalog, LayerEntry
from site_eval.layers.layer import read_layer
from site_eval.record.verdict import Grade

FULL_COVER = 0.999
MOST_HOLES = 0.001


@dataclass(frozen=True)
class LayerReport:
    """One layer looked at. ``cover`` is the share of the place asked about within its cover."""

    id: str
    kind: str
    rows: int | None
    crs: str | None
    cover: float | None
    age_days: int
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Ground:
    """The ground that a layer is to cover, EPSG:4326, and what it is called in a sentence."""

    outline: BaseGeometry | None
    name: str = "the county"


def inspect_catalog(
    catalog: Catalog,
    *,
    county: str,
    as_of: date,
    site: BaseGeometry | None = None,
    age_is_a_problem: bool = False,
) -> list[LayerReport]:
    """A report for each layer, against a *site* or else the county of this GEOID, on a day."""
    ground = Ground(site, "the site") if site else Ground(_county_outline(catalog, county))
    return [
        inspect_layer(entry, ground, as_of=as_of, age_is_a_problem=age_is_a_problem)
        for entry in catalog.entries
    ]


def inspect_layer(
    entry: LayerEntry, ground: Ground, *, as_of: date, age_is_a_problem: bool = False
) -> LayerReport:
    """One layer's report; whatever keeps it from being read is a problem, not an error."""
    facts: dict[str, Any] = {"rows": None, "crs": None, "cover": None}
    problems: list[str] = []
    remarks: list[str] = []
    try:
        facts |= _raster_facts(entry, ground) if entry.is_raster else _vector_facts(entry, ground)
        problems += [*facts.pop("problems", []), *_changed(entry)]
        remarks += facts.pop("remarks", [])
    except SiteEvalError as error:
        problems.append(f"{error.fault}; {error.mend}")
    cover = facts["cover"]
    if cover is not None and cover < FULL_COVER:
        problems.append(f"covers only {cover:.0%} of {ground.name}")
    if entry.incomplete:
        problems.append(f"came incomplete: {entry.incomplete}")
    missing = [name for name in NEEDED_FIELDS.get(entry.kind, ()) if name not in entry.fields]
    if missing and not entry.is_raster:
        problems.append(f"no field is mapped to {', '.join(missing)}")
    age = age_days(entry, as_of=as_of)
    if entry.max_age_days is not None and age > entry.max_age_days:
        told = problems if age_is_a_problem else remarks
        told.append(f"{age:,} days old, more than the {entry.max_age_days:,} that are advised")
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


def _changed(entry: LayerEntry) -> list[str]:
    """A problem when a fetched file is not the one that was fetched."""
    if entry.sha256 is None or entry.file is None or sha256_of(entry.file) == entry.sha256:
        return []
    return ["the file was changed since it was fetched; fetch it again"]


def _raster_facts(entry: LayerEntry, ground: Ground) -> dict[str, Any]:
    assert entry.file is not None
    info = read_raster_info(entry.file)
    problems = [] if info.nodata is not None else ["states no nodata value"]
    holes = holes_share(entry.file, ground.outline) if ground.outline is not None else 0.0
    if holes > MOST_HOLES:
        problems.append(f"has no data on about {holes:.1%} of what it covers of {ground.name}")
    return {
        "crs": info.crs.name,
        "cover": _share(ground.outline, entry.coverage or info.bounds_deg),
        "problems": problems,
    }


def _vector_facts(entry: LayerEntry, ground: Ground) -> dict[str, Any]:
    rows = read_layer(entry)
    problems, remarks, outline = [], [], ground.outline
    if rows.attrs["mended"]:
        problems.append(f"{rows.attrs['mended']} invalid areas, mended when read")
    if rows.empty and entry.coverage is None:
        problems.append("is empty, which says nothing: the ground may not be mapped")
    elif rows.empty:
        remarks.append("is empty: nothing is there within its cover")
    elif outline is not None and entry.coverage is None and not rows.intersects(outline).any():
        problems.append(f"has nothing in {ground.name}")
    return {
        "rows": len(rows),
        "crs": rows.attrs["own_crs"],
        "cover": _share(outline, entry.coverage) if entry.coverage else None,
        "problems": problems,
        "remarks": remarks,
    }


def _share(outline: BaseGeometry | None, box: tuple[float, float, float, float]) -> float | None:
    if outline is None:
        return None
    inside = outline.intersection(shapely.box(*box))
    return ellipsoidal_area_m2(inside) / ellipsoidal_area_m2(outline)
