"""Damage that scanners and typists do to legal descriptions, made from clean texts with a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

DAMAGES: dict[str, Callable[[str, random.Random], str]] = {}


def damage(function: Callable[[str, random.Random], str]) -> Callable[[str, random.Random], str]:
    DAMAGES[function.__name__] = function
    return function


def damaged(text: str, seed: int) -> Iterator[tuple[str, str]]:
    """Each kind of damage that changes *text*, with its name."""
    for name, function in DAMAGES.items():
        worse = function(text, random.Random(f"{seed} {name} {text}"))
        if worse != text:
            yield name, worse


def _one(pattern: str, replacement: str | Callable, text: str, rng: random.Random) -> str:
    """Replace one occurrence, drawn by *rng*."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    new = replacement(match) if callable(replacement) else match.expand(replacement)
    return text[: match.start()] + new + text[match.end() :]


@damage
def letter_l_for_one(text: str, rng: random.Random) -> str:
    return _one(r"1(?=/[24])", "l", text, rng)


@damage
def letter_i_for_one(text: str, rng: random.Random) -> str:
    return _one(r"1(?=/[24])", "I", text, rng)


@damage
def backslashed(text: str, rng: random.Random) -> str:
    return re.sub(r"(?<!\\)(1/[24])(?!\\)", r"\\\1\\", text)


@damage
def split_fraction(text: str, rng: random.Random) -> str:
    return _one(r"1/(?=[24])", "1/ ", text, rng)


@damage
def split_letters(text: str, rng: random.Random) -> str:
    return _one(r"\b([NS])([EW])(?=1/4|¼|/4)", r"\1 \2", text, rng)


@damage
def split_before_mark(text: str, rng: random.Random) -> str:
    return _one(r"(?<=[NSEW])(?=1/[24]|[½¼])", " ", text, rng)


@damage
def lost_mark(text: str, rng: random.Random) -> str:
    return _one(r"(?<=[NSEW])(?:\\?1/[24]\\?|/[24]|[½¼])", "", text, rng)


@damage
def lost_slash(text: str, rng: random.Random) -> str:
    return _one(r"(?<=[NSEW])1/(?=[24])", "1", text, rng)


@damage
def dollars(text: str, rng: random.Random) -> str:
    return _one(r"(?<=[NSEW])[½¼]", "$$", text, rng)


@damage
def question_mark(text: str, rng: random.Random) -> str:
    return _one(r"[½¼]", "?", text, rng)


@damage
def zero_for_degree(text: str, rng: random.Random) -> str:
    return _one(r"°", "0", text, rng)


@damage
def lost_degree(text: str, rng: random.Random) -> str:
    return _one(r"°", " ", text, rng)


@damage
def lost_seconds_mark(text: str, rng: random.Random) -> str:
    return _one(r"\"", "", text, rng)


@damage
def zero_before_letter(text: str, rng: random.Random) -> str:
    return _one(r"\b(?=[NSEW][NSEW24½¼])", "0", text, rng)


@damage
def letter_o_for_zero(text: str, rng: random.Random) -> str:
    return _one(r"(?<=\d)0", "O", text, rng)


@damage
def letter_l_in_number(text: str, rng: random.Random) -> str:
    return _one(r"(?<=\d)1", "l", text, rng)


@damage
def lost_comma(text: str, rng: random.Random) -> str:
    return _one(r",(?= )", "", text, rng)


@damage
def lost_space(text: str, rng: random.Random) -> str:
    return _one(r"(?<=\w) (?=\w)", "", text, rng)


@damage
def doubled_space(text: str, rng: random.Random) -> str:
    return _one(r" ", "  ", text, rng)


@damage
def comma_for_point(text: str, rng: random.Random) -> str:
    return _one(r"(?<=\d)\.(?=\d)", ",", text, rng)


@damage
def point_for_comma(text: str, rng: random.Random) -> str:
    return _one(r",(?= )", ".", text, rng)


@damage
def broken_line(text: str, rng: random.Random) -> str:
    return _one(r" ", "\n", text, rng)


@damage
def hyphenated_line(text: str, rng: random.Random) -> str:
    return _one(r"(?<=[a-z]{3})(?=[a-z]{3})", "-\n", text, rng)


@damage
def upper_case(text: str, rng: random.Random) -> str:
    return text.upper()


@damage
def transposed(text: str, rng: random.Random) -> str:
    return _one(r"([a-z])([a-z])", r"\2\1", text, rng)


@damage
def cut_short(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) // 2, len(text))]
