"""Where a site lies to an area, and when the data cannot tell."""

import numpy as np
import pytest
import shapely

from site_eval.solvers.overlap import classify, classify_measures, overlap

CITY = shapely.box(0, 0, 1000, 1000)


def site(west: float, east: float) -> shapely.Polygon:
    return shapely.box(west, 100, east, 200)


@pytest.mark.parametrize(
    ("west", "east", "uncertainty_m", "expected"),
    [
        (100, 200, 10, "inside"),
        (11, 200, 10, "inside"),
        (5, 200, 10, "too-close"),
        (-20, 200, 10, "partly"),
        (-9, 200, 10, "too-close"),
        (-200, 9, 10, "too-close"),
        (-200, 30, 10, "partly"),
        (-200, 0, 10, "too-close"),
        (-200, -9, 10, "too-close"),
        (-200, -11, 10, "outside"),
        (0, 200, 0, "inside"),
        (-1, 200, 0, "partly"),
        (-200, -1, 0, "outside"),
    ],
)
def test_site_against_a_city(west: float, east: float, uncertainty_m: float, expected: str) -> None:
    assert classify(site(west, east), CITY, uncertainty_m) == expected


def test_measures_of_a_site_that_sticks_out() -> None:
    (m,) = overlap(site(-30, 70), [CITY])
    assert (m.area_m2, m.share) == (7000, 0.7)
    assert m.distance_m == m.clearance_m == 0
    assert m.sticks_out_m == pytest.approx(30)
    assert m.reaches_in_m == pytest.approx(70)


def test_a_hole_in_the_city_is_outside_it() -> None:
    island = CITY.difference(shapely.box(400, 400, 600, 600))
    assert classify(shapely.box(450, 450, 550, 550), island, 20) == "outside"
    assert classify(shapely.box(410, 410, 550, 550), island, 20) == "too-close"


def test_the_widest_place_counts_where_no_corner_shows_it() -> None:
    """A site around a hole of the city: no corner of it lies deep in the hole, its middle does."""
    ring = CITY.difference(shapely.Point(500, 500).buffer(100))
    (m,) = overlap(shapely.box(300, 300, 700, 700), [ring])
    assert m.sticks_out_m == pytest.approx(100, abs=2)


def test_arrays_are_judged_like_single_sites() -> None:
    sites = [site(w, e) for w, e in ((100, 200), (-20, 200), (-200, -11), (5, 200))]
    measured = [overlap(s, [CITY])[0] for s in sites]
    columns = [
        np.array([getattr(m, name) for m in measured])
        for name in ("distance_m", "clearance_m", "sticks_out_m", "reaches_in_m")
    ]
    found = classify_measures(*columns, 10.0)
    assert found.tolist() == [classify(s, CITY, 10.0) for s in sites]


def test_a_site_without_area_is_refused() -> None:
    with pytest.raises(ValueError, match="no area"):
        overlap(shapely.Point(0, 0), [CITY])
