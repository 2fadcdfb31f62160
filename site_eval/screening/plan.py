"""The work directory of a screening: the parcels put by, their order in space, and the partitions.

What is in it belongs to one question about one file: a fingerprint says which, so that a run that
was stopped is taken up again only where it fits.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import geopandas as gpd
import numpy as np
import pyarrow as pa
import shapely
from numpy.typing import NDArray
from pyproj import CRS, Transformer

from site_eval import __version__
from site_eval.crs import WGS84
from site_eval.errors import InputFileError, OutputError
from site_eval.files import write_text
from site_eval.formats.placing import require_in_place
from site_eval.layers.catalog import Catalog
from site_eval.screening.parcels import BATCH_ROWS, SHAPE, ParcelFile, opened
from site_eval.screening.question import Question

PARTITION_ROWS = 25_000
_LEAST_ROWS = 2_000
_ROWS, _ORDER, _PLAN = "parcels.arrow", "order.npy", "plan.json"


@dataclass(frozen=True)
class Plan:
    """Partitions are runs of rows that lie near one another: ``order[cuts[n]:cuts[n + 1]]``."""

    folder: Path
    crs: str
    id_columns: tuple[str, ...]
    rows: int
    cuts: tuple[int, ...]
    bounds_deg: tuple[float, float, float, float]

    @property
    def parts(self) -> int:
        """How many partitions there are."""
        return len(self.cuts) - 1

    def part_file(self, number: int) -> Path:
        """Where the answers of a partition are."""
        return self.folder / f"part-{number:06d}.parquet"

    def missing(self) -> list[int]:
        """Partitions that are not answered yet."""
        return [n for n in range(self.parts) if not self.part_file(n).exists()]

    def numbers(self, part: int) -> NDArray[np.int64]:
        """Row numbers of a partition, from 0."""
        order = np.load(self.folder / _ORDER, mmap_mode="r")
        return np.array(order[self.cuts[part] : self.cuts[part + 1]])

    def read(self, numbers: NDArray[np.int64]) -> pa.Table:
        """These rows of the parcel file, in this order."""
        with pa.memory_map(str(self.folder / _ROWS)) as stream:
            file = pa.ipc.open_file(stream)
            begin = np.concatenate([[0], np.cumsum(self._batch_rows())])
            ascending = np.argsort(numbers, kind="stable")
            owner = np.searchsorted(begin, numbers[ascending], side="right") - 1
            taken = [
                file.get_batch(int(b)).take(pa.array(numbers[ascending][owner == b] - begin[b]))
                for b in np.unique(owner)
            ]
            back = np.empty(len(numbers), dtype=np.int64)
            back[ascending] = np.arange(len(numbers))
            return pa.Table.from_batches(taken, schema=file.schema).take(pa.array(back))

    def _batch_rows(self) -> list[int]:
        listed: list[int] = json.loads((self.folder / _PLAN).read_text())["batches"]
        return listed


def work_folder(out: Path) -> Path:
    """Where the unfinished work for an output file lies, beside it."""
    return out.parent / f".{out.name}.work"


def make_plan(
    path: Path,
    out: Path,
    question: Question,
    catalog: Catalog,
    *,
    layer: str | None = None,
    keep: tuple[str, ...] = (),
    partition_rows: int | None = None,
) -> Plan:
    """Put the parcels by in a new work directory, whatever lay there before."""
    folder = work_folder(out)
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    except OSError as error:
        raise OutputError(
            str(out.parent),
            f"nothing can be written here ({error.strerror})",
            "choose another --out",
        ) from None
    try:
        with opened(path, layer=layer, keep=keep) as source:
            box, batches = _put_by(source, folder)
            plan = _partitions(source, folder, box, partition_rows)
        content = asdict(plan) | {
            "folder": None, "batches": batches, "of": fingerprint(path, question, catalog, layer, keep)
        }  # fmt: skip
        write_text(folder / _PLAN, json.dumps(content, default=str))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return plan


def take_up(
    path: Path,
    out: Path,
    question: Question,
    catalog: Catalog,
    *,
    layer: str | None = None,
    keep: tuple[str, ...] = (),
) -> Plan | None:
    """The plan of a run that was stopped, or nothing when there is none.

    Raises ``InputFileError`` when it was about another file, question or layer.
    """
    folder = work_folder(out)
    if not (folder / _PLAN).exists():
        return None
    content = json.loads((folder / _PLAN).read_text())
    if content.pop("of") != fingerprint(path, question, catalog, layer, keep):
        raise InputFileError(
            str(folder),
            "the unfinished work was about other parcels, layers or options",
            "run once without --resume to begin anew",
        )
    content.pop("batches")
    return Plan(
        folder=folder,
        crs=content["crs"],
        id_columns=tuple(content["id_columns"]),
        rows=content["rows"],
        cuts=tuple(content["cuts"]),
        bounds_deg=tuple(content["bounds_deg"]),
    )


def fingerprint(
    path: Path, question: Question, catalog: Catalog, layer: str | None, keep: tuple[str, ...]
) -> dict[str, Any]:
    """What the answers depend on: the tool, the options, and every file that was read."""
    given = [question.profile_file, Path(question.ordinance)]
    files = [
        path,
        catalog.file,
        *(entry.file for entry in catalog.entries if entry.file),
        *(file for file in given if file is not None and file.is_file()),
    ]
    return {
        "version": __version__,
        "question": json.loads(json.dumps(asdict(question), default=str)),
        "layer": layer,
        "keep": list(keep),
        "files": [[str(f.resolve()), f.stat().st_size, f.stat().st_mtime_ns] for f in files],
    }


def _put_by(source: ParcelFile, folder: Path) -> tuple[NDArray[np.float64], list[int]]:
    """Copy the rows to a file that any process can look into; their boxes and the batch lengths."""
    boxes: list[NDArray[np.float64]] = []
    filled = (batch for batch in source.batches if batch.num_rows)
    first = next(filled, None)
    if first is None:
        raise InputFileError(
            str(source.path), "the file holds no parcel", "export the layer that holds them",
            code="input-file.no-features",
        )  # fmt: skip
    with (
        pa.OSFile(str(folder / _ROWS), "wb") as stream,
        pa.ipc.new_file(stream, first.schema) as writer,
    ):
        for batch in chain([first], filled):
            writer.write_batch(batch)
            wkb = batch.column(SHAPE).to_numpy(zero_copy_only=False)
            boxes.append(shapely.bounds(shapely.from_wkb(wkb, on_invalid="ignore")))
    return np.concatenate(boxes), [len(box) for box in boxes]


def _partitions(
    source: ParcelFile, folder: Path, box: NDArray[np.float64], partition_rows: int | None
) -> Plan:
    """Order the rows along a Hilbert curve and cut the curve in runs."""
    _require_place(source, box)
    middle, known = _middles_deg(box, source.crs)
    if not known.any():
        raise InputFileError(
            str(source.path), "no parcel has a geometry on the earth",
            "check the file's CRS, and export it again", code="input-file.place",
        )  # fmt: skip
    low, high = middle[known].min(axis=0), middle[known].max(axis=0)
    key = np.full(len(box), np.iinfo(np.int64).max)
    reach = (low[0], low[1], max(high[0], low[0] + 1e-9), max(high[1], low[1] + 1e-9))
    key[known] = _along_hilbert(middle[known], reach)
    np.save(folder / _ORDER, np.argsort(key, kind="stable"))
    size = partition_rows or max(_LEAST_ROWS, min(PARTITION_ROWS, -(-len(box) // 8)))
    cuts = (*range(0, len(box), size), len(box))
    bounds = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Plan(folder, source.crs.to_wkt(), source.id_columns, len(box), cuts, bounds)


def _along_hilbert(points: NDArray[np.float64], reach: tuple[float, ...]) -> NDArray[np.int64]:
    """How far along a Hilbert curve each point lies, some at a time for the memory's sake."""
    along = np.empty(len(points), dtype=np.int64)
    for first in range(0, len(points), BATCH_ROWS):
        some = gpd.GeoSeries(shapely.points(points[first : first + BATCH_ROWS]))
        along[first : first + len(some)] = some.hilbert_distance(total_bounds=reach, level=16)
    return along


def _middles_deg(
    box: NDArray[np.float64], crs: CRS
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    middle = np.column_stack([(box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2])
    known = np.asarray(np.isfinite(middle).all(axis=1), dtype=np.bool_)
    if crs != WGS84:
        mover = Transformer.from_crs(crs, WGS84, always_xy=True)
        middle[known] = np.column_stack(mover.transform(*middle[known].T))
    on_earth = np.isfinite(middle).all(axis=1) & (np.abs(middle) <= (180, 90)).all(axis=1)
    return middle, np.asarray(known & on_earth, dtype=np.bool_)


def _require_place(source: ParcelFile, box: NDArray[np.float64]) -> None:
    """Refuse a file whose numbers cannot be of its CRS; a few odd rows are told row by row."""
    sound = box[np.isfinite(box).all(axis=1)]
    if not len(sound):
        return
    low = np.quantile(sound[:, :2], 0.02, axis=0)
    high = np.quantile(sound[:, 2:], 0.98, axis=0)
    require_in_place(
        SimpleNamespace(crs=source.crs, total_bounds=np.concatenate([low, high])), source.path
    )
