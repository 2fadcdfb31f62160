"""States over time: what was met, ceased, cured, stale or disputed, and what was known when."""

import ast
import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_web import demo, inspection
from inspect_web.inspection.checklist import judge, outcome_of
from inspect_web.inspection.compliance import (
    BROKEN,
    Waiver,
    cleanup_deadline,
    in_quiet_hours,
    offences,
    state_at,
    timeline,
)
from inspect_web.inspection.gaps import clock_jumps, missing_numbers
from inspect_web.inspection.observation import Observation, Place
from inspect_web.inspection.place import where
from inspect_web.inspection.revocation import grounds
from inspect_web.store.licences import read_evaluation
from site_eval.record.condition import Cadence, LicenceTerms
from site_eval.record.measure import Required

FILE = read_evaluation((Path(demo.__file__).parent / "evaluation.json").read_text(), "bundled")
TERMS = FILE.checklist.terms
ITEMS = {item.id: item for item in FILE.checklist.items}
START = datetime(2027, 6, 19, 16, tzinfo=UTC)  # 10:00 at the site
END = datetime(2027, 6, 21, 0, tzinfo=UTC)


def seen(condition, outcome, minute, *, agency="sheriff", value=None, error_s=1.0, late=0, n=None,
         **more):  # fmt: skip
    """An observation *minute* minutes after the start, received *late* minutes afterwards."""
    at = START + timedelta(minutes=minute)
    n = minute if n is None else n
    return Observation(
        **{
            "id": f"00000000-0000-0000-0000-{n:012d}", "condition": condition, "agency": agency,
            "author": "A", "device": agency, "sequence": n, "outcome": outcome,
            "value": None if value is None else Decimal(value), "answer": "", "note": "",
            "observed_at": at, "error_s": error_s, "received_at": at + timedelta(minutes=late),
            "ledger_seq": n, **more,
        }
    )  # fmt: skip


def line(condition, *observations, until=600, **more):
    as_of = START + timedelta(minutes=until)
    return timeline(ITEMS[condition], observations, TERMS, as_of, **more)


def states(one):
    return [span.state for span in one.spans]


def test_ceased_is_the_time_between_last_met_and_first_not_met() -> None:
    found = line(
        "F5", seen("F5", "met", 10), seen("F5", "met", 40), seen("F5", "not-met", 70), until=80
    )
    (ceased,) = found.cessations
    assert (ceased.last_met.ledger_seq, ceased.first_not_met.ledger_seq) == (40, 70)
    assert ceased.met_again is None
    assert found.state == "ceased"


def test_never_met_is_not_met_and_met_again_is_cured() -> None:
    found = line("F5", seen("F5", "not-met", 30), seen("F5", "met", 50), until=60)
    assert states(found) == ["not-due", "stale", "not-met", "cured"]
    assert found.cessations == ()


def test_a_block_of_what_must_be_open_at_all_times_is_ceased_without_a_met() -> None:
    found = line("R2", seen("R2", "not-met", 20), until=25)
    assert found.state == "ceased"
    assert found.cessations[0].last_met is None


def test_a_missed_cadence_is_stale_and_never_met() -> None:
    found = line("F5", seen("F5", "met", 10), until=100)
    assert states(found)[-2:] == ["met", "stale"]
    assert found.spans[-1].begins == START + timedelta(minutes=70)


def test_broken_stays_broken_when_nobody_looks() -> None:
    assert line("F5", seen("F5", "met", 10), seen("F5", "not-met", 20), until=500).state == "ceased"


def test_two_agencies_that_disagree_make_a_dispute_and_a_later_look_settles_it() -> None:
    both = [seen("F5", "met", 30), seen("F5", "not-met", 32, agency="fire-district")]
    assert line("F5", *both, until=40).state == "disputed"
    assert line("F5", *both, seen("F5", "not-met", 50), until=55).state == "ceased"
    assert (
        line("F5", both[0], seen("F5", "not-met", 45, agency="fire-district"), until=50).state
        == "ceased"
    )
    unsure = seen("F5", "not-met", 45, agency="fire-district", error_s=900)
    assert line("F5", both[0], unsure, until=50).state == "disputed"


def test_the_number_decides_against_the_tapped_answer() -> None:
    """T1 asks for ceil(1,250 / 300) = 5."""
    assert ITEMS["T1"].threshold.value == 5
    found = line("T1", seen("T1", "met", 10, value=5), seen("T1", "met", 20, value=4), until=30)
    assert found.state == "ceased"


@pytest.mark.parametrize(
    ("comparison", "value", "outcome"),
    [("at-least", 5, "met"), ("at-least", 4, "not-met"), ("at-most", 5, "met"),
     ("at-most", 6, "not-met"), ("equal", 5, "met"), ("equal", 6, "not-met"), ("none", 0, "met")],
)  # fmt: skip
def test_a_number_is_judged_at_its_bound(comparison, value, outcome) -> None:
    required = Required(value=5, unit="x", comparison=comparison, formula="5")
    assert judge(Decimal(value), required) == outcome


def test_what_was_known_at_a_time_leaves_out_what_came_later() -> None:
    late = seen("F5", "not-met", 30, late=120)
    before = line("F5", seen("F5", "met", 20), late, until=60)
    after = timeline(ITEMS["F5"], [seen("F5", "met", 20), late], TERMS, START + timedelta(minutes=60),
                     known_at=START + timedelta(minutes=200))  # fmt: skip
    assert (before.state, after.state) == ("met", "ceased")


def test_entry_denied_and_not_seen_decide_nothing_but_are_kept() -> None:
    found = line(
        "F5",
        seen("F5", "met", 10),
        seen("F5", "entry-denied", 20),
        seen("F5", "not-seen", 30),
        until=40,
    )
    assert found.state == "met"
    assert [why for _, why in found.set_aside] == ["entry was denied", "could not be seen"]


def test_a_correction_by_its_author_replaces_and_one_by_another_phone_does_not() -> None:
    wrong = seen("F5", "not-met", 20)
    right = seen("F5", "met", 21, corrects=wrong.id)
    assert line("F5", wrong, right, until=30).state == "met"
    stranger = seen("F5", "met", 21, corrects=wrong.id, agency="fire-district")
    assert line("F5", wrong, stranger, until=24).state == "disputed"


def test_quarantined_and_contested_items_decide_nothing() -> None:
    bad = [seen("F5", "not-met", 20, quarantined=True), seen("F5", "not-met", 21, contested=True)]
    assert line("F5", seen("F5", "met", 10), *bad, until=30).state == "met"


def test_a_waiver_needs_to_be_known_and_covers_its_time_only() -> None:
    order = Waiver(
        "F5", "Order 7", START + timedelta(minutes=30), START + timedelta(minutes=60), START
    )
    found = line("F5", seen("F5", "not-met", 10), until=80, waivers=[order])
    assert states(found) == ["not-due", "stale", "not-met", "waived", "not-met"]
    later = Waiver("F5", "Order 8", order.begins, order.ends, START + timedelta(days=1))
    assert "waived" not in states(line("F5", seen("F5", "not-met", 10), until=80, waivers=[later]))


NIGHTS = [  # a wall clock at the site, its UTC, and whether sound must be off
    ("just before midnight", datetime(2027, 6, 20, 5, 59, tzinfo=UTC), "no"),
    ("midnight", datetime(2027, 6, 20, 6, 0, 2, tzinfo=UTC), "yes"),
    ("a quarter to seven", datetime(2027, 6, 20, 12, 45, tzinfo=UTC), "yes"),
    ("seven", datetime(2027, 6, 20, 13, 0, 2, tzinfo=UTC), "no"),
    ("spring forward, 06:59 MDT", datetime(2027, 3, 14, 12, 59, tzinfo=UTC), "yes"),
    ("spring forward, 07:01 MDT", datetime(2027, 3, 14, 13, 1, tzinfo=UTC), "no"),
    ("fall back, 06:59 MST", datetime(2027, 11, 7, 13, 59, tzinfo=UTC), "yes"),
    ("fall back, 07:01 MST", datetime(2027, 11, 7, 14, 1, tzinfo=UTC), "no"),
    ("fall back, second 01:30", datetime(2027, 11, 7, 8, 30, tzinfo=UTC), "yes"),
]


@pytest.mark.parametrize(("name", "moment", "quiet"), NIGHTS, ids=[n[0] for n in NIGHTS])
def test_the_night_is_the_sites_own_across_daylight_saving(name, moment, quiet) -> None:
    one = seen("N2", "not-met", 0, observed_at=moment)
    assert in_quiet_hours(one, TERMS) == quiet


def test_a_clock_too_rough_for_midnight_is_undecided() -> None:
    one = seen("N2", "not-met", 0, observed_at=datetime(2027, 6, 20, 6, 2, tzinfo=UTC), error_s=420)
    assert in_quiet_hours(one, TERMS) == "undecided"
    found = timeline(ITEMS["N2"], [one], TERMS, END)
    assert found.state not in BROKEN
    assert "clock" in found.set_aside[0][1]


def test_days_are_seen_broken_or_only_possibly() -> None:
    found = timeline(ITEMS["F5"], [seen("F5", "not-met", 60)], TERMS, END)
    assert offences(found, TERMS).seen == (date(2027, 6, 19),)
    assert offences(found, TERMS).possible == (date(2027, 6, 20),)
    again = timeline(
        ITEMS["F5"], [seen("F5", "not-met", 60), seen("F5", "not-met", 1000)], TERMS, END
    )
    assert offences(again, TERMS).seen == (date(2027, 6, 19), date(2027, 6, 20))


def test_cleaning_up_ends_with_the_tenth_day_at_the_site() -> None:
    assert cleanup_deadline(TERMS) == datetime(2027, 7, 1, 6, tzinfo=UTC)  # midnight MDT
    november = LicenceTerms.model_validate(
        TERMS.model_dump()
        | {"starts": "2027-10-30T10:00:00-06:00", "ends": "2027-10-31T18:00:00-06:00"}
    )
    assert cleanup_deadline(november) == datetime(2027, 11, 11, 7, tzinfo=UTC)  # midnight MST


def test_place_is_undecided_when_the_circle_crosses_the_edge() -> None:
    square = {"type": "Polygon", "coordinates": [[[-116.7, 43.9], [-116.69, 43.9], [-116.69, 43.91],
                                                  [-116.7, 43.91], [-116.7, 43.9]]]}  # fmt: skip
    fix = lambda lon, m: Place(lat_e7=439_050_000, lon_e7=lon, accuracy_mm=m * 1000, age_ms=0)  # noqa: E731
    assert where(fix(-1_166_950_000, 10), square) == "inside"
    assert where(fix(-1_166_850_000, 10), square) == "outside"
    assert where(fix(-1_166_901_000, 10), square) == "undecided"  # 8 m from the edge
    assert where(fix(-1_166_901_000, 5), square) == "inside"


def test_gaps_are_counted_from_one() -> None:
    assert missing_numbers([3, 4, 7]) == [(1, 2), (5, 6)]
    back = [seen("F5", "met", 50, n=1), seen("F5", "met", 10, n=2)]
    assert [jump.back_by for jump in clock_jumps(back)] == [timedelta(minutes=40)]
    assert clock_jumps([seen("F5", "met", 50, n=1, error_s=3000), back[1]]) == []


# Laws

OBSERVATIONS = st.lists(
    st.builds(
        lambda minute, outcome, agency, error, late: (minute, outcome, agency, error, late),
        st.integers(-60, 2000), st.sampled_from(["met", "not-met", "not-seen", "entry-denied", "not-applicable"]),
        st.sampled_from(["sheriff", "fire-district"]), st.sampled_from([0, 1, 60, 600, 2_592_000]),
        st.integers(0, 2000),
    ),
    max_size=14,
).map(lambda rows: [
    seen(c, o, m, agency=a, error_s=e, late=l, n=n + 1)
    for n, (m, o, a, e, l) in enumerate(rows) for c in ("F5",)
])  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(observations=OBSERVATIONS, seed=st.integers(0, 2**16), until=st.integers(0, 2500))
def test_the_order_of_arrival_changes_nothing(observations, seed, until) -> None:
    """Two agencies, delays and skews: whatever comes first, one timeline comes out."""
    moved = list(observations)
    random.Random(seed).shuffle(moved)
    forever = START + timedelta(days=400)
    as_of = START + timedelta(minutes=until)
    assert timeline(ITEMS["F5"], observations, TERMS, as_of, known_at=forever) == timeline(
        ITEMS["F5"], moved + moved[:3], TERMS, as_of, known_at=forever
    )


@settings(max_examples=100, deadline=None)
@given(observations=OBSERVATIONS, until=st.integers(0, 2500))
def test_states_never_contradict_what_they_cite(observations, until) -> None:
    found = line("F5", *observations, until=until)
    by_id = {one.id: one for one in observations}
    says = {"met": {"met"}, "cured": {"met"}, "not-met": {"not-met"}, "ceased": {"not-met"},
            "not-applicable": {"not-applicable"}, "disputed": {"met", "not-met"}}  # fmt: skip
    for before, span in zip((None, *found.spans), found.spans, strict=False):
        assert before is None or before.ends == span.begins
        assert span.begins < span.ends
        outcomes = {outcome_of(found.item, by_id[i]) for i in span.because}
        assert outcomes <= says.get(span.state, outcomes)
        if span.state == "disputed":
            assert {"met", "not-met"} <= outcomes
    for ceased in found.cessations:
        if ceased.last_met is not None:
            assert ceased.last_met.observed_at <= ceased.first_not_met.observed_at
    assert all(one.received_at <= found.known_at for one in found.seen)


@settings(max_examples=60, deadline=None)
@given(observations=OBSERVATIONS, until=st.integers(0, 2500))
def test_a_met_is_never_older_than_its_cadence(observations, until) -> None:
    """F5 is due every hour of the event."""
    assert [c.minutes for c in ITEMS["F5"].cadences if c.minutes] == [60]
    found = line("F5", *observations, until=until)
    for span in found.spans:
        if span.state in {"met", "cured"}:
            last = max(one.observed_at for one in found.seen if one.id in span.because)
            aged = max(last, START) + timedelta(minutes=60)
            assert span.ends <= aged or aged >= END or span.begins >= END


@settings(max_examples=60, deadline=None)
@given(observations=OBSERVATIONS)
def test_every_ground_has_somebody_who_saw_it(observations) -> None:
    found = grounds([line("F5", *observations, until=2500)], TERMS)
    for ground in found:
        assert ground.supporting
        ids = {one.id for one in ground.supporting}
        assert not ids & {one.id for one in ground.opposing}
    if not any(o.outcome == "not-met" for o in observations):
        assert not found


def test_the_state_at_a_time_is_that_of_its_span() -> None:
    found = line("F5", seen("F5", "met", 10), seen("F5", "not-met", 30), until=60)
    assert state_at(found, START + timedelta(minutes=10)) == "met"
    assert state_at(found, START + timedelta(minutes=30)) == "ceased"


def test_a_cadence_of_the_bundled_licence_is_what_the_clause_table_says() -> None:
    assert Cadence(kind="at-all-times", minutes=30) in [
        c.model_copy(update={"set_by_text": False, "days_after": []}) for c in ITEMS["R2"].cadences
    ]


def test_the_core_is_pure() -> None:
    """What the README of the folder promises: no clock, file, network, Flask or database."""
    allowed = {"__future__", "collections", "dataclasses", "datetime", "decimal", "typing", "zoneinfo",
               "itertools", "math", "base64", "binascii", "hashlib", "pydantic", "cryptography",
               "site_eval", "inspect_web"}  # fmt: skip
    for path in Path(inspection.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            names = ([a.name for a in node.names] if isinstance(node, ast.Import)
                     else [node.module or ""] if isinstance(node, ast.ImportFrom) else [])  # fmt: skip
            assert {name.partition(".")[0] for name in names} <= allowed, path.name
            if isinstance(node, ast.Attribute):
                assert node.attr not in {"now", "today", "utcnow"}, path.name
