"""The story of one screening, top to bottom: put by, answer, join, tell."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

from site_eval import __version__
from site_eval.layers.catalog import Catalog, load_catalog
from site_eval.layers.layer import cite
from site_eval.ordinance.library import load_ordinance
from site_eval.profile import load_profile
from site_eval.reports.county_map import write_county_map
from site_eval.screening.plan import Plan, make_plan, take_up
from site_eval.screening.question import Question
from site_eval.screening.running import Told, run
from site_eval.screening.summary import Summary, summarise
from site_eval.screening.writing import parts, require_suffix, write

# The kinds of layer that the screening asks.
KINDS = ("places", "county", "wildfire", "flood", "dem", "roads", "stations")


def screen_file(
    parcels: Path,
    out: Path,
    question: Question,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    resume: bool = False,
    layer: str | None = None,
    keep: tuple[str, ...] = (),
    partition_rows: int | None = None,
    page: Path | None = None,
    told: Told = lambda _done, _all: None,
) -> Summary:
    """Screen every parcel of a file and write *out*, and a county map to *page* if one is named.

    A run that is stopped leaves its finished partitions beside *out* for *resume*; *out* itself
    is there only when it is whole. Raises a ``SiteEvalError`` for input that cannot be used.
    """
    require_suffix(out)
    catalog = load_catalog(question.catalog_file)
    load_profile(question.profile_file)
    law = load_ordinance(question.ordinance)
    plan = None
    if resume:
        plan = take_up(parcels, out, question, catalog, layer=layer, keep=keep)
    if plan is None:
        plan = make_plan(
            parcels, out, question, catalog, layer=layer, keep=keep, partition_rows=partition_rows
        )
    run(plan, question, workers=workers, scheduler=scheduler, told=told)
    about = described(plan, parcels, question, catalog) | {"ordinance": law.citation}
    summary = summarise(plan)
    write(plan, out, about, gaps=summary.broken > 0)
    if page is not None:
        write_county_map(page, parts(plan), about)
    shutil.rmtree(plan.folder)
    return summary


def described(plan: Plan, parcels: Path, question: Question, catalog: Catalog) -> dict[str, Any]:
    """What the answers rest on: the question, the parcels and the layers asked, with their dates."""
    asked = [entry for kind in KINDS for entry in catalog.of_kind(kind)[:1]]
    return {
        "schema": "site-eval/screening/1",
        "tool": {"name": "site-eval", "version": __version__},
        "parcels": {"file": parcels.name, "rows": plan.rows},
        "question": {
            name: None if value is None else str(value) for name, value in asdict(question).items()
        },
        "layers": [
            {"kind": entry.kind, "id": entry.id, **cite(entry).model_dump(mode="json")}
            for entry in asked
        ],
        "layers_missing": [kind for kind in KINDS if not catalog.of_kind(kind)],
    }
