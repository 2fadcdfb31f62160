"""A layout file, feature by feature, every fault of it told at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shapely.geometry.base import BaseGeometry

from site_eval.application import LayoutSpec
from site_eval.crs import WGS84
from site_eval.errors import LayoutError, ManyErrors, SiteEvalError
from site_eval.formats import read_layers, read_vector
from site_eval.layout.feature import Feature, Layout, layout_source
from site_eval.layout.place import require_near
from site_eval.layout.shapes import fitted
from site_eval.layout.values import fault, properties_of, raise_any, text_of
from site_eval.layout.words import renamed, roles_of

MAX_FEATURES = 20_000


def read_layout(path: Path, spec: LayoutSpec, *, near: BaseGeometry | None) -> Layout:
    """The layout in *path*, its words mapped by *spec*; *near* is the land in EPSG:4326.

    Raises ``InputFileError`` for a file that cannot be read and ``ManyErrors`` of ``LayoutError``
    with every feature at fault: roles and properties that are not known, areas that cross
    themselves, a layout that does not lie at the land.
    """
    frame = (
        read_vector(path, layer=spec.layer, crs=spec.crs)
        if spec.layer
        else read_layers(path, crs=spec.crs)
    )
    if len(frame) > MAX_FEATURES:
        raise fault(path, f"the layout has {len(frame):,} features, more than {MAX_FEATURES:,}",
                     "keep only what belongs to the site", "size")  # fmt: skip
    notes = list(frame.attrs.get("notes", []))
    crs_note = f"The layout's CRS is {frame.crs.name}."
    shapes = frame.geometry.to_crs(WGS84).to_numpy()
    rows = renamed(path, frame.drop(columns="geometry").to_dict("records"), spec)
    roles, role_notes = roles_of(path, rows, spec)
    features, notes_of_features = _features(path, rows, shapes, roles)
    if near is not None:
        notes_of_features += require_near(path, features, near)
    warnings = (*notes, *role_notes, *notes_of_features, *_twice(features))
    return Layout(tuple(features), crs_note, warnings, layout_source(path))


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
        name = text_of(row.get("name")) or f"{role.replace('_', ' ').capitalize()} {numbers[role]}"
        place = f"{path}, feature {index + 1} ({role} '{name}')"
        try:
            geometry = fitted(place, role, shape, notes)
            properties = properties_of(place, row)
        except ManyErrors as error:
            faults += error.errors
        except LayoutError as error:
            faults.append(error)
        else:
            own = ids[index] if ids else f"{role}-{numbers[role]}"
            features.append(Feature(role, name, geometry, properties, own))
    raise_any(faults)
    if not features:
        raise fault(path, "every feature is left out", "map at least one to a role", "role")
    return features, notes


def _own_ids(rows: list[dict[str, Any]]) -> list[str]:
    ids = [text_of(row.get("id")) for row in rows]
    return ids if all(ids) and len(set(ids)) == len(ids) else []


def _twice(features: list[Feature]) -> Iterator[str]:
    seen: dict[tuple[str, bytes], str] = {}
    for feature in features:
        key = (feature.role, feature.geometry.normalize().wkb)
        if key in seen:
            yield f"{feature.role} '{feature.name}' is drawn twice (also as '{seen[key]}')."
        seen.setdefault(key, feature.name)
