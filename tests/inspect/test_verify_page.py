"""The page that verifies in a browser without a network agrees with the program, deed by deed."""

import random
import shutil
import zipfile

import pytest

from inspect_web.evidence.bundle import export
from inspect_web.evidence.verify import verify
from inspect_web.store.database import create_store
from tests.inspect.story import local, tell
from tests.inspect.test_evidence import canon_line, item_lines, ledger_lines, remake_manifests

pytestmark = pytest.mark.browser
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    home = tmp_path_factory.mktemp("page")
    store = create_store(home / "home", f"sqlite:///{home / 'inspect.db'}")
    licence, *_ = tell(store)
    export(store, licence.id, home / "bundle.zip", local(20, 2), packet=b"%PDF-1.7\n")
    store.engine.dispose()
    return home / "bundle.zip"


@pytest.fixture(scope="module")
def page(bundle, tmp_path_factory):
    """The page as it lies in the bundle, opened from the disk with the network off."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    folder = tmp_path_factory.mktemp("html")
    with zipfile.ZipFile(bundle) as archive:
        archive.extract("verify.html", folder)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(offline=True)
        opened = context.new_page()
        opened.goto((folder / "verify.html").as_uri())
        yield opened
        browser.close()


def answer(page, path) -> str:
    page.set_input_files("#file", [])
    page.evaluate("document.getElementById('answer').textContent = ''")
    page.set_input_files("#file", str(path))
    page.wait_for_function("/^(WHOLE|BROKEN)/.test(document.getElementById('answer').textContent)")
    return page.inner_text("#answer")


def same(page, path) -> str:
    """The first broken item, as both name it."""
    report = verify(path)
    told = answer(page, path)
    if report.whole:
        assert told == "WHOLE"
        return ""
    where = report.faults[0].where
    assert told.startswith(f"BROKEN: {where}: "), (told, report.faults[:2])
    return where


def test_both_say_whole_and_count_the_same(page, bundle) -> None:
    assert same(page, bundle) == ""
    report = verify(bundle)
    more = page.inner_text("#more")
    assert f"{report.entries} ledger entries" in more
    assert report.key_id in more


def test_both_name_the_same_item_for_flipped_bits(page, bundle, tmp_path) -> None:
    content = bundle.read_bytes()
    chance = random.Random(9)
    for _ in range(60):
        broken = bytearray(content)
        broken[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        (tmp_path / "b.zip").write_bytes(broken)
        assert answer(page, tmp_path / "b.zip").startswith("BROKEN")
        assert not verify(tmp_path / "b.zip").whole


DEEDS = ["change", "delete", "swap", "insert", "truncate", "photo", "receipt", "lose-photo"]


@pytest.mark.parametrize("deed", DEEDS)
def test_both_name_the_same_item_for_careful_forgeries(page, bundle, tmp_path, deed) -> None:
    bag = tmp_path / "bag"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(bag)
    lines = ledger_lines(bag)
    number = item_lines(lines)[2]
    photo = next((bag / "data/photos").iterdir())
    if deed == "change":
        import json

        whole = json.loads(lines[number])
        whole["body"]["item"]["finding"] = "not-seen"
        lines[number] = canon_line(whole)
    elif deed == "delete":
        del lines[number]
    elif deed == "swap":
        lines[number], lines[number + 1] = lines[number + 1], lines[number]
    elif deed == "insert":
        lines.insert(number, lines[number - 1])
    elif deed == "truncate":
        lines = lines[:-1]
    elif deed == "photo":
        photo.write_bytes(photo.read_bytes()[:-1] + b"x")
    elif deed == "lose-photo":
        photo.unlink()
    else:
        path = bag / "data/receipts.jsonl"
        path.write_text(path.read_text().replace('"ledger_seq":6', '"ledger_seq":7', 1))
    (bag / "data/ledger.jsonl").write_text("".join(lines))
    remake_manifests(bag)
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(p for p in bag.rglob("*") if p.is_file()):
            archive.write(path, path.relative_to(bag).as_posix())
    assert same(page, tmp_path / "b.zip") not in {"", "the archive"}
