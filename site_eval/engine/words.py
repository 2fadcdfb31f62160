"""Numbers and lists as people read them."""

from __future__ import annotations

from collections.abc import Iterable

_SHOWN = 4


def number(value: float) -> str:
    """A number for people: thousands separated, no needless decimals.

    >>> number(2400.0), number(6252.5)
    ('2,400', '6,252.5')
    """
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def listed(names: Iterable[str]) -> str:
    """Names in a sentence; of many, the first few and how many more.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    items = list(names)
    if len(items) > _SHOWN:
        items = [*items[:_SHOWN], f"{len(items) - _SHOWN} more"]
    if not items:
        return "nothing"
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))
