"""Exceptions, portions, other names and comments: words that no drawing, or not this one, can follow."""

from __future__ import annotations

from site_eval.legal import vocabulary as v
from site_eval.legal.cursor import Cursor
from site_eval.legal.names import meridian_at, read_meridian
from site_eval.legal.number_lists import lot_list, read_numbers
from site_eval.legal.plss_events import NoteEvent, PartEvent
from site_eval.legal.plss_state import PlssState, end_portion
from site_eval.legal.plss_steps import read_step, step_ahead, strip_ahead

_ARTICLES = frozenset({"THE", "SAID", "ITS", "THAT"})
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


def portion(state: PlssState, count: int) -> None:
    """``part of``, ``metes and bounds in``: what follows holds the land but is larger than it."""
    cursor = state.cursor
    began = cursor.at
    cursor.at += count
    cursor.skip_words({"OF", "IN", "THE", "THRU", "WITHIN", "LY", "LYING", "LAND"})
    if state.portion_at is None:
        state.portion_at = began


def piece(state: PlssState) -> None:
    """``a tract of land located in …``."""
    cursor = state.cursor
    began = cursor.at
    cursor.at += 1
    cursor.skip_words({"SHAPED", "TRACT", "PARCEL", "PIECE", "OF", "LAND", "GROUND"})
    if state.portion_at is None:
        state.portion_at = began


def exception(state: PlssState) -> None:
    """Exception = ("except" | "less" | …) ["therefrom"] (parts | words)."""
    cursor = state.cursor
    if cursor.word() == "LESS" and cursor.word(-1) == "OR":
        cursor.at += 1
        return
    began = cursor.at
    cursor.at += 1
    end_portion(state)
    while cursor.skip_words(
        v.EXCEPT_WORDS | {"AND", "THEREFROM", "ALSO", "THE", "ONLY", "FOR", "A", "AN", "THAT"}
    ):
        pass
    cursor.skip_symbols(".,:&")
    cursor.skip_words(v.EXCEPT_WORDS | {"THEREFROM", "THE", "A", "AN", "THAT"})
    state.excepting = True
    if exact_ahead(state):
        return
    free_words(state, began, container=False)


def exact_ahead(state: PlssState) -> bool:
    """Whether a part that can be drawn follows the word "except"."""
    cursor = state.cursor
    return (
        step_ahead(state)
        or strip_ahead(state) is not None
        or (cursor.word() in v.LOT_WORDS and cursor.ahead(1).kind == "number")
        or cursor.word() in v.SECTION_WORDS
        or cursor.word() in v.PART_WORDS
        or cursor.word() in {"TRACT", "TR", "PARCEL", "PIECE", "METES"}
        or (cursor.word() == "M" and cursor.symbol(1) == "&")
    )


def lying(state: PlssState) -> None:
    """``lying north of the river``: understood, drawn only where a layer gives the line."""
    cursor = state.cursor
    began = cursor.at
    cursor.skip_words(v.LYING_WORDS)
    while (
        cursor.word() in v.DIRECTIONS
        or cursor.word() in {"AND", "OF", "FROM", "THE"}
        or (cursor.token.kind == "aliquot" and cursor.token.value in v.DIRECTIONS)
        or cursor.symbol() == "&"
    ):
        cursor.at += 1
    free_words(state, began, container=not state.excepting)


def free_words(state: PlssState, began: int, *, container: bool) -> None:
    """Words up to the next part, section, exception or break; kept as they are written."""
    cursor = state.cursor
    while not words_end(state):
        if cursor.symbol() in _BRACKETS:
            skip_bracket(state)
        elif cursor.word() in v.IN_WORDS or cursor.word() in {"LY", "LYING"}:
            cursor.at += 1
            skip_located_in(state)
        else:
            cursor.at += 1
    if cursor.at > began:
        text = " ".join(cursor.text_since(began).split())
        span = cursor.span_since(began)
        state.events.append(NoteEvent(text, container, span))
    excepting_ends_after_words(state)


def excepting_ends_after_words(state: PlssState) -> None:
    if state.excepting:
        state.excepting = False
        state.after_exception = True


def words_end(state: PlssState) -> bool:  # noqa: PLR0911 - one exit a kind of token
    cursor = state.cursor
    token = cursor.token
    if token.kind in {"end", "township", "range", "str", "newline"}:
        return token.kind != "newline" or cursor.ahead(1).kind == "end"
    if token.kind == "aliquot":
        return not (token.value in v.DIRECTIONS and cursor.word(1) in {"OF", "CORNER", "COR"})
    if token.kind == "symbol":
        return token.value in ";,])" or (token.value == "." and not _inside_number(cursor))
    if token.kind != "word":
        return False
    if token.value in v.LOT_WORDS and cursor.ahead(1).kind == "number":
        return True
    if token.value == "M" and cursor.symbol(1) == "&":
        return True
    return token.value in v.EXCEPT_WORDS or token.value in v.SECTION_WORDS


def skip_located_in(state: PlssState) -> None:
    """The aliquots that an exception or a clause says it lies in; no part of the land."""
    cursor = state.cursor
    while cursor.word() in v.IN_WORDS or cursor.word() in _ARTICLES or cursor.word() == "LY":
        cursor.at += 1
    if cursor.word() in v.SECTION_WORDS:
        cursor.at += 1
        cursor.skip_symbols(".")
        read_numbers(state, v.SECTION_WORDS)
        cursor.skip_symbols("&,")
        if cursor.token.kind == "str":
            cursor.at += 1
        return
    while step_ahead(state) or (cursor.word() in v.LOT_WORDS and cursor.ahead(1).kind == "number"):
        if step_ahead(state):
            read_step(state)
        else:
            lot_list(state, ())
        back = cursor.at
        cursor.skip_words({"OF", "AND", "IN", "THE"})
        if cursor.at > back and not step_ahead(state) and cursor.word() not in v.LOT_WORDS:
            cursor.at = back
            break


def so_much(state: PlssState) -> None:
    state.so_much_at = state.cursor.at
    state.cursor.at += 2
    state.cursor.skip_words({"OF", "THE"})


def so_much_end(state: PlssState) -> None:
    began = state.so_much_at or 0
    state.so_much_at = None
    free_words(state, began, container=True)


def bracket(state: PlssState) -> None:
    """A bracket is an exception, another name, a whole section, a meridian, or a comment."""
    cursor = state.cursor
    end_portion(state)
    word = cursor.word(1)
    if (
        word in v.EXCEPT_WORDS
        or word in v.SECTION_WORDS
        or cursor.ahead(1).kind in {"township", "str", "newline"}
    ):
        cursor.at += 1
        return
    if meridian_at(state, 1) is not None:
        cursor.at += 1
        read_meridian(state)
        cursor.skip_symbols(")]")
        return
    if word in {"METES", "M"} and cursor.symbol(2) in {"&", ""}:
        metes_bracket(state)
        return
    last = state.events[-1] if state.events else None
    names_land = cursor.ahead(1).kind == "aliquot" or word in {"ALL", *v.PART_WORDS}
    if names_land and not isinstance(last, (PartEvent, NoteEvent)):
        cursor.at += 1
        return
    began = cursor.at
    skip_bracket(state)
    code = "also-known-as" if names_land or "AKA" in cursor.text_since(began).upper() else "comment"
    cursor.warn(code, f"not drawn: {cursor.text_since(began)}", cursor.span_since(began))


def metes_bracket(state: PlssState) -> None:
    began = state.cursor.at
    skip_bracket(state)
    text, span = state.cursor.text_since(began).strip("[]()"), state.cursor.span_since(began)
    state.events.append(NoteEvent(text, container=True, span=span))


def skip_bracket(state: PlssState) -> None:
    """Pass over a bracket and all within it; an unclosed one ends with its line."""
    cursor = state.cursor
    began, depth = cursor.at, 0
    while cursor.token.kind not in {"end", "newline"}:
        symbol = cursor.symbol()
        depth += (symbol in _BRACKETS and symbol != "") - (symbol in _BRACKETS.values())
        cursor.at += 1
        if depth <= 0:
            return
    cursor.warn("repaired", "a bracket is not closed", cursor.span_since(began))


def aka_ahead(state: PlssState) -> bool:
    cursor = state.cursor
    word, second = cursor.word(), cursor.word(1)
    if word == "AKA" or (word == "ALSO" and second in {"CALLED", "KNOWN", "DESCRIBED"}):
        return True
    return word == "A" and cursor.symbol(1) == "/" and cursor.word(2) == "K"


def aka(state: PlssState) -> None:
    cursor = state.cursor
    began = cursor.at
    while cursor.token.kind not in {"end", "newline", "str", "township"} and (
        cursor.symbol() not in {";", ",", ")", "]"}
    ):
        cursor.at += 1
    cursor.warn("also-known-as", f"not drawn: {cursor.text_since(began)}", cursor.span_since(began))


def comment(state: PlssState) -> bool:
    """Book and page, reception and patent numbers."""
    cursor = state.cursor
    word = cursor.word()
    is_book = word in {"B", "P"} and (
        cursor.ahead(1).kind == "number"
        or (cursor.symbol(1) == "." and cursor.ahead(2).kind == "number")
    )
    if not is_book and word not in v.COMMENT_WORDS:
        return False
    began = cursor.at
    while comment_goes_on(state):
        cursor.at += 1
    cursor.warn("comment", f"not drawn: {cursor.text_since(began)}", cursor.span_since(began))
    return True


def comment_goes_on(state: PlssState) -> bool:
    cursor = state.cursor
    token = cursor.token
    if token.kind == "word":
        return (
            token.value in v.COMMENT_WORDS
            or (len(token.value) == 1 and token.value not in v.CARDINAL)
            or token.value == "NO"
        )
    if token.kind == "number":
        following = cursor.word(1)
        return following not in v.ACRE_WORDS or following == "A"
    return token.kind == "symbol" and token.value in "#.-&:/'" and cursor.ahead(1).kind != "end"


def _inside_number(cursor: Cursor) -> bool:
    """Whether a full stop only abbreviates: one letter or a known short word stands before it."""
    before = cursor.word(-1)
    return 0 < len(before) <= 3 and cursor.ahead(1).kind in {"number", "word"}
