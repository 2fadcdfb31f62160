"""Foot-candles of a Lambert lamp, from the table of the standard and by hand."""

import numpy as np
import pytest
import shapely

from site_eval.solvers.illuminance import Lamp, boundary_maximum, grid, illuminance_fc


@pytest.mark.parametrize(
    ("lumens", "height_m", "expected"),
    [
        (20_000, 4, (37, 5.6, 0.7, 0.2)),
        (40_000, 6, (33, 11.4, 2.3, 0.6)),
        (120_000, 9, (44, 25.6, 8.8, 3.1)),
    ],
)
def test_table_of_downlights(lumens: float, height_m: float, expected: tuple[float, ...]) -> None:
    """At 0, 5, 10 and 15 m from the mast."""
    found = illuminance_fc([Lamp(0, 0, height_m, lumens)], [[r, 0] for r in (0, 5, 10, 15)])
    assert found[0] == pytest.approx(expected[0], abs=0.5)
    assert found[1:] == pytest.approx(expected[1:], abs=0.05)


def test_all_light_of_a_lamp_reaches_the_ground() -> None:
    """A Lambert downlight sends all its lumens down: the integral over the plane is Φ."""
    edges = np.linspace(0, 3000, 300_001)
    middle = (edges[1:] + edges[:-1]) / 2
    points = np.column_stack([middle, 0 * middle])
    lux = illuminance_fc([Lamp(0, 0, 6, 40_000)], points) / 0.3048**2
    flux = (lux * np.pi * (edges[1:] ** 2 - edges[:-1] ** 2)).sum()
    assert flux == pytest.approx(40_000, rel=0.001)


def test_lamps_add() -> None:
    one = illuminance_fc([Lamp(0, 0, 6, 40_000)], [[3, 4]])
    assert illuminance_fc([Lamp(0, 0, 6, 40_000)] * 3, [[3, 4]]) == pytest.approx(3 * one)


def test_grid_of_an_area() -> None:
    area = shapely.box(0, 0, 40, 20)
    lamp = Lamp(20, 10, 9, 120_000)
    found = grid(area, [lamp], limit_fc=5)
    corner = illuminance_fc([lamp], [[0, 0]])[0]
    assert found.minimum_fc == pytest.approx(corner)
    assert found.maximum_fc == pytest.approx(illuminance_fc([lamp], [[20, 10]])[0])
    assert found.minimum_fc < found.average_fc < found.maximum_fc
    assert found.darkest_xy_m in {(0, 0), (40, 0), (0, 20), (40, 20)}
    assert 0 < found.share_below < 1
    assert found.share_below == pytest.approx((found.values_fc < 5).mean())


def test_no_lamp_is_dark() -> None:
    found = grid(shapely.box(0, 0, 10, 10), [], limit_fc=5)
    assert (found.minimum_fc, found.share_below) == (0, 1)


def test_a_large_area_keeps_to_a_bounded_number_of_points() -> None:
    found = grid(shapely.box(0, 0, 5000, 5000), [Lamp(0, 0, 9, 1)], limit_fc=5)
    assert len(found.points_xy_m) < 300_000
    assert found.spacing_m == pytest.approx(10)


def test_light_that_leaves_the_site() -> None:
    lamp = Lamp(10, 50, 6, 40_000)
    worst, at = boundary_maximum(shapely.box(0, 0, 100, 100), [lamp])
    assert at == pytest.approx((0, 50))
    assert worst == pytest.approx(2.3, abs=0.05)


@pytest.mark.parametrize("lamp", [Lamp(0, 0, 0, 100), Lamp(0, 0, 5, -1)])
def test_lamps_that_are_none_are_refused(lamp: Lamp) -> None:
    with pytest.raises(ValueError, match="positive height"):
        illuminance_fc([lamp], [[0, 0]])
