"""Words, numbers, aliquots, townships and ranges, each with its span in the untouched text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple


class Token(NamedTuple):
    """One token; ``text[start:end]`` of the description is what was written.

    ``kind`` is one of ``word`` (``value`` in capitals), ``number``, ``fraction``, ``aliquot``,
    ``township``, ``range``, ``str`` (section-township-range), ``dotted`` (M.D.M.), ``newline``,
    ``symbol``.
    """

    kind: str
    value: str
    start: int
    end: int


class Chain(NamedTuple):
    """An aliquot as written without a break: ``S½NE¼`` is ``("S2", "NE")``, smallest first."""

    steps: tuple[str, ...]
    marked: bool  # written with fraction marks, not only as letters and digits
    repaired: bool  # read only after mending a typing or scanning fault


# A quarter's mark and a half's, as typists, word processors and scanners leave them.
_ONE = r"[1lI|!]"
_M4 = rf"\\?(?:¼|{_ONE}\ ?/\ ?4|/\ ?4|\$\$)(?:th\b)?\\?"
_M2 = rf"\\?(?:½|{_ONE}\ ?/\ ?2|/\ ?2)\\?"
_STEP = (
    rf"(?:[NS]\.?\ ?[EW]\.?\s?{_M4}|[NS][EW]4(?!\d)|[NS][EW](?![a-zA-Z]|\ ?[°º])"
    rf"|[NS][EW](?=[NSEW][NSEW24\d½/\ ])|[NSEW]\.?\s?{_M2}|[NSEW]2(?!\d))"
)
_NOT_ANGLE = r"(?!\.\d|\ ?[°º'’′\"]|-\d)"

_MASTER = re.compile(
    rf"""
    (?P<newline>\r?\n)
  | (?P<space>[ \t\f\v\xa0\r]+)
  | (?P<aliquot>(?=[NSEW])(?:{_STEP})+(?![A-KM-Z0-9]|L(?!\d)){_NOT_ANGLE})
  | (?P<township>(?<![A-Za-z])T(?:ownship|wnship|own|wp|wn|p|sp)?s?\.?[\ -]?\s*(?:No\.?\s*)?
        \d{{1,3}}(?:\ ?½|\ 1/2|\.5)?(?!\d|\.\d)(?:\ ?\.?\ ?\s?(?:North|South|[NS])(?![A-QS-Z])\.?)?)
  | (?P<range>(?:(?<![A-Za-z])|(?<=[NSns]))R(?:ange|nge|ng|ge|g)?\.?[\ -]?\s*(?:No\.?\s*)?
        \d{{1,3}}(?:\ ?½|\ 1/2|\.5)?(?!\d|\.\d|,\d{{3}})(?:\ ?\.?\ ?\s?(?:East|West|[EW])(?![A-Za-z])\.?)?)
  | (?P<str>(?<![\dA-Za-z-])\d{{1,2}}\ ?-\ ?T?\d{{1,3}}[NS]?\ ?-\ ?R?\d{{1,3}}(?:[EW](?:[A-Z]?M\b)?)?(?![\d-]|/))
  | (?P<dotted>(?:[A-Za-z]\.){{2,}}(?:\ ?&\ ?[A-Za-z]\.)?)
  | (?P<fraction>½|¼|¾|\d+[\ -]\d{{1,2}}/\d{{1,3}}(?![\d/])|\d+[½¼¾]|\d{{1,2}}/\d{{1,3}}(?![\d/]))
  | (?P<number>\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|(?<![A-Za-z])\.\d+)
  | (?P<word>[A-Za-z](?:[A-Za-z]|['’](?=[A-Za-z]))*)
  | (?P<symbol>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_SKIPPED = frozenset({"space"})


def tokenize(text: str) -> list[Token]:
    """Every token of *text* in order; only blanks are left out, so spans account for the whole."""
    make = Token
    return [
        make(kind, match.group().upper(), match.start(), match.end())
        for match in _MASTER.finditer(text)
        if (kind := match.lastgroup or "symbol") not in _SKIPPED
    ]


_STEP_READ = re.compile(
    rf"(?P<quarter>(?P<letters>[NS]\.?\ ?[EW])\.?\s?(?P<qmark>{_M4}|4(?!\d))?)"
    rf"|(?P<half>[NSEW])\.?\s?(?P<hmark>{_M2}|2)",
    re.IGNORECASE,
)
_CLEAN_MARK = re.compile(r"\\?(?:¼|½|1?/[24]|[24])(?:TH)?\\?")


@lru_cache(maxsize=65536)
def read_chain(value: str) -> Chain:
    """Split an ``aliquot`` token's value into its steps, smallest first."""
    steps: list[str] = []
    marked = False
    repaired = False
    at = 0
    while at < len(value):
        match = _STEP_READ.match(value, at)
        if match is None:  # pragma: no cover - the lexer's pattern is made of these steps
            raise ValueError(value)
        at = match.end()
        if (half := match["half"]) is not None:
            mark = match["hmark"]
            steps.append(f"{half}2")
        else:
            letters = match["letters"]
            mark = match["qmark"] or ""
            steps.append(letters.replace(".", "").replace(" ", ""))
            repaired |= " " in letters and "." not in letters
        marked |= len(mark) > 1 or mark in {"½", "¼"}
        repaired |= bool(mark) and _CLEAN_MARK.fullmatch(mark) is None
    return Chain(tuple(steps), marked, repaired)
