"""A PLSS tree put on the ground: each section's frame from the best source, parts drawn in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import LocalFrame, frame_at
from site_eval.errors import LandError
from site_eval.legal.plss_layer import SURVEYED_RADIUS_M, PlssLayer
from site_eval.legal.section_frame import SectionFrame, nominal_lot_box
from site_eval.legal.section_grid import Corner, Grid, grid_position
from site_eval.legal.section_unit import part_box
from site_eval.legal.tree import Lot, Part, PlssTree, SectionLand, Warn

# A lot's shape is not known from the grid; a 40-acre lot is a quarter mile on a side, and this is
# its diagonal.
LOT_RADIUS_M = 570.0
_METHODS = ("surveyed-plss", "control-adjusted-grid", "ideal-grid")
# Relative area, one standard deviation at most, by method. The grids': measured on the tracts left
# out of the control (docs/accuracy.md); the others are the tool's allowance.
RELATIVE_AREA_SD = {
    "surveyed-plss": 0.003, "control-adjusted-grid": 0.025, "ideal-grid": 0.025,
    "parcel-layer": 0.003, "traverse": 0.002, "polygon-file": 0.003,
}  # fmt: skip


@dataclass
class Placed:
    """What was drawn: EPSG:4326 geometry (None when nothing could be), and how sure it is."""

    geometry: BaseGeometry | None
    position_uncertainty_m: float
    method: str | None
    warnings: list[Warn] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    missing: list[Warn] = field(default_factory=list)


class Placer:
    """Sections of one meridian from a layer, from control, or from the ideal grid, in that order."""

    def __init__(
        self, meridian: str, corners: Sequence[Corner] = (), layer: PlssLayer | None = None
    ) -> None:
        """Keep the grid's solution, which is the costly part, for many descriptions."""
        self.grid = Grid(meridian, corners)
        self.layer = layer

    def place(self, tree: PlssTree) -> Placed:
        """Draw every part that can be drawn."""
        placed = Placed(None, 0.0, None)
        local = self._local(tree)
        pieces: list[BaseGeometry] = []
        methods: list[str] = []
        for land in tree.sections:
            frame = self.frame(land, local)
            methods.append(frame.method)
            pieces.extend(self._section(land, frame, local, placed))
        drawn = [piece for piece in pieces if piece is not None and not piece.is_empty]
        if drawn:
            union = shapely.union_all(drawn, grid_size=0.001)
            placed.geometry = local.to_geographic(union)
            placed.method = max(methods, key=_METHODS.index)
        return placed

    def frame(self, land: SectionLand, local: LocalFrame) -> SectionFrame:
        """One section's corners and quarter corners, in the metres of *local*."""
        township, range_, section = _named(land)
        if self.layer is not None:
            surveyed = self.layer.section_frame((township, range_, section), local)
            if surveyed is not None:
                return surveyed
        quarters = [n / 4 for n in range(5)]
        found = self.grid.locate(
            [grid_position(township, range_, section, u, v) for v in quarters for u in quarters]
        )
        xy = [local.xy(point.lon_deg, point.lat_deg) for point in found]
        method = max((point.method for point in found), key=_METHODS.index)
        return SectionFrame(
            tuple(tuple(xy[row * 5 : row * 5 + 5]) for row in range(5)),
            tuple(tuple(p.radius_m for p in found[row * 5 : row * 5 + 5]) for row in range(5)),
            method,
        )

    def local_frame(self, land: SectionLand) -> LocalFrame:
        """A metric frame centred on a section."""
        township, range_, section = _named(land)
        if self.layer is not None:
            geometry = self.layer.sections.get((township, range_, section))
            if geometry is not None:
                return frame_at(geometry.centroid.x, geometry.centroid.y)
        spot = self.grid.locate([grid_position(township, range_, section, 0.5, 0.5)])[0]
        return frame_at(spot.lon_deg, spot.lat_deg)

    def _local(self, tree: PlssTree) -> LocalFrame:
        if not tree.sections:
            raise LandError(
                "description", "no section was found in it", "name section and township"
            )
        return self.local_frame(tree.sections[0])

    def _section(
        self, land: SectionLand, frame: SectionFrame, local: LocalFrame, placed: Placed
    ) -> list[BaseGeometry]:
        taken = [self._part(part, land, frame, local, placed) for part in land.parts]
        whole = shapely.union_all([piece for piece in taken if piece is not None])
        for part in land.exceptions:
            piece = self._part(part, land, frame, local, placed)
            if piece is None:
                placed.doubts.append(f"the exception {part.code} could not be drawn")
            else:
                whole = shapely.difference(whole, piece)
        return [whole]

    def _part(
        self, part: Part, land: SectionLand, frame: SectionFrame, local: LocalFrame, placed: Placed
    ) -> BaseGeometry | None:
        if isinstance(part, Lot):
            return self._lot(part, land, frame, local, placed)
        piece = frame.part(part)
        box = part_box(part)
        if box is not None:
            radius_m = frame.radius_m(box)
            placed.position_uncertainty_m = max(placed.position_uncertainty_m, radius_m)
        if piece is None:
            placed.missing.append(
                Warn("not-placed", f"{part.code} needs a plat or a layer to be drawn", land.span)
            )
        return piece

    def _lot(
        self, lot: Lot, land: SectionLand, frame: SectionFrame, local: LocalFrame, placed: Placed
    ) -> BaseGeometry | None:
        township, range_, section = _named(land)
        if self.layer is not None and not lot.steps:
            surveyed = self.layer.lot((township, range_, section), lot.number)
            if surveyed is not None:
                placed.position_uncertainty_m = max(
                    placed.position_uncertainty_m, SURVEYED_RADIUS_M
                )
                moved: BaseGeometry = local.to_local(surveyed)
                return moved
        box = nominal_lot_box(section, int(lot.number)) if not lot.steps else None
        if box is None:
            placed.missing.append(
                Warn("not-placed", f"{lot.code} needs a plat or a layer to be drawn", land.span)
            )
            return None
        placed.position_uncertainty_m = max(placed.position_uncertainty_m, LOT_RADIUS_M)
        placed.warnings.append(
            Warn(
                "nominal-lot",
                f"{lot.code} of section {section} is drawn where lots are usually numbered, not from its plat",
                land.span,
            )
        )
        placed.doubts.append(f"{lot.code} is drawn by the usual numbering, not from its plat")
        return frame.polygon(box)


def _named(land: SectionLand) -> tuple[str, str, int]:
    if land.township is None or land.range is None or land.section is None:
        raise LandError(
            "description",
            "township, range or section is missing",
            "write all three, with N/S and E/W",
        )
    return land.township, land.range, land.section
