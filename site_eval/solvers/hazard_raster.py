"""What a wildfire raster holds, told by its own marks and never by the name of its file.

The rasters are published in three forms. *Classes*: whole numbers 1 (very low) to 5 (very high),
6 non-burnable, 7 water, one byte, nodata 255. *Index*: whole numbers from 0 to about 100,000 in
four bytes, nodata 2147483647 or -128; 0 is ground that does not burn. *Measures*: four-byte
fractions such as burn probability or flame length, nodata -3.4e38; they are no classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from numpy.typing import NDArray

CLASSES = (1, 2, 3, 4, 5, 6, 7)
NON_BURNABLE = 6
# The nodata marks of the index as it is published by itself and with the risk rasters.
_INDEX_NODATA = {2147483647.0, -128.0}
_LEAST_FLOAT = -3e38

Classify = Callable[[NDArray[Any]], NDArray[np.int64]]


class Form(StrEnum):
    """How a hazard raster tells hazard."""

    CLASSES = "classes"
    INDEX = "index"
    MEASURES = "measures"


def form_of(path: Path | str) -> Form:
    """The form of a raster by its data type and its nodata mark."""
    with rasterio.open(path) as source:
        kind, nodata = np.dtype(source.dtypes[0]), source.nodata
    if np.issubdtype(kind, np.floating):
        measured = nodata is not None and nodata < _LEAST_FLOAT
        return Form.MEASURES if measured else Form.CLASSES
    wide = kind.itemsize >= 4 and nodata is not None
    return Form.INDEX if wide and float(nodata) in _INDEX_NODATA else Form.CLASSES


def classifier(path: Path | str, breaks: Sequence[float]) -> Classify:
    """How the raster's values become classes 1 to 7; *breaks* are the upper ends of 1 to 4.

    Raises ``ValueError`` for a raster of measures. What comes back raises it for values that are
    none of the published ones: another product's codes must not pass for these.
    """
    form = form_of(path)
    if form is Form.MEASURES:
        raise ValueError(
            "The raster holds measures (such as burn probability or flame length), no classes."
        )
    if form is Form.CLASSES:
        return _checked

    def by_index(values: NDArray[Any]) -> NDArray[np.int64]:
        if values.size and values.min() < 0:
            raise ValueError("The hazard index is below 0 in places: its nodata is not marked.")
        classes = 1 + np.digitize(values, breaks, right=True)
        return np.where(values == 0, NON_BURNABLE, classes).astype(np.int64)

    return by_index


def _checked(values: NDArray[Any]) -> NDArray[np.int64]:
    if values.size and not np.array_equal(values, np.round(values)):
        raise ValueError("The raster holds values that are not whole numbers, so no classes.")
    strange = [v for v in np.unique(values) if v not in CLASSES]
    if strange:
        raise ValueError(
            f"The raster holds the value {strange[0]:g}, which is none of the hazard classes 1 to 7."
        )
    return values.astype(np.int64)
