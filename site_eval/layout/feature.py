"""What a layout is once it is read: features, and the words that go with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.files import sha256_of
from site_eval.record.finding import Source
from site_eval.record.verdict import Grade


@dataclass(frozen=True)
class Feature:
    """One thing on the ground. ``geometry`` is EPSG:4326, two-dimensional and valid."""

    role: str
    name: str
    geometry: BaseGeometry
    properties: dict[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True)
class Layout:
    """Every feature of the layout file, what its CRS was, and what a person should know."""

    features: tuple[Feature, ...]
    crs_note: str
    warnings: tuple[str, ...]
    source: Source

    def by_role(self, *roles: str) -> tuple[Feature, ...]:
        """The features of any of *roles*, in the file's order."""
        return tuple(feature for feature in self.features if feature.role in roles)


def layout_geojson(layout: Layout) -> dict[str, Any]:
    """The layout as a FeatureCollection; coordinates to 1e-7 degree (about a centimetre)."""
    return {"type": "FeatureCollection", "features": [_as_json(f) for f in layout.features]}


def no_layout() -> Layout:
    """What stands for the layout when the application has none."""
    return Layout((), "There is no layout.", (), layout_source(None))


def layout_source(path: Path | None) -> Source:
    """The layout file as a source: the applicant's own drawing."""
    return Source(
        name="Site layout",
        publisher="the applicant",
        vintage="as filed",
        licence="not published",
        grade=Grade.DECLARED,
        sha256=None if path is None else sha256_of(path),
    )


def _as_json(feature: Feature) -> dict[str, Any]:
    rounded = shapely.transform(feature.geometry, lambda points: np.round(points, 7))
    return {
        "type": "Feature",
        "id": feature.id,
        "properties": {"role": feature.role, "name": feature.name, **feature.properties},
        "geometry": shapely.geometry.mapping(rounded),
    }
