"""The server is killed again and again under load: nothing lost, nothing twice, nothing altered.

``SOAK_KILLS=60 SOAK_PHONES=20 SOAK_ITEMS=50 pytest tests/inspect/test_kill.py`` is the longer run.
What the phones sent is written down by this test before it is sent, and compared afterwards.
"""

import contextlib
import hashlib
import http.client
import itertools
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime

from sqlalchemy import text

from inspect_web.evidence.bundle import export
from inspect_web.evidence.verify import verify
from inspect_web.store import ledger, media
from inspect_web.store.database import create_store, open_store, write_secret
from tests.inspect.conftest import SECRET, fill, new_phone
from tests.inspect.phone import canon, picture

KILLS = int(os.environ.get("SOAK_KILLS", "12"))
PHONES = int(os.environ.get("SOAK_PHONES", "4"))
ITEMS = int(os.environ.get("SOAK_ITEMS", "40"))
DEADLINE_S = 60 + 5 * KILLS + PHONES * ITEMS
PEOPLE = ("sheriff", "fire", "health", "roads")


def test_killing_the_server_loses_and_doubles_nothing(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    home = tmp_path / "home"
    store = create_store(home)
    licence, _ = fill(store)
    phones = [new_phone(store, PEOPLE[n % len(PEOPLE)]) for n in range(PHONES)]
    store.engine.dispose()
    write_secret(home / "secret", SECRET.encode())
    port = free_port()
    written = []  # the independent list: (id, hash of the item, hashes of its photographs)
    receipts, done, killed = [], threading.Event(), threading.Event()
    workers = [
        threading.Thread(target=work, args=(phone, port, written, receipts, done, killed))
        for phone in phones
    ]
    chance, kills, server = random.Random(3), 0, start(home, port)
    for worker in workers:
        worker.start()
    began = time.monotonic()
    try:
        while any(w.is_alive() for w in workers) and time.monotonic() - began < DEADLINE_S:
            time.sleep(chance.uniform(0.05, 0.6))
            if kills < KILLS:
                server.kill()
                server.wait()
                kills += 1
                server = start(home, port)
            else:
                killed.set()
    finally:
        done.set()
        server.kill()
        server.wait()
    for worker in workers:
        worker.join(10)
    assert kills == KILLS
    assert len(receipts) == len(written) >= PHONES * ITEMS
    compare(home, licence, written, receipts, tmp_path)


def compare(home, licence, written, receipts, tmp_path) -> None:
    store = open_store(home)
    with store.read() as connection:
        rows = connection.execute(text("SELECT id, sha256 FROM item")).all()
        assert sorted((r.id, r.sha256) for r in rows) == sorted((i, sha) for i, sha, _ in written)
        assert ledger.broken_at(connection) is None
        for _, _, photos in written:
            for sha in photos:
                path, _ = media.original(store, connection, sha)
                assert hashlib.sha256(path.read_bytes()).hexdigest() == sha
        kept = {(e.seq, e.hash) for e in ledger.entries(connection)}
    assert {(r["ledger_seq"], r["head"]) for r in receipts} <= kept
    export(store, licence.id, tmp_path / "b.zip", datetime.now(UTC))
    report = verify(tmp_path / "b.zip")
    assert (report.whole, report.items, report.not_arrived) == (True, len(written), [])
    store.engine.dispose()


def work(phone, port, written, receipts, done, killed) -> None:
    """One phone: writes an item down, then sends it and its photograph until both are received.

    It goes on after its last item for as long as the server is still being killed.
    """
    chance = random.Random(phone.device_id)
    for number in itertools.count():
        if number >= ITEMS and killed.is_set():
            break
        photos = [picture()] if number % 5 == 0 else []
        envelope = phone.item("L3", at=datetime.now(UTC), value=number, photos=photos)
        body = canon(envelope)
        item = canon(envelope["item"])
        hashes = [hashlib.sha256(p).hexdigest() for p in photos]
        written.append((envelope["item"]["id"], hashlib.sha256(item).hexdigest(), hashes))
        answer = until(done, lambda body=body: call(port, "POST", "/api/v1/items", body, {}))
        receipts.append(answer["receipt"])
        if chance.random() < 0.3:  # the answer was lost on the way: the same again
            until(done, lambda body=body: call(port, "POST", "/api/v1/items", body, {}))
        for photo, sha in zip(photos, hashes, strict=True):
            until(done, lambda photo=photo, sha=sha: upload(phone, port, sha, photo))


def upload(phone, port, sha, photo):
    path = f"/api/v1/photos/{sha}"
    state = call(port, "GET", path, b"", phone.headers("GET", path))
    while not state["complete"]:
        part = photo[state["offset"] : state["offset"] + 1500]
        more = {"Upload-Offset": str(state["offset"]), "Upload-Length": str(len(photo))}
        call(port, "PATCH", path, part, phone.headers("PATCH", path, part) | more)
        state = call(port, "GET", path, b"", phone.headers("GET", path))
    return state


def until(done, attempt):
    while not done.is_set():
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            return attempt()
        time.sleep(0.05)
    raise TimeoutError


def call(port, method, path, body, headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"} | headers)
        answer = connection.getresponse()
        content = answer.read()
    finally:
        connection.close()
    if answer.status not in {200, 201, 204}:
        raise ValueError(answer.status)
    return json.loads(content) if content else {}


def start(home, port):
    """The server as people start it; returns when it listens."""
    code = "from inspect_web.cli import main; main()"
    server = subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--home", str(home), "--port", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(400):
        assert server.poll() is None
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return server
        time.sleep(0.05)
    raise TimeoutError


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
