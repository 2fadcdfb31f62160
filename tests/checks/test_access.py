"""What a fire engine meets: gates, bends, ends, grades, and the roads beyond the gates."""

import numpy as np
import pytest
import shapely

from site_eval.record.verdict import Verdict

from tests.checks.ground import WEST, SOUTH, area, evaluated, found, line, point, polygons, raster  # isort: skip

REVIEW, UNKNOWN = Verdict.NEEDS_REVIEW, Verdict.NOT_DETERMINED
GATES = [
    point("emergency_entrance", 0, 100, width_ft=24),
    point("emergency_exit", 805, 100, width_ft=24),
]
LANE = line("fire_lane", (-5, 100), (810, 100), width_ft=24)
ROADS = [
    line("public_road", (-5, -20), (-5, 420), width_ft=24),
    line("public_road", (810, -20), (810, 420), width_ft=24),
    line("public_road", (-5, -20), (810, -20), width_ft=24),
    LANE,
]
STAGE = area("stage", 300, 110, 20, 15)


def kinds(finding) -> list[str]:
    return [feature["properties"]["kind"] for feature in finding.evidence["features"]]


def road_layer(tmp_path, *lines) -> dict:
    shapes = [shapely.LineString([(WEST + x, SOUTH + y) for x, y in line]) for line in lines]
    name = polygons(
        tmp_path,
        f"roads{len(list(tmp_path.iterdir()))}.gpkg",
        [(s, {"name": f"road {n}"}) for n, s in enumerate(shapes)],
    )
    return {"kind": "roads", "file": name, "fields": {"name": "name"}}


# A county road along the south of the site, which both gates' roads join.
COUNTY_ROAD = [(0, 100), (0, -30), (805, -30), (805, 100)]
OUT_WEST, OUT_EAST = [(0, -30), (-3_500, -30)], [(805, -30), (4_500, -30)]


@pytest.mark.parametrize(
    ("roads", "ways", "shown"),
    [
        ([COUNTY_ROAD, OUT_WEST], 1, ["single", "route", "route"]),
        ([COUNTY_ROAD, OUT_WEST, OUT_EAST], 2, ["route", "route"]),
    ],
    ids=["the county road is a dead end", "it goes on"],
)
def test_both_gates_on_one_dead_end_road_are_one_way(roads, ways, shown, tmp_path) -> None:
    layer = road_layer(tmp_path, *roads)
    evaluation = evaluated(tmp_path, [*GATES, *ROADS, STAGE], [layer])
    finding = found(evaluation, "emergency-access", "no one block closes together")
    assert (finding.verdict, finding.measured.value) == (REVIEW, ways)
    assert kinds(finding) == shown


def test_roads_beyond_the_site_are_unknown_without_a_layer_that_shows_them(tmp_path) -> None:
    far = road_layer(tmp_path, [(90_000, 0), (99_000, 0)])
    stub = road_layer(tmp_path, [(0, 100), (-200, 100)])
    for layer, words in ((far, "Name a roads layer"), (stub, "to no road")):
        evaluation = evaluated(tmp_path, [*GATES, *ROADS, STAGE], [layer])
        finding = found(evaluation, "emergency-access", "no one block closes together")
        assert finding.verdict is UNKNOWN
        assert words in finding.statement


@pytest.mark.parametrize(
    ("width_ft", "words", "shown"), [(19, "is less", ["narrow"]), (20, "asks for 20 ft.", [])]
)
def test_a_gate_narrower_than_the_codes_is_drawn(width_ft, words, shown, tmp_path) -> None:
    gates = [GATES[0], point("emergency_exit", 805, 100, width_ft=width_ft)]
    evaluation = evaluated(tmp_path, [*gates, *ROADS, STAGE])
    finding = found(evaluation, "emergency-access", "emergency gates wide enough")
    assert finding.measured.value == width_ft
    assert words in finding.statement
    assert kinds(finding) == shown


def test_gates_without_a_width_are_not_taken_for_wide_ones(tmp_path) -> None:
    gates = [point("emergency_entrance", 0, 100), point("emergency_exit", 805, 100)]
    evaluation = evaluated(tmp_path, [*gates, *ROADS, STAGE])
    assert found(evaluation, "emergency-access", "emergency gates wide").verdict is UNKNOWN


@pytest.mark.parametrize(
    ("end", "without"),
    [
        ([], 1),
        ([line("fire_lane", (400 - 18.4, 260), (400 + 18.4, 260), width_ft=24)], 0),
        ([area("fire_lane", 400 - 15, 245, 30, 30)], 0),
        ([area("fire_lane", 400 - 10, 250, 20, 20)], 1),
    ],
    ids=["nothing", "a hammerhead of 120 ft", "a yard of 98 ft", "a yard of 66 ft"],
)
def test_a_dead_end_needs_room_to_turn(end, without, tmp_path) -> None:
    spur = line("fire_lane", (400, 100), (400, 260), width_ft=24)
    evaluation = evaluated(tmp_path, [*GATES, *ROADS, STAGE, spur, *end])
    ends = [f for f in evaluation.findings if "turn around where" in f.question]
    tight = ends[0].measured.value if ends else 0
    assert tight == without


@pytest.mark.parametrize(("percent", "steep"), [(6, False), (13, True)])
def test_the_steepest_stretch_of_a_lane_is_measured_on_the_heights(
    percent, steep, tmp_path
) -> None:
    """Level in the west half, then a slope of *percent* to the east."""
    dem = raster(
        tmp_path, "dem.tif", lambda x, y: 700 + np.maximum(x, 0) * percent / 100, dtype="float32",
        nodata=-9999,
    )  # fmt: skip
    evaluation = evaluated(tmp_path, [*GATES, *ROADS, STAGE], [{"kind": "dem", "file": dem}])
    finding = found(evaluation, "emergency-access", "steepest stretch")
    assert finding.measured.value == pytest.approx(percent, abs=0.15)
    assert finding.measured.value > finding.required.value if steep else True
    assert kinds(finding) == ["steep"]


def test_where_the_widest_vehicle_is_held_back_is_drawn(tmp_path) -> None:
    shed = area("structure", 400, 100 + 7.3152 / 2 - 2.0, 5, 10)
    evaluation = evaluated(tmp_path, [*GATES, LANE, STAGE, shed])
    finding = found(evaluation, "emergency-access", "narrowest fire lane is")
    assert kinds(finding)[0] == "pinch"
    pinch = shapely.geometry.shape(finding.evidence["features"][0]["geometry"])
    lon, _ = shapely.get_coordinates(pinch).mean(axis=0)
    from tests.checks.ground import FRAME

    x, _ = FRAME.xy(lon, FRAME.lat_deg)
    assert x - WEST == pytest.approx(402, abs=4)


def test_a_stretch_that_alone_joins_the_gates_is_drawn(tmp_path) -> None:
    # Entrance and exit are joined by the lane alone: the roads at its ends do not meet.
    drawn = [*GATES, *ROADS[:2], LANE, STAGE]
    finding = found(evaluated(tmp_path, drawn), "emergency-access", "the layout maps")
    assert "single block" in " ".join(finding.reasons)
    assert "single" in kinds(finding)
