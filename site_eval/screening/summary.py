"""A screening in a few numbers: verdicts by question, and the rows that could not be used."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from site_eval.record.verdict import Verdict
from site_eval.screening.part import verdict_columns
from site_eval.screening.plan import Plan

_TOLD = 20


@dataclass(frozen=True)
class Summary:
    """``verdicts`` by question and verdict; ``errors`` are the first of ``broken`` rows."""

    parcels: int
    broken: int
    mended: int
    verdicts: dict[str, dict[str, int]]
    errors: tuple[str, ...]


def summarise(plan: Plan) -> Summary:
    """Count the answers of every partition."""
    columns = verdict_columns()
    counts: dict[str, Counter[str]] = {name: Counter() for name in columns}
    errors: list[str] = []
    broken = mended = 0
    for number in range(plan.parts):
        table = pq.read_table(plan.part_file(number), columns=[*columns, "note", "error"])
        for name in columns:
            counts[name].update(_counted(table.column(name)))
        faults = table.column("error").drop_null()
        broken += len(faults)
        mended += len(table) - table.column("note").null_count
        errors += faults.to_pylist()[: _TOLD - len(errors)]
    words = [verdict.value for verdict in Verdict]
    return Summary(
        parcels=plan.rows,
        broken=broken,
        mended=mended,
        verdicts={
            name.removeprefix("verdict_"): {w: count[w] for w in words if count[w]}
            for name, count in counts.items()
        },
        errors=tuple(errors),
    )


def _counted(column: Any) -> dict[str, int]:
    found = pc.value_counts(column)
    values, counts = found.field("values"), found.field("counts")
    return {str(v): int(n) for v, n in zip(values.to_pylist(), counts.to_pylist(), strict=True)}


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary as plain JSON."""
    return {
        "parcels": summary.parcels,
        "broken": summary.broken,
        "mended": summary.mended,
        "verdicts": summary.verdicts,
        "errors": list(summary.errors),
    }
