"""From observations to states over time: when a condition was met, ceased, cured, or unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from inspect_web.inspection.checklist import outcome_of
from inspect_web.inspection.observation import Observation
from inspect_web.inspection.schedule import NIGHT_TO, at, local_days, schedule, times
from site_eval.record.condition import ChecklistItem, LicenceTerms

State = Literal[
    "not-due", "met", "not-met", "ceased", "cured", "stale", "disputed", "waived", "not-applicable"
]
BROKEN = frozenset({"not-met", "ceased"})
DISPUTE_WITHIN = timedelta(minutes=5)
CLEANUP_DAYS = 10
NIGHT_LENGTH = timedelta(hours=7)
BEFORE_THE_EVENT = timedelta(days=60)  # a phone's wild clock makes no offence of last century
NIGHT_SUBJECTS = frozenset({"noise.hours"})
NIGHT_REASONS = {
    "yes": "",
    "no": "outside the hours that the condition covers",
    "undecided": "the clock's error reaches over the edge of the hours",
}
NOTHING_SEEN = {"not-seen": "could not be seen", "entry-denied": "entry was denied"}
ALWAYS = datetime(1, 1, 2, tzinfo=UTC)


@dataclass(frozen=True)
class Waiver:
    """A Board order that lifts a condition between two times."""

    condition: str
    order: str
    begins: datetime
    ends: datetime
    received_at: datetime


@dataclass(frozen=True)
class Span:
    """A state from ``begins`` up to ``ends``, and the observations that it rests on."""

    state: State
    begins: datetime
    ends: datetime
    because: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cessation:
    """A condition ceased somewhere after ``last_met`` and no later than ``first_not_met``.

    Without a ``last_met`` the condition is one that binds at all times: it was broken from
    somewhere between the start of the event and ``first_not_met``.
    """

    last_met: Observation | None
    first_not_met: Observation
    met_again: Observation | None


@dataclass(frozen=True)
class Timeline:
    """One condition over time, as it was known at ``known_at``."""

    item: ChecklistItem
    spans: tuple[Span, ...]
    cessations: tuple[Cessation, ...]
    seen: tuple[Observation, ...]  # all that bear on the condition, in order of observation
    set_aside: tuple[tuple[Observation, str], ...]  # those that do not decide, with the reason
    next_due: datetime | None
    known_at: datetime

    @property
    def state(self) -> State:
        """The state at the end of the timeline."""
        return self.spans[-1].state if self.spans else "not-due"


@dataclass
class _Walk:
    """What is carried along from one observation to the next."""

    state: State = "not-due"
    since: datetime = ALWAYS
    because: tuple[str, ...] = ()
    last: datetime | None = None
    last_met: Observation | None = None
    spans: list[Span] = field(default_factory=list)
    cessations: list[Cessation] = field(default_factory=list)

    def turn(self, state: State, when: datetime, because: tuple[str, ...]) -> None:
        if when > self.since:
            self.spans.append(Span(self.state, self.since, when, self.because))
        self.state, self.since, self.because = state, when, because

    def back_to(self, when: datetime, doubted: frozenset[str]) -> None:
        """Take up the state before *when* again, without the looks that are *doubted*."""
        while self.since >= when and self.spans:
            last = self.spans.pop()
            self.state, self.since, self.because = last.state, last.begins, last.because
        self.because = tuple(i for i in self.because if i not in doubted)
        self.cessations = [c for c in self.cessations if c.first_not_met.id not in doubted]


def timeline(
    item: ChecklistItem,
    observations: Iterable[Observation],
    terms: LicenceTerms,
    as_of: datetime,
    *,
    known_at: datetime | None = None,
    waivers: Sequence[Waiver] = (),
) -> Timeline:
    """The states of *item* up to *as_of*, from what had been received by *known_at*.

    The result depends on the set of observations alone, never on their order of arrival.
    ``stale`` follows ``met`` and ``cured`` when the cadence is missed; a broken condition stays
    broken until somebody sees it met. A dispute begins with the earlier of the two looks: neither
    of them alone says that the condition ceased. *known_at* is *as_of* unless it is given.
    """
    known = as_of if known_at is None else known_at
    mine = (o for o in observations if o.condition == item.id and o.received_at <= known)
    seen = tuple(sorted({o.id + str(o.ledger_seq): o for o in mine}.values(), key=_order))
    deciding, aside = _deciding(item, seen, terms)
    walk, plan = _Walk(), schedule(item, terms)
    shown = [o for o in deciding if o.observed_at <= as_of]
    for index, one in enumerate(shown):
        _go_stale(walk, plan.stale_from(walk.last, one.observed_at), one.observed_at)
        _step(walk, item, one, shown[:index])
    _go_stale(walk, plan.stale_from(walk.last, as_of), as_of)
    walk.turn(walk.state, as_of, walk.because)
    lifted = [w for w in waivers if w.condition == item.id and w.received_at <= known]
    return Timeline(
        item, _joined(_waived(walk.spans, lifted)), tuple(walk.cessations), seen, tuple(aside),
        plan.next_due(walk.last, as_of), known,
    )  # fmt: skip


def in_quiet_hours(one: Observation, terms: LicenceTerms) -> Literal["yes", "no", "undecided"]:
    """Whether it was between midnight and 07:00 at the site, whatever the clock's error."""
    _, _, zone = times(terms)
    error = timedelta(seconds=min(one.error_s, 1e9))
    ends = [(one.observed_at + d).astimezone(zone) for d in (-error, error)]
    if error >= NIGHT_LENGTH:
        return "undecided"
    inside = [moment.time() < NIGHT_TO for moment in ends]
    if all(inside):
        return "yes"
    return "undecided" if any(inside) else "no"


@dataclass(frozen=True)
class Offences:
    """Days on which a condition was broken, in the site's zone: seen to be, or possibly."""

    seen: tuple[date, ...]
    possible: tuple[date, ...]


def offences(line: Timeline, terms: LicenceTerms) -> Offences:
    """The tally per day (Section 10: each day is a separate offence).

    A day counts as seen when somebody saw the condition broken on it, or when it lies between two
    such sightings with nothing else between. A day that only the lack of a later look leaves open
    is possible, not seen.
    """
    start, _, zone = times(terms)
    seen: set[date] = set()
    possible: set[date] = set()
    by_id = {o.id: o for o in line.seen}
    for span in line.spans:
        begins = max(span.begins, start - BEFORE_THE_EVENT)
        if span.state in BROKEN and begins < span.ends:
            last = max((by_id[i].observed_at for i in span.because), default=begins)
            seen.update(local_days(begins, min(max(last, begins), span.ends), zone))
            possible.update(local_days(begins, span.ends, zone))
    return Offences(tuple(sorted(seen)), tuple(sorted(possible - seen)))


def cleanup_deadline(terms: LicenceTerms) -> datetime:
    """The end of the tenth day after the event's last day, in the site's zone (Section 8)."""
    _, end, zone = times(terms)
    return at(end.astimezone(zone).date(), time(0), zone, CLEANUP_DAYS + 1)


def state_at(line: Timeline, when: datetime) -> State:
    """The state that *line* has at *when*; a span begins with its first instant."""
    for span in line.spans:
        if span.begins <= when < span.ends:
            return span.state
    return line.state


def _order(one: Observation) -> tuple[datetime, str, int]:
    return one.observed_at, one.id, one.ledger_seq


def _deciding(
    item: ChecklistItem, seen: Sequence[Observation], terms: LicenceTerms
) -> tuple[list[Observation], list[tuple[Observation, str]]]:
    """The observations that decide, each with the outcome that its number gives."""
    corrected = {(o.corrects, o.device) for o in seen if o.corrects and not o.quarantined}
    deciding, aside = [], []
    for one in seen:
        why = _why_aside(item, one, terms)
        if not why and (one.id, one.device) in corrected:
            why = "corrected by its author"
        if why:
            aside.append((one, why))
        else:
            deciding.append(replace(one, outcome=outcome_of(item, one)))
    return deciding, aside


def _why_aside(item: ChecklistItem, one: Observation, terms: LicenceTerms) -> str:
    if one.quarantined:
        return "its device was revoked"
    if one.contested:
        return "another content came under the same id"
    if one.outcome in NOTHING_SEEN:
        return NOTHING_SEEN[one.outcome]
    if item.subject in NIGHT_SUBJECTS:
        return NIGHT_REASONS[in_quiet_hours(one, terms)]
    return ""


def _go_stale(walk: _Walk, from_: datetime | None, until: datetime) -> None:
    if from_ is not None and from_ < until and walk.state in {"met", "cured", "not-due"}:
        walk.turn("stale", max(from_, walk.since), walk.because)


def _step(
    walk: _Walk, item: ChecklistItem, one: Observation, before: Sequence[Observation]
) -> None:
    newest = {o.agency: o for o in before}.values()
    rivals = [o for o in newest if _disagree(o, one)]
    walk.last = one.observed_at
    if rivals:
        ids = tuple(dict.fromkeys([*(r.id for r in rivals), one.id]))
        begins = min(r.observed_at for r in rivals)
        walk.back_to(begins, frozenset(ids))
        walk.turn("disputed", begins, ids)
        if one.outcome == "met":
            walk.last_met = one
        return
    if one.outcome == "not-applicable":
        walk.turn("not-applicable", one.observed_at, (one.id,))
    elif one.outcome == "met":
        _saw_met(walk, one)
    else:
        _saw_not_met(walk, item, one)


def _saw_met(walk: _Walk, one: Observation) -> None:
    was_broken = any(s.state in BROKEN for s in walk.spans) or walk.state in BROKEN
    if walk.cessations and walk.cessations[-1].met_again is None:
        walk.cessations[-1] = replace(walk.cessations[-1], met_again=one)
    walk.last_met = one
    walk.turn("cured" if was_broken else "met", one.observed_at, (one.id,))


def _saw_not_met(walk: _Walk, item: ChecklistItem, one: Observation) -> None:
    if walk.state in BROKEN:
        walk.because = (*walk.because, one.id)
        return
    always = any(c.kind == "at-all-times" for c in item.cadences)
    if walk.last_met is None and not always:
        walk.turn("not-met", one.observed_at, (one.id,))
        return
    if not walk.cessations or walk.cessations[-1].met_again is not None:
        walk.cessations.append(Cessation(walk.last_met, one, None))
    walk.turn("ceased", one.observed_at, (one.id,))


def _disagree(earlier: Observation, later: Observation) -> bool:
    """Two agencies that say opposite things of one moment, as far as their clocks can tell."""
    if earlier.agency == later.agency or {earlier.outcome, later.outcome} != {"met", "not-met"}:
        return False
    slack = DISPUTE_WITHIN + timedelta(seconds=min(earlier.error_s + later.error_s, 1e9))
    return later.observed_at - earlier.observed_at <= slack


def _waived(spans: Sequence[Span], waivers: Sequence[Waiver]) -> list[Span]:
    found = list(spans)
    for waiver in sorted(waivers, key=lambda w: (w.begins, w.order)):
        found = [piece for span in found for piece in _cut(span, waiver)]
    return found


def _cut(span: Span, waiver: Waiver) -> list[Span]:
    begins, ends = max(span.begins, waiver.begins), min(span.ends, waiver.ends)
    if begins >= ends:
        return [span]
    pieces = [
        replace(span, ends=begins),
        Span("waived", begins, ends, (waiver.order,)),
        replace(span, begins=ends),
    ]
    return [piece for piece in pieces if piece.begins < piece.ends]


def _joined(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Neighbours of one state as one span; what they rest on is kept, each id once."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1].state == span.state and found[-1].ends == span.begins:
            ids = tuple(dict.fromkeys((*found[-1].because, *span.because)))
            found[-1] = replace(found[-1], ends=span.ends, because=ids)
        else:
            found.append(span)
    return tuple(found)
