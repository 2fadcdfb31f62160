"""A store on each database, a phone that signs, and an application with a clock that we set."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from datetime import UTC, datetime
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from sqlalchemy import create_engine, text

from inspect_web import demo
from inspect_web.app import create_app
from inspect_web.store import accounts, devices, licences
from inspect_web.store.database import create_store
from tests.inspect.phone import Phone

START = datetime(2027, 6, 19, 16, 0, tzinfo=UTC)  # 10:00 at the site
SECRET = "s" * 40


@pytest.fixture(autouse=True)
def _cheap_hashes(monkeypatch):
    """Eight accounts a test would cost seconds with the real memory and rounds."""
    monkeypatch.setattr(
        accounts, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    )


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """The address of a PostgreSQL server of our own on a socket; skips where there is none."""
    found = shutil.which("initdb") or next(
        (str(p) for p in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))), None
    )
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    programs = Path(found).parent
    folder = Path("/tmp") / f"inspect-pg-{uuid.uuid4().hex[:8]}"
    folder.mkdir(mode=0o700)
    as_user = []
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    data = folder / "data"

    def run(*command: object) -> None:
        subprocess.run([*as_user, *map(str, command)], check=True, capture_output=True, cwd=folder)

    try:
        run(programs / "initdb", "-D", data, "-A", "trust", "-U", "county", "-E", "UTF8")
        run(programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o",
            f"-k {folder} -c listen_addresses='' -c fsync=off", "start")  # fmt: skip
        yield f"postgresql+psycopg://county@/postgres?host={folder}"
    finally:
        subprocess.run([*as_user, str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop"],
                       check=False, capture_output=True, cwd=folder)  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    """An empty store, once on each database."""
    if request.param == "sqlite":
        made = create_store(tmp_path / "home", f"sqlite:///{tmp_path / 'inspect.db'}")
        yield made
        made.engine.dispose()
        return
    server = request.getfixturevalue("postgres")
    name = f"t{uuid.uuid4().hex[:12]}"
    admin = create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    made = create_store(tmp_path / "home", server.replace("/postgres?", f"/{name}?"))
    yield made
    made.engine.dispose()
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def lite(tmp_path):
    """An empty store on SQLite alone."""
    made = create_store(tmp_path / "home", f"sqlite:///{tmp_path / 'inspect.db'}")
    yield made
    made.engine.dispose()


def fill(store):
    """The bundled licence with its own dates, and the people of the demonstration."""
    people = demo.fill(store, START, running=False)
    with store.read() as connection:
        (licence,) = licences.everyone(connection)
    return licence, {p.login: p for p in people}


def new_phone(store, login="sheriff", now=START):
    with store.write() as connection:
        (licence,) = licences.everyone(connection)
        owner = next(a for a in accounts.everyone(connection) if a.login == login)
        secret = devices.new_link(connection, owner.id, licence.id, now)
        phone = Phone(licence.id)
        device = devices.enrol(
            connection, secret=secret, name=f"{login}'s phone", public_key=phone.jwk, now=now
        )
    phone.device_id = device.id
    return phone


@pytest.fixture
def app(lite):
    """The application on SQLite with the demonstration's licence; ``app.now`` is its clock."""
    licence, people = fill(lite)
    made = create_app(lite, secret=SECRET, demo=True, clock=lambda: made.now)
    made.now = START
    made.licence, made.people, made.store = licence, people, lite
    return made
