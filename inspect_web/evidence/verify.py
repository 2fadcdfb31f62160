"""Verify an evidence bundle: ``python verify.py BUNDLE.zip`` (or the unpacked folder).

Needs Python 3.11 and the package ``cryptography``; no network, no database, nothing else of ours.
It names the first broken item, and its exit status is 0 only when the bundle is whole.

What it shows: that the entries are those that the county received, in that order, none changed,
added or taken away up to the signed head; that each item was signed by the phone that says so;
that the photographs are the ones that were named. What it does not show: that what was photographed
was true, that a phone's clock was right, or that the county's own key was in honest hands. Compare
the key's fingerprint with one that you got by another way.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256

BEGINNING = "0" * 64
ENTRY_KEYS = {"body_sha256", "kind", "licence", "prev", "received_at", "seq"}
LOCAL, CENTRAL, END = "<4s5H3L2H", "<4s6H3L5H2L", "<4s4H2LH"
DAY_ZERO = 0x21  # 1980-01-01, the first day that a zip file knows
Line = tuple[int, dict[str, Any], str, Any]  # number, entry, hash, body
STAMP = re.compile(r"^data/stamps/[0-9]{3}/head\.json$")
EXTENSION = re.compile(r"^data/photos/([0-9a-f]{64})\.[a-z0-9]{2,4}$")


@dataclass(frozen=True)
class Fault:
    """What is broken: the item, and how."""

    where: str
    what: str


@dataclass
class Report:
    """All faults, the first of them first, and what was counted on the way."""

    faults: list[Fault] = field(default_factory=list)
    entries: int = 0
    items: int = 0
    photos: int = 0
    withheld: int = 0
    not_arrived: list[str] = field(default_factory=list)
    stamped: list[str] = field(default_factory=list)
    key_id: str = ""

    @property
    def whole(self) -> bool:
        """Whether nothing is broken."""
        return not self.faults

    def add(self, where: str, what: str) -> None:
        """Note a fault."""
        self.faults.append(Fault(where, what))


class Broken(ValueError):  # noqa: N818 - it names a state, as the report does
    """A file that cannot be read, or that is not of the form that bundles have."""

    def __init__(self, where: str, what: str) -> None:
        """Say where and what."""
        super().__init__(f"{where}: {what}")
        self.where, self.what = where, what


class Bag:
    """The files of a bundle, in a zip file or a folder, under names with forward slashes."""

    def __init__(self, path: Path) -> None:
        """Open *path*; raises ``ValueError`` when it cannot be a bundle."""
        self.path = path
        self.zip: zipfile.ZipFile | None = None
        if path.is_dir():
            files = (p for p in path.rglob("*") if p.is_file())
            self.names = sorted(p.relative_to(path).as_posix() for p in files)
            return
        try:
            self.zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError,
                struct.error) as error:  # fmt: skip
            raise ValueError(f"not a zip file ({error})") from None
        self.names = sorted(n for n in self.zip.namelist() if not n.endswith("/"))
        if not all(i.orig_filename.isascii() and i.orig_filename.isprintable()
                   for i in self.zip.infolist()):  # fmt: skip
            raise ValueError("a name that is not plain text")
        if len(set(self.names)) < len(self.names):  # two programs could unpack two contents
            raise ValueError("a name occurs twice")
        for name in self.names:
            parts = PurePosixPath(name).parts
            if name.startswith("/") or ".." in parts or "\\" in name:
                raise ValueError(f"a name that leads out of the bundle: {name!r}")

    def read(self, name: str) -> bytes:
        """The bytes of one file; raises ``Broken`` when they cannot be had."""
        try:
            if self.zip is None:
                return (self.path / name).read_bytes()
            info = self.zip.getinfo(name)
            return self.zip.read(name) if info.compress_type else self._stored(info)
        except (OSError, KeyError, zipfile.BadZipFile, zlib.error, ValueError, struct.error,
                NotImplementedError, RuntimeError, EOFError) as error:  # fmt: skip
            raise Broken(f"file {name}", f"it is missing or cannot be read ({error})") from None

    def _stored(self, info: zipfile.ZipInfo) -> bytes:
        """As it lies in the archive, whatever its checksum: the item that was changed is named."""
        with self.path.open("rb") as raw:
            raw.seek(info.header_offset)
            head = raw.read(30)
            name_length, extra = struct.unpack("<2H", head[26:30])
            if head[:4] != b"PK\3\4" or raw.read(name_length) != info.filename.encode():
                raise ValueError("its place in the archive is lost")
            raw.seek(extra, 1)
            content = raw.read(info.compress_size)
        if len(content) != info.file_size:
            raise ValueError("it is cut short")
        return content


def verify(path: Path) -> Report:
    """Everything that is broken in the bundle at *path*; never raises for a bad bundle."""
    report = Report()
    try:
        bag = Bag(path)
    except ValueError as error:
        report.add("the archive", str(error))
        return report
    try:
        _contents(bag, report)
    except Broken as error:
        report.add(error.where, error.what)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        report.add("the bundle", f"not of the form that bundles have ({error})")
    _manifests(bag, report)
    _container(bag, report)
    return report


def canonical(value: Any) -> bytes:
    """RFC 8785 for the values that occur here: whole numbers, texts, lists, objects."""
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False
    ).encode()


def zip_pieces(files: list[tuple[str, int, int]]) -> Iterator[tuple[bytes, str]]:
    """The bytes around the files in the one form in which bundles are zipped.

    *files* are (name, size, CRC-32). Each piece comes with the file whose bytes follow it. Stored,
    not compressed; every date is 1980-01-01: the same files give the same archive.
    """
    offset, central = 0, b""
    for name, size, crc in files:
        raw = name.encode()
        local = struct.pack(
            LOCAL, b"PK\3\4", 20, 0, 0, 0, DAY_ZERO, crc, size, size, len(raw), 0
        ) + raw  # fmt: skip
        central += struct.pack(
            CENTRAL, b"PK\1\2", 20, 20, 0, 0, 0, DAY_ZERO, crc, size, size, len(raw), 0, 0, 0, 0,
            0, offset,
        ) + raw  # fmt: skip
        offset += len(local) + size
        yield local, name
    count = len(files)
    yield central + struct.pack(
        END, b"PK\5\6", 0, 0, count, count, len(central), offset, 0
    ), ""  # fmt: skip


def thumbprint(jwk: dict[str, Any]) -> str:
    """The fingerprint of a key (RFC 7638)."""
    return _base64(hashlib.sha256(canonical(jwk)).digest())


def _contents(bag: Bag, report: Report) -> None:
    """The chain, then the head, then each item, its receipt and its photographs."""
    keys = _file(bag, "data/keys.json")
    if not (isinstance(keys.get("server"), dict) and isinstance(keys.get("devices"), dict)):
        raise Broken("file data/keys.json", "a part of it is missing")
    report.key_id = thumbprint(keys["server"])
    bodies = _chain(bag, report)
    _head(bag, report, keys["server"], bodies[-1][2] if bodies else BEGINNING)
    devices = _devices(bodies, keys, report)
    receipts = _receipts(bag, report, keys["server"])
    for seq, entry, hash_, body in bodies:
        if entry["kind"] == "item" and body is not None:
            report.items += 1
            _item(seq, hash_, body, devices, receipts, report)
    for left in receipts.values():
        report.add(f"receipt for entry {left['ledger_seq']}", "there is no such item")
    _photos(bag, bodies, report)
    _stamps(bag, bodies, keys["server"], report)


def _chain(bag: Bag, report: Report) -> list[Line]:
    found: list[Line] = []
    prev = BEGINNING
    for seq, line in enumerate(_file_lines(bag, "data/ledger.jsonl"), start=1):
        where = f"ledger entry {seq}"
        try:
            whole = _object(line)
            entry, hash_, body = whole["entry"], whole["hash"], whole["body"]
            parts = (set(entry), set(whole))
        except (ValueError, KeyError, TypeError) as error:
            report.add(where, f"cannot be read ({error})")
            return found
        where = _named(seq, entry, body)
        if parts != (ENTRY_KEYS, {"entry", "hash", "body"}):
            report.add(where, "it has other parts than an entry has")
        elif entry["seq"] != seq:
            report.add(where, f"it says that it is number {entry['seq']}: one is missing or moved")
        elif entry["prev"] != prev:
            report.add(where, "it does not hang from the entry before it")
        elif hash_ != hashlib.sha256(canonical(entry)).hexdigest():
            report.add(where, "its hash is not that of its content")
        elif body is not None and _sha256(body) != entry["body_sha256"]:
            report.add(where, "its body was changed")
        report.withheld += body is None
        report.entries, prev = seq, hash_
        found.append((seq, entry, hash_, body))
    return found


def _named(seq: int, entry: dict[str, Any], body: Any) -> str:
    if entry.get("kind") == "item" and isinstance(body, dict):
        item = body.get("item")
        if isinstance(item, dict):
            return f"ledger entry {seq} (item {item.get('id')})"
    return f"ledger entry {seq} ({entry.get('kind')})"


def _head(bag: Bag, report: Report, key: dict[str, Any], hash_: str) -> None:
    signed = _file(bag, "data/head.json")
    head: Any = signed.get("head")
    if not _signed(key, signed.get("signature", ""), head):
        report.add("the signed head", "the county's key did not sign it")
    elif signed.get("server_key_id") != thumbprint(key):
        report.add("the signed head", "it names another key")
    elif head["count"] != report.entries:
        report.add(
            "the signed head", f"it counts {head['count']} entries, there are {report.entries}"
        )
    elif head["hash"] != hash_:
        report.add("the signed head", "it names another last entry")


def _devices(bodies: list[Line], keys: dict[str, Any], report: Report) -> dict[str, Any]:
    enrolled = {
        body["device"]: body["public_key"]
        for _, entry, _, body in bodies
        if entry["kind"] == "device-enrolled" and body is not None
    }
    for name in sorted(set(enrolled) | set(keys["devices"])):
        if enrolled.get(name) != keys["devices"].get(name):
            report.add(f"the key of device {name}", "it is not the one that was enrolled")
    return enrolled


def _receipts(bag: Bag, report: Report, key: dict[str, Any]) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for number, line in enumerate(_file_lines(bag, "data/receipts.jsonl"), start=1):
        try:
            given = _object(line)
            receipt = {**given["receipt"]}
            receipt["ledger_seq"], receipt["item_id"], given["signature"]
        except (ValueError, KeyError, TypeError) as error:
            raise Broken(f"receipt in line {number}", f"cannot be read ({error})") from None
        where = f"receipt for entry {receipt['ledger_seq']} (item {receipt['item_id']})"
        if not _signed(key, given["signature"], receipt):
            report.add(where, "the county's key did not sign it")
        if receipt["ledger_seq"] in found:
            report.add(where, "it is there twice")
        found[receipt["ledger_seq"]] = receipt
    return found


def _item(
    seq: int, hash_: str, body: dict[str, Any], devices: dict[str, Any],
    receipts: dict[int, dict[str, Any]], report: Report,
) -> None:  # fmt: skip
    item = body["item"]
    where = f"ledger entry {seq} (item {item['id']})"
    key = devices.get(item["device_id"])
    receipt = receipts.pop(seq, None)
    if body["item_sha256"] != _sha256(item):
        report.add(where, "the item was changed")
    elif key is None or not _signed(key, body["signature"], item):
        report.add(where, "its phone did not sign it")
    elif receipt is None:
        report.add(where, "it has no receipt")
    elif (receipt["item_id"], receipt["item_sha256"], receipt["head"]) != (
        item["id"], body["item_sha256"], hash_,
    ):  # fmt: skip
        report.add(where, "its receipt speaks of another item")


def _photos(bag: Bag, bodies: list[Line], report: Report) -> None:
    files = {m.group(1): name for name in bag.names if (m := EXTENSION.match(name))}
    kept = {
        body["sha256"]: body["bytes"]
        for _, entry, _, body in bodies
        if entry["kind"] == "photo" and body is not None
    }
    named = {
        photo["sha256"]
        for _, entry, _, body in bodies
        if entry["kind"] == "item" and body is not None
        for photo in body["item"]["photos"]
    }
    for sha in sorted(set(files) | set(kept)):
        where = f"photograph {sha}"
        if sha not in files:
            report.add(where, "it was received, and is not in the bundle")
        elif sha not in kept:
            report.add(where, "the ledger knows nothing of it")
        elif _broken_photo(bag, files[sha], sha, kept[sha]):
            report.add(where, "its bytes were changed")
        else:
            report.photos += 1
    report.not_arrived = sorted(named - set(kept))


def _stamps(bag: Bag, bodies: list[Line], key: dict[str, Any], report: Report) -> None:
    """Heads of this chain that an authority stamped; its own signature is for its certificate."""
    for name in bag.names:
        if not STAMP.match(name):
            continue
        signed, where = _file(bag, name), f"the stamped head {name[5:-10]}"
        head: Any = signed.get("head")
        token = bag.read(name[:-4] + "tsr")
        if not _signed(key, signed.get("signature", ""), head):
            report.add(where, "the county's key did not sign it")
        elif [line[2] for line in bodies[head["count"] - 1 :][:1]] != [head["hash"]]:
            report.add(where, "it is not a head of this chain")
        elif hashlib.sha256(bag.read(name)).digest() not in token:
            report.add(where, "its token names something else")
        else:
            report.stamped.append(f"entry {head['count']}, by the token in {name[:-4]}tsr")


def _broken_photo(bag: Bag, name: str, sha: str, size: int) -> bool:
    try:
        content = bag.read(name)
    except ValueError:
        return True
    return hashlib.sha256(content).hexdigest() != sha or len(content) != size


def _manifests(bag: Bag, report: Report) -> None:
    """BagIt: every file as listed, none too many, none too few."""
    listed: dict[str, str] = {}
    for manifest in ("manifest-sha256.txt", "tagmanifest-sha256.txt"):
        try:
            lines = bag.read(manifest).decode("ascii").splitlines()
            pairs = [tuple(line.split("  ", 1)) for line in lines]
            listed |= {name: digest for digest, name in pairs}
        except ValueError:
            report.add(f"file {manifest}", "cannot be read")
    for name in sorted((set(bag.names) | set(listed)) - {"tagmanifest-sha256.txt"}):
        try:
            if name not in listed:
                report.add(f"file {name}", "no manifest lists it")
            elif hashlib.sha256(bag.read(name)).hexdigest() != listed[name]:
                report.add(f"file {name}", "its bytes are not those that the manifest lists")
        except ValueError:
            report.add(f"file {name}", "it is missing or cannot be read")


def _container(bag: Bag, report: Report) -> None:
    """The zip file itself: nothing before, between or after the files."""
    if bag.zip is None or report.faults:
        return
    files = [
        (i.filename, i.file_size, zlib.crc32(bag.read(i.filename))) for i in bag.zip.infolist()
    ]
    sizes = {name: size for name, size, _ in files}
    with bag.path.open("rb") as raw:
        for piece, name in zip_pieces(sorted(files)):
            if raw.read(len(piece)) != piece:
                what = "it was not zipped as bundles are; unpack it and verify the folder"
                report.add("the archive", what)
                return
            raw.seek(sizes.get(name, 0), 1)
        if raw.read(1):
            report.add("the archive", "something follows its end")


def _signed(jwk: dict[str, Any], signature: str, value: Any) -> bool:
    try:
        raw = _bytes(signature)
        x, y = (int.from_bytes(_bytes(jwk[part])) for part in ("x", "y"))
        key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
        der = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        key.verify(der, canonical(value), ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError, KeyError, TypeError, AttributeError):
        return False
    return len(raw) == 64 and _base64(raw) == signature


def _lines(content: bytes) -> list[bytes]:
    if content and not content.endswith(b"\n"):
        raise ValueError("the last line is not finished")
    return content.split(b"\n")[:-1]


def _object(content: bytes) -> dict[str, Any]:
    """A JSON object that is written canonically: one content, one text."""
    value = json.loads(content.decode())
    if not isinstance(value, dict) or canonical(value) != content.rstrip(b"\n"):
        raise ValueError("not written canonically")
    return value


def _file(bag: Bag, name: str) -> dict[str, Any]:
    content = bag.read(name)
    try:
        return _object(content)
    except (ValueError, RecursionError) as error:
        raise Broken(f"file {name}", f"cannot be read ({error})") from None


def _file_lines(bag: Bag, name: str) -> list[bytes]:
    content = bag.read(name)
    try:
        return _lines(content)
    except ValueError as error:
        raise Broken(f"file {name}", f"cannot be read ({error})") from None


def _sha256(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def told(report: Report) -> str:
    """The report for people, its first line the answer."""
    lines = [
        "WHOLE" if report.whole else f"BROKEN: {report.faults[0].where}: {report.faults[0].what}.",
        f"{report.entries} ledger entries ({report.withheld} of other licences, by hash alone), "
        f"{report.items} signed items, {report.photos} photographs.",
        f"County key: {report.key_id or 'unknown'}",
    ]
    lines += [f"also: {fault.where}: {fault.what}" for fault in report.faults[1:20]]
    lines += [f"stamped up to {one} (verify the token with openssl)" for one in report.stamped]
    lines += [f"named, but never received: photograph {sha}" for sha in report.not_arrived]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """The command line of the copy that lies in each bundle."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python verify.py BUNDLE.zip or the unpacked folder\n")
        return 2
    report = verify(Path(arguments[0]))
    sys.stdout.write(told(report) + "\n")
    return 0 if report.whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
