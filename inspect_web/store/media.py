"""Photographs: arriving in chunks, addressed by their hash, originals kept as they came."""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pillow_heif
from PIL import Image, ImageOps, UnidentifiedImageError
from sqlalchemy import Connection, func, select

from inspect_web.errors import NotAPhoto, NotFound, TooLarge, TooMany, WrongOffset
from inspect_web.store import ledger
from inspect_web.store.database import Store
from inspect_web.store.devices import Device
from inspect_web.store.tables import photo

pillow_heif.register_heif_opener()

MAX_CHUNK = 256 * 1024
MAX_BYTES = 25_000_000
MAX_PIXELS = 50_000_000
MAX_PHOTOS_A_DEVICE = 3_000
MAX_BYTES_A_DEVICE = 4_000_000_000
KINDS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp", "HEIF": "heic"}
PUBLIC_EDGE_PX = 1_600


@dataclass(frozen=True)
class Progress:
    """How much of a photograph has arrived."""

    sha256: str
    received: int
    complete: bool


def progress(store: Store, connection: Connection, device: str, sha256: str) -> Progress:
    """Where to go on with a photograph."""
    row = connection.execute(select(photo.c.bytes).where(photo.c.sha256 == sha256)).first()
    if row:
        return Progress(sha256, row.bytes, True)
    part = _part(store, device, sha256)
    return Progress(sha256, part.stat().st_size if part.exists() else 0, False)


def take_chunk(
    store: Store,
    device: Device,
    sha256: str,
    *,
    offset: int,
    length: int,
    chunk: bytes,
    now: datetime,
) -> Progress:
    """Add *chunk* at *offset* of a photograph of *length* bytes.

    After the last chunk the whole is hashed, decoded, put in its place and written to the ledger;
    only then is it complete. Raises ``WrongOffset``, ``TooLarge``, ``TooMany``, ``NotAPhoto``.
    """
    if length > MAX_BYTES:
        raise TooLarge("photograph", f"{length:,} bytes", f"send at most {MAX_BYTES:,}")
    if len(chunk) > MAX_CHUNK:
        raise TooLarge("chunk", f"{len(chunk):,} bytes", f"send at most {MAX_CHUNK:,} at a time")
    with store.read() as connection:
        known = progress(store, connection, device.id, sha256)
        if known.complete:
            return known
        _within_quota(connection, device.id, length)
    if offset != known.received or offset + len(chunk) > length:
        raise WrongOffset("photograph", known.received)
    part = _part(store, device.id, sha256)
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("ab") as stream:
        stream.write(chunk)
        stream.flush()
        os.fsync(stream.fileno())
    if offset + len(chunk) < length:
        return Progress(sha256, offset + len(chunk), False)
    return _finish(store, device, part, sha256, now)


def original(store: Store, connection: Connection, sha256: str) -> tuple[Path, str]:
    """The bytes as the phone sent them and their kind; raises ``NotFound``."""
    row = connection.execute(select(photo.c.kind).where(photo.c.sha256 == sha256)).first()
    if row is None:
        raise NotFound(f"photograph {sha256[:12]}", "it has not arrived", "wait for the phone")
    return original_path(store, sha256, row.kind), row.kind


def original_path(store: Store, sha256: str, kind: str) -> Path:
    """Where an original lies; the name is the hash, never the phone's name for it."""
    return store.home / "media" / "originals" / sha256[:2] / f"{sha256}.{KINDS[kind]}"


def public_copy(store: Store, connection: Connection, sha256: str) -> Path:
    """A smaller JPEG without metadata, made from the original when first asked for."""
    path = store.home / "media" / "public" / f"{sha256}.jpg"
    if not path.exists():
        source, _ = original(store, connection, sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_synced(path, _stripped(source.read_bytes()))
    return path


def held(connection: Connection) -> set[str]:
    """Hashes of all photographs that are complete."""
    return set(connection.execute(select(photo.c.sha256)).scalars())


def _within_quota(connection: Connection, device: str, more: int) -> None:
    count, total = connection.execute(
        select(func.count(), func.coalesce(func.sum(photo.c.bytes), 0))
        .select_from(photo).where(photo.c.device == device)
    ).one()  # fmt: skip
    if count >= MAX_PHOTOS_A_DEVICE or total + more > MAX_BYTES_A_DEVICE:
        raise TooMany("photographs of this phone", "its share is used up", "tell the coordinator")


def _finish(store: Store, device: Device, part: Path, sha256: str, now: datetime) -> Progress:
    content = part.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        part.unlink()
        raise NotAPhoto("photograph", "its bytes have another hash", "send it again from 0")
    try:
        kind, width, height = decode(content)
    except NotAPhoto:
        part.unlink()
        raise
    path = original_path(store, sha256, kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    part.replace(path)
    # The folders above too: a power cut takes a new folder whose own name is not on the disk.
    for folder in path.parents[:3]:
        _sync_folder(folder)
    body = {"sha256": sha256, "bytes": len(content), "kind": kind, "device_id": device.id}
    with store.write() as connection:
        if not progress(store, connection, device.id, sha256).complete:
            entry = ledger.append(connection, "photo", body, now=now, licence=device.licence)
            connection.execute(
                photo.insert().values(
                    sha256=sha256,
                    bytes=len(content),
                    kind=kind,
                    width=width,
                    height=height,
                    device=device.id,
                    received_at=entry.received_at,
                )
            )
    return Progress(sha256, len(content), True)


def decode(content: bytes) -> tuple[str, int, int]:
    """Kind, width and height of a picture that opens and decodes whole; raises ``NotAPhoto``."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own bound on pixels is lower than Pillow's
            with Image.open(io.BytesIO(content)) as picture:
                kind = "JPEG" if picture.format == "MPO" else str(picture.format)
                if kind not in KINDS:
                    raise NotAPhoto("photograph", f"of kind {kind}", f"send {', '.join(KINDS)}")
                if picture.width * picture.height > MAX_PIXELS:
                    raise NotAPhoto(
                        "photograph", "more than 50 million pixels", "take it again smaller"
                    )
                picture.load()
                return kind, picture.width, picture.height
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise NotAPhoto("photograph", "not a whole picture", "take it again") from None


def _stripped(content: bytes) -> bytes:
    with Image.open(io.BytesIO(content)) as picture:
        upright = ImageOps.exif_transpose(picture).convert("RGB")
    upright.thumbnail((PUBLIC_EDGE_PX, PUBLIC_EDGE_PX))
    clean = Image.new("RGB", upright.size)
    clean.paste(upright)
    stream = io.BytesIO()
    clean.save(stream, "JPEG", quality=82)
    return stream.getvalue()


def _part(store: Store, device: str, sha256: str) -> Path:
    return store.home / "media" / "parts" / f"{device}-{sha256}.part"


def _write_synced(path: Path, content: bytes) -> None:
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    with temporary.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
