"""All that is known of a licence at one moment, gathered from the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from inspect_web.errors import NotFound
from inspect_web.inspection.checklist import AGENCIES
from inspect_web.inspection.compliance import Timeline, timeline
from inspect_web.inspection.gaps import missing_numbers
from inspect_web.inspection.limits import Limit, limits
from inspect_web.inspection.observation import Observation, parse_instant
from inspect_web.inspection.revocation import Gap, Ground, gaps, grounds
from inspect_web.inspection.schedule import times
from inspect_web.store import acts, devices, items, ledger, licences
from inspect_web.store.database import Store
from site_eval.record.condition import LicenceTerms


@dataclass(frozen=True)
class Dossier:
    """All that is known of a licence at ``known_at``."""

    licence: licences.Licence
    terms: LicenceTerms
    zone: ZoneInfo
    as_of: datetime
    known_at: datetime
    seen: tuple[Observation, ...]
    lines: tuple[Timeline, ...]
    limits: tuple[Limit, ...]
    grounds: tuple[Ground, ...]
    gaps: tuple[Gap, ...]
    phones: tuple[devices.Device, ...]
    missing: dict[str, list[tuple[int, int]]]
    photos_missing: tuple[str, ...]
    acts: dict[str, list[dict[str, Any]]]
    head: dict[str, Any]

    def local(self, moment: datetime) -> str:
        """*moment* for people at the site."""
        return f"{moment.astimezone(self.zone):%Y-%m-%d %H:%M}"

    def line(self, condition: str) -> Timeline | None:
        """The timeline of one condition."""
        return next((line for line in self.lines if line.item.id == condition), None)


def gather(
    store: Store, connection: Connection, licence_id: str, now: datetime,
    *, as_of: datetime | None = None,
) -> Dossier:  # fmt: skip
    """Read the record of a licence as it was known at *as_of* (*now* unless it is given).

    What was received, written or decided later is left out; so is what a phone said later of the
    numbers that it had given out. Only the signed head is that of the whole ledger *now*.
    """
    moment = now if as_of is None else as_of
    newest = licences.get(connection, licence_id)
    terms = newest.checklist.terms
    done: dict[str, list[dict[str, Any]]] = {
        kind: _known(acts.acts(connection, newest.id, kind), moment) for kind in acts.KINDS
    }
    kept = newest if as_of is None else replace(newest, state=_state_then(done))
    seen = _seen_by(items.observations(connection, kept.id), moment)
    lifted = acts.waivers(connection, kept.id)
    lines = tuple(
        timeline(item, seen, terms, moment, waivers=lifted) for item in kept.checklist.items
    )
    phones = tuple(d for d in devices.everyone(connection, kept.id) if d.enrolled_at <= moment)
    missing = {
        phone.id: devices.missing(connection, phone.id)
        if as_of is None
        else missing_numbers(one.sequence for one in seen if one.device == phone.id)
        for phone in phones
    }
    absent = tuple(_photos_absent(connection, kept.id, seen, moment))
    named = {f"{p.name} ({p.author}, {AGENCIES[p.agency]})": missing[p.id] for p in phones}
    return Dossier(
        licence=kept,
        terms=terms,
        zone=times(terms)[2],
        as_of=moment,
        known_at=moment,
        seen=seen,
        lines=lines,
        limits=tuple(limits(kept.checklist.items, seen, moment)),
        grounds=tuple(grounds(lines, terms, done["notice"])),
        gaps=tuple(gaps(lines, named, kept.site, absent, times(terms)[2])),
        phones=phones,
        missing=missing,
        photos_missing=absent,
        acts=done,
        head=ledger.signed_head(store, connection, now),
    )


def asked_time(text: str, terms: LicenceTerms) -> datetime:
    """A time that somebody asks about, by the clocks at the site unless it has an offset.

    Raises ``NotFound``.
    """
    try:
        given = datetime.fromisoformat(text)
        return (given if given.tzinfo else given.replace(tzinfo=times(terms)[2])).astimezone(UTC)
    except (ValueError, OverflowError):
        raise NotFound("known_at", "no time", "write 2027-06-19T23:40") from None


def cited(connection: Connection, dossier: Dossier) -> tuple[ledger.Entry, ...]:
    """The entries that a packet may cite: looks and acts that were known, in the ledger's order."""
    kinds = ("item", *acts.KINDS)
    found = ledger.entries(connection, licence=dossier.licence.id, kinds=kinds)
    return tuple(e for e in found if parse_instant(e.received_at) <= dossier.known_at)


def _seen_by(all_seen: Iterable[Observation], moment: datetime) -> tuple[Observation, ...]:
    """What had been received, contested only when the other content had come by then too."""
    known = [one for one in all_seen if one.received_at <= moment]
    contents = Counter(one.id for one in known)
    return tuple(replace(one, contested=contents[one.id] > 1) for one in known)


def _state_then(done: dict[str, list[dict[str, Any]]]) -> str:
    """What the decisions known by then had made of the licence."""
    decided = done["decision"]
    return acts.CHOICES[decided[-1]["choice"]] if decided else "in-force"


def _photos_absent(
    connection: Connection, licence: str, seen: Iterable[Observation], moment: datetime
) -> list[str]:
    """Named by what was seen, and not there whole at *moment*."""
    later = {
        entry.body["sha256"]
        for entry in ledger.entries(connection, licence=licence, kinds=("photo",))
        if parse_instant(entry.received_at) > moment
    }
    never = set(items.photos_missing(connection, licence=licence))
    return sorted({sha for one in seen for sha in one.photos} & (later | never))


def _known(done: Iterable[dict[str, Any]], moment: datetime) -> list[dict[str, Any]]:
    return [act for act in done if parse_instant(act["at"]) <= moment]
