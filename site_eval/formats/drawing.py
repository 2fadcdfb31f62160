"""A DXF drawing as a frame: closed polylines become polygons, the layer's name is kept."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import geopandas as gpd
import shapely
from pyproj import CRS
from shapely.geometry.base import BaseGeometry

from site_eval.errors import InputFileError

FLATTEN = 0.05  # drawing units between a curve and its chords; a foot or a metre is meant
CLOSED_WITHIN = 0.01
_PATHS = {"LWPOLYLINE", "POLYLINE", "LINE", "ARC", "CIRCLE", "ELLIPSE", "SPLINE"}
# $INSUNITS codes (Autodesk DXF reference, HEADER section) with their length in metres.
_UNITS_M = {1: 0.0254, 2: 0.3048, 3: 1609.344, 4: 0.001, 5: 0.01, 6: 1.0, 7: 1000.0, 21: 0.3048006}


def read_drawing(path: Path, crs: CRS) -> gpd.GeoDataFrame:
    """The model space of a DXF file, in *crs*, with the columns Layer, EntityHandle and attributes.

    Kinds of entity that hold no ground feature (texts, dimensions) are left out and counted in
    ``attrs["notes"]``. A drawing whose units are not those of *crs* is refused.
    """
    document = _opened(path)
    _require_units(document, crs, path)
    rows, left_out = [], Counter[str]()
    for entity in document.modelspace():
        geometry = _geometry(entity)
        if geometry is None:
            left_out[entity.dxftype()] += 1
            continue
        rows.append(
            {
                "Layer": entity.dxf.layer,
                "EntityHandle": entity.dxf.handle,
                **_attributes(entity),
                "geometry": geometry,
            }
        )
    frame = gpd.GeoDataFrame(rows or {"geometry": []}, geometry="geometry", crs=crs)
    if left_out:
        kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(left_out.items()))
        frame.attrs["notes"] = [
            f"Entities of the drawing that are no features were left out: {kinds}."
        ]
    return frame


def _opened(path: Path) -> Any:
    from ezdxf import recover
    from ezdxf.filemanagement import readfile

    for read in (readfile, recover.readfile):
        try:
            opened = read(path)
        except Exception:  # noqa: BLE001, S112 - a broken drawing may raise anything in the reader
            continue
        return opened[0] if isinstance(opened, tuple) else opened
    raise InputFileError(
        str(path),
        "the drawing cannot be read as DXF",
        "save it again as DXF R2010 or later",
        code="input-file.content",
    )


def _require_units(document: Any, crs: CRS, path: Path) -> None:
    code = int(document.header.get("$INSUNITS", 0))
    unit_m = _UNITS_M.get(code)
    if code == 0 or crs.is_geographic:
        return
    crs_m = float(crs.axis_info[0].unit_conversion_factor)
    if unit_m is None or abs(unit_m / crs_m - 1) > 1e-4:
        from ezdxf import units

        raise InputFileError(
            str(path),
            f"the drawing is in {units.unit_name(code)}, but '{crs.name}' is in "
            f"{crs.axis_info[0].unit_name}",
            "draw it in the CRS's unit or name the CRS it is drawn in",
            code="input-file.crs",
        )


def _geometry(entity: Any) -> BaseGeometry | None:
    kind = entity.dxftype()
    if kind == "POINT":
        return shapely.Point(entity.dxf.location.x, entity.dxf.location.y)
    if kind == "INSERT":
        return shapely.Point(entity.dxf.insert.x, entity.dxf.insert.y)
    return _path_geometry(entity) if kind in _PATHS else None


def _path_geometry(entity: Any) -> BaseGeometry | None:
    from ezdxf.path import make_path

    try:
        points = [(v.x, v.y) for v in make_path(entity).flattening(FLATTEN)]
    except (TypeError, ValueError):  # meshes and polylines without a vertex
        return None
    if len(points) < 2:
        return None
    line = shapely.LineString(points)
    closed = bool(getattr(entity, "is_closed", False) or getattr(entity, "closed", False))
    ends_meet = shapely.Point(points[0]).distance(shapely.Point(points[-1])) <= CLOSED_WITHIN
    if (closed or ends_meet) and len(points) >= 4:
        return shapely.Polygon(points)
    return line


def _attributes(entity: Any) -> dict[str, str]:
    if entity.dxftype() != "INSERT":
        return {}
    texts = {attribute.dxf.tag.lower(): attribute.dxf.text for attribute in entity.attribs}
    return {"block": entity.dxf.name, **texts}
