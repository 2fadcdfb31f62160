"""Write the evidence bundle of a licence: a BagIt bag in a zip file that is the same every time."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from inspect_web.errors import TooLarge
from inspect_web.evidence.verify import zip_pieces
from inspect_web.inspection.receipt import thumbprint
from inspect_web.store import devices, items, ledger, licences, media
from inspect_web.store.database import Store
from site_eval.record.canonical import canonical_bytes

HERE = Path(__file__).parent
MAX_BUNDLE_BYTES = 4_000_000_000  # a plain zip file ends at 4 GiB
TOOLS = ("verify.py", "verify.html")


def export(
    store: Store, licence_id: str, target: Path, now: datetime, *, packet: bytes | None = None
) -> dict[str, Any]:
    """Write the bundle of a licence to *target*, whole or not at all; returns the signed head.

    Entries of other licences stand in the chain by their hash alone. *packet* is the revocation
    packet (PDF) to be put in. Raises ``TooLarge`` above 4 GB.
    """
    with store.read() as connection, _folder(target) as bag:
        kept = licences.get(connection, licence_id)
        signed = ledger.signed_head(store, connection, now)
        head = {
            "head": signed["head"],
            "signature": signed["signature"],
            "server_key_id": thumbprint(store.county_key),
        }
        _ledger(connection, kept.id, bag)
        _lines(bag / "data/receipts.jsonl", items.receipts(connection, kept.id))
        _write(bag / "data/head.json", canonical_bytes(head))
        _write(bag / "data/keys.json", canonical_bytes(_keys(store, connection, kept.id)))
        _photos(store, connection, kept.id, bag)
        if packet is not None:
            _write(bag / "data/packet.pdf", packet)
        _write(bag / "data/READ-ME.txt", _explained(head, kept).encode())
        for tool in TOOLS:
            shutil.copyfile(HERE / tool, bag / tool)
        _declare(bag, kept, now)
        _zip(bag, target)
    return head


def certificate(head: dict[str, Any], number: str) -> str:
    """The draft of a certificate of a qualified person; counsel says whether it will do."""
    return f"""DRAFT, for counsel: certificate of a qualified person (Federal Rules of Evidence 902(13)
and (14); whether Idaho's rule has the same is to be confirmed by counsel)

I, [name], [position], am qualified by [training, experience] to certify this. The records in this
bundle for licence {number} were made by an electronic process: phones signed each item when it was
recorded; the county's server wrote each to an append-only ledger when it arrived, each entry
holding the hash of the one before it, and answered with a signed receipt. The copy was verified by
comparing hash values. At the time of the signed head the ledger held {head["head"]["count"]}
entries, the last with the SHA-256 {head["head"]["hash"]}.

[date, signature]
"""


def _ledger(connection: Connection, licence_id: str, bag: Path) -> None:
    _lines(
        bag / "data/ledger.jsonl",
        (
            {
                "entry": entry.linked(),
                "hash": entry.hash,
                "body": entry.body if entry.licence == licence_id else None,
            }
            for entry in ledger.entries(connection)
        ),
    )


def _keys(store: Store, connection: Connection, licence_id: str) -> dict[str, Any]:
    phones = devices.everyone(connection, licence_id)
    return {"server": store.county_key, "devices": {d.id: d.public_key for d in phones}}


def _photos(store: Store, connection: Connection, licence_id: str, bag: Path) -> None:
    for entry in ledger.entries(connection, licence=licence_id, kinds=("photo",)):
        path, _ = media.original(store, connection, entry.body["sha256"])
        target = bag / "data/photos" / path.name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, target)


def _explained(head: dict[str, Any], kept: licences.Licence) -> str:
    return f"""Evidence bundle of licence {kept.number}: {kept.event}

Verify it without any tool of ours:   sha256sum -c manifest-sha256.txt
Verify it whole:                      python verify.py BUNDLE.zip   (Python and 'cryptography')
                                      or open verify.html in a browser, without a network

It shows that the entries are those that the county received, in that order, and that none was
changed, added or taken away up to the signed head ({head["head"]["count"]} entries); that each
item was signed by the phone that it names; that the photographs are those that were named. It does
not show that what was recorded was true, that a phone's clock was right, or that the county's key
was in honest hands: compare the key's fingerprint with one that you got by another way.

County key: {head["server_key_id"]}

{certificate(head, kept.number)}"""


def _declare(bag: Path, kept: licences.Licence, now: datetime) -> None:
    """The files that make it a BagIt bag (RFC 8493)."""
    _write(bag / "bagit.txt", b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
    payload = [p for p in bag.rglob("*") if p.is_file() and "data" in p.relative_to(bag).parts[:1]]
    info = [
        f"Bagging-Date: {now:%Y-%m-%d}",
        f"External-Identifier: {' '.join(kept.number.split())}",
        f"Payload-Oxum: {sum(p.stat().st_size for p in payload)}.{len(payload)}",
    ]
    _write(bag / "bag-info.txt", ("\n".join(info) + "\n").encode())
    _manifest(bag, "manifest-sha256.txt", payload)
    tags = [p for p in bag.iterdir() if p.is_file()]
    _manifest(bag, "tagmanifest-sha256.txt", tags)


def _manifest(bag: Path, name: str, files: list[Path]) -> None:
    lines = sorted((p.relative_to(bag).as_posix(), _sha256(p)) for p in files)
    _write(bag / name, "".join(f"{digest}  {path}\n" for path, digest in lines).encode())


def _zip(bag: Path, target: Path) -> None:
    names = sorted(p.relative_to(bag).as_posix() for p in bag.rglob("*") if p.is_file())
    sizes = {name: (bag / name).stat().st_size for name in names}
    if sum(sizes.values()) > MAX_BUNDLE_BYTES:
        raise TooLarge("bundle", "more than 4 GB", "hand the photographs over on a disk")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    with part.open("wb") as stream:
        for piece, name in zip_pieces([(n, sizes[n], _crc(bag / n)) for n in names]):
            stream.write(piece)
            if name:
                with (bag / name).open("rb") as source:
                    shutil.copyfileobj(source, stream)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(target)


@contextmanager
def _folder(target: Path) -> Iterator[Path]:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".bundle-") as name:
        (Path(name) / "data").mkdir()
        yield Path(name)


def _lines(path: Path, values: Any) -> None:
    with path.open("wb") as stream:
        for value in values:
            stream.write(canonical_bytes(value) + b"\n")


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            yield block


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    for block in _blocks(path):
        digest.update(block)
    return digest.hexdigest()


def _crc(path: Path) -> int:
    crc = 0
    for block in _blocks(path):
        crc = zlib.crc32(block, crc)
    return crc
