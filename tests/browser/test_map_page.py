"""``map.html`` in a real browser that has no network."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "reports"))

from site_eval.reports.map_html import map_html

pytestmark = pytest.mark.browser
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    from sample import sample

    path = tmp_path_factory.mktemp("map") / "map.html"
    path.write_text(map_html(sample()), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield launched
        launched.close()


class Watched:
    """A page, what it asked for, and what went wrong on it."""

    def __init__(self, context: Any) -> None:
        self.page = context.new_page()
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("pageerror", lambda e: self.faults.append(str(e)))
        self.page.on("console", lambda m: m.type == "error" and self.faults.append(m.text))


@pytest.fixture(params=[(1280, 900), (390, 844)], ids=["desk", "phone"])
def watched(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Watched]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
    held = Watched(context)
    held.page.goto(address)
    held.page.wait_for_selector(".leaflet-overlay-pane, .leaflet-area-pane path", state="attached")
    yield held
    assert held.faults == []
    context.close()


def view(page: Any) -> tuple[float, float, float]:
    return tuple(
        page.evaluate("[map_site.getZoom(), map_site.getCenter().lat, map_site.getCenter().lng]")
    )


def eventually(page: Any, holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold within two seconds; events of the page take their time."""
    for _ in range(40):
        if holds():
            return True
        page.wait_for_timeout(50)
    return holds()


def test_it_asks_for_nothing_but_itself(watched: Watched, address: str) -> None:
    assert [url for url in watched.requests if not url.startswith("data:")] == [address]
    assert watched.page.locator(".leaflet-area-pane path").count() > 3


def test_a_click_on_a_finding_moves_the_map_and_is_in_the_address(watched: Watched) -> None:
    page = watched.page
    before = view(page)
    finding = page.locator('.finding[data-check="wildfire"]')
    finding.locator("summary").click()
    page.wait_for_selector(".finding.chosen")
    assert "chosen" in finding.get_attribute("class")
    assert view(page) != before
    assert "finding=wildfire-4-4-" in page.url
    assert page.locator('[data-layer$="found-wildfire"]').is_checked()


def test_a_click_on_a_place_opens_its_finding(watched: Watched) -> None:
    page = watched.page
    gate = page.locator('[aria-label="Emergency entrance: West emergency gate"]')
    gate.click(force=True)
    page.wait_for_selector(".leaflet-popup")
    assert "West emergency gate" in page.locator(".leaflet-popup").inner_text()
    chosen = page.locator(".finding.chosen")
    assert chosen.get_attribute("data-check") == "emergency-access"
    assert chosen.evaluate("element => element.open")


def test_places_and_findings_are_reached_by_the_keyboard_alone(watched: Watched) -> None:
    page = watched.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator('[aria-label="Parking: Lot A"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".leaflet-popup")
    assert page.locator(".finding.chosen").get_attribute("data-check") == "parking"
    page.locator('.finding[data-check="toilets"] summary').first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('.finding.chosen[data-check="toilets"]')


def test_a_permalink_brings_back_view_layers_and_finding(
    watched: Watched, browser: Any, address: str
) -> None:
    page = watched.page
    page.evaluate("document.getElementById('layers').open = true")
    page.locator('.finding[data-check="parking"] summary').click()
    page.locator('[data-layer$="-camping"]').uncheck()
    page.evaluate("map_site.setZoom(16.5, {animate: false})")
    link, seen = page.url, view(page)
    other = browser.new_context(viewport=page.viewport_size, offline=True).new_page()
    other.goto(link)
    other.wait_for_selector(".finding.chosen")
    assert view(other) == pytest.approx(seen, abs=1e-4)
    assert not other.locator('[data-layer$="-camping"]').is_checked()
    assert other.locator(".finding.chosen").get_attribute("data-check") == "parking"
    other.context.close()


def test_verdicts_can_be_put_aside(watched: Watched) -> None:
    page = watched.page
    assert page.locator('.finding[data-verdict="not-applicable"]').first.is_hidden()
    page.locator('.filters [data-verdict="complies"]').click()
    assert page.locator('.finding[data-verdict="complies"]:visible').count() == 0
    assert page.locator('.finding[data-verdict="does-not-comply"]:visible').count() == 4


def test_the_measure_tool_measures(watched: Watched) -> None:
    page = watched.page
    page.locator("#tool-measure").click()
    # The site's southern edge, 805 m by its own coordinates (2,641 ft).
    ends = page.evaluate(
        "[[43.9305492,-116.672296],[43.9305773,-116.6823305]].map(p => {"
        "const q = map_site.latLngToContainerPoint(p); const r = map_site.getContainer().getBoundingClientRect();"
        "return [q.x + r.left, q.y + r.top]; })"
    )
    page.evaluate("scrollTo(0, 0)")
    for x, y in ends:
        page.mouse.click(x, y)
    words = page.locator("#measured").inner_text()
    feet = int(re.search(r"About ([\d,]+) ft", words)[1].replace(",", ""))  # type: ignore[index]
    assert abs(feet - 2641) < 30
    page.keyboard.press("Escape")
    assert page.locator("#measured").inner_text() == ""


def test_nothing_is_wider_than_the_screen(watched: Watched) -> None:
    page = watched.page
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_finds_nothing(watched: Watched) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = watched.page
    page.evaluate("document.getElementById('layers').open = true")
    page.locator('.finding[data-check="parking"] summary').click()
    results = axe.Axe().run(page)
    assert [v["id"] + ": " + v["nodes"][0]["html"] for v in results.response["violations"]] == []


def test_it_prints_the_same_ground_with_its_legend_and_findings(watched: Watched) -> None:
    page = watched.page
    before = view(page)
    bounds = "(b => [b.getWest(), b.getSouth(), b.getEast(), b.getNorth()])(map_site.getBounds())"
    west, south, east, north = page.evaluate(bounds)
    page.emulate_media(media="print")
    page.wait_for_selector(".tools", state="hidden")
    assert page.locator(".layers fieldset").first.is_visible()
    assert page.locator(".finding summary").first.is_visible()

    def holds_all() -> bool:
        fits = "map_site.getSize().x === map_site.getContainer().clientWidth"
        if not page.evaluate(fits):
            return False
        shown = page.evaluate(bounds)
        slack = 1e-6
        low = shown[0] <= west + slack and shown[1] <= south + slack
        return low and shown[2] >= east - slack and shown[3] >= north - slack

    assert eventually(page, holds_all)
    page.emulate_media(media="screen")
    page.wait_for_selector(".tools", state="visible")
    assert eventually(page, lambda: view(page) == pytest.approx(before, abs=1e-4))


def test_the_view_goes_out_and_comes_back(watched: Watched) -> None:
    page = watched.page
    whole = view(page)
    page.locator("#tool-around").click()
    assert view(page)[0] < whole[0] - 2
    page.locator("#tool-site").click()
    assert view(page) == pytest.approx(whole, abs=1e-4)
