"""Wildfire classes under every parcel and in the ring around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from site_eval.crs import LocalFrame
from site_eval.judges.wildfire import HIGH, LAND, MODERATE_UP, VERY_HIGH, Exposure
from site_eval.solvers.hazard_raster import CLASSES, classifier
from site_eval.solvers.raster_table import Table, class_table
from site_eval.solvers.zonal import grown

# The chords of a ring are short, and its circle is drawn to half a percent anyway.
_RING_PIECE_M = 500.0


@dataclass(frozen=True)
class Hazard:
    """One row a parcel."""

    site: Table
    ring: Table

    @property
    def shares(self) -> dict[str, NDArray[np.float64]]:
        """Share of the known ground of the parcel by class."""
        return {f"wildfire_share_{c}": self.site.share(frozenset({c})) for c in CLASSES}

    @property
    def exposure(self) -> Exposure:
        """What the judge weighs. A parcel has no layout, so that no way out of it is mapped."""
        return Exposure(
            site_high=self.site.share(HIGH, LAND),
            site_very_high=self.site.share(VERY_HIGH, LAND),
            site_moderate_up=self.site.share(MODERATE_UP, LAND),
            ring_high=self.ring.share(HIGH, LAND),
            coverage=np.minimum(self.site.known, self.ring.known),
            independent_exits=np.zeros(len(self.site.known)),
        )


def hazard(
    parcels: NDArray[Any],
    frame: LocalFrame,
    raster: Path,
    ring_m: float,
    *,
    breaks: Sequence[float],
    fast: bool = False,
) -> Hazard:
    """Measure *parcels* (local metres of *frame*) and the ring *ring_m* around each.

    *breaks* part the classes where the raster holds the index itself.
    """
    classify = classifier(raster, breaks)
    site = class_table(parcels, frame.crs, raster, fast=fast, classify=classify)
    whole = class_table(
        np.asarray(grown(parcels, ring_m), dtype=object),
        frame.crs,
        raster,
        fast=fast,
        piece_m=_RING_PIECE_M,
        classify=classify,
    )
    return Hazard(site, whole.less(site))
