"""Check-in list and activity log in the columns of the forms ICS 211 and ICS 214, for the agencies."""

from __future__ import annotations

from collections.abc import Iterator

from inspect_web.inspection.checklist import AGENCIES
from inspect_web.inspection.observation import parse_instant
from inspect_web.inspection.schedule import times
from inspect_web.packets.content import seen_row
from inspect_web.packets.dossier import Dossier

Row = list[str]
CHECK_IN = ("Incident name", "Check-in date and time", "Name", "Agency", "Role", "Resource",
            "Enrolment ends", "Last heard")  # fmt: skip
ACTIVITY = ("Incident name", "Operational period", "Name", "Agency", "Date and time", "Received",
            "Notable activity", "Entry")  # fmt: skip


def check_in(dossier: Dossier) -> list[Row]:
    """Who checked in with which phone (as ICS 211 lists resources); heading first.

    Checking in is enrolling: it says that a phone was made ready, not that somebody was on the site.
    """
    return [list(CHECK_IN)] + [
        [
            dossier.terms.event,
            dossier.local(phone.enrolled_at),
            phone.author,
            AGENCIES[phone.agency],
            phone.role,
            phone.name,
            dossier.local(phone.expires_at),
            dossier.local(phone.last_seen) if phone.last_seen else "never",
        ]
        for phone in dossier.phones
    ]


def activity(dossier: Dossier) -> list[Row]:
    """Every observation and act in order of time (as ICS 214 logs activities); heading first."""
    start, end, _ = times(dossier.terms)
    period = f"{dossier.local(start)} to {dossier.local(end)}"
    rows = sorted([*_looks(dossier), *_acts(dossier)])
    return [list(ACTIVITY)] + [
        [dossier.terms.event, period, name, agency, at, received, said, entry]
        for at, _, name, agency, received, said, entry in rows
    ]


Timed = tuple[str, int, str, str, str, str, str]


def _looks(dossier: Dossier) -> Iterator[Timed]:
    for one in dossier.seen:
        row = seen_row(dossier, one)
        said = f"{one.condition}: {row[4]} ({row[5]})"
        yield (
            dossier.local(one.observed_at), one.ledger_seq, one.author, AGENCIES[one.agency],
            row[2], said, row[0],
        )  # fmt: skip


def _acts(dossier: Dossier) -> Iterator[Timed]:
    for kind, done in dossier.acts.items():
        for act in done:
            at = dossier.local(parse_instant(act["at"]))
            about = f" ({act['condition']})" if "condition" in act else ""
            text = act.get("text") or act.get("order") or act.get("motion", "")
            said = f"{kind.capitalize()}{about}: {text}"
            yield at, act["seq"], act["by_name"], "Office", at, said, f"№ {act['seq']}"
