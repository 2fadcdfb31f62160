"""The story of one application, top to bottom: read, place, ask, record."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from site_eval import __version__, checks
from site_eval.application import Application, read_application, value_at
from site_eval.case import Case
from site_eval.crowd import crowd, declared_source
from site_eval.crs import frame_for
from site_eval.engine.answer import geojson
from site_eval.engine.registry import discover
from site_eval.engine.walk import walk
from site_eval.files import sha256_of
from site_eval.layers.catalog import Catalog, load_catalog
from site_eval.layout import Layout, layout_geojson, no_layout, read_layout
from site_eval.legal.land import Land
from site_eval.licensing import checklist_for
from site_eval.ordinance.library import Ordinance, load_ordinance
from site_eval.placing import land_of
from site_eval.profile import Profile, load_profile
from site_eval.record.condition import LicenceTerms
from site_eval.record.evaluation import (
    Description,
    Evaluation,
    InputFile,
    OrdinanceReference,
    Site,
    Tool,
    summarise,
)
from site_eval.surroundings import context_features

DEFAULT_ORDINANCE = "gem-county-id-2015-04"


def evaluate(
    application_file: Path,
    *,
    ordinance: str | Path = DEFAULT_ORDINANCE,
    catalog_file: Path | None = None,
    profile_file: Path | None = None,
    as_of: date,
    generated_at: datetime,
) -> Evaluation:
    """Evaluate one application against one ordinance.

    *as_of* is the day on which the question is asked; *generated_at* is only written down.
    Raises a ``SiteEvalError`` for any input that cannot be used.
    """
    law = load_ordinance(ordinance)
    catalog = load_catalog(catalog_file)
    application = read_application(application_file, also=law.declared_paths())
    land = land_of(application, catalog, law.jurisdiction)
    layout = _layout_of(application, land)
    profile = load_profile(profile_file)
    case = _case(application, law, land, layout, catalog, profile, as_of)
    walked = walk(case, discover(checks))
    return Evaluation(
        tool=Tool(name="site-eval", version=__version__),
        generated_at=generated_at.isoformat(timespec="seconds"),
        as_of=as_of.isoformat(),
        inputs=_inputs(application, law, catalog),
        ordinance=OrdinanceReference(
            id=law.id, citation=law.citation, jurisdiction=law.jurisdiction.name
        ),
        application=application.as_read(),
        site=_site(land),
        layout=layout_geojson(layout),
        context=context_features(case),
        not_bound=walked.not_bound,
        findings=walked.findings,
        on_site_only=walked.on_site_only,
        checklist=checklist_for(law, _terms(case), case.basis),
        summary=summarise(walked.findings),
    )


def _layout_of(application: Application, land: Land) -> Layout:
    if application.layout is None:
        return no_layout()
    return read_layout(application.layout.file, application.layout, near=land.geometry)


def _case(
    application: Application,
    law: Ordinance,
    land: Land,
    layout: Layout,
    catalog: Catalog,
    profile: Profile,
    as_of: date,
) -> Case:
    frame = frame_for(land.geometry)
    basis, notes = crowd(application, frame.lon_deg, frame.lat_deg)
    stated = {path: value_at(application, path) for path in law.basis_paths()}
    return Case(
        application=application,
        ordinance=law,
        land=land,
        layout=layout,
        catalog=catalog,
        frame=frame,
        basis=law.with_assumptions(basis.with_values(stated)),
        notes=notes,
        as_of=as_of,
        declared=declared_source(application, sha256_of(application.file)),
        profile=profile,
    )


def _site(land: Land) -> Site:
    return Site(
        geometry=geojson(land.geometry),
        area_acres=round(land.area_acres, 4),
        area_acres_sd=round(land.area_sd_acres, 4),
        position_uncertainty_m=round(land.position_uncertainty_m, 2),
        method=land.method,
        description=Description(
            text=land.text, understood=land.understood, warnings=list(land.warnings)
        ),
        sources=list(land.sources),
    )


def _terms(case: Case) -> LicenceTerms:
    """What a licence granted as applied for would rest on."""
    event, attendance = case.application.event, case.application.attendance
    return LicenceTerms(
        event=event.name,
        starts=event.starts.isoformat(),
        ends=event.ends.isoformat(),
        time_zone=event.time_zone or case.ordinance.jurisdiction.time_zone,
        maximum=int(case.basis.quantities["persons"]),
        female=attendance.female,
        male=attendance.male,
        overnight=attendance.overnight if event.overnight else None,
    )


def _inputs(application: Application, law: Ordinance, catalog: Catalog) -> list[InputFile]:
    """Every file that was read, the applicant's by the name that the application uses."""
    named: list[tuple[str, Path]] = [("application.toml", application.file)]
    folder = application.file.parent
    named += [(_name(path, folder), path) for path in application.documents().values()]
    named += [(f"ordinance/{law.file.name}", law.file), ("layers/catalog.toml", catalog.file)]
    return [InputFile(path=n, sha256=sha256_of(p)) for n, p in _unique(named)]


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name


def _unique(named: Iterable[tuple[str, Path]]) -> list[tuple[str, Path]]:
    seen: dict[str, Any] = {}
    for name, path in named:
        seen.setdefault(name, path)
    return list(seen.items())
