"""A copy for the public: what a person chose to release, each piece tied to the sealed one by hash."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from PIL import Image, UnidentifiedImageError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspect_web.errors import InspectError
from inspect_web.evidence.verify import Bag, verify
from inspect_web.inspection.observation import write_instant
from site_eval.record.canonical import canonical_sha256

ITEM_FACTS = ("id", "item_id", "finding", "answer", "observed_at", "clock", "checklist_version")
ACT_FACTS = ("condition", "served_at", "cure_by", "choice", "vote", "begins", "ends", "order")
PERSONAL = "withheld unless a person releases it"


class Choices(BaseModel):
    """What somebody decided to release. Whatever is not named here stays withheld.

    ``photos`` maps the SHA-256 of an original to a redacted picture beside this file, or to
    ``release``; ``texts`` maps the number of a ledger entry to the text to be shown in place of its
    note; ``places`` releases positions.
    """

    model_config = ConfigDict(extra="forbid")

    chosen_by: str = Field(min_length=1)
    reason: str = Field(min_length=1)
    photos: dict[str, str] = {}
    texts: dict[str, str] = {}
    places: bool = False


@dataclass(frozen=True)
class _Copied:
    """A released picture: the sealed original's hash, how, and the bytes of the copy."""

    original: str
    how: Literal["released", "redacted"]
    content: bytes


def redact(bundle: Path, choices_file: Path, target: Path, now: datetime) -> dict[str, Any]:
    """Write the public copy of *bundle* to *target*; returns its list of redactions.

    Names of people, notes, positions and photographs are left out unless *choices_file* (TOML)
    releases them. Every piece names the hash of the sealed piece that it stands for. Raises
    ``InspectError`` when the bundle is not whole or a choice names what is not there.
    """
    report = verify(bundle)
    if not report.whole:
        fault = report.faults[0]
        raise InspectError(fault.where, fault.what, "redact a whole bundle", found=str(bundle))
    choices = _choices(choices_file)
    bag = Bag(bundle)
    lines = [json.loads(line) for line in bag.read("data/ledger.jsonl").splitlines()]
    copies = list(_copies(bag, choices, choices_file.parent))
    _refuse_unknown(choices, lines, copies)
    entries = [_entry(line, choices) for line in lines]
    listed = {
        "schema": "inspect-web/public-copy/1",
        "made_at": write_instant(now),
        "chosen_by": choices.chosen_by,
        "reason": choices.reason,
        "sealed_bundle_sha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
        "sealed_head": json.loads(bag.read("data/head.json")),
        "photographs": _photographs(lines, copies),
        "withheld": PERSONAL,
    }
    _write(target, entries, listed, copies)
    return listed


def _choices(path: Path) -> Choices:
    try:
        return Choices.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InspectError(str(path), f"cannot be read ({error})", "write it as TOML") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InspectError(f"{path} {place}", first["msg"], "see docs/evidence.md") from None


def _copies(bag: Bag, choices: Choices, folder: Path) -> Iterator[_Copied]:
    held = {Path(n).stem: n for n in bag.names if n.startswith("data/photos/")}
    for sha, said in sorted(choices.photos.items()):
        if sha not in held:
            raise InspectError(f"photos.{sha}", "no such photograph in the bundle", "correct it")
        source = bag.read(held[sha]) if said == "release" else _file(folder / said)
        yield _Copied(sha, "released" if said == "release" else "redacted", _plain(source, said))


def _file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InspectError(str(path), f"cannot be read ({error})", "name a picture") from None


def _plain(content: bytes, name: str) -> bytes:
    """The picture alone: no place, camera or time that its file may carry."""
    stream = io.BytesIO()
    try:
        with Image.open(io.BytesIO(content)) as picture:
            picture.convert("RGB").save(stream, "JPEG", quality=88)
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
        raise InspectError(name, "not a picture", "give a JPEG or PNG") from None
    return stream.getvalue()


def _refuse_unknown(choices: Choices, lines: list[dict[str, Any]], copies: list[_Copied]) -> None:
    numbers = {str(line["entry"]["seq"]) for line in lines if line["body"] is not None}
    for number in choices.texts:
        if number not in numbers:
            raise InspectError(f"texts.{number}", "no such entry in the bundle", "correct it")
    same = [c for c in copies if hashlib.sha256(c.content).hexdigest() == c.original]
    if same:
        raise InspectError(f"photos.{same[0].original}", "the copy is the original", "correct it")


def _entry(line: dict[str, Any], choices: Choices) -> dict[str, Any]:
    """What is shown of an entry; ``hash`` is the sealed entry's, so the sealed bundle has it."""
    entry, body = line["entry"], line["body"] or {}
    facts = {key: body[key] for key in ACT_FACTS if key in body}
    if entry["kind"] == "item":
        item = body.get("item", {})
        facts = {key: item[key] for key in ITEM_FACTS if key in item}
        facts["photographs"] = [photo["sha256"] for photo in item.get("photos", [])]
        if choices.places:
            facts["place"] = item.get("place")
        facts["item_sha256"] = canonical_sha256(item) if item else ""
    text = choices.texts.get(str(entry["seq"]))
    shown = {"entry": entry, "hash": line["hash"], "facts": facts}
    return shown if text is None else {**shown, "text": text}


def _photographs(lines: list[dict[str, Any]], copies: list[_Copied]) -> list[dict[str, str]]:
    made = {copy.original: copy for copy in copies}
    sealed = sorted(
        line["body"]["sha256"]
        for line in lines
        if line["entry"]["kind"] == "photo" and line["body"]
    )
    return [
        {
            "original_sha256": sha,
            "how": made[sha].how if sha in made else "withheld",
            "copy_sha256": hashlib.sha256(made[sha].content).hexdigest() if sha in made else "",
        }
        for sha in sealed
    ]


def _write(
    target: Path, entries: list[dict[str, Any]], listed: dict[str, Any], copies: list[_Copied]
) -> None:
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    files = {"redactions.json": _text(listed), "entries.json": _text(entries)}
    files |= {f"photos/{one.original}-{one.how}.jpg": one.content for one in copies}
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    part.replace(target)


def _text(value: Any) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True).encode()
