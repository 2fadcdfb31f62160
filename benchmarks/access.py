"""How exact and how fast lanes, routes and reach are measured, beside independent calculations.

    python benchmarks/access.py             all figures
    python benchmarks/access.py --lots 20   fewer random sites

Each random site has a ring road, cross roads, spurs and gates of known widths, drawn as a person
draws them: ends stop short of or run over the road they meet. Trees stand in and beside the lanes.
Nothing of the solvers is used by the calculations beside them: widths come from a distance
transform of a 0.1-m raster, what is cut off from taking out each stretch in turn, the number of
routes from a maximum flow, driving times from networkx.
"""

from __future__ import annotations

import argparse
import itertools
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import scipy
import shapely
from scipy import ndimage
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import maximum_flow

from site_eval.solvers import access_graph as access
from site_eval.solvers.clearance import Way, beyond_reach, bottleneck, surface
from site_eval.solvers.travel import minutes_between, road_graph
from site_eval.units import ACRE_M2, feet, metres

CELL_M = 0.1
SIDE_M = 120.0


@dataclass(frozen=True)
class Site:
    """Ways, trees and two gates, and each way's declared width."""

    ways: list[Way]
    trees: list[shapely.Polygon]
    gates: tuple[shapely.Point, shapely.Point]


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result and the seconds of processor time."""
    start = time.process_time()
    return work(), time.process_time() - start


def random_site(number: int) -> Site:
    """Site *number*: a square ring of 120 m, some cross roads, two gate roads, 0 to 24 trees."""
    rng = np.random.default_rng(70_000 + number)
    half = SIDE_M / 2
    ring = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)]
    lines = [(pair, float(rng.uniform(12, 30))) for pair in itertools.pairwise(ring)]
    for at in rng.uniform(-40, 40, int(rng.integers(0, 4))):
        # Ends stop short of the road's middle, or run over it, by up to 2 m.
        a, b = -half + rng.uniform(-2, 2), half + rng.uniform(-2, 2)
        across = ((at, a), (at, b)) if rng.random() < 0.5 else ((a, at), (b, at))
        lines.append((across, float(rng.uniform(12, 30))))
    west, east = float(rng.uniform(-50, 50)), float(rng.uniform(-50, 50))
    lines.append((((-half - 40, west), (-half, west)), float(rng.uniform(14, 30))))
    lines.append((((half, east), (half + 40, east)), float(rng.uniform(14, 30))))
    ways = [
        Way(shapely.LineString(xy), metres(width), f"way {n}")
        for n, (xy, width) in enumerate(lines)
    ]
    trees = []
    for way in rng.choice(len(ways), int(rng.integers(0, 25))):
        on = ways[way].geometry.interpolate(float(rng.uniform(0.35, 0.65)), normalized=True)
        aside = rng.uniform(-5, 5, 2)
        radius = float(rng.uniform(0.3, 1.5))
        trees.append(shapely.Point(on.x + aside[0], on.y + aside[1]).buffer(radius, quad_segs=16))
    return Site(ways, trees, (shapely.Point(-half - 40, west), shapely.Point(half + 40, east)))


def raster_width_m(site: Site) -> float:
    """The widest way between the gates by a distance transform and a merging of cells.

    A cell is drivable when its middle lies within half a width of a centreline and in no tree.
    """
    reach = SIDE_M / 2 + 45
    steps = np.arange(-reach, reach, CELL_M) + CELL_M / 2
    x, y = np.meshgrid(steps, steps)
    drivable = np.zeros(x.shape, dtype=bool)
    for way in site.ways:
        (ax, ay), (bx, by) = way.geometry.coords
        length = np.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        along, aside = (x - ax) * ux + (y - ay) * uy, np.abs((y - ay) * ux - (x - ax) * uy)
        # Half a width is added at an end that meets another way: the corner of two roads is road.
        slack = 0.0 if abs(ax) > SIDE_M / 2 + 3 or abs(bx) > SIDE_M / 2 + 3 else way.width_m / 2
        drivable |= (aside <= way.width_m / 2) & (along >= -slack) & (along <= length + slack)
    for tree in site.trees:
        centre, radius = tree.centroid, np.sqrt(tree.area / np.pi)
        drivable &= np.hypot(x - centre.x, y - centre.y) > radius
    padded = np.pad(drivable, 1)
    half = ndimage.distance_transform_edt(padded, sampling=CELL_M)[1:-1, 1:-1]
    return 2 * _widest(half, [_cell(gate, reach) for gate in site.gates])


def _cell(gate: shapely.Point, reach: float) -> tuple[int, int]:
    """A cell just inside the site from a gate; the lane's end itself would be its edge."""
    inward = -np.sign(gate.x) * 5.0
    return int((gate.y + reach) / CELL_M), int((gate.x + inward + reach) / CELL_M)


def _widest(half: np.ndarray, ends: list[tuple[int, int]]) -> float:
    """The greatest threshold at which both ends lie in one component, by bisection."""
    low, high = 0.0, float(half.max())
    while high - low > CELL_M / 20:
        middle = (low + high) / 2
        labels, _ = ndimage.label(half > middle, structure=np.ones((3, 3)))
        near = [set(np.unique(labels[r - 4 : r + 5, c - 4 : c + 5])) - {0} for r, c in ends]
        low, high = (middle, high) if near[0] & near[1] else (low, middle)
    return low


def widths(count: int) -> None:
    """Clear width between the gates, beside the raster and beside what the plan declares."""
    errors, over, seconds = [], [], 0.0
    for number in range(count):
        site = random_site(number)
        ground = surface(site.ways, site.trees)
        found, took = timed(lambda g=ground, s=site: bottleneck(g, *s.gates))
        seconds += took
        errors.append(found.width_m - raster_width_m(site))
        network = access.build(site.ways, places=site.gates)
        route = access.route(network, *site.gates) or ()
        declared = min((edge.width_m for edge in route), default=0.0)
        over.append(feet(declared - found.width_m))
    off = np.abs(errors)
    print(
        f"clear width, {count} sites: from a raster of {CELL_M} m it differs by {np.median(off):.2f}"
        f" m in the median, {np.quantile(off, 0.95):.2f} m at 95 %, {off.max():.2f} m at most "
        f"(a raster reads up to {2 * CELL_M * 2**0.5:.2f} m off); {1000 * seconds / count:.0f} ms a "
        "site"
    )
    wrong = np.array(over) > 0.5
    mean = np.array(over)[wrong].mean() if wrong.any() else 0.0
    print(
        f"    beside it, the least width declared along the shortest way: too wide by more than "
        f"half a foot on {wrong.sum()} of {count} sites, by {mean:.1f} ft in the mean there"
    )


def pinches() -> None:
    """Pinches of known width at any angle."""
    errors = []
    rng = np.random.default_rng(2)
    for _ in range(40):
        width, left = float(rng.uniform(14, 40)), float(rng.uniform(6, 14))
        post = shapely.box(50, metres(left - width / 2), 52, 40)
        road = Way(shapely.LineString([(0, 0), (100, 0)]), metres(width))
        turn = float(rng.uniform(0, 180))
        free = shapely.affinity.rotate(surface([road], [post]), turn, origin=(0, 0))
        ends = [shapely.affinity.rotate(shapely.Point(x, 0), turn, origin=(0, 0)) for x in (0, 100)]
        errors.append(feet(bottleneck(free, *ends).width_m) - min(width, left))
    print(
        f"clear width, 40 pinches of known 6 to 14 ft: error {min(errors):+.3f} to "
        f"{max(errors):+.3f} ft"
    )


def failures(count: int) -> None:
    """Single points of failure and independent routes, beside taking each stretch out in turn."""
    cuts = routes = missed = 0
    seconds = 0.0
    for number in range(count):
        site = random_site(number)
        places = {"hub": shapely.Point(0, SIDE_M / 2)}
        network = access.build(site.ways, places=[*site.gates, *places.values()])
        lost, took = timed(lambda n=network, s=site, p=places: access.cut_off(n, s.gates, p))
        disjoint, more = timed(lambda n=network, s=site: access.disjoint_routes(n, *s.gates))
        seconds += took + more
        cuts += set(lost) == _by_removal(network, site, places)
        routes += len(disjoint) == _by_flow(network, site)
        missed += not _as_drawn(site)
    print(
        f"what each lost stretch cuts off: {cuts} of {count} sites as by taking it out; number of "
        f"independent routes: {routes} of {count} as by maximum flow; {1000 * seconds / count:.0f} "
        "ms a site"
    )
    print(
        f"    beside it, lines joined only where their drawn ends are one point: no way between "
        f"the gates on {missed} of {count} sites, where there is one on each"
    )


def _by_removal(network: access.Network, site: Site, places: dict[str, shapely.Point]) -> set[int]:
    starts = [network.node_at(gate) for gate in site.gates]
    goal = network.node_at(places["hub"])
    found = set()
    for u, v, key in list(network.graph.edges(keys=True)):
        graph = network.graph.copy()
        graph.remove_edge(u, v, key)
        if not any(start and goal and nx.has_path(graph, start, goal) for start in starts):
            found.add(key)
    return found


def _by_flow(network: access.Network, site: Site) -> int:
    """Maximum flow with a capacity of one each way on every stretch, parallel ones summed."""
    index = {node: n for n, node in enumerate(network.graph.nodes)}
    ends = np.array([(index[u], index[v]) for u, v in network.graph.edges()])
    both = np.vstack([ends, ends[:, ::-1]])
    size = len(index)
    ones = np.ones(len(both), dtype=np.int32)
    capacity = csr_array(coo_array((ones, both.T), shape=(size, size)), dtype=np.int32)
    capacity.sum_duplicates()
    a, b = (index[network.node_at(gate)] for gate in site.gates)
    return int(maximum_flow(capacity, a, b).flow_value)


def _as_drawn(site: Site) -> bool:
    graph: nx.Graph[Any] = nx.Graph()
    for way in site.ways:
        first, last = way.geometry.coords
        graph.add_edge(tuple(np.round(first, 2)), tuple(np.round(last, 2)))
    a, b = (tuple(np.round(gate.coords[0], 2)) for gate in site.gates)
    return bool(nx.has_path(graph, a, b))


def reach(count: int) -> None:
    """Ground beyond 150 ft of a route, beside a count of points a metre apart."""
    errors = []
    for number in range(count):
        site = random_site(number)
        ground = surface(site.ways, site.trees)
        area = shapely.box(-SIDE_M, -SIDE_M, SIDE_M, SIDE_M)
        beyond = beyond_reach([area], ground, metres(150))[0].area
        steps = np.arange(-SIDE_M, SIDE_M) + 0.5
        x, y = np.meshgrid(steps, steps)
        shapely.prepare(ground)
        counted = float((shapely.distance(ground, shapely.points(x, y)) > metres(150)).sum())
        errors.append(abs(beyond - counted) / area.area)
    print(
        f"ground beyond 150 ft of a route, {count} sites of {4 * SIDE_M**2 / ACRE_M2:.0f} acres: "
        f"from a count of points a metre apart {100 * max(errors):.3f} % of the ground at most"
    )


def large_network() -> None:
    """Time on a network of 1,300 stretches."""
    lines = [((x, y), (x + dx, y + dy)) for x in range(26) for y in range(26)
             for dx, dy in ((1, 0), (0, 1)) if x + dx < 26 and y + dy < 26]  # fmt: skip
    ways = [Way(shapely.LineString(np.array(pair) * 60.0), 6.1) for pair in lines]
    network, build_s = timed(lambda: access.build(ways))
    _, bridge_s = timed(lambda: access.bridges(network))
    a, b = shapely.Point(0, 0), shapely.Point(1500, 1500)
    routes, route_s = timed(lambda: access.disjoint_routes(network, a, b))
    narrow, narrow_s = timed(lambda: bottleneck(network.free, a, b))
    print(f"network of {len(network.edges)} stretches: built {build_s:.2f} s, bridges "
          f"{bridge_s:.2f} s, {len(routes)} disjoint routes {route_s:.2f} s, clear width "
          f"{feet(narrow.width_m):.2f} ft in {narrow_s:.2f} s")  # fmt: skip


def travel() -> None:
    """Driving times on a county's worth of road, beside networkx on the same graph."""
    size = 150
    ends = [((x, y), (x + dx, y + dy)) for x in range(size) for y in range(size)
            for dx, dy in ((1, 0), (0, 1))]  # fmt: skip
    rng = np.random.default_rng(3)
    mph = rng.choice([25.0, 35.0, 55.0], len(ends))
    lines = [shapely.LineString(np.array(pair) * 400.0) for pair in ends]
    graph, graph_s = timed(lambda: road_graph(lines, mph.tolist()))
    places = [shapely.Point(p) for p in rng.integers(0, size, (2000, 2)) * 400.0]
    stations = [shapely.Point(p) for p in rng.integers(0, size, (5, 2)) * 400.0]
    found, seconds = timed(lambda: minutes_between(graph, stations, places))
    drawn: nx.Graph[Any] = nx.Graph()
    for (first, last), speed in zip(ends, mph, strict=True):
        drawn.add_edge(first, last, minutes=400.0 / (speed * 1609.344 / 60))
    starts = {(int(p.x // 400), int(p.y // 400)) for p in stations}
    beside, beside_s = timed(
        lambda: nx.multi_source_dijkstra_path_length(drawn, starts, weight="minutes")
    )
    worst = max(
        abs(one.minutes - beside[(int(p.x // 400), int(p.y // 400))])
        for one, p in zip(found, places, strict=True)
        if one.minutes is not None
    )
    print(f"driving times, {len(lines)} roads: graph {graph_s:.2f} s, 2,000 places from 5 stations "
          f"{seconds:.2f} s; networkx {beside_s:.2f} s for the times alone; greatest difference "
          f"{worst * 60:.3f} s")  # fmt: skip


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lots", type=int, default=100)
    asked = parser.parse_args()
    print(f"Python {platform.python_version()}, shapely {shapely.__version__}, GEOS "
          f"{shapely.geos_version_string}, networkx {nx.__version__}, scipy {scipy.__version__}")  # fmt: skip
    pinches()
    widths(asked.lots)
    failures(asked.lots)
    reach(asked.lots)
    large_network()
    travel()


if __name__ == "__main__":
    main()
