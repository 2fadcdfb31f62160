"""``map.html``: the site on a map in one file that opens without a network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import shapely

from site_eval.errors import OutputError
from site_eval.record.evaluation import Evaluation
from site_eval.record.verdict import Verdict
from site_eval.reports.decision import cut, unbound
from site_eval.reports.leaflet import leaflet_script, leaflet_style, leaflet_version
from site_eval.reports.map_data import finding_groups, layer_groups, map_layers
from site_eval.reports.packet_data import all_sources, land_words
from site_eval.reports.places import site_geometry
from site_eval.reports.swatches import pattern_id, pattern_svg, swatch_svg
from site_eval.reports.words import GRADES, VERDICTS, day_words, number
from site_eval.units import feet

ASSETS = Path(__file__).with_name("assets")
# folium names the map's element and variable after this.
_MAP_ID = "site"
_HEADER_CHARACTERS = 140


def map_html(evaluation: Evaluation, tiles: str | None = None) -> str:
    """The page: map, layers, legend, findings linked to places both ways, sources.

    Script, style and data are inside the file; a content policy in its head forbids every
    request. With *tiles*, the name of a public tile service that xyzservices knows, the page shows
    that map underneath and may ask it, and nothing else, for images. The same evaluation gives the
    same text. Raises ``OutputError`` for a service that is not known.
    """
    page = str(site_map(evaluation, tiles).get_root().render())
    return _with_policy(_zoomable(page), _service(tiles).url if tiles else "")


def site_map(evaluation: Evaluation, tiles: str | None = None) -> Any:
    """The ``folium.Map`` behind :func:`map_html`, for a notebook that adds layers of its own."""
    import folium
    import jinja2

    west, south, east, north = site_geometry(evaluation).bounds
    drawn = folium.Map(
        location=[(south + north) / 2, (west + east) / 2],
        zoom_start=15,
        tiles=_service(tiles) if tiles else None,
        control_scale=True,
        attribution_control=bool(tiles),
        zoom_snap=0.25,
    )
    drawn._id = _MAP_ID  # noqa: SLF001 - folium draws a random one; the same input gives the same bytes
    for child in drawn._children.values():  # noqa: SLF001 - as above
        child._id = "base"  # noqa: SLF001 - as above
    drawn.default_js, drawn.default_css = [], []
    figure: Any = drawn.get_root()
    figure.title = f"{evaluation.checklist.terms.event}: site map"
    figure._template = jinja2.Environment(  # noqa: SLF001 - folium's page has no language and no landmarks
        autoescape=True, trim_blocks=True, lstrip_blocks=True
    ).from_string((ASSETS / "map.html.jinja").read_text(encoding="utf-8"))
    figure.page = _page(evaluation)
    return drawn


def _page(evaluation: Evaluation) -> dict[str, Any]:
    layers = map_layers(evaluation)
    swatches = {layer["id"]: swatch_svg(layer) for layer in layers}
    patterns = [pattern_svg(layer) for layer in layers if pattern_id(layer)]
    for layer in layers:
        layer["pattern"] = pattern_id(layer)
    terms, site = evaluation.checklist.terms, evaluation.site
    return {
        "event": terms.event,
        "jurisdiction": evaluation.ordinance.jurisdiction,
        "ordinance": evaluation.ordinance.citation,
        "as_of": day_words(evaluation.as_of),
        "people": number(terms.maximum),
        "land": cut(land_words(evaluation), _HEADER_CHARACTERS),
        "acres": number(round(site.area_acres, 2)),
        "uncertainty_ft": number(round(feet(site.position_uncertainty_m))),
        "leaflet": leaflet_version(),
        "leaflet_script": leaflet_script(),
        "leaflet_style": leaflet_style(),
        "style": (ASSETS / "map.css").read_text(encoding="utf-8"),
        "client": (ASSETS / "map.js").read_text(encoding="utf-8"),
        "data": _embedded({"bounds": _bounds(evaluation), "layers": layers}),
        "patterns": patterns,
        "swatches": swatches,
        "layer_groups": layer_groups(layers),
        "finding_groups": finding_groups(evaluation),
        "unbound": unbound(evaluation),
        "verdicts": [_verdict(v, n) for v, n in evaluation.summary.items()],
        "sources": [_source(s) for s in all_sources(evaluation)],
        "layer_sources": _context_sources(evaluation),
    }


def _verdict(verdict: Verdict, count: int) -> dict[str, Any]:
    style = VERDICTS[verdict]
    return {"id": verdict.value, "word": style.word, "sign": style.sign, "count": count}


def _source(source: Any) -> str:
    return (
        f"{source.name}, {source.publisher}, {source.vintage}; {source.licence}; "
        f"{source.grade.value}: {GRADES[source.grade]}"
    )


def _context_sources(evaluation: Evaluation) -> list[str]:
    """Sources that only the surroundings name."""
    cited = {source.name for source in all_sources(evaluation)}
    named = [
        ", ".join(filter(None, (p.get(key) for key in ("source", "publisher", "vintage", "grade"))))
        for p in (feature["properties"] for feature in evaluation.context.get("features", []))
        if p.get("source") and p["source"] not in cited
    ]
    return list(dict.fromkeys(named))


def _bounds(evaluation: Evaluation) -> list[list[float]]:
    west, south, east, north = shapely.bounds(site_geometry(evaluation)).tolist()
    return [[south, west], [north, east]]


def _embedded(value: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _zoomable(html: str) -> str:
    """Without folium's own viewport, which keeps people from enlarging the page."""
    return re.sub(r'<meta name="viewport"[^>]*user-scalable=no[^>]*>', "", html)


def _service(name: str) -> Any:
    """The tile service of this name, whatever its capitals and spaces."""
    from xyzservices import providers  # type: ignore[import-untyped]  # none are published

    try:
        return providers.query_name(name)
    except ValueError:
        raise OutputError(
            f"tiles {name!r}",
            "no such tile service is known",
            "name one of xyzservices, such as OpenStreetMap.Mapnik or USGS.USTopo",
        ) from None


def _with_policy(html: str, tile_url: str) -> str:
    """Put the content policy in: these scripts, by their hashes, and no request to anywhere but
    for the images of a tile service that was asked for.
    """
    scripts = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    host = re.match(r"https://[^/]+", tile_url.replace("{s}", "*"))
    images = f"data: {host[0]}" if host else "data:"
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src {images}; "
        "base-uri 'none'; form-action 'none'"
    )
    return html.replace("content-policy-goes-here", policy, 1)


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
