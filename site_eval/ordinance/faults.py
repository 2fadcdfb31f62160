"""What pydantic found wrong in an ordinance file, as one sentence each for the person who wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from site_eval.errors import OrdinanceError

_EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text in quotes",
    "tuple_type": "a list in square brackets",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "date_type": "a day such as 2015-04-20",
    "date_from_datetime_parsing": "a day such as 2015-04-20",
}
_BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
}


def sentences(
    path: Path, error: ValidationError, content: dict[str, Any], root: type[BaseModel]
) -> list[OrdinanceError]:
    """An ordinance error for each of pydantic's, in the order of the file."""
    telling = [d for d in error.errors(include_url=False) if not _follows(d)]
    return [_sentence(path, detail, content, root) for detail in telling]


def _follows(detail: ErrorDetails) -> bool:
    """Whether a list is "too short" only because its members failed, which is told already."""
    if detail["type"] != "too_short":
        return False
    found = detail["input"]
    return isinstance(found, list) and len(found) >= detail["ctx"]["min_length"]


def _sentence(
    path: Path, detail: ErrorDetails, content: dict[str, Any], root: type[BaseModel]
) -> OrdinanceError:
    location = _without_tags(detail, content)
    code, fault, mend = _meaning(detail, root)
    place = f"{path} ({_place(location, content)})"
    return OrdinanceError(place, fault, mend, code=f"ordinance.{code}")


def _meaning(detail: ErrorDetails, root: type[BaseModel]) -> tuple[str, str, str]:
    kind, last = detail["type"], detail["loc"][-1:]
    if kind == "extra_forbidden":
        return "unknown-key", f"there is no key '{last[0]}' here", _nearest_key(detail, root)
    if kind == "missing":
        return "missing-key", f"the key '{last[0]}' is missing", "add it"
    if kind in {"union_tag_invalid", "union_tag_not_found"}:
        return _unknown_kind(detail)
    return _wrong_value(detail)


def _wrong_value(detail: ErrorDetails) -> tuple[str, str, str]:
    kind, found = detail["type"], detail["input"]
    if kind == "literal_error":
        words = str(detail["ctx"]["expected"]).replace(" or ", ", ")
        known = [word.strip("' ") for word in words.split(",")]
        return "wrong-value", f"'{found}' is not known here", _nearest(str(found), known)
    if kind in _EXPECTED:
        return "wrong-type", f"found {str(found)[:60]!r}", f"expected {_EXPECTED[kind]}"
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return "out-of-range", f"{found} is out of range", f"give {words} {detail['ctx'][name]:g}"
    said, _, mend = detail["msg"].rstrip(".").partition("; ")
    return "wrong-value", said[:1].lower() + said[1:], mend or "mend this value"


def _unknown_kind(detail: ErrorDetails) -> tuple[str, str, str]:
    if detail["type"] == "union_tag_not_found":
        return "missing-key", "the rule has no kind", 'add kind = "rate" or another kind'
    known = str(detail["ctx"]["expected_tags"]).replace("'", "").split(", ")
    tag = str(detail["ctx"]["tag"])
    return "unknown-kind", f"there is no kind of rule '{tag}'", _nearest(tag, known)


def _nearest_key(detail: ErrorDetails, root: type[BaseModel]) -> str:
    model = _model_at(detail["loc"][:-1], root)
    known = [f.alias or name for name, f in model.model_fields.items()] if model else []
    return _nearest(str(detail["loc"][-1]), known)


def _nearest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"perhaps '{near[0]}' is meant" if near else f"use one of: {', '.join(known)}"


def _place(location: tuple[int | str, ...], content: Any) -> str:
    """The place for people: a clause by its id, other lists counted from one."""
    words: list[str] = []
    for step in location:
        content = _stepped(content, step)
        if isinstance(step, int):
            name = content.get("id") if isinstance(content, dict) else None
            words[-1] = f"{words[-1]} '{name}'" if name else f"{words[-1]} {step + 1}"
        else:
            words.append(step)
    return ", ".join(words) or "the whole file"


def _without_tags(detail: ErrorDetails, content: Any) -> tuple[int | str, ...]:
    """The location without the names that pydantic adds for the members of a union."""
    location = detail["loc"]
    names_a_key = detail["type"] in {"missing", "extra_forbidden"}
    kept: list[int | str] = []
    for index, step in enumerate(location):
        inner = _stepped(content, step)
        last = index == len(location) - 1
        if inner is None and isinstance(step, str) and not (last and names_a_key):
            continue
        kept.append(step)
        content = inner
    return tuple(kept)


def _stepped(content: Any, step: int | str) -> Any:
    if isinstance(content, dict):
        return content.get(step)
    if isinstance(content, list) and isinstance(step, int) and step < len(content):
        return content[step]
    return None


def _model_at(location: tuple[int | str, ...], root: type[BaseModel]) -> type[BaseModel] | None:
    model: type[BaseModel] | None = root
    choices: list[type[BaseModel]] = []
    for step in location:
        if isinstance(step, int):
            continue
        tagged = next((m for m in choices if _tag(m) == step), None)
        if tagged is not None:
            model, choices = tagged, []
            continue
        found = _field(model, step)
        if found is None:
            continue
        choices = list(_models(found))
        model = choices[0] if choices else None
    return model


def _field(model: type[BaseModel] | None, step: str) -> Any:
    for name, field in model.model_fields.items() if model else ():
        if step in {name, field.alias}:
            return field.annotation
    return None


def _tag(model: type[BaseModel]) -> str | None:
    field = model.model_fields.get("kind")
    return field.default if field is not None else None


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) in {Annotated, Union, UnionType, tuple}:
        for part in get_args(annotation):
            yield from _models(part)
