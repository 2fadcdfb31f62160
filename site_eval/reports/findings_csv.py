"""``findings.csv``: one line a finding, for a spreadsheet."""

from __future__ import annotations

import csv
import io

from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding

COLUMNS = (
    "check",
    "clause",
    "citation",
    "question",
    "verdict",
    "statement",
    "measured",
    "measured_unit",
    "measured_low",
    "measured_high",
    "required",
    "required_unit",
    "comparison",
    "formula",
    "reasons",
    "agency",
    "sources",
)
# A spreadsheet runs a cell that opens with one of these as a formula.
_FORMULA_OPENERS = ("=", "+", "-", "@", "\t", "\r")


def findings_csv(evaluation: Evaluation) -> str:
    """The findings as RFC 4180 text with a header, in the order of the record.

    Text that a spreadsheet would run as a formula is given an apostrophe in front.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for finding in evaluation.findings:
        writer.writerow(_row(finding))
    return stream.getvalue()


def _row(finding: Finding) -> list[str]:
    measured, required = finding.measured, finding.required
    text = [
        finding.check,
        finding.clause.id,
        finding.clause.citation,
        finding.question,
        finding.verdict.value,
        finding.statement,
    ]
    tail = [
        " | ".join(finding.reasons),
        finding.agency or "",
        " | ".join(f"{s.name} ({s.vintage}, {s.grade.value})" for s in finding.sources),
    ]
    return [
        *map(_safe, text),
        *([_bare(measured.value), _safe(measured.unit)] if measured else ["", ""]),
        *([_bare(measured.low), _bare(measured.high)] if measured else ["", ""]),
        *([_bare(required.value), _safe(required.unit)] if required else ["", ""]),
        *([required.comparison, _safe(required.formula)] if required else ["", ""]),
        *map(_safe, tail),
    ]


def _bare(value: float | None) -> str:
    """A number as a spreadsheet reads it: no separators, no ``.0``."""
    if value is None:
        return ""
    return str(int(value)) if value == int(value) else repr(round(value, 7))


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_OPENERS) else text
