"""What may be thrown away after a time, and what never is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import delete, select

from inspect_web.errors import InspectError
from inspect_web.inspection.observation import write_instant
from inspect_web.store.database import Store
from inspect_web.store.tables import enrolment

LEAST_DAYS = 30  # phones keep what was received for so long, and may still send it again


@dataclass(frozen=True)
class Purged:
    """How many of each were removed (or would be)."""

    public_copies: int
    parts: int
    links: int


def purge(store: Store, now: datetime, *, older_than_days: int, dry: bool = False) -> Purged:
    """Remove what is not part of the record and older than so many days.

    Public copies of photographs (made again when they are asked for), parts of photographs that
    never arrived whole, and enrolment links that were used or ran out. Never an entry of the
    ledger, an item, a photograph or a key: these are sealed, and only the law of public records
    says when a county may destroy the whole.
    """
    if older_than_days < LEAST_DAYS:
        raise InspectError(
            "older-than", f"less than {LEAST_DAYS} days", "phones may still send; wait longer"
        )
    before = now - timedelta(days=older_than_days)
    copies, parts = (
        list(_older(store.home / "media" / folder, before)) for folder in ("public", "parts")
    )
    for path in [] if dry else [*copies, *parts]:
        path.unlink(missing_ok=True)
    return Purged(len(copies), len(parts), _links(store, before, dry=dry))


def _older(folder: Path, before: datetime) -> Iterator[Path]:
    if folder.is_dir():
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.stat().st_mtime < before.timestamp():
                yield path


def _links(store: Store, before: datetime, *, dry: bool) -> int:
    old = enrolment.c.expires_at < write_instant(before)
    if dry:
        with store.read() as connection:
            return len(connection.execute(select(enrolment.c.token_sha256).where(old)).all())
    with store.write() as connection:
        return connection.execute(delete(enrolment).where(old)).rowcount
