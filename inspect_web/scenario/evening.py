"""The evening of 19 June 2027 at the bundled festival: who saw what, when, and when it arrived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask

from inspect_web import demo
from inspect_web.app import create_app
from inspect_web.scenario.phone import (
    Phone,
    enrol,
    own_state,
    record,
    send,
    staged_key,
    upload,
)
from inspect_web.scenario.pictures import exit_road, stage, toilets
from inspect_web.store import accounts, acts, devices, licences
from inspect_web.store.accounts import Account
from inspect_web.store.database import Store

Look = tuple[datetime, str, str, str, dict[str, Any]]
SITE = ZoneInfo("America/Boise")
SECRET = "no session of this story outlives it"  # noqa: S105 - signs cookies of a throw-away store


def site_time(day: int, hour: int, minute: int = 0) -> datetime:
    """A time of June 2027 by the clocks at the site."""
    return datetime(2027, 6, day, hour, minute, tzinfo=SITE).astimezone(UTC)


ENROLLED = site_time(19, 8, 30)
AS_OF = site_time(20, 2)  # when the packet is asked for
DECIDED = site_time(20, 2, 30)
BACK_ON_AIR = {"roads": site_time(20, 1, 5), "fire": site_time(20, 0, 50)}
AFTER_THE_PACKET = site_time(20, 2, 20)
SHERIFF_FAST_S = 7 * 60

EXIT = {"lat_e7": 439_323_600, "lon_e7": -1_166_725_500, "accuracy_mm": 6_000, "age_ms": 800}
EXIT_ROUGH = EXIT | {"lon_e7": -1_166_723_600, "accuracy_mm": 14_000}
TOILETS = {"lat_e7": 439_320_900, "lon_e7": -1_166_749_000, "accuracy_mm": 8_000, "age_ms": 600}
GATE = {"lat_e7": 439_311_800, "lon_e7": -1_166_773_000, "accuracy_mm": 9_000, "age_ms": 700}
STAGE = {"lat_e7": 439_333_900, "lon_e7": -1_166_756_000, "accuracy_mm": 7_000, "age_ms": 500}
CAMP = {"lat_e7": 439_338_000, "lon_e7": -1_166_738_000, "accuracy_mm": 10_000, "age_ms": 900}


@dataclass
class Clock:
    """The county's clock in the story."""

    now: datetime


@dataclass
class Played:
    """The story as it stands at ``clock.now``, and what is still to happen."""

    store: Store
    app: Flask
    clock: Clock
    licence: str
    people: dict[str, Account]
    phones: dict[str, Phone]
    told: dict[str, Any] = field(default_factory=dict)
    later: list[tuple[datetime, int, Callable[[], object]]] = field(default_factory=list)


def play(store: Store) -> Played:
    """Play everything that arrived by ``AS_OF`` into the empty *store*, over the device API."""
    story = _opened(store)
    for at, who, condition, finding, more in _seen():
        _look(story, at, who, condition, finding, **more)
    for at, deed in _acts(story):
        _at(story, at, deed)
    run_until(story, AS_OF)
    return story


def run_until(story: Played, moment: datetime) -> None:
    """Let everything happen that is due by *moment*, in the order of its arrival."""
    due = sorted((one for one in story.later if one[0] <= moment), key=lambda one: one[:2])
    story.later = [one for one in story.later if one[0] > moment]
    for at, _, deed in due:
        story.clock.now = at
        deed()
    story.clock.now = moment


def decide(story: Played) -> dict[str, Any]:
    """The night's end: a late item, a motion, its confirmation, and what a phone is told of it."""
    run_until(story, DECIDED)
    with story.store.write() as connection:
        motion = acts.move(
            connection, story.licence, story.people["board"], DECIDED, choice="revoke",
            motion="To revoke license 2027-01 under Section 9.", vote="2 for, 1 against",
            reasons="The emergency exit was blocked a second time after a notice (R2). The Board "
            "takes no finding on the guards (G1), on which two agencies disagree.",
        )  # fmt: skip
    confirmed = site_time(20, 2, 36)
    with story.store.write() as connection:
        acts.confirm(
            connection, story.licence, story.people["chair"], confirmed, motion=motion["id"]
        )
    story.clock.now = site_time(20, 2, 40)
    state = own_state(story.phones["roads"], story.clock.now)["licence_state"]
    return {"motion": motion["seq"], "phones_are_told": state}


def _opened(store: Store) -> Played:
    clock = Clock(ENROLLED)
    demo.fill(store, ENROLLED, running=False)
    app = create_app(store, secret=SECRET, demo=True, clock=lambda: clock.now)
    with store.read() as connection:
        (licence,) = licences.everyone(connection)
        people = {one.login: one for one in accounts.everyone(connection)}
    story = Played(store, app, clock, licence.id, people, {})
    for who in ("coordinator", "sheriff", "health", "roads", "fire"):
        fast = SHERIFF_FAST_S if who == "sheriff" else 0
        phone = Phone(f"{who}'s phone", app.test_client(), staged_key(who), fast_s=fast)
        with store.write() as connection:
            token = devices.new_link(connection, people[who].id, licence.id, ENROLLED)
        enrol(phone, token, ENROLLED)
        story.phones[who] = phone
    return story


def _at(story: Played, moment: datetime, deed: Callable[[], object]) -> None:
    story.later.append((moment, len(story.later), deed))


def _look(
    story: Played, at: datetime, who: str, condition: str, finding: str, *,
    arrives: datetime | None = None, lose_photo: bool = False, **more: Any,
) -> None:  # fmt: skip
    """Sign it now; send it when there is signal, the photographs after it."""
    phone = story.phones[who]
    envelope = record(phone, condition, finding, at, **more)
    when = arrives or at

    def deliver() -> None:
        send(phone, envelope)
        for photo in () if lose_photo else more.get("photos", ()):
            upload(phone, photo, when)

    _at(story, when, deliver)


def _seen() -> list[Look]:
    """Every look of the story: when, who, at which condition, what was found."""
    day, evening, night = _by_day(), _in_the_evening(), _at_night()
    return sorted(day + evening + night, key=lambda one: one[0])


def _by_day() -> list[Look]:
    open_road = exit_road(0, "19 June, 09:20: the emergency exit is open.")
    looks: list[Look] = [
        (site_time(19, 9, 10), "coordinator", "L1", "met", {"place": GATE}),
        (site_time(19, 9, 20), "roads", "R2", "met", {"place": EXIT, "photos": (open_road,)}),
        (site_time(19, 9, 40), "sheriff", "G1", "met", _counted(10, "guards", GATE)),
    ]
    looks += [
        (site_time(19, hour), "health", "T1", "met", _counted(5, "toilets", TOILETS))
        for hour in (9, 13, 17, 21)
    ]
    return looks + [
        (site_time(19, hour, minute), "roads", "R2", "met", {"place": EXIT})
        for hour, minute in ((18, 40), (19, 10), (19, 40), (20, 10), (20, 40))
    ]


def _in_the_evening() -> list[Look]:
    blocked = exit_road(3, "19 June, 21:10: three cars stand in the emergency exit.")
    cleared = exit_road(0, "19 June, 21:55: the emergency exit is clear again.")
    again = exit_road(2, "19 June, 22:20: two cars stand in the emergency exit.")
    lost = exit_road(2, "19 June, 22:45: the cars are still there.")
    late = {"arrives": BACK_ON_AIR["roads"]}
    return [
        (site_time(19, 21), "fire", "F5", "met", {"place": CAMP}),
        (site_time(19, 21, 10), "roads", "R2", "not-met", {
            "place": EXIT, "photos": (blocked,), "note": "Three cars across the exit, no drivers."}),
        (site_time(19, 21, 30), "roads", "R2", "not-met", {
            "place": EXIT_ROUGH, "note": "Still blocked. A tow truck is called."}),
        (site_time(19, 21, 35), "sheriff", "G1", "met", _counted(10, "guards", GATE)),
        (site_time(19, 21, 55), "roads", "R2", "met", {
            "place": EXIT, "photos": (cleared,), "note": "Looked again after the notice. Clear."}),
        (site_time(19, 22, 20), "roads", "R2", "not-met", {
            "place": EXIT, "photos": (again,), "note": "Two other cars. No signal here.", **late}),
        (site_time(19, 22, 30), "sheriff", "G1", "not-met", _counted(9, "guards", GATE)),
        (site_time(19, 22, 33), "coordinator", "G1", "met", _counted(10, "guards", GATE)),
        (site_time(19, 22, 40), "fire", "F5", "met", {"place": CAMP, "arrives": BACK_ON_AIR["fire"]}),
        (site_time(19, 22, 45), "roads", "R2", "not-met", {
            "place": EXIT, "photos": (lost,), "lose_photo": True, "note": "Still there.", **late}),
        (site_time(19, 22, 50), "coordinator", "E1", "entry-denied", {
            "place": STAGE, "note": "Refused at the gate behind the stage; no name was given."}),
    ]  # fmt: skip


def _at_night() -> list[Look]:
    closed = toilets(4, 1, "19 June, 23:00: four fit for use, one closed off.")
    music = stage(True, "20 June, 00:20: the main stage is lit and playing.")
    clear = exit_road(0, "20 June, 01:35: the emergency exit is clear.")
    return [
        (site_time(19, 23), "health", "T1", "not-met", {
            **_counted(4, "toilets", TOILETS), "photos": (closed,),
            "note": "One unit is overflowing and was closed."}),
        (site_time(19, 23), "fire", "F5", "met", {"place": CAMP, "arrives": AFTER_THE_PACKET}),
        (site_time(19, 23, 30), "fire", "F5", "met", {"place": CAMP, "arrives": BACK_ON_AIR["fire"]}),
        (site_time(19, 23, 56), "sheriff", "N2", "not-met", {
            "place": STAGE, "note": "Music is playing."}),
        (site_time(20, 0, 20), "sheriff", "N2", "not-met", {
            "place": STAGE, "photos": (music,), "note": "A band is playing through loudspeakers."}),
        (site_time(20, 0, 55), "sheriff", "N2", "met", {"place": STAGE, "note": "Sound is off."}),
        (site_time(20, 1, 35), "roads", "R2", "met", {
            "place": EXIT, "photos": (clear,), "note": "Looked again after the second notice."}),
    ]  # fmt: skip


def _counted(count: int, unit: str, place: dict[str, int]) -> dict[str, Any]:
    return {"count": count, "unit": unit, "place": place}


def _acts(story: Played) -> list[tuple[datetime, Callable[[], object]]]:
    """What the office writes down: two notices for the exit, one for the toilets, the replies."""
    return [
        (at, partial(_write_down, story, at, name, **said))
        for at, name, said in (
            (site_time(19, 21, 15), "exit", {
                "condition": "R2", "how": "in person", "cure_by": site_time(19, 21, 45),
                "text": "Cars stand in the emergency exit. Remove them."}),
            (site_time(19, 21, 20), "exit", {
                "text": "They are being towed; an attendant will stay there."}),
            (site_time(19, 23, 10), "toilets", {
                "condition": "T1", "how": "by telephone and text message",
                "cure_by": site_time(20, 0, 30),
                "text": "Four toilets for females are fit for use; five are needed."}),
            (site_time(19, 23, 25), "toilets", {"text": "The pump truck is on its way."}),
            (site_time(20, 1, 10), "again", {
                "condition": "R2", "how": "in person", "cure_by": site_time(20, 1, 30),
                "text": "The emergency exit was blocked again from 22:20. Keep it open."}),
        )
    ]  # fmt: skip


def _write_down(story: Played, at: datetime, name: str, *, text: str, **notice: Any) -> None:
    """A notice when it says for which condition, otherwise the reply to the one of that name."""
    by = story.people["coordinator"]
    with story.store.write() as connection:
        if not notice:
            acts.note_reply(
                connection, story.licence, by, at, notice=story.told[name], said_by="Pat Promoter",
                text=text,
            )  # fmt: skip
            return
        story.told[name] = acts.serve_notice(
            connection, story.licence, by, at, served_on="Pat Promoter, for the licensee",
            served_at=at, text=text, **notice,
        )["id"]  # fmt: skip
