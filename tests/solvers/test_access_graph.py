"""Networks of roads whose routes, bridges and dead ends are plain to see."""

import math

import pytest
import shapely

from site_eval.solvers.access_graph import (
    bridges,
    build,
    cut_off,
    disjoint_routes,
    narrower_than,
    reaches,
    remoteness,
    route,
    shared_edges,
    without,
)
from site_eval.solvers.centreline import centrelines
from site_eval.solvers.clearance import Way
from site_eval.solvers.dead_ends import dead_ends
from site_eval.units import metres

Line = shapely.LineString
Point = shapely.Point
W = metres(20)

# A ring road of 100 m a side, a spur north, a gate road west and one east.
RING = [
    Way(Line([(0, 0), (100, 0)]), W, "south"),
    Way(Line([(100, 0), (100, 100)]), W, "east"),
    Way(Line([(100, 100), (0, 100)]), W, "north"),
    Way(Line([(0, 100), (0, 0)]), W, "west"),
    Way(Line([(50, 100), (50, 160)]), metres(16), "spur"),
    Way(Line([(-40, 0), (0, 0)]), W, "west gate"),
    Way(Line([(100, 50), (140, 50)]), W, "east gate"),
]
WEST, EAST = Point(-40, 0), Point(140, 50)
STAGE = shapely.box(45, 150, 55, 170)
MEDICAL = Point(80, 3)
PLACES = {"stage": STAGE, "medical": MEDICAL}


@pytest.fixture(scope="module")
def network():
    return build(RING, places=[*PLACES.values(), WEST, EAST])


def names(network, numbers) -> list[str]:
    return sorted({network.edges[n].name for n in numbers})


def test_every_stretch_is_an_edge_with_its_length_and_width(network) -> None:
    total = sum(edge.length_m for edge in network.edges)
    assert total == pytest.approx(4 * 100 + 60 + 40 + 40)
    assert min(e.width_m for e in network.edges if e.name == "spur") == pytest.approx(metres(16))
    assert min(e.width_m for e in network.edges if e.name == "south") == pytest.approx(W, abs=0.01)


def test_distance_to_each_place(network) -> None:
    found = reaches(network, WEST, PLACES)
    assert found["medical"] == pytest.approx(40 + 80)
    assert found["stage"] == pytest.approx(40 + 100 + 50 + 50)


def test_a_place_off_the_network_is_not_reached(network) -> None:
    assert reaches(network, WEST, {"camp": Point(300, 300)}) == {"camp": None}


def test_a_gate_off_the_network_reaches_nothing(network) -> None:
    assert reaches(network, Point(-300, 0), PLACES) == {"stage": None, "medical": None}


def test_two_ways_round_the_ring_but_one_through_each_gate_road(network) -> None:
    assert len(disjoint_routes(network, Point(0, 0), Point(100, 50))) == 2
    assert len(disjoint_routes(network, WEST, EAST)) == 1


def test_bridges_are_the_spur_and_the_gate_roads(network) -> None:
    assert names(network, bridges(network)) == ["east gate", "spur", "west gate"]


def test_blocking_one_edge_cuts_off_what_only_it_leads_to(network) -> None:
    cut = cut_off(network, [WEST, EAST], PLACES)
    assert {(names(network, [n])[0], lost) for n, lost in cut.items()} == {("spur", ("stage",))}


def test_with_one_gate_its_own_road_cuts_off_everything(network) -> None:
    cut = cut_off(network, [WEST], PLACES)
    by_name = {names(network, [n])[0]: lost for n, lost in cut.items()}
    assert by_name["west gate"] == ("medical", "stage")


def test_the_spur_is_a_dead_end_and_gates_are_not(network) -> None:
    (end,) = dead_ends(network, longer_than_m=metres(150), gates=[WEST, EAST])
    assert end.length_m == pytest.approx(60)
    assert end.end.equals(Point(50, 160))
    assert names(network, end.edges) == ["spur"]


def test_forks_within_a_dead_end_do_not_shorten_it() -> None:
    """A stem of 60 m that forks into two stubs of 10 m leads in 70 m, told once."""
    ways = [*RING, Way(Line([(40, 160), (50, 160)]), W), Way(Line([(50, 160), (60, 160)]), W)]
    gates = [WEST, EAST]
    forked = build(ways, places=gates)
    (end,) = dead_ends(forked, longer_than_m=metres(150), gates=gates)
    assert end.length_m == pytest.approx(70)
    assert [spot.coords[0] for spot in end.spots][1] == (50, 160)
    assert dead_ends(forked, longer_than_m=75, gates=gates) == []


def test_long_stubs_off_one_dead_end_are_told_each() -> None:
    ways = [*RING, Way(Line([(-60, 160), (50, 160)]), W), Way(Line([(50, 160), (160, 160)]), W)]
    ends = dead_ends(build(ways, places=[WEST, EAST]), longer_than_m=50, gates=[WEST, EAST])
    assert [round(end.length_m) for end in ends] == [170, 170]


def test_a_way_without_gates_is_a_dead_end_from_its_middle() -> None:
    (alone,) = dead_ends(build([Way(Line([(0, 0), (200, 0)]), W)]), longer_than_m=50)
    assert alone.length_m == pytest.approx(200)


def test_narrow_edges_can_be_closed(network) -> None:
    narrow = narrower_than(network, W)
    assert names(network, narrow) == ["spur"]
    closed = without(network, narrow)
    assert reaches(closed, WEST, PLACES)["stage"] is None
    assert reaches(closed, WEST, PLACES)["medical"] is not None


def test_route_is_a_chain_of_edges(network) -> None:
    way = route(network, WEST, MEDICAL)
    assert [edge.name for edge in way] == ["west gate", "south"]
    assert sum(edge.length_m for edge in way) == pytest.approx(120)
    assert route(network, WEST, Point(500, 500)) is None


def test_two_gates_on_one_dead_end_road_share_the_way_out() -> None:
    """The county road ends beyond both gates: whatever leaves, leaves by its first stretch."""
    county = build(
        [
            Way(Line([(0, 0), (500, 0)]), W, "county road"),
            Way(Line([(0, -500), (0, 500)]), W, "highway"),
        ],
        places=[Point(300, 5), Point(450, 5), Point(0, 400)],
    )
    first, second, town = Point(300, 5), Point(450, 5), Point(0, 400)
    shared = shared_edges(county, first, second, town)
    lengths = sum(county.edges[n].length_m for n in shared if county.edges[n].name != "highway")
    assert lengths == pytest.approx(300)


def test_two_gates_on_two_roads_share_nothing() -> None:
    grid = build(
        [
            Way(Line([(0, 0), (500, 0)]), W),
            Way(Line([(500, 0), (500, 500)]), W),
            Way(Line([(500, 500), (0, 500)]), W),
            Way(Line([(0, 500), (0, 0)]), W),
        ],
        places=[Point(300, 5), Point(300, 495), Point(0, 250)],
    )
    assert shared_edges(grid, Point(300, 5), Point(300, 495), Point(0, 250)) == ()


def test_an_obstacle_narrows_the_edge_it_stands_beside() -> None:
    road = build([Way(Line([(0, 0), (100, 0)]), W)], obstacles=[shapely.box(50, metres(4), 52, 30)])
    assert road.edges[0].width_m == pytest.approx(metres(14), abs=0.01)


def test_an_end_drawn_at_the_kerb_joins_the_road() -> None:
    """A lane that stops at the other road's edge, not at its middle, is joined all the same."""
    joined = build(
        [
            Way(Line([(0, 0), (100, 0)]), W, "road"),
            Way(Line([(50, W / 2 + 0.4), (50, 80)]), W, "lane"),
        ],
        places=[Point(0, 0), Point(50, 80)],
    )
    assert reaches(joined, Point(0, 0), {"end": Point(50, 80)})["end"] == pytest.approx(130)


def test_roads_that_do_not_touch_stay_apart() -> None:
    apart = build([Way(Line([(0, 0), (100, 0)]), W), Way(Line([(0, 20), (100, 20)]), W)])
    assert reaches(apart, Point(0, 0), {"other": Point(100, 20)})["other"] is None


def test_remoteness_of_gates() -> None:
    """Half the diagonal of a 3 : 4 rectangle is half of 5."""
    area = shapely.box(0, 0, 300, 400)
    near = remoteness(Point(0, 0), Point(0, 200), area)
    far = remoteness(Point(0, 0), Point(0, 300), area)
    assert near.half_diagonal_m == pytest.approx(250)
    assert (near.ratio, far.ratio) == (pytest.approx(0.4), pytest.approx(0.6))


def test_middle_of_a_drawn_surface() -> None:
    (middle,) = centrelines(shapely.box(0, 0, 200, 6))
    assert middle.width_m == pytest.approx(6, abs=0.05)
    assert middle.line.length == pytest.approx(200, rel=0.01)
    assert {middle.line.coords[0][1], middle.line.coords[-1][1]} == {3.0}


def test_drawn_crossing_is_a_junction_of_four() -> None:
    cross = shapely.union_all([shapely.box(0, -3, 200, 3), shapely.box(97, -100, 103, 100)])
    network = build([Way(cross, name="yard")])
    assert len(network.edges) == 4
    assert [edge.width_m for edge in network.edges] == pytest.approx([6] * 4, abs=0.1)


def test_ring_drawn_as_a_surface_has_two_ways_round() -> None:
    ring = Point(0, 0).buffer(53, quad_segs=32).difference(Point(0, 0).buffer(47, quad_segs=32))
    network = build([Way(ring)], places=[Point(50, 0), Point(-50, 0)])
    assert len(disjoint_routes(network, Point(50, 0), Point(-50, 0))) == 2
    assert bridges(network) == ()
    assert sum(edge.length_m for edge in network.edges) == pytest.approx(100 * math.pi, rel=0.01)
