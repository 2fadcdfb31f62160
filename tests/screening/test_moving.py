"""The polynomial that stands in for PROJ over a small area."""

from __future__ import annotations

import numpy as np
import pytest
from pyproj import CRS, Transformer

from site_eval.crs import frame_at
from site_eval.solvers.moving import move_between


@pytest.mark.parametrize("target", ["EPSG:5070", "EPSG:26911", "EPSG:4269"])
def test_points_of_a_county_move_as_proj_moves_them(target: str) -> None:
    source, to = frame_at(-116.5, 43.9).crs, CRS.from_user_input(target)
    xy = np.random.default_rng(2).uniform(-40_000, 40_000, (20_000, 2))
    box = np.array([-40_000.0, -40_000.0, 40_000.0, 40_000.0])
    # A hundredth of a millimetre, in metres or in degrees.
    within = 1e-5 if to.is_projected else 1e-10
    exact = np.column_stack(Transformer.from_crs(source, to, always_xy=True).transform(*xy.T))
    moved = move_between(source, to, box, within=within, points=len(xy))(xy)
    assert moved == pytest.approx(exact, rel=0, abs=2 * within)


def test_what_no_polynomial_fits_is_left_to_proj() -> None:
    # A whole continent in a conic projection.
    source, to = CRS.from_epsg(4326), CRS.from_epsg(5070)
    xy = np.random.default_rng(2).uniform((-125, 25), (-67, 49), (6_000, 2))
    box = np.array([-125.0, 25.0, -67.0, 49.0])
    exact = np.column_stack(Transformer.from_crs(source, to, always_xy=True).transform(*xy.T))
    moved = move_between(source, to, box, within=1e-5, points=len(xy))(xy)
    assert np.array_equal(moved, exact)
