"""Who calls: a phone that signed its request; a wrong clock is no reason to refuse it."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from datetime import datetime
from typing import Any, cast

from flask import current_app, request

from inspect_web.errors import TooMany, UnknownDevice
from inspect_web.inspection.receipt import verified
from inspect_web.store import devices
from inspect_web.store.database import Store

REQUESTS_A_SECOND, BURST = 40.0, 400.0
_REMEMBERED = 10_000
SKEW_MS = 365 * 24 * 3600 * 1000


def store() -> Store:
    """The store of this application."""
    return cast("Store", current_app.extensions["store"])


def now() -> datetime:
    """The county's time, from the clock that the application was given."""
    return cast("datetime", current_app.extensions["clock"]())


def calling_device() -> devices.Device:
    """The phone that signed this request; raises ``UnknownDevice`` or ``TooMany``.

    It signs method, path, its own time and the body's hash. A request that is played again does
    no harm: items and photographs are taken once, whatever the number of times they come.
    """
    scheme, _, rest = request.headers.get("Authorization", "").partition(" ")
    id_, _, tail = rest.partition(":")
    at, _, signature = tail.partition(":")
    if scheme != "Device" or not id_ or not at.isascii() or not at.isdigit():
        raise UnknownDevice("Authorization", "no device", "send 'Device id:milliseconds:signature'")
    with store().read() as connection:
        device = devices.get(connection, id_)
    path = request.full_path.rstrip("?") if request.query_string else request.path
    digest = hashlib.sha256(request.get_data()).hexdigest()
    text = f"{request.method}\n{path}\n{at}\n{digest}"
    if not verified(device.public_key, signature, text.encode()):
        raise UnknownDevice("Authorization", "not signed by this device", "enrol the phone again")
    if abs(int(at) - int(now().timestamp() * 1000)) > SKEW_MS:
        raise UnknownDevice("Authorization", "more than a year away", "set the phone's clock")
    spend(f"device {id_}")
    return device


def spend(whose: str, cost: float = 1.0) -> None:
    """Take *cost* from the bucket of *whose*; raises ``TooMany`` when it is empty.

    By device and not by address: a whole team shares one hotspot.
    """
    buckets = cast(
        "OrderedDict[str, tuple[float, float]]",
        current_app.extensions.setdefault("buckets", OrderedDict()),
    )
    moment = time.monotonic()
    level, since = buckets.pop(whose, (BURST, moment))
    level = min(BURST, level + (moment - since) * REQUESTS_A_SECOND)
    buckets[whose] = (max(level - cost, 0.0), moment)
    if len(buckets) > _REMEMBERED:
        buckets.popitem(last=False)
    if level < cost:
        raise TooMany("requests", "more than one phone needs", "wait five seconds")


def body() -> Any:
    """The request's JSON; raises 400 or 415 as Flask does."""
    return request.get_json()
