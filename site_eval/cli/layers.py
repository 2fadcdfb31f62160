"""``site-eval layers``: the reference layers, what they are and whether they can be relied on."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from site_eval.layers.inspection import LayerReport

_CATALOG = click.option(
    "--layers", "catalog_file", type=click.Path(path_type=Path), help="Layer catalog (TOML)."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON and no table.")


@click.group()
def layers() -> None:
    """The reference layers: what is there, how old, and whether it can be relied on."""


@layers.command(name="list")
@_CATALOG
@_JSON
def list_layers(catalog_file: Path | None, as_json: bool) -> None:
    """List the layers of the catalog."""
    from site_eval.layers.catalog import load_catalog

    catalog = load_catalog(catalog_file)
    columns = ("id", "kind", "name", "publisher", "vintage", "licence", "grade")
    rows = [{name: str(getattr(entry, name)) for name in columns} for entry in catalog.entries]
    for row, entry in zip(rows, catalog.entries, strict=True):
        row["at_hand"] = "yes" if entry.file else "no"
    if as_json:
        _print_json(rows)
        return
    for row in rows:
        there = "" if row["at_hand"] == "yes" else "  (not fetched)"
        click.echo(f"{row['id']:<28} {row['kind']:<15} {row['vintage']:<11} {row['grade']}{there}")
        click.echo(f"    {row['name']}; {row['publisher']}; {row['licence']}")


@layers.command(name="check")
@_CATALOG
@click.option("--county", default="16045", show_default=True, help="GEOID of the county to cover.")
@click.option(
    "--as-of", metavar="YYYY-MM-DD", help="Day against which age counts; today if not given."
)
@_JSON
def check_layers(catalog_file: Path | None, county: str, as_of: str | None, as_json: bool) -> None:
    """Say of each layer whether it covers the county, how old it is, and what is wrong with it.

    Exit status 1 when a layer has a problem; age and made-up data are remarks.
    """
    from dataclasses import asdict

    from site_eval.layers.catalog import load_catalog
    from site_eval.layers.inspection import inspect_catalog

    reports = inspect_catalog(load_catalog(catalog_file), county=county, as_of=_day(as_of))
    if as_json:
        _print_json([asdict(report) for report in reports])
    else:
        for report in reports:
            _print_report(report)
    sys.exit(1 if any(report.problems for report in reports) else 0)


def _print_report(report: LayerReport) -> None:
    """A line for the layer, and below it what is wrong (!) or worth knowing (-)."""
    count = "raster" if report.rows is None else f"{report.rows:,} rows"
    cover = "" if report.cover is None else f"  covers {report.cover:.1%}"
    click.echo(f"{report.id:<28} {count:>11}  {report.age_days:>6,} days old{cover}")
    for sign, said in (("!", report.problems), ("-", report.remarks)):
        for words in said:
            click.echo(f"    {sign} {words}")


def _day(text: str | None) -> date:
    from site_eval.errors import LayerError

    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise LayerError("--as-of", f"'{text}' is not a day", "write it as 2027-04-15") from None


def _print_json(rows: list[dict[str, Any]]) -> None:
    import json

    click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
