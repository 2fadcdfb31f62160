"""The findings as a table in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding
from site_eval.record.verdict import Verdict
from site_eval.reports.words import (
    VERDICTS,
    Group,
    by_group,
    check_title,
    measured_words,
    required_words,
)

_COLOURS = {
    Verdict.COMPLIES: "green",
    Verdict.DOES_NOT_COMPLY: "bold red",
    Verdict.NEEDS_REVIEW: "yellow",
    Verdict.NOT_DETERMINED: "cyan",
    Verdict.NOT_APPLICABLE: "dim",
}
# Below this many columns the statement gets a line of its own.
_NARROW = 100


def print_table(evaluation: Evaluation, console: Console) -> None:
    """Print the findings, grouped by check, and how many there are of each verdict.

    A verdict is a sign and a word; colour only helps.
    """
    terms = evaluation.checklist.terms
    console.print(Text(terms.event, style="bold"))
    console.print(
        f"{evaluation.ordinance.citation}; as of {evaluation.as_of}; "
        f"{terms.maximum:,} persons; {evaluation.site.area_acres:,.2f} acres",
        highlight=False,
        markup=False,
    )
    narrow = console.width < _NARROW
    clause_width = max((len(f.clause.id) for f in evaluation.findings), default=6)
    for group, findings in by_group(evaluation.findings):
        console.print()
        console.print(_table(group, findings, min(clause_width, 14), narrow=narrow))
    console.print()
    console.print(_summary(evaluation))


def _table(group: Group, findings: list[Finding], clause_width: int, *, narrow: bool) -> Table:
    table = Table(
        title=Text(group.title, style="bold"), title_justify="left", box=None, pad_edge=False
    )
    table.add_column("Verdict", no_wrap=True, width=17)
    table.add_column("Check", width=14 if narrow else 20)
    table.add_column("Clause", width=max(clause_width, 6))
    table.add_column("Finding", ratio=1)
    table.expand = True
    for finding in findings:
        table.add_row(
            verdict_text(finding.verdict),
            Text(check_title(finding.check)),
            Text(finding.clause.id),
            Text(_finding_words(finding)),
        )
    return table


def verdict_text(verdict: Verdict) -> Text:
    """A verdict's sign and word, coloured."""
    style = VERDICTS[verdict]
    return Text(f"{style.sign} {style.word}", style=_COLOURS[verdict])


def _finding_words(finding: Finding) -> str:
    if finding.measured is None or finding.required is None:
        return finding.statement
    numbers = f"{measured_words(finding.measured)}; asked: {required_words(finding.required)}"
    return f"{finding.statement} [{numbers}]"


def _summary(evaluation: Evaluation) -> Text:
    line = Text()
    for verdict, count in evaluation.summary.items():
        if line:
            line.append("   ")
        line.append_text(verdict_text(verdict))
        line.append(f" {count}")
    if evaluation.on_site_only:
        line.append(f"\nClauses that only an inspection answers: {len(evaluation.on_site_only)}")
    return line
