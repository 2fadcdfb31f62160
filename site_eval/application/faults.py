"""What pydantic found wrong, as one sentence each for the person who wrote the application."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from site_eval.errors import ApplicationError

_EXPECTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false, without quotes",
    "string_type": "text in quotes",
    "tuple_type": "a list in square brackets",
    "list_type": "a list in square brackets",
    "dict_type": "a table",
    "model_type": "a table",
    "missing": "a pair of times",
    "too_long": "a pair of times",
}
_BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}


def sentence(path: Path, error: ErrorDetails, root: type[BaseModel]) -> ApplicationError:
    """The application error that says what pydantic's *error* means in the file *path*."""
    code, fault, mend = _meaning(error, root)
    place = f"{path} ({dotted(error['loc'])})"
    return ApplicationError(place, fault, mend, code=f"application.{code}")


def dotted(location: tuple[int | str, ...]) -> str:
    """A key's place for people: ``approval 2, date``; lists are counted from one."""
    words = ""
    for step in location:
        words += (
            f" {step + 1}"
            if isinstance(step, int)
            else f"{', ' if words[-1:].isdigit() else '.'}{step}"
        )
    return words.lstrip(". ") or "the whole file"


def nearest(name: str, known: list[str]) -> str:
    """A mend that names the nearest of *known*, or them all."""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    return f"perhaps '{near[0]}' is meant" if near else f"use one of: {', '.join(sorted(known))}"


def _meaning(error: ErrorDetails, root: type[BaseModel]) -> tuple[str, str, str]:
    kind, location, found = error["type"], error["loc"], error["input"]
    context = error.get("ctx", {})
    if kind == "site":
        return context["code"], context["fault"], context["mend"]
    if kind == "extra_forbidden":
        return "unknown-key", *_unknown(location, root)
    if kind == "missing" and isinstance(location[-1], str):
        return "missing-key", f"the key '{location[-1]}' is missing", "add it"
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return "out-of-range", f"{found} is out of range", f"give {words} {context[name]:,}"
    if kind == "literal_error":
        return "wrong-value", f"'{found}' is not known here", f"use {context['expected']}"
    return _other(kind, location, found, error["msg"])


def _unknown(location: tuple[int | str, ...], root: type[BaseModel]) -> tuple[str, str]:
    model = _model_at(location[:-1], root)
    known = list(model.model_fields) if model else []
    return f"there is no key '{location[-1]}' here", nearest(str(location[-1]), known)


def _other(
    kind: str, location: tuple[int | str, ...], found: Any, message: str
) -> tuple[str, str, str]:
    if kind in {"string_too_short", "too_short"}:
        return "missing-key", "nothing is written here", f"give at least one {location[-1]}"
    if kind in _EXPECTED:
        shown = repr(found) if len(repr(found)) <= 60 else f"{repr(found)[:57]}..."
        return "wrong-type", f"found {shown}", f"expected {_EXPECTED[kind]}"
    return "wrong-value", message[:1].lower() + message[1:], "mend this value"


def _model_at(location: tuple[int | str, ...], root: type[BaseModel]) -> type[BaseModel] | None:
    model: type[BaseModel] | None = root
    for step in location:
        if isinstance(step, int):
            continue
        field = model.model_fields.get(step) if model else None
        model = inner_model(field.annotation) if field else None
    return model


def inner_model(annotation: Any) -> type[BaseModel] | None:
    """The table within an annotation such as ``Many[Land]`` or ``Insurance | None``, if any."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in {Annotated, Union, UnionType, tuple}:
        found = (inner_model(part) for part in get_args(annotation))
        return next((model for model in found if model), None)
    return None
