"""The partitions' answers as one file: GeoParquet, GeoPackage or FlatGeobuf, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyogrio

from site_eval.crs import WGS84
from site_eval.errors import OutputError
from site_eval.files import whole_file
from site_eval.screening.plan import Plan

DRIVERS = {".gpkg": "GPKG", ".fgb": "FlatGeobuf"}
SUFFIXES = (".parquet", ".geoparquet", *DRIVERS)


def require_suffix(out: Path) -> None:
    """Refuse an output whose name says no format that is written here."""
    if out.suffix.lower() not in SUFFIXES:
        raise OutputError(
            str(out),
            f"'{out.suffix or out.name}' is no format that is written here",
            f"name a file that ends in {', '.join(SUFFIXES)}",
        )


def write(plan: Plan, out: Path, about: dict[str, Any], *, gaps: bool) -> None:
    """Join the partitions into *out*, a partition at a time; *about* goes into its description.

    *gaps* says that some rows have no geometry.
    """
    schema = pq.read_schema(plan.part_file(0))
    driver = DRIVERS.get(out.suffix.lower())
    with whole_file(out) as temporary:
        if driver is None:
            _write_parquet(plan, temporary, schema, about)
        else:
            temporary.unlink()  # GDAL makes the file itself
            _write_with_gdal(plan, temporary, schema, driver, out.stem, about, gaps=gaps)


def _write_parquet(plan: Plan, path: Path, schema: pa.Schema, about: dict[str, Any]) -> None:
    column = {
        "encoding": "WKB",
        "geometry_types": [],
        "crs": WGS84.to_json_dict(),
        "bbox": list(plan.bounds_deg),
    }
    geo = {"version": "1.0.0", "primary_column": "geometry", "columns": {"geometry": column}}
    described = schema.with_metadata(
        {b"geo": json.dumps(geo).encode(), b"site_eval": json.dumps(about).encode()}
    )
    with pq.ParquetWriter(path, described, compression="zstd") as writer:
        for table in parts(plan):
            writer.write_table(table.cast(described))


def _write_with_gdal(
    plan: Plan,
    path: Path,
    schema: pa.Schema,
    driver: str,
    name: str,
    about: dict[str, Any],
    *,
    gaps: bool,
) -> None:
    # FlatGeobuf's index cannot hold a row without a geometry.
    options = {"SPATIAL_INDEX": "NO"} if gaps and driver == "FlatGeobuf" else {}
    batches = (batch for table in parts(plan) for batch in table.to_batches())
    reader = pa.RecordBatchReader.from_batches(schema, batches)
    pyogrio.raw.write_arrow(
        reader, path, layer=name, driver=driver, geometry_name="geometry",
        geometry_type="Unknown", crs="EPSG:4326",
        layer_metadata={"site_eval": json.dumps(about)} if driver == "GPKG" else None,
        layer_options=options,
    )  # fmt: skip


def parts(plan: Plan) -> Iterator[pa.Table]:
    """The answers, partition by partition."""
    for number in range(plan.parts):
        yield pq.read_table(plan.part_file(number))
