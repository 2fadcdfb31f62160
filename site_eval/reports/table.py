"""The findings as a table in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding
from site_eval.record.verdict import Verdict
from site_eval.reports.decision import first_sentence, unbound
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


def print_table(evaluation: Evaluation, console: Console) -> None:
    """Print the findings, grouped by check, and how many there are of each verdict.

    A verdict is a sign and a word; colour only helps. Clauses that do not bind are listed by id.
    """
    terms = evaluation.checklist.terms
    console.print(Text(terms.event, style="bold"))
    console.print(
        f"{evaluation.ordinance.citation}; as of {evaluation.as_of}; "
        f"{terms.maximum:,} persons; {evaluation.site.area_acres:,.2f} acres",
        highlight=False,
        markup=False,
    )
    if evaluation.not_bound:
        console.print()
        console.print(Text(evaluation.not_bound, style="bold"))
    if why := unbound(evaluation):
        console.print(Text(why, style="bold"))
    told = [f for f in evaluation.findings if f.verdict is not Verdict.NOT_APPLICABLE]
    clause_width = min(max((len(f.clause.id) for f in told), default=6), 16)
    for group, findings in by_group(told):
        console.print()
        console.print(_table(group, findings, max(clause_width, 6), console.width))
    console.print()
    console.print(_summary(evaluation))
    _print_rest(evaluation, console)


def _table(group: Group, findings: list[Finding], clause_width: int, width: int) -> Table:
    table = Table(
        title=Text(group.title, style="bold"),
        title_justify="left",
        box=None,
        pad_edge=False,
        show_header=False,
        width=width,
    )
    table.add_column("Verdict", no_wrap=True, width=17)
    table.add_column("Clause", width=clause_width, overflow="fold")
    table.add_column("Finding", ratio=1)
    for finding in findings:
        words = Text(f"{check_title(finding.check)}: ", style="bold")
        words.append(Text(_finding_words(finding), style="not bold"))
        table.add_row(verdict_text(finding.verdict), Text(finding.clause.id), words)
    return table


def verdict_text(verdict: Verdict) -> Text:
    """A verdict's sign and word, coloured."""
    style = VERDICTS[verdict]
    return Text(f"{style.sign} {style.word}", style=_COLOURS[verdict])


def _finding_words(finding: Finding) -> str:
    """The statement, whole where there is something to decide; and the two numbers."""
    settled = finding.verdict is Verdict.COMPLIES
    statement = first_sentence(finding.statement) if settled else finding.statement
    if finding.measured is None or finding.required is None:
        return statement
    numbers = f"{measured_words(finding.measured)}; asked: {required_words(finding.required)}"
    return f"{numbers}." if settled else f"{statement} [{numbers}]"


def _summary(evaluation: Evaluation) -> Text:
    line = Text()
    for verdict, count in evaluation.summary.items():
        if line:
            line.append("   ")
        line.append_text(verdict_text(verdict))
        line.append(f" {count}")
    return line


def _print_rest(evaluation: Evaluation, console: Console) -> None:
    """The clauses that have no line in the table, so that none is dropped silently."""
    spared = [f.clause.id for f in evaluation.findings if f.verdict is Verdict.NOT_APPLICABLE]
    for words, clauses in (
        ("Clauses that do not bind here", spared),
        ("Clauses that only an inspection answers", evaluation.on_site_only),
    ):
        if clauses:
            console.print(Text(f"{words}: {', '.join(dict.fromkeys(clauses))}", style="dim"))
