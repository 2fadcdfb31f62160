"""The append-only ledger: every entry holds the hash of the one before it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from inspect_web.inspection.observation import write_instant
from inspect_web.inspection.receipt import sign
from inspect_web.store.database import Store
from inspect_web.store.tables import ledger
from site_eval.record.canonical import canonical_bytes, canonical_sha256

BEGINNING = "0" * 64


@dataclass(frozen=True)
class Entry:
    """One entry. ``hash`` covers all the others, the body by its own hash."""

    seq: int
    kind: str
    licence: str
    body: dict[str, Any]
    received_at: str
    prev: str
    hash: str

    def linked(self) -> dict[str, Any]:
        """What the entry's hash covers: the body is there by its hash, so that it can be withheld."""
        return {
            "body_sha256": canonical_sha256(self.body),
            "kind": self.kind,
            "licence": self.licence,
            "prev": self.prev,
            "received_at": self.received_at,
            "seq": self.seq,
        }


def append(
    connection: Connection, kind: str, body: dict[str, Any], *, now: datetime, licence: str = ""
) -> Entry:
    """Add an entry; only inside ``Store.write``, whose lock keeps the chain from forking."""
    seq, prev = last(connection)
    entry = Entry(seq + 1, kind, licence, body, write_instant(now), prev, "")
    entry = Entry(**{**entry.__dict__, "hash": canonical_sha256(entry.linked())})
    connection.execute(
        ledger.insert().values(**{**entry.__dict__, "body": canonical_bytes(body).decode()})
    )
    return entry


def last(connection: Connection) -> tuple[int, str]:
    """The number and the hash of the newest entry; 0 and zeros when there is none."""
    row = connection.execute(
        select(ledger.c.seq, ledger.c.hash).order_by(ledger.c.seq.desc()).limit(1)
    ).first()
    return (row.seq, row.hash) if row else (0, BEGINNING)


def entries(
    connection: Connection, *, licence: str | None = None, kinds: tuple[str, ...] = ()
) -> Iterator[Entry]:
    """Entries in order, of one licence and some kinds when these are named."""
    query = select(ledger).order_by(ledger.c.seq)
    if licence is not None:
        query = query.where(ledger.c.licence == licence)
    if kinds:
        query = query.where(ledger.c.kind.in_(kinds))
    for row in connection.execute(query).mappings():
        yield Entry(**{**row, "body": json.loads(row["body"])})


def signed_head(store: Store, connection: Connection, now: datetime) -> dict[str, Any]:
    """The county's signature over how many entries there are and the hash of the last."""
    count, head_hash = last(connection)
    head = {
        "schema": "inspect-web/head/1",
        "count": count,
        "hash": head_hash,
        "at": write_instant(now),
    }
    return {"head": head, "signature": sign(store.key, head), "key": store.county_key}


def broken_at(connection: Connection) -> int | None:
    """The number of the first entry whose hash or link is wrong; ``None`` when all hold."""
    previous = BEGINNING
    for expected, entry in enumerate(entries(connection), start=1):
        if (entry.seq, entry.prev, entry.hash) != (
            expected,
            previous,
            canonical_sha256(entry.linked()),
        ):
            return expected
        previous = entry.hash
    return None
