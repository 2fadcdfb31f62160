"""The same parcels through ``evaluate`` and through the screening, verdict by verdict.

Asking one case takes a quarter of a second, so that of the 500 parcels screened every thirteenth,
and every fifth on or near a municipality's line, is asked again as an application.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from site_eval import checks
from site_eval.application import read_application
from site_eval.case import Case
from site_eval.crowd import crowd, declared_source
from site_eval.crs import WGS84, frame_for
from site_eval.engine.registry import discover
from site_eval.engine.walk import Walked, walk
from site_eval.layers.catalog import load_catalog
from site_eval.layout import no_layout
from site_eval.legal.land import land_from_polygons
from site_eval.ordinance.library import load_ordinance
from site_eval.profile import load_profile
from site_eval.record.finding import Source
from site_eval.record.verdict import Grade
from site_eval.screening.partition import screen
from site_eval.screening.question import Question, Sources
from tests.evaluate.application import write_application
from tests.screening.county import catalog_with_published_ground, quarter_quarters

ORDINANCE = "gem-county-id-2015-04"
SUBJECTS = {
    "jurisdiction.municipality", "location.wildfire", "location.flood", "location.terrain",
    "parking.spaces", "capacity.persons",
}  # fmt: skip
# The limits are of 2019: on the first day they are not old, on the second they are.
FRESH, OLD = date(2020, 6, 1), date(2027, 3, 1)
EVENT = date(2027, 4, 17)  # before the closed fire season


@dataclass(frozen=True)
class Both:
    """Verdicts by check, of the parcels that were asked both ways."""

    applied: dict[str, list[set[str]]]
    screened: pd.DataFrame


@pytest.fixture(scope="module", params=["published", "bundled"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    folder = tmp_path_factory.mktemp(request.param)
    catalog = catalog_with_published_ground(folder) if request.param == "published" else None
    parcels = quarter_quarters(25, 20)
    screened = {
        day: screen(parcels, Sources(Question(ORDINANCE, 2400, day, catalog, held_on=EVENT)))
        for day in (FRESH, OLD)
    }
    asked = _asked(screened[FRESH], every=13 if request.param == "published" else 41)
    days = [(FRESH, OLD)[n % 2] for n in range(len(asked))]
    walked = _walks(folder, catalog, parcels[asked], days)
    rows = pd.concat([screened[day].iloc[[n]] for n, day in zip(asked, days, strict=True)])
    names = ("jurisdiction", "wildfire", "flood", "terrain", "parking", "capacity")
    found = {
        name: [{str(f.verdict) for f in w.findings if f.check == name} for w in walked]
        for name in names
    }
    return Both(found, rows.reset_index(drop=True))


def _asked(screened: pd.DataFrame, *, every: int) -> NDArray[np.int64]:
    """Every so many, and more of those on or near a line or inside."""
    near = screened.municipal_relation.isin(["partly", "near"]).to_numpy()
    inside = np.flatnonzero(screened.municipal_relation == "inside")[::4]
    picked = {*range(0, len(screened), every), *np.flatnonzero(near)[::5], *inside}
    return np.array(sorted(picked))


def _walks(
    folder: Path, catalog_file: Path | None, parcels: NDArray[Any], days: list[date]
) -> list[Walked]:
    law = load_ordinance(ORDINANCE)
    law = law.model_copy(update={"clauses": tuple(c for c in law.clauses if c.subject in SUBJECTS)})
    file = write_application(
        folder, attendance__maximum=2400, event__starts=f"{EVENT}T10:00:00",
        event__ends=f"{EVENT}T20:00:00",
    )  # fmt: skip
    application = read_application(file, also=law.declared_paths())
    source = Source(
        name="parcels", publisher="test", vintage="2026", licence="CC0-1.0", grade=Grade.DECLARED
    )
    catalog, profile, registry = load_catalog(catalog_file), load_profile(), discover(checks)
    walked = []
    for parcel, day in zip(parcels, days, strict=True):
        frame = gpd.GeoDataFrame(geometry=[parcel], crs=WGS84)
        land = land_from_polygons(frame, name="parcels", source=source)
        at = frame_for(land.geometry)
        basis, notes = crowd(application, at.lon_deg, at.lat_deg)
        case = Case(
            application=application, ordinance=law, land=land, layout=no_layout(), catalog=catalog,
            frame=at, basis=basis, notes=notes, as_of=day,
            declared=declared_source(application, None), profile=profile,
        )  # fmt: skip
        walked.append(walk(case, registry))
    return walked


def test_every_verdict_of_scope_and_place_is_the_same(both: Both) -> None:
    applied = [_of_scope(said) for said in both.applied["jurisdiction"]]
    assert applied == list(both.screened.verdict_jurisdiction)
    for name in ("wildfire", "flood", "terrain"):
        assert [one for (one,) in both.applied[name]] == list(both.screened[f"verdict_{name}"])


def _of_scope(said: set[str]) -> str:
    """One of the municipality's and the county's verdict: what lifts the ordinance comes first."""
    order = ("not-applicable", "needs-review", "not-determined", "complies")
    return next(word for word in order if word in said)


def test_room_is_judged_only_where_evaluate_asks_for_a_layout(both: Both) -> None:
    # Without a layout evaluate cannot count stalls; from the area alone the screening may say
    # that they never fit, and nothing better than a review.
    for name in ("parking", "capacity"):
        for (applied,), screened in zip(
            both.applied[name], both.screened[f"verdict_{name}"], strict=True
        ):
            wanted = {"not-applicable"} if applied == "not-applicable" else {
                "needs-review", "does-not-comply"
            }  # fmt: skip
            assert screened in wanted


def test_the_sample_holds_every_relation_and_more_than_one_verdict(both: Both) -> None:
    assert set(both.screened.municipal_relation) == {"inside", "partly", "near", "outside"}
    assert both.screened.verdict_jurisdiction.nunique() == 3
