"""Whether land is prone to wildfire, by shares of hazard classes on it and around it."""

from __future__ import annotations

from dataclasses import dataclass

LEAST_COVERAGE = 0.95


@dataclass(frozen=True)
class Exposure:
    """Shares (0 to 1) of the ground, water left out, on the site and in the ring around it."""

    site_high: float
    site_very_high: float
    site_moderate_up: float
    ring_high: float
    coverage: float
    independent_exits: int


def judge(e: Exposure, *, in_season: bool) -> tuple[str, list[str]]:
    """``prone``, ``review`` or ``not-indicated`` (never "safe"), and the reasons.

    The thresholds are the tool's own proposal (no ordinance or agency sets them); they stand in
    ``docs/checks.md``.
    """
    prone = [
        (
            e.site_high >= 0.25,
            f"{_pc(e.site_high)} of the site is high or very high (25 % or more)",
        ),
        (
            e.site_very_high >= 0.05,
            f"{_pc(e.site_very_high)} of the site is very high (5 % or more)",
        ),
        (
            e.ring_high >= 0.50,
            f"{_pc(e.ring_high)} of the ring is high or very high (50 % or more)",
        ),
        (
            e.ring_high >= 0.25 and e.independent_exits < 2,
            f"{_pc(e.ring_high)} of the ring is high or very high and fewer than two separate ways "
            "out are mapped",
        ),
    ]
    reasons = [words for holds, words in prone if holds]
    if reasons:
        return "prone", reasons
    review = [
        (e.site_high > 0, f"{_pc(e.site_high)} of the site is high or very high"),
        (e.ring_high > 0, f"{_pc(e.ring_high)} of the ring is high or very high"),
        (e.site_moderate_up >= 0.5, f"{_pc(e.site_moderate_up)} of the site is moderate or higher"),
        (e.coverage < LEAST_COVERAGE, f"the layer covers only {_pc(e.coverage)} of the ground"),
        (in_season, "the event falls in Idaho's closed fire season (10 May to 20 October)"),
    ]
    reasons = [words for holds, words in review if holds]
    return ("review" if reasons else "not-indicated"), reasons


def _pc(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.005 or share == 0 else "under 1 %"
