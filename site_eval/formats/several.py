"""A map of several layers in one frame: a GeoPackage, or a zip of Shapefiles, drawn layer by layer."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath

import geopandas as gpd
import pandas as pd
import pyogrio

from site_eval.errors import InputFileError
from site_eval.formats.archive import INSIDE
from site_eval.formats.vector import read_vector


def read_layers(path: Path, *, crs: str | None = None) -> gpd.GeoDataFrame:
    """Every layer of *path* in one frame and in the first one's CRS.

    Where there are several, the column ``Layer`` holds their names. Layers without a feature are
    passed over. Raises ``InputFileError`` as ``read_vector`` does.
    """
    names = _names(path)
    if len(names) < 2:
        return read_vector(path, crs=crs)
    frames = [frame for name in names if (frame := _layer(path, name, crs)) is not None]
    if not frames:
        return read_vector(path, layer=names[0], crs=crs)
    joined = pd.concat([frame.to_crs(frames[0].crs) for frame in frames], ignore_index=True)
    together = gpd.GeoDataFrame(joined, geometry="geometry", crs=frames[0].crs)
    together.attrs["notes"] = [note for frame in frames for note in frame.attrs["notes"]]
    return together


def _layer(path: Path, name: str, crs: str | None) -> gpd.GeoDataFrame | None:
    try:
        frame = read_vector(path, layer=name, crs=crs)
    except InputFileError as error:
        if error.code == "input-file.no-features":
            return None
        raise
    notes = [f"{name}: {note}" for note in frame.attrs["notes"]]
    frame = frame.assign(Layer=name)
    frame.attrs["notes"] = notes
    return frame


def _names(path: Path) -> list[str]:
    """The names of the layers, or none where the file has one or cannot be listed."""
    suffix = path.suffix.lower()
    try:
        if suffix == ".gpkg":
            return [str(n) for n, kind in pyogrio.list_layers(path) if kind is not None]
        if suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                inner = [PurePosixPath(n) for n in archive.namelist() if "__MACOSX" not in n]
            return sorted(n.stem for n in inner if n.suffix.lower() in INSIDE)
    except Exception:  # noqa: BLE001 - read_vector finds the fault again and tells it
        return []
    return []
