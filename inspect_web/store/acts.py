"""What the office and the Board do about a licence: notices, replies, waivers, motions, decisions.

Each act is an entry of the ledger; none is ever changed, a later one speaks of an earlier by its id.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection

from inspect_web.errors import InspectError, NotAllowed, NotFound
from inspect_web.inspection.compliance import Waiver
from inspect_web.inspection.observation import parse_instant, write_instant
from inspect_web.store import ledger, licences
from inspect_web.store.accounts import Account

Kind = Literal["notice", "reply", "waiver", "motion", "decision"]
KINDS: tuple[Kind, ...] = ("notice", "reply", "waiver", "motion", "decision")
CHOICES = {"revoke": "revoked", "keep": "in-force"}
MAX_TEXT = 8_000


def serve_notice(
    connection: Connection, licence: str, by: Account, now: datetime, *, condition: str,
    served_on: str, how: str, served_at: datetime, cure_by: datetime, text: str,
) -> dict[str, Any]:  # fmt: skip
    """A notice of violation: to whom, how and when it was served, and the time given to cure."""
    body = {
        "condition": _condition(connection, licence, condition),
        "served_on": _said("served on", served_on),
        "how": _said("how", how),
        "served_at": write_instant(served_at),
        "cure_by": write_instant(cure_by),
        "text": _said("text", text),
    }
    return _record(connection, "notice", licence, by, now, body)


def note_reply(
    connection: Connection, licence: str, by: Account, now: datetime, *, notice: str, text: str,
    said_by: str,
) -> dict[str, Any]:  # fmt: skip
    """What the licensee answered to a notice."""
    _one(connection, licence, "notice", notice)
    body = {"notice": notice, "said_by": _said("said by", said_by), "text": _said("text", text)}
    return _record(connection, "reply", licence, by, now, body)


def waive(
    connection: Connection, licence: str, by: Account, now: datetime, *, condition: str,
    order: str, begins: datetime, ends: datetime,
) -> dict[str, Any]:  # fmt: skip
    """Lift a condition for a time; only the Board may, and its order must be named."""
    if by.role != "board":
        raise NotAllowed("waiver", "only the Board can waive a condition", "sign in for the Board")
    if begins >= ends:
        raise InspectError("waiver", "it ends before it begins", "change its times")
    body = {
        "condition": _condition(connection, licence, condition),
        "order": _said("order", order),
        "begins": write_instant(begins),
        "ends": write_instant(ends),
    }
    return _record(connection, "waiver", licence, by, now, body)


def move(
    connection: Connection, licence: str, by: Account, now: datetime, *, choice: str, motion: str,
    vote: str, reasons: str,
) -> dict[str, Any]:  # fmt: skip
    """Record the Board's motion, vote and written reasons; nothing changes before it is confirmed."""
    if by.role != "board":
        raise NotAllowed("decision", "only the Board decides", "sign in for the Board")
    if choice not in CHOICES:
        raise InspectError("decision", "neither to revoke nor to keep", "choose one of the two")
    body = {
        "choice": choice,
        "motion": _said("motion", motion),
        "vote": _said("vote", vote),
        "reasons": _said("reasons", reasons),
    }
    return _record(connection, "motion", licence, by, now, body)


def confirm(
    connection: Connection, licence: str, by: Account, now: datetime, *, motion: str
) -> dict[str, Any]:
    """A second person confirms what was recorded; the licence's state follows from it."""
    moved = _one(connection, licence, "motion", motion)
    if by.role != "board" and by.agency != "clerk":
        raise NotAllowed("decision", "confirming is for the Board or the clerk", "ask one of them")
    if moved["by"] == by.id:
        raise NotAllowed("decision", "you recorded it yourself", "let a second person confirm it")
    if any(act["motion"] == motion for act in acts(connection, licence, "decision")):
        raise InspectError("decision", "already confirmed", "look at the list of decisions")
    licences.set_state(connection, licence, CHOICES[moved["choice"]])
    body = {"motion": motion, "choice": moved["choice"]}
    return _record(connection, "decision", licence, by, now, body)


def acts(connection: Connection, licence: str, kind: Kind) -> list[dict[str, Any]]:
    """All acts of one kind for a licence, oldest first, each with ``at`` and its ledger ``seq``."""
    return [
        {**entry.body, "at": entry.received_at, "seq": entry.seq}
        for entry in ledger.entries(connection, licence=licence, kinds=(kind,))
    ]


def waivers(connection: Connection, licence: str) -> list[Waiver]:
    """The Board's waivers as the timelines need them."""
    return [
        Waiver(
            act["condition"],
            act["order"],
            parse_instant(act["begins"]),
            parse_instant(act["ends"]),
            parse_instant(act["at"]),
        )
        for act in acts(connection, licence, "waiver")
    ]


def _record(
    connection: Connection, kind: Kind, licence: str, by: Account, now: datetime,
    body: dict[str, Any],
) -> dict[str, Any]:  # fmt: skip
    whole = {"id": secrets.token_hex(8), "by": by.id, "by_name": by.name, **body}
    entry = ledger.append(connection, kind, whole, now=now, licence=licence)
    return {**whole, "at": entry.received_at, "seq": entry.seq}


def _one(connection: Connection, licence: str, kind: Kind, id_: str) -> dict[str, Any]:
    for act in acts(connection, licence, kind):
        if act["id"] == id_:
            return act
    raise NotFound(f"{kind} {id_[:32]}", "there is none", "look at the list")


def _condition(connection: Connection, licence: str, condition: str) -> str:
    if condition not in {i.id for i in licences.get(connection, licence).checklist.items}:
        raise InspectError("condition", "not one of this licence", "choose one from the list")
    return condition


def _said(name: str, text: str) -> str:
    clean = text.strip()
    if not clean:
        raise InspectError(name, "it is empty", "write it down")
    if len(clean) > MAX_TEXT:
        raise InspectError(name, f"longer than {MAX_TEXT:,} letters", "shorten it")
    return clean
