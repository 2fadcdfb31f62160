"""Licences: imported from an evaluation, a new version for every change, older ones kept."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy import Connection, Row, select, update

from inspect_web.errors import InspectError, NotFound
from inspect_web.inspection.observation import write_instant
from inspect_web.store import ledger
from inspect_web.store.tables import licence, licence_version
from site_eval.record.condition import Checklist

_Model = TypeVar("_Model", bound=BaseModel)


class EvaluationFile(BaseModel):
    """What is read of ``evaluation.json``: the checklist, the land and the layout."""

    model_config = ConfigDict(extra="ignore")

    checklist: Checklist
    site: dict[str, Any]
    layout: dict[str, Any]


@dataclass(frozen=True)
class Licence:
    """A licence at one version. ``site`` is a GeoJSON geometry, ``layout`` a collection."""

    id: str
    number: str
    event: str
    state: str
    version: int
    checklist: Checklist
    site: dict[str, Any]
    layout: dict[str, Any]


def read_evaluation(text: str, name: str) -> EvaluationFile:
    """The part of an evaluation that a licence needs; raises ``InspectError`` naming the key."""
    file = _read(EvaluationFile, text, name, "write it with 'site-eval evaluate'")
    _no_item_twice(file.checklist, name)
    return file


def with_checklist(file: EvaluationFile, text: str, name: str) -> EvaluationFile:
    """The evaluation with the checklist that the Board granted, made by ``site-eval grant``.

    Raises ``InspectError`` for one that was made for another event, ordinance or crowd.
    """
    checklist = _read(Checklist, text, name, "write it with 'site-eval grant'")
    _no_item_twice(checklist, name)
    applied = file.checklist
    if (checklist.ordinance_id, checklist.terms) != (applied.ordinance_id, applied.terms):
        raise InspectError(
            name, "it is for another application", "name the checklist made from this evaluation"
        )
    return file.model_copy(update={"checklist": checklist})


def _read(model: type[_Model], text: str, name: str, mend: str) -> _Model:
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(p) for p in first["loc"])
        raise InspectError(f"{name} {where}".strip(), first["msg"], mend) from None


def _no_item_twice(checklist: Checklist, name: str) -> None:
    ids = [i.id for i in checklist.items]
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise InspectError(name, f"item {twice[0]} occurs twice", "give each item its own id")


def import_licence(
    connection: Connection, file: EvaluationFile, *, number: str, now: datetime
) -> Licence:
    """A new licence, or a new version of the licence with this *number*."""
    row = connection.execute(select(licence).where(licence.c.number == number)).first()
    event = file.checklist.terms.event
    if row is None:
        id_, version = secrets.token_hex(8), 1
        connection.execute(
            licence.insert().values(id=id_, number=number, event=event, state="in-force", version=1)
        )
    else:
        id_, version = row.id, row.version + 1
        connection.execute(
            update(licence).where(licence.c.id == id_).values(version=version, event=event)
        )
    checklist = file.checklist.model_dump_json(by_alias=True)
    connection.execute(
        licence_version.insert().values(
            licence=id_,
            version=version,
            checklist=checklist,
            site=json.dumps(file.site["geometry"]),
            layout=json.dumps(file.layout),
            imported_at=write_instant(now),
        )
    )
    # Thresholds are floats, which canonical JSON refuses: the ledger holds the text as it was.
    body = {"number": number, "version": version, "checklist_json": checklist}
    ledger.append(connection, "licence-version", body, now=now, licence=id_)
    return get(connection, id_)


def get(connection: Connection, id_: str, version: int | None = None) -> Licence:
    """The licence by id or number, at its newest version or the one named; raises ``NotFound``."""
    row = connection.execute(
        select(licence).where((licence.c.id == id_) | (licence.c.number == id_))
    ).first()
    if row is None:
        raise NotFound(f"licence {id_}", "there is none", "look at the list of licences")
    kept = connection.execute(
        select(licence_version).where(
            licence_version.c.licence == row.id,
            licence_version.c.version == (version or row.version),
        )
    ).first()
    if kept is None:
        raise NotFound(f"licence {row.number}", f"no version {version}", "use a version it has")
    return _licence(row, kept)


def everyone(connection: Connection) -> list[Licence]:
    """All licences by number, each at its newest version."""
    numbers = connection.execute(select(licence.c.id).order_by(licence.c.number)).scalars()
    return [get(connection, id_) for id_ in numbers.all()]


def set_state(connection: Connection, id_: str, state: str) -> None:
    """What the Board's decision makes of the licence: ``in-force``, ``suspended`` or ``revoked``."""
    connection.execute(update(licence).where(licence.c.id == id_).values(state=state))


def _licence(row: Row[Any], kept: Row[Any]) -> Licence:
    return Licence(
        id=row.id, number=row.number, event=row.event, state=row.state, version=kept.version,
        checklist=Checklist.model_validate_json(kept.checklist), site=json.loads(kept.site),
        layout=json.loads(kept.layout),
    )  # fmt: skip
