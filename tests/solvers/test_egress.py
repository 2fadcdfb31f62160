"""Crowds and queues, by hand."""

import math

import pytest

from site_eval.solvers.egress import (
    Limit,
    area_persons,
    capacity,
    egress,
    ingress_minutes,
    queue,
    walkway_service,
)


def test_least_limit_binds_and_is_named() -> None:
    found = capacity(
        [
            Limit("area", 20_000, ""),
            Limit("exits", 3_280.0, ""),
            Limit("parking", 2_880, ""),
            Limit("overnight", None, "no limit is known"),
        ]
    )
    assert (found.persons, found.binding, found.unknown) == (2880, "parking", ("overnight",))


def test_no_known_limit_gives_no_number() -> None:
    found = capacity([Limit("overnight", None, "")])
    assert (found.persons, found.binding) == (None, None)


def test_capacity_is_rounded_down() -> None:
    assert capacity([Limit("area", 99.999, "")]).persons == 99


def test_standing_area_of_hsg195() -> None:
    """Half a square metre a person: an acre holds 8,093."""
    assert math.floor(area_persons(4046.856, 0.5)) == 8093


def test_largest_exit_is_lost() -> None:
    found = egress([3.0, 2.0, 4.0])
    assert (found.width_m, found.lost_m) == (5.0, 4.0)
    assert found.persons(8) == 5 * 82 * 8
    assert found.minutes(3280) == pytest.approx(8)


def test_narrow_exits_are_none() -> None:
    """HSG195: an exit is at least 1.05 m; the single one left is the one that is lost."""
    assert egress([1.0, 1.04, 2.0]).width_m == 0
    assert egress([1.05, 2.0]).width_m == pytest.approx(1.05)
    assert egress([]).minutes(1) == math.inf


@pytest.mark.parametrize(
    ("ft2", "grade"), [(36, "A"), (35, "B"), (25, "C"), (15, "D"), (10, "E"), (5, "F"), (1, "F")]
)
def test_fruin_grades(ft2: float, grade: str) -> None:
    assert walkway_service(ft2) == grade


def test_queue_of_a_peak_hour() -> None:
    """600 cars in the first hour, 300 in the second, one lane of 350: 250 wait, then 200."""
    found = queue([600, 300], interval_minutes=60, lanes=1, lane_vehicles_per_h=350)
    assert found.longest_vehicles == 250
    assert found.at_minute == 60
    assert found.longest_m == pytest.approx(250 * 25 * 0.3048)
    assert found.empty_minute == pytest.approx(120 + 200 / 350 * 60)
    assert found.longest_wait_minutes == pytest.approx(250 / 350 * 60)


def test_lanes_enough_let_no_queue_grow() -> None:
    found = queue([600, 300], interval_minutes=60, lanes=2, lane_vehicles_per_h=350)
    assert (found.longest_vehicles, found.empty_minute) == (0, 120)


def test_idle_gates_do_not_serve_ahead() -> None:
    found = queue([0, 0, 400], interval_minutes=60, lanes=1, lane_vehicles_per_h=350)
    assert found.longest_vehicles == 50


def test_no_lane_is_no_gate() -> None:
    with pytest.raises(ValueError, match="lane"):
        queue([1], interval_minutes=60, lanes=0, lane_vehicles_per_h=350)


def test_all_at_once() -> None:
    assert ingress_minutes(1030, lanes=2, lane_vehicles_per_h=350) == pytest.approx(88.29, abs=0.01)
    assert ingress_minutes(1, lanes=0, lane_vehicles_per_h=350) == math.inf
