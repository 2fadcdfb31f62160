"""Covered shares of cells: against exactextract, against plain geometry, and compiled against plain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
import shapely
from numpy.typing import NDArray
from rasterio.transform import from_origin

from site_eval.crs import WGS84, frame_at
from site_eval.solvers import compiled
from site_eval.solvers.coverage import covered_sums, outlines, to_the_right
from site_eval.solvers.raster_table import class_table, steep_table
from site_eval.solvers.slope import slope_shares
from site_eval.solvers.zonal import class_shares

FAST = [False, pytest.param(True, marks=pytest.mark.skipif(
    not compiled.available(), reason="numba is not installed"))]  # fmt: skip
FRAME = frame_at(-116.5, 43.9)


def stars(count: int, *, reach: float = 30.0) -> NDArray[Any]:
    """Odd polygons in and around a grid of 40 by 40 cells: stars, with holes, in two parts."""
    draw = np.random.default_rng(7)
    shapes: list[Any] = []
    while len(shapes) < count:
        centre, corners = draw.uniform(-5, 45, 2), draw.integers(3, 12)
        turn, far = (
            np.sort(draw.uniform(0, 2 * np.pi, corners)),
            draw.uniform(0.2, reach / 4, corners),
        )
        star = shapely.make_valid(
            shapely.Polygon(centre + np.c_[far * np.cos(turn), far * np.sin(turn)])
        )
        star = star.difference(shapely.Point(centre).buffer(0.4 * draw.random()))
        if draw.random() < 0.2:
            star = star.union(shapely.box(*(centre + reach / 2), *(centre + reach / 2 + 3)))
        if star.geom_type in {"Polygon", "MultiPolygon"} and star.area > 0.01:
            shapes.append(star)
    return np.array(shapes, dtype=object)


@pytest.mark.parametrize("fast", FAST)
def test_each_cell_counts_by_its_covered_share(fast: bool) -> None:
    shapes = stars(60)
    values = np.random.default_rng(1).uniform(0, 5, (40, 40, 2))
    column, row = np.meshgrid(np.arange(40), np.arange(40))
    cells = shapely.box(column, row, column + 1, row + 1)
    shares = np.array([shapely.area(shapely.intersection(cells, shape)) for shape in shapes])
    plain = np.einsum("prc,rck->pk", shares, values)
    found = covered_sums(outlines(shapes), to_the_right(values), fast=fast)
    assert found == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize("fast", FAST)
def test_edges_along_the_lines_of_the_grid_are_counted_once(fast: bool) -> None:
    shapes = np.array(
        [shapely.box(2, 3, 7, 5), shapely.box(-4, -4, 0, 0), shapely.box(38, 0, 42, 1)]
    )
    sums = to_the_right(np.ones((40, 40, 1)))
    assert covered_sums(outlines(shapes), sums, fast=fast)[:, 0].tolist() == [10.0, 0.0, 2.0]


@pytest.mark.parametrize("fast", FAST)
def test_empty_shapes_and_nulls_cover_nothing(fast: bool) -> None:
    shapes = np.array([None, shapely.Polygon(), shapely.box(1, 1, 2, 2)], dtype=object)
    sums = to_the_right(np.ones((4, 4, 1)))
    assert covered_sums(outlines(shapes), sums, fast=fast)[:, 0].tolist() == [0.0, 0.0, 1.0]


def parcels(count: int) -> NDArray[Any]:
    draw = np.random.default_rng(3)
    x, y = draw.uniform(-4_000, 4_000, (2, count))
    size = draw.uniform(60, 700, count)
    turned = [
        shapely.affinity.rotate(shapely.box(a, b, a + s, b + 0.6 * s), 360 * draw.random())
        for a, b, s in zip(x, y, size, strict=True)
    ]
    return np.array(turned, dtype=object)


def raster(
    path: Path, values: NDArray[Any], crs: str, west: float, north: float, cell: float
) -> Path:
    with rasterio.open(
        path, "w", driver="GTiff", height=values.shape[0], width=values.shape[1], count=1,
        dtype=values.dtype, crs=crs, transform=from_origin(west, north, cell, cell), nodata=0,
    ) as out:  # fmt: skip
        out.write(values, 1)
    return path


@pytest.fixture(params=["EPSG:5070", "EPSG:4269"])
def classes(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Classes 1 to 7 with gaps, of metres or of degrees; the parcels reach over its east edge."""
    values = np.random.default_rng(5).integers(0, 8, (90, 60)).astype("uint8")
    middle = FRAME.to_geographic(shapely.Point(0, 0))
    if request.param == "EPSG:4269":
        return raster(
            tmp_path / "c.tif", values, request.param, middle.x - 0.06, middle.y + 0.06, 0.0014
        )
    from pyproj import Transformer

    x, y = Transformer.from_crs(WGS84, request.param, always_xy=True).transform(middle.x, middle.y)
    return raster(tmp_path / "c.tif", values, request.param, x - 5_000, y + 5_500, 120.0)


@pytest.mark.parametrize("fast", FAST)
def test_class_shares_are_those_of_exactextract(classes: Path, fast: bool) -> None:
    # Both ways bend the same fine edges into the raster's CRS.
    shapes = shapely.segmentize(parcels(80), 20.0)
    table = class_table(shapes, FRAME.crs, classes, fast=fast)
    for n, shape in enumerate(shapes):
        one = class_shares(shape, classes, FRAME.crs)
        # One site's gaps are weighed by ground area, cells of degrees differ in that by 1e-5.
        assert table.known[n] == pytest.approx(one.coverage, abs=1e-5)
        for code in range(1, 8):
            share = table.share(frozenset({code}))[n]
            assert share == pytest.approx(one.shares.get(code, 0.0), abs=1e-6)


@pytest.mark.parametrize("fast", FAST)
def test_steep_shares_are_those_of_one_site_at_a_time(tmp_path: Path, fast: bool) -> None:
    x, y = np.meshgrid(np.arange(300), np.arange(300))
    heights = (800 + 40 * np.sin(x / 9) * np.cos(y / 11)).astype("float32")
    file = raster(tmp_path / "h.tif", heights, FRAME.crs.to_wkt(), -4_500, 4_500, 30.0)
    shapes = parcels(40)
    table = steep_table(shapes, FRAME.crs, file, 15.0, fast=fast)
    for n, shape in enumerate(shapes):
        one = slope_shares(shape, file, FRAME.crs, limits_percent=(15.0,))
        assert table.share(frozenset({1}))[n] == pytest.approx(one.share_above[15.0], abs=1e-6)
        assert table.known[n] == pytest.approx(one.coverage, abs=1e-6)


@pytest.mark.skipif(not compiled.available(), reason="numba is not installed")
def test_the_compiled_nearest_segment_is_that_of_the_tree() -> None:
    shapes = parcels(200)
    turn = np.linspace(0, 2 * np.pi, 400)
    ring = np.c_[9_000 * np.cos(turn) + 700 * np.sin(9 * turn), 8_000 * np.sin(turn)]
    segments = np.hstack([ring[:-1], ring[1:]])
    lines = shapely.linestrings(segments.reshape(-1, 2, 2))
    found = outlines(shapes)
    begin = np.searchsorted(found.polygon, np.arange(len(shapes) + 1))
    which, distance = compiled.nearest_segment(found.xy, found.ring, begin, segments)
    assert distance == pytest.approx(shapely.distance(shapes[:, None], lines[None, :]).min(axis=1))
    assert distance == pytest.approx(shapely.distance(shapes, lines[which]))
