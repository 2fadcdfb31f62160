"""Is the ground too steep for crowds and vehicles?"""

from __future__ import annotations

from typing import Any

import shapely

from site_eval.case import Case
from site_eval.crs import WGS84
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer
from site_eval.judges.terrain import judge
from site_eval.layers.catalog import LayerEntry
from site_eval.ordinance.clause import Clause
from site_eval.record.finding import Source
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.slope import SlopeShares, slope_shares, steep_ground


@check("terrain", subjects=("location.terrain",), needs=[layer("dem")])
def terrain(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the ground is steep where people stand or park.

    *Asks*: what share of the crowd's and the vehicles' ground is steeper than 15 % and 10 %?
    *Measures*: slope by Horn's method on the elevation raster, for the assembly, camping and
    parking areas, or for the whole site when none is mapped.
    *Judges*: nothing steep, on ground that the raster covers, complies; anything steep is for a
    person, since the ordinance gives no number.
    *Cannot say*: ditches and banks smaller than a cell; whether ground is wet or will slide.
    *Source*: the catalog's elevation layer.
    """
    return [_asked(case, entry, source) for entry, source in case.rasters("dem")]


def _asked(case: Case, entry: LayerEntry, source: Source) -> Answer:
    """The answer of one raster, or why it has none."""
    try:
        return _answer(case, entry, source)
    except (ValueError, OSError) as error:
        said = f"{error} Name another elevation raster than '{entry.id}' in the catalog."
        return Answer(Verdict.NOT_DETERMINED, said, _QUESTION, sources=(source,))


_QUESTION = "Is the ground too steep for crowds and vehicles?"


def _answer(case: Case, entry: LayerEntry, source: Source) -> Answer:
    figures = case.profile.slope
    parts = [
        (what, limit, area)
        for what, limit, area in (
            ("crowd", figures.crowd_percent, _area(case, "assembly_area", "camping")),
            ("parking", figures.parking_percent, _area(case, "parking", "parking_overflow")),
        )
        if not area.is_empty
    ] or [("site", figures.crowd_percent, case.land.geometry)]
    slopes = [(what, limit, _slopes(area, entry, limit)) for what, limit, area in parts]
    steepest = max(s.share_above[limit] for _, limit, s in slopes)
    coverage = min(s.coverage for _, _, s in slopes)
    if all(s.maximum_percent is None for _, _, s in slopes):
        raise ValueError("The elevation layer has no value on the ground.")
    return Answer(
        Verdict(str(judge(steepest, coverage))),
        " ".join(_sentence(what, limit, s) for what, limit, s in slopes),
        question=_QUESTION,
        measured=Measured(value=round(100 * steepest, 1), unit="% of used ground above its limit"),
        required=Required(
            value=0.0, unit="%", comparison="at-most", formula="the tool's own proposal"
        ),
        reasons=(f"Cells of {slopes[0][2].cell_size_m:.0f} m; {100 * coverage:.0f} % covered.",),
        sources=(source,),
        evidence=tuple(
            Evidence(_steep(area, entry, limit), f"Steeper than {limit:.0f} % ({what})", "steep")
            for what, limit, area in parts
        ),
    )


def _sentence(what: str, limit: float, slopes: SlopeShares) -> str:
    if slopes.maximum_percent is None:
        return f"The elevation layer does not cover the {what} ground."
    return (
        f"{100 * slopes.share_above[limit]:.0f} % of the {what} ground is steeper than "
        f"{limit:.0f} % (steepest cell {slopes.maximum_percent:.0f} %)."
    )


def _area(case: Case, *roles: str) -> Any:
    return shapely.union_all([feature.geometry for feature in case.features(*roles)])


def _slopes(area: Any, entry: LayerEntry, limit: float) -> SlopeShares:
    if entry.file is None:
        raise ValueError(f"layer {entry.id} is not at hand")
    return slope_shares(area, entry.file, WGS84, limits_percent=(limit,))


def _steep(area: Any, entry: LayerEntry, limit: float) -> Any:
    if entry.file is None:
        raise ValueError(f"layer {entry.id} is not at hand")
    return steep_ground(area, entry.file, WGS84, above_percent=limit)
