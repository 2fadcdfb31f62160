"""Local frames for parcels that are strewn over a county or a state: one for each degree cell.

Within half a degree of its centre a local transverse Mercator is off by less than 25 parts in a
million, 4 cm in a mile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from site_eval.crs import LocalFrame, frame_at


def by_frame(geometries: NDArray[Any]) -> Iterator[tuple[LocalFrame, NDArray[np.int64]]]:
    """Each frame with the numbers of the geometries (EPSG:4326, none null) whose centre it holds."""
    box = shapely.bounds(geometries)
    cells = np.floor((box[:, :2] + box[:, 2:]) / 2).astype(np.int64)
    found, owner = np.unique(cells, axis=0, return_inverse=True)
    for number, (lon, lat) in enumerate(found):
        yield frame_at(float(lon) + 0.5, float(lat) + 0.5), np.flatnonzero(owner.ravel() == number)
