"""Items: taken once, kept whole, answered with the same signed receipt however often they come."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, select

from inspect_web.errors import BadSignature, InvalidItem, NotFound, UnknownDevice
from inspect_web.inspection.observation import (
    Item,
    Observation,
    number_in,
    observed_time,
    parse_instant,
    read_item,
)
from inspect_web.inspection.receipt import make_receipt, sign, verified
from inspect_web.store import devices, ledger, licences
from inspect_web.store.database import Store
from inspect_web.store.tables import item as items
from inspect_web.store.tables import photo
from site_eval.record.canonical import canonical_bytes, canonical_sha256

Kept = Literal["item", "variant", "quarantine"]


@dataclass(frozen=True)
class Answer:
    """What the phone is told: 201 new, 200 the same again, 409 another content under the same id.

    202: kept, but in quarantine.
    """

    status: int
    receipt: dict[str, Any]
    signature: str


def accept(store: Store, envelope: Any, now: datetime, *, carried_by: str) -> Answer:
    """Take one signed item, brought by the device *carried_by* (its own, or one that hands over).

    The receipt is made inside the transaction and leaves only after that is on the disk. Raises
    ``InvalidItem`` or ``BadSignature``; nothing else refuses an item: a revoked phone's items are
    quarantined, a second content under one id is kept as a variant.
    """
    raw, signature = _opened(envelope)
    item = read_item(raw)
    digest = canonical_sha256(raw)
    with store.write() as connection:
        device = _author(connection, item)
        if not verified(device.public_key, signature, canonical_bytes(raw)):
            raise BadSignature(
                "signature", "the device's key did not make it", "sign the item as it is sent"
            )
        devices.heard(connection, carried_by, now)
        devices.heard(connection, device.id, now, item.seq)
        known = connection.execute(select(items).where(items.c.id == item.id)).all()
        for row in known:
            if row.sha256 == digest:
                return Answer(_again(row.kept_as), json.loads(row.receipt), row.signature)
        _belongs(connection, item, device)
        kept_as: Kept = "variant" if known else "quarantine" if device.ended(now) else "item"
        body = {
            "item": raw,
            "signature": signature,
            "item_sha256": digest,
            "kept_as": kept_as,
            "carried_by": carried_by,
        }
        return _keep(store, connection, item, body, now)


def observations(connection: Connection, licence: str) -> list[Observation]:
    """Every item of *licence*, in the order of the ledger.

    Those under a contested id or from a revoked device are marked, so that they decide nothing.
    """
    rows = connection.execute(
        select(items).where(items.c.licence == licence).order_by(items.c.ledger_seq)
    ).all()
    contents = Counter(row.id for row in rows)
    authors = {d.id: d for d in devices.everyone(connection)}
    return [_observation(row, authors[row.device], contents[row.id] > 1) for row in rows]


def photos_missing(connection: Connection, *, device: str = "", licence: str = "") -> list[str]:
    """Hashes that items of a device or a licence name and that have not arrived whole."""
    query = select(items.c.content)
    if device:
        query = query.where(items.c.device == device)
    if licence:
        query = query.where(items.c.licence == licence)
    named = {p["sha256"] for text in connection.execute(query).scalars() for p in _photos(text)}
    return sorted(named - set(connection.execute(select(photo.c.sha256)).scalars()))


def receipts(connection: Connection, licence: str) -> list[dict[str, Any]]:
    """Every receipt that was given for *licence*, with its signature."""
    query = select(items.c.receipt, items.c.signature).where(items.c.licence == licence)
    rows = connection.execute(query.order_by(items.c.ledger_seq))
    return [{"receipt": json.loads(r.receipt), "signature": r.signature} for r in rows]


def _photos(content: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(content)["photos"]
    return found


def _again(kept_as: str) -> int:
    return {"item": 200, "variant": 409, "quarantine": 202}[kept_as]


def _opened(envelope: Any) -> tuple[Any, str]:
    if not isinstance(envelope, dict) or set(envelope) != {"item", "signature"}:
        raise InvalidItem("body", "not an object of item and signature", "send these two keys")
    if not isinstance(envelope["signature"], str):
        raise InvalidItem("signature", "not a text", "send the signature as base64url")
    return envelope["item"], envelope["signature"]


def _author(connection: Connection, item: Item) -> devices.Device:
    try:
        return devices.get(connection, item.device_id)
    except UnknownDevice as error:
        raise InvalidItem("item.device_id", error.fault, error.mend) from None


def _belongs(connection: Connection, item: Item, device: devices.Device) -> None:
    """Refuse an item for a licence, a version or a condition that the device never had."""
    if item.licence_id != device.licence:
        raise InvalidItem(
            "item.licence_id", "not this device's licence", "use the one it was enrolled for"
        )
    try:
        kept = licences.get(connection, item.licence_id, item.checklist_version)
    except NotFound as error:
        raise InvalidItem("item.checklist_version", error.fault, error.mend) from None
    if all(i.id != item.item_id for i in kept.checklist.items):
        raise InvalidItem(
            "item.item_id", "no such item in this version", "load the checklist", found=item.item_id
        )


def _keep(
    store: Store, connection: Connection, item: Item, body: dict[str, Any], now: datetime
) -> Answer:
    entry = ledger.append(connection, "item", body, now=now, licence=item.licence_id)
    digest = body["item_sha256"]
    made = make_receipt(item.id, digest, now, entry.seq, entry.hash)
    signature = sign(store.key, made)
    connection.execute(
        items.insert().values(
            ledger_seq=entry.seq,
            id=item.id,
            sha256=digest,
            kept_as=body["kept_as"],
            licence=item.licence_id,
            device=item.device_id,
            seq=item.seq,
            condition=item.item_id,
            content=canonical_bytes(body["item"]).decode(),
            received_at=entry.received_at,
            receipt=canonical_bytes(made).decode(),
            signature=signature,
        )
    )
    status = {"item": 201, "variant": 409, "quarantine": 202}[body["kept_as"]]
    return Answer(status, made, signature)


def _observation(row: Row[Any], device: devices.Device, contested: bool) -> Observation:
    item = Item.model_validate_json(row.content)
    return Observation(
        id=item.id,
        condition=item.item_id,
        agency=device.agency,
        author=device.author,
        device=item.device_id,
        sequence=item.seq,
        outcome=item.finding,
        value=number_in(item.answer),
        answer=item.answer.value,
        note=item.note,
        observed_at=observed_time(item),
        error_s=item.clock.error_ms / 1000,
        offset_s=item.clock.offset_ms / 1000,
        received_at=parse_instant(row.received_at),
        ledger_seq=row.ledger_seq,
        place=item.place,
        photos=tuple(p.sha256 for p in item.photos),
        corrects=item.corrects,
        contested=contested,
        quarantined=row.kept_as == "quarantine",
    )
