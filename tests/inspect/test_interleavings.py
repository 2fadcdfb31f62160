"""Two agencies, no signal, clocks that are wrong: whatever arrives first, one timeline comes out.

``INTERLEAVINGS`` says how many runs are tried; each draws up to forty steps.
"""

import os
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from inspect_web.inspection.checklist import outcome_of
from inspect_web.inspection.compliance import timeline
from inspect_web.inspection.observation import (
    Clock,
    Given,
    Item,
    Observation,
    number_in,
    observed_time,
    write_instant,
)
from tests.inspect.test_compliance import ITEMS, TERMS

RUNS = int(os.environ.get("INTERLEAVINGS", "150"))
START = datetime(2027, 6, 19, 16, tzinfo=UTC)
PHONES = ("sheriff", "road-director", "coordinator")
CONDITIONS = ("R2", "F5", "T1", "N2")
FOREVER = START + timedelta(days=400)
AGAINST = {"met": {"not-met"}, "cured": {"not-met"}, "not-met": {"met"}, "ceased": {"met"},
           "not-applicable": {"met", "not-met"}}  # fmt: skip


class Evening(RuleBasedStateMachine):
    """Phones write items; two counties receive them, each in an order of its own."""

    @initialize(
        skew_s=st.tuples(*[st.integers(-2_592_000, 2_592_000) for _ in PHONES]),
        error_s=st.tuples(*[st.sampled_from([0, 2, 60, 600]) for _ in PHONES]),
    )
    def phones(self, skew_s, error_s):
        self.skew_s, self.error_s = (
            dict(zip(PHONES, skew_s, strict=True)),
            dict(zip(PHONES, error_s, strict=True)),
        )
        self.now, self.made = START, 0
        self.queues = {(county, phone): [] for county in (0, 1) for phone in PHONES}
        self.received = [[], []]

    @rule(minutes=st.integers(0, 90))
    def time_passes(self, minutes):
        self.now += timedelta(minutes=minutes)

    @rule(
        phone=st.sampled_from(PHONES), condition=st.sampled_from(CONDITIONS),
        finding=st.sampled_from(["met", "not-met", "not-seen", "entry-denied", "not-applicable"]),
        count=st.sampled_from([None, 4, 5]), wrong=st.floats(-1, 1), corrects=st.booleans(),
    )  # fmt: skip
    def look(self, phone, condition, finding, count, wrong, corrects):
        """The phone's clock is off by its skew; what it measured of that is wrong by its error."""
        self.made += 1
        left_over = round(wrong * self.error_s[phone])
        own = [i for i, _ in self.queues[0, phone] if i.item_id == condition]
        item = Item(
            id=f"00000000-0000-0000-0000-{self.made:012d}", device_id=phone, seq=self.made, prev="",
            licence_id="L", checklist_version=1, item_id=condition, finding=finding,
            answer=Given(kind="count" if count else "yes-no", value=str(count or ""), unit=""),
            note="", observed_at=write_instant(self.now + timedelta(seconds=self.skew_s[phone])),
            clock=Clock(elapsed_ms=0, offset_ms=1000 * (left_over - self.skew_s[phone]),
                        error_ms=1000 * self.error_s[phone]),
            place=None, photos=[], corrects=own[-1].id if corrects and own else "",
        )  # fmt: skip
        for county in (0, 1):
            self.queues[county, phone].append((item, self.now))

    @rule(county=st.sampled_from([0, 1]), phone=st.sampled_from(PHONES), which=st.integers(0, 50))
    def one_arrives(self, county, phone, which):
        queue = self.queues[county, phone]
        if queue:
            self._receive(county, phone, queue.pop(which % len(queue))[0])

    @rule(county=st.sampled_from([0, 1]), phone=st.sampled_from(PHONES), backwards=st.booleans())
    def signal_is_back(self, county, phone, backwards):
        queue, self.queues[county, phone] = self.queues[county, phone], []
        for item, _ in reversed(queue) if backwards else queue:
            self._receive(county, phone, item)

    def _receive(self, county, phone, item):
        kept = self.received[county]
        kept.append(
            Observation(
                id=item.id, condition=item.item_id, agency=phone, author=phone, device=phone,
                sequence=item.seq, outcome=item.finding, value=number_in(item.answer),
                answer=item.answer.value, note="", observed_at=observed_time(item),
                error_s=item.clock.error_ms / 1000, received_at=self.now, ledger_seq=len(kept) + 1,
                corrects=item.corrects,
            )
        )  # fmt: skip

    @invariant()
    def the_corrected_time_is_true_to_its_error(self):
        for queue in self.queues.values():
            for item, true in queue:
                off = abs((observed_time(item) - true).total_seconds())
                assert off <= item.clock.error_ms / 1000 + 0.001

    @invariant()
    def states_never_contradict_what_was_seen(self):
        for kept in self.received:
            for condition in CONDITIONS:
                _consistent(timeline(ITEMS[condition], kept, TERMS, self.now))

    @invariant()
    def what_was_known_at_a_time_never_changes(self):
        for kept in self.received:
            for condition in CONDITIONS:
                half = kept[: len(kept) // 2]
                then = max((o.received_at for o in half), default=START)
                late = [o for o in kept if o.received_at > then]
                early = [o for o in kept if o.received_at <= then]
                known = [timeline(ITEMS[condition], some, TERMS, then, known_at=then)
                         for some in (early, early + late)]  # fmt: skip
                assert known[0] == known[1]

    def teardown(self):
        """In the end everything arrives everywhere, and the counties agree."""
        if not hasattr(self, "queues"):
            return
        for (county, phone), queue in self.queues.items():
            for item, _ in queue:
                self._receive(county, phone, item)
        for condition in CONDITIONS:
            first, second = (
                timeline(ITEMS[condition], kept, TERMS, self.now, known_at=FOREVER)
                for kept in self.received
            )
            assert first.spans == second.spans
            assert _named(first) == _named(second)


def _named(line):
    """Cessations by the ids of items, since each county numbers its own ledger."""
    name = lambda one: None if one is None else one.id  # noqa: E731
    return [(name(c.last_met), name(c.first_not_met), name(c.met_again)) for c in line.cessations]


def _consistent(line):
    aside = {one.id for one, _ in line.set_aside}
    deciding = [o for o in line.seen if o.id not in aside]
    by_id = {o.id: o for o in deciding}
    for before, after in pairwise(line.spans):
        assert before.ends == after.begins
    for span in line.spans:
        assert span.begins < span.ends
        assert all(by_id[i].observed_at <= span.ends for i in span.because)
        inside = {
            outcome_of(line.item, o) for o in deciding if span.begins < o.observed_at < span.ends
        }
        assert not inside & AGAINST.get(span.state, set())
        cited = {outcome_of(line.item, by_id[i]) for i in span.because}
        assert not cited & AGAINST.get(span.state, set())
        if span.state in {"met", "cured", "not-met", "ceased", "disputed"}:
            assert cited
        if span.state == "stale":
            assert not inside
    for one in line.cessations:
        assert outcome_of(line.item, one.first_not_met) == "not-met"


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=RUNS, stateful_step_count=40, deadline=None)
