"""The page that verifies in a browser without a network agrees with the program, deed by deed."""

import hashlib
import json
import os
import random
import shutil
import zipfile
from pathlib import Path

import pytest

from inspect_web.evidence.bundle import export, save_head
from inspect_web.evidence.verify import verify
from inspect_web.store.database import create_store
from tests.inspect.story import local, tell
from tests.inspect.test_evidence import canon_line, item_lines, ledger_lines, remake_manifests

pytestmark = pytest.mark.browser
EXAMPLE = Path(__file__).resolve().parents[2] / "data/examples/revocation/bundle.zip"
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
    """``PAGE_FLIPS`` says how many; half of them in what is signed and chained."""
    content = bundle.read_bytes()
    chance = random.Random(9)
    with zipfile.ZipFile(bundle) as archive:
        data = [i for i in archive.infolist() if i.filename.startswith("data/")]
    for number in range(int(os.environ.get("PAGE_FLIPS", "60"))):
        one = chance.choice(data)
        first = one.header_offset + 30 + len(one.filename)
        at = (
            first + chance.randrange(one.file_size)
            if number % 2
            else chance.randrange(len(content))
        )
        broken = bytearray(content)
        broken[at] ^= 1 << chance.randrange(8)
        (tmp_path / "b.zip").write_bytes(broken)
        assert same(page, tmp_path / "b.zip"), at


def test_both_name_the_entry_of_the_exercise(page, tmp_path) -> None:
    """What docs/scenario.md tells: one word in one note, changed inside the archive itself."""
    content = EXAMPLE.read_bytes()
    assert same(page, EXAMPLE) == ""
    broken = tmp_path / "b.zip"
    broken.write_bytes(content.replace(b"Three cars across", b"Seven cars across", 1))
    assert same(page, broken).startswith("ledger entry 21 (item ede57b9b-")


def test_both_refuse_a_name_that_occurs_twice(page, bundle, tmp_path) -> None:
    forged = tmp_path / "b.zip"
    forged.write_bytes(bundle.read_bytes())
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(forged, "a") as archive:
        archive.writestr("data/head.json", archive.read("data/head.json"))
    assert same(page, forged) == "the archive"


def test_both_tie_a_stamped_head_to_the_chain(page, tmp_path) -> None:
    store = create_store(tmp_path / "home", f"sqlite:///{tmp_path / 'inspect.db'}")
    licence, *_ = tell(store)
    head, token, made = (tmp_path / name for name in ("head.json", "head.tsr", "b.zip"))
    save_head(store, head, local(20, 2))
    for content, found in (
        (b"a token of " + hashlib.sha256(head.read_bytes()).digest(), ""),
        (b"a token of something else", "the stamped head stamps/001"),
    ):
        token.write_bytes(content)
        export(store, licence.id, made, local(20, 3), stamps=[(head, token)])
        assert same(page, made) == found
    store.engine.dispose()


DEEDS = ["change", "delete", "swap", "insert", "truncate", "photo", "receipt", "lose-photo", "keys",
         "county-key"]  # fmt: skip


@pytest.mark.parametrize("deed", DEEDS)
def test_both_name_the_same_item_for_careful_forgeries(page, bundle, tmp_path, deed) -> None:
    bag = tmp_path / "bag"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(bag)
    lines = ledger_lines(bag)
    number = item_lines(lines)[2]
    photo = next((bag / "data/photos").iterdir())
    if deed == "change":
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
    elif deed in {"keys", "county-key"}:
        path = bag / "data/keys.json"
        keys = json.loads(path.read_text())
        one, other = sorted(keys["devices"])[:2]
        phones = keys["devices"] | {one: keys["devices"][other], other: keys["devices"][one]}
        changed = {"devices": phones} if deed == "keys" else {"server": phones[one]}
        path.write_text(canon_line(keys | changed).rstrip("\n"))
    else:
        path = bag / "data/receipts.jsonl"
        path.write_text(path.read_text().replace('"ledger_seq":6', '"ledger_seq":7', 1))
    (bag / "data/ledger.jsonl").write_text("".join(lines))
    remake_manifests(bag)
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(p for p in bag.rglob("*") if p.is_file()):
            archive.write(path, path.relative_to(bag).as_posix())
    assert same(page, tmp_path / "b.zip") not in {"", "the archive"}
