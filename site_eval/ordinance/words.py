"""Numbers, quantities and units in words, so that a formula can be checked by a person."""

from __future__ import annotations

from fractions import Fraction

_QUANTITIES = {
    "female": "females",
    "male": "males",
    "overnight_persons": "persons overnight",
    "peak_hour_persons": "persons in the peak hour",
    "area_acres": "acres",
    "usable_acres": "usable acres",
    "setup_workers": "workers during set-up",
}


def exact(value: float) -> Fraction:
    """The decimal number that was written, without binary noise: 0.1 is one tenth."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def number(value: float | Fraction) -> str:
    """A number for people: thousands separated, at most four decimals, none needless."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{float(value):,.4f}".rstrip("0").rstrip(".")


def counted(value: float | Fraction, unit: str) -> str:
    """A number with its unit, in the singular when it is one: "1 stall", "2 stalls"."""
    return f"{number(value)} {singular(unit) if value == 1 else unit}".rstrip()


def quantity_words(name: str) -> str:
    """What a quantity is called in a formula; of a dotted path, its last words."""
    if name in _QUANTITIES:
        return _QUANTITIES[name]
    return " ".join(name.split(".")[-2:]).replace("_", " ")


def clock(hours: float) -> str:
    """An hour of the day as 07:00."""
    minutes = round(hours * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def singular(unit: str) -> str:
    """A unit or quantity for one: its first word without the plural ending, or else its last.

    >>> singular("pounds per day"), singular("chemical toilets"), singular("lavatories")
    ('pound per day', 'chemical toilet', 'lavatory')
    """
    words = unit.split(" ")
    place = next((n for n in (0, -1) if _is_plural(words[n])), None)
    if place is not None:
        stem = words[place]
        words[place] = f"{stem[:-3]}y" if stem.endswith("ies") else stem[:-1]
    return " ".join(words)


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")
