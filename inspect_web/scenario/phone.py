"""A simulated phone: it signs each item, numbers it, keeps it without signal, and sends it later."""

from __future__ import annotations

import hashlib
import json
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from flask.testing import FlaskClient

from inspect_web.errors import InspectError
from inspect_web.inspection.observation import write_instant
from inspect_web.inspection.receipt import public_jwk, sign, sign_bytes, verified
from site_eval.record.canonical import canonical_bytes, canonical_sha256

# Order of the base point of P-256 (FIPS 186-5, SP 800-186).
CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
NAMES = uuid.UUID("6f1d7c0e-1f0a-5d0e-9a55-2027061900aa")  # a space of names of this story


@dataclass
class Phone:
    """One phone. ``fast_s`` is by how much its clock runs ahead of the county's."""

    name: str
    client: FlaskClient
    key: ec.EllipticCurvePrivateKey
    fast_s: int = 0
    device_id: str = ""
    licence_id: str = ""
    server_key: dict[str, Any] = field(default_factory=dict)
    started: datetime | None = None
    seq: int = 0
    prev: str = ""


def staged_key(name: str) -> ec.EllipticCurvePrivateKey:
    """A key that anybody can make again from *name*: fit for a story, for nothing else.

    The same name gives the same key, so that a story told twice differs in nothing but what the
    county's side draws at random.
    """
    number = int.from_bytes(hashlib.sha256(f"staged key of {name}".encode()).digest())
    return ec.derive_private_key(number % (CURVE_ORDER - 1) + 1, ec.SECP256R1())


def enrol(phone: Phone, token: str, at: datetime) -> None:
    """Use the one-use link *token*, as a phone does."""
    told = _checked(
        phone.client.post(
            "/api/v1/enrolments",
            json={
                "token": token,
                "public_key": public_jwk(phone.key.public_key()),
                "device_name": phone.name,
            },
        ),
        201,
    )
    phone.device_id, phone.licence_id = told["device_id"], told["licence_id"]
    phone.server_key, phone.started = told["server_key"], at


def record(
    phone: Phone, condition: str, finding: str, at: datetime, *, note: str = "",
    count: int | None = None, unit: str = "", place: dict[str, int] | None = None,
    photos: tuple[bytes, ...] = (), error_ms: int = 1_500,
) -> dict[str, Any]:  # fmt: skip
    """The next signed item; the phone writes the time of its own clock and how wrong it knew it."""
    phone.seq += 1
    item = {
        "id": str(uuid.uuid5(NAMES, f"{phone.name} {phone.seq}")),
        "device_id": phone.device_id,
        "seq": phone.seq,
        "prev": phone.prev,
        "licence_id": phone.licence_id,
        "checklist_version": 1,
        "item_id": condition,
        "finding": finding,
        "answer": {
            "kind": "yes-no" if count is None else "count",
            "value": "" if count is None else str(count),
            "unit": unit,
        },
        "note": note,
        "observed_at": write_instant(at + timedelta(seconds=phone.fast_s)),
        "clock": {
            "elapsed_ms": (at - (phone.started or at)) // timedelta(milliseconds=1),
            "offset_ms": -1000 * phone.fast_s,
            "error_ms": error_ms,
        },
        "place": place,
        "photos": [
            {"sha256": hashlib.sha256(p).hexdigest(), "bytes": len(p), "type": "image/jpeg"}
            for p in photos
        ],
        "corrects": "",
    }
    phone.prev = canonical_sha256(item)
    return {"item": item, "signature": sign(phone.key, item)}


def send(phone: Phone, envelope: dict[str, Any]) -> dict[str, Any]:
    """Hand an item over; believes nothing but a receipt that the county's key signed."""
    told = _checked(phone.client.post("/api/v1/items", json=envelope), 201)
    receipt: dict[str, Any] = told["receipt"]
    if not verified(phone.server_key, told["signature"], canonical_bytes(receipt)):
        raise InspectError("receipt", "the county did not sign it", "play the scenario again")
    return receipt


def upload(phone: Phone, photo: bytes, at: datetime) -> None:
    """Send a photograph in one chunk."""
    path = f"/api/v1/photos/{hashlib.sha256(photo).hexdigest()}"
    headers = {
        "Authorization": _authorization(phone, "PATCH", path, photo, at),
        "Upload-Offset": "0",
        "Upload-Length": str(len(photo)),
    }
    answer = phone.client.patch(
        path, data=photo, headers=headers, content_type="application/octet-stream"
    )
    if answer.status_code != 204:
        raise InspectError("photograph", answer.text, "play the scenario again")


def own_state(phone: Phone, at: datetime) -> dict[str, Any]:
    """What the county tells the phone of itself: what is missing, and the licence's state."""
    path = f"/api/v1/devices/me?highest={phone.seq}"
    headers = {"Authorization": _authorization(phone, "GET", path, b"", at)}
    return _checked(phone.client.get(path, headers=headers), 200)


def _authorization(phone: Phone, method: str, path: str, body: bytes, at: datetime) -> str:
    moment = (at + timedelta(seconds=phone.fast_s)).timestamp()
    text = f"{method}\n{path}\n{int(moment * 1000)}\n{hashlib.sha256(body).hexdigest()}"
    signature = sign_bytes(phone.key, text.encode())
    return f"Device {phone.device_id}:{int(moment * 1000)}:{signature}"


def _checked(answer: Any, expected: int) -> dict[str, Any]:
    if answer.status_code != expected:
        raise InspectError("device API", answer.text, "play the scenario again")
    told: dict[str, Any] = json.loads(answer.text)
    return told
