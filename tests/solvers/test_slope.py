"""Slopes of surfaces whose steepness is known."""

from pathlib import Path

import numpy as np
import pytest
import shapely

from site_eval.solvers.slope import grade_profile, horn_slope_percent, slope_shares, steep_ground

from .rasters import write_raster

WEST, NORTH, CELL = 500_000, 4_900_000, 10.0


def plane(tmp_path: Path, east_percent: float, north_percent: float) -> Path:
    rows, columns = np.mgrid[0:40, 0:40]
    heights = 1000 + columns * CELL * east_percent / 100 - rows * CELL * north_percent / 100
    return write_raster(tmp_path / "dem.tif", heights.astype(np.float32), cell=CELL)


def ground(side_m: float = 200) -> shapely.Polygon:
    return shapely.box(WEST + 100, NORTH - 100 - side_m, WEST + 100 + side_m, NORTH - 100)


def test_a_plane_is_as_steep_everywhere(tmp_path: Path) -> None:
    path = plane(tmp_path, 6, 8)
    found = slope_shares(ground(), path, "EPSG:26911", limits_percent=(9.5, 10.5))
    # 10 %, but for the 0.04 % by which UTM stretches the cell.
    assert found.mean_percent == pytest.approx(10, rel=0.001)
    assert found.maximum_percent == pytest.approx(10, rel=0.001)
    assert found.share_above == {9.5: 1.0, 10.5: 0.0}
    assert found.coverage == pytest.approx(1)


def test_half_steep_ground_is_found_and_drawn(tmp_path: Path) -> None:
    columns = np.arange(40) * CELL
    profile = np.where(columns < 200, 0.02 * columns, 4 + 0.2 * (columns - 200))
    path = write_raster(tmp_path / "d.tif", np.tile(profile, (40, 1)).astype(np.float32), cell=CELL)
    area = shapely.box(WEST + 100, NORTH - 300, WEST + 300, NORTH - 100)
    found = slope_shares(area, path, "EPSG:26911", limits_percent=(10.0,))
    assert found.share_above[10.0] == pytest.approx(0.5, abs=0.06)
    steep = steep_ground(area, path, "EPSG:26911", above_percent=10)
    assert steep.area / area.area == pytest.approx(found.share_above[10.0], abs=0.001)
    assert steep.bounds[0] >= WEST + 190


def test_ground_off_the_raster_lowers_the_cover(tmp_path: Path) -> None:
    off = shapely.box(WEST - 200, NORTH - 300, WEST + 200, NORTH - 100)
    found = slope_shares(off, plane(tmp_path, 5, 0), "EPSG:26911")
    # The outermost cells lack a neighbour, so have no slope either.
    assert found.coverage == pytest.approx(0.475)


def test_no_data_makes_no_slope(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "n.tif", np.full((40, 40), -9999, np.int16), cell=CELL,
                        nodata=-9999)  # fmt: skip
    found = slope_shares(ground(), path, "EPSG:26911")
    assert (found.mean_percent, found.coverage) == (None, 0.0)


def test_feet_taken_for_metres_are_noticed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="500 %"):
        slope_shares(ground(), plane(tmp_path, 300, 0), "EPSG:26911", height_to_m=3.28)


def test_grade_along_a_road(tmp_path: Path) -> None:
    path = plane(tmp_path, 6, 0)
    east = shapely.LineString([(WEST + 50, NORTH - 200), (WEST + 350, NORTH - 200)])
    inner = grade_profile(east, path, "EPSG:26911")[3:-3]
    assert inner == pytest.approx(np.full(len(inner), 6.0), rel=0.001)
    assert grade_profile(east.reverse(), path, "EPSG:26911")[5] == pytest.approx(-6, rel=0.001)
    north = shapely.LineString([(WEST + 200, NORTH - 350), (WEST + 200, NORTH - 50)])
    assert np.abs(grade_profile(north, path, "EPSG:26911")).max() < 0.01


def test_horn_on_a_cone() -> None:
    y, x = np.mgrid[-50:51, -50:51] * 1.0
    slope = horn_slope_percent(100 - 0.3 * np.hypot(x, y), 1.0, 1.0)
    ring = (np.hypot(x, y) > 10) & (np.hypot(x, y) < 45)
    assert slope[ring] == pytest.approx(np.full(ring.sum(), 30.0), rel=0.01)
    assert np.isnan(slope[0, 0])
