"""Pages of collections and of WFS types that shift, stop short or go round in a circle."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask import Flask, Response, request

from site_eval.errors import SiteEvalError
from tests.fetch.ground import all_pins, fetch, parcels, pins, recipe
from tests.fetch.servers import serving

ROWS = 95


@dataclass
class Shelf:
    """How the small server of this file shows its rows."""

    matched: int | None = ROWS
    shift: int = 0
    last_link: int = ROWS
    circle: bool = False
    json: bool = True
    pages: bool = True
    starts: list[int] = field(default_factory=list)


def app_of(shelf: Shelf) -> Flask:
    app = Flask("shelf")
    rows = parcels(ROWS)["features"]

    def page(start: int, limit: int) -> dict:
        shelf.starts.append(start)
        start = start if shelf.pages else 0
        limit = limit if shelf.pages else ROWS
        # A row that is put in before the others shifts every later page.
        begin = max(0, start - shelf.shift)
        content = {"type": "FeatureCollection", "features": rows[begin : begin + limit]}
        return content | ({} if shelf.matched is None else {"numberMatched": shelf.matched})

    @app.get("/collections/lots/items")
    def items():
        start = int(request.args.get("offset", 0))
        content = page(start, 40)
        following = 0 if shelf.circle and start else start + 40
        if following < shelf.last_link:
            link = f"{request.base_url}?offset={following}"
            content["links"] = [{"rel": "next", "href": link}]
        return content

    @app.get("/wfs")
    def wfs():
        asked = request.args
        assert (asked["service"], asked["version"], asked["typeNames"]) == ("WFS", "2.0.0", "lots")
        if asked.get("resultType") == "hits":
            return Response(
                f'<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" '
                f'numberMatched="{shelf.matched}" numberReturned="0"/>',
                mimetype="text/xml",
            )
        if not shelf.json:
            return Response("<ows:ExceptionReport/>", mimetype="text/xml")
        # Latitude first, as WFS 2.0 wants it of this CRS.
        assert asked["bbox"].startswith("43.85")
        assert asked["bbox"].endswith(",urn:ogc:def:crs:EPSG::4326")
        content = page(int(asked["startIndex"]), min(30, int(asked["count"])))
        content.pop("numberMatched", None)
        return content

    return app


def items(tmp_path: Path, shelf: Shelf):
    with serving(app_of(shelf)) as address:
        wanted = recipe(tmp_path, "ogc-features", f"{address}/collections/lots")
        return fetch(wanted, tmp_path / "out")


def typed(tmp_path: Path, shelf: Shelf):
    with serving(app_of(shelf)) as address:
        wanted = recipe(tmp_path, "wfs", f"{address}/wfs", service='layer_name = "lots"')
        return fetch(wanted, tmp_path / "out")


def test_a_wfs_is_paged_until_its_own_number(tmp_path: Path) -> None:
    shelf = Shelf()
    fetched = typed(tmp_path, shelf)
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
    assert (fetched.server_count, fetched.entry.incomplete) == (ROWS, None)
    # The walk ends at an empty page, not at the count, which may be capped.
    assert shelf.starts == [0, 30, 60, 90, 95]


def test_a_wfs_that_counts_no_further_than_its_cap_is_walked_beyond(tmp_path: Path) -> None:
    fetched = typed(tmp_path, Shelf(matched=30))
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
    assert fetched.remarks == ("The service counts 30 rows and gave 95.",)


def test_a_wfs_without_pages_gives_all_at_once(tmp_path: Path) -> None:
    fetched = typed(tmp_path, Shelf(pages=False))
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
    assert fetched.entry.incomplete is None


def test_a_wfs_that_counts_more_than_it_gives_is_incomplete(tmp_path: Path) -> None:
    fetched = typed(tmp_path, Shelf(matched=100))
    assert fetched.entry.incomplete == "the service counts 100 rows and gave 95"


def test_a_wfs_without_geojson_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteEvalError, match="not data"):
        typed(tmp_path, Shelf(json=False))


def test_links_that_stop_short_are_told(tmp_path: Path) -> None:
    fetched = items(tmp_path, Shelf(last_link=80))
    assert fetched.entry.incomplete == "the service counts 95 rows and gave 80"
    assert fetched.entry.grade == "inferred"


def test_rows_that_come_twice_show_that_others_may_be_missing(tmp_path: Path) -> None:
    fetched = items(tmp_path, Shelf(shift=3))
    assert fetched.rows == ROWS
    # Pages from 0, 37 and 77: the rows 37, 38 and 39 come twice.
    assert "3 rows came twice" in str(fetched.entry.incomplete)


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    shelf = Shelf(circle=True)
    fetched = items(tmp_path, shelf)
    assert len(shelf.starts) <= 3
    assert "the service counts 95 rows and gave 80" in str(fetched.entry.incomplete)


def test_a_collection_without_rows_is_an_empty_layer(tmp_path: Path) -> None:
    app = Flask("empty")

    @app.get("/collections/lots/items")
    def nothing():
        return {"type": "FeatureCollection", "features": [], "numberMatched": 0}

    with serving(app) as address:
        fetched = fetch(
            recipe(tmp_path, "ogc-features", f"{address}/collections/lots"), tmp_path / "out"
        )
    assert (fetched.rows, fetched.server_count, fetched.entry.incomplete) == (0, 0, None)
    assert pins(tmp_path / "out" / "lots.fgb") == []


def test_a_service_that_does_not_count_is_said_to_be_unchecked(tmp_path: Path) -> None:
    fetched = items(tmp_path, Shelf(matched=None))
    assert fetched.remarks == (
        "The service does not count its rows, so the number cannot be checked.",
    )
    assert pins(tmp_path / "out" / "lots.fgb") == all_pins(ROWS)
