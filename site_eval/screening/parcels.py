"""The parcel file as it comes: any vector format or GeoParquet, read in batches of rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyogrio
from pyproj import CRS

from site_eval.errors import InputFileError, SiteEvalError
from site_eval.formats import parsed_crs

BATCH_ROWS = 65_536
PARQUET = {".parquet", ".geoparquet"}
SHAPE = "shape_wkb"
# Names under which parcel layers keep their identifiers.
_ID_NAMES = re.compile(
    r"^(.*_)?(id|ids|fid|gid|oid|objectid|pin|ppin|apn|ain|geoid|number|parcel|parcelid|parcelno"
    r"|parcel_?n(o|um|umber)|prop_?id|account|acct(no)?|taxlot|taxid|strap|name)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ParcelFile:
    """A parcel file that is open: its CRS, the columns that identify a parcel, and its rows."""

    path: Path
    crs: CRS
    id_columns: tuple[str, ...]
    batches: Iterator[pa.RecordBatch]
    """The identifying columns and ``shape_wkb``."""


@contextmanager
def opened(path: Path, *, layer: str | None = None, keep: tuple[str, ...] = ()) -> Iterator[Any]:
    """Open *path*; *keep* names the columns to hand on instead of those that look like ids.

    Raises ``InputFileError`` for a file that is missing, has no CRS, or cannot be read.
    """
    if not path.exists():
        raise InputFileError(
            str(path), "there is no such parcel file", "check the path and its spelling"
        )
    try:
        if path.suffix.lower() in PARQUET:
            yield _geoparquet(path, keep)
        else:
            with pyogrio.raw.open_arrow(
                path, layer=layer or _only_layer(path), batch_size=BATCH_ROWS, use_pyarrow=True
            ) as (meta, reader):
                yield _any_format(path, meta, reader, keep)
    except SiteEvalError:
        raise
    except (pa.ArrowException, pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError):
        raise InputFileError(
            str(path),
            "the parcels cannot be read",
            "save them as GeoParquet, GeoPackage, FlatGeobuf, Shapefile or GeoJSON",
            code="input-file.content",
        ) from None


def _only_layer(path: Path) -> str | None:
    spatial = [str(name) for name, kind in pyogrio.list_layers(path) if kind is not None]
    if len(spatial) <= 1:
        return spatial[0] if spatial else None
    raise InputFileError(
        str(path),
        f"the file has {len(spatial)} layers",
        f"name one with --layer: {', '.join(spatial[:12])}",
        code="input-file.layer",
    )


def _any_format(
    path: Path, meta: dict[str, Any], reader: pa.RecordBatchReader, keep: tuple[str, ...]
) -> ParcelFile:
    shape = meta["geometry_name"] or "wkb_geometry"
    fields = [name for name in reader.schema.names if name not in {shape, meta["fid_column"]}]
    ids = _id_columns(path, fields, keep)
    return ParcelFile(path, _crs(meta["crs"], path), ids, _chosen(reader, ids, shape))


def _geoparquet(path: Path, keep: tuple[str, ...]) -> ParcelFile:
    file = pq.ParquetFile(path)
    described = (file.schema_arrow.metadata or {}).get(b"geo")
    if described is None:
        raise InputFileError(
            str(path),
            "this Parquet file says nothing of a geometry",
            "write it as GeoParquet (geopandas: to_parquet)",
            code="input-file.content",
        )
    about = json.loads(described)
    shape = about["primary_column"]
    column = about["columns"][shape]
    if column.get("encoding") != "WKB":
        raise InputFileError(
            str(path),
            f"its geometry is encoded as {column.get('encoding')}",
            "write it with the encoding WKB",
            code="input-file.content",
        )
    others = [c for about_c in [about["columns"]] for c in about_c]
    fields = [n for n in file.schema_arrow.names if n not in others and n != "bbox"]
    ids = _id_columns(path, fields, keep)
    rows = file.iter_batches(BATCH_ROWS, columns=[*ids, shape])
    return ParcelFile(
        path, _crs(column.get("crs", "OGC:CRS84"), path), ids, _chosen(rows, ids, shape)
    )


def _crs(stated: Any, path: Path) -> CRS:
    if stated is None:
        raise InputFileError(
            str(path),
            "the file does not say its CRS",
            "save it with one, EPSG:4326 for instance",
            code="input-file.no-crs",
        )
    return parsed_crs(json.dumps(stated) if isinstance(stated, dict) else stated, str(path))


def _id_columns(path: Path, fields: list[str], keep: tuple[str, ...]) -> tuple[str, ...]:
    strange = [name for name in keep if name not in fields]
    if strange:
        raise InputFileError(
            str(path),
            f"there is no column '{strange[0]}'",
            f"name some of: {', '.join(fields[:20])}",
        )
    return keep or tuple(name for name in fields if _ID_NAMES.match(name))


def _chosen(batches: Any, ids: tuple[str, ...], shape: str) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        columns = [_plain(batch.column(name)) for name in ids]
        wkb = _bytes(batch.column(shape))
        yield pa.RecordBatch.from_arrays([*columns, wkb], names=[*ids, SHAPE])


def _plain(column: pa.Array) -> pa.Array:
    """A column without a dictionary, which would differ from batch to batch."""
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column


def _bytes(column: pa.Array) -> pa.Array:
    storage = column.storage if isinstance(column, pa.ExtensionArray) else column
    return storage.cast(pa.large_binary())
