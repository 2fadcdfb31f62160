"""Checks that reckon with days, hours and seats."""

import pytest
import shapely

from site_eval.record.verdict import Verdict
from tests.checks.ground import FRAME, LAND, area, evaluated, found, point, polygons

YES, NO, REVIEW = Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY, Verdict.NEEDS_REVIEW
UNKNOWN, NONE = Verdict.NOT_DETERMINED, Verdict.NOT_APPLICABLE


# The event starts on 2027-06-19; sixty days before is 2027-04-20.
@pytest.mark.parametrize(
    ("received", "first_arrival", "verdict"),
    [
        ("2027-04-20", None, YES),
        ("2027-04-21", None, NO),
        ("2027-04-20", "2027-06-18T18:00:00", NO),
    ],
    ids=["on the last day", "a day late", "campers come a day earlier"],
)
def test_sixty_days_before_people_first_assemble(
    received, first_arrival, verdict, tmp_path
) -> None:
    more = {"event__first_arrival": first_arrival} if first_arrival else {}
    evaluation = evaluated(tmp_path, filing__received=received, **more)
    assert found(evaluation, "filing-period").verdict is verdict


@pytest.mark.parametrize(
    ("hours", "minutes"),
    [
        ([["12:00", "23:59"]], 0),
        ([["12:00", "00:30"]], 30),
        ([["22:00", "08:00"]], 420),
        ([["05:00", "09:00"]], 120),
    ],
)
def test_amplified_sound_between_midnight_and_seven(hours, minutes, tmp_path) -> None:
    evaluation = evaluated(tmp_path, event__amplified=True, plan__amplification__hours=hours)
    finding = next(f for f in evaluation.findings if f.clause.id == "5.2.i-hours")
    assert finding.measured.value == minutes
    assert finding.verdict is (NO if minutes else YES)


@pytest.mark.parametrize(
    ("starts", "ends", "minutes"),
    [
        ("2027-11-06T18:00:00", "2027-11-07T03:00:00", 180),
        ("2027-03-13T18:00:00", "2027-03-14T04:00:00", 120),
        ("2027-06-19T18:00:00", "2027-06-20T03:00:00", 120),
    ],
    ids=["the clock goes back: an hour more", "spring", "summer"],
)
def test_the_night_is_counted_in_the_sites_own_time(starts, ends, minutes, tmp_path) -> None:
    # In autumn 00:00 to 02:00 by the clock lasts three hours; in spring the hour from 2 is missing,
    # which a programme that ends at 2 does not touch.
    evaluation = evaluated(
        tmp_path, event__starts=starts, event__ends=ends, event__amplified=True,
        filing__received="2027-01-01", plan__amplification__hours=[["18:00", "02:00"], ["18:00", "19:00"]],
    )  # fmt: skip
    finding = next(f for f in evaluation.findings if f.clause.id == "5.2.i-hours")
    assert finding.measured.value == minutes


@pytest.mark.parametrize(("persons", "verdict"), [(1_250, REVIEW), (1_251, NONE)])
def test_a_permanent_place_is_excepted_up_to_250_over_its_seats(persons, verdict, tmp_path) -> None:
    evaluation = evaluated(
        tmp_path, attendance__maximum=persons, venue__kind="permanent-assembly",
        venue__seating_capacity=1_000,
    )  # fmt: skip
    finding = next(f for f in evaluation.findings if f.clause.id == "4.5.a")
    assert finding.verdict is verdict
    assert finding.required.value == 1_250


@pytest.mark.parametrize(("sponsored", "verdict"), [(True, REVIEW), (False, NONE)])
def test_fairgrounds_need_a_government(sponsored, verdict, tmp_path) -> None:
    evaluation = evaluated(
        tmp_path, venue__kind="fairgrounds", venue__government_sponsored=sponsored
    )
    finding = next(f for f in evaluation.findings if f.clause.id == "4.5.b-fairs")
    assert finding.verdict is verdict


@pytest.mark.parametrize(("amount", "form", "verdict"), [
    (5_000, "cash", YES), (4_999, "cash", NO), (50_000, "surety", NO),
])  # fmt: skip
def test_the_security_bond_is_cash(amount, form, verdict, tmp_path) -> None:
    evaluation = evaluated(
        tmp_path, plan__security__sheriff_requires_extra_help=True,
        bond=[{"kind": "security", "amount_usd": amount, "form": form}],
    )  # fmt: skip
    finding = next(f for f in evaluation.findings if f.clause.id == "5.2.f-bond")
    # The clerk confirms a deposit: the applicant's word alone never complies.
    assert finding.verdict is (REVIEW if verdict is YES else NO)


def test_sound_is_never_cleared_by_distance(tmp_path) -> None:
    far = FRAME.to_local(LAND.geometry).centroid
    homes = polygons(tmp_path, "homes.gpkg", [(shapely.Point(far.x + 4_500, far.y), {"name": "h"})])
    speaker = point("loudspeaker", 400, 200, sound_level_dba=70, reference_distance_ft=30)
    evaluation = evaluated(
        tmp_path, [speaker, area("stage", 395, 205, 10, 10)],
        [{"kind": "residences", "file": homes}], event__amplified=True,
    )  # fmt: skip
    finding = next(f for f in evaluation.findings if f.clause.id == "5.2.i")
    assert finding.verdict is REVIEW
    assert "likely audible indoors at 0" in finding.statement


def test_what_has_no_place_on_the_layout_is_for_a_person(tmp_path) -> None:
    drawn = [point("drinking_water", 10, 10), point("toilet", 20, 10)]
    evaluation = evaluated(tmp_path, drawn)
    located = {
        f.clause.id: f.verdict for f in evaluation.findings if "give the location" in f.question
    }
    assert located["6.3.i"] is YES
    assert located["6.3.j"] is REVIEW
    assert located["6.3.o"] is REVIEW
    assert "6.3.p" not in located


def test_a_doubt_about_the_land_is_a_doubt_about_what_rests_on_it(tmp_path) -> None:
    whole = "S½NE¼ of Section 22, T. 7 N., R. 3 W., Boise Meridian"
    sure = evaluated(tmp_path, land=[{"description": whole}])
    unsure = evaluated(tmp_path, land=[{"description": f"{whole}, EXCEPT the county road"}])

    def verdicts(evaluation, clause):
        return {f.verdict for f in evaluation.findings if f.clause.id == clause and f.measured}

    assert verdicts(sure, "4.5.b") == {YES}
    assert verdicts(unsure, "4.5.b") == {REVIEW}
    assert verdicts(sure, "6.3.b") == {YES}
    assert verdicts(unsure, "6.3.b") == {REVIEW}


def test_things_off_the_described_land_are_named(tmp_path) -> None:
    evaluation = evaluated(tmp_path, [area("camping", 700, 100, 300, 50)])
    finding = next(f for f in evaluation.findings if f.clause.id == "6.3.b" and f.measured)
    assert finding.verdict is REVIEW
    assert "beyond the described land" in " ".join(finding.reasons)
