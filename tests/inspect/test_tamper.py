"""Whatever is done to a bundle is found and named; honest bundles are never accused.

``TAMPER_FLIPS=3/16`` flips a bit of every sixteenth byte from the third on, so that sixteen runs try
each byte; ``HONEST_BUNDLES=1000`` makes that many honest ones.
"""

import json
import os
import random
import zipfile
from datetime import timedelta

import pytest

from inspect_web.evidence.bundle import export
from inspect_web.evidence.verify import verify
from inspect_web.inspection.receipt import public_jwk, sign
from inspect_web.scenario.phone import staged_key
from inspect_web.store import accounts, acts, devices, items, licences
from inspect_web.store.database import create_store
from tests.inspect.conftest import START, fill, new_phone
from tests.inspect.phone import picture
from tests.inspect.story import local, tell
from tests.inspect.test_evidence import canon_line, item_lines, ledger_lines, remake_manifests

FLIPS = os.environ.get("TAMPER_FLIPS", "250")
HONEST = int(os.environ.get("HONEST_BUNDLES", "40"))


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    home = tmp_path_factory.mktemp("tamper")
    store = create_store(home / "home", f"sqlite:///{home / 'inspect.db'}")
    licence, *_ = tell(store)
    export(store, licence.id, home / "bundle.zip", local(20, 2), packet=b"%PDF-1.7\n")
    store.engine.dispose()
    return home / "bundle.zip"


@pytest.fixture
def bag(bundle, tmp_path):
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(tmp_path / "bag")
    return tmp_path / "bag"


def places(bundle):
    """Where in the archive each file's bytes lie: name, first, last."""
    with zipfile.ZipFile(bundle) as archive:
        return [
            (i.filename, i.header_offset + 30 + len(i.filename), i.file_size)
            for i in archive.infolist()
        ]


def expected(bundle, content, at):
    """What the first fault has to name when the byte *at* is changed; ``""`` leaves it open."""
    for name, first, size in places(bundle):
        if first <= at < first + size:
            line = content[first:at].count(b"\n") + 1
            if name == "data/ledger.jsonl" and at < first + size - 1:
                return f"ledger entry {line} "
            if name.startswith("data/photos/"):
                return f"photograph {name[12:76]}"
            if name in {"data/keys.json", "data/head.json", "data/receipts.jsonl",
                        "data/ledger.jsonl", "manifest-sha256.txt", "tagmanifest-sha256.txt"}:  # fmt: skip
                return ""
            return f"file {name}"
    return ""


def test_a_changed_byte_is_found_and_the_item_that_holds_it_named(bundle, tmp_path) -> None:
    content, chance = bundle.read_bytes(), random.Random(5)
    count = len(content)
    part, _, parts = FLIPS.partition("/")
    spots = (
        range(int(part) - 1, count, int(parts)) if parts else chance.sample(range(count), int(part))
    )
    broken, missed, misnamed = tmp_path / "b.zip", [], []
    for at in spots:
        changed = bytearray(content)
        changed[at] ^= 1 << chance.randrange(8)
        broken.write_bytes(changed)
        report = verify(broken)
        if report.whole:
            missed.append(at)
        elif not (report.faults[0].where + " ").startswith(expected(bundle, content, at)):
            misnamed.append((at, report.faults[0]))
    assert (missed, misnamed) == ([], [])


def test_every_bit_of_the_archives_own_directory_matters(bundle, tmp_path) -> None:
    """Version, flags, method, sizes, place and name of one file, and the end of the directory."""
    content = bundle.read_bytes()
    first, end = content.index(b"PK\1\2"), content.rindex(b"PK\5\6")
    one = range(first, content.index(b"PK\1\2", first + 4))
    for at in (*one, *range(end, len(content))):
        for bit in range(8):
            changed = bytearray(content)
            changed[at] ^= 1 << bit
            (tmp_path / "b.zip").write_bytes(changed)
            assert not verify(tmp_path / "b.zip").whole, (at - first, bit)


def test_every_cut_and_every_added_byte_is_found(bundle, tmp_path) -> None:
    content, chance = bundle.read_bytes(), random.Random(6)
    for _ in range(100):
        at = chance.randrange(len(content))
        for changed in (content[:at], content[:at] + content[at + 1 :],
                        content[:at] + b"\0" + content[at:]):  # fmt: skip
            (tmp_path / "b.zip").write_bytes(changed)
            assert not verify(tmp_path / "b.zip").whole, at


def first_fault(bag):
    remake_manifests(bag)
    return verify(bag).faults[0].where


def test_every_entry_lost_doubled_or_moved_is_named(bag) -> None:
    lines = ledger_lines(bag)
    for n in range(len(lines)):
        for deed in ("lose", "double", "move"):
            if deed == "move" and n + 1 == len(lines):
                continue
            forged = list(lines)
            if deed == "lose":
                del forged[n]
            elif deed == "double":
                forged.insert(n, lines[n])
            else:
                forged[n], forged[n + 1] = lines[n + 1], lines[n]
            (bag / "data/ledger.jsonl").write_text("".join(forged))
            last = deed == "lose" and n + 1 == len(lines)
            number = n + 2 if deed == "double" else n + 1
            assert first_fault(bag).startswith(
                "the signed head" if last else f"ledger entry {number} "
            )


def test_every_value_of_every_item_matters(bag) -> None:
    lines = ledger_lines(bag)
    for n in item_lines(lines):
        for key in json.loads(lines[n])["body"]["item"]:
            whole = json.loads(lines[n])
            item = whole["body"]["item"]
            item[key] = 7 if item[key] != 7 else 8
            (bag / "data/ledger.jsonl").write_text(
                "".join([*lines[:n], canon_line(whole), *lines[n + 1 :]])
            )
            assert first_fault(bag).startswith(f"ledger entry {n + 1} "), key


def test_every_receipt_lost_doubled_or_given_to_another_is_named(bag) -> None:
    path = bag / "data/receipts.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    for n, line in enumerate(lines):
        receipt = json.loads(line)["receipt"]
        path.write_text("".join([*lines[:n], *lines[n + 1 :]]))
        assert first_fault(bag).startswith(f"ledger entry {receipt['ledger_seq']} ")
        path.write_text("".join([*lines, line]))
        assert first_fault(bag).startswith(f"receipt for entry {receipt['ledger_seq']} ")
        other = json.loads(lines[(n + 1) % len(lines)])
        other["receipt"] = receipt
        path.write_text("".join([*lines[:n], canon_line(other), *lines[n + 1 :]]))
        assert first_fault(bag).startswith(f"receipt for entry {receipt['ledger_seq']} ")


def test_swapped_keys_are_named_and_a_forgers_key_signs_no_receipt(bag) -> None:
    path = bag / "data/keys.json"
    keys = json.loads(path.read_text())
    first, second = sorted(keys["devices"])[:2]
    swapped = dict(keys["devices"])
    swapped[first], swapped[second] = swapped[second], swapped[first]
    path.write_text(canon_line(keys | {"devices": swapped}).rstrip("\n"))
    assert first_fault(bag) == f"the key of device {first}"

    forger = staged_key("a forger")
    jwk = public_jwk(forger.public_key())
    path.write_text(canon_line(keys | {"server": jwk}).rstrip("\n"))
    assert first_fault(bag) == "the signed head"
    head = json.loads((bag / "data/head.json").read_text())
    from inspect_web.evidence.verify import thumbprint

    head |= {"signature": sign(forger, head["head"]), "server_key_id": thumbprint(jwk)}
    (bag / "data/head.json").write_text(canon_line(head).rstrip("\n"))
    assert first_fault(bag).startswith("receipt for entry ")


def test_a_photograph_swapped_lost_or_slipped_in_is_named(bag) -> None:
    (kept,) = (bag / "data/photos").iterdir()
    content = kept.read_bytes()
    kept.write_bytes(picture())
    assert first_fault(bag) == f"photograph {kept.stem}"
    kept.write_bytes(content)
    extra = kept.with_name(f"{'0' * 64}.jpg")
    extra.write_bytes(content)
    assert first_fault(bag) == f"photograph {'0' * 64}"
    extra.unlink()
    kept.unlink()
    assert first_fault(bag) == f"photograph {kept.stem}"


def test_a_name_that_occurs_twice_is_refused(bundle, tmp_path) -> None:
    """Two programs could unpack two contents from such an archive."""
    forged = tmp_path / "b.zip"
    forged.write_bytes(bundle.read_bytes())
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(forged, "a") as archive:
        archive.writestr("data/head.json", archive.read("data/head.json"))
    fault = verify(forged).faults[0]
    assert (fault.where, "twice" in fault.what) == ("the archive", True)


NOTES = ["", "née Ünal, 😀", "\u2028 line", '"quoted" \\ back', "a\tb", "é"]


def test_honest_bundles_are_whole(tmp_path) -> None:
    """One growing record, exported at every step: late, corrected, contested, revoked, refused."""
    store = create_store(tmp_path / "home", f"sqlite:///{tmp_path / 'inspect.db'}")
    licence, _ = fill(store)
    phones = [new_phone(store, who) for who in ("sheriff", "health", "roads", "fire")]
    with store.read() as connection:
        conditions = [i.id for i in licences.get(connection, licence.id).checklist.items]
        people = {a.login: a for a in accounts.everyone(connection)}
    chance, moment = random.Random(11), START
    for number in range(HONEST):
        moment += timedelta(minutes=chance.randrange(1, 30))
        deed = chance.random()
        if deed < 0.75:
            phone = chance.choice(phones)
            envelope = phone.item(
                chance.choice(conditions), chance.choice(["met", "not-met", "not-seen"]),
                at=moment - timedelta(minutes=chance.randrange(300)), note=chance.choice(NOTES),
                value=chance.choice([None, 4, 5]), error_ms=chance.randrange(10**6),
            )  # fmt: skip
            items.accept(store, envelope, moment, carried_by=chance.choice(phones).device_id)
            if deed < 0.1:
                other = phone.signed(envelope["item"] | {"note": "another content"})
                items.accept(store, other, moment, carried_by=phone.device_id)
        elif deed < 0.9:
            with store.write() as connection:
                acts.serve_notice(
                    connection, licence.id, people["coordinator"], moment,
                    condition=chance.choice(conditions), served_on="licensee", how="in person",
                    served_at=moment, cure_by=moment, text=f"№ {number} {chance.choice(NOTES)}",
                )  # fmt: skip
        elif deed < 0.95:
            phones.append(new_phone(store, "sheriff", moment))
        else:
            with store.write() as connection:
                devices.revoke(connection, chance.choice(phones).device_id, by="x", now=moment)
        export(store, licence.id, tmp_path / "b.zip", moment)
        report = verify(tmp_path / "b.zip")
        assert report.whole, (number, report.faults[:2])
    store.engine.dispose()
