"""Class shares under a polygon, and each known trap shut."""

from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from pyproj import Transformer

from site_eval.solvers.zonal import cells_under, class_shares

from .rasters import write_raster

WEST, NORTH, CELL = 500_000, 4_900_000, 30.0
CLASSES = np.array([[1, 2, 3, 4], [5, 6, 7, 1], [2, 3, 4, 5], [6, 7, 1, 2]], dtype=np.uint8)


def cells_box(left: float, top: float, right: float, bottom: float) -> shapely.Polygon:
    """A box in units of cells from the raster's upper left corner."""
    return shapely.box(
        WEST + left * CELL, NORTH - bottom * CELL, WEST + right * CELL, NORTH - top * CELL
    )


@pytest.fixture
def raster(tmp_path: Path) -> Path:
    return write_raster(tmp_path / "classes.tif", CLASSES, nodata=255)


def test_shares_are_weighted_by_the_part_of_a_cell_that_is_covered(raster: Path) -> None:
    found = class_shares(cells_box(0.5, 0, 2, 1), raster, "EPSG:26911")
    assert found.shares == pytest.approx({1: 1 / 3, 2: 2 / 3})
    assert found.coverage == pytest.approx(1)
    assert found.pixel_count == pytest.approx(1.5)
    assert found.cell_size_m == pytest.approx(30, rel=0.001)


def test_polygon_in_another_crs_gives_the_same(raster: Path) -> None:
    """Trap: a mismatch is only a warning there, and the count is 0."""
    here = cells_box(0.25, 0.25, 3.5, 3.75)
    mover = Transformer.from_crs("EPSG:26911", "EPSG:4326", always_xy=True)
    fine = shapely.segmentize(here, 5)
    there = shapely.transform(fine, lambda p: np.column_stack(mover.transform(p[:, 0], p[:, 1])))
    a = class_shares(here, raster, "EPSG:26911")
    b = class_shares(there, raster, "EPSG:4326")
    assert b.shares == pytest.approx(a.shares, abs=1e-5)
    assert b.coverage == pytest.approx(1, abs=1e-5)


def test_ground_off_the_raster_lowers_the_cover(raster: Path) -> None:
    """Trap: a polygon 83 % off the grid has shares that sum to 1 and says nothing."""
    found = class_shares(cells_box(3.5, 0, 6.5, 1), raster, "EPSG:26911")
    assert sum(found.shares.values()) == pytest.approx(1)
    assert found.coverage == pytest.approx(1 / 6)
    assert found.nodata_share == 0


def test_ground_far_from_the_raster_has_no_shares(raster: Path) -> None:
    """Trap: no overlap is no error there, only empty lists."""
    found = class_shares(cells_box(100, 100, 101, 101), raster, "EPSG:26911")
    assert (found.shares, found.coverage, found.pixel_count) == ({}, 0, 0)
    assert found.share_of({4, 5}) == 0


def test_nodata_cells_lower_the_cover_and_are_told(tmp_path: Path) -> None:
    """Trap: nodata drops out in silence; in old hazard files it lies on the worst cells."""
    values = CLASSES.copy()
    values[0, :2] = 255
    path = write_raster(tmp_path / "gap.tif", values, nodata=255)
    found = class_shares(cells_box(0, 0, 4, 1), path, "EPSG:26911")
    assert found.shares == pytest.approx({3: 0.5, 4: 0.5})
    assert found.coverage == pytest.approx(0.5)
    assert found.nodata_share == pytest.approx(0.5)
    assert found.pixel_count == pytest.approx(4)


def test_classes_come_sorted_and_with_their_own_share(raster: Path) -> None:
    """Trap: classes and shares are parallel there, and in no order."""
    found = class_shares(cells_box(0, 0, 4, 4), raster, "EPSG:26911")
    counts = {int(c): int((c == CLASSES).sum()) for c in np.unique(CLASSES)}
    assert list(found.shares) == sorted(counts)
    assert found.shares == pytest.approx({c: n / 16 for c, n in counts.items()})


def test_zero_is_a_class_like_any_other(tmp_path: Path) -> None:
    values = np.zeros((2, 2), dtype=np.float32)
    values[0, 0] = 3
    path = write_raster(tmp_path / "zero.tif", values, nodata=-3.4028234663852886e38)
    found = class_shares(cells_box(0, 0, 2, 2), path, "EPSG:26911")
    assert found.shares == pytest.approx({0: 0.75, 3: 0.25})
    assert found.coverage == pytest.approx(1)


def test_both_denominators(raster: Path) -> None:
    found = class_shares(cells_box(0, 0, 4, 4), raster, "EPSG:26911")
    assert found.share_of({4, 5}, of={1, 2, 3, 4, 5, 6}) == pytest.approx(4 / 14)
    assert found.share_of({4, 5}, of={1, 2, 3, 4, 5}) == pytest.approx(4 / 12)


def test_cells_in_degrees_are_weighted_by_their_area(tmp_path: Path) -> None:
    """Trap: cells of a raster in degrees shrink to the north."""
    values = np.array([[1], [2]], dtype=np.uint8)
    path = write_raster(tmp_path / "deg.tif", values, west=10, north=60, cell=30.0, crs="EPSG:4326")
    found = class_shares(shapely.box(10, 0, 40, 60), path, "EPSG:4326")
    north = np.sin(np.radians(60)) - np.sin(np.radians(30))
    assert found.shares[1] == pytest.approx(north / np.sin(np.radians(60)), abs=0.02)


def test_averages_are_no_classes(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "warped.tif", np.full((3, 3), 2.5, dtype=np.float32))
    with pytest.raises(ValueError, match="whole numbers"):
        class_shares(cells_box(0, 0, 3, 3), path, "EPSG:26911")


def test_a_raster_without_crs_is_refused(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "lost.tif", CLASSES, crs=None)
    with pytest.raises(ValueError, match="no coordinate reference system"):
        class_shares(cells_box(0, 0, 1, 1), path, "EPSG:26911")


def test_agrees_with_a_count_of_a_hundred_points_a_cell(tmp_path: Path) -> None:
    """An independent way: 10 by 10 points in each of 60 × 60 cells, inside or not."""
    rng = np.random.default_rng(5)
    values = rng.integers(1, 8, (60, 60)).astype(np.uint8)
    path = write_raster(tmp_path / "big.tif", values)
    ring = np.cumsum(rng.uniform(0.5, 1, 9))
    angle, radius = 2 * np.pi * ring / ring[-1], rng.uniform(300, 850, 9)
    middle = np.array([WEST + 900, NORTH - 900])
    polygon = shapely.Polygon(
        middle + np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    )
    found = class_shares(polygon, path, "EPSG:26911")
    steps = (np.arange(600) + 0.5) * 3
    x, y = np.meshgrid(WEST + steps, NORTH - steps)
    inside = shapely.contains_xy(polygon, x.ravel(), y.ravel()).reshape(x.shape)
    fine = np.kron(values, np.ones((10, 10), dtype=np.uint8))[inside]
    for code in range(1, 8):
        assert found.shares[code] == pytest.approx(float((fine == code).mean()), abs=0.002)


def test_window_is_the_same_as_the_whole(raster: Path) -> None:
    with rasterio.open(raster) as source:
        whole = source.read(1)
    cells = cells_under(cells_box(1, 1, 3, 3), raster, "EPSG:26911")
    assert sorted(cells.values.tolist()) == sorted(whole[1:3, 1:3].ravel().tolist())
    assert cells.fraction.tolist() == pytest.approx([1, 1, 1, 1])
