"""The site layout: features with a role each, checked and placed in EPSG:4326 near the land."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.application import LayoutSpec
from site_eval.crs import WGS84, LocalFrame, frame_for
from site_eval.errors import LayoutError, ManyErrors, SiteEvalError
from site_eval.files import sha256_of
from site_eval.formats import read_vector
from site_eval.record.finding import Source
from site_eval.record.verdict import Grade
from site_eval.units import MILE_FT, feet

ROLES = (
    "site", "parking", "parking_overflow", "emergency_entrance", "emergency_exit",
    "public_entrance", "public_exit", "road", "fire_lane", "public_road", "stage", "loudspeaker",
    "assembly_area", "toilet_female", "toilet_male", "toilet", "handwash", "drinking_water",
    "shower", "medical", "ambulance", "telephone", "light", "camping", "waste", "food",
    "security_post", "fire_extinguisher", "fire_alarm", "water_tank", "structure", "obstacle",
    "fence", "gate",
)  # fmt: skip
IGNORE = "ignore"
AREA_ROLES = {"site", "parking", "parking_overflow", "assembly_area", "camping"}
WAY_ROLES = {"road", "fire_lane", "public_road", "fence"}
MAX_FEATURES = 20_000
MAX_AREA_CHANGE = 0.01
FAR_M = 1_000.0
LOST_M = 50_000.0
# Property: whole number or not, least value, whether the least itself is allowed, greatest.
_NUMBERS: dict[str, tuple[bool, float, bool, float]] = {
    "count": (True, 0, True, 1e6),
    "spaces": (True, 0, True, 1e6),
    "width_ft": (False, 0, False, 1e4),
    "mount_height_ft": (False, 0, False, 1e3),
    "lumens": (False, 0, False, 1e9),
    "sound_level_dba": (False, 0, False, 160),
    "reference_distance_ft": (False, 0, False, 5e3),
    "gallons": (False, 0, True, 1e9),
}
PROPERTIES = ("name", "surface", *_NUMBERS)


@dataclass(frozen=True)
class Feature:
    """One thing on the ground. ``geometry`` is EPSG:4326, two-dimensional and valid."""

    role: str
    name: str
    geometry: BaseGeometry
    properties: dict[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True)
class Layout:
    """Every feature of the layout file, what its CRS was, and what a person should know."""

    features: tuple[Feature, ...]
    crs_note: str
    warnings: tuple[str, ...]
    source: Source

    def by_role(self, *roles: str) -> tuple[Feature, ...]:
        """The features of any of *roles*, in the file's order."""
        return tuple(feature for feature in self.features if feature.role in roles)


def read_layout(path: Path, spec: LayoutSpec, *, near: BaseGeometry | None) -> Layout:
    """The layout in *path*, its words mapped by *spec*; *near* is the land in EPSG:4326.

    Raises ``InputFileError`` for a file that cannot be read and ``ManyErrors`` of ``LayoutError``
    with every feature at fault: roles and properties that are not known, areas that cross
    themselves, a layout that does not lie at the land.
    """
    frame = read_vector(path, layer=spec.layer, crs=spec.crs)
    if len(frame) > MAX_FEATURES:
        raise _error(path, f"the layout has {len(frame):,} features, more than {MAX_FEATURES:,}",
                     "keep only what belongs to the site", "size")  # fmt: skip
    notes = list(frame.attrs.get("notes", []))
    crs_note = f"The layout's CRS is {frame.crs.name}."
    shapes = frame.geometry.to_crs(WGS84).to_numpy()
    rows = _renamed(path, frame.drop(columns="geometry").to_dict("records"), spec)
    roles, role_notes = _roles(path, rows, spec)
    features, notes_of_features = _features(path, rows, shapes, roles)
    if near is not None:
        notes_of_features += _require_near(path, features, near)
    warnings = (*notes, *role_notes, *notes_of_features, *_twice(features))
    return Layout(tuple(features), crs_note, warnings, _source(path))


def to_geojson(layout: Layout) -> dict[str, Any]:
    """The layout as a FeatureCollection; coordinates to 1e-7 degree (about a centimetre)."""
    return {"type": "FeatureCollection", "features": [_as_json(f) for f in layout.features]}


def _as_json(feature: Feature) -> dict[str, Any]:
    rounded = shapely.transform(feature.geometry, lambda points: np.round(points, 7))
    return {
        "type": "Feature",
        "id": feature.id,
        "properties": {"role": feature.role, "name": feature.name, **feature.properties},
        "geometry": shapely.geometry.mapping(rounded),
    }


def _source(path: Path) -> Source:
    return Source(
        name="Site layout", publisher="Applicant", vintage="as filed", licence="as filed",
        grade=Grade.DECLARED, sha256=sha256_of(path),
    )  # fmt: skip


# --- the file's own words -----------------------------------------------------------------------


def _renamed(path: Path, rows: list[dict[str, Any]], spec: LayoutSpec) -> list[dict[str, Any]]:
    """The rows under our property names: by the mapping, or a Shapefile's ten letters."""
    known = list(rows[0])
    faults: list[SiteEvalError] = []
    for theirs, ours in spec.fields.items():
        if theirs not in known:
            faults.append(
                _error(
                    path, f"the layout has no field '{theirs}'", _nearest(theirs, known), "field"
                )
            )
        if ours not in PROPERTIES:
            faults.append(
                _error(path, f"'{ours}' is not a property", _nearest(ours, PROPERTIES), "field")
            )
    _raise_any(faults)
    cut = {name[:10]: name for name in PROPERTIES if len(name) > 10}
    names = {name: spec.fields.get(name) or cut.get(name, name) for name in known}
    return [{names[key]: value for key, value in row.items()} for row in rows]


def _roles(
    path: Path, rows: list[dict[str, Any]], spec: LayoutSpec
) -> tuple[list[str | None], list[str]]:
    """The role of each row (None where it is to be ignored), and a note on those ignored."""
    where = _role_field(path, rows[0], spec)
    wrong = sorted({ours for ours in spec.roles.values() if ours not in {*ROLES, IGNORE}})
    _raise_any(
        _error(
            path,
            f"'{ours}' in layout.roles is not a role",
            _nearest(ours, (*ROLES, IGNORE)),
            "role",
        )
        for ours in wrong
    )
    said = [_text(row.get(where)) for row in rows]
    found = [_role(word, spec.roles) for word in said]
    unknown = Counter(
        word for word, role in zip(said, found, strict=True) if role not in {*ROLES, IGNORE}
    )
    _raise_any(_unknown_role(path, where, word, count) for word, count in unknown.items())
    ignored = sum(role == IGNORE for role in found)
    notes = [f"{ignored} features were left out, as layout.roles says."] if ignored else []
    return [None if role == IGNORE else role for role in found], notes


def _role_field(path: Path, row: dict[str, Any], spec: LayoutSpec) -> str:
    if spec.role_field in row:
        return spec.role_field
    if spec.role_field == "role" and "Layer" in row:
        return "Layer"
    raise _error(
        path, f"no field '{spec.role_field}' says what each feature is",
        f"name the field as role_field: {', '.join(sorted(row)) or 'the file has none'}", "role-field",
    )  # fmt: skip


def _role(word: str, mapping: dict[str, str]) -> str:
    if word in mapping:
        return mapping[word]
    plain = word.strip().lower().replace(" ", "_").replace("-", "_")
    return mapping.get(plain, plain)


def _unknown_role(path: Path, where: str, word: str, count: int) -> LayoutError:
    of = f"{count} feature{'s' * (count > 1)}"
    if not word:
        return _error(path, f"{of} have nothing in the field '{where}'", "give each a role", "role")
    return _error(path, f"'{word}' ({of}) is not a role", _nearest(word, ROLES), "role")


# --- feature by feature -------------------------------------------------------------------------


def _features(
    path: Path, rows: list[dict[str, Any]], shapes: Any, roles: list[str | None]
) -> tuple[list[Feature], list[str]]:
    features: list[Feature] = []
    notes: list[str] = []
    faults: list[SiteEvalError] = []
    numbers: Counter[str] = Counter()
    ids = _own_ids(rows)
    for index, (row, shape, role) in enumerate(zip(rows, shapes, roles, strict=True)):
        if role is None:
            continue
        numbers[role] += 1
        name = _text(row.get("name")) or f"{role.replace('_', ' ').capitalize()} {numbers[role]}"
        place = f"{path}, feature {index + 1} ({role} '{name}')"
        try:
            geometry = _fit(place, role, shape, notes)
            properties = _properties(place, row)
        except ManyErrors as error:
            faults += error.errors
        except LayoutError as error:
            faults.append(error)
        else:
            own = ids[index] if ids else f"{role}-{numbers[role]}"
            features.append(Feature(role, name, geometry, properties, own))
    _raise_any(faults)
    if not features:
        raise _error(path, "every feature is left out", "map at least one to a role", "role")
    return features, notes


def _own_ids(rows: list[dict[str, Any]]) -> list[str]:
    ids = [_text(row.get("id")) for row in rows]
    return ids if all(ids) and len(set(ids)) == len(ids) else []


def _fit(place: str, role: str, shape: BaseGeometry, notes: list[str]) -> BaseGeometry:
    """*shape* as *role* needs it: one part unwrapped, closed lines made areas, crossings mended."""
    parts = shapely.get_parts(shape)
    geometry = parts[0] if len(parts) == 1 else shape
    kind = geometry.geom_type
    if role in AREA_ROLES and kind == "LineString" and geometry.is_closed:
        geometry = shapely.Polygon(geometry.coords)
        notes.append(f"{place.rpartition(', ')[2]}: a closed line was read as an area.")
    elif role in AREA_ROLES and kind not in {"Polygon", "MultiPolygon"}:
        raise LayoutError(
            place, f"this is a {kind}, not an area", "draw it as a polygon", code="layout.kind"
        )
    if role in WAY_ROLES and kind in {"Point", "MultiPoint"}:
        raise LayoutError(
            place, f"this is a {kind}", "draw it as a line or an area", code="layout.kind"
        )
    if kind == "GeometryCollection":
        raise LayoutError(
            place, "points, lines and areas are mixed", "draw each by itself", code="layout.kind"
        )
    return _mended(place, geometry, notes) if geometry.geom_type.endswith("Polygon") else geometry


def _mended(place: str, geometry: BaseGeometry, notes: list[str]) -> BaseGeometry:
    frame = frame_for(geometry)
    area_m2 = abs(float(frame.to_local(geometry).area))
    if geometry.is_valid:
        if area_m2 < 0.01:
            raise LayoutError(place, "the polygon has no area", "draw it anew", code="layout.kind")
        return geometry
    reason = shapely.is_valid_reason(geometry).replace("[", " at ").rstrip("]").lower()
    parts = shapely.get_parts(shapely.make_valid(geometry))
    whole = shapely.union_all([p for p in parts if p.geom_type.endswith("Polygon")])
    mended_m2 = float(frame.to_local(whole).area)
    if mended_m2 == 0 or abs(mended_m2 - area_m2) > MAX_AREA_CHANGE * mended_m2:
        raise LayoutError(
            place, f"the outline crosses itself ({reason}) and its area is in doubt", "draw it anew",
            code="layout.crossing",
        )  # fmt: skip
    notes.append(
        f"{place.rpartition(', ')[2]}: the outline crossed itself ({reason}) and was mended; its "
        f"area changed by {abs(mended_m2 / area_m2 - 1):.2%}."
    )
    return whole


def _properties(place: str, row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    faults: list[SiteEvalError] = []
    for key in sorted(set(row) - {"role", "name", "id"}):
        value = _plain(row[key])
        if value is None:
            continue
        try:
            found[key] = _number(place, key, value) if key in _NUMBERS else value
        except LayoutError as error:
            faults.append(error)
    _raise_any(faults)
    return found


def _number(place: str, key: str, value: Any) -> int | float:
    whole, least, allowed, greatest = _NUMBERS[key]
    bound = f"{'at least' if allowed else 'more than'} {least:g} and at most {greatest:,.0f}"
    wanted = f"give {'a whole number' if whole else 'a number'}, {bound}"
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    inside = (number >= least if allowed else number > least) and number <= greatest
    if isinstance(value, bool) or not inside or (whole and not number.is_integer()):
        raise LayoutError(place, f"{key} is '{value}'", wanted, code="layout.property")
    return int(number) if whole else number


def _plain(value: Any) -> Any:
    """A cell as a JSON value; None for missing, empty, and what JSON cannot hold."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return value.strip() or None
    return value if isinstance(value, bool | int | float) else None


def _text(value: Any) -> str:
    plain = _plain(value)
    if isinstance(plain, float) and plain.is_integer():
        return str(int(plain))
    return "" if plain is None else str(plain)


# --- the layout against the land ----------------------------------------------------------------


def _require_near(path: Path, features: list[Feature], near: BaseGeometry) -> list[str]:
    frame = frame_for(near)
    land = frame.to_local(near)
    metres = [_distance_m(frame, land, feature.geometry) for feature in features]
    if min(metres) > FAR_M:
        flipped = shapely.transform(features[0].geometry, lambda points: points[:, ::-1])
        swapped = _distance_m(frame, land, flipped) <= FAR_M
        raise _error(
            path, f"the layout lies {_miles(min(metres))} from the land",
            "latitude and longitude seem to be swapped" if swapped
            else "check its CRS, and that it is the layout of this land", "far",
        )  # fmt: skip
    _raise_any(
        _error(
            path,
            f"{f.role} '{f.name}' lies {_miles(m)} from the land",
            "move it or take it out",
            "far",
        )
        for f, m in zip(features, metres, strict=True)
        if m > LOST_M
    )
    return [
        f"{f.role} '{f.name}' lies {_miles(m)} from the land."
        for f, m in zip(features, metres, strict=True)
        if m > FAR_M
    ]


def _distance_m(frame: LocalFrame, land: BaseGeometry, geometry: BaseGeometry) -> float:
    """Distance to the land; beyond a few degrees, where the frame ends, along the great circle."""
    lon, lat = geometry.centroid.x, geometry.centroid.y
    if abs(lat) > 90 or abs(lon - frame.lon_deg) > 3 or abs(lat - frame.lat_deg) > 3:
        return _great_circle_m(frame, lon, lat)
    return float(land.distance(frame.to_local(geometry)))


def _great_circle_m(frame: LocalFrame, lon: float, lat: float) -> float:
    from site_eval.crs import GEOD

    if abs(lat) > 90:
        return math.inf
    return float(GEOD.inv(frame.lon_deg, frame.lat_deg, lon, lat)[2])


def _miles(metres: float) -> str:
    return f"{feet(metres) / MILE_FT:,.1f} miles"


def _twice(features: list[Feature]) -> Iterator[str]:
    seen: dict[tuple[str, bytes], str] = {}
    for feature in features:
        key = (feature.role, feature.geometry.normalize().wkb)
        if key in seen:
            yield f"{feature.role} '{feature.name}' is drawn twice (also as '{seen[key]}')."
        seen.setdefault(key, feature.name)


# --- errors -------------------------------------------------------------------------------------


def _error(path: Path, fault: str, mend: str, code: str) -> LayoutError:
    return LayoutError(str(path), fault, mend, code=f"layout.{code}")


def _nearest(word: str, known: Iterable[str]) -> str:
    names = list(known)
    plain = word.strip().lower().replace(" ", "_").replace("-", "_")
    near = get_close_matches(plain, names, n=1, cutoff=0.5)
    if near:
        return f"perhaps '{near[0]}' is meant; else map it in [layout.roles] or [layout.fields]"
    return f"use or map it to one of: {', '.join(names)}"


def _raise_any(faults: Iterable[SiteEvalError]) -> None:
    every = list(faults)
    if every:
        raise ManyErrors(every)
