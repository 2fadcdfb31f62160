"""One vector file of any accepted format, as a frame that is two-dimensional and placed."""

from __future__ import annotations

import re
import warnings
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import shapely
from pyogrio.errors import DataSourceError

from site_eval.errors import InputFileError
from site_eval.files import require_file
from site_eval.formats.archive import unpacked
from site_eval.formats.drawing import read_drawing
from site_eval.formats.geojson import inspected
from site_eval.formats.placing import parsed_crs, require_in_place

MAX_BYTES = 256 * 1024 * 1024
SUFFIXES = (
    ".geojson", ".json", ".gpkg", ".shp", ".zip", ".kml", ".kmz", ".fgb", ".dxf",
)  # fmt: skip
# The first bytes that tell a format whatever the file is called.
_MAGIC = {
    ".gpkg": (b"SQLite format 3\0",),
    ".fgb": (b"fgb\x03fgb", b"fgb\x02fgb"),
    ".shp": (b"\x00\x00\x27\x0a",),
    ".zip": (b"PK\x03\x04", b"PK\x05\x06"),
    ".kmz": (b"PK\x03\x04",),
    ".geojson": (b"{",),
    ".json": (b"{",),
    ".kml": (b"<",),
}
_KNOWN_BYTES = {
    b"SQLite format 3\0": "a GeoPackage or SQLite file",
    b"fgb": "a FlatGeobuf file",
    b"\x00\x00\x27\x0a": "a Shapefile",
    b"PK\x03\x04": "a zip archive",
    b"%PDF": "a PDF document",
    b"{": "JSON text",
    b"<": "XML or HTML text",
    b"II*\0": "a TIFF image",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"AC10": "a DWG drawing",
}
# What LIBKML adds to every placemark, whether the author wrote it or not.
_KML_EXTRAS = {
    "timestamp", "begin", "end", "altitudeMode", "tessellate", "extrude", "visibility",
    "drawOrder", "icon", "snippet",
}  # fmt: skip


def read_vector(
    path: Path, *, layer: str | None = None, crs: str | None = None, limit_bytes: int = MAX_BYTES
) -> gpd.GeoDataFrame:
    """The features of *path* with a known CRS; at least one, in two dimensions, none null.

    *layer* names one of several layers; *crs* is for files that cannot say theirs (DXF, a
    Shapefile without ``.prj``). What was dropped or assumed stands in ``attrs["notes"]``.
    Raises ``InputFileError`` for everything that keeps the file from being used.
    """
    require_file(path, what="map file", limit_bytes=limit_bytes)
    suffix = path.suffix.lower()
    _require_format(path, suffix)
    if suffix in {".zip", ".kmz"}:
        with unpacked(path, layer=layer) as inner:
            _require_format(inner, inner.suffix.lower())
            within = None if inner.stem == layer else layer
            return _placed(_opened(inner, within, crs, path), crs, path)
    return _placed(_opened(path, layer, crs, path), crs, path)


def _require_format(path: Path, suffix: str) -> None:
    if suffix not in SUFFIXES:
        raise InputFileError(
            str(path),
            f"'{suffix or path.name}' is no map format read here",
            f"save it as one of {', '.join(SUFFIXES)}",
            code="input-file.format",
        )
    with path.open("rb") as stream:
        head = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    wanted = _MAGIC.get(suffix)
    found = next((words for magic, words in _KNOWN_BYTES.items() if head.startswith(magic)), None)
    lies = not head.startswith(wanted) if wanted else found is not None
    if lies:
        raise InputFileError(
            str(path),
            f"the name says {suffix}, the content is {found or 'something else'}",
            "export the map again, or give it the name of its format",
            code="input-file.content",
        )


def _opened(path: Path, layer: str | None, crs: str | None, named: Path) -> gpd.GeoDataFrame:
    suffix = path.suffix.lower()
    if suffix == ".dxf":
        if crs is None:
            raise _without_crs(named, "a DXF drawing cannot say its CRS")
        return read_drawing(path, parsed_crs(crs, f"{named} (crs)"))
    if suffix == ".shp":
        _require_parts(path, named)
    if suffix == ".kml":
        _refuse_entities(path, named)
        return _read_kml(path, named)
    if suffix in {".geojson", ".json"}:
        return _read_geojson(path, crs, named)
    return _read(path, _chosen_layer(path, layer, named), named)


def _read_geojson(path: Path, crs: str | None, named: Path) -> gpd.GeoDataFrame:
    """GeoJSON is in degrees by its standard; programs write others, and then *crs* may say which."""
    found = inspected(path, named)
    if found.empty:
        raise _nothing(named)
    frame = _read(path, None, named)
    return frame.set_crs(None, allow_override=True) if crs and not found.states_crs else frame


def _require_parts(path: Path, named: Path) -> None:
    present = {p.suffix.lower() for p in path.parent.glob(f"{path.stem}.*")}
    missing = sorted({".shx", ".dbf"} - present)
    if missing:
        raise InputFileError(
            str(named),
            f"the Shapefile's {' and '.join(missing)} is missing",
            "send .shp, .shx, .dbf and .prj together, best as one zip",
            code="input-file.parts",
        )


def _refuse_entities(path: Path, named: Path) -> None:
    with path.open("rb") as stream:
        head = stream.read(65536)
    if b"<!ENTITY" in head or b"<!DOCTYPE" in head:
        raise InputFileError(
            str(named),
            "the KML defines entities of its own",
            "export it again from the map program",
            code="input-file.content",
        )


def _chosen_layer(path: Path, layer: str | None, named: Path) -> str | None:
    listed = _guarded(lambda: pyogrio.list_layers(path), named)
    spatial = [str(name) for name, kind in listed if kind is not None]
    if path.suffix.lower() in {".geojson", ".json", ".shp", ".fgb"}:
        return None
    if not spatial:
        raise _nothing(named)
    if layer is None and len(spatial) == 1:
        return spatial[0]
    if layer in spatial:
        return layer
    known = ", ".join(f"'{name}'" for name in spatial[:12])
    near = get_close_matches(layer or "", spatial, n=1, cutoff=0.6)
    fault = (
        f"the file has {len(spatial)} layers" if layer is None else f"there is no layer '{layer}'"
    )
    mend = f"perhaps '{near[0]}' is meant" if near else f"name one of {known}"
    raise InputFileError(str(named), fault, mend, code="input-file.layer")


def _read_kml(path: Path, named: Path) -> gpd.GeoDataFrame:
    """All folders of a KML file in one frame, the folder's name in the column ``Layer``."""
    listed = _guarded(lambda: pyogrio.list_layers(path), named)
    frames = []
    for name, _kind in listed:
        frame = _read(path, str(name), named)
        if len(frame):
            frames.append(frame.assign(Layer=str(name)))
    if not frames:
        raise _nothing(named)
    joined = gpd.GeoDataFrame(pd.concat(frames, ignore_index=True), crs=frames[0].crs)
    joined = joined.drop(columns=[c for c in _KML_EXTRAS if c in joined])
    fresh = {"Name": "name", "Description": "description"}
    return joined.rename(columns={k: v for k, v in fresh.items() if v not in joined})


def _read(path: Path, layer: str | None, named: Path) -> gpd.GeoDataFrame:
    def attempt(encoding: str | None) -> gpd.GeoDataFrame:
        return pyogrio.read_dataframe(path, layer=layer, encoding=encoding)

    try:
        return _guarded(lambda: attempt(None), named)
    except UnicodeDecodeError:
        frame = _guarded(lambda: attempt("cp1252"), named)
        frame.attrs["notes"] = [
            "The texts are not in the encoding the file states; read as Windows-1252."
        ]
        return frame


def _guarded(read: Any, named: Path) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # GDAL's remarks on optional parts; faults raise
            return read()
    except UnicodeDecodeError:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged file may raise anything in the reader
        words = str(error).split("\n", maxsplit=1)[0]
        damaged = "sqlite" in words or not isinstance(error, DataSourceError)
        raise InputFileError(
            str(named),
            "the map is damaged" if damaged else f"the map cannot be read ({_short(words)})",
            "export the map again",
            code="input-file.content",
        ) from None


def _short(words: str) -> str:
    """A library's words without their trailing advice and without a path of this machine."""
    plain = re.sub(r"\S*/\S+", "the file", words.split("; ", maxsplit=1)[0]).rstrip(".")
    return plain if len(plain) <= 100 else f"{plain[:97]}..."


def _placed(frame: gpd.GeoDataFrame, crs: str | None, path: Path) -> gpd.GeoDataFrame:
    notes = list(frame.attrs.get("notes", []))
    if not isinstance(frame, gpd.GeoDataFrame) or "geometry" not in frame or not len(frame):
        raise _nothing(path)
    frame = _with_crs(frame, crs, path)
    frame, told = _flat_and_whole(frame, path)
    require_in_place(frame, path)
    frame.attrs["notes"] = notes + told
    return frame


def _with_crs(frame: gpd.GeoDataFrame, crs: str | None, path: Path) -> gpd.GeoDataFrame:
    stated = None if crs is None else parsed_crs(crs, f"{path} (crs)")
    if frame.crs is None:
        if stated is None:
            raise _without_crs(path, "the file does not say its CRS (its .prj is missing)")
        return frame.set_crs(stated)
    own = parsed_crs(frame.crs, str(path))
    if stated is not None and not own.equals(stated, ignore_axis_order=True):
        raise InputFileError(
            str(path),
            f"the file says its CRS is '{own.name}', the application '{stated.name}'",
            "leave out the crs, or mend it",
            code="input-file.crs",
        )
    return frame.set_crs(own, allow_override=True)


def _flat_and_whole(frame: gpd.GeoDataFrame, path: Path) -> tuple[gpd.GeoDataFrame, list[str]]:
    notes = []
    null = frame.geometry.isna() | frame.geometry.is_empty
    if null.all():
        raise _nothing(path)
    if null.any():
        notes.append(
            f"{int(null.sum())} of {len(frame)} features have no geometry and were left out."
        )
        frame = frame[~null]
    if frame.geometry.has_z.any():
        notes.append("Heights in the coordinates were left out.")
    frame = frame.set_geometry(shapely.force_2d(frame.geometry.to_numpy()), crs=frame.crs)
    points, owners = shapely.get_coordinates(frame.geometry.to_numpy(), return_index=True)
    broken = owners[~np.isfinite(points).all(axis=1)]
    if broken.size:
        raise InputFileError(
            f"{path}, feature {broken[0] + 1}",
            "a coordinate is not a number",
            "draw this feature anew",
            code="input-file.content",
        )
    return frame, notes


def _nothing(path: Path) -> InputFileError:
    return InputFileError(
        str(path),
        "the map holds no feature with a geometry",
        "export the layer that holds the site",
        code="input-file.no-features",
    )


def _without_crs(path: Path, fault: str) -> InputFileError:
    return InputFileError(
        str(path),
        fault,
        'state it, e.g. crs = "EPSG:6453" for Idaho West in US survey feet',
        code="input-file.no-crs",
    )
