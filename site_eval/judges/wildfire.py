"""Whether land is prone to wildfire, by shares of hazard classes on it and around it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from site_eval.record.verdict import Verdict

# Classes of Wildfire Hazard Potential: 1 very low … 5 very high, 6 non-burnable, 7 water.
HIGH = frozenset({4, 5})
VERY_HIGH = frozenset({5})
MODERATE_UP = frozenset({3, 4, 5})
LAND = frozenset({1, 2, 3, 4, 5, 6})
BURNABLE = frozenset({1, 2, 3, 4, 5})
# The first reasons for a review are of the kind that, when grave enough, make a place prone.
_SAID_BY_PRONE = 3


@dataclass(frozen=True)
class Rule:
    """From which shares on the answer changes. No ordinance or agency sets them: see the profile."""

    site_high: float
    site_very_high: float
    ring_high: float
    ring_high_one_way: float
    ways_out: float
    site_moderate_up: float
    coverage: float


@dataclass(frozen=True)
class Exposure:
    """Shares (0 to 1) of the ground, water left out, on the site and in the ring around it.

    Each is a number, or an array with one number a parcel. ``corridor_very_high`` is the share
    along the way out, 0 where no way out is known; ``restricted`` whether a fire restriction is
    in force.
    """

    site_high: Any
    site_very_high: Any
    site_moderate_up: Any
    ring_high: Any
    coverage: Any
    independent_exits: Any
    corridor_very_high: Any = 0.0
    restricted: Any = False


def outcome(e: Exposure, *, in_season: Any, rule: Rule) -> NDArray[Any]:
    """``prone``, ``review`` or ``not-indicated`` (never "safe"), for one exposure or for many."""
    prone, review = _prone(e, rule), _review(e, in_season, rule)
    return np.select(
        [reduce(np.logical_or, prone), reduce(np.logical_or, review)],
        ["prone", "review"],
        "not-indicated",
    )


def verdict_of(found: Any) -> NDArray[Any]:
    """The verdict that an ``outcome`` stands for."""
    indicated = np.asarray(found) != "not-indicated"
    return np.where(indicated, Verdict.NEEDS_REVIEW.value, Verdict.COMPLIES.value)


def judge(e: Exposure, *, in_season: bool, rule: Rule) -> tuple[str, list[str]]:
    """The ``outcome`` of one exposure, and the reasons for it: all that hold, the gravest first."""
    found = str(outcome(e, in_season=in_season, rule=rule))
    prone = list(zip(_prone(e, rule), _prone_words(e, rule), strict=True))
    review = list(zip(_review(e, in_season, rule), _review_words(e, rule), strict=True))
    # What makes a place prone is not said again in the words of a review.
    said = [*prone, *review[_SAID_BY_PRONE:]] if found == "prone" else review
    return found, [words for holds, words in said if holds]


def in_closed_season(days: Iterable[date], season: tuple[str, str]) -> bool:
    """Whether any of *days* lies in a season of month and day, which may run past New Year."""
    opens, closes = season
    marks = [f"{day:%m-%d}" for day in days]
    if opens <= closes:
        return any(opens <= mark <= closes for mark in marks)
    return any(mark >= opens or mark <= closes for mark in marks)


def _prone(e: Exposure, rule: Rule) -> list[Any]:
    few = np.asarray(e.independent_exits) < rule.ways_out
    return [
        np.asarray(e.site_high) >= rule.site_high,
        np.asarray(e.site_very_high) >= rule.site_very_high,
        np.asarray(e.ring_high) >= rule.ring_high,
        (np.asarray(e.ring_high) >= rule.ring_high_one_way) & few,
        (np.asarray(e.corridor_very_high) > 0) & few,
    ]


def _prone_words(e: Exposure, rule: Rule) -> list[str]:
    few = f"fewer than {_count(rule.ways_out)} separate ways out are known"
    return [
        f"{_pc(e.site_high)} of the site is high or very high ({_pc(rule.site_high)} or more)",
        f"{_pc(e.site_very_high)} of the site is very high ({_pc(rule.site_very_high)} or more)",
        f"{_pc(e.ring_high)} of the ring is high or very high ({_pc(rule.ring_high)} or more)",
        f"{_pc(e.ring_high)} of the ring is high or very high and {few}",
        f"the way out passes ground of very high hazard and {few}",
    ]


def _review(e: Exposure, in_season: Any, rule: Rule) -> list[Any]:
    return [
        np.asarray(e.site_high) > 0,
        np.asarray(e.ring_high) > 0,
        np.asarray(e.corridor_very_high) > 0,
        np.asarray(e.site_moderate_up) >= rule.site_moderate_up,
        np.asarray(e.coverage) < rule.coverage,
        np.asarray(in_season, dtype=bool),
        np.asarray(e.restricted, dtype=bool),
    ]


def _review_words(e: Exposure, rule: Rule) -> list[str]:
    return [
        f"{_pc(e.site_high)} of the site is high or very high",
        f"{_pc(e.ring_high)} of the ring is high or very high",
        f"{_pc(e.corridor_very_high)} of the corridor of the way out is very high",
        f"{_pc(e.site_moderate_up)} of the site is moderate or higher "
        f"({_pc(rule.site_moderate_up)} or more)",
        f"the layer has values on only {_pc(e.coverage)} of the ground; cells without data may be "
        "the worst ones",
        "the event falls in the closed fire season",
        "a fire restriction is in force",
    ]


def _count(ways: float) -> str:
    return "two" if ways == 2 else f"{ways:g}"


def _pc(share: float) -> str:
    """A share in words; what is not all of it never reads 100 %."""
    if 0 < share < 0.005:
        return "under 1 %"
    return f"{100 * share:.1f} %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"
