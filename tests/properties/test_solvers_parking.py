"""Laws of the parking packer: rectangles by a closed formula, any polygon by its rules."""

import math

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from site_eval.solvers.parking import STANDARDS, Standard, pack, upper_bound, with_accessible
from site_eval.units import metres

LOT = STANDARDS["lot-9x18"]


def rows_of(height_ft: int, depth_ft: int, aisle_ft: int) -> int:
    """Two a module, and one more where a stall's depth and an aisle are left."""
    module = 2 * depth_ft + aisle_ft
    return 2 * (height_ft // module) + (height_ft % module >= depth_ft + aisle_ft)


def closed_formula(
    width_ft: int, height_ft: int, stall_ft: int, depth_ft: int, aisle_ft: int
) -> int:
    """The better of the two ways to lay rows in a rectangle."""
    lost = math.ceil(aisle_ft / stall_ft)
    return max(
        rows_of(across, depth_ft, aisle_ft) * max(0, along // stall_ft - lost)
        for along, across in ((width_ft, height_ft), (height_ft, width_ft))
    )


@settings(max_examples=40, deadline=None)
@given(
    width_ft=st.integers(20, 900),
    height_ft=st.integers(20, 700),
    stall_ft=st.integers(8, 12),
    depth_ft=st.integers(16, 24),
    aisle_ft=st.integers(20, 30),
)
def test_rectangles_follow_the_closed_formula(
    width_ft: int, height_ft: int, stall_ft: int, depth_ft: int, aisle_ft: int
) -> None:
    std = Standard(metres(stall_ft), metres(depth_ft), metres(aisle_ft))
    ground = shapely.box(0, 0, metres(width_ft), metres(height_ft))
    found = sum(one.count for one in pack(ground, std, azimuths_deg=(0.0, 90.0)))
    assert found == closed_formula(width_ft, height_ft, stall_ft, depth_ft, aisle_ft)
    anyhow = sum(one.count for one in pack(ground, std))
    assert anyhow >= found


@st.composite
def grounds(draw) -> shapely.Polygon:
    """A star of 4 to 9 corners, 0.2 to 6 acres, with up to four round obstacles."""
    corners = draw(st.integers(4, 9))
    radii = draw(st.lists(st.floats(0.3, 1.0), min_size=corners, max_size=corners))
    size_m = draw(st.floats(30, 110))
    angles = np.linspace(0, 2 * np.pi, corners + 1)[:-1] + draw(st.floats(0, 1))
    points = size_m * np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])
    ground = shapely.Polygon(points)
    for _ in range(draw(st.integers(0, 4))):
        x, y = draw(st.floats(-1, 1)), draw(st.floats(-1, 1))
        tree = shapely.Point(x * size_m, y * size_m).buffer(draw(st.floats(0.3, 8)), quad_segs=4)
        ground = ground.difference(tree)
    return ground


@settings(max_examples=25, deadline=None)
@given(ground=grounds(), angle=st.sampled_from([90, 90, 60, 45]), one_way=st.booleans())
def test_any_ground_keeps_the_rules(ground, angle: int, one_way: bool) -> None:
    std = Standard(metres(9), metres(18), metres(20), angle_deg=angle, one_way=one_way)
    for packed in pack(ground, std, azimuths_deg=(0.0, 30.0, 101.5)):
        require_rules(packed)
        require_rules(with_accessible(packed))


def require_rules(packed) -> None:
    stalls = packed.stalls
    if not len(stalls):
        return
    assert packed.ground.buffer(0.02).covers(shapely.union_all([*stalls, *packed.aisles]))
    everything = np.concatenate([stalls, packed.access_aisles])
    pairs = shapely.STRtree(everything).query(everything, predicate="intersects")
    pairs = pairs[:, pairs[0] < pairs[1]]
    common = shapely.area(shapely.intersection(everything[pairs[0]], everything[pairs[1]]))
    assert common.max(initial=0) < 0.02
    drives = shapely.union_all([*packed.aisles, *packed.cross_aisles])
    assert shapely.intersection(shapely.union_all(stalls), drives).area < 0.05
    # Every stall opens onto an aisle, and all aisles are one surface.
    aisles = shapely.union_all(packed.aisles)
    assert shapely.distance(stalls, aisles).max() < 0.02
    assert drives.buffer(0.02).geom_type == "Polygon"
    assert packed.count <= upper_bound(packed.ground.area * 1.15, packed.standard)


@settings(max_examples=25, deadline=None)
@given(ground=grounds())
def test_each_stall_has_its_whole_aisle_pad_in_the_ground(ground) -> None:
    for packed in pack(ground, LOT, azimuths_deg=(12.0, 102.0)):
        corners = shapely.get_coordinates(packed.stalls).reshape(-1, 5, 2)
        inward = corners[:, 0] - corners[:, 3]
        pad = inward / np.linalg.norm(inward, axis=1)[:, None] * LOT.aisle_m
        pads = shapely.polygons(
            np.stack([corners[:, 0], corners[:, 1], corners[:, 1] + pad, corners[:, 0] + pad], 1)
        )
        assert shapely.covers(packed.ground.buffer(0.02), pads).all()
        taken = shapely.intersection(shapely.union_all(pads), shapely.union_all(packed.stalls))
        assert taken.area < 0.05
