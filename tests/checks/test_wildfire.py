"""The wildfire finding: every raster that cannot answer says so, and nothing is called harmless."""

import numpy as np
import pytest
import rasterio
import shapely

from site_eval.record.verdict import Verdict
from tests.checks.ground import EAST, NORTH, SOUTH, WEST, evaluated, found, point, polygons, raster

YES, REVIEW, UNKNOWN = Verdict.COMPLIES, Verdict.NEEDS_REVIEW, Verdict.NOT_DETERMINED
# In March, outside the closed fire season, so that only the ground decides.
MARCH = {"event__starts": "2027-03-20T10:00:00", "event__ends": "2027-03-20T20:00:00"}
GATES = [point("emergency_entrance", 0, 100), point("public_exit", 805, 100)]


def asked(tmp_path, file: str, *, drawn=(), layers=(), kind="wildfire", **changes):
    layer = {"kind": kind, "file": file}
    evaluation = evaluated(tmp_path, drawn, [layer, *layers], **{**MARCH, **changes})
    return found(evaluation, "wildfire")


def roads(tmp_path, *lines) -> dict:
    rows = [(shapely.LineString(line), {"name": f"road {n}"}) for n, line in enumerate(lines)]
    name = polygons(tmp_path, "roads.gpkg", rows)
    return {"kind": "roads", "file": name, "fields": {"name": "name"}}


@pytest.mark.parametrize(
    ("value", "more", "words"),
    [
        (lambda x, y: x * 0 + 255, {}, "no value"),
        (lambda x, y: x * 0, {}, "value 0"),
        (lambda x, y: x * 0 + 0.01, {"dtype": "float32", "nodata": -3.4028234663852886e38}, "burn"),
    ],
    ids=["all nodata", "another product", "measures"],
)
def test_a_raster_that_cannot_answer_determines_nothing(value, more, words, tmp_path) -> None:
    finding = asked(tmp_path, raster(tmp_path, "w.tif", value, **more))
    assert finding.verdict is UNKNOWN
    assert words in finding.statement


def test_a_raster_without_a_crs_or_elsewhere_determines_nothing(tmp_path) -> None:
    name = raster(tmp_path, "w.tif", lambda x, y: x * 0 + 1)
    with rasterio.open(tmp_path / name) as source:
        profile, values = source.profile, source.read(1)
    for file, change in (("lost.tif", {"crs": None}), ("far.tif", {"crs": "EPSG:32633"})):
        with rasterio.open(tmp_path / file, "w", **(profile | change)) as target:
            target.write(values, 1)
        assert asked(tmp_path, file).verdict is UNKNOWN


def test_one_cell_without_data_in_the_ring_is_never_passed_over(tmp_path) -> None:
    """Trap: in copies of the 2023 edition from before July 2024 the worst cells hold no data."""
    hole = lambda x, y: np.where((abs(x - EAST - 600) < 140) & (abs(y) < 140), 255, 1)  # noqa: E731
    finding = asked(tmp_path, raster(tmp_path, "w.tif", hole))
    assert finding.verdict is REVIEW
    assert "July 2024" in " ".join(finding.reasons)


def test_both_denominators_are_told(tmp_path) -> None:
    # West half of everything irrigated (6), east half high (4): half of the land, all that burns.
    finding = asked(tmp_path, raster(tmp_path, "w.tif", lambda x, y: np.where(x < 0, 6, 4)))
    told = next(
        reason for reason in finding.reasons if "on the site" in reason and "all land" in reason
    )
    assert "50 % of all land, 100 % of what can burn" in told


def test_hazard_only_along_the_way_out_is_found(tmp_path) -> None:
    # A road leaves the west gate to the south; only ground beyond the ring on that road is class 5.
    road = roads(tmp_path, [(WEST, SOUTH + 100), (WEST, SOUTH - 1_700), (WEST, SOUTH - 3_000)])
    burning = raster(
        tmp_path, "w.tif", lambda x, y: np.where((y < SOUTH - 1_800) & (abs(x - WEST) < 90), 5, 1)
    )
    finding = asked(tmp_path, burning, drawn=GATES, layers=[road])
    assert finding.verdict is REVIEW
    assert finding.reasons[0].startswith("The way out passes ground of very high hazard")
    kinds = [f["properties"]["kind"] for f in finding.evidence["features"]]
    assert kinds == ["corridor", "ring", "ring"]
    beside = raster(tmp_path, "w.tif", lambda x, y: np.where(y > NORTH + 1_800, 5, 1))
    assert asked(tmp_path, beside, drawn=GATES, layers=[road]).verdict is YES


@pytest.mark.parametrize(
    ("changes", "verdict", "words"),
    [
        ({"plan__fire__restriction_stage": 0}, YES, "Cells of"),
        ({"plan__fire__restriction_stage": 1}, REVIEW, "stage 1"),
        ({}, YES, "not stated"),
        (
            {"event__starts": "2027-04-30T10:00:00", "event__ends": "2027-11-01T20:00:00"},
            REVIEW, "closed fire season",
        ),
    ],
    ids=["none", "stage 1", "unsaid", "from before to after the season"],
)  # fmt: skip
def test_season_and_restriction_are_weighed(changes, verdict, words, tmp_path) -> None:
    finding = asked(tmp_path, raster(tmp_path, "w.tif", lambda x, y: x * 0 + 1), **changes)
    assert finding.verdict is verdict
    assert words in " ".join(finding.reasons)


def test_zero_counts_in_the_average_burn_probability(tmp_path) -> None:
    probability = lambda x, y: np.where(x < 0, 0.0, 0.02)  # noqa: E731
    file = raster(tmp_path, "bp.tif", probability, dtype="float32", nodata=-3.4028234663852886e38)
    evaluation = evaluated(tmp_path, [], [{"kind": "burn_probability", "file": file}], **MARCH)
    finding = found(evaluation, "wildfire", "burn in a year")
    assert finding.verdict is REVIEW
    assert finding.measured.value == pytest.approx(1.0, abs=0.05)
