"""Minutes by road: hand-reckoned on a grid, and beside networkx on random networks."""

import itertools

import networkx as nx
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from site_eval.solvers.travel import minutes_between, roads

SQUARE = [
    shapely.LineString([(0, 0), (1000, 0)]),
    shapely.LineString([(1000, 0), (1000, 1000)]),
    shapely.LineString([(0, 0), (0, 1000), (1000, 1000)]),
]


@pytest.mark.parametrize(
    ("starts", "place", "minutes"),
    [
        ([(0, 0)], (1000, 1000), 20.0),
        ([(500, 0)], (600, 0), 1.0),
        ([(500, 0)], (500, 1000), 20.0),
        ([(0, 0), (1000, 900)], (1000, 1000), 1.0),
        ([(500, 200)], (600, -100), 1.0),
    ],
)
def test_a_square_of_roads_at_100_metres_a_minute(starts, place, minutes) -> None:
    network = roads(SQUARE, speed_m_per_min=100)
    found = minutes_between(network, [shapely.Point(p) for p in starts], shapely.Point(place))
    assert found == pytest.approx(minutes)


def test_lines_that_cross_meet() -> None:
    cross = [shapely.LineString([(0, 0), (200, 0)]), shapely.LineString([(100, -100), (100, 100)])]
    network = roads(cross, speed_m_per_min=100)
    found = minutes_between(network, [shapely.Point(0, 0)], shapely.Point(100, 100))
    assert found == pytest.approx(2.0)


@pytest.mark.parametrize("place", [(5000, 5000), (3000, 0)], ids=["no road near", "no way there"])
def test_no_road_or_no_way_is_nothing(place) -> None:
    network = roads([*SQUARE, shapely.LineString([(2900, 0), (3100, 0)])], speed_m_per_min=100)
    assert minutes_between(network, [shapely.Point(0, 0)], shapely.Point(place)) is None


def test_no_roads_at_all() -> None:
    network = roads([], speed_m_per_min=100)
    assert minutes_between(network, [shapely.Point(0, 0)], shapely.Point(1, 1)) is None


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_as_networkx_on_random_grids(seed) -> None:
    random = np.random.default_rng(seed)
    points = list(itertools.product(range(5), range(5)))
    graph = nx.Graph()
    lines = []
    for (x, y), (dx, dy) in itertools.product(points, [(1, 0), (0, 1)]):
        if x + dx < 5 and y + dy < 5 and random.random() < 0.7:
            graph.add_edge((x, y), (x + dx, y + dy), weight=1.0)
            lines.append(shapely.LineString([(100 * x, 100 * y), (100 * (x + dx), 100 * (y + dy))]))
    network = roads(lines, speed_m_per_min=100)
    on_road = [p for p in points if p in graph]
    start, goal = on_road[0], on_road[-1]
    found = minutes_between(
        network, [shapely.Point(100 * start[0], 100 * start[1])],
        shapely.Point(100 * goal[0], 100 * goal[1]),
    )  # fmt: skip
    if nx.has_path(graph, start, goal):
        assert found == pytest.approx(nx.dijkstra_path_length(graph, start, goal))
    else:
        assert found is None
