"""Whether land is prone to wildfire, by shares of hazard classes on it and around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from site_eval.record.verdict import Verdict

LEAST_COVERAGE = 0.95
# Classes of Wildfire Hazard Potential: 1 very low … 5 very high, 6 non-burnable, 7 water.
HIGH = frozenset({4, 5})
VERY_HIGH = frozenset({5})
MODERATE_UP = frozenset({3, 4, 5})
LAND = frozenset({1, 2, 3, 4, 5, 6})


@dataclass(frozen=True)
class Exposure:
    """Shares (0 to 1) of the ground, water left out, on the site and in the ring around it.

    Each is a number, or an array with one number a parcel.
    """

    site_high: Any
    site_very_high: Any
    site_moderate_up: Any
    ring_high: Any
    coverage: Any
    independent_exits: Any


def outcome(e: Exposure, *, in_season: Any) -> NDArray[Any]:
    """``prone``, ``review`` or ``not-indicated`` (never "safe"), for one exposure or for many.

    The thresholds are the tool's own proposal (no ordinance or agency sets them); they stand in
    ``docs/checks.md``.
    """
    prone, review = _prone(e), _review(e, in_season)
    return np.select(
        [reduce(np.logical_or, prone), reduce(np.logical_or, review)],
        ["prone", "review"],
        "not-indicated",
    )


def verdict_of(found: Any) -> NDArray[Any]:
    """The verdict that an ``outcome`` stands for."""
    indicated = np.asarray(found) != "not-indicated"
    return np.where(indicated, Verdict.NEEDS_REVIEW.value, Verdict.COMPLIES.value)


def judge(e: Exposure, *, in_season: bool) -> tuple[str, list[str]]:
    """The ``outcome`` of one exposure, and the reasons for it."""
    found = str(outcome(e, in_season=in_season))
    if found == "not-indicated":
        return found, []
    said = (
        zip(_prone(e), _prone_words(e), strict=True)
        if found == "prone"
        else zip(_review(e, in_season), _review_words(e), strict=True)
    )
    return found, [words for holds, words in said if holds]


def _prone(e: Exposure) -> list[Any]:
    return [
        np.asarray(e.site_high) >= 0.25,
        np.asarray(e.site_very_high) >= 0.05,
        np.asarray(e.ring_high) >= 0.50,
        (np.asarray(e.ring_high) >= 0.25) & (np.asarray(e.independent_exits) < 2),
    ]


def _prone_words(e: Exposure) -> list[str]:
    return [
        f"{_pc(e.site_high)} of the site is high or very high (25 % or more)",
        f"{_pc(e.site_very_high)} of the site is very high (5 % or more)",
        f"{_pc(e.ring_high)} of the ring is high or very high (50 % or more)",
        f"{_pc(e.ring_high)} of the ring is high or very high and fewer than two separate ways "
        "out are mapped",
    ]


def _review(e: Exposure, in_season: Any) -> list[Any]:
    return [
        np.asarray(e.site_high) > 0,
        np.asarray(e.ring_high) > 0,
        np.asarray(e.site_moderate_up) >= 0.5,
        np.asarray(e.coverage) < LEAST_COVERAGE,
        np.asarray(in_season, dtype=bool),
    ]


def _review_words(e: Exposure) -> list[str]:
    return [
        f"{_pc(e.site_high)} of the site is high or very high",
        f"{_pc(e.ring_high)} of the ring is high or very high",
        f"{_pc(e.site_moderate_up)} of the site is moderate or higher",
        f"the layer covers only {_pc(e.coverage)} of the ground",
        "the event falls in the closed fire season",
    ]


def _pc(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.005 or share == 0 else "under 1 %"
