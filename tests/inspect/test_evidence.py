"""A bundle is whole, says so, and names what anybody does to it."""

import hashlib
import io
import json
import random
import shutil
import subprocess
import sys
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspect_web.evidence.bundle import export, save_head
from inspect_web.evidence.verify import verify
from inspect_web.store import items
from tests.inspect.conftest import new_phone
from tests.inspect.story import local, tell


@pytest.fixture(scope="module")
def told_store(tmp_path_factory):
    from inspect_web.store.database import create_store

    home = tmp_path_factory.mktemp("story")
    store = create_store(home / "home", f"sqlite:///{home / 'inspect.db'}")
    licence, _, ids, phones = tell(store)
    yield store, licence, ids, phones
    store.engine.dispose()


@pytest.fixture(scope="module")
def bundle(told_store, tmp_path_factory):
    store, licence, _, _ = told_store
    target = tmp_path_factory.mktemp("bundle") / "bundle.zip"
    export(store, licence.id, target, local(20, 2), packet=b"%PDF-1.7 the packet\n")
    return target


def unpacked(bundle, folder):
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    return folder


def ledger_lines(folder):
    return (folder / "data/ledger.jsonl").read_text().splitlines(keepends=True)


def item_lines(lines):
    return [n for n, line in enumerate(lines) if json.loads(line)["entry"]["kind"] == "item"]


def remake_manifests(folder):
    """What a careful forger does: every checksum right again."""
    import hashlib

    for name, files in (
        ("manifest-sha256.txt", sorted(p for p in (folder / "data").rglob("*") if p.is_file())),
        ("tagmanifest-sha256.txt", sorted(p for p in folder.iterdir()
                                         if p.is_file() and p.name != "tagmanifest-sha256.txt")),
    ):  # fmt: skip
        (folder / name).write_text("".join(
            f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(folder).as_posix()}\n"
            for p in files
        ))  # fmt: skip


def test_an_honest_bundle_is_whole(bundle, tmp_path) -> None:
    for path in (bundle, unpacked(bundle, tmp_path / "bag")):
        report = verify(path)
        assert (report.whole, report.items, report.photos) == (True, 7, 1), report.faults
        assert report.entries == 13  # licence, 3 phones, 7 items, photograph, notice


def test_the_same_record_gives_the_same_bundle_but_for_the_signature(told_store, tmp_path) -> None:
    store, licence, _, _ = told_store
    made = []
    for name in ("a.zip", "b.zip"):
        export(store, licence.id, tmp_path / name, local(20, 2))
        made.append(unpacked(tmp_path / name, tmp_path / name[0]))
    for name in ("data/ledger.jsonl", "data/receipts.jsonl", "data/keys.json"):
        assert (made[0] / name).read_bytes() == (made[1] / name).read_bytes()


def test_plain_sha256sum_agrees(bundle, tmp_path) -> None:
    bag = unpacked(bundle, tmp_path / "bag")
    for manifest in ("manifest-sha256.txt", "tagmanifest-sha256.txt"):
        done = subprocess.run(["sha256sum", "--quiet", "-c", manifest], cwd=bag, check=False)
        assert done.returncode == 0


def test_the_copy_in_the_bundle_runs_by_itself(bundle, tmp_path) -> None:
    bag = unpacked(bundle, tmp_path / "bag")
    script = tmp_path / "verify.py"
    shutil.copy(bag / "verify.py", script)
    good = subprocess.run(
        [sys.executable, "-I", script, bundle], capture_output=True, text=True, check=False
    )
    assert good.returncode == 0, good.stdout + good.stderr
    assert good.stdout.startswith("WHOLE")
    (bag / "data/packet.pdf").write_bytes(b"%PDF-1.7 another\n")
    bad = subprocess.run(
        [sys.executable, "-I", script, bag], capture_output=True, text=True, check=False
    )
    assert bad.returncode == 1
    assert bad.stdout.startswith("BROKEN: file data/packet.pdf")


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(where=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_any_flipped_bit_is_found(bundle, tmp_path_factory, where, bit) -> None:
    content = bytearray(bundle.read_bytes())
    content[int(where * len(content))] ^= 1 << bit
    broken = tmp_path_factory.mktemp("flip") / "b.zip"
    broken.write_bytes(content)
    report = verify(broken)
    assert not report.whole
    assert report.faults[0].where


def test_every_byte_of_the_small_files_matters(bundle, tmp_path) -> None:
    """A whole sweep where a sweep is cheap: each byte of head, keys and receipts, changed."""
    bag = unpacked(bundle, tmp_path / "bag")
    for name in ("data/head.json", "data/keys.json"):
        kept = (bag / name).read_bytes()
        for at in range(0, len(kept), 7):
            (bag / name).write_bytes(kept[:at] + bytes([kept[at] ^ 1]) + kept[at + 1 :])
            remake_manifests(bag)
            assert not verify(bag).whole, (name, at)
        (bag / name).write_bytes(kept)


@pytest.mark.parametrize("seed", range(6))
def test_a_changed_item_is_named_even_when_the_checksums_are_remade(bundle, tmp_path, seed) -> None:
    bag = unpacked(bundle, tmp_path / "bag")
    lines = ledger_lines(bag)
    number = random.Random(seed).choice(item_lines(lines))
    whole = json.loads(lines[number])
    whole["body"]["item"]["finding"] = "not-seen"
    lines[number] = canon_line(whole)
    (bag / "data/ledger.jsonl").write_text("".join(lines))
    remake_manifests(bag)
    fault = verify(bag).faults[0]
    assert whole["body"]["item"]["id"] in fault.where
    assert f"entry {number + 1} " in fault.where


@pytest.mark.parametrize("deed", ["delete", "swap", "insert", "truncate"])
def test_moved_missing_and_added_entries_are_named(bundle, tmp_path, deed) -> None:
    bag = unpacked(bundle, tmp_path / "bag")
    lines = ledger_lines(bag)
    number = item_lines(lines)[2]
    if deed == "delete":
        del lines[number]
    elif deed == "swap":
        lines[number], lines[number + 1] = lines[number + 1], lines[number]
    elif deed == "insert":
        lines.insert(number, lines[number - 1])
    else:
        lines = lines[:-2]
    (bag / "data/ledger.jsonl").write_text("".join(lines))
    remake_manifests(bag)
    fault = verify(bag).faults[0]
    expected = "the signed head" if deed == "truncate" else f"ledger entry {number + 1} "
    assert fault.where.startswith(expected)


def test_a_forger_who_rehashes_the_chain_still_lacks_the_phone_and_the_county(
    bundle, tmp_path
) -> None:
    import hashlib

    bag = unpacked(bundle, tmp_path / "bag")
    lines = [json.loads(line) for line in ledger_lines(bag)]
    first = next(n for n, one in enumerate(lines) if one["entry"]["kind"] == "item")
    lines[first]["body"]["item"]["finding"] = "not-seen"
    prev = lines[first]["entry"]["prev"]
    sha = lambda value: hashlib.sha256(canon_line(value).rstrip("\n").encode()).hexdigest()  # noqa: E731
    lines[first]["body"]["item_sha256"] = sha(lines[first]["body"]["item"])
    for one in lines[first:]:
        one["entry"]["prev"] = prev
        one["entry"]["body_sha256"] = sha(one["body"])
        one["hash"] = prev = sha(one["entry"])
    (bag / "data/ledger.jsonl").write_text("".join(map(canon_line, lines)))
    remake_manifests(bag)
    wheres = [fault.where for fault in verify(bag).faults]
    assert wheres[0] == "the signed head"
    assert any(lines[first]["body"]["item"]["id"] in where for where in wheres)


def test_another_photograph_and_another_key_are_named(bundle, told_store, tmp_path) -> None:
    bag = unpacked(bundle, tmp_path / "bag")
    (photo,) = (bag / "data/photos").iterdir()
    photo.write_bytes(photo.read_bytes()[:-1] + b"x")
    remake_manifests(bag)
    assert verify(bag).faults[0].where == f"photograph {photo.stem}"
    bag = unpacked(bundle, tmp_path / "other")
    keys = json.loads((bag / "data/keys.json").read_text())
    stranger = new_phone(told_store[0], "fire").jwk
    name = min(keys["devices"])
    keys["devices"][name] = {k: stranger[k] for k in ("kty", "crv", "x", "y")}
    (bag / "data/keys.json").write_text(canon_line(keys).rstrip("\n"))
    remake_manifests(bag)
    assert verify(bag).faults[0].where == f"the key of device {name}"


def test_names_that_lead_out_and_other_files_are_refused(bundle, tmp_path) -> None:
    evil = tmp_path / "evil.zip"
    with zipfile.ZipFile(evil, "w") as archive:
        archive.writestr("../out.txt", "x")
    assert "leads out" in verify(evil).faults[0].what
    (tmp_path / "text.zip").write_text("no zip")
    assert not verify(tmp_path / "text.zip").whole
    again = tmp_path / "again.zip"
    shutil.make_archive(str(again)[:-4], "zip", unpacked(bundle, tmp_path / "bag"))
    assert verify(again).faults[0].where == "the archive"


def test_other_licences_stand_in_the_chain_by_hash_alone(told_store, tmp_path) -> None:
    from inspect_web import demo
    from inspect_web.store import licences

    store, licence, _, _ = told_store
    from pathlib import Path

    text = (Path(demo.__file__).parent / "evaluation.json").read_text()
    with store.write() as connection:
        file = licences.read_evaluation(text, "the bundled evaluation")
        licences.import_licence(connection, file, number="2027-02", now=local(20, 3))
    export(store, licence.id, tmp_path / "b.zip", local(20, 4))
    report = verify(tmp_path / "b.zip")
    assert (report.whole, report.withheld) == (True, 1)
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert b"2027-02" not in archive.read("data/ledger.jsonl")


def canon_line(value) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def test_no_bytes_are_hidden_before_or_after_the_archive(bundle, tmp_path) -> None:
    for content in (b"x" + bundle.read_bytes(), bundle.read_bytes() + b"x"):
        hidden = tmp_path / "hidden.zip"
        hidden.write_bytes(content)
        assert not verify(hidden).whole
    assert zipfile.ZipFile(io.BytesIO(bundle.read_bytes())).testzip() is None


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """A time-stamping authority of this test's own: a key, a certificate, a way to ask."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    home = tmp_path_factory.mktemp("authority")
    (home / "ts.cnf").write_text(
        "[req]\ndistinguished_name=dn\n[dn]\n"
        "[ext]\nextendedKeyUsage=critical,timeStamping\nbasicConstraints=CA:FALSE\n"
        "[tsa]\ndefault_tsa=it\n[it]\nserial=serial\nsigner_cert=tsa.pem\nsigner_key=tsa.key\n"
        "signer_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\naccuracy=secs:1\n"
        "ess_cert_id_alg=sha256\n"
    )
    (home / "serial").write_text("01\n")

    def run(*words):
        return subprocess.run(
            ["openssl", *map(str, words)], cwd=home, check=True, capture_output=True, text=True
        )

    run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "tsa.key", "-out", "tsa.pem",
        "-subj", "/CN=An authority", "-config", "ts.cnf", "-extensions", "ext", "-days", "30")  # fmt: skip

    def stamp(head, token):
        run("ts", "-query", "-data", head, "-sha256", "-cert", "-out", "q.tsq")
        run("ts", "-reply", "-config", "ts.cnf", "-queryfile", "q.tsq", "-out", token)

    def verified(head, token):
        return run("ts", "-verify", "-data", head, "-in", token, "-CAfile", "tsa.pem").stdout

    return stamp, verified


def test_a_stamped_head_is_tied_to_the_chain_and_its_token_to_it(
    told_store, authority, tmp_path
) -> None:
    store, licence, _, phones = told_store
    stamp, verified = authority
    head, token = tmp_path / "head.json", tmp_path / "head.tsr"
    saved = save_head(store, head, local(20, 2))
    stamp(head, token)
    items.accept(store, phones["health"].item("T2", at=local(20, 2)), local(20, 2),
                 carried_by=phones["health"].device_id)  # fmt: skip
    export(store, licence.id, tmp_path / "b.zip", local(20, 3), stamps=[(head, token)])
    report = verify(tmp_path / "b.zip")
    assert report.whole, report.faults
    assert report.stamped[0].startswith(f"entry {saved['head']['count']},")
    bag = unpacked(tmp_path / "b.zip", tmp_path / "bag")
    folder = bag / "data/stamps/001"
    assert "OK" in verified(folder / "head.json", folder / "head.tsr")

    save_head(store, tmp_path / "other.json", local(20, 4))
    stamp(tmp_path / "other.json", folder / "head.tsr")
    remake_manifests(bag)
    assert [(f.where, f.what) for f in verify(bag).faults] == [
        ("the stamped head stamps/001", "its token names something else")
    ]


def test_a_stamped_head_of_another_ledger_is_named(told_store, tmp_path) -> None:
    """What shows that a county wrote two ledgers: its own signature under another hash."""
    from inspect_web.store.database import Store, create_store

    store, licence, _, _ = told_store
    other = create_store(tmp_path / "home", f"sqlite:///{tmp_path / 'other.db'}")
    twin = Store(other.engine, other.home, store.key)
    tell(twin)
    head, token = tmp_path / "head.json", tmp_path / "head.tsr"
    save_head(twin, head, local(20, 2))
    token.write_bytes(hashlib.sha256(head.read_bytes()).digest())
    export(store, licence.id, tmp_path / "b.zip", local(20, 3), stamps=[(head, token)])
    other.engine.dispose()
    (fault,) = verify(tmp_path / "b.zip").faults
    assert (fault.where, fault.what) == (
        "the stamped head stamps/001",
        "it is not a head of this chain",
    )


def test_the_draft_certificate_lists_the_files_and_promises_nothing(bundle, tmp_path) -> None:
    bag = unpacked(bundle, tmp_path / "bag")
    draft = (bag / "data/CERTIFICATE-DRAFT.txt").read_text()
    assert "to be confirmed by counsel" in draft
    for path in (bag / "data").rglob("*"):
        if path.is_file() and path.name != "CERTIFICATE-DRAFT.txt":
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            assert f"{digest}  {path.relative_to(bag).as_posix()}" in draft
