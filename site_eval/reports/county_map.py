"""A county's screened parcels on one page that opens without a network.

The page is written a part at a time; script, style and data are inside the file, and a content
policy in its head forbids every request.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from site_eval.files import whole_file
from site_eval.record.verdict import Verdict
from site_eval.reports.county_codec import encode_part

ASSETS = Path(__file__).with_name("assets")
# Fills by verdict: told apart by colour-blind eyes and, by their lightness, in grey print.
FILLS = {
    Verdict.COMPLIES: "#a8dcf0",
    Verdict.NEEDS_REVIEW: "#dd9c2f",
    Verdict.DOES_NOT_COMPLY: "#7a1f3d",
    Verdict.NOT_DETERMINED: "#d9d9d9",
    Verdict.NOT_APPLICABLE: "#ffffff",
}
_SCALES = {
    "area_acres": 100,
    "municipal_distance_m": 1,
    "road_distance_m": 1,
    "station_minutes": 10,
}
_SHARE = 10_000


def write_county_map(path: Path, tables: Iterable[pa.Table], about: dict[str, Any]) -> None:
    """Write the page of *tables* (answers of ``screen`` with WKB ``geometry``), whole or not at all.

    *about* is the description that stands in the answers' own file. One table is held at a time.
    """
    style, script = (_asset(f"county.{end}") for end in ("css", "js"))
    with whole_file(path) as temporary, temporary.open("w", encoding="utf-8") as page:
        page.write(_head(about, style, script))
        for table in tables:
            _write_part(page, table)
        settings = {
            "verdicts": [{"word": v.value, "fill": fill} for v, fill in FILLS.items()],
            "persons": about["question"].get("persons"),
        }
        page.write(f'<script type="application/json" id="settings">{_json(settings)}</script>\n')
        page.write(f"<script>{script}</script>\n</body>\n</html>\n")


def _write_part(page: TextIO, table: pa.Table) -> None:
    shares = {name: _SHARE for name in table.column_names if _is_share(name)}
    page.write('<script type="text/plain" class="part">')
    page.write(encode_part(table, _SCALES | shares))
    page.write("</script>\n")


def _is_share(name: str) -> bool:
    return "_share" in name or name.endswith(("_coverage", "_ring_high"))


def _head(about: dict[str, Any], style: str, script: str) -> str:
    """The page down to its data."""
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    page = _asset("county.html")
    question = about["question"]
    persons = question.get("persons")
    asked = f"{int(persons):,} people" if persons else "as many people as the ordinance starts at"
    lines = {
        "POLICY": policy,
        "TITLE": html.escape(f"Screened parcels: {about['parcels']['file']}"),
        "ASKED": html.escape(
            f"{about['parcels']['rows']:,} parcels, asked for {asked} on {question['as_of']}, "
            f"under {about.get('ordinance', question['ordinance'])}."
        ),
        "LAYERS": "".join(_layer_line(layer) for layer in about["layers"]),
        "MISSING": html.escape(", ".join(about["layers_missing"]) or "none"),
        "STYLE": style,
    }
    for name, text in lines.items():
        page = page.replace(f"@{name}@", text)
    return page


def _layer_line(layer: dict[str, Any]) -> str:
    words = [layer.get(key) for key in ("name", "publisher", "vintage", "grade")]
    told = ", ".join(str(word) for word in words if word)
    return f"<li>{html.escape(layer['kind'])}: {html.escape(told or layer['id'])}</li>"


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8").strip()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
