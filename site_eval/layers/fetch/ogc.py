"""Rows of an OGC API Features collection or a WFS, page after page until the service's own number.

Neither can list the numbers of its rows. So each row's identifier is watched: one that comes twice
shows that the order is not stable and that others may be missing, and fewer rows than the service
counts are told, never taken for the whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from site_eval.errors import LayerError
from site_eval.layers.fetch.gathered import Gathered, Question, Tell
from site_eval.layers.fetch.pages import PageStore, keep, kept, open_store, read_page
from site_eval.layers.fetch.web import REFUSED, Web, ask_bytes, ask_json, refused

# Latitude first, as WFS 2.0 wants it of this name, and the one CRS that every server knows. Rows in
# GeoJSON come longitude first nevertheless.
LAT_LON = "urn:ogc:def:crs:EPSG::4326"

Step = tuple[str, dict[str, Any]]
NextStep = Callable[[Step, dict[str, Any]], Step | None]


def fetch_items(
    web: Web, address: str, question: Question, *, folder: Path, resume: bool, tell: Tell
) -> Gathered:
    """Every item of the OGC API collection at *address*, by its own links to the next page."""
    base = address.rstrip("/")
    url = base if base.endswith("/items") else f"{base}/items"
    params: dict[str, Any] = {"f": "json", "limit": question.page_rows}
    if question.box is not None:
        params["bbox"] = ",".join(f"{value:.7f}" for value in question.box)
    store = _store(folder, url, params, resume=resume)
    return _walked(web, (url, params), _next_link, store, tell, count=None)


def fetch_wfs(
    web: Web,
    address: str,
    name: str,
    question: Question,
    *,
    form: str,
    folder: Path,
    resume: bool,
    tell: Tell,
) -> Gathered:
    """Every feature of the type *name* of a WFS 2.0, by its own name *form* for GeoJSON."""
    params: dict[str, Any] = {
        "service": "WFS", "version": "2.0.0", "request": "GetFeature", "typeNames": name,
        "srsName": LAT_LON,
    }  # fmt: skip
    if question.box is not None:
        west, south, east, north = (f"{value:.7f}" for value in question.box)
        params["bbox"] = f"{south},{west},{north},{east},{LAT_LON}"
    count = _hits(web, address, params)
    params |= {"outputFormat": form, "count": question.page_rows, "startIndex": 0}
    store = _store(folder, address, params, resume=resume)
    return _walked(web, (address, params), _next_index, store, tell, count=count)


def _store(folder: Path, url: str, params: dict[str, Any], *, resume: bool) -> PageStore:
    return open_store(folder, {"url": url, "params": params}, resume=resume)


def _hits(web: Web, address: str, params: dict[str, Any]) -> int | None:
    """The number of rows by ``resultType=hits``: an attribute of the answer's first element."""
    try:
        body = ask_bytes(
            web, address, {**params, "resultType": "hits"},
            lambda text: b"numberMatched" in text, "count of features",
        )  # fmt: skip
    except LayerError as error:
        if error.code == REFUSED:
            return None
        raise
    found = re.search(rb'numberMatched="?\'?(\d+)', body)
    return int(found.group(1)) if found else None


def _next_link(step: Step, page: dict[str, Any]) -> Step | None:
    for link in page.get("links") or []:
        if link.get("rel") == "next" and link.get("href"):
            return urljoin(step[0], str(link["href"])), {}
    return None


def _next_index(step: Step, page: dict[str, Any]) -> Step | None:
    url, params = step
    given = len(page["features"])
    return (url, {**params, "startIndex": params["startIndex"] + given}) if given else None


def _walked(
    web: Web, first: Step, next_step: NextStep, store: PageStore, tell: Tell, *, count: int | None
) -> Gathered:
    """All pages from *first* on, until one brings nothing new or none is next.

    The count does not end the walk: some servers count no further than their own cap.
    """
    seen: set[str] = set()
    number, twice, step = 0, 0, first
    while True:
        page = _page(web, step, store, number)
        names = [_identity(feature) for feature in page["features"]]
        fresh = set(names) - seen
        count = _matched(page) if count is None else count
        whole = count is not None and len(seen) >= count
        # A server without pages gives the whole again, which is no fault once all are there.
        twice += 0 if whole and not fresh else len(names) - len(fresh)
        seen |= fresh
        number += 1
        tell(len(seen), count or 0)
        following = next_step(step, page)
        if not fresh or following is None:
            break
        step = following
    incomplete, remarks = _settled(len(seen), count, twice)
    return Gathered(
        form="geojson", pages=lambda: _once(store, number), page_count=number, rows=len(seen),
        server_count=count, resumed=store.resumed, incomplete=incomplete, remarks=remarks,
    )  # fmt: skip


def _once(store: PageStore, count: int) -> Iterator[dict[str, Any]]:
    """The kept pages, each row where it came first."""
    seen: set[str] = set()
    for number in range(count):
        page = read_page(store, number)
        fresh = {_identity(feature): feature for feature in page["features"]}
        fresh = {name: feature for name, feature in fresh.items() if name not in seen}
        seen.update(fresh)
        yield {**page, "features": list(fresh.values())}


def _page(web: Web, step: Step, store: PageStore, number: int) -> dict[str, Any]:
    if kept(store, number) is not None:
        return read_page(store, number)
    url, params = step
    page = ask_json(web, url, params)
    if not isinstance(page.get("features"), list):
        raise refused(url, "the answer is no collection of features", "check the address")
    keep(store, number, json.dumps(page, separators=(",", ":")).encode())
    return page


def _identity(feature: dict[str, Any]) -> str:
    name = feature.get("id")
    return json.dumps(feature, sort_keys=True) if name is None else f"id {name}"


def _matched(page: dict[str, Any]) -> int | None:
    for key in ("numberMatched", "totalFeatures"):
        if isinstance(page.get(key), int):
            return int(page[key])
    return None


def _settled(got: int, count: int | None, twice: int) -> tuple[str | None, tuple[str, ...]]:
    """What is missing in the end and what is worth knowing."""
    faults = []
    if count is not None and got < count:
        faults.append(f"the service counts {count:,} rows and gave {got:,}")
    if twice:
        faults.append(f"{twice:,} rows came twice, so the order of the pages is not stable")
    remarks = []
    if count is None:
        remarks.append("The service does not count its rows, so the number cannot be checked.")
    elif got > count:
        remarks.append(f"The service counts {count:,} rows and gave {got:,}.")
    return "; ".join(faults) or None, tuple(remarks)
