"""Land: a polygon with its area, how sure its position is, and why it may be doubted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import DATUM_UNCERTAINTY_M, WGS84, ellipsoidal_area_m2
from site_eval.errors import LandError
from site_eval.legal.parcels import PARCEL_RADIUS_M, find_parcel
from site_eval.legal.place import RELATIVE_AREA_SD
from site_eval.legal.report import pointer
from site_eval.legal.section_grid import RADIUS_95_PER_SD
from site_eval.record.finding import Source
from site_eval.record.verdict import Grade
from site_eval.units import acres, square_metres

# Land this far from sure, or farther, is a person's to confirm: a city lot's length.
UNSURE_M = 100.0


@dataclass(frozen=True)
class Land:
    """Land of an application. ``geometry`` is EPSG:4326; uncertainty is a 95 % radius in metres."""

    geometry: BaseGeometry
    area_acres: float
    area_sd_acres: float
    position_uncertainty_m: float
    method: str
    text: str
    understood: str
    warnings: tuple[str, ...]
    sources: tuple[Source, ...]
    needs_review: tuple[str, ...]
    status: str


def land_from_description(
    text: str,
    *,
    county: str | None = None,
    state: str | None = None,
    parcels: Any = None,
    plss: Any = None,
) -> Land:
    """Read and place a legal description; *parcels* and *plss* are GeoDataFrames when on hand.

    Raises :class:`LandError` with a pointer under the text when it cannot be placed.
    """
    from site_eval.legal.locate import Helps, located

    answer, geometry, doubts = located(
        text, Helps(county=county, state=state, parcels=parcels, plss=plss)
    )
    warnings = tuple(warning.text for warning in answer.warnings)
    if geometry is None or answer.method is None:
        place, fault, mend, mark = _why_not_placed(text, answer)
        raise LandError(place, fault, mend, drawing=mark)
    area = acres(ellipsoidal_area_m2(geometry))
    return Land(
        geometry=geometry,
        area_acres=area,
        area_sd_acres=_area_sd(answer.method, area, answer.position_uncertainty_m or 0.0),
        position_uncertainty_m=answer.position_uncertainty_m or 0.0,
        method=answer.method,
        text=text,
        understood=answer.normal_form or "",
        warnings=warnings,
        sources=_sources(answer.method),
        needs_review=tuple(
            dict.fromkeys([*doubts, *_unsure(answer.position_uncertainty_m or 0.0)])
        ),
        status=answer.status,
    )


def land_from_polygons(frame: Any, *, name: str, source: Source) -> Land:
    """Land given as polygons in a file (a GeoDataFrame with a CRS)."""
    if frame.crs is None:
        raise LandError(
            name, "the file does not say its CRS", "save it with one, EPSG:4326 for instance"
        )
    geometry = shapely.union_all(frame.to_crs(WGS84).geometry.to_numpy())
    polygons = [part for part in shapely.get_parts(geometry) if part.geom_type == "Polygon"]
    if not polygons:
        raise LandError(name, "it holds no polygon", "draw the land as a closed area")
    return _given(
        shapely.union_all(polygons),
        "polygon-file",
        name,
        f"polygons of {name}",
        source,
        PARCEL_RADIUS_M,
    )


def land_from_parcel(number: str, frame: Any, mapping: Mapping[str, str], source: Source) -> Land:
    """Land named by a parcel number, from a parcel layer whose fields *mapping* names."""
    geometry = find_parcel(number, frame, mapping)
    return _given(geometry, "parcel-layer", number, f"parcel {number}", source, PARCEL_RADIUS_M)


def union_of(lands: Sequence[Land]) -> Land:
    """Several pieces of land as one; the least certain piece speaks for the position."""
    if not lands:
        raise LandError("land", "no land is given", "add a [[land]] table")
    if len(lands) == 1:
        return lands[0]
    geometry = shapely.union_all([land.geometry for land in lands])
    worst = max(lands, key=lambda land: land.position_uncertainty_m)
    return Land(
        geometry=geometry,
        area_acres=acres(ellipsoidal_area_m2(geometry)),
        area_sd_acres=math.hypot(*(land.area_sd_acres for land in lands)),
        position_uncertainty_m=worst.position_uncertainty_m,
        method=worst.method,
        text="\n".join(land.text for land in lands),
        understood="; ".join(land.understood for land in lands),
        warnings=tuple(warning for land in lands for warning in land.warnings),
        sources=tuple(dict.fromkeys(source for land in lands for source in land.sources)),
        needs_review=tuple(dict.fromkeys(why for land in lands for why in land.needs_review)),
        status=worst.status,
    )


def _given(
    geometry: BaseGeometry, method: str, text: str, understood: str, source: Source, radius_m: float
) -> Land:
    area = acres(ellipsoidal_area_m2(geometry))
    return Land(
        geometry=geometry,
        area_acres=area,
        area_sd_acres=_area_sd(method, area, radius_m),
        position_uncertainty_m=math.hypot(radius_m, DATUM_UNCERTAINTY_M),
        method=method,
        text=text,
        understood=understood,
        warnings=(),
        sources=(source,),
        needs_review=(),
        status="located",
    )


def _area_sd(method: str, area_acres: float, radius_m: float) -> float:
    """Acres, one standard deviation.

    Sides that end in corners of standard error s make an area unsure by about s times the side;
    what is far from its place is not thereby misshapen, so the method's own share is the most.
    """
    most = RELATIVE_AREA_SD[method]
    if method != "control-adjusted-grid":
        return area_acres * most
    side_m = math.sqrt(square_metres(area_acres))
    return area_acres * min(most, radius_m / RADIUS_95_PER_SD / side_m)


def _unsure(radius_m: float) -> list[str]:
    if radius_m <= UNSURE_M:
        return []
    return [f"its position is known only within {radius_m:,.0f} m (95 %)"]


_TELLING = frozenset({"not-placed", "no-section", "ambiguous", "no-courses", "not-in-layer"})


def _why_not_placed(text: str, answer: Any) -> tuple[str, str, str, str]:
    telling = [w for w in answer.warnings if w.code.endswith("missing") or w.code in _TELLING]
    first = (telling or list(answer.warnings) or [None])[0]
    if first is None:
        fault, mark = "it cannot be placed", ""
    else:
        fault, mark = first.text, pointer(text, first.span)
    mend = {
        "understood": "it is read whole, but no source says where it lies: give a parcel layer, a PLSS "
        "layer, or a polygon file",
        "ambiguous": "it can be read in more than one way: say which is meant",
    }.get(
        answer.status, "write section, township and range with N/S and E/W, or give a polygon file"
    )
    return "description", fault, mend, mark


def _sources(method: str) -> tuple[Source, ...]:
    sources = [
        Source(
            name="Principal meridians of the public land surveys",
            publisher="Bureau of Land Management",
            vintage="1973",
            licence="public domain",
            grade=Grade.PUBLISHED,
        )
    ]
    if method == "control-adjusted-grid":
        sources.append(
            Source(
                name="Control corners of Gem and Payette counties, from state endowment tracts",
                publisher="Idaho Department of Lands; labels inferred",
                vintage="2023-06",
                licence="CC0-1.0",
                grade=Grade.INFERRED,
            )
        )
    if method in {"parcel-layer", "surveyed-plss"}:
        return (
            Source(
                name="parcel layer" if method == "parcel-layer" else "PLSS layer",
                publisher="given by the user",
                vintage="unknown",
                licence="unknown",
                grade=Grade.DECLARED,
            ),
        )
    return tuple(sources)
