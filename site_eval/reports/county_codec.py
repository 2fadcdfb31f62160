"""Many parcels and their answers in few bytes: the encoding inside the county map.

A part is a table of answers. Corners are whole millionths of a degree (a tenth of a metre), each
told as the difference to the one before; words are numbers in a list of words; all numbers are
written seven bits a byte, the lowest first. The whole is deflated and written in base64.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import shapely
from numpy.typing import NDArray

DEGREE = 1_000_000
# Numbers are told in whole thousandths or less; beyond this they are cut.
_MOST = 2**30
_BYTES = 5


def encode_part(table: pa.Table, scales: dict[str, int]) -> str:
    """A table with a WKB column ``geometry`` (EPSG:4326, null where a row is broken) in base64.

    Number columns are multiplied by their scale (1 if none is given) and rounded; what is null or
    no number is kept as missing. All other columns are words.
    """
    sections, columns = _outlines(table.column("geometry")), []
    for name in table.column_names:
        if name == "geometry":
            continue
        about, code = _column(table.column(name), scales.get(name, 1))
        columns.append({"name": name, **about})
        sections.append(code)
    head = {
        "rows": len(table),
        "columns": columns,
        "bytes": [len(section) for section in sections],
    }
    words = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
    whole = b"".join([len(words).to_bytes(4, "little"), words, *sections])
    return base64.b64encode(zlib.compress(whole, 6)).decode("ascii")


def varints(values: NDArray[Any]) -> bytes:
    """Whole numbers from 0 to under 2³², seven bits a byte; the top bit says that more follow."""
    numbers = np.asarray(values, dtype=np.uint64)
    length = np.ones(len(numbers), dtype=np.int64)
    for more in range(1, _BYTES):
        length += numbers >= np.uint64(1 << (7 * more))
    begin = np.cumsum(length) - length
    out = np.zeros(int(length.sum()), dtype=np.uint8)
    for at in range(_BYTES):
        has = length > at
        low = (numbers[has] >> np.uint64(7 * at)) & np.uint64(127)
        out[begin[has] + at] = low | np.where(length[has] > at + 1, 128, 0).astype(np.uint64)
    return out.tobytes()


def zigzag(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Small numbers of either sign as small numbers: 0, −1, 1, −2 become 0, 1, 2, 3."""
    return (values << 1) ^ (values >> 63)


def _outlines(geometry: pa.ChunkedArray) -> list[bytes]:
    """Rings of each row, corners of each ring (the first not repeated), and the corners."""
    shapes = shapely.from_wkb(geometry.to_numpy())
    polygons, row = shapely.get_parts(shapes, return_index=True)
    rings, polygon = shapely.get_rings(polygons, return_index=True)
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    last = np.append(ring[1:] != ring[:-1], True)[: len(ring)]
    corners = np.rint(xy[~last] * DEGREE).astype(np.int64)
    steps = np.diff(corners, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))
    return [
        varints(np.bincount(row[polygon], minlength=len(shapes))),
        varints(np.bincount(ring[~last], minlength=len(rings))),
        varints(zigzag(steps[:, 0])),
        varints(zigzag(steps[:, 1])),
    ]


def _column(values: pa.ChunkedArray, scale: int) -> tuple[dict[str, Any], bytes]:
    """How a column is to be read, and its numbers; 0 is what is missing."""
    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) * scale
        known = np.isfinite(numbers)
        whole = np.rint(np.where(known, np.clip(numbers, -_MOST, _MOST), 0)).astype(np.int64)
        return {"scale": scale}, varints(np.where(known, zigzag(whole) + 1, 0))
    told = pc.cast(values, pa.string(), safe=False).combine_chunks().dictionary_encode()
    codes = told.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return {"words": told.dictionary.to_pylist()}, varints(codes + 1)
