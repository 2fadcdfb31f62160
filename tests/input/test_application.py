"""An application is read whole, and every fault of it is told at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, time
from pathlib import Path

import pytest

from site_eval.application import Application, known_paths, read_application, value_at
from site_eval.errors import ManyErrors, SiteEvalError

Write = Callable[..., Path]


def test_values_are_found_by_their_dotted_path(application_file: Write) -> None:
    app = read_application(
        application_file(
            '[plan.toilets]\nfemale = 5\n[[approval]]\nagency = "sheriff"\n[[approval]]\nagency = "board"\n'
        )
    )
    assert value_at(app, "plan.toilets.female") == 5
    assert value_at(app, "plan.toilets.male") is None
    assert value_at(app, "approval.agency") == ("sheriff", "board")
    assert value_at(app, "approval.file") is None
    assert value_at(app, "insurance.amount_usd") is None
    with pytest.raises(KeyError):
        value_at(app, "plan.toilets.femal")


def test_every_known_path_can_be_asked_of_the_smallest_application(application_file: Write) -> None:
    app = read_application(application_file())
    assert {"plan.toilets.female", "bond.amount_usd", "land.owner_consent"} <= known_paths()
    for path in known_paths():
        value_at(app, path)


def test_an_ordinance_may_ask_for_more_than_the_schema_knows(application_file: Write) -> None:
    path = application_file(
        "[plan.showers]\nheads = 24\n[plan.toilets]\nfemale = 5\nwash_basins = 6\n"
    )
    with pytest.raises(ManyErrors, match="there is no key 'showers' here"):
        read_application(path)
    app = read_application(path, also=["plan.showers.heads", "plan.toilets.wash_basins"])
    assert value_at(app, "plan.showers.heads") == 24
    assert value_at(app, "plan.toilets.wash_basins") == 6
    assert app.as_read()["plan"] == {
        "showers": {"heads": 24},
        "toilets": {"female": 5, "wash_basins": 6},
    }


def test_local_time_is_read_in_the_events_zone(application_file: Write) -> None:
    app = read_application(application_file())
    assert app.event.starts.astimezone(UTC) == datetime(2027, 6, 19, 16, tzinfo=UTC)
    assert app.as_read()["event"]["starts"] == "2027-06-19T10:00:00-06:00"
    assert app.event.calendar_days == 2


def test_midnight_may_be_written_as_the_end_of_a_day(application_file: Write) -> None:
    app = read_application(
        application_file('[plan.amplification]\nhours = [["12:00", "24:00"], ["12:00", "00:30"]]\n')
    )
    assert [end for _start, end in app.plan.amplification.hours] == [time(0, 0), time(0, 30)]


def test_first_arrival_counts_as_the_assembly(application_file: Write) -> None:
    app = read_application(
        application_file(**{"[attendance]": "first_arrival = 2027-06-18T15:00:00\n[attendance]"})
    )
    assert app.event.assembles.date().isoformat() == "2027-06-18"
    assert app.event.calendar_days == 3


def test_as_read_is_json_and_names_files_as_the_application_does(
    application_file: Write, tmp_path: Path
) -> None:
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / "water.md").write_text("water")
    app = read_application(application_file('[plan.water]\nplan = "plans/water.md"\n'))
    text = json.dumps(app.as_read())
    assert '"plans/water.md"' in text
    assert str(tmp_path) not in text
    assert app.documents() == {"plan.water.plan": tmp_path / "plans" / "water.md"}


def test_schema_is_json() -> None:
    schema = Application.model_json_schema()
    assert json.loads(json.dumps(schema))["required"] == ["event", "attendance", "land"]


def replaced(old: str, new: str) -> dict[str, str]:
    return {old: new}


STARTS = "starts = 2027-06-19T10:00:00"
ZONE = 'time_zone = "America/Boise"'
# name: what is replaced, what is added, the error's code, what the sentence says.
CASES: dict[str, tuple[dict[str, str], str, str, str]] = {
    "not TOML": ({"[event]": "[event"}, "", "application.toml", "line 2"),
    "key given twice": ({ZONE: f"{ZONE}\n{ZONE}"}, "", "application.toml", "cannot overwrite"),
    "no event": ({"[event]": "[venue]"}, "", "application.missing-key", "'event' is missing"),
    "no name": ({'name = "Example Fair"': ""}, "", "application.missing-key", "event.name"),
    "no land": ({"[[land]]": "[[bond]]"}, "", "application.missing-key", "'land' is missing"),
    "land is a table, not a list": ({"[[land]]": "[land]"}, "", "application.wrong-type", "a list"),
    "unknown table": ({}, "[plans.water]\n", "application.unknown-key", "perhaps 'plan' is meant"),
    "unknown key": ({}, "[plan.toilets]\nfemales = 3\n", "application.unknown-key", "perhaps 'female'"),
    "unknown key, nothing near": ({}, "[filing]\nzzz = 1\n", "application.unknown-key", "use one of: board_meeting"),
    "number in quotes": ({"maximum = 500": 'maximum = "500"'}, "", "application.wrong-type", "a whole number"),
    "half a person": ({"maximum = 500": "maximum = 500.5"}, "", "application.wrong-type", "a whole number"),
    "true for a number": ({"maximum = 500": "maximum = true"}, "", "application.wrong-type", "a whole number"),
    "nobody": ({"maximum = 500": "maximum = 0"}, "", "application.out-of-range", "more than 0"),
    "minus stalls": ({}, "[plan.parking]\nstalls = -1\n", "application.out-of-range", "at least 0"),
    "infinite water": ({}, "[plan.water]\ndrinking_gallons_per_day = inf\n", "application", "drinking_gallons"),
    "not a number": ({}, "[plan.lighting]\npower_kw = nan\n", "application", "power_kw"),
    "yes for true": ({}, '[plan.waste]\ncans_tight_lids = "yes"\n', "application.wrong-type", "true or false"),
    "kind of applicant": ({}, '[applicant]\nkind = "company"\n', "application.wrong-value", "'corporation'"),
    "more men and women than people": (
        {"maximum = 500": "maximum = 500\nfemale = 300\nmale = 300"}, "", "application.contradiction", "600 people",
    ),
    "more sleepers than people": (
        {"maximum = 500": "maximum = 500\novernight = 501"}, "", "application.contradiction", "501 stay overnight",
    ),
    "ends before it starts": (
        {"ends = 2027-06-20T18:00:00": "ends = 2027-06-18T18:00:00"}, "", "application.contradiction", "ends before",
    ),
    "lasts for years": (
        {"ends = 2027-06-20T18:00:00": "ends = 2037-06-20T18:00:00"}, "", "application.contradiction", "a year",
    ),
    "unknown zone": ({"America/Boise": "America/Bose"}, "", "application.time", "perhaps 'America/Boise'"),
    "time without a zone": ({ZONE: ""}, "", "application.time", "no UTC offset"),
    "hour that the clocks skip": (
        {STARTS: "starts = 2027-03-14T02:30:00"}, "", "application.time", "does not exist in America/Boise",
    ),
    "hour that comes twice": (
        {STARTS: "starts = 2026-11-01T01:30:00"}, "", "application.time", "comes twice",
    ),
    "offset of another season": (
        {STARTS: "starts = 2027-06-19T10:00:00-07:00"}, "", "application.time", "is not America/Boise's",
    ),
    "day without a time": ({STARTS: "starts = 2027-06-19"}, "", "application.time", "a day without a time"),
    "time in words": ({STARTS: 'starts = "noon"'}, "", "application.time", "not a date and time"),
    "hours of the day": ({}, '[plan.amplification]\nhours = [["noon", "23:00"]]\n', "application.time", "a time of day"),
    "three hours for a pair": (
        {}, '[plan.amplification]\nhours = [["10:00", "11:00", "12:00"]]\n', "application.wrong-type", "a pair of times",
    ),
    "hours for three of two days": (
        {"[attendance]": 'daily_hours = [["01:00", "02:00"], ["01:00", "02:00"], ["01:00", "02:00"]]\n[attendance]'},
        "", "application.contradiction", "3 pairs for 2 calendar days",
    ),
    "file that is not there": ({}, '[plan.fire]\nplan = "fire.pdf"\n', "application.file", "'fire.pdf' is not there"),
    "file that is a folder": ({}, '[plan.fire]\nplan = "."\n', "application.file", "is a folder"),
    "file that is a number": ({}, "[plan.fire]\nplan = 7\n", "application.file", "is not a file name"),
    "land without a place": (
        {'description = "S½NE¼ Sec. 22, T. 7 N., R. 3 W., Boise Meridian"': 'owner = "x"'},
        "", "application.missing-key", "nothing says where this land is",
    ),
    "day of an approval": (
        {}, '[[approval]]\nagency = "sheriff"\ndate = "soon"\n', "application.time", "approval 1, date",
    ),
}  # fmt: skip


# Cases whose one slip makes several keys wrong.
MORE_FAULTS = {"no event": 5, "no land": 3, "time without a zone": 2}


@pytest.mark.parametrize("name", CASES)
def test_bad_application_is_refused_in_one_sentence(name: str, application_file: Write) -> None:
    replace, extra, code, phrase = CASES[name]
    with pytest.raises(SiteEvalError) as caught:
        read_application(application_file(extra, **replace))
    faults = caught.value.errors if isinstance(caught.value, ManyErrors) else (caught.value,)
    hit = [fault for fault in faults if phrase in str(fault)]
    assert hit, f"{phrase!r} is not in {[str(f) for f in faults]}"
    assert len(faults) == MORE_FAULTS.get(name, 1), [str(f) for f in faults]
    assert hit[0].code.startswith(code)
    assert str(hit[0]).count("\n") == 0


@pytest.mark.parametrize(
    ("content", "phrase"),
    [
        (b"", "is empty"),
        (b"\xff\xfe[\0", "not UTF-8"),
        (b"PK\x03\x04\0\0", "not TOML"),
        (b"[" * 9000, "not TOML"),
    ],
)
def test_files_that_are_no_application(content: bytes, phrase: str, tmp_path: Path) -> None:
    path = tmp_path / "application.toml"
    path.write_bytes(content)
    with pytest.raises(SiteEvalError, match=phrase):
        read_application(path)


def test_all_faults_are_told_at_once(application_file: Write) -> None:
    path = application_file(
        '[plan.toilets]\nfemal = 1\nmale = -2\n[[bond]]\nkind = "cash"\n',
        **{"maximum = 500": 'maximum = "x"'},
    )
    with pytest.raises(ManyErrors) as caught:
        read_application(path)
    assert len(caught.value.errors) == 4
    assert len(str(caught.value).splitlines()) == 4
