"""Is the land highly prone to wildfire, and what provisions does the plan make?"""

from __future__ import annotations

from typing import Any

from site_eval.case import Case
from site_eval.crs import WGS84
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer
from site_eval.judges.wildfire import (
    HIGH,
    LAND,
    MODERATE_UP,
    VERY_HIGH,
    Exposure,
    judge,
    verdict_of,
)
from site_eval.layers.catalog import LayerEntry
from site_eval.ordinance.clause import Clause
from site_eval.record.finding import Source
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.zonal import ClassShares, class_shares, grown
from site_eval.units import feet


@check("wildfire", subjects=("location.wildfire",), needs=[layer("wildfire")])
def wildfire(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the location is highly prone to wildfire, and what provisions are planned.

    *Asks*: how much of the site and of the ring 1,530 m around it is in which class of wildfire
    hazard?
    *Measures*: exact class shares of the raster's cells, water left out; coverage of the raster;
    the way out; the season.
    *Judges*: prone, or for review, or not indicated; never "safe" and never a denial. A prone
    location needs "appropriate safety provisions", which the fire district weighs.
    *Cannot say*: what burns on the day, the state of the fuel, whether provisions suffice. A cell
    of 270 m is 18 acres: small sites are barely one cell.
    *Source*: the catalog's wildfire layer; Wildfire Hazard Potential classes (RDS-2015-0047-4).
    """
    return [_answer(case, entry, source) for entry, source in case.rasters("wildfire")]


def _answer(case: Case, entry: LayerEntry, source: Source) -> Answer:
    site, reach_m = case.site_local, case.profile.wildfire.ring_m
    ring = grown(site, reach_m).difference(site)
    on_site, around = _shares(case, site, entry), _shares(case, ring, entry)
    exposure = _exposure(case, on_site, around)
    outcome, reasons = judge(exposure, in_season=_in_season(case))
    provisions = case.value("plan.fire.wildfire_provisions") or ()
    return Answer(
        Verdict(str(verdict_of(outcome))),
        _statement(outcome, exposure, reach_m, provisions),
        question="Is the location highly prone to wildfire, and are safety provisions planned?",
        measured=Measured(
            value=round(100 * exposure.site_high, 1),
            unit="% of the site in high or very high wildfire hazard",
        ),
        required=Required(
            value=25.0,
            unit="% of the site",
            comparison="at-most",
            formula="the tool's own proposal; the ordinance gives no number",
        ),
        reasons=(
            *(f"{words[:1].upper()}{words[1:]}." for words in reasons),
            f"Classes on the site: {_classes(on_site)}; in the ring: {_classes(around)}.",
            f"Cells of {on_site.cell_size_m:.0f} m; {on_site.pixel_count:.1f} lie under the site; "
            f"{_pc(min(on_site.coverage, around.coverage))} of the ground is covered.",
        ),
        sources=(source,),
        background=case.land.sources,
        on_land=True,
        evidence=(
            Evidence(
                case.geographic(ring),
                f"Ring of {reach_m:,.0f} m ({feet(reach_m):,.0f} ft)",
                kind="ring",
            ),
        ),
    )


def _exposure(case: Case, on_site: ClassShares, around: ClassShares) -> Exposure:
    exits = len(case.features("emergency_exit", "public_exit", "emergency_entrance"))
    return Exposure(
        site_high=on_site.share_of(HIGH, LAND),
        site_very_high=on_site.share_of(VERY_HIGH, LAND),
        site_moderate_up=on_site.share_of(MODERATE_UP, LAND),
        ring_high=around.share_of(HIGH, LAND),
        coverage=min(on_site.coverage, around.coverage),
        independent_exits=exits,
    )


def _statement(outcome: str, exposure: Exposure, reach_m: float, provisions: Any) -> str:
    words = {
        "prone": "The location may be highly prone to wildfire",
        "review": "Wildfire hazard near the location is for the fire district to weigh",
        "not-indicated": "The layer does not indicate a location highly prone to wildfire",
    }
    listed = "; ".join(str(item) for item in provisions)
    planned = f"The plan names these provisions: {listed}." if listed else (
        "The plan names no wildfire provisions (plan.fire.wildfire_provisions)."
    )  # fmt: skip
    return (
        f"{words[outcome]}: {_pc(exposure.site_high)} of the site and {_pc(exposure.ring_high)} of "
        f"the {reach_m:,.0f} m around it are of high or very high hazard. {planned}"
    )


def _shares(case: Case, polygon: Any, entry: LayerEntry) -> ClassShares:
    if entry.file is None:
        raise ValueError(f"layer {entry.id} is not at hand")
    return class_shares(case.geographic(polygon), entry.file, WGS84)


def _in_season(case: Case) -> bool:
    """Whether the event touches the closed fire season of the profile, month and day each year."""
    opens, closes = case.profile.wildfire.season
    event = case.application.event
    return any(
        opens <= f"{day:%m-%d}" <= closes for day in (event.assembles.date(), event.ends.date())
    )


def _classes(shares: ClassShares) -> str:
    return ", ".join(f"{code} {_pc(share)}" for code, share in shares.shares.items()) or "none"


def _pc(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.005 or share == 0 else "under 1 %"
