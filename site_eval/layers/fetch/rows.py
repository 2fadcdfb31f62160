"""Rows that were gathered, made into one file: read by GDAL, counted again, cut, written whole."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import shapely

from site_eval.crs import WGS84
from site_eval.errors import LayerError
from site_eval.files import whole_file
from site_eval.layers.fetch.area import Box
from site_eval.layers.fetch.gathered import Gathered
from site_eval.layers.fetch.web import plain
from site_eval.layers.recipe import Recipe

# A service that cuts by the box may round it.
EDGE_DEG = 1e-4


@dataclass(frozen=True)
class Written:
    """What stands in the file, and which of its fields our names are mapped to."""

    rows: int
    fields: dict[str, str]
    remarks: tuple[str, ...] = ()


def frame_of(gathered: Gathered) -> gpd.GeoDataFrame:
    """The rows of all pages in EPSG:4326, as GDAL reads them; none may go missing on the way."""
    if not gathered.rows:
        return gpd.GeoDataFrame({name: [] for name in gathered.columns}, geometry=[], crs=WGS84)
    with tempfile.TemporaryDirectory(prefix="site-eval-") as folder:
        file = Path(folder) / "rows.json"
        read = _by_pages if gathered.form == "esrijson" else _at_once
        rows = read(gathered, file)
    if len(rows) != gathered.rows:
        raise _error(
            "the service",
            f"{gathered.rows:,} rows came and {len(rows):,} could be read",
            "report it",
        )
    if not isinstance(rows, gpd.GeoDataFrame):
        raise _error("the service", "its rows have no geometry", "name a layer that is drawn")
    return rows.set_crs(WGS84) if rows.crs is None else rows.to_crs(WGS84)


def _by_pages(gathered: Gathered, file: Path) -> Any:
    """Esri pages state the types of their fields, so that each can be read alone and joined."""
    frames = []
    for page in gathered.pages():
        if page["features"]:
            file.write_text(json.dumps({k: v for k, v in page.items() if k != "lost"}))
            frames.append(_read(f"ESRIJSON:{file}"))
    return pd.concat(frames, ignore_index=True)


def _at_once(gathered: Gathered, file: Path) -> Any:
    """GeoJSON does not state types: a field's type shows in all rows together only."""
    with file.open("w", encoding="utf-8") as stream:
        stream.write('{"type": "FeatureCollection", "features": [')
        first = True
        for page in gathered.pages():
            for feature in page["features"]:
                stream.write(("" if first else ",\n") + json.dumps(feature))
                first = False
        stream.write("]}")
    return _read(str(file))


def _read(name: str) -> Any:
    try:
        return pyogrio.read_dataframe(name)
    except Exception as error:  # noqa: BLE001 - GDAL may raise anything for odd rows
        raise _error("the service", f"its rows cannot be read ({error})", "report it") from None


def write_rows(rows: gpd.GeoDataFrame, recipe: Recipe, target: Path, *, box: Box | None) -> Written:
    """Write the rows to *target* (FlatGeobuf, EPSG:4326), whole or not at all.

    Raises ``LayerError`` when a field that the checks read is not there, or when the rows lie
    elsewhere than where they were asked for.
    """
    fields = mapped_fields(recipe, [str(c) for c in rows.columns if c != rows.geometry.name])
    rows, remarks = _placed(rows, recipe, box)
    if recipe.keep is not None:
        kept = dict.fromkeys([*fields.values(), *(n for n in recipe.keep if n in rows)])
        rows = rows[[*kept, rows.geometry.name]]
    with whole_file(target) as temporary:
        temporary.unlink()
        _write(rows, temporary, recipe.id)
    return Written(len(rows), fields, tuple(remarks))


def mapped_fields(recipe: Recipe, columns: list[str]) -> dict[str, str]:
    """Our names of fields to the first of their names that the service has, in any case."""
    have = {name.casefold(): name for name in reversed(columns)}
    found: dict[str, str] = {}
    for ours, names in recipe.fields.items():
        theirs = next((have[n.casefold()] for n in names if n.casefold() in have), None)
        if theirs is None:
            raise _error(
                recipe.id,
                f"the service has no field {' or '.join(names[:4])} for '{ours}'",
                f"add --field {recipe.id}.{ours}=NAME with one of: {', '.join(columns[:40])}",
            )
        found[ours] = theirs
    return found


def _placed(
    rows: gpd.GeoDataFrame, recipe: Recipe, box: Box | None
) -> tuple[gpd.GeoDataFrame, list[str]]:
    """The rows with a geometry, those outside the box left out; all outside is an error."""
    remarks = []
    there = rows.geometry.notna() & ~rows.geometry.is_empty
    if not there.all():
        remarks.append(f"{int((~there).sum()):,} rows without geometry were left out.")
    rows = rows[there].reset_index(drop=True)
    if box is None or rows.empty:
        return rows, remarks
    inside = shapely.intersects(rows.geometry.to_numpy(), shapely.box(*box).buffer(EDGE_DEG))
    if not inside.any():
        where = ", ".join(f"{value:.3f}" for value in rows.total_bounds)
        raise _error(
            recipe.id,
            f"all {len(rows):,} rows lie outside the box that was asked for ({where})",
            "check the address; the service may turn latitude and longitude around",
        )
    if not np.all(inside):
        remarks.append(f"{int((~inside).sum()):,} rows outside the box were left out.")
    return rows[inside].reset_index(drop=True), remarks


def _write(rows: gpd.GeoDataFrame, file: Path, name: str) -> None:
    # Without a row there is none to tell the kind of geometry by.
    kind = {"geometry_type": "Unknown"} if rows.empty else {}
    try:
        pyogrio.write_dataframe(rows, file, driver="FlatGeobuf", layer=name, **kind)
    except Exception as error:  # noqa: BLE001 - GDAL may raise anything, for a full disk too
        raise _error(
            name, f"its rows cannot be written ({error})", "see that there is room"
        ) from None


def _error(place: str, fault: str, mend: str) -> LayerError:
    return LayerError(place, plain(fault), plain(mend), code="layer.fetch")
