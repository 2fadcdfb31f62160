"""One partition, from its rows to its file of answers: what a worker does, on any machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely
from numpy.typing import NDArray
from pyproj import CRS

from site_eval.errors import SiteEvalError
from site_eval.files import whole_file
from site_eval.screening.cleaning import MENDED, cleaned, unbroken
from site_eval.screening.parcels import SHAPE
from site_eval.screening.partition import CHECKS, screen
from site_eval.screening.plan import Plan
from site_eval.screening.question import Question, Sources
from site_eval.solvers.compiled import available

# A fault that so many rows share is of the layers or of the tool, not of a parcel.
_MOST_BROKEN = 50
# From so many parcels on compiling pays.
_MANY = 100_000


@dataclass(frozen=True)
class Done:
    """A partition's number, and why it could not be answered (place, fault, mend), if so."""

    part: int
    refused: tuple[str, str, str] | None = None


@lru_cache(maxsize=2)
def sources_of(question: Question, *, many: bool = False) -> Sources:
    """The layers of a question, read once in each process."""
    return Sources(question, fast=many and available())


def answer_part(plan: Plan, part: int, question: Question) -> Done:
    """Answer a partition and put its file in place, whole or not at all."""
    try:
        numbers = plan.numbers(part)
        table = answered(plan, numbers, question)
        with whole_file(plan.part_file(part)) as temporary:
            pq.write_table(table, temporary)
    except SiteEvalError as error:
        return Done(part, (error.place, error.fault, error.mend))
    return Done(part)


def answered(plan: Plan, numbers: NDArray[np.int64], question: Question) -> pa.Table:
    """The rows of these numbers: their own columns, the geometry, the measures and verdicts."""
    rows = plan.read(numbers)
    wkb = rows.column(SHAPE).to_numpy()
    clean = cleaned(np.asarray(wkb, dtype=object), CRS.from_user_input(plan.crs))
    polygons, fault = clean.polygons.copy(), clean.fault.copy()
    table = _screened(polygons, fault, sources_of(question, many=plan.rows >= _MANY))
    named = _named(rows, plan.id_columns)
    broken = ~unbroken(fault)
    for at in np.flatnonzero(broken):
        fault[at] = f"row {numbers[at] + 1}{named(at)}: {fault[at]}"
    own = {_own_name(n, table.columns): rows.column(n) for n in plan.id_columns}
    shown = np.asarray(polygons, dtype=object)
    return pa.table(
        own
        | {"row": pa.array(numbers + 1)}
        | {name: _column(name, table[name]) for name in table.columns}
        | {
            "note": pa.array([MENDED if m else None for m in clean.mended], pa.string()),
            "error": pa.array(fault, pa.string()),
            "geometry": pa.array(shapely.to_wkb(shown), pa.binary()),
        }
    )


def _screened(polygons: NDArray[Any], fault: NDArray[Any], sources: Sources) -> pd.DataFrame:
    """Answer all rows at once; when that fails, look for the rows that break it, by halves."""
    try:
        return screen(polygons, sources)
    except SiteEvalError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever one row breaks, the others are answered
        words = str(error).strip().rstrip(".") or type(error).__name__
    known = np.flatnonzero(~shapely.is_missing(polygons))
    if len(known) == 1:
        fault[known] = f"it could not be measured ({words[:1].lower()}{words[1:]})"
        polygons[known] = None
        return screen(polygons, sources)
    _require_few(fault, words)
    halves = []
    for half in np.array_split(np.arange(len(polygons)), 2):
        some, why = polygons[half], fault[half]
        halves.append(_screened(some, why, sources))
        polygons[half], fault[half] = some, why
    return pd.concat(halves, ignore_index=True)


def _require_few(fault: NDArray[Any], words: str) -> None:
    unmeasured = [f for f in fault if f and f.startswith("it could not be measured")]
    if len(unmeasured) > _MOST_BROKEN:
        raise SiteEvalError("layers", f"parcels cannot be measured ({words})", "check the layers")


def _named(rows: pa.Table, id_columns: Sequence[str]) -> Any:
    """How a row is named beside its number: by its first identifying column."""
    if not id_columns:
        return lambda _at: ""
    name = id_columns[0]
    return lambda at: f" ({name} {rows.column(name)[int(at)].as_py()})"


def _own_name(name: str, ours: Any) -> str:
    """An input column whose name is one of ours gives way."""
    taken = {*ours, "row", "note", "error", "geometry"}
    return f"input_{name}" if name in taken else name


def _column(name: str, values: pd.Series[Any]) -> pa.Array:
    if name == "fronts_road":
        return pa.array(values, pa.bool_(), from_pandas=True)
    if values.dtype.kind == "f":
        return pa.array(values, pa.float64(), from_pandas=True)
    return pa.array(values, pa.string(), from_pandas=True)


def verdict_columns() -> list[str]:
    """The names of the columns that hold verdicts."""
    return [f"verdict_{name}" for name in CHECKS]
