"""What the Board reads before it decides: the record of a licence gathered, and its packet (PDF)."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from PIL import Image
from sqlalchemy import Connection

from inspect_web.drawing import places_svg
from inspect_web.inspection.checklist import AGENCIES
from inspect_web.inspection.compliance import (
    Cessation,
    Timeline,
    cleanup_deadline,
    timeline,
)
from inspect_web.inspection.limits import Limit, limits
from inspect_web.inspection.observation import Observation, parse_instant
from inspect_web.inspection.place import where
from inspect_web.inspection.receipt import thumbprint
from inspect_web.inspection.revocation import Gap, Ground, gaps, grounds
from inspect_web.inspection.schedule import times
from inspect_web.store import acts, devices, items, ledger, licences, media
from inspect_web.store.database import Store
from site_eval.record.condition import LicenceTerms

MAX_PHOTOS = 40  # in one packet; the bundle holds all
TEMPLATE = Path(__file__).with_name("packet.typ")
OPTIONS = (
    (
        "Revoke the license",
        "Section 9: the license may be revoked at any time if the conditions necessary for its "
        "issuing or contained in it are not complied with, or if any condition previously met "
        "ceases to be complied with.",
    ),
    (
        "Leave the license in force",
        "Section 9 says that the license may be revoked; it does not say that it must be.",
    ),
    (
        "Leave it in force for now, with notice and a time to cure",
        "Section 9 says nothing of notice or of a hearing. Counsel advises whether either is due "
        "first; notices and cures that were recorded stand with each ground.",
    ),
)
CONSEQUENCES = (
    "The Board's decision is recorded with its motion, vote and written reasons, and a second "
    "person confirms it; the licence's state then changes and inspectors' phones show it.",
    "Section 8: cleaning up is still due within 10 days after the event unless other arrangements "
    "were approved.",
    "Section 10: each day of a violation is a separate offense; whether to charge is not the "
    "Board's to decide here.",
    "People who are already there still need water, toilets, medical care and a way out. Decide "
    "who tells them, and what stays in service until they have left.",
)
CANNOT_PROVE = (
    "The ledger shows that nothing was changed, added or taken away after the county received it, "
    "and that each phone signed what it sent. It does not show that what was recorded was true or "
    "that a phone's clock was right."
)


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
    """Read the record of a licence as it was known at *as_of* (*now* unless it is given)."""
    moment = now if as_of is None else as_of
    kept = licences.get(connection, licence_id)
    terms = kept.checklist.terms
    seen = tuple(
        o for o in items.observations(connection, kept.id) if o.received_at <= moment
    )  # fmt: skip
    lifted = acts.waivers(connection, kept.id)
    lines = tuple(
        timeline(item, seen, terms, moment, waivers=lifted) for item in kept.checklist.items
    )
    done: dict[str, list[dict[str, Any]]] = {
        kind: _known(acts.acts(connection, kept.id, kind), moment) for kind in acts.KINDS
    }
    phones = tuple(devices.everyone(connection, kept.id))
    missing = {phone.id: devices.missing(connection, phone.id) for phone in phones}
    absent = tuple(items.photos_missing(connection, licence=kept.id))
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


def packet_pdf(dossier: Dossier, photos: Mapping[str, bytes] | None = None) -> bytes:
    """The packet as a tagged PDF (PDF/UA-1, made by typst); the same dossier gives the same bytes.

    *photos* are JPEG copies by the hash of the original (``photos_of``). Its words reach the template as JSON, so nothing that somebody typed can act as markup.
    """
    import typst  # heavy, and only this needs it

    pictures = {sha: _as_svg(jpeg) for sha, jpeg in (photos or {}).items()}
    data = {**packet_data(dossier), "pictures": pictures}
    pdf: bytes = typst.compile(
        TEMPLATE.read_bytes(),
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        pdf_standards=["ua-1"],
        timestamp=int(dossier.as_of.timestamp()),
    )
    return pdf


def photos_of(store: Store, connection: Connection, dossier: Dossier) -> dict[str, bytes]:
    """Small copies, without metadata, of the photographs that the grounds rest on."""
    wanted = {sha for g in dossier.grounds for o in g.supporting + g.opposing for sha in o.photos}
    found = {}
    for sha in sorted(wanted - set(dossier.photos_missing))[:MAX_PHOTOS]:
        if media.original(store, connection, sha)[1] in media.KINDS:
            found[sha] = media.public_copy(store, connection, sha).read_bytes()
    return found


def _as_svg(jpeg: bytes) -> str:
    """A picture in a drawing: the only form in which the template can take one from memory."""
    width, height = _size(jpeg)
    data = base64.b64encode(jpeg).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<image width="{width}" height="{height}" href="data:image/jpeg;base64,{data}"/></svg>'
    )


def _size(jpeg: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(jpeg)) as picture:
        return picture.size


def packet_data(dossier: Dossier) -> dict[str, Any]:
    """The packet's content, every fact beside the number of the ledger entry that holds it."""
    terms, local = dossier.terms, dossier.local
    start, end, _ = times(terms)
    return {
        "number": dossier.licence.number,
        "event": terms.event,
        "state": dossier.licence.state,
        "ordinance": dossier.licence.checklist.ordinance_citation,
        "jurisdiction": dossier.licence.checklist.jurisdiction,
        "terms": [
            ["Event", f"{local(start)} to {local(end)} ({terms.time_zone})"],
            ["Licensed maximum", f"{terms.maximum:,} people"],
            ["Overnight", "not given" if terms.overnight is None else f"{terms.overnight:,}"],
            ["Cleaning up is due by", local(cleanup_deadline(terms))],
            ["State of the licence", dossier.licence.state],
        ],
        "known_at": local(dossier.known_at),
        "counts": [
            ["Conditions", str(len(dossier.lines))],
            ["Observations received", str(len(dossier.seen))],
            ["Grounds below", str(len(dossier.grounds))],
            ["Gaps in the record", str(len(dossier.gaps))],
        ],
        "grounds": [ground_data(dossier, ground) for ground in dossier.grounds],
        "gaps": [_gap(dossier, gap) for gap in dossier.gaps],
        "decisions": [
            [act["at"], act["choice"], act["vote"], act["by_name"]]
            for act in dossier.acts["motion"]
        ],
        "options": [list(option) for option in OPTIONS],
        "consequences": list(CONSEQUENCES),
        "cannot_prove": CANNOT_PROVE,
        "head": dossier.head["head"],
        "key": thumbprint(dossier.head["key"]),
        "window": [local(start), local(end)],
        "map": str(places_svg(dossier.licence.site, dossier.seen)),
        "map_says": f"{sum(o.place is not None for o in dossier.seen)} of {len(dossier.seen)} "
        "observations have a position. The outline is the licensed land; north is up.",
    }


def ground_data(dossier: Dossier, ground: Ground) -> dict[str, Any]:
    """One ground in words and rows."""
    item = ground.line.item
    return {
        "id": item.id,
        "question": item.question,
        "kind": ground.kind,
        "state": ground.line.state,
        "citation": item.clause.citation,
        "quote": item.clause.quote,
        "required": "" if item.threshold is None else item.threshold.formula,
        "agency": AGENCIES[item.agency],
        "photos": [
            [sha, f"№ {one.ledger_seq}, {dossier.local(one.observed_at)}, {_place(dossier, one)}"]
            for one in ground.supporting + ground.opposing
            for sha in one.photos
        ],
        "cessations": [_cessation(dossier, one) for one in ground.line.cessations],
        "supporting": [seen_row(dossier, one) for one in ground.supporting],
        "opposing": [seen_row(dossier, one) for one in ground.opposing],
        "aside": [[*seen_row(dossier, one)[:4], why] for one, why in ground.line.set_aside],
        "offences": {
            "seen": [f"{day}" for day in ground.offences.seen],
            "possible": [f"{day}" for day in ground.offences.possible],
        },
        "notices": [_notice(dossier, act) for act in ground.notices],
        "waived": ground.waived,
        "bar": _bar(dossier, ground.line),
        "spans": _spans(dossier, ground.line),
    }


def seen_row(dossier: Dossier, one: Observation) -> list[str]:
    """An observation as a row: ledger entry, times, who, what, place, photographs."""
    late = one.received_at - one.observed_at
    said = " ".join(part for part in (one.outcome, one.answer, one.note) if part)
    return [
        f"№ {one.ledger_seq}",
        f"{dossier.local(one.observed_at)} ± {one.error_s:,.0f} s",
        f"{dossier.local(one.received_at)}" + (" (late)" if late.total_seconds() > 600 else ""),
        f"{one.author}, {AGENCIES[one.agency]}",
        said,
        _place(dossier, one),
        "; ".join(sha[:16] for sha in one.photos) or "none",
    ]


def _place(dossier: Dossier, one: Observation) -> str:
    if one.place is None:
        return "no position"
    answer = where(one.place, dossier.licence.site)
    latitude, longitude = one.place.lat_e7 / 1e7, one.place.lon_e7 / 1e7
    radius = one.place.accuracy_mm / 1000
    return f"{latitude:.5f}, {longitude:.5f} ± {radius:,.0f} m: {answer}"


def _cessation(dossier: Dossier, one: Cessation) -> str:
    first = one.first_not_met
    begin = (
        f"after {dossier.local(one.last_met.observed_at)} (№ {one.last_met.ledger_seq}, last seen met)"
        if one.last_met
        else "after the beginning of the event (it binds at all times, and nobody saw it met before)"
    )
    until = (
        f"; seen met again {dossier.local(one.met_again.observed_at)} (№ {one.met_again.ledger_seq})"
        if one.met_again
        else "; not seen met again"
    )
    return (
        f"Ceased {begin} and no later than {dossier.local(first.observed_at)} "
        f"(№ {first.ledger_seq}){until}."
    )


def _notice(dossier: Dossier, act: dict[str, Any]) -> dict[str, Any]:
    replies = [r for r in dossier.acts["reply"] if r["notice"] == act["id"]]
    return {
        "said": f"№ {act['seq']}: served on {act['served_on']} ({act['how']}) "
        f"{dossier.local(parse_instant(act['served_at']))}; to be cured by "
        f"{dossier.local(parse_instant(act['cure_by']))}. {act['text']}",
        "replies": [f"№ {r['seq']}: {r['said_by']}: {r['text']}" for r in replies],
    }


def _gap(dossier: Dossier, gap: Gap) -> list[str]:
    numbers = {one.id: one.ledger_seq for one in dossier.seen}
    return [gap.kind, gap.text, ", ".join(f"№ {numbers[i]}" for i in gap.observations)]


def _known(done: Iterable[dict[str, Any]], moment: datetime) -> list[dict[str, Any]]:
    return [act for act in done if parse_instant(act["at"]) <= moment]


def _spans(dossier: Dossier, line: Timeline) -> str:
    """The states in words, for whoever cannot tell the colours apart."""
    parts = [
        f"{span.state} {'until' if not number else dossier.local(span.begins) + ' to'} "
        f"{dossier.local(span.ends)}"
        for number, span in enumerate(line.spans)
    ]
    return "; ".join(parts) + "."


def _bar(dossier: Dossier, line: Timeline) -> list[list[Any]]:
    """The spans of a timeline as shares of the event's length: state, from, to."""
    start, end, _ = times(dossier.terms)
    whole = (end - start).total_seconds()
    found = []
    for span in line.spans:
        a, b = ((t - start).total_seconds() / whole for t in (span.begins, span.ends))
        if b > 0 and a < 1:
            found.append([span.state, round(max(a, 0.0), 4), round(min(b, 1.0), 4)])
    return found
