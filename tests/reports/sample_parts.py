"""The parts that the sample evaluation is made of: real outlines, sources and short makers."""

from __future__ import annotations

from typing import Any

import shapely

from site_eval.crs import frame_for
from site_eval.record.finding import ClauseReference, Finding, Source
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Grade, Verdict

TRACT = [
    (-116.6722894, 43.9341803),
    (-116.6773054, 43.934193),
    (-116.6823213, 43.9342055),
    (-116.6823305, 43.9305773),
    (-116.6773132, 43.9305634),
    (-116.672296, 43.9305492),
    (-116.6722894, 43.9341803),
]
COUNTY = [
    (-116.7125, 43.9813), (-116.7127, 43.8072), (-116.274, 43.8074), (-116.2731, 44.1512),
    (-116.2139, 44.1514), (-116.2129, 44.3244), (-116.1523, 44.3245), (-116.1524, 44.4988),
    (-116.2361, 44.4647), (-116.2915, 44.4527), (-116.3196, 44.4207), (-116.3294, 44.3549),
    (-116.348, 44.3223), (-116.3433, 44.2178), (-116.357, 44.2072), (-116.3585, 44.1512),
    (-116.4521, 44.1515), (-116.4526, 44.0654), (-116.5321, 44.066), (-116.5322, 44.0088),
    (-116.5721, 44.0092), (-116.5722, 43.9805), (-116.7125, 43.9813),
]  # fmt: skip
EMMETT = [
    (-116.5177, 43.8692), (-116.5177, 43.8674), (-116.5127, 43.8693), (-116.5097, 43.8668),
    (-116.5096, 43.8625), (-116.5027, 43.8629), (-116.5027, 43.8583), (-116.4975, 43.8589),
    (-116.4827, 43.8612), (-116.4827, 43.8646), (-116.4764, 43.8629), (-116.4677, 43.8647),
    (-116.4629, 43.8549), (-116.4565, 43.8538), (-116.4528, 43.8675), (-116.4678, 43.8683),
    (-116.4629, 43.8757), (-116.4754, 43.8757), (-116.4803, 43.8826), (-116.5028, 43.882),
    (-116.5078, 43.8742), (-116.5177, 43.8692),
]  # fmt: skip
SITE = shapely.Polygon(TRACT)
FRAME = frame_for(SITE)

PLAN = Source(
    name="application.toml",
    publisher="Sand Hollow Events LLC",
    vintage="2027-03-02",
    licence="public record",
    grade=Grade.DECLARED,
    sha256="1f" * 32,
)
PLACES = Source(
    name="TIGER/Line places, Idaho",
    publisher="U.S. Census Bureau",
    vintage="2019",
    licence="public domain",
    grade=Grade.PUBLISHED,
    sha256="2e" * 32,
)
COUNTIES = Source(
    name="Cartographic boundary, counties 1:500,000",
    publisher="U.S. Census Bureau",
    vintage="2016",
    licence="public domain",
    grade=Grade.PUBLISHED,
    sha256="3d" * 32,
)
TRACTS = Source(
    name="State endowment tracts",
    publisher="Idaho Department of Lands",
    vintage="2023-06",
    licence="public record",
    grade=Grade.PUBLISHED,
    sha256="4c" * 32,
)
FIRE = Source(
    name="Wildfire hazard, made for this example",
    publisher="site-eval",
    vintage="2026",
    licence="CC0",
    grade=Grade.ILLUSTRATIVE,
    sha256="5b" * 32,
)

SAMPLE_TEXT = "The S½NE¼ of Section 22, T. 7 N., R. 3 W., Boise Meridian, Gem County, Idaho"


def geo(geometry: Any) -> dict[str, Any]:
    return dict(shapely.geometry.mapping(shapely.set_precision(geometry, 1e-7, mode="pointwise")))


def local(kind: str, *numbers: float) -> Any:
    """A point, line, box or circle in metres east and north of the tract's centre, in degrees."""
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
    shapes = {
        "point": lambda: shapely.Point(pairs[0]),
        "line": lambda: shapely.LineString(pairs),
        "box": lambda: shapely.box(*numbers),
        "circle": lambda: shapely.Point(pairs[0]).buffer(numbers[2], quad_segs=4),
    }
    return FRAME.to_geographic(shapes[kind]())


def feature(geometry: Any, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": geo(geometry)}


def collection(features: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": features}


def clause_(id_: str, citation: str, quote: str) -> ClauseReference:
    return ClauseReference(id=id_, citation=citation, quote=quote)


def finding_(
    check: str,
    clause: tuple[str, str, str],
    verdict: Verdict,
    question: str,
    statement: str,
    *,
    measured: tuple[float, str] | tuple[float, str, float, float] | None = None,
    required: tuple[float, str, str, str] | None = None,
    reasons: tuple[str, ...] = (),
    agency: str | None = None,
    sources: tuple[Source, ...] = (PLAN,),
    evidence: tuple[tuple[str, str, Any], ...] = (),
) -> Finding:
    return Finding(
        check=check,
        clause=clause_(*clause),
        question=question,
        verdict=verdict,
        statement=statement,
        measured=None
        if measured is None
        else Measured(
            value=measured[0],
            unit=measured[1],
            low=measured[2] if len(measured) == 4 else None,
            high=measured[3] if len(measured) == 4 else None,
        ),
        required=None
        if required is None
        else Required(
            value=required[0],
            unit=required[1],
            comparison=required[2],  # type: ignore[arg-type]
            formula=required[3],
        ),
        reasons=list(reasons),
        agency=agency,
        sources=list(sources),
        evidence=collection([feature(g, label=label, kind=kind) for label, kind, g in evidence]),
    )


OK, BAD, REVIEW, UNKNOWN, NOT = (
    Verdict.COMPLIES,
    Verdict.DOES_NOT_COMPLY,
    Verdict.NEEDS_REVIEW,
    Verdict.NOT_DETERMINED,
    Verdict.NOT_APPLICABLE,
)
