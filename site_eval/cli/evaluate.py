"""``site-eval evaluate`` and ``site-eval demo``: the main job and its bundled example."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime
from pathlib import Path

import click


@click.command()
@click.argument("application", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the results.")
@click.option("--ordinance", default=None, help="Id of a bundled ordinance, or a TOML file.")
@click.option("--layers", type=click.Path(path_type=Path), help="Layer catalog (TOML).")
@click.option("--profile", type=click.Path(path_type=Path), help="Figures beyond the ordinance.")
@click.option("--as-of", metavar="YYYY-MM-DD", help="Day of the evaluation; today if not given.")
@click.option("--json", "as_json", is_flag=True, help="Print evaluation.json and no table.")
def evaluate(
    application: Path,
    out: Path | None,
    ordinance: str | None,
    layers: Path | None,
    profile: Path | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """Evaluate APPLICATION (a TOML file) and write the findings, the map and the packet.

    Example: site-eval evaluate application.toml --out results
    """
    _run(
        application,
        out or Path(f"{application.stem}-evaluation"),
        as_json=as_json,
        as_of=as_of,
        ordinance=ordinance,
        layers=layers,
        profile=profile,
    )


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("site-eval-demo"), show_default=True
)
@click.option("--json", "as_json", is_flag=True, help="Print evaluation.json and no table.")
def demo(out: Path, as_json: bool) -> None:
    """Evaluate the bundled Gem County example: a fictional festival on a real tract.

    Example: site-eval demo --out site-eval-demo
    """
    from site_eval.resources import bundled

    application = bundled("examples", "sand-hollow", "application.toml")
    _run(application, out, as_json=as_json, as_of="2027-04-15")


def _run(
    application: Path,
    out: Path,
    *,
    as_json: bool,
    as_of: str | None = None,
    ordinance: str | None = None,
    layers: Path | None = None,
    profile: Path | None = None,
) -> None:
    """Evaluate, write every file, print the table or the JSON, and end with the exit status."""
    import sys

    from rich.console import Console

    from site_eval.evaluate import DEFAULT_ORDINANCE, evaluate
    from site_eval.record.verdict import Verdict
    from site_eval.reports.table import print_table
    from site_eval.reports.write import evaluation_json, write_all

    with _told("Evaluating"):
        evaluation = evaluate(
            application,
            ordinance=ordinance or DEFAULT_ORDINANCE,
            catalog_file=layers,
            profile_file=profile,
            as_of=_day(as_of),
            generated_at=_now(),
        )
    with _told("Drawing the map and the packet"):
        written = write_all(evaluation, out)
    if as_json:
        sys.stdout.write(evaluation_json(evaluation))
    else:
        console = Console()
        print_table(evaluation, console)
        console.print()
        for name, path in written.items():
            console.print(f"{name:>16}  {path}", soft_wrap=True, highlight=False)
    sys.exit(1 if evaluation.summary[Verdict.DOES_NOT_COMPLY] else 0)


def _told(what: str) -> AbstractContextManager[object]:
    """A line of progress on standard error, on a terminal only."""
    from rich.console import Console

    console = Console(stderr=True)
    return console.status(f"{what} …") if console.is_terminal else nullcontext()


def _day(text: str | None) -> date:
    from site_eval.errors import ApplicationError

    if text is None:
        return _now().date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ApplicationError(
            "--as-of", f"{text!r} is not a day", "write it as YYYY-MM-DD"
        ) from None


def _now() -> datetime:
    """The time that is written into the record; ``SOURCE_DATE_EPOCH`` fixes it."""
    from site_eval.errors import SiteEvalError

    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    except (ValueError, OverflowError, OSError):
        raise SiteEvalError(
            "SOURCE_DATE_EPOCH",
            f"{epoch!r} is no number of seconds",
            "set a whole number, or unset it",
        ) from None
