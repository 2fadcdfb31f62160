"""One layer of the catalog: its rows near a place in EPSG:4326, and how it is cited."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import geopandas as gpd
import pandas as pd
import pyogrio
import shapely
from pyogrio.errors import DataLayerError
from pyproj import CRS, Transformer

from site_eval.crs import WGS84
from site_eval.errors import InputFileError, LayerError, SiteEvalError
from site_eval.files import require_file, sha256_of
from site_eval.formats import parsed_crs, read_vector
from site_eval.layers.catalog import LayerEntry
from site_eval.record.finding import Source

MAX_BYTES = 20 * 1024**3
MAX_WHOLE_BYTES = 2 * 1024**3
_INDEXED = {".fgb", ".gpkg", ".shp"}

Box = tuple[float, float, float, float]


def read_layer(entry: LayerEntry, *, near: Box | None = None) -> gpd.GeoDataFrame:
    """The rows of a vector layer that touch the box *near* (EPSG:4326), or all; may be none.

    Rows keep the file's own columns; each mapped field is there under our name too. Invalid
    areas are mended and the number of them stands in ``attrs["mended"]``, the name of the file's
    own CRS in ``attrs["own_crs"]``. Raises ``LayerError``
    when the layer is not at hand, is a raster, or lacks a mapped field.
    """
    path = _file_of(entry)
    if entry.is_raster:
        raise _error(entry, "this layer is a raster", "read it with read_raster_info")
    rows = _points(path, entry) if path.suffix.lower() == ".csv" else _vector(path, entry, near)
    own_crs, rows = rows.crs.name, _mapped(rows.to_crs(WGS84), entry)
    if near is not None:
        rows = rows[rows.geometry.intersects(shapely.box(*near))]
    rows = _mended(rows.reset_index(drop=True))
    rows.attrs["own_crs"] = own_crs
    return rows


def cite(entry: LayerEntry) -> Source:
    """The layer as a source of a finding, with the hash of its file and the day of its copy."""
    path = _file_of(entry)
    stat = path.stat()
    return Source(
        name=f"{entry.name}, fetched {entry.fetched}" if entry.fetched else entry.name,
        publisher=entry.publisher,
        vintage=entry.vintage,
        licence=entry.licence,
        grade=entry.grade,
        sha256=_hash(path, stat.st_mtime_ns, stat.st_size),
    )


@cache
def _hash(path: Path, _changed_ns: int, _size: int) -> str:
    return sha256_of(path)


def _file_of(entry: LayerEntry) -> Path:
    if entry.file is None:
        raise _error(
            entry, "this layer has not been fetched", f"fetch {entry.service} and name its file"
        )
    return entry.file


def _vector(path: Path, entry: LayerEntry, near: Box | None) -> gpd.GeoDataFrame:
    if path.suffix.lower() in _INDEXED and near is not None:
        return _indexed(path, entry, near)
    return read_vector(path, layer=entry.layer, crs=entry.crs, limit_bytes=MAX_WHOLE_BYTES)


def _indexed(path: Path, entry: LayerEntry, near: Box) -> gpd.GeoDataFrame:
    """Only the rows near by, through the file's own spatial index."""
    require_file(path, what="layer", limit_bytes=MAX_BYTES)
    try:
        crs = _stated_crs(pyogrio.read_info(path, layer=entry.layer)["crs"], entry, path)
        box = Transformer.from_crs(WGS84, crs, always_xy=True).transform_bounds(*near)
        rows = pyogrio.read_dataframe(path, layer=entry.layer, bbox=box)
    except DataLayerError:
        raise _error(entry, f"the file has no layer '{entry.layer}'", "mend layer") from None
    except SiteEvalError:
        raise
    except Exception:  # noqa: BLE001 - a damaged file may raise anything in the reader
        raise InputFileError(
            str(path),
            "the layer cannot be read",
            "fetch or export it again",
            code="input-file.content",
        ) from None
    rows = rows[rows.geometry.notna() & ~rows.geometry.is_empty]
    return rows.set_crs(crs, allow_override=True)


def _stated_crs(own: str | None, entry: LayerEntry, path: Path) -> CRS:
    if own is None and entry.crs is None:
        raise InputFileError(
            str(path),
            "the layer does not say its CRS",
            "state crs in the catalog",
            code="input-file.no-crs",
        )
    return parsed_crs(own or entry.crs, str(path))


def _points(path: Path, entry: LayerEntry) -> gpd.GeoDataFrame:
    require_file(path, what="layer", limit_bytes=MAX_WHOLE_BYTES)
    lon, lat = entry.fields.get("lon", "lon"), entry.fields.get("lat", "lat")
    try:
        table = pd.read_csv(path, comment="#")
        spots = shapely.points(table[lon].astype(float), table[lat].astype(float))
    except KeyError as error:
        raise _error(
            entry, f"the table has no column {error}", "map lon and lat in fields"
        ) from None
    except (ValueError, UnicodeDecodeError, pd.errors.ParserError):
        raise _error(entry, "the table cannot be read", "save it as CSV in UTF-8") from None
    return gpd.GeoDataFrame(table, geometry=spots, crs=entry.crs or WGS84)


def _mapped(rows: gpd.GeoDataFrame, entry: LayerEntry) -> gpd.GeoDataFrame:
    missing = sorted(theirs for theirs in entry.fields.values() if theirs not in rows)
    if missing:
        raise _error(
            entry, f"the file has no field '{missing[0]}'",
            f"map it to one of: {', '.join(str(c) for c in rows.columns if c != 'geometry')}",
        )  # fmt: skip
    ours: dict[str, Any] = {o: rows[t] for o, t in entry.fields.items() if o not in rows}
    return rows.assign(**ours)


def _mended(rows: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    invalid = ~rows.geometry.is_valid
    if invalid.any():
        rows = rows.copy()
        rows.loc[invalid, "geometry"] = rows.geometry[invalid].make_valid()
    rows.attrs["mended"] = int(invalid.sum())
    return rows


def _error(entry: LayerEntry, fault: str, mend: str) -> LayerError:
    return LayerError(f"layer '{entry.id}'", fault, mend, code="layer.read")
