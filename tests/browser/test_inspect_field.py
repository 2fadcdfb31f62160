"""The field application on a phone with and without signal; each test is a failure that other tools had."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import inspecting
from tests.browser.inspecting import ARGUMENTS, CHROMIUM, PHONE, enrol, record

pytestmark = pytest.mark.browser
CASES = Path(__file__).resolve().parents[1] / "cases" / "canonical.json"
PHOTO = Path(__file__).resolve().parents[2] / "inspect_web" / "static" / "icon-512.png"
ALL_SENT = re.compile("received by the county")


@pytest.fixture(scope="module")
def county(tmp_path_factory) -> Iterator[Any]:
    made, server = inspecting.serve(tmp_path_factory.mktemp("county"))
    yield made
    server.close()
    made.store.engine.dispose()


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(driver) -> Iterator[Any]:
    launched = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield launched
    launched.close()


@pytest.fixture
def phone(browser) -> Iterator[Any]:
    context = browser.new_context(**PHONE)
    context.set_default_timeout(15_000)
    yield context
    context.close()


def standing(page) -> str:
    return page.inner_text("#standing")


def wait_sent(page) -> None:
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_function(
        "() => document.querySelector('#standing.clear')?.textContent.includes('received')"
    )


def test_a_record_with_photo_and_place_waits_without_signal_and_arrives_once(phone, county) -> None:
    page = enrol(phone, county)
    phone.set_offline(True)
    page.reload()  # opens cold, without a network
    page.wait_for_selector(".row")
    page.goto(page.url.split("#")[0] + "#/item/T1")
    page.fill("#value", "4")
    assert "Not met" in page.inner_text(".verdict")  # 4 of at least 5, told on the spot
    page.set_input_files("input[type=file]", str(PHOTO))
    page.wait_for_selector(".photos img")
    page.click("text=Take the position")
    page.wait_for_selector("text=Inside the licensed land")
    page.click("button.save")
    page.wait_for_selector(".groups")
    assert "to send: 1" in standing(page)
    phone.set_offline(False)
    wait_sent(page)
    (seen,) = county.of(page)
    assert (seen.condition, seen.outcome, str(seen.value)) == ("T1", "not-met", "4")
    assert seen.place.accuracy_mm == 8000
    assert len(seen.photos) == 1
    assert county.photos_missing() == []


def test_a_page_of_a_hotspot_is_not_taken_for_the_county(phone, county) -> None:
    page = enrol(phone, county)
    phone.route("**/api/v1/**", lambda r: r.fulfill(status=200, body="<h1>Welcome</h1>",
                                                    content_type="text/html"))  # fmt: skip
    record(page, "W1", number="2400")
    page.wait_for_function("() => document.querySelector('#signal').textContent !== ''")
    assert "to send: 1" in standing(page)
    phone.unroute("**/api/v1/**")
    wait_sent(page)
    assert len(county.of(page)) == 1


def test_a_reply_that_was_lost_after_the_county_wrote_makes_no_second_item(phone, county) -> None:
    page = enrol(phone, county)
    lost = []

    def lose(route):
        if len(lost) < 2:
            lost.append(route.fetch().status)  # the county has it; the phone never hears
            route.abort()
        else:
            route.continue_()

    phone.route("**/api/v1/items", lose)
    record(page, "W2", number="24000")
    page.wait_for_function("() => document.querySelector('#standing.waiting')")
    while len(lost) < 2:
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_timeout(300)
    wait_sent(page)
    assert lost == [201, 200]
    assert len(county.of(page)) == 1


def test_a_receipt_that_the_county_did_not_sign_is_no_receipt(phone, county) -> None:
    page = enrol(phone, county)

    def forge(route):
        answer = route.fetch()
        body = answer.json()
        body["receipt"]["ledger_seq"] += 1
        route.fulfill(response=answer, json=body)

    phone.route("**/api/v1/items", forge)
    record(page, "W1", number="2500")
    page.wait_for_function("() => document.querySelector('#signal').textContent !== ''")
    assert "to send: 1" in standing(page)
    phone.unroute("**/api/v1/items")
    wait_sent(page)


def test_one_item_that_cannot_be_taken_does_not_stop_the_others(phone, county) -> None:
    page = enrol(phone, county)
    phone.set_offline(True)
    record(page, "T1", number="5")
    record(page, "T2", number="4")
    refused = []

    def refuse(route):
        if route.request.post_data_json["item"]["item_id"] == "T1":
            refused.append(1)
            problem = {
                "code": "invalid-item",
                "place": "item",
                "found": "",
                "expected": "x",
                "mend": "y",
            }
            route.fulfill(status=422, json=problem)
        else:
            route.continue_()

    phone.route("**/api/v1/items", refuse)
    phone.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_function(
        "() => /set aside: 1.*received by the county: 1/.test(document.querySelector('#standing').textContent)"
    )
    assert [o.condition for o in county.of(page)] == ["T2"]
    phone.unroute("**/api/v1/items")
    page.goto(page.url.split("#")[0] + "#/queue")
    page.click("text=Try again what was set aside")
    wait_sent(page)
    assert [o.condition for o in county.of(page)] == ["T1", "T2"]


def test_two_tabs_number_their_records_without_a_gap_or_a_double(phone, county) -> None:
    page = enrol(phone, county)
    other = phone.new_page()
    other.goto(page.url.split("#")[0])
    other.wait_for_selector(".row")
    phone.set_offline(True)
    for number in range(3):
        record(page, "T1", number=str(5 + number))
        record(other, "T2", number=str(4 + number))
    phone.set_offline(False)
    wait_sent(page)
    assert [o.sequence for o in county.of(page)] == [1, 2, 3, 4, 5, 6]


def test_a_browser_that_is_killed_keeps_draft_photo_and_queue(driver, county, tmp_path) -> None:
    profile = tmp_path / "profile"

    def start():
        context = driver.chromium.launch_persistent_context(
            str(profile), executable_path=CHROMIUM, args=ARGUMENTS, **PHONE
        )
        context.set_default_timeout(20_000)
        return context

    context = start()
    page = enrol(context, county)
    context.set_offline(True)
    record(page, "T2", number="4")
    page.goto(page.url.split("#")[0] + "#/item/T1")
    page.fill("#value", "17")
    page.set_input_files("input[type=file]", str(PHOTO))
    page.wait_for_selector(".photos img")
    page.wait_for_selector("text=Draft kept on this phone")
    inspecting.kill(profile)
    context = start()
    context.set_offline(True)
    page = context.new_page()
    page.goto(f"{county.base}/field/#/item/T1")
    page.wait_for_selector(".photos img")
    assert page.input_value("#value") == "17"
    assert "to send: 1" in standing(page)
    page.click("button.save")
    page.wait_for_selector(".groups")
    context.set_offline(False)
    wait_sent(page)
    assert [(o.condition, str(o.value)) for o in county.of(page)] == [("T2", "4"), ("T1", "17")]
    context.close()


@pytest.mark.parametrize("days", [-30, 30])
def test_a_clock_that_is_a_month_wrong_is_measured_and_allowed_for(phone, county, days) -> None:
    page = enrol(phone, county)
    shift = "(ms) => { const D = Date.now.bind(Date); const R = Date; globalThis.Date = class extends R { constructor(...a) { a.length ? super(...a) : super(D() + ms); } static now() { return D() + ms; } }; }"
    page.evaluate(shift, days * 86_400_000)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_timeout(1500)  # the phone asks the county and hears its time
    record(page, "W1", number="2400")
    wait_sent(page)
    (seen,) = county.of(page)
    assert abs((seen.observed_at - seen.received_at).total_seconds()) < 60
    assert seen.error_s < 60


def test_a_full_phone_says_so_and_still_keeps_the_text(phone, county) -> None:
    phone.add_init_script(
        "const put = IDBObjectStore.prototype.put;"
        "IDBObjectStore.prototype.put = function (value, ...rest) {"
        "  if (value?.data) throw new DOMException('full', 'QuotaExceededError');"
        "  return put.call(this, value, ...rest); };"
    )
    page = enrol(phone, county)
    page.goto(page.url.split("#")[0] + "#/item/T1")
    page.fill("#value", "6")
    page.set_input_files("input[type=file]", str(PHOTO))
    page.wait_for_selector("text=THIS PHONE COULD NOT SAVE")
    page.locator("textarea").last.fill("and a note, which is saved")
    page.wait_for_timeout(300)
    assert page.locator("text=THIS PHONE COULD NOT SAVE").is_visible()
    page.click("button.save")
    page.wait_for_selector(".groups")
    wait_sent(page)
    (seen,) = county.of(page)
    assert str(seen.value) == "6"


def test_every_write_is_asked_to_be_on_the_disk(phone, county) -> None:
    phone.add_init_script(
        "globalThis.asked = []; const begin = IDBDatabase.prototype.transaction;"
        "IDBDatabase.prototype.transaction = function (names, mode, options) {"
        "  if (mode === 'readwrite') asked.push(options?.durability);"
        "  return begin.call(this, names, mode, options); };"
    )
    page = enrol(phone, county)
    page.evaluate("asked.length = 0")
    record(page, "T1", number="5")
    assert set(page.evaluate("asked")) == {"strict"}


def test_the_private_key_cannot_leave_the_phone(phone, county) -> None:
    page = enrol(phone, county)
    said = page.evaluate("""async () => {
      const { get } = await import('/static/client/store.js');
      const { key } = await get('meta', 'device');
      try { await crypto.subtle.exportKey('pkcs8', key); return 'left'; } catch { return 'kept'; }
    }""")
    assert said == "kept"


def test_phone_and_county_write_the_same_canonical_text(phone, county) -> None:
    from site_eval.record.canonical import canonical_bytes

    page = phone.new_page()
    page.goto(f"{county.base}/field/")
    for case in json.loads(CASES.read_text())["cases"]:
        on_phone = page.evaluate(
            "async (v) => (await import('/static/client/canonical.js')).canonical(v)", case["value"]
        )
        assert on_phone == case["canonical"] == canonical_bytes(case["value"]).decode()


def test_the_worker_leaves_alone_what_is_not_its_own(phone, county) -> None:
    page = enrol(phone, county)
    page.reload()
    text = page.evaluate("fetch('/field/sw.js').then((r) => r.text())")
    assert 'if (event.request.method !== "GET") return;' in text
    assert "/api/" not in text
    kept = page.evaluate(
        "caches.keys().then((k) => caches.open(k[0])).then((c) => c.keys()).then((r) => r.map((x) => new URL(x.url).pathname))"
    )
    assert "/field/" in kept
    assert not [path for path in kept if path.startswith("/api")]


def test_the_queue_goes_out_as_a_file_that_python_reads(phone, county, tmp_path) -> None:
    import zipfile

    page = enrol(phone, county)
    phone.set_offline(True)
    record(page, "T1", number="5")
    page.goto(page.url.split("#")[0] + "#/queue")
    with page.expect_download() as waiting:
        page.click("text=Save the queue as a file")
    path = tmp_path / "queue.zip"
    waiting.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        lines = archive.read("items.jsonl").decode().splitlines()
    assert json.loads(lines[0])["item"]["answer"]["value"] == "5"


SCREENS = ["#/", "#/item/T1", "#/item/T4", "#/queue", "#/settings"]


@pytest.mark.parametrize("theme", ["auto", "sun", "dark"])
def test_every_screen_can_be_used_by_everybody(phone, county, theme) -> None:
    axe_module = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = enrol(phone, county)
    page.evaluate("(t) => localStorage.setItem('theme', t)", theme)
    for screen in SCREENS:
        page.goto(f"{county.base}/field/{screen}")
        page.reload()
        page.wait_for_selector("main *")
        page.wait_for_timeout(200)
        tags = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "wcag2aaa"]
        found = axe_module.Axe().run(page, options={"runOnly": tags}).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"][:120]) for v in found] == [], screen
        small = page.evaluate(
            """() => [...document.querySelectorAll('a, button, input:not([type=radio]):not([type=checkbox]):not([type=file]), select, summary, .choice, .check')]
            .map((e) => [e.outerHTML.slice(0, 60), e.getBoundingClientRect().height])
            .filter(([, height]) => height > 0 && height < 47.5)"""
        )
        assert small == [], screen
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360, screen


def test_every_word_is_there_in_spanish(phone, county) -> None:
    page = phone.new_page()
    page.goto(f"{county.base}/field/")
    text = page.evaluate("fetch('/static/client/words.js').then((r) => r.text())")
    english, spanish = (
        set(re.findall(r'[{,\n ]\"?([a-z_-]+)\"?: "', part))
        for part in text.split("export const LANGUAGES")[0].split("  es: {")
    )
    assert english - spanish == set()
    assert spanish - english == set()


def test_a_second_phone_carries_the_queue_of_one_that_never_had_signal(
    browser, phone, county, tmp_path
) -> None:
    page = enrol(phone, county)
    author = page.evaluate(inspecting.READ_DEVICE)
    phone.set_offline(True)
    page.goto(page.url.split("#")[0] + "#/item/T1")
    page.fill("#value", "5")
    page.set_input_files("input[type=file]", str(PHOTO))
    page.wait_for_selector(".photos img")
    page.click("button.save")
    page.wait_for_selector(".groups")
    page.goto(page.url.split("#")[0] + "#/queue")
    with page.expect_download() as waiting:
        page.click("text=Save the queue as a file")
    waiting.value.save_as(tmp_path / "queue.zip")
    with browser.new_context(**PHONE) as second:
        other = enrol(second, county, "sheriff")
        other.goto(other.url.split("#")[0] + "#/queue")
        other.set_input_files("input[type=file]", str(tmp_path / "queue.zip"))
        other.wait_for_selector("text=Taken over: 1")
        wait_sent(other)
    (seen,) = [o for o in county.seen() if o.device == author]
    assert (seen.agency, str(seen.value), len(seen.photos)) == ("health-district", "5", 1)
    assert county.photos_missing() == []
    phone.set_offline(False)
    wait_sent(page)  # the first phone comes back, sends the same again and gets its receipt
    assert len([o for o in county.seen() if o.device == author]) == 1


def test_a_link_can_be_pasted_where_the_home_screen_has_its_own_storage(phone, county) -> None:
    link = county.link()
    page = phone.new_page()
    page.goto(f"{county.base}/field/")
    page.fill("#link", "not a link")
    page.click("button.main")
    page.wait_for_selector("text=It did not work")
    page.fill("#link", f" {link} ")
    page.click("button.main")
    page.wait_for_selector(".row")


def test_no_answer_of_a_troubled_server_or_network_loses_an_item(phone, county) -> None:
    page = enrol(phone, county)
    troubles = [401, 403, 404, 429, 500, 502, 503, "abort", "half", "empty"]
    met = []

    def trouble(route):
        kind = troubles[len(met) % len(troubles)]
        met.append(kind)
        if kind == "abort":
            route.abort()
        elif kind == "half":
            route.fulfill(status=201, body='{"receipt": {"item', content_type="application/json")
        elif kind == "empty":
            route.fulfill(status=201, json={})
        else:
            route.fulfill(status=kind, json={"code": "x", "expected": "x", "mend": "y"})

    phone.route("**/api/v1/items", trouble)
    record(page, "T1", number="5")
    while len(met) < len(troubles):
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_timeout(200)
    assert "to send: 1" in standing(page)
    assert county.of(page) == []
    phone.unroute("**/api/v1/items")
    wait_sent(page)
    assert len(county.of(page)) == 1
