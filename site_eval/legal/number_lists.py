"""Lists of numbers: lots, tracts and sections, with ranges, acres in brackets, and parts of them."""

from __future__ import annotations

from site_eval.legal import vocabulary as v
from site_eval.legal.plss_events import NoteEvent
from site_eval.legal.plss_state import PlssState, bracketed_acres, emit
from site_eval.legal.tree import Lot, Tract

_LIST_LIMIT = 200
_ARTICLES = frozenset({"THE", "SAID", "ITS", "THAT"})


def lot_follows(state: PlssState) -> bool:
    cursor = state.cursor
    count = 1
    while cursor.word(count) in _ARTICLES or cursor.word(count) in {"GOVERNMENT", "GOVT"}:
        count += 1
    return cursor.word(count) in v.LOT_WORDS and cursor.ahead(count + 1).kind == "number"


def lots(state: PlssState, steps: tuple[str, ...]) -> bool:
    """Lots = "lot" number { [","|"and"|"thru"] number }."""
    began = state.cursor.at
    lots = lot_list(state, steps)
    for lot in lots:
        emit(state, lot, began)
    return bool(lots)


def lot_list(state: PlssState, steps: tuple[str, ...]) -> list[Lot]:
    cursor = state.cursor
    back = cursor.at
    cursor.skip_words({"GOVERNMENT", "GOVT", "GOV"})
    cursor.at += 1
    cursor.skip_symbols(".:")
    cursor.skip_words({"NUMBERED", "NUMBERS"})
    # "N½ of Lot 2 and Lot 3": a repeated noun begins anew, it is not halved too.
    numbers = read_numbers(state, frozenset() if steps else v.LOT_WORDS)
    if not numbers:
        cursor.at = back
    return [Lot(number, steps, acres) for number, acres in numbers]


def tracts(state: PlssState) -> bool:
    cursor = state.cursor
    back = cursor.at
    cursor.at += 1
    cursor.skip_symbols(".:")
    numbers = read_numbers(state, v.TRACT_WORDS)
    if not numbers:
        cursor.at = back
        return False
    for number, acres in numbers:
        emit(state, Tract(number, acres), back)
    return True


def read_numbers(state: PlssState, nouns: frozenset[str]) -> list[tuple[str, float | None]]:
    """Number ["(" acres ")"] { separator [noun] number } — with ``thru`` ranges spelled out."""
    cursor = state.cursor
    found: list[tuple[str, float | None]] = []
    while True:
        back = cursor.at
        separated = cursor.skip_symbols(",&") | cursor.skip_words({"AND"})
        through = False
        if found and (cursor.symbol() or cursor.word()) in v.THROUGH_WORDS:
            through, separated = True, True
            cursor.at += 1
        partial_at = skip_partial(state, nouns)
        noun = found != [] and cursor.word() in nouns
        if noun:
            cursor.at += 1
            cursor.skip_symbols(".")
        cursor.skip_words({"NO", "NOS", "NUMBER", "NUMBERS", "NUMBERED"})
        numbers = whole_numbers(state)
        if numbers is None or (
            found and not separated and not noun and cursor.ahead(-1).kind == "newline"
        ):
            cursor.at = back
            return found
        if partial_at is not None:
            partial_number(state, partial_at)
        if through:
            found.extend(spelled_out(state, found[-1][0], numbers[0]))
            numbers = numbers[1:]
            skip_inclusive(state)
        found.extend((number, None) for number in numbers)
        acres = bracketed_acres(state)
        if acres is not None:
            found[-1] = (found[-1][0], acres)


def skip_inclusive(state: PlssState) -> None:
    """``3 to 6, inclusive``, which a range always is."""
    cursor = state.cursor
    back = cursor.at
    cursor.skip_symbols(",(")
    if cursor.skip_words({"INCLUSIVE", "INCL"}):
        cursor.skip_symbols(")")
    else:
        cursor.at = back


def skip_partial(state: PlssState, nouns: frozenset[str]) -> int | None:
    """``PART OF 45(22.49)`` inside a list of tracts."""
    cursor = state.cursor
    if cursor.word() not in v.PART_WORDS:
        return None
    count = 2 if cursor.word(1) == "OF" else 1
    noun = cursor.word(count) in nouns
    if cursor.ahead(count + noun).kind != "number":
        return None
    began = cursor.at
    cursor.at += count
    return began


def partial_number(state: PlssState, began: int) -> None:
    text, span = state.cursor.text_since(began), state.cursor.span_since(began)
    state.events.append(NoteEvent(text, container=True, span=span))


def whole_numbers(state: PlssState) -> list[str] | None:  # noqa: PLR0911 - one exit a reason
    """Whole numbers of one token (``1,145`` in a list is two), unless a measure follows."""
    cursor = state.cursor
    token, following = cursor.token, cursor.ahead(1)
    if token.kind == "word" and token.value in v.NUMBER_WORDS:
        return worded_number(state)
    if token.kind != "number" or "." in token.value:
        return None
    touching = following.start == token.end
    if (touching and following.kind == "aliquot") or not int(token.value.replace(",", "")):
        return None
    if following.kind == "word":
        if following.value in v.ACRE_WORDS and following.value != "A":
            return None
        if following.value in v.UNITS_FT and following.value not in {"L", "IN", "M"}:
            return None
        if touching:
            return None
    if following.kind == "symbol" and following.value in {"'", "’", "°"}:
        return None
    cursor.at += 1
    pieces = token.value.split(",")
    if len(pieces) > 1:
        cursor.warn(
            "repaired",
            f"{token.value!r} is read as the numbers {', '.join(pieces)}",
            (token.start, token.end),
        )
    return [str(int(piece)) for piece in pieces]


def worded_number(state: PlssState) -> list[str] | None:
    """``Three (3)`` or ``three`` in a list, unless a measure or a fraction follows."""
    cursor = state.cursor
    back = cursor.at
    number = spoken_number(state)
    same_in_figures(state, number)
    word = cursor.word()
    measures = word in v.ACRE_WORDS or word in v.UNITS_FT or word in {"HUNDRED", "THOUSAND"}
    if measures or word in v.HALF_WORDS | v.QUARTER_WORDS or cursor.symbol() == "-":
        cursor.at = back
        return None
    return [str(number)]


def same_in_figures(state: PlssState, number: int) -> None:
    """``three (3)``: pass the figures when they say the same; otherwise they stay to be named."""
    cursor = state.cursor
    if cursor.symbol() in {"(", "["} and cursor.ahead(1).value == str(number):
        cursor.at += 3


def spelled_out(state: PlssState, first: str, last: str) -> list[tuple[str, float | None]]:
    low, high = int(first), int(last)
    if not low < high <= low + _LIST_LIMIT:
        state.cursor.warn("bad-range", f"from {first} to {last} is no range of numbers", None)
        return [(last, None)]
    return [(str(number), None) for number in range(low + 1, high + 1)]


def spoken_number(state: PlssState) -> int:
    """``thirty-one``, ``twelve``."""
    cursor = state.cursor
    number = v.NUMBER_WORDS[cursor.word()]
    cursor.at += 1
    if number >= 20:
        dash = cursor.symbol() == "-"
        unit = v.NUMBER_WORDS.get(cursor.word(1 if dash else 0), 0)
        if 0 < unit < 10:
            cursor.at += 2 if dash else 1
            number += unit
    return number


def mixed_number(text: str) -> float:
    """``35 1/2``, ``6½``, ``¾`` as a number."""
    marks = {"½": 0.5, "¼": 0.25, "¾": 0.75}
    if text[-1] in marks:
        return float(text[:-1] or 0) + marks[text[-1]]
    *whole, fraction = text.replace("-", " ").split()
    top, bottom = fraction.split("/")
    if float(bottom) == 0:
        return float("nan")
    return (float(whole[0]) if whole else 0.0) + float(top) / float(bottom)


def spelled_numbers(first: str, last: str) -> list[str]:
    """The whole numbers after *first* up to *last*; only *last* when that is no range."""
    low, high = int(first), int(last)
    if not low < high <= low + _LIST_LIMIT:
        return [last]
    return [str(number) for number in range(low + 1, high + 1)]
