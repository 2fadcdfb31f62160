"""The layout's roads, lanes and gates as ground to drive on and as a network, in local metres."""

from __future__ import annotations

from typing import Any

import shapely

from site_eval.case import Case
from site_eval.layout import Feature
from site_eval.solvers import access_graph as access
from site_eval.solvers.clearance import Way, surface
from site_eval.solvers.leaving import Leaving, leaving
from site_eval.solvers.zonal import grown
from site_eval.units import metres

WAY_ROLES = ("road", "fire_lane", "public_road")
SERVED_ROLES = ("stage", "assembly_area", "medical", "camping", "parking", "food")
GATE_ROLES = ("emergency_entrance", "emergency_exit", "public_entrance", "public_exit")
_FIXED_ROLES = ("obstacle", "structure", "stage", "medical")


def ways(case: Case) -> list[Way]:
    """Every mapped way; a centreline without a width is taken as the plan's lane width."""
    stated = case.value("plan.fire.lane_width_ft")
    default_ft = float(stated or case.profile.fire_access.lane_width_ft)
    return [
        Way(
            case.local(f.geometry),
            metres(float(f.properties.get("width_ft") or default_ft)),
            f.name or f.id,
            f.role,
        )
        for f in case.features(*WAY_ROLES)
    ]


def drivable(case: Case) -> Any:
    """The surface of all ways, what stands on them taken out."""
    return case.once("drivable", lambda: surface(ways(case), obstacles(case)))


def network(case: Case) -> access.Network:
    """All ways as a network, with a node at every gate and at every place's door."""

    def make() -> access.Network:
        gates = [case.local(feature.geometry) for feature in gate_features(case)]
        places = [*gates, *doors(case).values()]
        return access.build(ways(case), obstacles=obstacles(case), places=places)

    return case.once("network", make)


def doors(case: Case) -> dict[str, Any]:
    """For each place that people use, the nearest point of a mapped way within a hose's reach.

    A place farther than that from every way keeps its own shape, and so is not reached.
    """

    def make() -> dict[str, Any]:
        lanes = surface(ways(case))
        reach_m = metres(case.profile.fire_access.reach_ft)
        found = {}
        for feature in case.features(*SERVED_ROLES):
            place = case.local(feature.geometry)
            way = shapely.shortest_line(place, lanes)
            near = way is not None and way.length <= reach_m
            found[feature.name or feature.id] = shapely.get_point(way, -1) if near else place
        return found

    return case.once("doors", make)


def gate_features(case: Case) -> list[Feature]:
    """Every gate of the site, emergency and public."""
    return case.features(*GATE_ROLES)


def ways_out(case: Case, *roles: str) -> Leaving | None:
    """Ways off the site from the gates of *roles* over the road layers; None without such a layer."""

    def make() -> Leaving | None:
        within_m = case.profile.wildfire.outer_ring_m
        near = case.layers("roads", within_m=within_m)
        roads = [case.local(road) for data in near for road in data.rows.geometry]
        gates = [case.local(feature.geometry) for feature in case.features(*roles)]
        return leaving(roads, gates, grown(case.site_local, within_m)) if roads else None

    return case.once(f"ways out/{roles}", make)


def obstacles(case: Case) -> list[Any]:
    """What stands on the ground with an extent: trees, barns, stages, canals."""
    shapes = [case.local(feature.geometry) for feature in case.features(*_FIXED_ROLES)]
    return [shape for shape in shapes if shape.area > 0]
