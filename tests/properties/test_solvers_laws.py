"""Laws that the solvers keep on any input."""

import itertools

import networkx as nx
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity

from site_eval.solvers.access_graph import bridges, build, disjoint_routes, without
from site_eval.solvers.clearance import Way, bottleneck, surface
from site_eval.solvers.egress import egress, queue
from site_eval.solvers.illuminance import Lamp, illuminance_fc
from site_eval.solvers.overlap import classify, overlap
from site_eval.solvers.sound import Source, levels

SIZES = st.floats(2.0, 20.0)


@settings(max_examples=30, deadline=None)
@given(widths=st.lists(SIZES, min_size=2, max_size=5), turn_deg=st.floats(0, 180))
def test_a_chain_of_yards_is_as_wide_as_its_narrowest(widths: list[float], turn_deg: float) -> None:
    """Rectangles 40 m long, one behind the other along one middle line, turned any way."""
    yards = [shapely.box(40 * n, -w / 2, 40 * (n + 1), w / 2) for n, w in enumerate(widths)]
    free = surface([Way(affinity.rotate(yard, turn_deg, origin=(0, 0))) for yard in yards])
    ends = [shapely.Point(0, 0), shapely.Point(40 * len(widths), 0)]
    a, b = (affinity.rotate(end, turn_deg, origin=(0, 0)) for end in ends)
    found = bottleneck(free, a, b).width_m
    assert found == pytest.approx(min(widths), abs=0.03)
    assert bottleneck(free, b, a).width_m == pytest.approx(found, abs=0.01)


@settings(max_examples=25, deadline=None)
@given(x=st.floats(10, 90), y=st.floats(-6, 6), radius=st.floats(0.2, 4), width=st.floats(4, 12))
def test_an_obstacle_never_widens_a_road(x: float, y: float, radius: float, width: float) -> None:
    """What is left beside a round post is known: the wider of the two sides."""
    post = shapely.Point(x, y).buffer(radius, quad_segs=32)
    free = surface([Way(shapely.LineString([(-20, 0), (120, 0)]), width)], [post])
    found = bottleneck(free, shapely.Point(-20, 0), shapely.Point(120, 0)).width_m
    beside = max(width / 2 - (y + radius), (y - radius) + width / 2)
    expected = width if abs(y) >= width / 2 + radius else min(width, max(0.0, beside))
    assert found == pytest.approx(expected, abs=0.03)


@st.composite
def road_grids(draw) -> list[Way]:
    """Some of the 24 stretches of a 4 by 4 grid of junctions 50 m apart."""
    every = [
        ((x, y), (x + dx, y + dy))
        for x, y in itertools.product(range(4), range(4))
        for dx, dy in ((1, 0), (0, 1))
        if x + dx < 4 and y + dy < 4
    ]
    kept = draw(st.lists(st.sampled_from(every), min_size=1, max_size=24, unique=True))
    return [Way(shapely.LineString(np.array(pair) * 50.0), 6.0) for pair in kept]


@settings(max_examples=25, deadline=None)
@given(ways=road_grids())
def test_bridges_and_routes_agree_with_their_meaning(ways: list[Way]) -> None:
    network = build(ways)
    parts = nx.number_connected_components(network.graph)
    for edge in network.edges:
        left = without(network, [edge.number]).graph
        parted = nx.number_connected_components(left) > parts
        assert parted == (edge.number in bridges(network))
    nodes = sorted(network.graph.nodes)
    first, last = nodes[0], nodes[-1]
    routes = disjoint_routes(network, shapely.Point(first), shapely.Point(last))
    if first != last:
        simple = nx.Graph(network.graph)
        joined = nx.has_path(simple, first, last)
        assert len(routes) == (nx.edge_connectivity(simple, first, last) if joined else 0)
    steps = [frozenset(p) for path in routes for p in itertools.pairwise(path)]
    assert len(steps) == len(set(steps))


@settings(max_examples=30, deadline=None)
@given(
    east=st.floats(-300, 300),
    north=st.floats(-300, 300),
    turn_deg=st.floats(0, 360),
    uncertainty_m=st.floats(0, 40),
)
def test_place_and_direction_of_the_map_do_not_matter(
    east: float, north: float, turn_deg: float, uncertainty_m: float
) -> None:
    area = shapely.Polygon([(0, 0), (200, 20), (180, 160), (90, 90), (-10, 140)])
    site = affinity.translate(shapely.box(0, 0, 60, 40), east, north)
    (m,) = overlap(site, [area])
    close = [m.distance_m, m.clearance_m, m.sticks_out_m, m.reaches_in_m]
    if any(abs(value - uncertainty_m) < 2.5 for value in close):
        return
    moved = [affinity.translate(affinity.rotate(g, turn_deg, origin=(0, 0)), 5e5, 4e6)
             for g in (site, area)]  # fmt: skip
    assert classify(*moved, uncertainty_m) == classify(site, area, uncertainty_m)


@given(
    arrivals=st.lists(st.floats(0, 500), min_size=1, max_size=24),
    lanes=st.integers(1, 4),
    rate=st.floats(100, 500),
)
def test_a_queue_loses_no_vehicle(arrivals: list[float], lanes: int, rate: float) -> None:
    found = queue(arrivals, interval_minutes=15, lanes=lanes, lane_vehicles_per_h=rate)
    more = queue(arrivals, interval_minutes=15, lanes=lanes + 1, lane_vehicles_per_h=rate)
    assert 0 <= more.longest_vehicles <= found.longest_vehicles <= sum(arrivals) + 1e-6
    served = found.empty_minute * lanes * rate / 60
    assert served >= sum(arrivals) - 1e-6


@given(widths=st.lists(st.floats(0.5, 12), max_size=8), extra=st.floats(1.05, 12))
def test_an_exit_more_never_hurts(widths: list[float], extra: float) -> None:
    assert egress([*widths, extra]).width_m >= egress(widths).width_m - 1e-9


@settings(max_examples=40, deadline=None)
@given(level=st.floats(60, 130), reference_m=st.floats(1, 60), step=st.floats(1.01, 3))
def test_sound_falls_with_distance_and_at_least_as_the_sphere(
    level: float, reference_m: float, step: float
) -> None:
    at = [[2 * reference_m * step**n, 0] for n in range(5)]
    found = levels([Source(0, 0, level, reference_m)], at)
    values = [one.dba for one in found]
    assert values == sorted(values, reverse=True)
    assert all(one.dba <= one.spherical_dba + 1e-6 for one in found)


@settings(max_examples=40, deadline=None)
@given(
    height_m=st.floats(2, 20),
    lumens=st.floats(1e3, 2e5),
    x=st.floats(-50, 50),
    y=st.floats(-50, 50),
)
def test_a_lamp_is_brightest_below_itself(
    height_m: float, lumens: float, x: float, y: float
) -> None:
    lamp = Lamp(0, 0, height_m, lumens)
    below, there = illuminance_fc([lamp], [[0, 0], [x, y]])
    assert there <= below
    assert illuminance_fc([Lamp(0, 0, height_m, 2 * lumens)], [[x, y]])[0] == pytest.approx(
        2 * there
    )
