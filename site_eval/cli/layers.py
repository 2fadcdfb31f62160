"""``site-eval layers``: the reference layers, what they are, whether to rely on them, and getting them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from site_eval.errors import SiteEvalError
    from site_eval.layers.fetch.record import Fetched
    from site_eval.layers.fetch.story import Order
    from site_eval.layers.inspection import LayerReport
    from site_eval.layers.recipe import Recipe

_CATALOG = click.option(
    "--layers", "catalog_file", type=click.Path(path_type=Path), help="Layer catalog (TOML)."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON and no table.")
_COUNTY = click.option(
    "--county", default="16045", show_default=True, help="GEOID of the county (state and county)."
)
_RECIPES = click.option(
    "--recipes", type=click.Path(path_type=Path), help="Folder with recipes of your own."
)


@click.group()
def layers() -> None:
    """The reference layers: what is there, how old, whether to rely on it; get the official ones.

    Example: site-eval layers list --official
    """


@layers.command(name="list")
@_CATALOG
@click.option("--official", is_flag=True, help="List what can be fetched, not what is there.")
@_RECIPES
@_JSON
def list_layers(
    catalog_file: Path | None, official: bool, recipes: Path | None, as_json: bool
) -> None:
    """List the layers of the catalog, or those that can be fetched.

    Example: site-eval layers list --official
    """
    if official:
        _list_recipes(recipes, as_json=as_json)
        return
    from site_eval.layers.catalog import load_catalog

    catalog = load_catalog(catalog_file)
    columns = ("id", "kind", "name", "publisher", "vintage", "licence", "grade")
    rows = [{name: str(getattr(entry, name)) for name in columns} for entry in catalog.entries]
    for row, entry in zip(rows, catalog.entries, strict=True):
        row["at_hand"] = "yes" if entry.file else "no"
        row["fetched"] = str(entry.fetched or "")
    if as_json:
        _print_json(rows)
        return
    for row in rows:
        there = "" if row["at_hand"] == "yes" else "  (not fetched)"
        click.echo(f"{row['id']:<28} {row['kind']:<15} {row['vintage']:<11} {row['grade']}{there}")
        click.echo(f"    {row['name']}; {row['publisher']}; {row['licence']}")


@layers.command(name="check")
@_CATALOG
@_COUNTY
@click.option(
    "--site", type=click.Path(path_type=Path), help="Ask about this site: application or map file."
)
@click.option(
    "--as-of", metavar="YYYY-MM-DD", help="Day against which age counts; today if not given."
)
@click.option("--strict", is_flag=True, help="Count a layer that is too old as a problem.")
@_JSON
def check_layers(
    catalog_file: Path | None,
    county: str,
    site: Path | None,
    as_of: str | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Say of each layer whether it covers the county, how old it is, and what is wrong with it.

    Exit status 1 when a layer has a problem; age and made-up data are remarks.

    Example: site-eval layers check --layers gem/catalog.toml
    """
    from dataclasses import asdict

    from site_eval.layers.catalog import load_catalog
    from site_eval.layers.inspection import inspect_catalog

    catalog = load_catalog(catalog_file)
    reports = inspect_catalog(
        catalog,
        county=county,
        as_of=_day(as_of),
        site=_site(site, catalog) if site else None,
        age_is_a_problem=strict,
    )
    if as_json:
        _print_json([asdict(report) for report in reports])
    else:
        for report in reports:
            _print_report(report)
    sys.exit(1 if any(report.problems for report in reports) else 0)


@layers.command(name="fetch")
@_COUNTY
@click.option("--layer", "names", multiple=True, metavar="ID", help="Only this one; repeatable.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder; layers-COUNTY if not given.")
@click.option("--url", "urls", multiple=True, metavar="ID=URL", help="Get a layer from here.")
@click.option(
    "--field", "fields", multiple=True, metavar="ID.FIELD=NAME", help="The service's own name of a field."
)  # fmt: skip
@click.option("--bbox", metavar="W,S,E,N", help="The county's box in degrees, if it is not known.")
@_RECIPES
@click.option("--resume", is_flag=True, help="Go on where a fetch broke off.")
@click.option("--tries", default=5, show_default=True, type=click.IntRange(1, 20))
@click.option(
    "--pause", default=1.0, show_default=True, type=click.FloatRange(0, 120),
    help="First pause before asking again, seconds; doubled each time.",
)  # fmt: skip
@_JSON
def fetch_layers(names: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Get the official layers of a county, with a catalog for `evaluate --layers`.

    Writes one file a layer, catalog.toml and fetched.json (when, from where, how many rows, hash).
    Exit status 1 when a layer came incomplete, 2 when one could not be got; the others are there.

    Example: site-eval layers fetch --county 16045 --out gem
    """
    from site_eval.errors import ManyErrors
    from site_eval.layers.fetch.alone import alone_in
    from site_eval.layers.fetch.story import require_one_county
    from site_eval.layers.recipe import load_recipes

    recipes = _chosen(load_recipes(given["recipes"]), names, given["urls"])
    order = _order(given)
    require_one_county(order)
    try:
        with alone_in(order.out):
            done, faults = _fetch_all(recipes, order, quiet=as_json)
    except KeyboardInterrupt:
        click.echo("site-eval: stopped; what came is kept, go on with --resume.", err=True)
        sys.exit(130)
    if as_json:
        _print_json([one.model_dump(mode="json") for one in done])
    elif done:
        click.echo(f"{order.out / 'catalog.toml'}")
    if faults:
        raise ManyErrors(faults)
    sys.exit(1 if any(one.entry.incomplete for one in done) else 0)


def _fetch_all(
    recipes: list[Recipe], order: Order, *, quiet: bool
) -> tuple[list[Fetched], list[SiteEvalError]]:
    """Each layer in turn; one that fails does not keep the others back, unless all is offline."""
    from site_eval.errors import SiteEvalError
    from site_eval.layers.fetch.story import fetch_layer
    from site_eval.layers.fetch.web import OFFLINE

    done: list[Fetched] = []
    faults: list[SiteEvalError] = []
    for recipe in recipes:
        try:
            with _progress(recipe.id) as tell:
                done.append(fetch_layer(recipe, order, now=lambda: datetime.now(UTC), tell=tell))
        except SiteEvalError as error:
            faults.append(error)
            if error.code == OFFLINE and not done:
                break
        else:
            if not quiet:
                _print_fetched(done[-1])
    return done, faults


def _chosen(
    recipes: dict[str, Recipe], names: tuple[str, ...], urls: tuple[str, ...]
) -> list[Recipe]:
    """The recipes to follow, the county's own outline first: the others ask by its box."""
    from site_eval.errors import LayerError

    by_hand = [text.partition("=")[0] for text in urls]
    wanted = names or tuple(r.id for r in recipes.values() if r.by_default or r.id in by_hand)
    for name in (*wanted, *by_hand):
        if name not in recipes:
            raise LayerError(
                "--layer" if name in names else "--url",
                f"there is no recipe '{name}'",
                f"use one of: {', '.join(recipes)}",
            )
    return sorted((recipes[n] for n in dict.fromkeys(wanted)), key=lambda r: r.kind != "county")


def _order(given: dict[str, Any]) -> Order:
    from site_eval.layers.fetch.area import checked_box, checked_geoid
    from site_eval.layers.fetch.story import Order
    from site_eval.layers.fetch.web import Manners

    fields: dict[str, dict[str, str]] = {}
    for key, name in (_pair("--field", text) for text in given["fields"]):
        layer, _, ours = key.partition(".")
        fields.setdefault(layer, {})[ours] = name
    return Order(
        geoid=checked_geoid(given["county"]),
        out=given["out"] or Path(f"layers-{given['county']}"),
        box=checked_box(given["bbox"]) if given["bbox"] else None,
        urls=dict(_pair("--url", text) for text in given["urls"]),
        fields=fields,
        resume=given["resume"],
        manners=Manners(tries=given["tries"], pause_s=given["pause"]),
    )


def _pair(option: str, text: str) -> tuple[str, str]:
    from site_eval.errors import LayerError

    key, sign, value = text.partition("=")
    if not (key and sign and value):
        raise LayerError(option, f"'{text}' has no = in it", "write it as the help shows")
    if option == "--url" and not value.startswith(("http://", "https://")):
        raise LayerError(option, f"'{value}' is no web address", "begin it with https://")
    return key, value


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, on a terminal only."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total or None)


def _print_fetched(one: Fetched) -> None:
    count = "raster" if one.rows is None else f"{one.rows:,} rows"
    size = f"{one.bytes / 1e6:,.1f} MB"
    click.echo(f"{one.entry.id:<24} {count:>13}  {size:>10}  of {one.entry.vintage}")
    if one.entry.incomplete:
        click.echo(f"    ! came incomplete: {one.entry.incomplete}")
    for words in one.remarks:
        click.echo(f"    - {words}")


def _list_recipes(folder: Path | None, *, as_json: bool) -> None:
    from site_eval.layers.recipe import load_recipes

    recipes = load_recipes(folder).values()
    if as_json:
        _print_json([recipe.model_dump(mode="json") for recipe in recipes])
        return
    for recipe in recipes:
        marks = [] if recipe.by_default else ["only when asked for"]
        marks += [] if recipe.verified_live else ["never run against the live service"]
        click.echo(f"{recipe.id:<24} {recipe.kind:<20} {recipe.service.type}")
        click.echo(f"    {recipe.name}; {recipe.publisher}")
        for words in marks:
            click.echo(f"    - {words}")


def _site(file: Path, catalog: Any) -> BaseGeometry:
    """The land of an application, or the union of what a map file holds."""
    import shapely

    from site_eval.crs import WGS84
    from site_eval.formats import read_vector

    if file.suffix.lower() != ".toml":
        return shapely.union_all(read_vector(file).to_crs(WGS84).geometry.to_numpy())
    from site_eval.application import read_application
    from site_eval.evaluate import DEFAULT_ORDINANCE
    from site_eval.ordinance.library import load_ordinance
    from site_eval.placing import land_of

    law = load_ordinance(DEFAULT_ORDINANCE)
    application = read_application(file, also=law.declared_paths())
    return land_of(application, catalog, law.jurisdiction).geometry


def _print_report(report: LayerReport) -> None:
    """A line for the layer, and below it what is wrong (!) or worth knowing (-)."""
    count = "raster" if report.rows is None else f"{report.rows:,} rows"
    cover = "" if report.cover is None else f"  covers {report.cover:.1%}"
    click.echo(f"{report.id:<28} {count:>11}  {report.age_days:>6,} days old{cover}")
    if report.crs not in {None, "WGS 84"}:
        click.echo(f"    - in {report.crs}")
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
