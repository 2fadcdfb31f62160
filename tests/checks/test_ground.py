"""Checks that measure the ground: what was drawn decides, and what is missing does not."""

import numpy as np
import pytest
import shapely

from site_eval.record.verdict import Verdict
from tests.checks.ground import (
    EAST,
    FRAME,
    LAND,
    NORTH,
    SOUTH,
    WEST,
    area,
    evaluated,
    found,
    line,
    point,
    polygons,
    raster,
)  # fmt: skip

YES, NO, REVIEW = Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY, Verdict.NEEDS_REVIEW
UNKNOWN, NONE = Verdict.NOT_DETERMINED, Verdict.NOT_APPLICABLE
SITE = FRAME.to_local(LAND.geometry)

GATES = [point("emergency_entrance", 0, 100), point("emergency_exit", 805, 100)]
ROADS = [
    line("public_road", (-5, -20), (-5, 420), width_ft=24),
    line("public_road", (810, -20), (810, 420), width_ft=24),
    line("public_road", (-5, -20), (810, -20), width_ft=24),
    line("fire_lane", (-5, 100), (810, 100), width_ft=24),
]
PLACES = [area("stage", 300, 110, 20, 15), area("medical", 500, 110, 10, 10)]


def test_two_gates_joined_to_everything_are_left_to_the_inspection(tmp_path) -> None:
    evaluation = evaluated(tmp_path, [*GATES, *ROADS, *PLACES])
    finding = found(evaluation, "emergency-access", "the layout maps")
    assert finding.verdict is REVIEW
    assert finding.reasons == ["The deciding source is only declared."]
    assert found(evaluation, "emergency-access", "narrowest fire lane is").verdict is REVIEW


@pytest.mark.parametrize(
    ("drawn", "reason"),
    [
        ([GATES[0], *ROADS, *PLACES], "no emergency exit"),
        ([*GATES, *ROADS[3:], *PLACES], "not joined"),
        ([*GATES, *ROADS, *PLACES, area("medical", 400, 300, 10, 10)], "medical 8"),
    ],
    ids=["no exit", "no public road", "a place no way leads to"],
)
def test_a_missing_gate_or_way_does_not_comply(drawn, reason, tmp_path) -> None:
    evaluation = evaluated(tmp_path, drawn)
    finding = next(f for f in evaluation.findings if f.clause.id == "5.2.h-emergency")
    assert finding.verdict is NO
    assert reason in " ".join(finding.reasons)


def test_one_gate_for_both_is_a_reading_for_a_person(tmp_path) -> None:
    same = [point("emergency_entrance", 0, 100), point("emergency_exit", 0, 103)]
    evaluation = evaluated(tmp_path, [*same, *ROADS, *PLACES])
    finding = next(f for f in evaluation.findings if f.clause.id == "5.2.h-emergency")
    assert finding.verdict is REVIEW
    assert "one place" in " ".join(finding.reasons)


@pytest.mark.parametrize(("width_ft", "verdict"), [(16, NO), (20, REVIEW)])
def test_a_lane_under_twenty_feet_does_not_comply(width_ft, verdict, tmp_path) -> None:
    lane = line("fire_lane", (-5, 100), (810, 100), width_ft=width_ft)
    evaluation = evaluated(tmp_path, [*GATES, *ROADS[:3], lane, *PLACES])
    finding = found(evaluation, "emergency-access", "narrowest fire lane is")
    assert finding.verdict is verdict
    assert finding.measured.value == pytest.approx(width_ft, abs=0.05)


def test_what_stands_in_the_lane_narrows_it(tmp_path) -> None:
    # A lane of 24 ft (7.32 m) along y = 100; a shed reaches 2 m into it from the north.
    shed = area("structure", 400, 100 + 7.3152 / 2 - 2.0, 5, 10)
    evaluation = evaluated(tmp_path, [*GATES, *ROADS, *PLACES, shed])
    finding = found(evaluation, "emergency-access", "narrowest fire lane is")
    assert finding.verdict is NO
    assert finding.measured.value == pytest.approx(24 - 2.0 / 0.3048, abs=0.1)


@pytest.mark.parametrize(
    ("stalls", "side_m", "verdict"),
    [(249, 120, NO), (250, 20, NO), (250, 120, YES)],
    ids=["too few", "more than the ground holds", "enough"],
)
def test_stalls_have_to_be_declared_and_to_fit(stalls, side_m, verdict, tmp_path) -> None:
    lot = area("parking", 100, 104, side_m, side_m, spaces=stalls)
    evaluation = evaluated(tmp_path, [*ROADS, lot], plan__parking__stalls=stalls)
    finding = found(evaluation, "parking", "stalls are declared")
    assert finding.required.value == 250
    assert finding.verdict is verdict


def test_a_lot_off_the_land_is_for_a_person(tmp_path) -> None:
    lot = area("parking", -150, 110, 300, 150, spaces=250)
    evaluation = evaluated(tmp_path, [*ROADS, lot], plan__parking__stalls=250)
    finding = found(evaluation, "parking", "stalls are declared")
    assert finding.verdict is REVIEW
    assert "outside the land" in " ".join(finding.reasons)


def places(tmp_path, *rows) -> dict:
    fields = {"name": "NAMELSAD", "geoid": "GEOID", "class": "CLASSFP", "status": "FUNCSTAT"}
    shapes = [
        (shape, {"NAMELSAD": name, "GEOID": "1600000", "CLASSFP": kind, "FUNCSTAT": status})
        for shape, name, kind, status in rows
    ]
    name = polygons(tmp_path, "places.gpkg", shapes)
    return {"kind": "places", "file": name, "fields": fields, "uncertainty_m": 15.0}


FAR = LAND.position_uncertainty_m + 60
CITY = {
    "outside": (shapely.box(EAST + 3_000, SOUTH, EAST + 5_000, NORTH), YES),
    "inside": (SITE.buffer(500), NONE),
    "partly": (shapely.box(EAST - 300, SOUTH - 500, EAST + 900, NORTH + 500), REVIEW),
    "touching": (shapely.box(EAST + 5, SOUTH, EAST + 900, NORTH), REVIEW),
    "an enclave in the city": (SITE.buffer(2_000).difference(SITE.buffer(FAR + 1_700)), REVIEW),
}


@pytest.mark.parametrize("where", CITY)
def test_a_municipality_decides_as_surely_as_the_data_let_it(where, tmp_path) -> None:
    shape, verdict = CITY[where]
    layer = places(tmp_path, (shape, "Testville city", "C1", "A"))
    finding = found(evaluated(tmp_path, [], [layer]), "jurisdiction", "ville")
    if where == "an enclave in the city":
        # Far enough from every limit to lie outside, near enough for annexation to matter.
        verdict = YES if finding.measured.value > 1609 else REVIEW
    assert finding.verdict is verdict
    assert "Testville" in finding.statement


def test_a_census_designated_place_is_no_municipality(tmp_path) -> None:
    layer = places(
        tmp_path, (SITE.buffer(500), "Sand Hollow CDP", "U1", "S"),
        (shapely.box(EAST + 9_000, SOUTH, EAST + 9_900, NORTH), "Testville city", "C1", "A"),
    )  # fmt: skip
    finding = found(evaluated(tmp_path, [], [layer]), "jurisdiction", "ville")
    assert finding.verdict is YES
    assert "Testville" in finding.statement


def test_an_inactive_municipality_is_for_a_person(tmp_path) -> None:
    layer = places(tmp_path, (SITE.buffer(500), "Ghostville city", "C1", "I"))
    finding = found(evaluated(tmp_path, [], [layer]), "jurisdiction", "ville")
    assert finding.verdict is REVIEW
    assert "inactive" in " ".join(finding.reasons)


def near_site(x, y):
    return (x > WEST) & (x < EAST) & (y > SOUTH) & (y < NORTH)


WILDFIRE = {
    "irrigated field ringed by high hazard": (lambda x, y: np.where(near_site(x, y), 6, 4), REVIEW),
    "all very high": (lambda x, y: x * 0 + 5, REVIEW),
    "all very low": (lambda x, y: x * 0 + 1, YES),
    "half without data": (lambda x, y: np.where(x > 0, 255, 1), REVIEW),
    "water only": (lambda x, y: np.where(near_site(x, y), 1, 7), YES),
}


@pytest.mark.parametrize("ground", WILDFIRE)
def test_wildfire_classes_are_never_called_safe(ground, tmp_path) -> None:
    value, verdict = WILDFIRE[ground]
    layer = {"kind": "wildfire", "file": raster(tmp_path, "w.tif", value)}
    # In March, outside the closed fire season, so that only the ground decides.
    times = {"event__starts": "2027-03-20T10:00:00", "event__ends": "2027-03-20T20:00:00"}
    finding = found(evaluated(tmp_path, [], [layer], **times), "wildfire")
    assert finding.verdict is verdict
    assert "safe " not in finding.statement


def flood_layer(tmp_path, *rows) -> dict:
    shapes = [(shape, {"FLD_ZONE": zone}) for shape, zone in rows]
    name = polygons(tmp_path, "flood.gpkg", shapes)
    return {"kind": "flood", "file": name, "fields": {"zone": "FLD_ZONE"}}


WHOLE = SITE.buffer(300)
FLOOD = {
    "minimal": ([(WHOLE, "X")], YES, "no part"),
    "a creek through it": (
        [(WHOLE, "X"), (shapely.box(-20, SOUTH, 20, NORTH), "AE")], REVIEW, "special flood",
    ),
    "half unmapped": ([(shapely.box(WEST - 50, SOUTH - 50, 0, NORTH + 50), "X")], REVIEW, "no flood"),
    "not studied": ([(WHOLE, "D")], REVIEW, "not studied"),
}  # fmt: skip


@pytest.mark.parametrize("ground", FLOOD)
def test_unmapped_ground_is_never_dry(ground, tmp_path) -> None:
    rows, verdict, words = FLOOD[ground]
    finding = found(evaluated(tmp_path, [], [flood_layer(tmp_path, *rows)]), "flood")
    assert finding.verdict is verdict
    assert words in finding.statement.lower()


@pytest.mark.parametrize(("percent", "verdict"), [(0, YES), (12, REVIEW)])
def test_steep_parking_is_for_a_person(percent, verdict, tmp_path) -> None:
    dem = raster(tmp_path, "dem.tif", lambda x, y: 700 + x * percent / 100, dtype="float32",
                 nodata=-9999)  # fmt: skip
    layer = {"kind": "dem", "file": dem}
    lot = area("parking", 100, 100, 200, 100, spaces=10)
    finding = found(evaluated(tmp_path, [lot], [layer]), "terrain")
    assert finding.verdict is verdict


def test_without_a_layer_nothing_is_determined(tmp_path) -> None:
    layer = {"kind": "dem", "file": raster(tmp_path, "dem.tif", lambda x, y: x * 0, dtype="float32",
                                           nodata=-9999)}  # fmt: skip
    evaluation = evaluated(tmp_path, [], [layer])
    for check in ("flood", "wildfire"):
        assert found(evaluation, check).verdict is UNKNOWN
        assert "catalog" in found(evaluation, check).statement
