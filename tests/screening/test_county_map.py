"""The county map: what is encoded is what is read, by a plain decoder and by the page itself."""

from __future__ import annotations

import base64
import json
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from site_eval.cli import site_eval
from site_eval.reports.county_codec import DEGREE, encode_part, varints
from site_eval.reports.county_map import FILLS
from tests.screening.test_runs import parcel_file

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NUMBERS = st.none() | st.floats(-100_000, 100_000, allow_nan=False)


def read_varints(code: bytes) -> list[int]:
    found, value, shift = [], 0, 0
    for byte in code:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value = shift = 0
    return found


def unzigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def decode(text: str) -> tuple[list[list[list[tuple[int, int]]]], dict[str, list[Any]]]:
    """Rings of each row in whole millionths, and the columns: a second hand at the format."""
    whole = zlib.decompress(base64.b64decode(text))
    length = int.from_bytes(whole[:4], "little")
    head, at, sections = json.loads(whole[4 : 4 + length]), 4 + length, []
    for size in head["bytes"]:
        sections.append(read_varints(whole[at : at + size]))
        at += size
    rings, corners = iter(sections[0]), iter(sections[1])
    x, y = (np.cumsum([unzigzag(v) for v in s], dtype=int).tolist() for s in sections[2:4])
    spots = iter(zip(x, y, strict=True))
    shapes = [
        [[next(spots) for _ in range(next(corners))] for _ in range(count)] for count in rings
    ]
    columns = {}
    for about, codes in zip(head["columns"], sections[4:], strict=True):
        words = about.get("words")
        columns[about["name"]] = [
            None if not c else words[c - 1] if words else unzigzag(c - 1) / about["scale"]
            for c in codes
        ]
    return shapes, columns


@given(st.lists(st.integers(0, 2**32 - 1)))
def test_whole_numbers_come_back(numbers: list[int]) -> None:
    assert read_varints(varints(np.array(numbers, dtype=np.uint64))) == numbers


SPOTS = st.tuples(st.floats(-179, 178), st.floats(-80, 80), st.floats(0.001, 1.0))


@settings(max_examples=40)
@given(st.lists(st.tuples(st.lists(SPOTS, max_size=3), NUMBERS, st.none() | st.text(max_size=5))))
def test_a_part_comes_back(rows: list[tuple[list[Any], float | None, str | None]]) -> None:
    squares = [[shapely.box(x, y, x + s, y + s) for x, y, s in spots] for spots, _, _ in rows]
    holed = [
        [q.difference(shapely.box(*q.centroid.buffer(q.length / 16).bounds)) for q in some]
        for some in squares
    ]
    shapes = [shapely.MultiPolygon(some) if some else None for some in holed]
    table = pa.table(
        {
            "share": pa.array([number for _, number, _ in rows], pa.float64()),
            "word": pa.array([word for _, _, word in rows], pa.string()),
            "geometry": pa.array([s.wkb if s else None for s in shapes], pa.binary()),
        }
    )
    outlines, columns = decode(encode_part(table, {"share": 1000}))
    expected = [
        [
            [(round(x * DEGREE), round(y * DEGREE)) for x, y in ring.coords[:-1]]
            for polygon in (shape.geoms if shape else [])
            for ring in (polygon.exterior, *polygon.interiors)
        ]
        for shape in shapes
    ]
    assert outlines == expected
    assert columns["word"] == [word for _, _, word in rows]
    for read, (_, number, _) in zip(columns["share"], rows, strict=True):
        assert read == (None if number is None else pytest.approx(number, abs=0.00051))


def test_fills_are_told_apart_in_grey() -> None:
    grey = sorted(
        sum(w * int(fill[i : i + 2], 16) for w, i in ((0.2126, 1), (0.7152, 3), (0.0722, 5)))
        for word, fill in FILLS.items()
        if word != "not-determined"  # hatched
    )
    assert min(np.diff(grey)) > 35


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pa.Table]:
    folder = tmp_path_factory.mktemp("county")
    parcels, out, page = (folder / n for n in ("in.parquet", "out.parquet", "map.html"))
    parcel_file(parcels)
    asked = ["screen", str(parcels), "--out", str(out), "--persons", "2400", "--workers", "1"]
    done = CliRunner().invoke(site_eval, [*asked, "--html", str(page)])
    assert done.exit_code == 0, done.output
    assert "map.html" in done.output
    return page, pq.read_table(out)


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


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["desk", "phone"])
def page(browser: Any, made: tuple[Path, pa.Table], request: Any) -> Iterator[Any]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
    opened = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    opened.on("request", lambda r: asked.append(r.url))
    opened.on("pageerror", lambda e: faults.append(str(e)))
    opened.on("console", lambda m: m.type == "error" and faults.append(m.text))
    opened.goto(made[0].as_uri())
    opened.wait_for_selector("body[data-ready]")
    yield opened
    assert [faults, asked] == [[], [made[0].as_uri()]]
    context.close()


@pytest.mark.browser
def test_the_page_reads_what_was_written(page: Any, made: tuple[Path, pa.Table]) -> None:
    read = page.evaluate(
        "['parcel_id', 'capacity', 'verdict_municipality', 'area_acres'].map((name) => "
        "parts.flatMap((p) => Array.from({length: p.rows}, (_, row) => value(p, name, row))))"
    )
    ids, capacity, verdict, acres = (
        made[1].column(n).to_pylist()
        for n in ("parcel_id", "capacity", "verdict_municipality", "area_acres")
    )
    assert read[:3] == [ids, capacity, verdict]
    assert read[3] == pytest.approx(acres, abs=0.0051)
    corners = page.evaluate("parts.flatMap((p) => [...p.x].map((x, i) => [x, p.y[i]]))")
    shapes = shapely.from_wkb(made[1].column("geometry").to_numpy())
    xy = np.vstack([shapely.get_coordinates(s)[:-1] for s in shapes])
    assert corners == np.rint(xy * DEGREE).astype(int).tolist()


@pytest.mark.browser
def test_a_click_tells_of_the_parcel(page: Any, made: tuple[Path, pa.Table]) -> None:
    shape = shapely.from_wkb(made[1].column("geometry")[7].as_py())
    name = made[1].column("parcel_id")[7].as_py()
    middle = [round(v * DEGREE) for v in (shape.centroid.x, shape.centroid.y)]
    canvas = page.locator("#map")
    canvas.scroll_into_view_if_needed()
    spot = page.evaluate("(at) => place(...at).map((v) => v / devicePixelRatio)", middle)
    canvas.click(position={"x": spot[0], "y": spot[1]})
    assert page.locator("#parcel h2").inner_text() == f"Parcel {name}"
    word = made[1].column("verdict_municipality")[7].as_py().replace("-", " ")
    line = page.locator("#parcel tr", has_text="municipality").first
    assert line.locator("td").inner_text() == word


@pytest.mark.browser
def test_filters_by_question_verdict_and_persons(page: Any, made: tuple[Path, pa.Table]) -> None:
    verdicts = made[1].column("verdict_municipality").to_pylist()
    capacity = np.array(made[1].column("capacity").to_pylist(), dtype=float)
    assert 0 < verdicts.count("needs-review") < 60
    page.select_option("#question", "verdict_municipality")
    page.locator('[data-verdict="needs-review"]').uncheck()
    left = 60 - verdicts.count("needs-review")
    assert page.locator("#count").inner_text() == f"{left} of 60 parcels shown."
    page.locator('[data-verdict="needs-review"]').check()
    persons = int(np.median(capacity)) + 1
    page.fill("#persons", str(persons))
    page.locator("#roomy").check()
    many = int((capacity >= persons).sum())
    assert page.locator("#count").inner_text() == f"{many} of 60 parcels shown."


@pytest.mark.browser
def test_land_that_the_ordinance_does_not_bind_never_complies(
    page: Any, made: tuple[Path, pa.Table]
) -> None:
    unbound = made[1].column("verdict_jurisdiction").to_pylist().count("not-applicable")
    assert unbound > 0
    counts = page.locator("#legend label").all_inner_texts()
    assert [text.split()[-1] for text in counts if "not applicable" in text] == [str(unbound)]
    assert [text.split()[-1] for text in counts if text.startswith("complies")] == ["0"]


@pytest.mark.browser
def test_the_keyboard_is_enough(page: Any) -> None:
    page.locator("#map").focus()
    before = page.evaluate("[view.x, view.k]")
    for key in ("ArrowRight", "+"):
        page.keyboard.press(key)
    after = page.evaluate("[view.x, view.k]")
    assert after[0] > before[0]
    assert after[1] > before[1]
    page.keyboard.press("Enter")
    assert page.locator("#parcel h2").inner_text().startswith("Parcel RP")
    page.fill("#sought", "RP00003")
    page.keyboard.press("Enter")
    assert page.locator("#parcel h2").inner_text() == "Parcel RP00003"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
def test_axe_finds_nothing(page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found] == []
