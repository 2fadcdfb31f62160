"""People: a login, a role, an agency and an argon2 hash."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import Connection, Row, select

from inspect_web.errors import InspectError
from inspect_web.inspection.checklist import AGENCIES
from inspect_web.store.tables import account

ROLES = ("inspector", "coordinator", "board")
MIN_PASSWORD = 12
_hasher = PasswordHasher()
# Verified when there is no such login, so that the answer takes as long as for a wrong password.
_NOBODY = _hasher.hash(secrets.token_urlsafe(16))


@dataclass(frozen=True)
class Account:
    """Who is signed in."""

    id: str
    login: str
    name: str
    role: str
    agency: str


def add(
    connection: Connection, *, login: str, name: str, role: str, agency: str, password: str
) -> Account:
    """A new account; raises ``InspectError`` for an unknown role or agency or a short password."""
    if role not in ROLES:
        raise InspectError(role, "no such role", f"use one of {', '.join(ROLES)}")
    if agency not in AGENCIES:
        raise InspectError(agency, "no such agency", f"use one of {', '.join(AGENCIES)}")
    if len(password) < MIN_PASSWORD:
        raise InspectError("password", "too short", f"use {MIN_PASSWORD} characters or more")
    if connection.execute(select(account.c.id).where(account.c.login == login)).first():
        raise InspectError(login, "this login is taken", "choose another")
    one = Account(secrets.token_hex(8), login, name, role, agency)
    connection.execute(
        account.insert().values(
            id=one.id,
            login=login,
            name=name,
            role=role,
            agency=agency,
            password_hash=_hasher.hash(password),
            disabled=False,
        )
    )
    return one


def sign_in(connection: Connection, login: str, password: str) -> Account | None:
    """The account of *login* when *password* is its own and it is not disabled."""
    row = connection.execute(select(account).where(account.c.login == login)).first()
    try:
        _hasher.verify(row.password_hash if row else _NOBODY, password)
    except VerificationError:
        return None
    return _account(row) if row and not row.disabled else None


def by_id(connection: Connection, id_: str) -> Account | None:
    """The account, unless it is gone or disabled."""
    row = connection.execute(
        select(account).where(account.c.id == id_, account.c.disabled.is_(False))
    ).first()
    return _account(row) if row else None


def everyone(connection: Connection) -> list[Account]:
    """All accounts that are not disabled, by name."""
    rows = connection.execute(
        select(account).where(account.c.disabled.is_(False)).order_by(account.c.name)
    )
    return [_account(row) for row in rows]


def _account(row: Row[Any]) -> Account:
    return Account(row.id, row.login, row.name, row.role, row.agency)
