"""Driving times on roads whose lengths are plain."""

import itertools

import networkx as nx
import numpy as np
import pytest
import shapely

from site_eval.solvers.travel import MPH_M_PER_MIN, minutes_between, rand_minutes, road_graph
from site_eval.units import MILE_FT, metres

Line = shapely.LineString
Point = shapely.Point
MILE = metres(MILE_FT)


def minutes(graph, start, place) -> float | None:
    return minutes_between(graph, [start], [place])[0].minutes


def test_a_mile_at_thirty_takes_two_minutes() -> None:
    graph = road_graph([Line([(0, 0), (MILE, 0)])], [30])
    assert minutes(graph, Point(0, 0), Point(MILE, 0)) == pytest.approx(2)


def test_places_between_vertices_are_reached_part_way() -> None:
    graph = road_graph([Line([(0, 0), (MILE / 2, 0), (2 * MILE, 0)])], [30])
    assert minutes(graph, Point(0, 0), Point(0.75 * MILE, 20)) == pytest.approx(1.5)


def test_start_and_place_on_one_stretch() -> None:
    """Between the same two vertices the way does not lead by either of them."""
    graph = road_graph([Line([(0, 0), (2 * MILE, 0)])], [30])
    assert minutes(graph, Point(0.5 * MILE, 0), Point(MILE, 0)) == pytest.approx(1)


def test_the_faster_way_round_is_taken() -> None:
    slow = Line([(0, 0), (MILE, 0)])
    fast = Line([(0, 0), (0, MILE / 2), (MILE, MILE / 2), (MILE, 0)])
    graph = road_graph([slow, fast], [15, 60])
    assert minutes(graph, Point(0, 0), Point(MILE, 0)) == pytest.approx(2)


def test_two_roads_between_the_same_vertices_do_not_add_up() -> None:
    road = Line([(0, 0), (MILE, 0)])
    graph = road_graph([road, road], [30, 60])
    assert minutes(graph, Point(0, 0), Point(0.9999 * MILE, 0)) <= 2
    apart = [Line([(0, 0), (-MILE, 0)]), road, road, Line([(MILE, 0), (2 * MILE, 0)])]
    between = road_graph(apart, [60, 30, 60, 60])
    assert minutes(between, Point(-MILE, 0), Point(2 * MILE, 0)) == pytest.approx(3)


def test_one_way_roads_are_not_driven_against() -> None:
    road = Line([(0, 0), (MILE / 2, 0), (MILE, 0)])
    there, back = Point(0, 0), Point(MILE, 0)
    forward = road_graph([road], [30], oneway=["FT"])
    assert minutes(forward, there, back) == pytest.approx(2)
    assert minutes(forward, back, there) is None
    against = road_graph([road], [30], oneway=["TF"])
    assert minutes(against, back, there) == pytest.approx(2)
    assert minutes(against, there, back) is None


def test_a_loop_of_one_way_roads_is_driven_round() -> None:
    """From the east end back to the west one must go round three sides."""
    corners = [(0, 0), (MILE, 0), (MILE, MILE), (0, MILE), (0, 0)]
    sides = [Line([a, b]) for a, b in itertools.pairwise(corners)]
    loop = road_graph(sides, [60] * 4, oneway=["FT"] * 4)
    start, place = Point(0.75 * MILE, 0), Point(0.25 * MILE, 0)
    assert minutes(loop, start, place) == pytest.approx(3.5)
    assert minutes(loop, place, start) == pytest.approx(0.5)


def test_lines_that_only_cross_do_not_meet() -> None:
    graph = road_graph([Line([(-MILE, 0), (MILE, 0)]), Line([(0, -MILE), (0, MILE)])], [30, 30])
    assert minutes(graph, Point(-MILE, 0), Point(0, MILE)) is None


def test_nearest_station_by_time_is_named() -> None:
    graph = road_graph([Line([(0, 0), (MILE, 0), (4 * MILE, 0)])], [60])
    (found,) = minutes_between(graph, [Point(0, 0), Point(4 * MILE, 0)], [Point(1.5 * MILE, 10)])
    assert (found.start, found.minutes) == (0, pytest.approx(1.5))
    assert found.off_road_m == pytest.approx(10)


def test_far_from_any_road_is_not_reached() -> None:
    graph = road_graph([Line([(0, 0), (MILE, 0)])], [30])
    (found,) = minutes_between(graph, [Point(0, 0)], [Point(0, 900)])
    assert (found.minutes, found.off_road_m) == (None, pytest.approx(900))
    assert minutes(graph, Point(0, 900), Point(MILE, 0)) is None


def test_unknown_speed_is_slow() -> None:
    graph = road_graph([Line([(0, 0), (25 * MPH_M_PER_MIN, 0)])], [np.nan])
    assert minutes(graph, Point(0, 0), Point(25 * MPH_M_PER_MIN, 0)) == pytest.approx(1)


def test_agrees_with_networkx_on_a_grid() -> None:
    """An independent shortest path, on a grid of 12 by 12 with random speeds."""
    rng = np.random.default_rng(3)
    graph = nx.grid_2d_graph(12, 12)
    speeds = {edge: float(rng.uniform(15, 60)) for edge in graph.edges}
    for (a, b), mph in speeds.items():
        graph.edges[a, b]["weight"] = 200 / (mph * MPH_M_PER_MIN)
    lines = [Line([np.array(a) * 200.0, np.array(b) * 200.0]) for a, b in speeds]
    roads = road_graph(lines, list(speeds.values()))
    places = [tuple(int(n) for n in xy) for xy in rng.integers(0, 12, (20, 2))]
    found = minutes_between(roads, [Point(0, 0)], [Point(x * 200, y * 200) for x, y in places])
    for place, reach in zip(places, found, strict=True):
        expected = nx.shortest_path_length(graph, (0, 0), place, weight="weight")
        assert reach.minutes == pytest.approx(expected, abs=1e-6)


def test_rand_formula() -> None:
    assert rand_minutes(5) == pytest.approx(9.15)


def test_no_roads_are_refused() -> None:
    with pytest.raises(ValueError, match="no line"):
        road_graph([])
