"""``site-eval ordinance``: the ordinances as data, listed, shown and checked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from site_eval.ordinance.clause import Clause
    from site_eval.ordinance.library import Ordinance

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group()
def ordinance() -> None:
    """Ordinances as data: list them, show one, check a file of your own.

    Example: site-eval ordinance list
    """


@ordinance.command(name="list")
@_JSON
def list_(as_json: bool) -> None:
    """List the ordinances that come with the tool.

    Example: site-eval ordinance list --json
    """
    from site_eval.ordinance.library import list_ordinances

    found = list_ordinances()
    if as_json:
        _print_json([_identity(item) for item in found])
        return
    for item in found:
        click.echo(
            f"{item.id}  {item.citation}, {item.jurisdiction.name}; from "
            f"{item.threshold_persons:,} persons; {len(item.clauses)} clauses"
        )


@ordinance.command(name="show")
@click.argument("id_or_file", metavar="ID")
@click.option("--clause", "clause_id", help="Only this clause.")
@_JSON
def show(id_or_file: str, clause_id: str | None, as_json: bool) -> None:
    """Show the ordinance ID (or a TOML file): each clause, its rule and how it is answered.

    Example: site-eval ordinance show gem-county-id-2015-04 --clause 5.2.c
    """
    from site_eval.ordinance.library import load_ordinance

    item = load_ordinance(id_or_file)
    clauses = [item.clause(clause_id)] if clause_id else list(item.clauses)
    if as_json:
        dumped = [clause.model_dump(mode="json", by_alias=True) for clause in clauses]
        _print_json({**_identity(item), "clauses": dumped})
        return
    click.echo(f"{item.citation}, {item.jurisdiction.name} ({item.id})")
    for clause in clauses:
        click.echo("\n" + "\n".join(_lines(clause)))
    if not clause_id and item.inconsistencies:
        click.echo("\nWhat is inconsistent in the text, and how it is read:")
        for slip in item.inconsistencies:
            click.echo(f"  {slip.clause}: {slip.text}\n      {slip.reading}")


@ordinance.command(name="check")
@click.argument("file", type=click.Path(path_type=Path))
@_JSON
def check(file: Path, as_json: bool) -> None:
    """Check the ordinance FILE: keys, rules, quotes against the text, cover, gaps in tiers.

    Exit status 1 when something has to be mended, 2 when the file cannot be read.

    Example: site-eval ordinance check my-county.toml
    """
    from dataclasses import asdict

    from site_eval.application import known_paths
    from site_eval.ordinance.inspection import check_ordinance
    from site_eval.ordinance.library import load_ordinance

    remarks = check_ordinance(file, known_paths=known_paths())
    if as_json:
        _print_json([asdict(remark) for remark in remarks])
    else:
        for remark in remarks:
            kind = "fault " if remark.fault else "remark"
            click.echo(f"{kind}  {remark.place}: {remark.text}")
        clauses = load_ordinance(file).clauses
        click.echo(f"{file}: {len(clauses)} clauses, {len(remarks)} things to look at")
    sys.exit(1 if any(remark.fault for remark in remarks) else 0)


def _identity(item: Ordinance) -> dict[str, Any]:
    dumped = item.model_dump(mode="json", exclude={"clauses"}, by_alias=True)
    return {**dumped, "clause_count": len(item.clauses)}


def _lines(clause: Clause) -> list[str]:
    import textwrap

    lines = [f"{clause.id}  {clause.citation}", f"    {clause.question}"]
    quoted = f"“{clause.quote}”"
    lines += textwrap.wrap(quoted, 96, initial_indent="    ", subsequent_indent="    ")
    if clause.requires is not None:
        binds = clause.requires.when
        condition = f", if {binds.describe()}" if binds else ""
        lines.append(f"    asks for: {clause.requires.describe()}{condition}")
    if clause.declared_paths:
        lines.append(f"    stated in: {' + '.join(clause.declared_paths)}")
    lines += [f"    paper: {document.name}" for document in clause.documents]
    lines += [f"    on site: {item.id} {item.question}" for item in clause.on_site]
    lines += [f"    power: {power.describe()}" for power in clause.powers]
    if clause.reading:
        lines.append(f"    reading: {clause.reading}")
    if clause.covers:
        lines.append(f"    neither check nor item: {clause.covers}")
    return lines


def _print_json(value: Any) -> None:
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=1))
