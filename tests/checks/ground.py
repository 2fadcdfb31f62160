"""Layouts and layers drawn in metres on the real tract, for checks to measure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import rasterio
import shapely
from rasterio.transform import from_origin

from site_eval.crs import WGS84, frame_for, to_crs
from site_eval.evaluate import evaluate
from site_eval.legal.land import land_from_description
from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding
from tests.evaluate.application import TRACT, write_application

LAND = land_from_description(TRACT, county="Gem", state="Idaho")
FRAME = frame_for(LAND.geometry)
# The tract is about 805 m by 402 m around the frame's origin.
WEST, SOUTH, EAST, NORTH = shapely.bounds(FRAME.to_local(LAND.geometry))

Drawn = tuple[str, Any, dict[str, Any]]


def area(role: str, west: float, south: float, width: float, height: float, **more: Any) -> Drawn:
    """A rectangle of a role, metres from the tract's south-west corner."""
    shape = shapely.box(WEST + west, SOUTH + south, WEST + west + width, SOUTH + south + height)
    return role, shape, more


def line(role: str, *points: tuple[float, float], **more: Any) -> Drawn:
    """A centreline of a role."""
    return role, shapely.LineString([(WEST + x, SOUTH + y) for x, y in points]), more


def point(role: str, x: float, y: float, **more: Any) -> Drawn:
    """A point of a role."""
    return role, shapely.Point(WEST + x, SOUTH + y), more


def evaluated(
    folder: Path, drawn: Sequence[Drawn] = (), layers: Sequence[dict[str, Any]] = (), **changes: Any
) -> Evaluation:
    """Evaluate the plain application with this layout and, when given, only these layers."""
    if drawn:
        features = [
            {
                "type": "Feature",
                "properties": {"role": role, "name": f"{role} {n}", **more},
                "geometry": shapely.geometry.mapping(FRAME.to_geographic(shape)),
            }
            for n, (role, shape, more) in enumerate(drawn)
        ]
        text = json.dumps({"type": "FeatureCollection", "features": features})
        (folder / "layout.geojson").write_text(text)
        changes["layout__file"] = "layout.geojson"
    catalog = write_catalog(folder, layers) if layers else None
    return evaluate(
        write_application(folder, **changes), catalog_file=catalog, as_of=date(2027, 3, 1),
        generated_at=datetime(2027, 3, 1, tzinfo=UTC),
    )  # fmt: skip


def found(evaluation: Evaluation, check: str, words: str = "") -> Finding:
    """The first finding of a check whose question or statement holds *words*."""
    return next(
        f
        for f in evaluation.findings
        if f.check == check and words.lower() in f"{f.question} {f.statement}".lower()
    )


def write_catalog(folder: Path, layers: Sequence[dict[str, Any]]) -> Path:
    """A catalog of published layers, whose ``file`` each exists in *folder*."""
    lines = []
    for layer in layers:
        whole = {
            "id": layer["kind"].replace("_", "-"), "name": f"Test {layer['kind']}",
            "publisher": "test", "vintage": "2026", "licence": "CC0-1.0", "grade": "published",
            **layer,
        }  # fmt: skip
        lines.append("[[layer]]\n")
        for key, value in whole.items():
            if isinstance(value, dict):
                inner = ", ".join(f'{k} = "{v}"' for k, v in value.items())
                lines.append(f"{key} = {{ {inner} }}\n")
            else:
                lines.append(f"{key} = {json.dumps(value)}\n")
    path = folder / "catalog.toml"
    path.write_text("".join(lines))
    return path


def polygons(folder: Path, name: str, rows: Sequence[tuple[Any, dict[str, Any]]]) -> str:
    """A GeoPackage of shapes (local metres) with their properties; its name."""
    frame = gpd.GeoDataFrame(
        [properties for _, properties in rows],
        geometry=[FRAME.to_geographic(shape) for shape, _ in rows],
        crs=WGS84,
    )
    frame.to_file(folder / name)
    return name


def raster(folder: Path, name: str, value: Any, *, cell_m: float = 30.0, half_m: float = 3_500.0,
           dtype: str = "uint8", nodata: float | None = 255) -> str:  # fmt: skip
    """An EPSG:5070 raster around the tract; *value* is a function of local x and y (arrays)."""
    from pyproj import CRS

    albers = CRS.from_epsg(5070)
    centre = to_crs(shapely.Point(FRAME.lon_deg, FRAME.lat_deg), WGS84, albers)
    count = int(2 * half_m / cell_m)
    transform = from_origin(centre.x - half_m, centre.y + half_m, cell_m, cell_m)
    columns, rows = np.meshgrid(np.arange(count) + 0.5, np.arange(count) + 0.5)
    x = centre.x - half_m + columns * cell_m
    y = centre.y + half_m - rows * cell_m
    local = shapely.get_coordinates(
        to_crs(shapely.points(x.ravel(), y.ravel()), albers, FRAME.crs)
    ).reshape(count, count, 2)
    values = np.broadcast_to(value(local[..., 0], local[..., 1]), (count, count)).astype(dtype)
    with rasterio.open(
        folder / name, "w", driver="GTiff", width=count, height=count, count=1, dtype=dtype,
        crs=albers, transform=transform, nodata=nodata,
    ) as target:  # fmt: skip
        target.write(values, 1)
    return name
