"""What ``map.html`` draws and lists, as plain values: layers with features, and the findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding
from site_eval.record.verdict import Verdict
from site_eval.reports.places import (
    Place,
    Shown,
    context_places,
    layout_places,
    shown_places,
    site_geometry,
    uncertainty_band,
)
from site_eval.reports.symbols import BAND, SITE, Symbol, context_symbol, role_symbol, shape_of
from site_eval.reports.words import (
    GROUPS,
    OTHER,
    VERDICTS,
    by_group,
    check_title,
    finding_key,
    group_of,
    measured_words,
    number,
    required_words,
)

_LAND = "land"
_PLAN = "plan"
# Evidence that is on when the map opens: that of findings which a person has to look at.
_SHOWN_AT_FIRST = {Verdict.DOES_NOT_COMPLY}
# About 20 m.
_SMALL_DEG = 2.5e-4
_PROPERTY_WORDS = {
    "count": "number",
    "spaces": "spaces",
    "width_ft": "width, ft",
    "surface": "surface",
    "mount_height_ft": "mounted at, ft",
    "lumens": "lumens",
    "sound_level_dba": "sound level, dBA",
    "reference_distance_ft": "measured at, ft",
    "gallons": "gallons",
    "source": "source",
}


def map_layers(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Layers in drawing order of their groups: land and surroundings, plan, then by check."""
    layers = _land_layers(evaluation)
    layers += _plan_layers(evaluation)
    layers += _evidence_layers(evaluation)
    for index, layer in enumerate(layers):
        layer["id"] = f"{index}-{layer['slug']}"
    return layers


def layer_groups(layers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The layers under their headings, for the layer control."""
    titles = {_LAND: "Land and surroundings", _PLAN: "Layout, other things"}
    titles |= {group.id: group.title for group in (*GROUPS, OTHER)}
    grouped = [
        {"title": title, "layers": [layer for layer in layers if layer["group"] == group_id]}
        for group_id, title in titles.items()
    ]
    return [group for group in grouped if group["layers"]]


def finding_groups(evaluation: Evaluation) -> list[dict[str, Any]]:
    """The findings under their headings, in words."""
    keys = {id(f): finding_key(f, index) for index, f in enumerate(evaluation.findings)}
    return [
        {"title": group.title, "findings": [_finding(f, keys[id(f)]) for f in found]}
        for group, found in by_group(evaluation.findings)
    ]


def _finding(finding: Finding, key: str) -> dict[str, Any]:
    style = VERDICTS[finding.verdict]
    return {
        "key": key,
        "check": finding.check,
        "title": check_title(finding.check),
        "verdict": finding.verdict.value,
        "word": style.word,
        "sign": style.sign,
        "question": finding.question,
        "statement": finding.statement,
        "measured": measured_words(finding.measured),
        "required": required_words(finding.required),
        "formula": finding.required.formula if finding.required else "",
        "reasons": finding.reasons,
        "clause": finding.clause.id,
        "citation": finding.clause.citation,
        "quote": finding.clause.quote,
        "sources": [f"{s.name} ({s.vintage}; {s.grade.value})" for s in finding.sources],
        "places": len(finding.evidence.get("features", [])),
    }


def _land_layers(evaluation: Evaluation) -> list[dict[str, Any]]:
    site = Place(site_geometry(evaluation), "site", "Site boundary")
    layers = [_layer("site", _LAND, SITE, [_place(site)], on=True)]
    band = uncertainty_band(evaluation)
    if band is not None:
        words = f"Boundary ± {number(evaluation.site.position_uncertainty_m)} m (95 %)"
        layers.append(_layer("band", _LAND, BAND, [_place(Place(band, "band", words))], on=True))
    layers += _grouped(context_places(evaluation), context_symbol, lambda _: _LAND, on=True)
    return layers


def _plan_layers(evaluation: Evaluation) -> list[dict[str, Any]]:
    def group(symbol: Symbol) -> str:
        return group_of(symbol.check).id if symbol.check else _PLAN

    return _grouped(layout_places(evaluation), role_symbol, group, on=True)


def _grouped(
    places: list[Place],
    symbol_of: Callable[[str], Symbol],
    group_of_symbol: Callable[[Symbol], str],
    *,
    on: bool,
) -> list[dict[str, Any]]:
    """A layer for each kind of place, in the order of first appearance."""
    layers = []
    for kind in dict.fromkeys(place.kind for place in places):
        symbol = symbol_of(kind)
        of_kind = _big_first(p for p in places if p.kind == kind)
        features = [_place(place) | _spot(place, symbol) for place in of_kind]
        layers.append(_layer(kind, group_of_symbol(symbol), symbol, features, on=on))
    return layers


def _evidence_layers(evaluation: Evaluation) -> list[dict[str, Any]]:
    shown = shown_places(evaluation)
    layers = []
    for check in dict.fromkeys(s.check for s in shown):
        of_check = [s for s in shown if s.check == check]
        worst = min((s.verdict for s in of_check), key=list(VERDICTS).index)
        verdict = next((v for v in _BY_CONCERN if any(s.verdict is v for s in of_check)), worst)
        symbol = Symbol(
            f"{check_title(check)}: places found", "", VERDICTS[verdict].colour, check=check
        )
        features = [_shown(s) for s in of_check]
        on = any(s.verdict in _SHOWN_AT_FIRST for s in of_check)
        layer = _layer(f"found-{check}", group_of(check).id, symbol, features, on=on)
        layers.append(layer | {"evidence": True})
    return layers


_BY_CONCERN = (
    Verdict.DOES_NOT_COMPLY,
    Verdict.NEEDS_REVIEW,
    Verdict.NOT_DETERMINED,
    Verdict.COMPLIES,
)


def _layer(
    slug: str, group: str, symbol: Symbol, features: list[dict[str, Any]], *, on: bool
) -> dict[str, Any]:
    shapes = {
        "point" if "spot" in feature else shape_of(feature["geometry"]["type"])
        for feature in features
    }
    return {
        "slug": slug.replace("_", "-"),
        "group": group,
        "title": symbol.title,
        "on": on,
        "evidence": False,
        "check": symbol.check,
        "rank": symbol.rank,
        "code": symbol.code,
        "colour": symbol.colour,
        "fill": symbol.fill,
        "hatch": symbol.hatch,
        "dash": " ".join(str(length) for length in symbol.dash),
        "width": symbol.width,
        "shape": next(s for s in ("area", "line", "point") if s in shapes),
        "features": features,
    }


def _place(place: Place) -> dict[str, Any]:
    facts = [
        f"{words}: {_value(place.properties[name])}"
        for name, words in _PROPERTY_WORDS.items()
        if place.properties.get(name) is not None
    ]
    return {"geometry": _geojson(place.geometry), "label": place.label, "facts": facts}


def _spot(place: Place, symbol: Symbol) -> dict[str, Any]:
    """Where the lettered box of an area stands that is too small to be told by its outline."""
    if not symbol.code or shape_of(place.geometry.geom_type) != "area":
        return {}
    west, south, east, north = place.geometry.bounds
    if max(east - west, north - south) > _SMALL_DEG:
        return {}
    middle = place.geometry.centroid
    return {"spot": [round(middle.y, 6), round(middle.x, 6)]}


def _shown(shown: Shown) -> dict[str, Any]:
    return {
        "geometry": _geojson(shown.place.geometry),
        "label": shown.place.label,
        "kind": shown.place.kind,
        "facts": [],
        "finding": shown.finding,
        "colour": VERDICTS[shown.verdict].colour,
    }


def _value(value: Any) -> str:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return number(value) if plain else str(value)


def _big_first(places: Iterable[Place]) -> list[Place]:
    """Large areas first, so that small ones are drawn over them and can be reached."""
    return sorted(places, key=lambda place: -place.geometry.area)


def _geojson(geometry: BaseGeometry) -> dict[str, Any]:
    """GeoJSON to six decimals (a decimetre): a map on a screen shows no more."""
    mapping = shapely.geometry.mapping(geometry)
    if mapping["type"] == "GeometryCollection":
        largest = max(shapely.get_parts(geometry), key=lambda part: (part.area, part.length))
        mapping = shapely.geometry.mapping(largest)
    return {"type": mapping["type"], "coordinates": _short(mapping["coordinates"])}


def _short(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_short(item) for item in value]
    return round(float(value), 6)
