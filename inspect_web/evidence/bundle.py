"""Write the evidence bundle of a licence: a BagIt bag in a zip file that is the same every time."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from inspect_web.errors import TooLarge
from inspect_web.evidence.papers import certificate, explained
from inspect_web.evidence.verify import zip_pieces
from inspect_web.inspection.receipt import thumbprint
from inspect_web.store import devices, items, ledger, licences, media
from inspect_web.store.database import Store
from site_eval.record.canonical import canonical_bytes

HERE = Path(__file__).parent
MAX_BUNDLE_BYTES = 4_000_000_000  # a plain zip file ends at 4 GiB
TOOLS = ("verify.py", "verify.html")


def export(
    store: Store, licence_id: str, target: Path, now: datetime, *, packet: bytes | None = None,
    stamps: Sequence[tuple[Path, Path]] = (),
) -> dict[str, Any]:  # fmt: skip
    """Write the bundle of a licence to *target*, whole or not at all; returns the signed head.

    Entries of other licences stand in the chain by their hash alone. *packet* is the revocation
    packet (PDF) to be put in, *stamps* are heads saved earlier (``save_head``), each with its
    RFC 3161 token. Raises ``TooLarge`` above 4 GB.
    """
    with store.read() as connection, _folder(target) as bag:
        kept = licences.get(connection, licence_id)
        head = _head(store, connection, now)
        _ledger(connection, kept.id, bag)
        _lines(bag / "data/receipts.jsonl", items.receipts(connection, kept.id))
        _write(bag / "data/head.json", canonical_bytes(head))
        _write(bag / "data/keys.json", canonical_bytes(_keys(store, connection, kept.id)))
        _photos(store, connection, kept.id, bag)
        if packet is not None:
            _write(bag / "data/packet.pdf", packet)
        _stamps(bag, stamps)
        _write(bag / "data/READ-ME.txt", explained(head, kept.number, kept.event).encode())
        hashes = [(p.relative_to(bag).as_posix(), _sha256(p)) for p in _payload(bag)]
        draft = certificate(head, kept.number, hashes)
        _write(bag / "data/CERTIFICATE-DRAFT.txt", draft.encode())
        for tool in TOOLS:
            shutil.copyfile(HERE / tool, bag / tool)
        _declare(bag, kept, now)
        _zip(bag, target)
    return head


def save_head(store: Store, target: Path, now: datetime) -> dict[str, Any]:
    """Write the signed head as it is now, for a time-stamping authority or another keeper."""
    with store.read() as connection:
        head = _head(store, connection, now)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.write_bytes(canonical_bytes(head))
    part.replace(target)
    return head


def _head(store: Store, connection: Connection, now: datetime) -> dict[str, Any]:
    signed = ledger.signed_head(store, connection, now)
    return {
        "head": signed["head"],
        "signature": signed["signature"],
        "server_key_id": thumbprint(store.county_key),
    }


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


def _stamps(bag: Path, stamps: Sequence[tuple[Path, Path]]) -> None:
    """Heads that were signed earlier, each with the token that an authority gave for it."""
    for number, (head, token) in enumerate(stamps, start=1):
        folder = bag / f"data/stamps/{number:03d}"
        folder.mkdir(parents=True)
        _write(folder / "head.json", head.read_bytes())
        _write(folder / "head.tsr", token.read_bytes())


def _declare(bag: Path, kept: licences.Licence, now: datetime) -> None:
    """The files that make it a BagIt bag (RFC 8493)."""
    _write(bag / "bagit.txt", b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
    payload = _payload(bag)
    info = [
        f"Bagging-Date: {now:%Y-%m-%d}",
        f"External-Identifier: {' '.join(kept.number.split())}",
        f"Payload-Oxum: {sum(p.stat().st_size for p in payload)}.{len(payload)}",
    ]
    _write(bag / "bag-info.txt", ("\n".join(info) + "\n").encode())
    _manifest(bag, "manifest-sha256.txt", payload)
    tags = [p for p in bag.iterdir() if p.is_file()]
    _manifest(bag, "tagmanifest-sha256.txt", tags)


def _payload(bag: Path) -> list[Path]:
    return sorted(p for p in (bag / "data").rglob("*") if p.is_file())


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
