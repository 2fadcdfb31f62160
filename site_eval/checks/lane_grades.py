"""Are the fire apparatus access roads too steep?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from shapely import ops

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer, role
from site_eval.layers.catalog import LayerEntry
from site_eval.ordinance.clause import Clause
from site_eval.record.finding import Source
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.access_graph import Edge
from site_eval.solvers.slope import grade_profile
from site_eval.ways import network

_QUESTION = "Are the fire lanes too steep for a fire engine?"
# Shorter pieces are junctions and connectors, over which a grade means nothing.
_LEAST_M = 20.0
_SMOOTH_M = 15.0


@dataclass(frozen=True)
class Grade:
    """One lane: its steepest stretch, and how much of it has heights."""

    edge: Edge
    percent: float
    known: float
    at: Any


@check(
    "emergency-access",
    subjects=("fire.lanes",),
    needs=[layer("dem"), role("fire_lane", "road")],
)
def lane_grades(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether a fire lane is steeper than the fire code's figure.

    *Asks*: what is the steepest stretch of each lane?
    *Measures*: heights of the elevation raster every 5 m along each lane, smoothed over 15 m.
    *Judges*: the clause names the fire code, whose edition and figure the fire district confirms:
    always for review, with the steepest place drawn.
    *Cannot say*: pitches shorter than a cell of the raster; earthworks since it was made.
    *Source*: the catalog's elevation layer; International Fire Code D103.2, figure of the profile.
    """
    return [_answer(case, entry, source) for entry, source in case.rasters("dem")]


def _answer(case: Case, entry: LayerEntry, source: Source) -> Answer:
    limit = case.profile.fire_access.grade_percent
    edges = network(case).edges
    lanes = [e for e in edges if e.role == "fire_lane"] or list(edges)
    try:
        grades = [_grade(case, e, entry) for e in lanes if e.length_m >= _LEAST_M]
    except (ValueError, OSError) as error:
        return Answer(Verdict.NOT_DETERMINED, str(error), _QUESTION, sources=(source,))
    known = [grade for grade in grades if grade.known > 0]
    if not known:
        said = "The elevation layer has no height on the fire lanes; name one that covers the site."
        return Answer(Verdict.NOT_DETERMINED, said, _QUESTION, sources=(source,))
    worst = max(known, key=lambda grade: grade.percent)
    steep = sorted((g for g in known if g.percent > limit), key=lambda g: -g.percent)
    bare = min(grade.known for grade in grades)
    return Answer(
        Verdict.NEEDS_REVIEW,
        f"The steepest stretch of a fire lane rises {worst.percent:.1f} % ({worst.edge.name}); the "
        f"fire code asks for at most {limit:g} %.",
        _QUESTION,
        measured=Measured(value=round(worst.percent, 1), unit="% grade, steepest stretch"),
        required=Required(
            value=limit, unit="%", comparison="at-most", formula=f"{limit:g} %, fire code D103.2"
        ),
        reasons=(
            "The fire district confirms the edition of the fire code and its figures.",
            f"Smoothed over {_SMOOTH_M:g} m; pitches shorter than a cell of the raster are hidden.",
            *((f"Of one lane only {100 * bare:.0f} % has heights.",) if bare < 1 else ()),
        ),
        sources=(source, case.layout.source),
        evidence=tuple(
            Evidence(case.geographic(g.at), f"{g.edge.name}: {g.percent:.1f} %", "steep")
            for g in steep or [worst]
        ),
    )


def _grade(case: Case, edge: Edge, entry: LayerEntry) -> Grade:
    if entry.file is None:
        raise ValueError(f"The layer '{entry.id}' is not at hand.")
    profile = np.abs(grade_profile(edge.line, entry.file, case.frame.crs, smooth_m=_SMOOTH_M))
    known = np.isfinite(profile)
    if not known.any():
        return Grade(edge, 0.0, 0.0, edge.line)
    step = int(np.nanargmax(profile))
    ends = np.array([step, step + 1]) / len(profile)
    at = ops.substring(edge.line, ends[0], ends[1], normalized=True)
    return Grade(edge, float(profile[step]), float(known.mean()), at)
