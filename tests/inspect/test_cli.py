"""The command line from an empty folder to a verified bundle, and the way back from a backup."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from inspect_web import cli
from inspect_web.api.openapi import document
from inspect_web.errors import InspectError
from inspect_web.store import items, ledger
from inspect_web.store.database import open_store
from tests.inspect.conftest import START, fill, new_phone

EVALUATION = Path(cli.__file__).parent / "demo" / "evaluation.json"
PROGRAM = [sys.executable, "-c", "from inspect_web.cli import main; main()"]


@pytest.fixture(autouse=True)
def _own_database(monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)


def run(*arguments, **more):
    return CliRunner().invoke(
        cli.inspect_web, [str(a) for a in arguments], catch_exceptions=False, **more
    )


@pytest.fixture
def home(tmp_path):
    assert run("init", "--home", tmp_path / "home").exit_code == 0
    return tmp_path / "home"


def test_from_nothing_to_a_licence_and_its_version(home) -> None:
    first = run("licence", "import", "--home", home, EVALUATION, "--number", "2027-01")
    again = run("licence", "import", "--home", home, EVALUATION, "--number", "2027-01")
    assert "version 1: 73 items" in first.output
    assert "version 2" in again.output
    assert (home / "secret").stat().st_mode & 0o077 == 0
    assert (home / "county-key.pem").stat().st_mode & 0o077 == 0


def test_init_again_keeps_the_key(home) -> None:
    key = (home / "county-key.pem").read_bytes()
    assert run("init", "--home", home).exit_code == 0
    assert (home / "county-key.pem").read_bytes() == key


def test_people_are_added_with_a_role_and_an_agency(home) -> None:
    more = [
        "--name",
        "Sam",
        "--role",
        "inspector",
        "--agency",
        "sheriff",
        "--password",
        "long enough 1",
    ]
    assert "may sign in" in run("user", "add", "--home", home, "sam", *more).output
    with pytest.raises(InspectError, match="taken"):
        run("user", "add", "--home", home, "sam", *more)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["serve", "--home", "nowhere"], "inspect-web init"),
        (["licence", "import", "--home", "HOME", "BAD", "--number", "1"], "checklist"),
        (["bundle", "export", "--home", "HOME", "none", "x.zip"], "there is none"),
        (["restore", "--home", "HOME", "BAD"], "empty folder"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_in_one_sentence(home, tmp_path, arguments, says) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"site": {}, "layout": {}}')
    names = {"HOME": str(home), "BAD": str(bad), "nowhere": str(tmp_path / "nowhere")}
    done = subprocess.run(
        [*PROGRAM, *(names.get(a, a) for a in arguments)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_description_of_the_api_names_every_route(app) -> None:
    described = {
        (path.replace("{", "<").replace("}", ">"), method.upper())
        for path, methods in document()["paths"].items()
        for method in methods
        if method != "parameters"
    }
    routed = {
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") and not rule.rule.endswith("openapi.json")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert described == routed
    assert json.loads(run("openapi").output) == document()


def test_a_bundle_verifies_and_a_changed_byte_does_not(home, tmp_path) -> None:
    store = open_store(home)
    fill(store)
    phone = new_phone(store)
    for minute in range(3):
        at = START + timedelta(minutes=minute)
        items.accept(
            store, phone.item("L3", value=1000 + minute, at=at), at, carried_by=phone.device_id
        )
    store.engine.dispose()
    path = tmp_path / "bundle.zip"
    assert run("bundle", "export", "--home", home, "2027-01", path).exit_code == 0
    assert run("bundle", "verify", path).exit_code == 0
    content = bytearray(path.read_bytes())
    at = content.index(b'"value":"1001"') + 12
    content[at] ^= 1
    path.write_bytes(content)
    assert run("bundle", "verify", path).exit_code != 0


def test_after_a_restore_the_phones_send_again_and_nothing_is_lost(home, tmp_path) -> None:
    store = open_store(home)
    fill(store)
    phone = new_phone(store)
    sent = [phone.item("L3", value=n, at=START) for n in range(10)]
    for envelope in sent[:6]:
        items.accept(store, envelope, START, carried_by=phone.device_id)
    assert run("backup", "--home", home, tmp_path / "copy.tar").exit_code == 0
    for envelope in sent[6:]:
        items.accept(store, envelope, START, carried_by=phone.device_id)
    store.engine.dispose()
    back = run("restore", "--home", tmp_path / "new", tmp_path / "copy.tar")
    assert "the chain holds" in back.output
    store = open_store(tmp_path / "new")
    answers = [items.accept(store, e, START, carried_by=phone.device_id).status for e in sent]
    assert answers == [200] * 6 + [201] * 4
    with store.read() as connection:
        assert len(items.observations(connection, phone.licence_id)) == 10
        assert ledger.broken_at(connection) is None
    store.engine.dispose()


def test_a_copy_of_postgresql_comes_back(postgres, tmp_path, monkeypatch) -> None:
    from sqlalchemy import create_engine, text

    admin = create_engine(postgres, isolation_level="AUTOCOMMIT")
    names = [f"b{uuid.uuid4().hex[:10]}" for _ in range(2)]
    with admin.connect() as connection:
        for name in names:
            connection.execute(text(f"CREATE DATABASE {name}"))
    old, new = (
        postgres.replace("postgresql+psycopg", "postgresql").replace("/postgres?", f"/{n}?")
        for n in names
    )
    monkeypatch.setenv("DATABASE_URL", old)
    assert run("init", "--home", tmp_path / "home").exit_code == 0
    store = open_store(tmp_path / "home")
    fill(store)
    phone = new_phone(store)
    items.accept(store, phone.item("R2", at=START), START, carried_by=phone.device_id)
    assert run("backup", "--home", tmp_path / "home", tmp_path / "copy.tar").exit_code == 0
    store.engine.dispose()
    monkeypatch.setenv("DATABASE_URL", new)
    assert (
        "the chain holds"
        in run("restore", "--home", tmp_path / "new", tmp_path / "copy.tar").output
    )
    store = open_store(tmp_path / "new")
    with store.read() as connection:
        assert len(items.observations(connection, phone.licence_id)) == 1
    store.engine.dispose()
    with admin.connect() as connection:
        for name in names:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("passed_on", [signal.SIG_DFL, signal.SIG_IGN])
def test_the_demo_serves_and_names_its_people(tmp_path, sign, passed_on) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [*PROGRAM, "demo", "--port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, passed_on),  # noqa: PLW1509 - a child of a test
    ) as server:  # fmt: skip
        try:
            said = ""
            while "Open http" not in said:
                line = server.stdout.readline()
                assert line, server.stderr.read()
                said += line
            for _ in range(50):
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/login") as page:
                        assert page.status == 200
                    break
                except OSError:
                    time.sleep(0.1)
            else:
                pytest.fail("nobody answers")
        finally:
            server.send_signal(sign)
            try:
                server.wait(20)
            finally:
                server.kill()
    assert re.search(r"^  coordinator +\S{12} ", said, re.MULTILINE)
    assert not list(tmp_path.glob("inspect-web-demo-*"))  # nothing stays behind
