"""Rows of an ArcGIS FeatureServer or MapServer layer, by numbered rows and never by trust.

A server may cap a page without saying so, and may count wrongly. So the numbers of all rows are
listed first, by two ways when they do not agree with the count; then rows are asked for by ranges
of these numbers in their order, and a page is done only when every number on it has come.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from site_eval.errors import LayerError
from site_eval.layers.fetch.gathered import Gathered, Question, Tell
from site_eval.layers.fetch.pages import PageStore, keep, kept, open_store, read_page
from site_eval.layers.fetch.web import REFUSED, Web, ask_json, refused

# One row may be broken on the server; when several on a page are, the server is.
MOST_LOST = 3
# So many rows that did not come alone: the rest of the page is not asked for one by one.
ENOUGH_LOST = 20


@dataclass(frozen=True)
class FeatureLayer:
    """What the layer says of itself; ``cap`` is the most rows that it gives on a page."""

    url: str
    name: str
    id_field: str
    cap: int
    fields: tuple[str, ...]
    ordered: bool
    edited: date | None


@dataclass(frozen=True)
class Listing:
    """The numbers of the rows that are asked for, in order, and what is odd about them."""

    ids: tuple[int, ...]
    server_count: int | None
    incomplete: str | None = None
    remarks: tuple[str, ...] = ()


def describe(web: Web, address: str, *, layer: int | None, layer_name: str | None) -> FeatureLayer:
    """The layer at *address*, by its number, by a part of its name, or the only one there is."""
    url = _layer_url(web, service_address(address), layer, layer_name)
    said = ask_json(web, url, {"f": "json"})
    fields = said.get("fields") or []
    if not fields or said.get("type") in {"Group Layer", "Raster Layer"}:
        raise refused(url, f"this is no layer of rows ('{said.get('name')}')", "name another layer")
    id_field = said.get("objectIdField") or next(
        (f["name"] for f in fields if f.get("type") == "esriFieldTypeOID"), None
    )
    if id_field is None:
        raise refused(
            url, "its rows have no numbers, so no page can be checked", "fetch a file of it instead"
        )
    able = said.get("advancedQueryCapabilities") or {}
    return FeatureLayer(
        url=url,
        name=str(said.get("name") or ""),
        id_field=id_field,
        cap=max(1, int(said.get("maxRecordCount") or 1000)),
        fields=tuple(str(f["name"]) for f in fields if f.get("type") != "esriFieldTypeGeometry"),
        ordered=bool(able.get("supportsOrderBy")),
        edited=_edited(said),
    )


def fetch_features(
    web: Web, layer: FeatureLayer, question: Question, *, folder: Any, resume: bool, tell: Tell
) -> Gathered:
    """Every row that *question* asks for, page by page through the store at *folder*."""
    listing = list_rows(web, layer, question)
    step = min(layer.cap, question.page_rows)
    plan = {
        "url": layer.url, "where": question.where, "box": question.box, "step": step,
        "fields": question.out_fields, "edited": str(layer.edited), "ids": listing.ids,
    }  # fmt: skip
    store = open_store(folder, json.loads(json.dumps(plan)), resume=resume)
    starts = range(0, len(listing.ids), step)
    rows, lost = 0, list[int]()
    for number, start in enumerate(starts):
        page = _page(web, layer, question, store, number, listing.ids[start : start + step])
        rows += len(page["features"])
        lost += page["lost"]
        tell(min(start + step, len(listing.ids)), len(listing.ids))
    incomplete, remarks = _settled(web, layer, question, listing, lost)
    return Gathered(
        form="esrijson", pages=lambda: (read_page(store, n) for n in range(len(starts))),
        page_count=len(starts), rows=rows, server_count=listing.server_count,
        resumed=store.resumed, edited=layer.edited, incomplete=incomplete, remarks=remarks,
        columns=layer.fields,
    )  # fmt: skip


def list_rows(web: Web, layer: FeatureLayer, question: Question) -> Listing:
    """The numbers of the rows, and whether the server's own count agrees with them."""
    count = _count(web, layer, question)
    listed = _listed(web, layer, question, question.where)
    if listed is None or (count is not None and len(listed) < count):
        walked = _walked(web, layer, question)
        listed = sorted({*(listed or []), *walked})
    ids = tuple(sorted(set(listed)))
    odd = len(ids) - count if count is not None else 0
    return Listing(
        ids,
        count,
        f"the service counts {count:,} rows and lists {len(ids):,}" if odd < 0 else None,
        (f"The service counts {count:,} rows and lists {len(ids):,}.",) if odd > 0 else (),
    )


def service_address(text: str) -> str:
    """The service that is meant by an address copied from a browser, its question left out."""
    return text.partition("?")[0].rstrip("/").removesuffix("/query")


def _layer_url(web: Web, address: str, number: int | None, name: str | None) -> str:
    if number is not None:
        return f"{address}/{number}"
    if address.rpartition("/")[2].isdigit():
        return address
    said = ask_json(web, address, {"f": "json"})
    layers = [entry for entry in said.get("layers") or [] if not entry.get("subLayerIds")]
    found = [e for e in layers if name is None or name.casefold() in str(e["name"]).casefold()]
    if len(found) != 1:
        names = ", ".join(f"{e['id']} '{e['name']}'" for e in layers[:12]) or "none"
        raise refused(
            address,
            f"{len(found)} layers are meant by {name!r}"
            if name
            else "it has several layers or none",
            f"add the number of one to the address ({names})",
        )
    return f"{address}/{found[0]['id']}"


def _edited(said: dict[str, Any]) -> date | None:
    """The day of the last edit of the data, as far as the layer tells (milliseconds, UTC)."""
    info = said.get("editingInfo") or {}
    stamp = info.get("dataLastEditDate") or info.get("lastEditDate")
    return datetime.fromtimestamp(stamp / 1000, UTC).date() if isinstance(stamp, int) else None


def _asked(question: Question, where: str, **more: Any) -> dict[str, Any]:
    params: dict[str, Any] = {"f": "json", "where": where, **more}
    if question.box is not None:
        params |= {
            "geometry": ",".join(f"{value:.7f}" for value in question.box),
            "geometryType": "esriGeometryEnvelope",
            "inSR": 4326,
            "spatialRel": "esriSpatialRelIntersects",
        }
    return params


def _count(web: Web, layer: FeatureLayer, question: Question) -> int | None:
    said = ask_json(
        web, f"{layer.url}/query", _asked(question, question.where, returnCountOnly="true")
    )
    count = said.get("count")
    return count if isinstance(count, int) else None


def _listed(web: Web, layer: FeatureLayer, question: Question, where: str) -> list[int] | None:
    """The row numbers by ``returnIdsOnly``, or nothing when the server does not know the word."""
    order = {"orderByFields": layer.id_field} if layer.ordered else {}
    params = _asked(question, where, returnIdsOnly="true", **order)
    try:
        said = ask_json(web, f"{layer.url}/query", params)
    except LayerError as error:
        if error.code == REFUSED:
            return None
        raise
    if "objectIds" not in said:
        return None
    return [int(number) for number in said["objectIds"] or []]


def _walked(web: Web, layer: FeatureLayer, question: Question) -> list[int]:
    """The row numbers by walking upwards from each answer's last one, until nothing is beyond."""
    found: list[int] = []
    while True:
        beyond = f" AND {layer.id_field} > {found[-1]}" if found else ""
        where = f"({question.where}){beyond}"
        fresh = _listed(web, layer, question, where)
        if fresh is None:
            fresh = _numbers(web, layer, question, where)
        fresh = sorted(set(fresh))
        if not fresh or (found and fresh[-1] <= found[-1]):
            return found
        found += [number for number in fresh if not found or number > found[-1]]


def _numbers(web: Web, layer: FeatureLayer, question: Question, where: str) -> list[int]:
    said = ask_json(
        web,
        f"{layer.url}/query",
        _asked(
            question, where,
            outFields=layer.id_field, returnGeometry="false", orderByFields=layer.id_field,
        ),
    )  # fmt: skip
    return [_number(layer, feature) for feature in _features(layer, said)]


def _page(
    web: Web,
    layer: FeatureLayer,
    question: Question,
    store: PageStore,
    number: int,
    ids: Sequence[int],
) -> dict[str, Any]:
    """Page *number*, from the store or from the service and then kept."""
    if kept(store, number) is not None:
        return read_page(store, number)
    page = _rows(web, layer, question, ids)
    keep(store, number, json.dumps(page, separators=(",", ":")).encode())
    return page


def _rows(web: Web, layer: FeatureLayer, question: Question, ids: Sequence[int]) -> dict[str, Any]:
    """The rows numbered *ids*: asked for by ranges, again where some did not come.

    A range that brings nothing is halved down to one row; a row that does not come alone is put
    into ``lost``.
    """
    waiting, span = list(ids), len(ids)
    page: dict[str, Any] = {"features": [], "lost": []}
    while waiting:
        part = waiting[:span]
        last_straw = span == 1 and len(page["lost"]) >= MOST_LOST
        answer = _range(web, layer, question, part, must_answer=last_straw)
        wanted = set(waiting)
        fresh = {_number(layer, f): f for f in _features(layer, answer)}
        fresh = {number: feature for number, feature in fresh.items() if number in wanted}
        if fresh:
            page = {**answer, **page, "features": page["features"] + list(fresh.values())}
            waiting = [number for number in waiting if number not in fresh]
        elif span > 1:
            span = max(1, span // 4)
        else:
            page["lost"].append(waiting.pop(0))
            if len(page["lost"]) >= ENOUGH_LOST:
                page["lost"], waiting = [*page["lost"], *waiting], []
    page["features"].sort(key=lambda feature: _number(layer, feature))
    return page


def _range(
    web: Web, layer: FeatureLayer, question: Question, part: Sequence[int], *, must_answer: bool
) -> dict[str, Any]:
    """One answer for a range of row numbers; a refusal of many rows is no answer, not an end."""
    name = layer.id_field
    fields = {*(question.out_fields or ("*",)), *((name,) if question.out_fields else ())}
    order = {"orderByFields": f"{name} ASC"} if layer.ordered else {}
    params = _asked(
        question, f"({question.where}) AND {name} >= {part[0]} AND {name} <= {part[-1]}",
        outFields=",".join(sorted(fields)), returnGeometry="true", outSR=4326,
        returnZ="false", returnM="false", **order,
    )  # fmt: skip
    try:
        return ask_json(web, f"{layer.url}/query", params)
    except LayerError as error:
        if must_answer or error.code != REFUSED:
            raise
        return {"features": []}


def _features(layer: FeatureLayer, answer: dict[str, Any]) -> list[dict[str, Any]]:
    features = answer.get("features")
    if not isinstance(features, list):
        raise refused(layer.url, "the answer holds no list of rows", "check the address and layer")
    return features


def _number(layer: FeatureLayer, feature: dict[str, Any]) -> int:
    number = (feature.get("attributes") or {}).get(layer.id_field)
    if not isinstance(number, int):
        raise refused(
            layer.url, f"a row comes without its number ({layer.id_field})", "check the layer"
        )
    return number


def _settled(
    web: Web, layer: FeatureLayer, question: Question, listing: Listing, lost: Sequence[int]
) -> tuple[str | None, tuple[str, ...]]:
    """What is missing in the end and what is worth knowing, after one more question."""
    still = _still_listed(web, layer, question, lost)
    after = _count(web, layer, question)
    remarks = list(listing.remarks)
    if after != listing.server_count:
        remarks.append(
            f"The service's count went from {listing.server_count} to {after} meanwhile."
        )
    if gone := len(lost) - len(still):
        remarks.append(f"{gone} rows were deleted by the service meanwhile.")
    names = ", ".join(map(str, sorted(still)[:3]))
    withheld = f"{len(still)} rows are listed and not given ({layer.id_field} {names})"
    faults = [listing.incomplete, withheld if still else None]
    return "; ".join(fault for fault in faults if fault) or None, tuple(remarks)


def _still_listed(
    web: Web, layer: FeatureLayer, question: Question, lost: Sequence[int]
) -> set[int]:
    """Those of the rows that did not come which the service still lists: not deleted meanwhile."""
    if not lost:
        return set()
    among = f"{layer.id_field} IN ({','.join(map(str, lost[:200]))})"
    listed = _listed(web, layer, question, f"({question.where}) AND {among}")
    return set(lost) if listed is None else set(lost[200:]) | (set(listed) & set(lost))
