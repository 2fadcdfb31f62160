"""All that a check may look at: the application, the law, the land, the layout and the layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

from shapely.geometry.base import BaseGeometry

from site_eval.application import Application, value_at
from site_eval.crs import LocalFrame
from site_eval.layers.catalog import Catalog, LayerEntry
from site_eval.layers.layer import cite, read_layer
from site_eval.layout import Feature, Layout
from site_eval.legal.land import Land
from site_eval.ordinance.basis import Basis
from site_eval.ordinance.library import Ordinance
from site_eval.profile import Profile
from site_eval.record.finding import Source

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

Made = TypeVar("Made")


@dataclass(frozen=True)
class LayerData:
    """A layer near the site: rows in EPSG:4326 and where they came from."""

    entry: LayerEntry
    rows: GeoDataFrame
    source: Source

    def reaches(self, place: BaseGeometry) -> bool:
        """Whether the layer speaks of *place* (EPSG:4326), so that nothing found is nothing there.

        A layer that states its coverage reaches what lies within it; one that does not is taken
        to reach only where it shows something near by.
        """
        if self.entry.coverage is None:
            return len(self.rows) > 0
        west, south, east, north = self.entry.coverage
        left, bottom, right, top = place.bounds
        return west <= left and south <= bottom and right <= east and top <= north

    def silent(self) -> str:
        """Why nothing of this layer can be taken for nothing there, and how to mend it."""
        if self.entry.coverage is None:
            return (
                f"{self.entry.name} shows nothing near the site and does not state where it covers "
                f"the land; state coverage for '{self.entry.id}' in the catalog, or name a layer of "
                "this area."
            )
        return (
            f"{self.entry.name} does not cover the site; name a layer of this area in the catalog "
            f"beside '{self.entry.id}'."
        )


@dataclass(frozen=True)
class Case:
    """One application, with everything that it is judged on."""

    application: Application
    ordinance: Ordinance
    land: Land
    layout: Layout
    catalog: Catalog
    frame: LocalFrame
    basis: Basis
    notes: tuple[str, ...]
    as_of: date
    declared: Source
    profile: Profile
    _made: dict[str, Any] = field(default_factory=dict, repr=False)

    def once(self, name: str, make: Callable[[], Made]) -> Made:
        """What *make* gives, made once for this case and kept under *name*."""
        if name not in self._made:
            self._made[name] = make()
        made: Made = self._made[name]
        return made

    def has(self, kind: str, name: str) -> bool:
        """Whether a role is mapped, a kind of layer is at hand, or a value is stated."""
        if kind == "role":
            return bool(self.layout.by_role(name))
        if kind == "layer":
            return bool(self.catalog.of_kind(name))
        return value_at(self.application, name) is not None

    def value(self, path: str) -> Any:
        """What the application states at a dotted path, or nothing."""
        return value_at(self.application, path)

    def features(self, *roles: str) -> list[Feature]:
        """The layout's features with any of these roles, in the file's order."""
        return [feature for role in roles for feature in self.layout.by_role(role)]

    def local(self, geometry: BaseGeometry) -> Any:
        """EPSG:4326 geometry in metres of the site's own frame."""
        return self.frame.to_local(geometry)

    def geographic(self, geometry: BaseGeometry) -> Any:
        """A geometry of the site's frame in EPSG:4326."""
        return self.frame.to_geographic(geometry)

    @property
    def site_local(self) -> Any:
        """The land in metres of the site's frame."""
        return self.frame.to_local(self.land.geometry)

    def layers(self, kind: str, *, within_m: float = 5_000.0) -> list[LayerData]:
        """Every vector layer of a kind, cut to the site's surroundings."""

        def read() -> list[LayerData]:
            near = self.geographic(self.site_local.buffer(within_m).envelope).bounds
            return [
                LayerData(entry, read_layer(entry, near=near), cite(entry))
                for entry in self.catalog.of_kind(kind)
            ]

        return self.once(f"{kind}/{within_m}", read)

    def rasters(self, kind: str) -> list[tuple[LayerEntry, Source]]:
        """Every raster layer of a kind, with its citation; the check reads it in place."""
        return [(entry, cite(entry)) for entry in self.catalog.of_kind(kind)]
