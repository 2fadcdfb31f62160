"""A comparison as a table in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from site_eval.record.verdict import Verdict
from site_eval.reports.compare import Change, Comparison, FindingChange, title_of
from site_eval.reports.symbols import role_symbol
from site_eval.reports.table import verdict_text

_SIGNS: dict[Change, tuple[str, str]] = {
    "worse": ("▼ worse", "bold red"),
    "better": ("▲ better", "green"),
    "other": ("≠ differs", "yellow"),
    "added": ("+ added", "cyan"),
    "removed": ("− removed", "cyan"),
    "same": ("= same", "dim"),
}


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print what differs: facts, findings (the worse first), and things of the layout."""
    console.print(Text(f"A: {comparison.before}", style="bold"))
    console.print(Text(f"B: {comparison.after}", style="bold"))
    if not comparison.same_ordinance:
        console.print("The two were evaluated against different ordinances.")
    if not comparison.same_land:
        console.print("The two sites share no ground; their layouts are not compared.")
    if comparison.facts:
        console.print()
        console.print(_facts(comparison))
    if comparison.changed:
        console.print()
        console.print(_findings(comparison))
    if comparison.layout:
        console.print()
        console.print(_layout(comparison))
    console.print()
    console.print(_counts(comparison))


def _facts(comparison: Comparison) -> Table:
    table = Table(title=Text("Facts", style="bold"), title_justify="left", box=None, pad_edge=False)
    for column in ("Fact", "A", "B"):
        table.add_column(column, overflow="fold")
    for fact in comparison.facts:
        table.add_row(Text(fact.title), Text(fact.before), Text(fact.after))
    return table


def _findings(comparison: Comparison) -> Table:
    title = Text("Findings that differ", style="bold")
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("Change", no_wrap=True)
    table.add_column("Check and clause", ratio=2, overflow="fold")
    table.add_column("A", ratio=3)
    table.add_column("B", ratio=3)
    table.expand = True
    order = list(_SIGNS)
    for item in sorted(comparison.changed, key=lambda change: order.index(change.change)):
        words, style = _SIGNS[item.change]
        table.add_row(
            Text(words, style=style),
            Text(title_of(item)),
            _side(item, after=False),
            _side(item, after=True),
        )
    return table


def _side(item: FindingChange, *, after: bool) -> Text:
    verdict, words = (item.after, item.after_words) if after else (item.before, item.before_words)
    if not verdict:
        return Text("–")
    text = verdict_text(Verdict(verdict))
    return text.append(f"\n{words}", style="not bold default")


def _layout(comparison: Comparison) -> Table:
    title = Text("Layout", style="bold")
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in ("Change", "Thing", "Name"):
        table.add_column(column)
    for item in comparison.layout:
        table.add_row(item.change, Text(role_symbol(item.role).title), Text(item.name))
    return table


def _counts(comparison: Comparison) -> Text:
    counts = comparison.counts()
    line = Text()
    for change, (words, style) in _SIGNS.items():
        if counts.get(change):
            line.append(f"{words} {counts[change]}   ", style=style)
    return line
