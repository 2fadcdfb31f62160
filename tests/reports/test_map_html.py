"""``map.html`` as a file: whole in itself, safe, and with everything that was found."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pytest

from site_eval.errors import OutputError
from site_eval.record.evaluation import Evaluation
from site_eval.reports.leaflet import leaflet_version
from site_eval.reports.map_html import map_html, site_map
from site_eval.reports.words import finding_key

TWO_MEGABYTES = 2_000_000


@pytest.fixture
def page(evaluation: Evaluation) -> str:
    return map_html(evaluation)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(
        r'<script type="application/json" id="map-data">(.*?)</script>', page, re.DOTALL
    )
    assert found
    return json.loads(found[1])


def test_one_file_that_asks_nothing_of_a_network(page: str) -> None:
    assert len(page.encode()) < TWO_MEGABYTES
    assert not re.findall(
        r'(?:src|href|srcset|action)\s*=\s*["\']?(?!#)[^"\'\s>]',
        page.split("<script>", maxsplit=1)[0],
    )
    assert not re.search(r"url\((?!#|data:|\"?#)", page.split("<script>", maxsplit=1)[0])
    assert not re.search(r"//[\w.-]*(?:cdn|unpkg)[\w.-]*/", page)
    assert "sourceMappingURL" not in page
    assert leaflet_version().startswith("1.9.")


def test_the_policy_allows_just_these_scripts(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src 'none'" in policy[1]
    assert "unsafe-inline" not in policy[1].split("style-src")[0]
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = {
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    }
    assert set(re.findall(r"'sha256-([^']+)'", policy[1])) == hashes
    assert not re.search(r"\son[a-z]+\s*=\s*[\"']", page.split("<script>", maxsplit=1)[0])


def test_every_finding_and_every_place_is_there(evaluation: Evaluation, page: str) -> None:
    for index, finding in enumerate(evaluation.findings):
        assert f'id="finding-{finding_key(finding, index)}"' in page
    drawn = [feature for layer in data_of(page)["layers"] for feature in layer["features"]]
    evidence = sum(len(f.evidence["features"]) for f in evaluation.findings)
    site_and_band = 2
    assert len(drawn) == site_and_band + evidence + len(evaluation.layout["features"]) + len(
        evaluation.context["features"]
    )


def test_the_same_evaluation_gives_the_same_text(evaluation: Evaluation, page: str) -> None:
    assert map_html(evaluation) == page


def test_words_of_the_application_are_never_markup(evaluation: Evaluation) -> None:
    nasty = '</script><img src=x onerror="alert(1)"><!-- {{ 7*7 }} {% raw %} ${x} &amp;'
    evaluation.findings[0].statement = nasty
    evaluation.findings[0].reasons = [nasty]
    evaluation.layout["features"][0]["properties"]["name"] = nasty
    terms = evaluation.checklist.terms.model_copy(update={"event": nasty})
    evaluation.checklist.terms = terms
    page = map_html(evaluation)
    assert "<img" not in page.split("<script>")[0]
    assert page.count("</script>") == page.count("<script")
    names = [f["label"] for layer in data_of(page)["layers"] for f in layer["features"]]
    assert nasty in names


def test_a_bare_evaluation_has_a_page(bare: Evaluation) -> None:
    assert len(data_of(map_html(bare))["layers"]) == 1


def test_unknown_roles_layers_and_checks_are_drawn_all_the_same(evaluation: Evaluation) -> None:
    evaluation.layout["features"][0]["properties"]["role"] = "balloon_pad"
    evaluation.context["features"][0]["properties"]["layer"] = "canals"
    evaluation.findings[2].check = "fireworks"
    titles = {layer["title"] for layer in data_of(map_html(evaluation))["layers"]}
    assert {"Balloon pad", "Canals", "Fireworks: places found"} <= titles


def test_a_collection_as_evidence_is_drawn(evaluation: Evaluation) -> None:
    point = {"type": "Point", "coordinates": [-116.677, 43.932]}
    area = evaluation.layout["features"][0]["geometry"]
    evaluation.findings[2].evidence["features"][0]["geometry"] = {
        "type": "GeometryCollection",
        "geometries": [point, area],
    }
    kinds = {
        feature["geometry"]["type"]
        for layer in data_of(map_html(evaluation))["layers"]
        for feature in layer["features"]
    }
    assert "GeometryCollection" not in kinds


def test_a_notebook_can_add_to_the_map(evaluation: Evaluation) -> None:
    import folium

    drawn = site_map(evaluation)
    folium.CircleMarker([43.93, -116.67], radius=5).add_to(drawn)
    assert "circleMarker" in drawn.get_root().render()


def test_tiles_are_there_only_when_asked_for(evaluation: Evaluation, page: str) -> None:
    assert "L.tileLayer(" not in page.split('id="map-data"', maxsplit=1)[0].split("L.map(")[1]
    with_tiles = map_html(evaluation, "USGS.USTopo")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', with_tiles)
    assert policy
    assert "img-src data: https://basemap.nationalmap.gov;" in policy[1]
    assert "default-src 'none'" in policy[1]
    assert with_tiles == map_html(evaluation, "USGS.USTopo")
    with pytest.raises(OutputError, match="no such tile service"):
        map_html(evaluation, "Atlantis")
