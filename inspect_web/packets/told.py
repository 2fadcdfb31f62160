"""The timelines of a licence as JSON: states, what they rest on, and what was known when."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from inspect_web.inspection.compliance import Cessation, Timeline, offences, state_at
from inspect_web.inspection.observation import Observation, write_instant
from inspect_web.packets.dossier import Dossier


def timeline_data(dossier: Dossier) -> dict[str, Any]:
    """Every condition that anybody looked at, by the numbers of ledger entries, in UTC.

    Identifiers that are drawn at random stay out: the same story gives the same text.
    """
    return {
        "schema": "inspect-web/timeline/1",
        "licence": dossier.licence.number,
        "event": dossier.terms.event,
        "time_zone": dossier.terms.time_zone,
        "known_at": write_instant(dossier.known_at),
        "licence_state": dossier.licence.state,
        "conditions": [_line(dossier, line) for line in dossier.lines if line.seen],
        "never_looked_at": [line.item.id for line in dossier.lines if not line.seen],
        "gaps": [[gap.kind, gap.text] for gap in dossier.gaps],
    }


def known_rows(then: Dossier, now: Dossier) -> list[tuple[str, str, str, str]]:
    """What was known at a time, beside what is known now of the same moment, where they differ.

    *then* was gathered as known at the moment, *now* with all that came later; each row is
    condition, state as known then, state of that moment as known now, the entries that came later.
    """
    rows: list[tuple[str, str, str, str]] = []
    for before, after in zip(then.lines, now.lines, strict=True):
        moment_state = state_at(after, then.as_of)
        if before.state == moment_state:
            continue
        later = [o for o in after.seen if o.received_at > then.known_at >= o.observed_at]
        said = ", ".join(f"№ {one.ledger_seq}" for one in later)
        rows.append((before.item.id, before.state, moment_state, said))
    return rows


def _line(dossier: Dossier, line: Timeline) -> dict[str, Any]:
    numbers = {one.id: one.ledger_seq for one in line.seen}
    days = offences(line, dossier.terms)
    return {
        "id": line.item.id,
        "question": line.item.question,
        "clause": line.item.clause.citation,
        "state": line.state,
        "spans": [
            {
                "state": span.state,
                "begins": _instant(span.begins),
                "ends": _instant(span.ends),
                "entries": [numbers[i] for i in span.because if i in numbers],
            }
            for span in line.spans
        ],
        "ceased": [_ceased(one) for one in line.cessations],
        "looks": [_look(one) for one in line.seen],
        "set_aside": [[one.ledger_seq, why] for one, why in line.set_aside],
        "days_seen_broken": [f"{day}" for day in days.seen],
        "days_possibly_broken": [f"{day}" for day in days.possible],
    }


def _ceased(one: Cessation) -> dict[str, Any]:
    return {
        "last_met": None if one.last_met is None else one.last_met.ledger_seq,
        "first_not_met": one.first_not_met.ledger_seq,
        "met_again": None if one.met_again is None else one.met_again.ledger_seq,
    }


def _look(one: Observation) -> dict[str, Any]:
    return {
        "entry": one.ledger_seq,
        "by": [one.author, one.agency],
        "outcome": one.outcome,
        "answer": one.answer,
        "note": one.note,
        "observed_at": write_instant(one.observed_at),
        "error_s": f"{one.error_s:g}",
        "clock_corrected_by_s": f"{one.offset_s:g}",
        "received_at": write_instant(one.received_at),
        "photos": list(one.photos),
    }


def _instant(moment: datetime) -> str | None:
    """``None`` for a span that has no beginning in the record."""
    return None if moment.year < 1970 else write_instant(moment)
