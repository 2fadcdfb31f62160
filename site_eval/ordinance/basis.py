"""What the rules run on: quantities, yes-or-no facts, hours of presence, and what was assumed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Scenario:
    """One way in which the assumed quantities may turn out, by *name*."""

    name: str
    quantities: Mapping[str, float]


@dataclass(frozen=True)
class Basis:
    """The crowd and the event as numbers and facts.

    ``quantities``: persons (the most at one time), female, male, days, hours, nights,
    overnight_persons, staff, vehicles, tickets, area_acres …, and any dotted path of the
    application that a rule names. ``flags``: overnight, amplified, dark, alcohol …, and dotted
    paths. A name that is absent is unknown, never zero or false. ``clock``: hours of the day
    (0–24) during which people are present, or ``None`` when unknown. ``assumed`` says of a
    quantity how it was assumed; ``scenarios`` hold the other values to be tested.
    """

    quantities: Mapping[str, float]
    flags: Mapping[str, bool] = field(default_factory=dict)
    clock: tuple[tuple[float, float], ...] | None = None
    assumed: Mapping[str, str] = field(default_factory=dict)
    scenarios: tuple[Scenario, ...] = ()

    def with_values(self, values: Mapping[str, object]) -> Basis:
        """Add stated *values*.

        Booleans become flags, numbers quantities, and a text is the flag ``name=text``.
        """
        flags, quantities = dict(self.flags), dict(self.quantities)
        for name, value in values.items():
            if isinstance(value, bool):
                flags[name] = value
            elif isinstance(value, int | float):
                quantities[name] = float(value)
            elif isinstance(value, str):
                flags[f"{name}={value}"] = True
        return replace(self, flags=flags, quantities=quantities)

    def flag(self, name: str) -> bool | None:
        """A flag, or nothing when it is unknown; ``name=text`` is false when another text is."""
        if name in self.flags or "=" not in name:
            return self.flags.get(name)
        stem = name.partition("=")[0] + "="
        return False if any(other.startswith(stem) for other in self.flags) else None

    def variants(self) -> Iterator[Basis]:
        """The basis in each scenario, the central one excluded."""
        for scenario in self.scenarios:
            yield replace(self, quantities={**self.quantities, **scenario.quantities})


def overlap_hours(intervals: tuple[tuple[float, float], ...], window: tuple[float, float]) -> float:
    """Hours of the day that *intervals* share with *window*; either may run past midnight.

    Hours are 0–24; an interval whose end is not after its start runs into the next day.

    >>> overlap_hours(((22.0, 2.0),), (0.0, 7.0))
    2.0
    """
    total = 0.0
    for piece in _within_day(window):
        for interval in intervals:
            for other in _within_day(interval):
                total += max(0.0, min(piece[1], other[1]) - max(piece[0], other[0]))
    return total


def _within_day(interval: tuple[float, float]) -> list[tuple[float, float]]:
    start, end = interval
    if start == 0.0 and end == 0.0:
        return [(0.0, 24.0)]
    return [(start, end)] if end > start else [(start, 24.0), (0.0, end)]
