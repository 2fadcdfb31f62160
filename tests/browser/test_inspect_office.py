"""From the coordinator's link to the coordinator's board, by way of a phone without signal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import inspecting
from tests.browser.inspecting import ARGUMENTS, CHROMIUM, PHONE
from tests.inspect.phone import picture

pytestmark = pytest.mark.browser
SHEETS = ["", "items", "licence", "conditions/T1", "conditions/R2", "notices", "devices"]
BOARD = ["", "packet", "decision"]


@pytest.fixture(scope="module")
def county(tmp_path_factory) -> Iterator[Any]:
    made, server = inspecting.serve(tmp_path_factory.mktemp("county"))
    yield made
    server.close()
    made.store.engine.dispose()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


def sign_in(browser, county, login, **size) -> Any:
    context = browser.new_context(**size)
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.goto(county.base)
    page.fill("input[name=login]", login)
    page.fill("input[name=password]", county.people[login].password)
    page.press("input[name=password]", "Enter")
    page.wait_for_selector("text=Sign out")
    return page


def test_ten_records_with_photos_made_without_signal_are_on_the_board(
    browser, county, tmp_path
) -> None:
    office = sign_in(browser, county, "coordinator")
    office.goto(f"{county.base}/office/{county.licence}/devices")
    office.select_option("select[name=account]", label="Hal Health (Health district)")
    office.click("text=Make a link")
    link = office.inner_text("code")
    assert office.get_attribute(".qr", "src").startswith("data:image/")

    with browser.new_context(**PHONE) as phone:
        phone.set_default_timeout(15_000)
        page = phone.new_page()
        page.goto(link)
        page.click("#go")
        page.click("text=Open the checklist")
        page.wait_for_selector(".row")
        phone.set_offline(True)
        conditions = ["T1", "T2", "T3", "T5", "S3", "M2", "M3", "T6", "W4", "Q5"]
        for number, condition in enumerate(conditions):
            photo = tmp_path / f"{number}.jpg"
            photo.write_bytes(picture(size=(640, 480)))
            page.goto(f"{county.base}/field/#/item/{condition}")
            page.wait_for_selector(f"h1:has-text('{condition} ')")
            if page.locator("#value").count():
                page.fill("#value", "30")
            else:
                page.click("label.choice.not-met")
            page.locator("textarea").last.fill("seen by myself")
            page.set_input_files("input[type=file]", str(photo))
            page.wait_for_selector(".photos img")
            page.click("button.save")
            page.wait_for_selector(".groups")
        assert "to send: 10" in page.inner_text("#standing")
        phone.set_offline(False)
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_function(
            "() => document.querySelector('#standing.clear')?.textContent.includes('received by the county: 10')"
        )
    office.goto(f"{county.base}/office/{county.licence}/items")
    text = office.inner_text("main")
    assert all(re.search(rf"\b{c}\b", text) for c in conditions)
    office.goto(f"{county.base}/office/{county.licence}/conditions/T3")
    assert "not met" in office.inner_text("main").lower().replace("-", " ")
    shown = office.locator("main img").first
    assert shown.evaluate("(i) => i.decode().then(() => i.naturalWidth)") > 0
    office.goto(f"{county.base}/office/{county.licence}/devices")
    assert "nothing" in office.inner_text("tbody")
    assert office.wrong == []
    office.context.close()


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)], ids=["phone", "desk"])
@pytest.mark.parametrize("login", ["coordinator", "board"])
def test_every_page_can_be_used_by_everybody(browser, county, size, login) -> None:
    axe_module = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = sign_in(browser, county, login, viewport={"width": size[0], "height": size[1]})
    pages = [f"board/{county.licence}/{p}" for p in BOARD]
    if login == "coordinator":
        pages += [f"office/{county.licence}/{p}" for p in SHEETS]
    for path in pages:
        answer = page.goto(f"{county.base}/{path}")
        assert answer.status == 200, path
        tags = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
        found = axe_module.Axe().run(page, options={"runOnly": tags}).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"][:120]) for v in found] == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path
    assert page.wrong == []
    page.context.close()


def test_the_shell_is_small_and_opens_fast_on_a_slow_phone(
    browser, county, record_property
) -> None:
    import gzip
    import time

    client = Path(inspecting.create_app.__code__.co_filename).parent
    kept = [*client.glob("client/*.js"), client / "static/app.css", client / "static/tokens.css",
            client / "templates/field.html"]  # fmt: skip
    assert sum(len(gzip.compress(p.read_bytes())) for p in kept) <= 300_000
    with browser.new_context(**PHONE) as phone:
        page = inspecting.enrol(phone, county)
        phone.set_offline(True)
        slow = phone.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        started = time.monotonic()
        page.reload()
        page.wait_for_selector(".row")
        cold = time.monotonic() - started
        page.goto(page.url.split("#")[0] + "#/item/T1")
        page.fill("#value", "5")
        taken = page.evaluate("""async () => {
          const { enqueue } = await import('/static/client/outbox.js');
          const { get } = await import('/static/client/store.js');
          const draft = await get('drafts', 'T1');
          const times = [];
          for (let n = 0; n < 20; n += 1) {
            const begun = performance.now();
            await enqueue({ ...draft, id: crypto.randomUUID() });
            times.push(performance.now() - begun);
          }
          return times.sort((a, b) => a - b);
        }""")
    # The figures aimed at are 1.5 s and 150 ms; a machine that runs other tests gets double.
    record_property("cold_start_s", round(cold, 2))
    record_property("tap_to_durable_p95_ms", round(taken[18]))
    assert cold <= 3.0
    assert taken[18] <= 300


def test_the_saved_packet_fits_a_phone(browser, county, tmp_path) -> None:
    board = sign_in(browser, county, "board")
    saved = board.context.request.get(f"{county.base}/board/{county.licence}/packet.html")
    (tmp_path / "packet.html").write_bytes(saved.body())
    with browser.new_context(**PHONE) as phone:
        page = phone.new_page()
        page.goto((tmp_path / "packet.html").as_uri())
        width = page.viewport_size["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
