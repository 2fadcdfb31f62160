"""The device API as a phone meets it: receipts, chunks, refusals of one shape, nothing lost."""

import hashlib
import io
import itertools
import json
import zipfile
from datetime import timedelta

import pytest
from PIL import Image

from inspect_web.api import caller
from inspect_web.inspection.receipt import verified
from inspect_web.store import accounts, devices, items, media
from site_eval.record.canonical import canonical_bytes
from tests.inspect.conftest import START, new_phone
from tests.inspect.phone import Phone, picture


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def phone(app):
    return new_phone(app.store)


def problem(answer):
    """The one shape of every refusal."""
    told = answer.get_json()
    assert set(told) == {"code", "place", "found", "expected", "mend"}, told
    assert all(isinstance(v, str) for v in told.values())
    return told


def test_a_phone_enrols_by_its_link_once(app, client) -> None:
    with app.store.write() as connection:
        owner = next(a for a in accounts.everyone(connection)
                     if a.login == "fire")  # fmt: skip
        token = devices.new_link(connection, owner.id, app.licence.id, START)
    new = Phone(app.licence.id)
    sent = {"token": token, "public_key": new.jwk, "device_name": "Fran's phone"}
    first = client.post("/api/v1/enrolments", json=sent)
    assert first.status_code == 201
    told = first.get_json()
    assert told["person"] == {"name": "Fran Fire", "role": "inspector", "agency": "fire-district"}
    assert told["licence_id"] == app.licence.id
    again = client.post("/api/v1/enrolments", json=sent)
    assert (again.status_code, problem(again)["code"]) == (410, "gone")


def test_the_checklist_is_that_of_the_agency(app, client, phone) -> None:
    path = f"/api/v1/licences/{app.licence.id}/checklist"
    told = phone.get(client, path).get_json()
    assert told["licence"]["maximum"] == 2400
    assert {item["agency"] for item in told["items"]} == {"sheriff"}
    chief = new_phone(app.store, "coordinator")
    assert len(chief.get(client, path).get_json()["items"]) == len(app.licence.checklist.items)
    assert phone.get(client, "/api/v1/licences/other/checklist").status_code == 403


def test_an_item_is_answered_with_a_receipt_that_verifies(app, client, phone) -> None:
    envelope = phone.item("L3", value=1200, at=START)
    first, again = (phone.send(client, envelope) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == again.get_json()
    told = first.get_json()
    assert verified(app.store.county_key, told["signature"], canonical_bytes(told["receipt"]))
    item_sha = hashlib.sha256(canonical_bytes(envelope["item"])).hexdigest()
    assert told["receipt"]["item_sha256"] == item_sha


def test_an_item_needs_no_cookie_and_a_wild_clock_does_not_stop_it(app, client, phone) -> None:
    for days in (-30, 30):
        envelope = phone.item("L3", value=1, at=START + timedelta(days=days))
        body = json.dumps(envelope).encode()
        headers = phone.headers("POST", "/api/v1/items", body, at=START + timedelta(days=days))
        answer = client.post(
            "/api/v1/items", data=body, headers=headers, content_type="application/json"
        )
        assert answer.status_code == 201
        assert "Set-Cookie" not in answer.headers


def test_a_second_phone_may_hand_over_the_queue_of_the_first(app, client, phone) -> None:
    other = new_phone(app.store, "fire")
    body = json.dumps(phone.item("L3", value=7, at=START)).encode()
    headers = other.headers("POST", "/api/v1/items", body, at=START)
    answer = client.post(
        "/api/v1/items", data=body, headers=headers, content_type="application/json"
    )
    assert answer.status_code == 201
    with app.store.read() as connection:
        assert devices.numbers(connection, phone.device_id) == [1]


BAD = [
    ("no-such-item", {"item_id": "ZZ"}, 422),
    ("another-licence", {"licence_id": "x"}, 422),
    ("no-such-version", {"checklist_version": 9}, 422),
    ("a-float", {"seq": 1.5}, 422),
    ("zero", {"seq": 0}, 422),
    ("unknown-finding", {"finding": "fine"}, 422),
    ("local-time", {"observed_at": "2027-06-19T10:00:00"}, 422),
    ("no-such-day", {"observed_at": "2027-02-30T10:00:00.000Z"}, 422),
    ("huge-note", {"note": "x" * 9000}, 422),
    ("extra-key", {"more": 1}, 422),
    ("path-for-a-hash", {"photos": [{"sha256": "../../etc", "bytes": 1, "type": "x"}]}, 422),
    ("lone-surrogate", {"note": "\ud800"}, 422),
]


@pytest.mark.parametrize(("name", "changes", "status"), BAD, ids=[b[0] for b in BAD])
def test_one_bad_item_is_told_and_the_next_goes_on(client, phone, name, changes, status) -> None:
    envelope = phone.item("L3", value=3, at=START)
    raw = envelope["item"] | changes
    try:
        envelope = phone.signed(raw)
    except UnicodeEncodeError:
        envelope["item"] = raw
    answer = client.post(
        "/api/v1/items", data=json.dumps(envelope), content_type="application/json"
    )
    assert answer.status_code == status, answer.get_json()
    problem(answer)
    assert phone.send(client, phone.item("L3", value=3, at=START)).status_code == 201


def test_a_signature_of_another_phone_is_refused(app, client, phone) -> None:
    stranger = Phone(app.licence.id)
    stranger.device_id = phone.device_id
    answer = phone.send(client, stranger.item("L3", value=1, at=START))
    assert (answer.status_code, problem(answer)["code"]) == (422, "bad-signature")


def test_refusals_have_one_shape_on_every_route(client) -> None:
    calls = [
        ("GET", "/api/v1/devices/me", 401), ("GET", "/api/v1/photos/" + "0" * 64, 401),
        ("GET", "/api/v1/licences/x/checklist", 401), ("POST", "/api/v1/items", 415),
        ("DELETE", "/api/v1/items", 405),
    ]  # fmt: skip
    for method, path, status in calls:
        answer = client.open(path, method=method)
        assert answer.status_code == status, path
        if status != 405:
            problem(answer)


def test_a_photograph_resumes_where_it_broke_off(app, client, phone) -> None:
    photo = picture(size=(900, 700), quality=95)
    sha = hashlib.sha256(photo).hexdigest()
    path = f"/api/v1/photos/{sha}"
    assert len(photo) > 300_000
    cut = phone.upload(client, photo[:100_000], sha=sha, at=START)  # says 100,000 is all there is
    assert cut.status_code == 422
    part = photo[:200_000]
    headers = phone.headers("PATCH", path, part) | {
        "Upload-Offset": "0",
        "Upload-Length": str(len(photo)),
    }
    assert client.patch(path, data=part, headers=headers).status_code == 204
    wrong = client.patch(path, data=part, headers=headers)
    assert (wrong.status_code, wrong.headers["Upload-Offset"]) == (409, "200000")
    assert phone.get(client, path).get_json() == {"offset": 200_000, "complete": False}
    assert phone.upload(client, photo, start=200_000).status_code == 204
    assert phone.get(client, path).get_json() == {"offset": len(photo), "complete": True}
    with app.store.read() as connection:
        kept, _ = media.original(app.store, connection, sha)
    assert kept.read_bytes() == photo


def jpeg_with_gps() -> bytes:
    exif = Image.Exif()
    exif[0x010F] = "Maker"
    exif.get_ifd(0x8825)[1] = "N"
    stream = io.BytesIO()
    Image.new("RGB", (40, 30)).save(stream, "JPEG", exif=exif)
    return stream.getvalue()


def bomb() -> bytes:
    stream = io.BytesIO()
    Image.new("1", (9000, 9000)).save(stream, "PNG")
    return stream.getvalue()


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a", b"x" * 100)
    return stream.getvalue()


UPLOADS = [
    ("text", b"not a picture at all", 422),
    ("html", b"<html><script>alert(1)</script></html>", 422),
    ("svg", b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 422),
    ("gif", b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;", 422),
    ("zip", zipped(), 422),
    ("half-a-jpeg", picture()[:400], 422),
    ("jpeg-header-only", b"\xff\xd8\xff\xe0" + b"x" * 200, 422),
    ("81-million-pixels", bomb(), 422),
    ("png", picture(kind="PNG"), 204),
    ("webp", picture(kind="WEBP"), 204),
    ("heic", picture(kind="HEIF"), 204),
    ("jpeg-with-html-behind", picture() + b"<script>alert(1)</script>", 204),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "status"), UPLOADS, ids=[u[0] for u in UPLOADS])
def test_an_upload_is_what_its_bytes_are(app, client, phone, name, content, status) -> None:
    answer = phone.upload(client, content)
    assert answer.status_code == status
    if status != 204:
        problem(answer)
        path = f"/api/v1/photos/{hashlib.sha256(content).hexdigest()}"
        assert phone.get(client, path).get_json()["complete"] is False


def test_too_large_is_told_before_it_is_sent(client, phone) -> None:
    path = "/api/v1/photos/" + "0" * 64
    headers = phone.headers("PATCH", path, b"x") | {
        "Upload-Offset": "0",
        "Upload-Length": "99999999",
    }
    assert problem(client.patch(path, data=b"x", headers=headers))["code"] == "too-large"
    big = b"x" * 262_145
    headers = phone.headers("PATCH", path, big) | {"Upload-Offset": "0", "Upload-Length": "300000"}
    assert client.patch(path, data=big, headers=headers).status_code == 413


def test_the_public_copy_has_no_metadata_and_the_original_keeps_it(app, client, phone) -> None:
    photo = jpeg_with_gps()
    phone.upload(client, photo)
    sha = hashlib.sha256(photo).hexdigest()
    with app.store.read() as connection:
        public = media.public_copy(app.store, connection, sha)
        kept, _ = media.original(app.store, connection, sha)
    assert kept.read_bytes() == photo
    with Image.open(public) as copy:
        assert dict(copy.getexif()) == {}


def test_the_phone_learns_what_the_county_lacks(client, phone) -> None:
    photo = picture()
    lost = phone.item("L3", value=1, at=START)
    phone.send(client, phone.item("L3", value=2, at=START, photos=[photo]))
    told = phone.get(client, "/api/v1/devices/me").get_json()
    assert (told["highest_seq"], told["missing"]) == (2, [1])
    assert told["photos_missing"] == [hashlib.sha256(photo).hexdigest()]
    phone.send(client, lost)
    phone.upload(client, photo)
    told = phone.get(client, "/api/v1/devices/me").get_json()
    assert (told["missing"], told["photos_missing"]) == ([], [])


def test_a_revoked_phone_is_answered_202_and_kept(app, client, phone) -> None:
    with app.store.write() as connection:
        devices.revoke(connection, phone.device_id, by="x", now=START)
    answer = phone.send(client, phone.item("L3", value=1, at=START))
    assert answer.status_code == 202
    assert answer.get_json()["quarantined"] is True
    assert answer.get_json()["receipt"]["ledger_seq"] > 0


def test_two_agencies_may_record_one_condition_and_each_stands_under_its_own_name(
    app, client
) -> None:
    """A phone is shown its agency's items; what it recorded of another's is kept and attributed."""
    for login, condition in itertools.product(("sheriff", "fire", "coordinator"), ("R2", "F5")):
        one = new_phone(app.store, login)
        assert one.send(client, one.item(condition, at=START)).status_code == 201
    with app.store.read() as connection:
        seen = items.observations(connection, app.licence.id)
    assert {(o.agency, o.condition) for o in seen} == set(
        itertools.product(("sheriff", "fire-district", "coordinator"), ("R2", "F5"))
    )


def test_requests_are_limited_by_phone(app, client, phone, monkeypatch) -> None:
    monkeypatch.setattr(caller, "BURST", 5.0)
    monkeypatch.setattr(caller, "REQUESTS_A_SECOND", 0.1)
    other = new_phone(app.store, "fire")
    answers = [phone.get(client, "/api/v1/devices/me").status_code for _ in range(8)]
    assert 429 in answers
    assert other.get(client, "/api/v1/devices/me").status_code == 200
