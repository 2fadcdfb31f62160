"""What was fetched, written down: ``fetched.json`` for the record, ``catalog.toml`` for the checks."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import tomli_w
from pydantic import BaseModel, ConfigDict, ValidationError

from site_eval.errors import LayerError
from site_eval.files import read_text, whole_file, write_text
from site_eval.layers.catalog import LayerEntry

SCHEMA = "site-eval/fetched/1"
CATALOG, RECORD = "catalog.toml", "fetched.json"
_HEAD = """# Written by `site-eval layers fetch`, and written again by the next one: do not edit.
# Put layers of your own into another catalog.
"""


class Fetched(BaseModel):
    """One layer as it was got. ``server_count`` is the service's own number of rows."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: LayerEntry
    recipe_sha256: str
    verified_live: bool
    address: str
    asked: dict[str, Any]
    started: datetime
    finished: datetime
    resumed: bool
    questions: int
    pages: int
    rows: int | None
    server_count: int | None
    bytes: int
    vintage_rule: str
    remarks: tuple[str, ...]
    replaces: tuple[str, ...]


class Record(BaseModel):
    """``fetched.json``: the county and each layer that was got for it."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    schema_: str = SCHEMA
    county: str
    layers: tuple[Fetched, ...]


def read_record(folder: Path) -> Record | None:
    """The record of *folder*, or nothing when nothing was fetched into it yet."""
    file = folder / RECORD
    if not file.is_file():
        return None
    try:
        content = json.loads(read_text(file, what="record"))
        content["schema_"] = content.pop("schema")
        return Record.model_validate(content)
    except (ValueError, KeyError, AttributeError, ValidationError):
        raise LayerError(
            str(file), "this is no record of fetched layers", "name another --out, or remove it",
            code="layer.record",
        ) from None  # fmt: skip


def add_to_record(folder: Path, county: str, fetched: Fetched) -> Record:
    """Write the record and the catalog of *folder* anew with *fetched* in its place."""
    before = read_record(folder)
    others = [f for f in before.layers if f.entry.id != fetched.entry.id] if before else []
    layers = sorted([*others, fetched], key=lambda one: (one.entry.kind, one.entry.id))
    record = Record(county=county, layers=tuple(layers))
    content = record.model_dump(mode="json", exclude_none=True)
    content = {"schema": content.pop("schema_"), **content}
    write_text(folder / RECORD, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    _write_catalog(folder, record)
    return record


def _write_catalog(folder: Path, record: Record) -> None:
    left_out = sorted({name for one in record.layers for name in one.replaces})
    content: dict[str, Any] = {"extends": "bundled", "leave_out": left_out}
    content["layer"] = [_table(one.entry) for one in record.layers]
    with whole_file(folder / CATALOG) as temporary:
        temporary.write_text(_HEAD + tomli_w.dumps(content), encoding="utf-8", newline="\n")


def _table(entry: LayerEntry) -> dict[str, Any]:
    """An entry as the catalog's table: nothing that is not said, dates as TOML's own."""
    table = entry.model_dump(mode="json", exclude_defaults=True)
    return {
        key: date.fromisoformat(value) if key == "fetched" else value
        for key, value in table.items()
    }
