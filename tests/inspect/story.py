"""The evening of the written scenario: an exit blocked and cleared, too few toilets, sound at night.

The times are those of the scenario, at the site (UTC−6).
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from inspect_web.store import accounts, acts, devices, items, media
from tests.inspect.conftest import fill, new_phone
from tests.inspect.phone import picture


def local(day: int, hour: int, minute: int = 0) -> datetime:
    """A time of the event's days, 19 and 20 June 2027, at the site."""
    return datetime(2027, 6, day, hour + 6, minute, tzinfo=UTC) if hour < 18 else datetime(
        2027, 6, day + 1, hour - 18, minute, tzinfo=UTC
    )  # fmt: skip


def tell(store):
    """Play the evening into *store*; the licence, the people and the phones."""
    licence, _ = fill(store)
    at = local(19, 18)
    place = inside(licence.site)
    sheriff, roads, health = (new_phone(store, who, at) for who in ("sheriff", "roads", "health"))

    def send(phone, condition, finding, when, arrives=None, **more):
        envelope = phone.item(condition, finding, at=when, place=place, **more)
        answer = items.accept(store, envelope, arrives or when, carried_by=phone.device_id)
        assert answer.status == 201
        return envelope["item"]["id"]

    blocked = picture()
    ids = {
        "open": send(roads, "R2", "met", local(19, 20, 40)),
        "blocked": send(roads, "R2", "not-met", local(19, 21, 10), photos=[blocked]),
        "cleared": send(roads, "R2", "met", local(19, 21, 55)),
        "again": send(roads, "R2", "not-met", local(19, 22, 20), arrives=local(20, 1)),
        "toilets": send(health, "T1", "met", local(19, 19), value=5, unit="toilets"),
        "fewer": send(health, "T1", "met", local(19, 23), value=4, unit="toilets"),
        "quiet": send(sheriff, "N2", "not-met", local(20, 0, 20)),
    }
    with store.read() as connection:
        device = devices.get(connection, roads.device_id)
    media.take_chunk(
        store, device, hashlib.sha256(blocked).hexdigest(),
        offset=0, length=len(blocked), chunk=blocked, now=local(19, 21, 12),
    )  # fmt: skip
    with store.write() as connection:
        people_by = {a.login: a for a in accounts.everyone(connection)}
        acts.serve_notice(
            connection, licence.id, people_by["coordinator"], local(19, 21, 15), condition="R2",
            served_on="the licensee", how="in person", served_at=local(19, 21, 15),
            cure_by=local(19, 22), text="Cars stand in the emergency exit. Remove them.",
        )  # fmt: skip
    return licence, people_by, ids, {"sheriff": sheriff, "roads": roads, "health": health}


def inside(site) -> dict[str, int]:
    """A good fix in the middle of the licensed land (a plain rectangle of eighty acres)."""
    ring = site["coordinates"][0] if site["type"] == "Polygon" else site["coordinates"][0][0]
    west, east = min(p[0] for p in ring), max(p[0] for p in ring)
    south, north = min(p[1] for p in ring), max(p[1] for p in ring)
    return {"lat_e7": round((south + north) * 5e6), "lon_e7": round((west + east) * 5e6),
            "accuracy_mm": 8_000, "age_ms": 900}  # fmt: skip
