"""From an ``application.toml`` to an ``Application``, and from a dotted path to its value."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from site_eval.application.faults import inner_model, sentence
from site_eval.application.tables import Application
from site_eval.errors import ApplicationError, ManyErrors, SiteEvalError
from site_eval.files import read_text, require_file

MAX_BYTES = 4 * 1024 * 1024


def read_application(path: Path, *, also: Iterable[str] = ()) -> Application:
    """The application in the TOML file *path*, checked; its files are relative to its folder.

    *also* are dotted paths that the ordinance declares beyond the known ones, such as
    ``plan.showers.heads``; they hold numbers, texts, booleans or (``plan``, ``file``) files.
    Raises ``ManyErrors`` with every fault of the file.
    """
    content = _toml(path)
    extra = set(also) - known_paths()
    more = {name: value for name in sorted(extra) if (value := _taken(content, name)) is not None}
    faults: list[SiteEvalError] = [
        _bad_extra(path, *item) for item in more.items() if not _plain(item[1])
    ]
    context = {"folder": path.parent}
    try:
        application = Application.model_validate(content, context=context)
    except ValidationError as error:
        faults += [sentence(path, detail, Application) for detail in _telling(error)]
    if faults:
        raise ManyErrors(faults)
    application._file = path  # noqa: SLF001 - the one place that fills what the file cannot say
    # A path that only the ordinance knows is None where the application leaves it out.
    application._more = {name: more.get(name) for name in sorted(extra)}  # noqa: SLF001 - likewise
    application._read = _json(_nested(application, more), path.parent)  # noqa: SLF001 - likewise
    return application


def value_at(application: Application, path: str) -> Any:
    """The value at a dotted path such as ``plan.toilets.female``, or None when it is not given.

    Through a list of tables the answer is the tuple of the values given, None when there is none.
    Raises ``KeyError`` for a path that no application can hold.
    """
    if path in application.more:
        return application.more[path]
    value: Any = application
    for key in path.split("."):
        value = _step(value, key, path)
    return None if value == () else value


@cache
def known_paths() -> frozenset[str]:
    """Every dotted path that an application may hold; lists of tables are written without index."""
    return frozenset(_paths(Application, ""))


def _toml(path: Path) -> dict[str, Any]:
    require_file(path, what="application", limit_bytes=MAX_BYTES)
    try:
        return tomllib.loads(read_text(path, what="application"))
    except tomllib.TOMLDecodeError as error:
        said, _, where = str(error).rpartition(" (at ")
        place = f"{path}, {where.rstrip(')')}" if said else str(path)
        fault = f"this is not TOML ({(said or str(error)).lower()})"
        raise ApplicationError(place, fault, "mend the line", code="application.toml") from None
    except (RecursionError, ValueError):
        raise ApplicationError(
            str(path),
            "this is not TOML that can be read",
            "write it anew from the example",
            code="application.toml",
        ) from None


def _telling(error: ValidationError) -> list[ErrorDetails]:
    """Pydantic's errors without "too short" for a list whose items failed and are told already."""
    every = error.errors(include_url=False)
    inner = {detail["loc"][:1] for detail in every if len(detail["loc"]) > 1}
    return [d for d in every if d["type"] != "too_short" or d["loc"] not in inner]


def _taken(content: dict[str, Any], path: str) -> Any:
    *tables, key = path.split(".")
    inner: Any = content
    for table in tables:
        inner = inner.get(table) if isinstance(inner, dict) else None
    if not isinstance(inner, dict) or key not in inner:
        return None
    value = inner.pop(key)
    if not inner:
        _drop_empty(content, tables)
    return value


def _drop_empty(content: dict[str, Any], tables: list[str]) -> None:
    parent = content
    for table in tables[:-1]:
        parent = parent[table]
    del parent[tables[-1]]


def _plain(value: Any) -> bool:
    return isinstance(value, bool | int | str) or (isinstance(value, float) and abs(value) < 1e12)


def _bad_extra(path: Path, name: str, value: Any) -> ApplicationError:
    return ApplicationError(
        f"{path} ({name})",
        f"found {str(value)[:60]!r}",
        "expected a number, a text, true or false",
        code="application.wrong-type",
    )


def _step(value: Any, key: str, path: str) -> Any:
    if isinstance(value, tuple):
        inner = tuple(_step(item, key, path) for item in value)
        return tuple(item for item in inner if item is not None)
    if value is None:
        return None
    if key not in type(value).model_fields:
        raise KeyError(path)
    return getattr(value, key)


def _paths(model: type[BaseModel], prefix: str) -> list[str]:
    found = []
    for name, field in model.model_fields.items():
        inner = inner_model(field.annotation)
        found.append(f"{prefix}{name}")
        if inner:
            found += _paths(inner, f"{prefix}{name}.")
    return found


def _nested(application: Application, more: dict[str, Any]) -> dict[str, Any]:
    content = application.model_dump(exclude_unset=True)
    for path, value in more.items():
        *tables, key = path.split(".")
        inner = content
        for table in tables:
            inner = inner.setdefault(table, {})
        inner[key] = value
    return content


def _json(value: Any, folder: Path) -> Any:
    if isinstance(value, dict):
        return {key: _json(item, folder) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item, folder) for item in value]
    if isinstance(value, Path):
        return Path(os.path.relpath(value, folder)).as_posix()
    if isinstance(value, time):
        return value.isoformat("minutes")
    return value.isoformat() if isinstance(value, datetime | date) else value
