"""Is the land highly prone to wildfire, and what provisions does the plan make?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import shapely

from site_eval.case import Case
from site_eval.crs import WGS84
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer
from site_eval.judges.wildfire import (
    BURNABLE,
    HIGH,
    LAND,
    MODERATE_UP,
    VERY_HIGH,
    Exposure,
    Rule,
    in_closed_season,
    judge,
    verdict_of,
)
from site_eval.layers.catalog import LayerEntry
from site_eval.ordinance.clause import Clause
from site_eval.record.finding import Source
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.hazard_raster import Classify, classifier
from site_eval.solvers.leaving import Leaving
from site_eval.solvers.zonal import ClassShares, cells_under, class_shares, grown
from site_eval.units import feet
from site_eval.ways import GATE_ROLES, gate_features, ways_out

_QUESTION = "Is the location highly prone to wildfire, and are safety provisions planned?"


@dataclass(frozen=True)
class Ground:
    """Shares of the classes on the site, around it, and along the way out where one is known."""

    site: ClassShares
    ring: ClassShares
    outer: ClassShares
    corridor: ClassShares | None
    corridor_shape: Any
    out: Leaving | None


@check("wildfire", subjects=("location.wildfire",), needs=[layer("wildfire")])
def wildfire(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the location is highly prone to wildfire, and what provisions are planned.

    *Asks*: how much of the site, of the rings 1,530 m and 2,400 m around it and of the corridor
    along the way out is in which class of wildfire hazard?
    *Measures*: class shares of the raster's cells, each by its covered part: of all land (water
    left out) and of the land that can burn; ground with values; separate ways out over the road
    layer; the closed season; the fire restriction that the application states.
    *Judges*: prone, or for review, or not indicated; never "safe" and never a denial, from the
    shares of the profile's rule, which are a proposal. A prone location needs "appropriate safety
    provisions", which the fire district weighs. Ground without values is never taken as harmless.
    *Cannot say*: what burns on the day, the state of the fuel, whether provisions suffice. A cell
    of 270 m is 18 acres: small sites are barely one cell.
    *Source*: the catalog's wildfire layer: classes or index of the Wildfire Hazard Potential
    (RDS-2015-0047, also of Wildfire Risk to Communities), told by the raster's own marks.
    """
    return [_answer(case, entry, source) for entry, source in case.rasters("wildfire")]


@check("wildfire", subjects=("location.wildfire",))
def burn_probability(case: Case, clause: Clause) -> list[Answer]:
    """Ask how likely the ground burns in a year, where a raster of that is at hand.

    *Asks*: the average and the greatest annual burn probability of the site and of the ring.
    *Measures*: the raster's cells, each by its covered part; 0 is a value (ground that does not
    burn), ground without values is told.
    *Judges*: no authority sets a number: always for the fire district, beside the hazard classes.
    *Cannot say*: how hot it burns, and what stands in the way.
    *Source*: a burn probability layer, such as that of Wildfire Risk to Communities
    (RDS-2020-0016).
    """
    return [_burning(case, entry, source) for entry, source in case.rasters("burn_probability")]


def _answer(case: Case, entry: LayerEntry, source: Source) -> Answer:
    try:
        ground = _ground(case, entry)
    except (ValueError, OSError) as error:
        return _unread(entry, source, str(error))
    if ground.site.coverage == 0:
        return _unread(entry, source, "The layer has no value on the site.")
    exposure = _exposure(case, ground)
    rule = Rule(**case.profile.wildfire_rule.model_dump(exclude={"source"}))
    outcome, reasons = judge(exposure, in_season=_in_season(case), rule=rule)
    return Answer(
        Verdict(str(verdict_of(outcome))),
        _statement(case, outcome, exposure),
        question=_QUESTION,
        measured=Measured(
            value=round(100 * exposure.site_high, 1),
            unit="% of the site in high or very high wildfire hazard",
        ),
        required=Required(
            value=100 * rule.site_high,
            unit="% of the site",
            comparison="at-most",
            formula=f"{case.profile.wildfire_rule.source}; the ordinance gives no number",
        ),
        reasons=(
            *(f"{words[:1].upper()}{words[1:]}." for words in reasons),
            *_told(case, ground),
        ),
        sources=(source,),
        background=(*case.land.sources, *_road_sources(case)),
        on_land=True,
        evidence=tuple(_evidence(case, ground)),
    )


def _unread(entry: LayerEntry, source: Source, why: str) -> Answer:
    """The layer is at hand and cannot answer: which is never the same as no hazard."""
    return Answer(
        Verdict.NOT_DETERMINED,
        f"{why} Name a raster of wildfire hazard classes that covers the site and 2,400 m around it "
        f"instead of '{entry.id}' in the catalog.",
        question=_QUESTION,
        sources=(source,),
    )


def _ground(case: Case, entry: LayerEntry) -> Ground:
    figures, site = case.profile.wildfire, case.site_local
    classify = classifier(_file(entry), figures.index_breaks)
    near = grown(site, figures.ring_m)
    far = grown(site, figures.outer_ring_m)
    out = ways_out(case, *GATE_ROLES)
    routes = [route for route in (out.routes if out else ()) if route is not None]
    corridor = shapely.union_all(routes).buffer(figures.corridor_m).difference(site)
    return Ground(
        site=_shares(case, site, entry, classify),
        ring=_shares(case, near.difference(site), entry, classify),
        outer=_shares(case, far.difference(site), entry, classify),
        corridor=_shares(case, corridor, entry, classify) if corridor.area > 0 else None,
        corridor_shape=corridor,
        out=out,
    )


def _shares(case: Case, polygon: Any, entry: LayerEntry, classify: Classify) -> ClassShares:
    return class_shares(case.geographic(polygon), _file(entry), WGS84, classify=classify)


def _file(entry: LayerEntry) -> Any:
    if entry.file is None:
        raise ValueError(f"The layer '{entry.id}' is not at hand.")
    return entry.file


def _exposure(case: Case, ground: Ground) -> Exposure:
    mapped = len(gate_features(case))
    corridor = ground.corridor
    return Exposure(
        site_high=ground.site.share_of(HIGH, LAND),
        site_very_high=ground.site.share_of(VERY_HIGH, LAND),
        site_moderate_up=ground.site.share_of(MODERATE_UP, LAND),
        ring_high=ground.ring.share_of(HIGH, LAND),
        coverage=min(ground.site.coverage, ground.ring.coverage),
        independent_exits=ground.out.independent if ground.out else mapped,
        corridor_very_high=corridor.share_of(VERY_HIGH, LAND) if corridor else 0.0,
        restricted=bool(case.value("plan.fire.restriction_stage")),
    )


def _statement(case: Case, outcome: str, exposure: Exposure) -> str:
    words = {
        "prone": "The location may be highly prone to wildfire",
        "review": "Wildfire hazard near the location is for the fire district to weigh",
        "not-indicated": "The layer does not indicate a location highly prone to wildfire",
    }
    provisions = case.value("plan.fire.wildfire_provisions") or ()
    listed = "; ".join(str(item) for item in provisions)
    planned = f"The plan names these provisions: {listed}." if listed else (
        "The plan names no wildfire provisions (plan.fire.wildfire_provisions)."
    )  # fmt: skip
    return (
        f"{words[outcome]}: {_pc(exposure.site_high)} of the site and {_pc(exposure.ring_high)} of "
        f"the {case.profile.wildfire.ring_m:,.0f} m around it are of high or very high hazard. "
        f"{planned}"
    )


def _told(case: Case, ground: Ground) -> Iterator[str]:
    """Everything measured that a fire district may want to see, beside what decided."""
    figures = case.profile.wildfire
    parts = {
        "the site": ground.site,
        f"the {figures.ring_m:,.0f} m around it": ground.ring,
        f"the {figures.outer_ring_m:,.0f} m around it": ground.outer,
        f"the {figures.corridor_m:g} m on each side of the ways out": ground.corridor,
    }
    for where, shares in parts.items():
        if shares is not None:
            yield (
                f"High or very high on {where}: {_pc(shares.share_of(HIGH, LAND))} of all land, "
                f"{_pc(shares.share_of(HIGH, BURNABLE))} of what can burn; by class: "
                f"{_classes(shares)}."
            )
    yield _exits_words(case, ground.out)
    if ground.site.nodata_share + ground.ring.nodata_share > 0:
        yield (
            "Cells without data lie on the ground. In copies of the 2023 edition from before "
            "17 July 2024 those are the cells of the worst hazard: get the present copy."
        )
    covered = min(ground.site.coverage, ground.ring.coverage)
    yield (
        f"Cells of {ground.site.cell_size_m:.0f} m; {ground.site.pixel_count:.1f} lie under the "
        f"site; {_pc(covered)} of the ground has values."
    )
    yield from _season_words(case)


def _exits_words(case: Case, out: Leaving | None) -> str:
    gates = len(gate_features(case))
    if out is None:
        return f"{gates} gates are mapped; without a road layer their ways out are not followed."
    reach_m = case.profile.wildfire.outer_ring_m
    return (
        f"Ways from the {gates} mapped gates to {reach_m:,.0f} m and farther that share no stretch "
        f"of the road layer: {out.independent}."
    )


def _season_words(case: Case) -> Iterator[str]:
    figures = case.profile.wildfire
    if _in_season(case):
        yield f"Closed season {' to '.join(figures.season)}: {figures.season_source}."
    stage = case.value("plan.fire.restriction_stage")
    if stage:
        yield f"The application states a fire restriction of stage {stage}."
    elif stage is None:
        yield (
            "The fire restriction in force is not stated (plan.fire.restriction_stage); it is asked "
            "again before the event."
        )


def _in_season(case: Case) -> bool:
    """Whether any day of the event falls in the closed fire season of the profile."""
    return in_closed_season(_days(case), case.profile.wildfire.season)


def _days(case: Case) -> Iterator[date]:
    event = case.application.event
    first, last = event.assembles.date(), event.ends.date()
    return (first + timedelta(days=n) for n in range((last - first).days + 1))


def _road_sources(case: Case) -> tuple[Source, ...]:
    within_m = case.profile.wildfire.outer_ring_m
    return tuple(data.source for data in case.layers("roads", within_m=within_m) if len(data.rows))


def _evidence(case: Case, ground: Ground) -> Iterator[Evidence]:
    figures, site = case.profile.wildfire, case.site_local
    if ground.corridor is not None:
        label = f"Corridor of the ways out, {figures.corridor_m:g} m on each side"
        yield Evidence(case.geographic(ground.corridor_shape), label, kind="corridor")
    for reach_m in (figures.ring_m, figures.outer_ring_m):
        ring = grown(site, reach_m).difference(site)
        label = f"Ring of {reach_m:,.0f} m ({feet(reach_m):,.0f} ft)"
        yield Evidence(case.geographic(ring), label, kind="ring")


def _burning(case: Case, entry: LayerEntry, source: Source) -> Answer:
    reach_m = case.profile.wildfire.ring_m
    site = case.site_local
    question = "How likely does the ground burn in a year?"
    try:
        parts = {
            "the site": cells_under(case.geographic(site), _file(entry), WGS84),
            f"the {reach_m:,.0f} m around it": cells_under(
                case.geographic(grown(site, reach_m).difference(site)), _file(entry), WGS84
            ),
        }
    except (ValueError, OSError) as error:
        return Answer(Verdict.NOT_DETERMINED, str(error), question, sources=(source,))
    if not all(cells.valid.any() for cells in parts.values()):
        said = "The burn probability layer has no value on the site and around it."
        return Answer(Verdict.NOT_DETERMINED, said, question, sources=(source,))
    words, shares = [], []
    for where, cells in parts.items():
        values, weight = cells.values[cells.valid].astype(float), cells.weight[cells.valid]
        mean = float((values * weight).sum() / weight.sum())
        shares.append(mean)
        known = float(weight.sum() / cells.weight.sum()) * cells.coverage
        words.append(
            f"{where}: {100 * mean:.2f} % on average, {100 * values.max():.2f} % at most, values on "
            f"{_pc(known)} of it"
        )
    return Answer(
        Verdict.NEEDS_REVIEW,
        f"Annual burn probability of {'; '.join(words)}.",
        question,
        measured=Measured(value=round(100 * shares[0], 3), unit="% a year, average of the site"),
        reasons=("No authority sets a number; it stands beside the hazard classes.",),
        sources=(source,),
        on_land=True,
    )


def _classes(shares: ClassShares) -> str:
    return ", ".join(f"{code} {_pc(share)}" for code, share in shares.shares.items()) or "none"


def _pc(share: float) -> str:
    if 0 < share < 0.005:
        return "under 1 %"
    return f"{100 * share:.1f} %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"
