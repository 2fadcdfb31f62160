"""One layer fetched, from its recipe to its file, its record and its place in the catalog."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from site_eval.errors import LayerError, OutputError, SiteEvalError
from site_eval.files import sha256_of
from site_eval.layers.catalog import Catalog, LayerEntry, load_catalog
from site_eval.layers.fetch.arcgis import describe, fetch_features, service_address
from site_eval.layers.fetch.archives import fetch_archive, read_rows, unpack
from site_eval.layers.fetch.area import Area, Box, county_area
from site_eval.layers.fetch.cells import cut_raster, fetch_tiles, tiles_of
from site_eval.layers.fetch.gathered import Gathered, Question, Tell
from site_eval.layers.fetch.images import fetch_image
from site_eval.layers.fetch.ogc import fetch_items, fetch_wfs
from site_eval.layers.fetch.record import CATALOG, Fetched, add_to_record, read_record
from site_eval.layers.fetch.rows import Written, frame_of, mapped_fields, write_rows
from site_eval.layers.fetch.web import Manners, Web, open_web
from site_eval.layers.recipe import Recipe, filled
from site_eval.record.verdict import Grade

PAGES = ".pages"
# With --resume, a layer that came whole so lately is not asked for again.
STILL_FRESH = timedelta(days=1)


@dataclass(frozen=True)
class Order:
    """What is to be fetched for which county into which folder, and what the caller changes."""

    geoid: str
    out: Path
    box: Box | None = None
    urls: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    resume: bool = False
    manners: Manners = field(default_factory=Manners)


@dataclass(frozen=True)
class _Got:
    """What one kind of service brought, whichever it was."""

    address: str
    asked: dict[str, Any]
    rows: int | None
    server_count: int | None
    pages: int
    resumed: bool
    fields: dict[str, str]
    coverage: Box | None
    stated: date | None
    remarks: tuple[str, ...] = ()
    incomplete: str | None = None


def fetch_layer(
    recipe: Recipe, order: Order, *, now: Callable[[], datetime], tell: Tell
) -> Fetched:
    """Fetch one layer into ``order.out`` and write it into the record and the catalog there.

    Raises ``LayerError``; what was there before is then still there, and the pages that came are
    kept for ``order.resume``.
    """
    recipe = _adapted(recipe, order)
    started = now()
    before = _got_before(recipe, order, started) if order.resume else None
    if before is not None:
        return before
    target = order.out / f"{recipe.id}.{'tif' if recipe.is_raster else 'fgb'}"
    with open_web(order.manners) as web, _told_of_the_disk(order.out):
        got = _get(web, recipe, order, target, tell)
        questions = len(web.asked)
    entry = _entry(recipe, got, target, now().date())
    fetched = Fetched(
        entry=entry, recipe_sha256=_hash(recipe),
        verified_live=recipe.verified_live, address=got.address, asked=got.asked,
        started=started, finished=now(), resumed=got.resumed, questions=questions,
        pages=got.pages, rows=got.rows, server_count=got.server_count,
        bytes=target.stat().st_size, vintage_rule=recipe.vintage.rule, remarks=got.remarks,
        replaces=recipe.replaces,
    )  # fmt: skip
    add_to_record(order.out, order.geoid, fetched)
    _forget_pages(order.out / PAGES / recipe.id)
    return fetched


def area_for(order: Order) -> Area:
    """The county's box: given, or of the county layer fetched before, or of the bundled one."""
    if order.box is not None:
        return Area(order.geoid, order.box)
    catalogs: list[Catalog] = []
    if (order.out / CATALOG).is_file():
        # A catalog with a file missing must not keep that file from being fetched again.
        with suppress(SiteEvalError):
            catalogs.append(load_catalog(order.out / CATALOG))
    area = county_area(order.geoid, [*catalogs, load_catalog()])
    if area is None:
        raise LayerError(
            f"county {order.geoid}", "no county layer at hand holds it",
            "fetch tiger-counties first, or add --bbox west,south,east,north", code="layer.county",
        )  # fmt: skip
    return area


def require_one_county(order: Order) -> None:
    """Refuse a folder that holds the layers of another county."""
    record = read_record(order.out)
    if record is not None and record.county != order.geoid:
        raise LayerError(
            str(order.out), f"this folder holds the layers of county {record.county}",
            "name another --out", code="layer.county",
        )  # fmt: skip


def _got_before(recipe: Recipe, order: Order, now: datetime) -> Fetched | None:
    """The layer as the broken-off fetch got it: whole, by the same recipe, within the last day."""
    record = read_record(order.out)
    for one in record.layers if record else ():
        file = order.out / (one.entry.file or "")
        if (
            one.entry.id == recipe.id
            and one.recipe_sha256 == _hash(recipe)
            and one.entry.incomplete is None
            and now - one.finished < STILL_FRESH
            and file.is_file()
            and sha256_of(file) == one.entry.sha256
        ):
            return one
    return None


def _hash(recipe: Recipe) -> str:
    return sha256(recipe.model_dump_json().encode()).hexdigest()


@contextmanager
def _told_of_the_disk(out: Path) -> Iterator[None]:
    """A folder that cannot be written, or a full disk, in one sentence."""
    try:
        yield
    except OSError as error:
        raise OutputError(
            str(out), f"nothing can be written here ({error.strerror or error})",
            "make room or choose another --out",
        ) from None  # fmt: skip


def _adapted(recipe: Recipe, order: Order) -> Recipe:
    """The recipe with the address and the names of fields that the caller gave."""
    service = recipe.service
    if recipe.id in order.urls:
        service = service.model_copy(update={"address": order.urls[recipe.id]})
    if service.address is None:
        raise LayerError(
            recipe.id, "each county has its own address for this layer",
            f"add --url {recipe.id}=https://…/FeatureServer/0", code="layer.address",
        )  # fmt: skip
    given = {ours: (name,) for ours, name in order.fields.get(recipe.id, {}).items()}
    return recipe.model_copy(update={"service": service, "fields": {**recipe.fields, **given}})


def _get(web: Web, recipe: Recipe, order: Order, target: Path, tell: Tell) -> _Got:
    kinds: dict[str, Callable[..., _Got]] = {
        "arcgis-feature": _get_features, "ogc-features": _get_features, "wfs": _get_features,
        "arcgis-image": _get_image, "zip": _get_archive, "cog": _get_tiles,
    }  # fmt: skip
    return kinds[recipe.service.type](web, recipe, order, target, tell)


def _get_features(web: Web, recipe: Recipe, order: Order, target: Path, tell: Tell) -> _Got:
    service = recipe.service
    area = area_for(order) if service.area == "box" else None
    box = area.widened(service.margin_km) if area else None
    question = Question(box, _filled(recipe, order, service.where), page_rows=service.page_rows)
    url, gathered = _gathered(web, recipe, order, question, tell)
    if not gathered.rows and not gathered.columns:
        # Without a row and without a list of fields, the recipe's own names must do.
        columns = tuple(names[0] for names in recipe.fields.values())
        gathered = replace(gathered, columns=columns)
    written = write_rows(frame_of(gathered), recipe, target, box=box)
    return _Got(
        address=url,
        asked={"where": question.where, **_boxed(box)},
        rows=written.rows,
        server_count=gathered.server_count,
        pages=gathered.page_count,
        resumed=gathered.resumed,
        fields=written.fields,
        coverage=area.box if area else None,
        stated=gathered.edited,
        remarks=(*gathered.remarks, *written.remarks),
        incomplete=gathered.incomplete,
    )


def _gathered(
    web: Web, recipe: Recipe, order: Order, question: Question, tell: Tell
) -> tuple[str, Gathered]:
    service, url = recipe.service, _filled(recipe, order, recipe.service.address or "")
    place: dict[str, Any] = {
        "folder": order.out / PAGES / recipe.id, "resume": order.resume, "tell": tell,
    }  # fmt: skip
    if service.type == "ogc-features":
        return url, fetch_items(web, url, question, **place)
    if service.type == "wfs":
        name, form = str(service.layer_name), service.format
        return url, fetch_wfs(web, url, name, question, form=form, **place)
    by_hand = recipe.id in order.urls
    url = service_address(url)
    layer = describe(
        web, url,
        layer=None if by_hand else service.layer,
        layer_name=None if by_hand and url.rpartition("/")[2].isdigit() else service.layer_name,
    )  # fmt: skip
    # Before any row is asked for: a field that is not there would be told only at the end.
    fields = mapped_fields(recipe, list(layer.fields))
    if recipe.keep is not None:
        wanted = [*fields.values(), *(name for name in recipe.keep if name in layer.fields)]
        question = replace(question, out_fields=tuple(dict.fromkeys(wanted)) or (layer.id_field,))
    return layer.url, fetch_features(web, layer, question, **place)


def _get_image(web: Web, recipe: Recipe, order: Order, target: Path, tell: Tell) -> _Got:
    url = service_address(_filled(recipe, order, recipe.service.address or ""))
    area = area_for(order)
    box = area.widened(recipe.service.margin_km)
    cells = fetch_image(
        web, url, box, recipe.service.nodata, target,
        folder=order.out / PAGES / recipe.id, resume=order.resume, tell=tell,
    )  # fmt: skip
    return _raster(url, box, cells.pages, None, resumed=cells.resumed)


def _get_tiles(web: Web, recipe: Recipe, order: Order, target: Path, tell: Tell) -> _Got:
    address = recipe.service.address or ""
    box = area_for(order).widened(recipe.service.margin_km)
    tiles = tiles_of(box) if "{tile}" in address else [""]
    urls = [_filled(recipe, order, address, tile=tile) for tile in tiles]
    cells = fetch_tiles(web, urls, box, target, tell=tell)
    return _raster(" ".join(urls), box, cells.pages, cells.modified)


def _get_archive(web: Web, recipe: Recipe, order: Order, target: Path, tell: Tell) -> _Got:
    service, url = recipe.service, _filled(recipe, order, recipe.service.address or "")
    area = area_for(order) if service.area == "box" else None
    folder = order.out / PAGES / recipe.id
    archive = fetch_archive(web, url, folder, resume=order.resume, tell=tell)
    with tempfile.TemporaryDirectory(prefix="site-eval-", dir=folder) as inside:
        file = unpack(archive.file, url, service.member, Path(inside))
        if recipe.is_raster:
            box = (area or area_for(order)).widened(service.margin_km)
            cut_raster(file, box, target)
            return _raster(url, box, 1, archive.modified, resumed=archive.resumed)
        rows, asked_box = read_rows(file, service, area, order.geoid)
        written = write_rows(rows, recipe, target, box=asked_box)
    coverage = area.box if area else asked_box
    return _of_archive(url, written, coverage, asked_box, archive.modified, archive.resumed)


def _of_archive(
    url: str,
    written: Written,
    coverage: Box | None,
    asked: Box | None,
    modified: date | None,
    resumed: bool,
) -> _Got:
    return _Got(
        address=url, asked=_boxed(asked), rows=written.rows, server_count=None, pages=1,
        resumed=resumed, fields=written.fields, coverage=coverage, stated=modified,
        remarks=written.remarks,
    )  # fmt: skip


def _raster(url: str, box: Box, pages: int, stated: date | None, *, resumed: bool = False) -> _Got:
    return _Got(
        address=url, asked=_boxed(box), rows=None, server_count=None, pages=pages,
        resumed=resumed, fields={}, coverage=None, stated=stated,
    )  # fmt: skip


def _boxed(box: Box | None) -> dict[str, Any]:
    """The box in the form in which the record keeps it."""
    return {} if box is None else {"box": list(box)}


def _filled(recipe: Recipe, order: Order, text: str, tile: str = "") -> str:
    return filled(text, geoid=order.geoid, year=recipe.vintage.year, tile=tile)


def _entry(recipe: Recipe, got: _Got, target: Path, today: date) -> LayerEntry:
    vintage, said = _vintage(recipe, got, today)
    notes = [recipe.note, said]
    return LayerEntry(
        id=recipe.id, kind=recipe.kind, name=recipe.name, publisher=recipe.publisher,
        vintage=vintage, licence=recipe.licence, file=Path(target.name),
        # Rows that are missing may be the very ones that matter: such a layer decides nothing.
        grade=recipe.grade if got.incomplete is None else Grade.INFERRED,
        fields=got.fields, uncertainty_m=recipe.uncertainty_m,
        # Only a layer that came whole may say that an empty answer means nothing is there.
        coverage=got.coverage if recipe.empty_means_none and got.incomplete is None else None,
        max_age_days=recipe.max_age_days, note=" ".join(n for n in notes if n) or None,
        sha256=sha256_of(target), fetched=today, incomplete=got.incomplete,
    )  # fmt: skip


def _vintage(recipe: Recipe, got: _Got, today: date) -> tuple[str, str | None]:
    """The data's date by the recipe's rule, and what is to be said when nobody states it."""
    if recipe.vintage.value is not None:
        return recipe.vintage.value, None
    if recipe.vintage.rule != "fetched" and got.stated is not None:
        return got.stated.isoformat(), None
    return today.isoformat(), "The service does not state the data's date: it is that of the copy."


def _forget_pages(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if folder.parent.is_dir() and not any(folder.parent.iterdir()):
        folder.parent.rmdir()
