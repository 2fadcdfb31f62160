"""The written evening: what the record says of it, told beforehand by hand, and its files."""

import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from inspect_web import cli, packets
from inspect_web.evidence.verify import verify
from inspect_web.scenario import play, write_all
from inspect_web.scenario.evening import AS_OF, decide, run_until
from inspect_web.scenario.written import FILES, staged_store

EXAMPLE = Path(__file__).resolve().parents[2] / "data/examples/revocation"


def z(day: int, hour: int, minute: int = 0) -> str:
    """A time at the site (UTC−6), as records write it."""
    moment = datetime(2027, 6, day + (hour + 6) // 24, (hour + 6) % 24, minute, tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenario")
    write_all(folder / "out", folder / "home")
    return folder / "out"


@pytest.fixture(scope="module")
def told(out):
    return json.loads((out / "timeline.json").read_text())


def condition(told, id_):
    return next(one for one in told["conditions"] if one["id"] == id_)


def since(told, id_, begins):
    """The states from *begins* on, each with its beginning."""
    spans = condition(told, id_)["spans"]
    return [(s["state"], s["begins"]) for s in spans if s["begins"] and s["begins"] >= begins]


def looks(told, id_):
    return {one["entry"]: one for one in condition(told, id_)["looks"]}


def test_the_exit_ceased_twice_and_the_second_time_came_to_light_late(told) -> None:
    assert since(told, "R2", z(19, 21)) == [
        ("ceased", z(19, 21, 10)), ("cured", z(19, 21, 55)),
        ("ceased", z(19, 22, 20)), ("cured", z(20, 1, 35)),
    ]  # fmt: skip
    by = looks(told, "R2")
    found = [tuple(by[c[k]]["observed_at"] for k in ("last_met", "first_not_met", "met_again"))
             for c in condition(told, "R2")["ceased"]]  # fmt: skip
    assert found == [
        (z(19, 20, 40), z(19, 21, 10), z(19, 21, 55)),
        (z(19, 21, 55), z(19, 22, 20), z(20, 1, 35)),
    ]
    late = [one for one in by.values() if one["received_at"] == z(20, 1, 5)]
    assert [one["observed_at"] for one in late] == [z(19, 22, 20), z(19, 22, 45)]


def test_at_2340_the_county_knew_of_the_toilets_and_not_of_the_exit(told) -> None:
    differs = {row[0]: row[1:3] for row in told["asked"]["differs"]}
    assert told["asked"]["known_at"] == z(19, 23, 40)
    assert differs["R2"] == ["stale", "ceased"]
    assert "T1" not in differs
    assert "N2" not in differs


def test_toilets_fell_below_the_number_and_nobody_saw_them_cured(told) -> None:
    """ceil(1,250 females / 300) = 5; four were counted."""
    assert since(told, "T1", z(19, 22)) == [("ceased", z(19, 23))]
    assert condition(told, "T1")["days_seen_broken"] == ["2027-06-19"]
    assert condition(told, "T1")["days_possibly_broken"] == ["2027-06-20"]


def test_sound_counts_after_midnight_by_the_corrected_clock_alone(told) -> None:
    """The phone's own clock said 00:03 when it was 23:56."""
    (aside,) = condition(told, "N2")["set_aside"]
    assert looks(told, "N2")[aside[0]]["observed_at"] == z(19, 23, 56)
    assert looks(told, "N2")[aside[0]]["clock_corrected_by_s"] == "-420"
    assert "outside the hours" in aside[1]
    assert since(told, "N2", z(19, 23))[0] == ("not-met", z(20, 0, 20))
    assert condition(told, "N2")["days_seen_broken"] == ["2027-06-20"]


def test_two_agencies_that_disagree_make_no_ceased(told) -> None:
    assert since(told, "G1", z(19, 22)) == [("disputed", z(19, 22, 30))]
    assert condition(told, "G1")["ceased"] == []
    assert condition(told, "G1")["days_seen_broken"] == []


def test_what_the_record_lacks_is_told(told) -> None:
    gaps = [f"{kind}: {text}" for kind, text in told["gaps"]]
    assert any("fire's phone" in g and "no. 3 had not arrived" in g for g in gaps)
    assert sum(g.startswith("missing photograph") for g in gaps) == 1
    assert any(g.startswith("clock corrected") and "420 s fast" in g for g in gaps)
    assert any(g.startswith("set aside") and "entry was denied" in g for g in gaps)
    assert any(g.startswith("undecided place: R2") for g in gaps)


def test_after_the_confirmed_decision_a_phone_is_told(told) -> None:
    assert told["licence_state"] == "in-force"  # when the packet was made
    assert told["decision"]["phones_are_told"] == "revoked"


def test_a_notice_stands_beside_its_cure_and_the_time_it_gave(out) -> None:
    text = pdf_text(out / "packet.pdf")
    assert "Seen met 2027-06-19 21:55 (№ 27), 10 min after the time to cure." in text
    assert "Seen met 2027-06-20 01:35 (№ 46), 5 min after the time to cure." in text
    assert "Nobody saw it met after the notice, as known 2027-06-20 02:00." in text


def pdf_text(path):
    pages = PdfReader(io.BytesIO(path.read_bytes())).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def test_every_number_in_the_packet_leads_to_an_entry_of_the_bundle(out) -> None:
    page = (out / "packet.html").read_text()
    linked = set(re.findall(r'href="#entry-(\d+)"', page))
    described = set(re.findall(r'<tr id="entry-(\d+)"><td>№', page))
    assert linked
    assert linked <= described
    words = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    assert not re.findall(r"№ \d+(?!\d|</a>|</td>)", words)
    reader = PdfReader(io.BytesIO((out / "packet.pdf").read_bytes()))
    links = [
        a
        for p in reader.pages
        for a in p.get("/Annots", [])
        if a.get_object()["/Subtype"] == "/Link"
    ]
    assert len(links) >= len(linked)


def test_the_page_asks_nothing_of_the_network(out) -> None:
    page = (out / "packet.html").read_text()
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', page)
    assert "<script" not in page


def test_the_bundle_is_whole_and_holds_the_same_packet(out, tmp_path) -> None:
    import zipfile

    report = verify(out / "bundle.zip")
    assert (report.whole, report.items, report.photos) == (True, 30, 7), report.faults
    assert len(report.not_arrived) == 1
    with zipfile.ZipFile(out / "bundle.zip") as bag:
        assert bag.read("data/packet.pdf") == (out / "packet.pdf").read_bytes()


def test_told_twice_it_is_the_same_but_for_what_the_county_draws_at_random(told, tmp_path) -> None:
    again = write_all(tmp_path / "out", tmp_path / "home")
    assert json.loads(json.dumps(again)) == told


def test_the_committed_example_tells_the_same_story(told) -> None:
    """Hashes of drawn pictures differ with the encoder, states and entries do not."""
    kept = json.loads((EXAMPLE / "timeline.json").read_text())
    for one in (kept, told):
        for each in one["conditions"]:
            for look in each["looks"]:
                look["photos"] = len(look["photos"])
        one["gaps"] = [kind for kind, _ in one["gaps"]]
    assert kept == told
    assert verify(EXAMPLE / "bundle.zip").whole
    assert (EXAMPLE / "packet.pdf").stat().st_size < 1_000_000


def test_one_command_writes_it_all(tmp_path) -> None:
    done = CliRunner().invoke(cli.inspect_web, ["scenario", "--out", str(tmp_path / "s")])
    assert done.exit_code == 0, done.output
    assert {p.name for p in (tmp_path / "s").iterdir()} == set(FILES)
    assert "T1, R2, N2" in done.output


class AfterTheEvent(datetime):
    """The clock of the command, in the summer of the story."""

    @classmethod
    def now(cls, tz=None):
        return datetime(2027, 6, 21, tzinfo=tz)


def test_what_was_known_is_told_on_the_command_line(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    store = staged_store(tmp_path / "home")
    story = play(store)
    decide(story)
    store.engine.dispose()
    monkeypatch.setattr(cli, "datetime", AfterTheEvent)
    asked = ["known", "--home", str(tmp_path / "home"), "2027-01", "--at"]
    then = CliRunner().invoke(cli.inspect_web, [*asked, "2027-06-19T23:40"])
    assert re.search(r"T1 +ceased", then.output), then.output
    assert re.search(r"later: R2 was ceased \(known then as stale\); № 42, № 44", then.output)
    bad = CliRunner().invoke(cli.inspect_web, [*asked, "yesterday"])
    assert "2027-06-19T23:40" in str(bad.exception)


def test_what_is_known_later_never_leaks_into_what_was_known(tmp_path) -> None:
    """The packet as of 02:00, asked for after the decision, says what it said at 02:00."""
    store = staged_store(tmp_path / "home")
    story = play(store)
    with store.read() as connection:
        then = packets.gather(store, connection, story.licence, AS_OF)
    decide(story)
    run_until(story, datetime(2027, 6, 21, tzinfo=UTC))
    with store.read() as connection:
        again = packets.gather(store, connection, story.licence, story.clock.now, as_of=AS_OF)
    store.engine.dispose()
    assert again.licence.state == "in-force"
    assert packets.timeline_data(again)["conditions"] == packets.timeline_data(then)["conditions"]
    assert again.photos_missing == then.photos_missing
    assert again.acts == then.acts
