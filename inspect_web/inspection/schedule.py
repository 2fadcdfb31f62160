"""When an item of a checklist is due: windows from the licence's own times, in the site's zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from site_eval.record.condition import Cadence, ChecklistItem, LicenceTerms

GATE_BEFORE = timedelta(hours=2)
GATE_AFTER = timedelta(hours=1)
SHIFT = timedelta(hours=8)
NIGHT_FROM, NIGHT_TO = time(21), time(7)
QUIET_FROM = time(0)
EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Window:
    """An observation is wanted at or after ``opens`` and before ``closes``."""

    opens: datetime
    closes: datetime
    why: str


@dataclass(frozen=True)
class Schedule:
    """Fixed windows, and how old the last observation may get while ``spans`` run."""

    windows: tuple[Window, ...]
    spans: tuple[Window, ...]
    max_age: timedelta | None
    tight_age: timedelta | None

    def stale_from(self, last: datetime | None, until: datetime) -> datetime | None:
        """The first instant at or before *until* at which *last* is no longer enough, if any.

        *last* is the newest decisive observation (``None``: there was none).
        """
        found = [
            w.closes for w in self.windows if w.closes <= until and (last is None or last < w.opens)
        ]
        if self.max_age is not None:
            found += [
                t for s in self.spans if (t := self._aged(s, last)) is not None and t <= until
            ]
        return min(found, default=None)

    def next_due(self, last: datetime | None, now: datetime) -> datetime | None:
        """By when somebody should look again: the earliest closing that *last* does not serve."""
        found = [
            w.closes for w in self.windows if w.closes > now and (last is None or last < w.opens)
        ]
        if self.tight_age is not None:
            for span in self.spans:
                if now < span.closes:
                    start = max(span.opens, last) if last else span.opens
                    found.append(max(start + self.tight_age, span.opens))
        return min(found, default=None)

    def _aged(self, span: Window, last: datetime | None) -> datetime | None:
        age = self.max_age or timedelta()
        start = span.opens if last is None else max(span.opens, last)
        end = start + age
        return end if end < span.closes and (last is None or last < span.closes) else None


def schedule(item: ChecklistItem, terms: LicenceTerms) -> Schedule:
    """When *item* is due under a licence of these *terms*.

    The longest interval decides what is stale, the shortest what is due next: an item with 30 and
    60 minutes is asked for every half hour at the peak and is stale after an hour. A shift is
    taken as eight hours, a night as 21:00 to 07:00, gates open from two hours before the start.
    """
    start, end, zone = times(terms)
    windows = [w for cadence in item.cadences for w in _windows(item, cadence, start, end, zone)]
    minutes = [c.minutes for c in item.cadences if c.minutes is not None]
    return Schedule(
        windows=tuple(sorted(windows, key=lambda w: w.closes)),
        spans=tuple(_spans(item, start, end, zone)) if minutes else (),
        max_age=timedelta(minutes=max(minutes)) if minutes else None,
        tight_age=timedelta(minutes=min(minutes)) if minutes else None,
    )


def times(terms: LicenceTerms) -> tuple[datetime, datetime, ZoneInfo]:
    """Start and end of the event in UTC, and its zone; a time without an offset is in the licence's zone."""
    zone = ZoneInfo(terms.time_zone)
    start, end = (datetime.fromisoformat(t) for t in (terms.starts, terms.ends))
    start, end = (t if t.tzinfo else t.replace(tzinfo=zone) for t in (start, end))
    return start.astimezone(UTC), end.astimezone(UTC), zone


def local_days(start: datetime, end: datetime, zone: ZoneInfo) -> list[date]:
    """The calendar days, in *zone*, that the time from *start* to *end* touches."""
    first, last = start.astimezone(zone).date(), end.astimezone(zone).date()
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def _windows(
    item: ChecklistItem, cadence: Cadence, start: datetime, end: datetime, zone: ZoneInfo
) -> list[Window]:
    kind = cadence.kind
    if kind == "once":
        return _once(item, start, end)
    if kind == "daily":
        return [
            Window(max(at(day, time(0), zone), start), min(at(day, time(0), zone, 1), end), "daily")
            for day in local_days(start, end, zone)
        ]
    if kind == "nightly":
        return [w for w in nights(start, end, zone, NIGHT_FROM) if w.opens < end]
    if kind == "shift":
        count = max(1, -(-(end - start) // SHIFT))
        return [
            Window(start + n * SHIFT, min(start + (n + 1) * SHIFT, end), "shift")
            for n in range(count)
        ]
    if kind == "after-event":
        last = end.astimezone(zone).date()
        return [
            Window(
                max(end, at(last, time(0), zone, n)),
                at(last, time(0), zone, n + 1),
                f"day {n} after",
            )
            for n in cadence.days_after
        ]
    return []


def _once(item: ChecklistItem, start: datetime, end: datetime) -> list[Window]:
    found = []
    if "before" in item.phases:
        found.append(Window(EVER, start, "before the event"))
    if "gate-open" in item.phases:
        found.append(Window(start - GATE_BEFORE, start + GATE_AFTER, "gates open"))
    if not found and {"live", "night"} & set(item.phases):
        found.append(Window(start, end, "during the event"))
    return found


def _spans(item: ChecklistItem, start: datetime, end: datetime, zone: ZoneInfo) -> list[Window]:
    if {"live", "gate-open"} & set(item.phases):
        return [Window(start, end, "during the event")]
    if "night" in item.phases:
        return nights(start, end, zone, QUIET_FROM)
    return []


def nights(start: datetime, end: datetime, zone: ZoneInfo, begins: time) -> list[Window]:
    """Each night of the event, from *begins* (on the evening, or at midnight) to 07:00 local."""
    found = []
    for day in local_days(start, end, zone):
        offset = 1 if begins < NIGHT_TO else 0
        opens, closes = at(day, begins, zone, offset), at(day, NIGHT_TO, zone, 1)
        if max(opens, start) < min(closes, end):
            found.append(Window(max(opens, start), min(closes, end), "night"))
    return found


def at(day: date, clock: time, zone: ZoneInfo, days: int = 0) -> datetime:
    """The instant, in UTC, of a wall clock in *zone*.

    In UTC because Python compares and adds two times of one zone by their wall clocks, which is
    wrong on the night when the clocks change.
    """
    return datetime.combine(day + timedelta(days=days), clock, tzinfo=zone).astimezone(UTC)
