"""How far land lies from where it is drawn: Gem and Payette tracts, each left out in turn.

Run ``python benchmarks/land.py [--write]``; with ``--write`` the table goes into
``docs/accuracy.md``. The tracts and the corners are the bundled ones: for each tract every corner
on its boundary is taken from the control, the tract is placed from its description, and every
corner is compared with the true one.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

import geopandas
import numpy as np
import shapely

from site_eval.crs import ellipsoidal_area_m2, frame_for
from site_eval.legal.place import Placer
from site_eval.legal.plss import read_plss
from site_eval.legal.section_grid import Corner, Grid, bundled_corners
from site_eval.legal.tree import Aliquot, PlssTree
from site_eval.resources import bundled
from site_eval.units import acres

SAME_POINT_DEG = 3e-7


@dataclass(frozen=True)
class Row:
    """One tract left out: errors of its control corners and what was said of them, metres."""

    parcel: str
    errors_m: list[float]
    radii_m: list[float]
    tract_error_m: float
    tract_radius_m: float
    area_ratio: float


def leave_one_out() -> list[Row]:
    """Every tract of the bundled layer, placed without its own corners."""
    tracts = geopandas.read_file(bundled("layers", "plss", "gem_payette_endowment_parcels.geojson"))
    return [_row(tract) for tract in tracts.to_dict("records")]


def ideal_errors() -> list[float]:
    """Distance of every control corner from the ideal grid, metres."""
    grid = Grid("Boise")
    corners = bundled_corners()
    found = grid.locate([(c.east_mi, c.north_mi) for c in corners])
    return [
        _apart(corner, point.lon_deg, point.lat_deg)
        for corner, point in zip(corners, found, strict=True)
    ]


def summary() -> str:
    """The table for the documentation."""
    rows = leave_one_out()
    errors = np.array([e for row in rows for e in row.errors_m])
    radii = np.array([r for row in rows for r in row.radii_m])
    tract = np.array([row.tract_error_m for row in rows])
    tract_radius = np.array([row.tract_radius_m for row in rows])
    ideal = np.array(ideal_errors())
    ratio = np.array([row.area_ratio for row in rows])
    lines = [
        f"{len(rows)} tracts, {len(errors)} tract corners; every corner of a tract left out with it.",
        "",
        "| what | median | 95 % | stated 95 % radius (median) | covered |",
        "|---|---|---|---|---|",
        _line("ideal grid, control corners", ideal, None),
        _line("control-adjusted grid, corner by corner", errors, radii),
        _line("control-adjusted grid, worst corner of each tract", tract, tract_radius),
        "",
        f"Area drawn against true area: median {np.median(ratio):.4f}, "
        f"5th to 95th percentile {np.percentile(ratio, 5):.4f} to {np.percentile(ratio, 95):.4f}, "
        f"standard deviation {ratio.std():.4f}.",
    ]
    return "\n".join(lines)


def _line(what: str, errors: np.ndarray, radii: np.ndarray | None) -> str:
    stated = covered = "–"
    if radii is not None:
        stated = f"{np.median(radii):.1f} m"
        covered = f"{100 * np.mean(errors <= radii):.1f} %"
    return f"| {what} | {np.median(errors):.1f} m | {np.percentile(errors, 95):.1f} m | {stated} | {covered} |"


def _row(tract: dict) -> Row:
    geometry = tract["geometry"]
    vertices = shapely.get_coordinates(geometry)
    own = [corner for corner in bundled_corners() if _on(corner, vertices)]
    placer = Placer("Boise", [corner for corner in bundled_corners() if corner not in own])
    found = placer.grid.locate([(c.east_mi, c.north_mi) for c in own])
    errors = [_apart(c, p.lon_deg, p.lat_deg) for c, p in zip(own, found, strict=True)]
    placed = placer.place(_tree(tract["legal_inferred"]))
    return Row(
        parcel=tract["parcel_id"],
        errors_m=errors,
        radii_m=[point.radius_m for point in found],
        tract_error_m=max(errors),
        tract_radius_m=placed.position_uncertainty_m,
        area_ratio=acres(ellipsoidal_area_m2(placed.geometry))
        / acres(ellipsoidal_area_m2(geometry)),
    )


def _tree(text: str) -> PlssTree:
    """``T7N R1W Sec 21: SWSE SESW SWSW`` read by the tool's own grammar."""
    tree = read_plss(text)
    wanted = [tuple(re.findall(r"[NS][EW]", word)) for word in text.split(":")[1].split()]
    assert [part.steps for part in tree.sections[0].parts if isinstance(part, Aliquot)] == wanted
    return tree


def _on(corner: Corner, vertices: np.ndarray) -> bool:
    return bool(
        np.any(np.abs(vertices - (corner.lon_deg, corner.lat_deg)).max(axis=1) < SAME_POINT_DEG)
    )


def _apart(corner: Corner, lon_deg: float, lat_deg: float) -> float:
    frame = frame_for(shapely.Point(corner.lon_deg, corner.lat_deg))
    x, y = frame.xy(lon_deg, lat_deg)
    x0, y0 = frame.xy(corner.lon_deg, corner.lat_deg)
    return float(np.hypot(x - x0, y - y0))


if __name__ == "__main__":
    text = summary()
    print(text)
    if "--write" in sys.argv:
        from write_section import write_section

        write_section("docs/accuracy.md", "land", text)
