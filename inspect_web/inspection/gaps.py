"""What the record does not hold: missing numbers of a phone, jumps of its clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from inspect_web.inspection.observation import Observation


@dataclass(frozen=True)
class ClockJump:
    """A phone that wrote its next item with an earlier time than the one before."""

    device: str
    before: str
    after: str
    back_by: timedelta


def missing_numbers(have: Iterable[int], highest: int = 0) -> list[tuple[int, int]]:
    """Ranges of sequence numbers, both ends included, that a phone gave out and nobody received.

    *highest* is the greatest number that the phone says it has given out.

    >>> missing_numbers([1, 2, 5, 7], highest=9)
    [(3, 4), (6, 6), (8, 9)]
    """
    found, expected, got = [], 1, sorted(set(have))
    for number in [*got, max([highest, *got], default=0) + 1]:
        if number > expected:
            found.append((expected, number - 1))
        expected = number + 1
    return found


def spoken(ranges: Iterable[tuple[int, int]]) -> str:
    """Ranges for people.

    >>> spoken([(3, 3), (5, 7)])
    '3, 5–7'
    """
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in ranges)


def clock_jumps(seen: Iterable[Observation]) -> list[ClockJump]:
    """Where a phone's clock ran backwards by more than its own bounds of error allow."""
    by_device: dict[str, list[Observation]] = {}
    for one in seen:
        by_device.setdefault(one.device, []).append(one)
    found = []
    for device, own in sorted(by_device.items()):
        own.sort(key=lambda o: (o.sequence, o.id))
        for before, after in pairwise(own):
            back = before.observed_at - after.observed_at
            if back > timedelta(seconds=min(before.error_s + after.error_s, 1e9)):
                found.append(ClockJump(device, before.id, after.id, back))
    return found
