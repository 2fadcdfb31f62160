"""Clear widths of drivable surfaces: known pinches, and drawings that are not exact."""

import math

import pytest
import shapely

from site_eval.solvers.clearance import (
    Way,
    beyond_reach,
    bottleneck,
    surface,
    turnaround,
    turns,
)
from site_eval.units import feet, metres

Line = shapely.LineString
Point = shapely.Point


def lane(*points: tuple[float, float], width_ft: float = 20) -> Way:
    return Way(Line(points), metres(width_ft))


def width_ft(free, a: tuple[float, float], b: tuple[float, float]) -> float:
    return feet(bottleneck(free, Point(a), Point(b)).width_m)


def test_a_lane_is_as_wide_as_it_is() -> None:
    free = surface([lane((0, 0), (100, 0))])
    assert width_ft(free, (0, 0), (100, 0)) == pytest.approx(20, abs=0.01)


def test_a_twenty_foot_lane_is_not_short_of_twenty_feet() -> None:
    free = surface([lane((0, 0), (37, 12), (90, 12))])
    assert bottleneck(free, Point(0, 0), Point(90, 12)).width_m >= metres(20) - 0.001


def test_an_obstacle_leaves_sixteen_feet_and_the_place_is_drawn() -> None:
    free = surface([lane((0, 0), (100, 0))], [shapely.box(50, metres(6), 52, 30)])
    found = bottleneck(free, Point(0, 0), Point(100, 0))
    assert feet(found.width_m) == pytest.approx(16, abs=0.01)
    assert found.pinch is not None
    assert found.pinch.length == pytest.approx(metres(16), abs=0.05)
    assert found.pinch.distance(Point(51, 0)) < 1.1


def test_the_narrowest_of_three_pinches_is_drawn() -> None:
    posts = [shapely.box(x, metres(10 - cut), x + 1, 30) for x, cut in ((20, 3), (50, 6), (80, 4))]
    free = surface([lane((0, 0), (100, 0))], posts)
    found = bottleneck(free, Point(0, 0), Point(100, 0))
    assert feet(found.width_m) == pytest.approx(14, abs=0.01)
    assert found.pinch.distance(Point(50.5, 0)) < 1.1


def test_a_wide_detour_beats_a_narrow_short_cut() -> None:
    free = surface(
        [
            lane((0, 0), (100, 0), width_ft=12),
            lane((0, 0), (0, 60), (100, 60), (100, 0), width_ft=24),
        ]
    )
    assert width_ft(free, (0, 0), (100, 0)) == pytest.approx(24, abs=0.02)


def test_ends_drawn_half_beside_each_other_are_one_road() -> None:
    """Trap: two 20-ft roads whose ends only half overlap read 9.99 ft."""
    free = surface([lane((0, 0), (50, 0)), lane((50, metres(10)), (100, metres(10)))])
    assert width_ft(free, (0, 0), (100, metres(10))) == pytest.approx(20, abs=0.01)


def test_a_corner_of_two_roads_is_as_wide_as_they_are() -> None:
    free = surface([lane((0, 0), (50, 0)), lane((50, 0), (50, 80))])
    assert width_ft(free, (0, 0), (50, 80)) == pytest.approx(20, abs=0.01)


def test_a_slip_of_the_pen_is_closed_and_a_gap_is_not() -> None:
    near = surface([lane((0, 0), (50, 0)), lane((50.8, 0), (100, 0))])
    assert width_ft(near, (0, 0), (100, 0)) == pytest.approx(20, abs=0.01)
    apart = surface([lane((0, 0), (50, 0)), lane((53, 0), (100, 0))])
    found = bottleneck(apart, Point(0, 0), Point(100, 0))
    assert found.width_m == 0
    assert found.pinch.length == pytest.approx(3)


def test_a_narrow_gate_across_a_road_is_found() -> None:
    """Fences left and right of a 14-ft gate in a 30-ft surface."""
    wide = Way(shapely.box(0, 0, 100, metres(30)))
    fences = [
        shapely.box(60, 0, 60.1, metres(8)),
        shapely.box(60, metres(22), 60.1, metres(30)),
    ]
    free = surface([wide], fences)
    assert width_ft(free, (0, 5), (100, 5)) == pytest.approx(14, abs=0.02)


def test_a_place_off_the_surface_is_not_reached() -> None:
    free = surface([lane((0, 0), (100, 0))])
    assert bottleneck(free, Point(0, 0), Point(100, 50)).width_m == 0


def test_a_centreline_without_width_is_refused() -> None:
    with pytest.raises(ValueError, match="no positive width"):
        surface([Way(Line([(0, 0), (1, 0)]), name="lane 3")])


def test_ground_beyond_the_hose_is_left() -> None:
    free = surface([lane((0, 0), (100, 0))])
    near, far = beyond_reach(
        [shapely.box(40, 10, 60, 40), shapely.box(40, 10, 60, 100)], free, metres(150)
    )
    assert near.is_empty
    edge = metres(10) + metres(150)
    assert far.area == pytest.approx(20 * (100 - edge), rel=0.001)


def test_a_sharp_bend_needs_a_wide_road() -> None:
    bend = [(0, 0), (50, 0), (50, 50)]
    narrow = turns(Line(bend), surface([lane(*bend, width_ft=20)]))
    wide = turns(Line(bend), surface([lane(*bend, width_ft=45)]))
    assert [(t.fits, round(t.deflection_deg)) for t in narrow] == [(False, 90)]
    assert [(t.fits, round(t.deflection_deg)) for t in wide] == [(True, 90)]
    assert narrow[0].at.distance(Point(50, 0)) == 0


def test_swept_ring_has_the_area_of_a_ring() -> None:
    """Nothing drivable: all of the quarter ring between 30 and 50 ft is missing."""
    (turn,) = turns(Line([(0, 0), (50, 0), (50, 50)]), shapely.box(900, 900, 901, 901))
    ring = math.pi / 4 * (metres(50) ** 2 - metres(30) ** 2)
    assert turn.missing_m2 == pytest.approx(ring, rel=0.01)


def test_turnarounds_at_a_dead_end() -> None:
    """IFC Appendix D: a cul-de-sac of 96 ft across, or a hammerhead with arms of 60 ft."""
    stem = lane((0, 0), (100, 0))
    bulb = Way(Point(100, 0).buffer(metres(48), quad_segs=64))
    arms = lane((100, -metres(60)), (100, metres(60)))
    end = Point(100, 0)
    none = turnaround(end, surface([stem]))
    assert feet(none.circle_m) == pytest.approx(20, abs=0.5)
    assert not none.hammerhead
    round_end = turnaround(end, surface([stem, bulb]))
    assert feet(round_end.circle_m) == pytest.approx(96, abs=0.5)
    assert turnaround(end, surface([stem, arms])).hammerhead
    short = lane((100, -metres(50)), (100, metres(50)))
    assert not turnaround(end, surface([stem, short])).hammerhead
