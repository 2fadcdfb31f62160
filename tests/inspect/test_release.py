"""What leaves the county's hands: a public copy that a person chose, and a purge that spares the record."""

import hashlib
import io
import json
import os
import zipfile
from datetime import timedelta

import pytest
from PIL import Image

from inspect_web.errors import InspectError
from inspect_web.evidence.bundle import export
from inspect_web.evidence.redact import redact
from inspect_web.evidence.verify import verify
from inspect_web.retention import purge
from inspect_web.store import media
from tests.inspect.conftest import fill, new_phone
from tests.inspect.phone import picture
from tests.inspect.story import local, tell

BY = 'chosen_by = "Dana Coordinator"\nreason = "Request 14: faces, names"\n'


@pytest.fixture
def sealed(lite, tmp_path):
    licence, *_ = tell(lite)
    export(lite, licence.id, tmp_path / "b.zip", local(20, 2))
    return tmp_path / "b.zip"


def release(sealed, choices):
    path = sealed.with_name("choices.toml")
    path.write_text(BY + choices)
    listed = redact(sealed, path, sealed.with_name("public.zip"), local(20, 3))
    return listed, zipfile.ZipFile(sealed.with_name("public.zip"))


def photo_of(sealed):
    with zipfile.ZipFile(sealed) as bag:
        (name,) = (n for n in bag.namelist() if n.startswith("data/photos/"))
    return name[12:76]


def test_nothing_personal_is_shown_that_nobody_released(sealed) -> None:
    listed, public = release(sealed, "")
    text = public.read("entries.json").decode()
    for word in ("Sam Deputy", "Robin Roads", "Dana Coordinator", "Cars stand", "lat_e7",
                 "the licensee", "public_key"):  # fmt: skip
        assert word not in text, word
    assert [n for n in public.namelist() if n.startswith("photos/")] == []
    assert {one["how"] for one in listed["photographs"]} == {"withheld"}
    assert '"finding": "not-met"' in text


def test_every_piece_is_tied_to_the_sealed_one_by_hash(sealed) -> None:
    listed, public = release(sealed, "")
    assert listed["sealed_bundle_sha256"] == hashlib.sha256(sealed.read_bytes()).hexdigest()
    with zipfile.ZipFile(sealed) as bag:
        lines = [json.loads(line) for line in bag.read("data/ledger.jsonl").splitlines()]
    shown = json.loads(public.read("entries.json"))
    assert [one["hash"] for one in shown] == [line["hash"] for line in lines]
    assert [one["entry"] for one in shown] == [line["entry"] for line in lines]


def test_a_redacted_picture_names_its_original_and_carries_no_place(sealed) -> None:
    sha = photo_of(sealed)
    exif = Image.Exif()
    exif[0x8825] = {1: "N"}
    sealed.with_name("blurred.jpg").write_bytes(picture(exif=exif))
    listed, public = release(
        sealed, f'texts.13 = "Notice about the exit"\nphotos.{sha} = "blurred.jpg"\n'
    )
    (one,) = listed["photographs"]
    content = public.read(f"photos/{sha}-redacted.jpg")
    assert (one["original_sha256"], one["how"]) == (sha, "redacted")
    assert one["copy_sha256"] == hashlib.sha256(content).hexdigest()
    assert not Image.open(io.BytesIO(content)).getexif()
    assert "Notice about the exit" in public.read("entries.json").decode()


@pytest.mark.parametrize(
    ("choices", "named"),
    [(f'photos.{"0" * 64} = "release"', "no such photograph"), ('texts.999 = "x"', "no such entry"),
     ("faces = true", "Extra inputs"), ("texts = ", "cannot be read")],
)  # fmt: skip
def test_a_choice_that_fits_nothing_is_refused(sealed, choices, named) -> None:
    with pytest.raises(InspectError, match=named):
        release(sealed, choices)
    assert not sealed.with_name("public.zip").exists()


def test_a_broken_bundle_is_not_copied(sealed) -> None:
    sealed.write_bytes(sealed.read_bytes().replace(b'"finding":"met"', b'"finding":"mat"', 1))
    with pytest.raises(InspectError, match="ledger entry"):
        release(sealed, "")


def test_purging_spares_the_record(lite, tmp_path) -> None:
    licence, *_ = tell(lite)
    new_phone(lite, "fire", local(20, 2))
    photo = picture()
    phone = new_phone(lite, "roads", local(20, 2))
    from inspect_web.store import devices

    with lite.read() as connection:
        device = devices.get(connection, phone.device_id)
        sha = next((lite.home / "media/originals").rglob("*.jpg")).stem
        media.public_copy(lite, connection, sha)
    media.take_chunk(lite, device, hashlib.sha256(photo).hexdigest(), offset=0,
                     length=len(photo), chunk=photo[:10], now=local(20, 2))  # fmt: skip
    for path in (p for p in (lite.home / "media").rglob("*") if p.is_file()):
        os.utime(path, (local(20, 2).timestamp(),) * 2)
    after = local(20, 2) + timedelta(days=400)
    counted = purge(lite, after, older_than_days=365, dry=True)
    assert purge(lite, after, older_than_days=365) == counted
    assert (counted.public_copies, counted.parts, counted.links) == (1, 1, 5)
    assert purge(lite, after, older_than_days=365).links == 0
    export(lite, licence.id, tmp_path / "b.zip", after)
    report = verify(tmp_path / "b.zip")
    assert (report.whole, report.items, report.photos) == (True, 7, 1)


def test_a_purge_while_phones_may_still_send_is_refused(lite) -> None:
    fill(lite)
    with pytest.raises(InspectError, match="30 days"):
        purge(lite, local(20, 2), older_than_days=29)
