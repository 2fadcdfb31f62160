"""Timelines as shares of a window, for the drawing on paper, and in words."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from inspect_web.inspection.checklist import outcome_of
from inspect_web.inspection.compliance import Timeline
from inspect_web.inspection.schedule import times
from inspect_web.packets.dossier import Dossier

BEFORE, AFTER = timedelta(minutes=90), timedelta(hours=1)
MOST_HOURS = 10  # labels under one bar
Window = tuple[datetime, datetime]


def shown_window(dossier: Dossier) -> Window:
    """From before the first look that speaks against a condition to after the last, whole hours.

    Nothing later than what was known is drawn, and the whole event when nothing was broken.
    """
    start, end, _ = times(dossier.terms)
    against = [o.observed_at for g in dossier.grounds for o in g.supporting]
    all_seen = [o.observed_at for g in dossier.grounds for o in g.supporting + g.opposing]
    if not against:
        return start, max(end, start + AFTER)
    first = (min(against) - BEFORE).replace(minute=0, second=0, microsecond=0)
    last = min(dossier.as_of, max(all_seen) + AFTER)
    return first, max(last, first + AFTER)


def bar(line: Timeline, window: Window) -> list[list[Any]]:
    """The spans as shares of the window: state, from, to."""
    found = []
    for span in line.spans:
        a, b = (_share(moment, window) for moment in (span.begins, span.ends))
        if b > 0 and a < 1:
            found.append([span.state, round(max(a, 0.0), 4), round(min(b, 1.0), 4)])
    return found


def marks(line: Timeline, window: Window) -> list[list[Any]]:
    """Each deciding look inside the window: what it says, where, and its entry."""
    aside = {one.id for one, _ in line.set_aside}
    return [
        [outcome_of(line.item, one), round(_share(one.observed_at, window), 4), one.ledger_seq]
        for one in line.seen
        if window[0] <= one.observed_at <= window[1] and one.id not in aside
    ]


def hours(window: Window, zone: ZoneInfo) -> list[list[Any]]:
    """Labels of whole hours at the site, at most ten: share, text."""
    length = window[1] - window[0]
    step = timedelta(hours=max(1, -(-int(length / timedelta(hours=1)) // MOST_HOURS)))
    found, moment = [], window[0]
    while moment <= window[1]:
        found.append([round(_share(moment, window), 4), f"{moment.astimezone(zone):%H:%M}"])
        moment += step
    return found


def span_words(dossier: Dossier, line: Timeline) -> str:
    """The states in words, for whoever cannot tell the colours apart."""
    parts = [
        f"{span.state} {'until' if not number else dossier.local(span.begins) + ' to'} "
        f"{dossier.local(span.ends)}"
        for number, span in enumerate(line.spans)
    ]
    return "; ".join(parts) + "."


def _share(moment: datetime, window: Window) -> float:
    return (moment - window[0]) / (window[1] - window[0])
