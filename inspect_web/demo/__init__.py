"""A throw-away county: the bundled license, with its event running now, and people to sign in as."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from inspect_web.store import accounts, devices, licences
from inspect_web.store.database import Store
from site_eval.record.condition import LicenceTerms

NUMBER = "2027-01"
PEOPLE = (
    ("coordinator", "Dana Coordinator", "coordinator", "coordinator"),
    ("sheriff", "Sam Deputy", "inspector", "sheriff"),
    ("fire", "Fran Fire", "inspector", "fire-district"),
    ("health", "Hal Health", "inspector", "health-district"),
    ("roads", "Robin Roads", "inspector", "road-director"),
    ("clerk", "Chris Clerk", "inspector", "clerk"),
    ("board", "Bo Commissioner", "board", "board"),
    ("chair", "Cam Chair", "board", "board"),
)


@dataclass(frozen=True)
class Login:
    """Somebody who can sign in to the demonstration."""

    login: str
    password: str
    name: str
    agency: str


def fill(store: Store, now: datetime, *, running: bool = True) -> list[Login]:
    """Import the bundled license and make an account for each agency.

    *running* moves the event's times so that it began three hours ago and has the same length;
    otherwise the license keeps its own dates.
    """
    text = (Path(__file__).parent / "evaluation.json").read_text(encoding="utf-8")
    file = licences.read_evaluation(text, "the bundled evaluation")
    if running:
        file.checklist.terms = _moved(file.checklist.terms, now - timedelta(hours=3))
    people = [Login(login, secrets.token_urlsafe(9), name, agency)
              for login, name, _, agency in PEOPLE]  # fmt: skip
    with store.write() as connection:
        licences.import_licence(connection, file, number=NUMBER, now=now)
        for one, (_, _, role, _) in zip(people, PEOPLE, strict=True):
            accounts.add(
                connection, login=one.login, name=one.name, role=role, agency=one.agency,
                password=one.password,
            )  # fmt: skip
    return people


def links(store: Store, base: str, now: datetime) -> list[str]:
    """A link for a phone of each inspector; each works once, within ten minutes."""
    with store.write() as connection:
        (licence,) = licences.everyone(connection)
        return [
            f"{base}/enrol/{devices.new_link(connection, one.id, licence.id, now)}  {one.name}"
            for one in accounts.everyone(connection)
            if one.role != "board"
        ]


def _moved(terms: LicenceTerms, begins: datetime) -> LicenceTerms:
    length = datetime.fromisoformat(terms.ends) - datetime.fromisoformat(terms.starts)
    begins = begins.astimezone(ZoneInfo(terms.time_zone)).replace(minute=0, second=0, microsecond=0)
    return terms.model_copy(
        update={"starts": begins.isoformat(), "ends": (begins + length).isoformat()}
    )
