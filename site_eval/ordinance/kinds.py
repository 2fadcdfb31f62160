"""The kinds of plain value in an ordinance file: finite numbers and hours of the day."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError


def refusal(words: str, **found: Any) -> PydanticCustomError:
    """An error whose *words* reach the person who wrote the file: a fault, "; ", and the mend."""
    return PydanticCustomError("ordinance", words, found)


def plain_number(value: Any) -> Any:
    """A number as TOML has it; a text or a truth value is not one."""
    if isinstance(value, bool | str):
        raise refusal("found {found}; write a number without quotes", found=repr(value))
    return value


def hour_of_day(value: Any) -> float:
    """Hours from "22:30"; "24:00" is the end of the day."""
    try:
        hour, minute = (int(part) for part in str(value).split(":"))
    except ValueError:
        hour, minute = -1, 0
    hours = hour + minute / 60
    if not (0 <= minute < 60 and 0.0 <= hours <= 24.0):
        raise refusal("'{found}' is not a time of day; write it as \"22:30\"", found=value)
    return hours


Number = Annotated[float, BeforeValidator(plain_number), Field(allow_inf_nan=False)]
HourOfDay = Annotated[float, BeforeValidator(hour_of_day, json_schema_input_type=str)]
