"""``site-eval screen``: every parcel of a county or a state against the layers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from site_eval.screening.running import Told
    from site_eval.screening.summary import Summary


@click.command()
@click.argument("parcels", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path),
    help="File to write: .parquet (GeoParquet), .gpkg or .fgb.",
)  # fmt: skip
@click.option(
    "--persons",
    type=click.IntRange(min=1),
    help="The crowd; the ordinance's threshold if not given.",
)
@click.option(
    "--layers", "catalog_file", type=click.Path(path_type=Path), help="Layer catalog (TOML)."
)
@click.option(
    "--ordinance", default="gem-county-id-2015-04", show_default=True, help="Ordinance id or file."
)
@click.option(
    "--profile",
    "profile_file",
    type=click.Path(path_type=Path),
    help="Figures that the ordinance does not give (TOML).",
)
@click.option("--as-of", metavar="YYYY-MM-DD", help="Day on which it is asked; today if not given.")
@click.option(
    "--held-on",
    metavar="YYYY-MM-DD",
    help="Day of the event, for the closed fire season; not weighed if not given.",
)
@click.option("--layer", help="Layer of the parcel file, when it has several.")
@click.option(
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="Column to hand on (repeat it); those that look like ids if not given.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes; as many as there are processors if not given.",
)
@click.option(
    "--scheduler", metavar="ADDRESS", help="A dask scheduler (tcp://…) instead of processes here."
)
@click.option("--resume", is_flag=True, help="Take up a run that was stopped.")
@click.option(
    "--html", "page", type=click.Path(path_type=Path),
    help="County map to write: one HTML file that needs no network.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON and no table.")
def screen(
    parcels: Path,
    out: Path,
    persons: int | None,
    catalog_file: Path | None,
    ordinance: str,
    profile_file: Path | None,
    as_of: str | None,
    held_on: str | None,
    layer: str | None,
    keep: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    resume: bool,
    page: Path | None,
    as_json: bool,
) -> None:
    """Ask of every parcel where it lies, what threatens it, how it is reached and whom it holds.

    Writes one row a parcel with measures and verdicts. Exit status 0: every parcel was answered;
    1: some could not be (column error); 2: the input cannot be used.

    Example: site-eval screen parcels.gpkg --persons 2400 --out screened.parquet
    """
    from site_eval.screening.question import Question
    from site_eval.screening.story import screen_file

    question = Question(
        ordinance=ordinance,
        persons=persons,
        as_of=_day(as_of, "--as-of") or datetime.now(UTC).date(),
        catalog_file=catalog_file.absolute() if catalog_file else None,
        profile_file=profile_file.absolute() if profile_file else None,
        held_on=_day(held_on, "--held-on"),
    )
    _tell_threshold(persons, ordinance)
    with _progress() as told:
        summary = screen_file(
            parcels.absolute(), out.absolute(), question,
            workers=workers or os.cpu_count() or 1, scheduler=scheduler, resume=resume,
            layer=layer, keep=keep, told=told, page=page.absolute() if page else None,
        )  # fmt: skip
    _print(summary, out, as_json=as_json)
    if page and not as_json:
        click.echo(f"Map written to {page}.")
    sys.exit(1 if summary.broken else 0)


def _tell_threshold(persons: int | None, ordinance: str) -> None:
    """Say it when so few people are asked for that the ordinance binds no assembly of them."""
    from site_eval.ordinance.library import load_ordinance

    least = load_ordinance(ordinance).threshold_persons
    if persons is not None and persons < least:
        click.echo(
            f"The ordinance binds from {least:,} persons on; {persons:,} are asked.", err=True
        )


@contextmanager
def _progress() -> Iterator[Told]:
    """Partitions done, as a bar on a terminal's standard error."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Screening", total=None)
        yield lambda done, parts: bar.update(task, completed=done, total=parts)


def _print(summary: Summary, out: Path, *, as_json: bool) -> None:
    if as_json:
        import json

        from site_eval.screening.summary import as_json as plain

        click.echo(json.dumps({"out": str(out), **plain(summary)}, ensure_ascii=False, indent=1))
        return
    _print_table(summary)
    click.echo(f"{summary.parcels:,} parcels written to {out}.")
    if summary.mended:
        click.echo(f"{summary.mended:,} outlines were mended (column note).")
    if summary.broken:
        click.echo(f"{summary.broken:,} parcels could not be used:", err=True)
        for words in summary.errors:
            click.echo(f"  {words}", err=True)
        if summary.broken > len(summary.errors):
            click.echo("  … the rest stand in the column error.", err=True)


def _print_table(summary: Summary) -> None:
    from rich.console import Console
    from rich.table import Table

    from site_eval.record.verdict import Verdict

    words = [v.value for v in Verdict if any(v.value in c for c in summary.verdicts.values())]
    table = Table("question", *words, box=None, header_style="bold")
    for column in table.columns[1:]:
        column.justify, column.overflow = "right", "fold"
    for question, counts in summary.verdicts.items():
        table.add_row(question, *(_count(counts, word) for word in words))
    Console().print(table)


def _count(counts: dict[str, int], word: str) -> str:
    return f"{counts[word]:,}" if word in counts else "–"


def _day(text: str | None, option: str) -> date | None:
    from site_eval.errors import InputFileError

    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputFileError(option, f"'{text}' is not a day", "write it as 2027-04-15") from None
