"""Names, numbers and days as reports write them."""

from __future__ import annotations

import doctest

import pytest

from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Grade, Verdict
from site_eval.reports import words
from site_eval.reports.words import GRADES, VERDICTS

VISIBLE_CONTRAST = 4.5


def test_examples_in_the_docstrings_run() -> None:
    assert doctest.testmod(words).failed == 0


def test_every_verdict_and_grade_has_words() -> None:
    assert set(VERDICTS) == set(Verdict)
    assert set(GRADES) == set(Grade)
    assert len({style.sign for style in VERDICTS.values()}) == len(Verdict)


@pytest.mark.parametrize("verdict", Verdict)
def test_white_on_a_verdicts_colour_is_readable(verdict: Verdict) -> None:
    # WCAG 2.2, relative luminance and contrast ratio.
    def channel(value: int) -> float:
        c = value / 255
        return c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4

    colour = VERDICTS[verdict].colour
    r, g, b = (channel(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
    assert 1.05 / (luminance + 0.05) >= VISIBLE_CONTRAST


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (600, "stall", "600 stalls"),
        (1, "EMTs", "1 EMT"),
        (2400, "people", "2,400 people"),
        (6252.5, "lb/day", "6,252 lb/day"),
        (1_000_000, "USD", "$1,000,000"),
        (0.625, "share", "62.5 %"),
        (1.38, "foot-candles, darkest point", "1.38 foot-candles, darkest point"),
        (1, "collections per day", "1 collection per day"),
        (0, "usd", "$0"),
    ],
)
def test_quantities(value: float, unit: str, expected: str) -> None:
    assert words.quantity(value, unit) == expected


def test_an_interval_is_told_with_what_was_measured() -> None:
    assert words.measured_words(Measured(value=0.62, unit="share", low=0.55, high=0.68)) == (
        "62 % (55 to 68)"
    )
    assert words.measured_words(Measured(value=5, unit="toilet")) == "5 toilets"
    assert words.measured_words(None) == ""


def test_what_is_asked_says_whether_it_is_a_least_or_a_most() -> None:
    assert words.required_words(
        Required(value=10, unit="day", comparison="at-most", formula="")
    ) == ("at most 10 days")


def test_an_unknown_check_and_agency_keep_their_words() -> None:
    assert words.group_of("fireworks") is words.OTHER
    assert words.check_title("fire-works") == "Fire works"
    assert words.agency_title("town-marshal") == "Town marshal"
