"""Phones: enrolled by a link that works once, known by their key, revoked without losing anything."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, select, update

from inspect_web.errors import Gone, UnknownDevice
from inspect_web.inspection.gaps import missing_numbers
from inspect_web.inspection.observation import parse_instant, write_instant
from inspect_web.inspection.receipt import plain_jwk
from inspect_web.inspection.schedule import times
from inspect_web.store import accounts, ledger, licences
from inspect_web.store.tables import device, enrolment, item

LINK_LIVES = timedelta(minutes=10)
AFTER_THE_EVENT = timedelta(days=14)


@dataclass(frozen=True)
class Device:
    """An enrolled phone, for one licence and one person. ``public_key`` is a JWK."""

    id: str
    name: str
    account: str
    agency: str
    role: str
    licence: str
    author: str
    public_key: dict[str, Any]
    enrolled_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    highest: int
    last_seen: datetime | None

    def ended(self, now: datetime) -> bool:
        """Whether what it sends is quarantined from now on."""
        return self.revoked_at is not None or self.expires_at < now


def new_link(connection: Connection, account_id: str, licence_id: str, now: datetime) -> str:
    """A secret of 256 bits that enrols one phone for an account and a licence in ten minutes."""
    secret = secrets.token_urlsafe(32)
    connection.execute(
        enrolment.insert().values(
            token_sha256=_sha256(secret),
            account=account_id,
            licence=licence_id,
            expires_at=write_instant(now + LINK_LIVES),
        )
    )
    return secret


def enrol(
    connection: Connection, *, secret: str, name: str, public_key: dict[str, Any], now: datetime
) -> Device:
    """The new device; raises ``Gone`` when the link was used, is old or unknown.

    Its public key goes into the ledger, so that a bundle carries its own keys under the chain.
    """
    jwk = plain_jwk(public_key)
    row = connection.execute(
        select(enrolment).where(enrolment.c.token_sha256 == _sha256(secret))
    ).first()
    if row is None or row.used_at is not None or parse_instant(row.expires_at) < now:
        raise Gone("link", "used, older than ten minutes or unknown", "ask for a new one")
    owner = accounts.by_id(connection, row.account)
    if owner is None:
        raise Gone("link", "its account is closed", "ask the coordinator")
    connection.execute(
        update(enrolment)
        .where(enrolment.c.token_sha256 == row.token_sha256)
        .values(used_at=write_instant(now))
    )
    id_ = secrets.token_hex(8)
    kept = {
        "name": "".join(filter(str.isprintable, name))[:80] or "phone",
        "agency": owner.agency,
        "role": owner.role,
        "licence": row.licence,
        "author": owner.name,
    }
    _, ends, _ = times(licences.get(connection, row.licence).checklist.terms)
    connection.execute(
        device.insert().values(
            id=id_,
            account=owner.id,
            public_key=json.dumps(jwk),
            enrolled_at=write_instant(now),
            expires_at=write_instant(max(ends, now) + AFTER_THE_EVENT),
            highest=0,
            **kept,
        )
    )
    body = {"device": id_, **kept, "public_key": jwk}
    ledger.append(connection, "device-enrolled", body, now=now, licence=row.licence)
    return get(connection, id_)


def get(connection: Connection, id_: str) -> Device:
    """The device; raises ``UnknownDevice``."""
    known = "\0" not in id_  # PostgreSQL fails on a NUL where SQLite finds nothing
    row = connection.execute(select(device).where(device.c.id == id_)).first() if known else None
    if row is None:
        raise UnknownDevice(f"device {id_[:64]}", "not enrolled here", "enrol the phone again")
    return _device(row)


def everyone(connection: Connection, licence_id: str | None = None) -> list[Device]:
    """All devices, or those of one licence, in the order of their enrolment."""
    query = select(device).order_by(device.c.enrolled_at, device.c.id)
    if licence_id is not None:
        query = query.where(device.c.licence == licence_id)
    return [_device(row) for row in connection.execute(query)]


def revoke(connection: Connection, id_: str, *, by: str, now: datetime) -> None:
    """From now on what the phone sends is quarantined: kept, shown, not counted."""
    one = get(connection, id_)
    connection.execute(
        update(device).where(device.c.id == id_).values(revoked_at=write_instant(now))
    )
    body = {"device": id_, "by": by}
    ledger.append(connection, "device-revoked", body, now=now, licence=one.licence)


def heard(connection: Connection, id_: str, now: datetime, highest: int = 0) -> None:
    """Remember that the phone spoke, and the highest number that it says it has given out."""
    known = connection.execute(select(device.c.highest).where(device.c.id == id_)).scalar() or 0
    connection.execute(
        update(device)
        .where(device.c.id == id_)
        .values(last_seen=write_instant(now), highest=max(known, highest))
    )


def numbers(connection: Connection, id_: str) -> list[int]:
    """The sequence numbers that have arrived, in order."""
    query = select(item.c.seq).where(item.c.device == id_).distinct()
    return sorted(connection.execute(query).scalars())


def missing(connection: Connection, id_: str) -> list[tuple[int, int]]:
    """Ranges of numbers that the phone gave out and that never arrived."""
    return missing_numbers(numbers(connection, id_), get(connection, id_).highest)


def _device(row: Row[Any]) -> Device:
    return Device(
        id=row.id,
        name=row.name,
        account=row.account,
        agency=row.agency,
        role=row.role,
        licence=row.licence,
        author=row.author,
        public_key=json.loads(row.public_key),
        enrolled_at=parse_instant(row.enrolled_at),
        expires_at=parse_instant(row.expires_at),
        revoked_at=parse_instant(row.revoked_at) if row.revoked_at else None,
        highest=row.highest,
        last_seen=parse_instant(row.last_seen) if row.last_seen else None,
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
