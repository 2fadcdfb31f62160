"""Ways off a site: two gates are two ways out only when no one block closes both."""

import pytest
import shapely

from site_eval.solvers.leaving import leaving

Line, Point = shapely.LineString, shapely.Point
WITHIN = Point(0, 0).buffer(2_000)
# A highway through the ground, and a county road that ends beyond both gates.
HIGHWAY = Line([(0, -3_000), (0, 0), (0, 3_000)])
DEAD_END = Line([(0, 0), (700, 0), (1_400, 0)])
LOOP = Line([(1_400, 0), (1_400, 1_500), (3_000, 1_500)])


def test_two_gates_on_one_dead_end_road_are_one_way_out() -> None:
    found = leaving([HIGHWAY, DEAD_END], [Point(600, 8), Point(1_300, 8)], WITHIN)
    assert found.independent == 1
    assert sum(line.length for line in found.shared) == pytest.approx(600)
    assert all(route is not None for route in found.routes)


def test_a_road_that_goes_on_gives_the_second_gate_its_own_way() -> None:
    found = leaving([HIGHWAY, DEAD_END, LOOP], [Point(600, 8), Point(1_300, 8)], WITHIN)
    assert (found.independent, found.shared) == (2, ())


def test_one_gate_on_a_through_road_is_one_way_out() -> None:
    found = leaving([HIGHWAY], [Point(10, 100)], WITHIN)
    assert found.independent == 1
    assert found.shared == ()
    # To the edge of the ground by the shorter way, and on to the road's next vertex.
    assert found.routes[0].length == pytest.approx(2_900)


def test_a_gate_off_every_road_and_a_road_to_nowhere_have_no_way_out() -> None:
    apart = Line([(500, 500), (900, 500)])
    found = leaving([HIGHWAY, apart], [Point(1_500, -900), Point(700, 510)], WITHIN)
    assert (found.independent, found.routes, found.shared) == (0, (None, None), ())
    assert leaving([], [Point(0, 0)], WITHIN).independent == 0


def test_roads_that_only_cross_are_not_joined() -> None:
    bridge = Line([(-500, 100), (1_400, 100)])
    assert leaving([HIGHWAY, bridge], [Point(1_000, 100)], WITHIN).independent == 0


def test_two_roads_between_the_same_places_are_two_ways() -> None:
    north = Line([(0, 0), (500, 300), (1_000, 0)])
    south = Line([(0, 0), (500, -300), (1_000, 0)])
    out = [Line([(0, 0), (-2_500, 100)]), Line([(0, 0), (-2_500, -100)])]
    found = leaving([north, south, *out], [Point(998, 0), Point(1_000, 5)], WITHIN)
    assert found.independent == 2
