"""Cells of a layout's table as typed properties, and the faults that are told together."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from site_eval.errors import LayoutError, ManyErrors, SiteEvalError

# Property: whole number or not, least value, whether the least itself is allowed, greatest.
_NUMBERS: dict[str, tuple[bool, float, bool, float]] = {
    "count": (True, 0, True, 1e6),
    "spaces": (True, 0, True, 1e6),
    "width_ft": (False, 0, False, 1e4),
    "mount_height_ft": (False, 0, False, 1e3),
    "lumens": (False, 0, False, 1e9),
    "sound_level_dba": (False, 0, False, 160),
    "reference_distance_ft": (False, 0, False, 5e3),
    "gallons": (False, 0, True, 1e9),
}
PROPERTIES = ("name", "surface", *_NUMBERS)


def properties_of(place: str, row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    faults: list[SiteEvalError] = []
    for key in sorted(set(row) - {"role", "name", "id"}):
        value = _plain(row[key])
        if value is None:
            continue
        try:
            found[key] = _number(place, key, value) if key in _NUMBERS else value
        except LayoutError as error:
            faults.append(error)
    raise_any(faults)
    return found


def _number(place: str, key: str, value: Any) -> int | float:
    whole, least, allowed, greatest = _NUMBERS[key]
    bound = f"{'at least' if allowed else 'more than'} {least:g} and at most {greatest:,.0f}"
    wanted = f"give {'a whole number' if whole else 'a number'}, {bound}"
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    inside = (number >= least if allowed else number > least) and number <= greatest
    if isinstance(value, bool) or not inside or (whole and not number.is_integer()):
        raise LayoutError(place, f"{key} is '{value}'", wanted, code="layout.property")
    return int(number) if whole else number


def _plain(value: Any) -> Any:
    """A cell as a JSON value; None for missing, empty, and what JSON cannot hold."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return value.strip() or None
    return value if isinstance(value, bool | int | float) else None


def text_of(value: Any) -> str:
    plain = _plain(value)
    if isinstance(plain, float) and plain.is_integer():
        return str(int(plain))
    return "" if plain is None else str(plain)


def fault(path: Path, found: str, mend: str, code: str) -> LayoutError:
    """An error of the layout file as a whole."""
    return LayoutError(str(path), found, mend, code=f"layout.{code}")


def raise_any(faults: Iterable[SiteEvalError]) -> None:
    """Raise all *faults* together, if there are any."""
    every = list(faults)
    if every:
        raise ManyErrors(every)
