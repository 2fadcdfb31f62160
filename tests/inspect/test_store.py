"""The store on SQLite and PostgreSQL: taken once, kept whole, chained, never changed."""

import hashlib
import json
import multiprocessing
import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from inspect_web.errors import Gone, InspectError, InvalidItem
from inspect_web.inspection.receipt import verified
from inspect_web.store import accounts, devices, items, ledger, licences, media
from inspect_web.store.database import open_store
from inspect_web.store.tables import metadata
from site_eval.record.canonical import canonical_bytes
from tests.inspect.conftest import START, fill, new_phone
from tests.inspect.phone import picture


@pytest.fixture
def filled(store):
    fill(store)
    return store


def count_items(store):
    with store.read() as connection:
        return connection.execute(text("SELECT count(*) FROM item")).scalar()


def test_the_migrated_tables_are_those_of_the_code(store) -> None:
    with store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


@pytest.mark.parametrize("statement", ["UPDATE ledger SET kind = 'x'", "DELETE FROM ledger"])
def test_the_ledger_refuses_to_change(filled, statement) -> None:
    with pytest.raises(DBAPIError, match="append-only"), filled.write() as connection:
        connection.execute(text(statement))
    with filled.read() as connection:
        assert ledger.broken_at(connection) is None
        assert ledger.last(connection)[0] >= 1


def test_a_new_item_is_new_and_the_same_again_has_the_same_receipt(filled) -> None:
    phone = new_phone(filled)
    envelope = phone.item("L3", value=1200, at=START)
    first = items.accept(filled, envelope, START, carried_by=phone.device_id)
    again = items.accept(filled, envelope, START + timedelta(hours=9), carried_by=phone.device_id)
    assert (first.status, again.status) == (201, 200)
    assert (first.receipt, first.signature) == (again.receipt, again.signature)
    assert verified(filled.county_key, first.signature, canonical_bytes(first.receipt))
    assert count_items(filled) == 1


def test_another_content_under_one_id_is_kept_beside_the_first(filled) -> None:
    phone = new_phone(filled)
    envelope = phone.item("R2", at=START)
    items.accept(filled, envelope, START, carried_by=phone.device_id)
    other = phone.signed(envelope["item"] | {"finding": "not-met"})
    answers = [items.accept(filled, other, START, carried_by=phone.device_id) for _ in range(2)]
    assert [a.status for a in answers] == [409, 409]
    assert answers[0].receipt == answers[1].receipt
    with filled.read() as connection:
        seen = items.observations(connection, phone.licence_id)
    assert sorted(o.outcome for o in seen) == ["met", "not-met"]
    assert all(o.contested for o in seen)


def test_what_a_revoked_phone_sends_is_kept_and_does_not_count(filled) -> None:
    phone = new_phone(filled)
    with filled.write() as connection:
        devices.revoke(connection, phone.device_id, by="coordinator", now=START)
    answer = items.accept(filled, phone.item("R2", at=START), START, carried_by=phone.device_id)
    assert answer.status == 202
    with filled.read() as connection:
        (seen,) = items.observations(connection, phone.licence_id)
    assert seen.quarantined


def test_a_phone_enrols_once_and_within_ten_minutes(filled) -> None:
    with filled.write() as connection:
        (licence,) = licences.everyone(connection)
        owner = accounts.everyone(connection)[0]
        used, old = (devices.new_link(connection, owner.id, licence.id, START) for _ in range(2))
        jwk = filled.county_key
        devices.enrol(connection, secret=used, name="a", public_key=jwk, now=START)
        with pytest.raises(Gone):
            devices.enrol(connection, secret=used, name="b", public_key=jwk, now=START)
        late = START + timedelta(minutes=10, seconds=1)
        with pytest.raises(Gone):
            devices.enrol(connection, secret=old, name="c", public_key=jwk, now=late)


def test_what_never_arrived_is_named(filled) -> None:
    phone = new_phone(filled)
    envelopes = [phone.item("R2", at=START) for _ in range(5)]
    for envelope in (envelopes[0], envelopes[4]):
        items.accept(filled, envelope, START, carried_by=phone.device_id)
    with filled.write() as connection:
        assert devices.missing(connection, phone.device_id) == [(2, 4)]
        devices.heard(connection, phone.device_id, START, 7)  # the phone says it gave out seven
        assert devices.missing(connection, phone.device_id) == [(2, 4), (6, 7)]


def test_an_item_for_a_condition_that_never_was_is_refused_by_name(filled) -> None:
    phone = new_phone(filled)
    with pytest.raises(InvalidItem, match="no such item"):
        items.accept(filled, phone.item("XX", at=START), START, carried_by=phone.device_id)
    assert count_items(filled) == 0


def test_drafts_of_an_old_version_finish_on_it(filled) -> None:
    phone = new_phone(filled)
    with filled.write() as connection:
        (kept,) = licences.everyone(connection)
        file = licences.EvaluationFile(
            checklist=kept.checklist, site={"geometry": kept.site}, layout=kept.layout
        )
        newer = licences.import_licence(connection, file, number=kept.number, now=START)
        assert newer.version == 2
        assert licences.get(connection, kept.id, 1).checklist == kept.checklist
    answer = items.accept(filled, phone.item("R2", at=START), START, carried_by=phone.device_id)
    assert answer.status == 201


def test_thirty_two_posts_of_one_item_at_once_make_one(filled) -> None:
    phone = new_phone(filled)
    envelope, answers = phone.item("R2", at=START), []

    def post() -> None:
        answers.append(items.accept(filled, envelope, START, carried_by=phone.device_id))

    threads = [threading.Thread(target=post) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(a.status for a in answers) == [200] * 31 + [201]
    assert len({a.signature for a in answers}) == 1
    assert count_items(filled) == 1


def _append_many(home, url, count):
    store = open_store(home, url)
    for number in range(count):
        with store.write() as connection:
            ledger.append(connection, "note", {"number": number}, now=START)
    store.engine.dispose()


def test_four_processes_cannot_fork_the_chain(store) -> None:
    url = store.engine.url.render_as_string(hide_password=False)
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append_many, args=(store.home, url, 15)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    with store.read() as connection:
        assert ledger.last(connection)[0] == 60
        assert ledger.broken_at(connection) is None


def _write_and_fail(store):
    with store.write() as connection:
        ledger.append(connection, "note", {"n": 1}, now=START)
        raise ZeroDivisionError


def test_a_write_that_fails_leaves_nothing(store) -> None:
    with pytest.raises(ZeroDivisionError):
        _write_and_fail(store)
    with store.read() as connection:
        assert ledger.last(connection) == (0, ledger.BEGINNING)


def test_sqlite_is_durable_by_its_pragmas(lite) -> None:
    with lite.read() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {p}").scalar()
                 for p in ("journal_mode", "synchronous", "foreign_keys")]  # fmt: skip
    assert found == ["wal", 2, 1]


def test_a_photograph_is_on_the_disk_before_the_ledger_names_it(lite, monkeypatch) -> None:
    fill(lite)
    phone = new_phone(lite)
    photo = picture()
    sha = hashlib.sha256(photo).hexdigest()
    done, sync, rename, append = [], os.fsync, Path.replace, ledger.append
    monkeypatch.setattr(
        os, "fsync", lambda h: (done.append(Path(f"/proc/self/fd/{h}").readlink().name), sync(h))
    )
    monkeypatch.setattr(
        Path, "replace", lambda old, new: (done.append("renamed"), rename(old, new))[1]
    )
    monkeypatch.setattr(
        ledger, "append", lambda *a, **k: (done.append("entered"), append(*a, **k))[1]
    )
    with lite.read() as connection:
        device = devices.get(connection, phone.device_id)
    media.take_chunk(lite, device, sha, offset=0, length=len(photo), chunk=photo, now=START)
    assert done == [
        f"{phone.device_id}-{sha}.part", "renamed", sha[:2], "originals", "media", "entered"
    ]  # fmt: skip


def test_a_password_is_kept_as_argon2_and_a_short_one_refused(lite) -> None:
    with lite.write() as connection:
        with pytest.raises(InspectError, match="12 characters"):
            accounts.add(
                connection, login="a", name="A", role="board", agency="board", password="short"
            )
        accounts.add(
            connection, login="a", name="A", role="board", agency="board", password="long enough 1"
        )
        kept = connection.execute(text("SELECT password_hash FROM account")).scalar()
        assert kept.startswith("$argon2id$")
        assert accounts.sign_in(connection, "a", "long enough 1").name == "A"
        assert accounts.sign_in(connection, "a", "another") is None
        assert accounts.sign_in(connection, "nobody", "long enough 1") is None


def test_an_evaluation_that_is_none_is_told_by_its_key() -> None:
    with pytest.raises(InspectError, match="checklist"):
        licences.read_evaluation(json.dumps({"site": {}, "layout": {}}), "x.json")
