"""What is asked of every parcel: the law, the crowd, the day, and the layers to ask."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from site_eval.crs import frame_at
from site_eval.layers.catalog import Catalog, LayerEntry, load_catalog
from site_eval.layers.layer import read_layer
from site_eval.legal.parcels import PARCEL_RADIUS_M
from site_eval.ordinance.basis import Basis
from site_eval.ordinance.library import Ordinance, load_ordinance
from site_eval.profile import Profile, load_profile
from site_eval.screening.capacity import Needs, needs
from site_eval.solvers.travel import NearRoad, minutes_to_many, road_graph


@dataclass(frozen=True)
class Question:
    """One screening as it was asked; it can be sent to another process as it is."""

    ordinance: str
    persons: int | None
    as_of: date
    catalog_file: Path | None = None
    profile_file: Path | None = None
    held_on: date | None = None
    """The day of the event, for the closed fire season; none: the season is not weighed."""
    uncertainty_m: float = PARCEL_RADIUS_M
    """95 % position uncertainty of a parcel's lines."""


@dataclass(frozen=True)
class Vectors:
    """Rows of a layer in EPSG:4326."""

    entry: LayerEntry
    shapes: NDArray[Any]
    fields: dict[str, NDArray[Any]]


@dataclass
class Sources:
    """The layers and figures of one question, read once in each process."""

    question: Question
    fast: bool = False
    """Whether the compiled loops are to be used, which pays for very many parcels."""
    kept: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog, checked."""
        return load_catalog(self.question.catalog_file)

    @cached_property
    def profile(self) -> Profile:
        """The figures that the ordinance does not give."""
        return load_profile(self.question.profile_file)

    @cached_property
    def law(self) -> Ordinance:
        """The ordinance, checked."""
        return load_ordinance(self.question.ordinance)

    @cached_property
    def persons(self) -> int:
        """The crowd asked for; the ordinance's threshold when none was named."""
        return self.question.persons or self.law.threshold_persons

    @cached_property
    def county_fips(self) -> str | None:
        """The county whose ordinance it is."""
        return self.law.jurisdiction.fips

    @cached_property
    def stalls_required(self) -> float | None:
        """Stalls that the ordinance's own rule asks for this crowd, or nothing without a rule."""
        return self._stalls_for(float(self.persons))

    @cached_property
    def stalls_by_crowd(self) -> Needs | None:
        """The same for crowds of any size."""
        return needs(self._stalls_for)

    def _stalls_for(self, persons: float) -> float | None:
        clauses = self.law.clauses
        rule = next(
            (c.requires for c in clauses if c.subject == "parking.spaces" and c.requires), None
        )
        if rule is None:
            return None
        answer = rule.resolve(Basis(quantities={"persons": persons})).required
        return answer.value if answer else None

    def entry(self, kind: str) -> LayerEntry | None:
        """The first layer of a kind that is at hand."""
        return next(iter(self.catalog.of_kind(kind)), None)

    def vectors(self, kind: str) -> Vectors | None:
        """The whole of a vector layer, or nothing."""
        if ("vectors", kind) not in self.kept:
            entry = self.entry(kind)
            self.kept["vectors", kind] = _read(entry) if entry else None
        found: Vectors | None = self.kept["vectors", kind]
        return found

    @cached_property
    def road_box(self) -> tuple[float, float, float, float]:
        """The box of all roads: beyond it a layer that does not state its reach knows of none."""
        roads = self.vectors("roads")
        box = shapely.total_bounds(roads.shapes if roads else [])
        return float(box[0]), float(box[1]), float(box[2]), float(box[3])

    def near_road(self, lonlat: NDArray[Any]) -> NearRoad | None:
        """Nearest road and minutes from a station for EPSG:4326 polygons; nothing without roads."""
        roads = self.vectors("roads")
        if roads is None or not len(roads.shapes):
            return None
        if "ask" not in self.kept:
            self.kept["ask"] = self._ask(roads)
        frame, ask = self.kept["ask"]
        found: NearRoad = ask(frame.to_local(lonlat))
        return found

    def _ask(self, roads: Vectors) -> Any:
        box = np.array([shape.bounds for shape in roads.shapes])
        middle = (box[:, :2].min(axis=0) + box[:, 2:].max(axis=0)) / 2
        frame = frame_at(float(middle[0]), float(middle[1]))
        speeds = [self.profile.response.speed_mph] * len(roads.shapes)
        graph = road_graph(list(frame.to_local(roads.shapes)), speeds)
        stations = self.vectors("stations")
        starts = [] if stations is None else [s.centroid for s in frame.to_local(stations.shapes)]
        return frame, minutes_to_many(graph, starts)


def _read(entry: LayerEntry) -> Vectors:
    rows = read_layer(entry)
    names = [*entry.fields, *(c for c in rows.columns if c not in entry.fields)]
    fields = {n: rows[n].to_numpy() for n in names if n in rows and n != rows.geometry.name}
    return Vectors(entry, rows.geometry.to_numpy(), fields)
