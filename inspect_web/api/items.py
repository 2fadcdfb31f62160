"""Items arrive, each with its own signature; the answer is the county's signed receipt."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from inspect_web.api.caller import body, calling_device, now, spend, store
from inspect_web.errors import TooLarge
from inspect_web.inspection.observation import write_instant
from inspect_web.store import devices, items, licences

MAX_ITEM_BYTES = 128 * 1024
MAX_NAMED = 500  # missing numbers and photographs that one answer names


def add_routes(blueprint: Blueprint) -> None:
    """``POST /items`` and ``GET /devices/me``."""
    blueprint.post("/items")(_accept)
    blueprint.get("/devices/me")(_own_state)


def _accept() -> tuple[Response, int]:
    if (request.content_length or 0) > MAX_ITEM_BYTES:
        raise TooLarge("item", f"{request.content_length:,} bytes", "send photographs apart")
    envelope = body()
    carrier = _carrier(envelope)
    spend(f"items {carrier}")
    answer = items.accept(store(), envelope, now(), carried_by=carrier)
    told: dict[str, Any] = {
        "receipt": answer.receipt,
        "signature": answer.signature,
        "server_key_id": store().county_key_id,
    }
    if answer.status == 202:
        told["quarantined"] = True
    return jsonify(told), answer.status


def _carrier(envelope: Any) -> str:
    """The phone that brings the item: the one that signed the request, else the item's own.

    The item's own signature is what counts, so an item needs no signed request: a phone whose
    clock or login is in trouble still delivers.
    """
    if request.headers.get("Authorization"):
        return calling_device().id
    item = envelope.get("item") if isinstance(envelope, dict) else None
    named = item.get("device_id") if isinstance(item, dict) else None
    return named[:64] if isinstance(named, str) else ""


def _own_state() -> Response:
    device = calling_device()
    claimed = request.args.get("highest", "0")
    moment = now()
    with store().write() as connection:
        fair = claimed.isascii() and claimed.isdigit() and len(claimed) < 8
        devices.heard(connection, device.id, moment, int(claimed) if fair else 0)
        numbers = devices.numbers(connection, device.id)
        ranges = devices.missing(connection, device.id)
        photos = items.photos_missing(connection, device=device.id)
        state = licences.get(connection, device.licence).state
    missing = (n for first, last in ranges for n in range(first, last + 1))
    return jsonify(
        {
            "highest_seq": max(numbers, default=0),
            "missing": [n for n, _ in zip(missing, range(MAX_NAMED), strict=False)],
            "photos_missing": photos[:MAX_NAMED],
            "quarantined": device.ended(moment),
            "licence_state": state,
            "server_time": write_instant(moment),
        }
    )
