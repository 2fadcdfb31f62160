"""The words and numbers of the revocation packet, every fact beside the entry that holds it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from inspect_web.drawing import places_svg
from inspect_web.inspection.checklist import AGENCIES, outcome_of
from inspect_web.inspection.compliance import Cessation, cleanup_deadline
from inspect_web.inspection.observation import Observation, parse_instant
from inspect_web.inspection.place import where
from inspect_web.inspection.receipt import thumbprint
from inspect_web.inspection.revocation import Gap, Ground
from inspect_web.inspection.schedule import times
from inspect_web.packets.bars import bar, hours, marks, shown_window, span_words
from inspect_web.packets.dossier import Dossier
from inspect_web.store import ledger

__all__ = ["packet_data", "seen_row", "shown_window"]
LATE_S = 600
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
    "person confirms it; the license's state then changes and inspectors' phones show it.",
    "Section 8: cleaning up is still due within 10 days after the event unless other arrangements "
    "were approved.",
    "Section 10: each day of a violation is a separate offense; whether to charge is not the "
    "Board's to decide here.",
    "People who are already there still need water, toilets, medical care and a way out. Decide "
    "who tells them, and what stays in service until they have left.",
)
CANNOT_PROVE = (
    "The ledger shows that nothing was changed, added or taken away after the county received it, "
    "up to the signed head, and that each phone signed what it sent. It does not show that what was "
    "recorded was true, that nothing else happened, or that a phone's clock was right beyond the "
    "stated seconds. Whoever holds the county's key could write another ledger: compare the "
    "fingerprint below with one that was got by another way."
)


def packet_data(dossier: Dossier, entries: Sequence[ledger.Entry] = ()) -> dict[str, Any]:
    """The packet's content; *entries* are described at its end, for the links to lead to."""
    terms, local = dossier.terms, dossier.local
    start, end, _ = times(terms)
    window = shown_window(dossier)
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
            ["State of the license", dossier.licence.state],
        ],
        "known_at": local(dossier.known_at),
        "zone": terms.time_zone,
        "counts": [
            ["Conditions", f"{len(dossier.lines)}, of which {_looked_at(dossier)} were looked at"],
            ["Observations received", str(len(dossier.seen))],
            ["Grounds below", str(len(dossier.grounds))],
            ["Gaps in the record", str(len(dossier.gaps))],
        ],
        "grounds": [ground_data(dossier, ground) for ground in dossier.grounds],
        "gaps": [_gap(dossier, gap) for gap in dossier.gaps],
        "decisions": [
            [f"№ {act['seq']}, {local(parse_instant(act['at']))}", act["choice"], act["vote"],
             act["by_name"]]
            for act in dossier.acts["motion"]
        ],
        "options": [list(option) for option in OPTIONS],
        "consequences": list(CONSEQUENCES),
        "cannot_prove": CANNOT_PROVE,
        "head": dossier.head["head"],
        "key": thumbprint(dossier.head["key"]),
        "window": [local(moment) for moment in window],
        "hours": hours(window, dossier.zone),
        "map": str(places_svg(dossier.licence.site, dossier.seen)),
        "map_says": f"{sum(o.place is not None for o in dossier.seen)} of {len(dossier.seen)} "
        "observations have a position. The outline is the licensed land, north is up, each circle is the "
        "radius within which the phone believed itself to be (95 %).",
        "entries": [_entry(dossier, entry) for entry in entries],
    }  # fmt: skip


def ground_data(dossier: Dossier, ground: Ground) -> dict[str, Any]:
    """One ground in words and rows."""
    item, window = ground.line.item, shown_window(dossier)
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
            for one in sorted(ground.supporting + ground.opposing, key=lambda o: o.observed_at)
            for sha in one.photos
        ],
        "cessations": [_cessation(dossier, one) for one in ground.line.cessations],
        "supporting": [seen_row(dossier, one) for one in ground.supporting],
        "opposing": [seen_row(dossier, one) for one in ground.opposing],
        "aside": [[*seen_row(dossier, one)[:5], why] for one, why in ground.line.set_aside],
        "offences": {
            "seen": [f"{day}" for day in ground.offences.seen],
            "possible": [f"{day}" for day in ground.offences.possible],
        },
        "notices": [_notice(dossier, ground, act) for act in ground.notices],
        "waived": ground.waived,
        "bar": bar(ground.line, window),
        "marks": marks(ground.line, window),
        "spans": span_words(dossier, ground.line),
        "finding": _finding(ground),
    }


def seen_row(dossier: Dossier, one: Observation) -> list[str]:
    """A look as a row: ledger entry, times, who, what, place, photographs."""
    late = (one.received_at - one.observed_at).total_seconds() > LATE_S
    return [
        f"№ {one.ledger_seq}",
        f"{dossier.local(one.observed_at)} ± {one.error_s:,.0f} s"
        + (f" (clock corrected by {one.offset_s:+,.0f} s)" if abs(one.offset_s) >= 1 else ""),
        f"{dossier.local(one.received_at)}" + (" (late)" if late else ""),
        f"{one.author}, {AGENCIES[one.agency]}",
        _said(dossier, one),
        _place(dossier, one),
        "; ".join(
            sha[:16] + (" (not arrived)" if sha in dossier.photos_missing else "")
            for sha in one.photos
        )
        or "none",
    ]


def _said(dossier: Dossier, one: Observation) -> str:
    """What the look says of the condition; a number that contradicts the tap is told as such."""
    line = dossier.line(one.condition)
    judged = one.outcome if line is None else outcome_of(line.item, one)
    tapped = "" if judged == one.outcome else f" by the number (tapped: {one.outcome})"
    limit = None if line is None else line.item.threshold
    unit = f" {limit.unit}" if limit else ""
    counted = f": {one.answer}{unit}" if one.answer else ""
    note = f". {one.note}" if one.note else ""
    return f"{judged}{tapped}{counted}{note}"


def _place(dossier: Dossier, one: Observation) -> str:
    if one.place is None:
        return "no position"
    answer = where(one.place, dossier.licence.site)
    said = {"inside": "inside the land", "outside": "outside the land",
            "undecided": "too near the edge to say"}[answer]  # fmt: skip
    latitude, longitude = one.place.lat_e7 / 1e7, one.place.lon_e7 / 1e7
    radius = one.place.accuracy_mm / 1000
    return f"{latitude:.5f}, {longitude:.5f} ± {radius:,.0f} m: {said}"


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


def _notice(dossier: Dossier, ground: Ground, act: dict[str, Any]) -> dict[str, Any]:
    replies = [r for r in dossier.acts["reply"] if r["notice"] == act["id"]]
    return {
        "said": f"№ {act['seq']}: served on {act['served_on']} ({act['how']}) "
        f"{dossier.local(parse_instant(act['served_at']))}; to be cured by "
        f"{dossier.local(parse_instant(act['cure_by']))}. {act['text']}",
        "replies": [
            f"№ {r['seq']}, {dossier.local(parse_instant(r['at']))}: {r['said_by']}: {r['text']}"
            for r in replies
        ],
        "cure": _cure(dossier, ground, act),
    }


def _cure(dossier: Dossier, ground: Ground, act: dict[str, Any]) -> str:
    """The first look after the notice that found the condition met, beside the time to cure."""
    served, cure_by = parse_instant(act["served_at"]), parse_instant(act["cure_by"])
    met = [o for o in ground.opposing if o.observed_at >= served and o.outcome == "met"]
    if not met:
        return f"Nobody saw it met after the notice, as known {dossier.local(dossier.known_at)}."
    first = min(met, key=lambda o: o.observed_at)
    minutes = round((first.observed_at - cure_by).total_seconds() / 60)
    said = "within the time to cure" if minutes <= 0 else f"{minutes} min after the time to cure"
    return f"Seen met {dossier.local(first.observed_at)} (№ {first.ledger_seq}), {said}."


def _finding(ground: Ground) -> str:
    """A sentence that the Board may take over, change or strike; it cites and concludes nothing."""
    days = ", ".join(f"{day}" for day in ground.offences.seen) or "no day"
    notices = ", ".join(f"№ {act['seq']}" for act in ground.notices) or "none recorded"
    told = {
        "met before and ceased": "was recorded as met and afterwards as not met",
        "not complied with": "was recorded as not met",
        "disputed": "was recorded as met by one agency and as not met by another at one time",
    }[ground.kind]
    return (
        f"Condition {ground.line.item.id} ({ground.line.item.clause.citation}) {told}. "
        f"Not met: {_cited(ground.supporting)}. Met: {_cited(ground.opposing)}. "
        f"Seen broken on: {days}. Notices: {notices}. [The Board finds / does not find …]"
    )


def _cited(looks: Iterable[Observation]) -> str:
    return ", ".join(f"№ {one.ledger_seq}" for one in looks) or "none"


def _gap(dossier: Dossier, gap: Gap) -> list[str]:
    numbers = {one.id: one.ledger_seq for one in dossier.seen}
    return [gap.kind, gap.text, ", ".join(f"№ {numbers[i]}" for i in gap.observations)]


def _entry(dossier: Dossier, entry: ledger.Entry) -> list[str]:
    """An entry for the list at the end: number, when, what, its own hash."""
    if entry.kind == "item":
        one = next((o for o in dossier.seen if o.ledger_seq == entry.seq), None)
        who = f"{one.author}: {one.condition} {one.outcome}" if one else "not counted"
        what = f"Observation by {who}; item {entry.body['item']['id']}"
    else:
        what = f"{entry.kind.capitalize()} by {entry.body.get('by_name', 'the office')}"
    return [str(entry.seq), dossier.local(parse_instant(entry.received_at)), what, entry.hash]


def _looked_at(dossier: Dossier) -> int:
    return sum(bool(line.seen) for line in dossier.lines)
