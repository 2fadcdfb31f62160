"""Sections, townships and ranges, in words, in short, and as assessors write all three."""

from __future__ import annotations

import re

from site_eval.legal import vocabulary as v
from site_eval.legal.meridians import ALIASES
from site_eval.legal.number_lists import read_numbers, same_in_figures, spoken_number
from site_eval.legal.plss_events import FullSectionEvent, PartEvent, SectionEvent, TownshipEvent
from site_eval.legal.plss_state import PlssState, emit, end_portion
from site_eval.legal.plss_steps import step_ahead, strip_ahead
from site_eval.legal.tree import WHOLE

_ORDINAL_ENDINGS = frozenset({"ST", "ND", "RD", "TH"})
_SIDED = re.compile(r"(?P<number>\d+)(?P<half> ?½| 1/2|\.5)?[ .]*(?P<side>[NSEW])?")


def section(state: PlssState) -> None:
    """Section = ("section" | "sec.") number { separator number }."""
    cursor = state.cursor
    began = cursor.at
    bound = bound_by_of(state)
    # "secs. 9 to 11, and sec. 14, N½": after a list in the plural, "sec." begins anew.
    nouns = v.SECTION_PLURALS if cursor.word() in v.SECTION_PLURALS else v.SECTION_WORDS
    cursor.at += 1
    cursor.skip_symbols(".")
    cursor.skip_words({"NO", "NUMBER", "NUMBERED", "NOS"})
    cursor.skip_symbols(".#")
    if cursor.token.kind == "str":  # "Section 3-6N-2W"
        full_section(state)
        return
    numbers = [int(number) for number, _ in read_numbers(state, nouns)]
    if not numbers and cursor.word() in v.NUMBER_WORDS:
        numbers = [spoken_number(state)]
        same_in_figures(state, numbers[0])
    emit_section(state, tuple(numbers) or (None,), bound, began)


def short_section(state: PlssState) -> bool:
    """``S3:`` for section 3, in a text that has named its township."""
    cursor = state.cursor
    token, following = cursor.ahead(1), cursor.ahead(2)
    if token.kind != "number" or token.start != cursor.token.end or not token.value.isdigit():
        return False
    if following.kind == "symbol" and following.value not in {":", ",", ";"}:
        return False
    if following.value in v.UNITS_FT or not 1 <= int(token.value) <= 36:
        return False
    began = cursor.at
    cursor.at += 2
    warned = f"S{token.value} is read as section {token.value}"
    cursor.warn("repaired", warned, cursor.span_since(began))
    emit_section(state, (int(token.value),), False, began)
    return True


def spoken_township(state: PlssState) -> bool:
    """``Township Six (6) North, Range Two West``."""
    cursor = state.cursor
    back = cursor.at
    sides: dict[str, str | None] = {"T": None, "R": None}
    for _ in range(2):
        letter = cursor.word()[:1]
        if cursor.word() not in {"TOWNSHIP", "TWP", "RANGE", "RGE"}:
            break
        numbered = cursor.word(1) in {"NUMBERED", "NUMBER", "NO"}
        if cursor.word(1 + numbered) not in v.NUMBER_WORDS:
            break
        cursor.at += 1 + numbered
        number = spoken_number(state)
        same_in_figures(state, number)
        side = v.DIRECTIONS.get(cursor.word(), "")
        if side in ({"N", "S"} if letter == "T" else {"E", "W"}):
            sides[letter] = f"{number}{side}"
            cursor.at += 1
        cursor.skip_symbols(".,;")
        cursor.skip_words({"AND", "OF"})
    if cursor.at == back:
        return False
    end_portion(state)
    state.events.append(TownshipEvent(sides["T"], sides["R"], cursor.span_since(back)))
    return True


def bare_section(state: PlssState) -> bool:
    """``… of 7`` and ``from 5 the …``: a number where a section is expected."""
    cursor = state.cursor
    word, token, following = cursor.word(), cursor.ahead(1), cursor.ahead(2)
    if token.kind != "number" or not token.value.isdigit() or not 1 <= int(token.value) <= 36:
        return False
    if following.value in {"-", "/", "°", "'"} or following.value in v.ACRE_WORDS:
        return False
    if following.value in v.UNITS_FT or following.value in _ORDINAL_ENDINGS:
        return False
    last = state.events[-1] if state.events else None
    if word != "FROM" and not isinstance(last, PartEvent):
        return False
    began = cursor.at
    cursor.at += 2
    numbers = (int(token.value), *more_bare_sections(state))
    emit_section(state, numbers, word != "FROM", began)
    return True


def more_bare_sections(state: PlssState) -> list[int]:
    """``all of 4, 5 and 6``: numbers that nothing but the list's own marks surround."""
    cursor = state.cursor
    found: list[int] = []
    while True:
        back = cursor.at
        separated = cursor.skip_symbols(",&") | cursor.skip_words({"AND"})
        token, following = cursor.token, cursor.ahead(1)
        ends = following.value in {",", ";", ".", ":", "&", "AND"}
        ends |= following.kind in {"end", "newline", "township"}
        if not (separated and ends and token.kind == "number" and token.value.isdigit()):
            cursor.at = back
            return found
        if not 1 <= int(token.value) <= 36:
            cursor.at = back
            return found
        found.append(int(token.value))
        cursor.at += 1


def emit_section(
    state: PlssState, numbers: tuple[int | None, ...], bound: bool, began: int
) -> None:
    cursor = state.cursor
    readable: list[int | None] = []
    for number in numbers:
        good = number is not None and 1 <= number <= 36
        if not good:
            cursor.warn(
                "section-unreadable", "no section number from 1 to 36", cursor.span_since(began)
            )
        readable.append(number if good else None)
    excepted = bound and names_exception(state)
    end_portion(state)
    state.after_exception |= state.excepting
    state.excepting = state.and_before = False
    span = cursor.span_since(began)
    state.events.append(SectionEvent(tuple(readable), bound, span, excepted))


def bound_by_of(state: PlssState) -> bool:
    cursor = state.cursor
    return cursor.word(-1) in {"OF", "IN", "SAID", "THE"} and bool(state.events)


def township(state: PlssState) -> None:
    """Township = T number N|S [","] R number E|W, in either order."""
    cursor = state.cursor
    began = cursor.at
    township = range_ = None
    for _ in range(2):
        token = cursor.token
        if token.kind == "township" and township is None:
            township = token
        elif token.kind == "range" and range_ is None:
            range_ = token
        else:
            break
        cursor.at += 1
        back = cursor.at
        cursor.skip_symbols(".,-–;/")
        if cursor.token.kind == "newline":
            cursor.at += 1
        cursor.skip_words({"AND", "OF"})
        if cursor.token.kind not in {"township", "range"} or (township and range_):
            cursor.at = back
    end_portion(state)
    span = cursor.span_since(began)
    state.events.append(
        TownshipEvent(
            sided(state, township.value, "NS", span) if township else None,
            sided(state, range_.value, "EW", span) if range_ else None,
            span,
        )
    )


def full_section(state: PlssState) -> None:
    """section-township-range, as assessors write it."""
    cursor = state.cursor
    token = cursor.token
    excepted = names_exception(state)
    end_portion(state)
    cursor.at += 1
    section, township, range_ = (piece.strip() for piece in token.value.split("-"))
    meridian = ALIASES.get((range_.lstrip("R0123456789"),))
    if meridian is not None:
        state.meridian = meridian
    number = int(section)
    split = cursor.unread[-1:] and token.start - cursor.unread[-1][1] <= 1
    if split and cursor.ahead(-2).kind == "number":  # "3 1-42-7" may be section 31
        cursor.warn(
            "section-unreadable", "a digit may be split from the section", (token.start, token.end)
        )
        number = 0
    state.after_exception |= state.excepting
    state.excepting = state.and_before = False
    state.events.append(
        FullSectionEvent(
            number if 1 <= number <= 36 else None,
            sided(state, township, "NS", (token.start, token.end)),
            sided(state, range_, "EW", (token.start, token.end)),
            (token.start, token.end),
            excepted,
        )
    )


def names_exception(state: PlssState) -> bool:
    """Whether a section that comes now says where the excepted part just before it lies."""
    last = state.events[-1] if state.events else None
    return isinstance(last, PartEvent) and last.excepted


def whole_section(state: PlssState) -> None:
    """``all`` is the whole section where nothing narrower follows."""
    cursor = state.cursor
    count = 1
    while cursor.word(count) in {"OF", "THE", "SAID", "IN", "FRACTIONAL"}:
        count += 1
    token = cursor.ahead(count)
    ends = token.kind in {"end", "newline", "township", "str", "range"}
    ends |= token.kind == "symbol" and token.value in ",;.:)]("
    ends |= token.kind == "word" and (
        token.value in v.SECTION_WORDS
        or token.value in v.EXCEPT_WORDS
        or token.value in v.LYING_WORDS
        or token.value in {"AND", "CONTAINING"}
    )
    ends |= token.kind == "number" and count > 1
    ends |= cursor.word(1) in v.DIRECTIONS and strip_or_step_at(state, 1) is False
    began = cursor.at
    cursor.at += 1
    if ends and not sums_up(state):
        emit(state, WHOLE, began)


def sums_up(state: PlssState) -> bool:
    """``NE¼ and SE¼, all in Section 7``: "all" of the parts named, not all of the section."""
    cursor = state.cursor
    at_township = cursor.token.kind == "township"
    if not at_township and cursor.word() not in {
        "IN",
        "BEING",
        "LYING",
        "SITUATE",
        "SITUATED",
        "WITHIN",
        "LOCATED",
    }:
        return False
    return isinstance(state.events[-1] if state.events else None, (PartEvent, SectionEvent))


def strip_or_step_at(state: PlssState, count: int) -> bool:
    cursor = state.cursor
    back = cursor.at
    cursor.at += count
    found = step_ahead(state) or strip_ahead(state) is not None
    cursor.at = back
    return found


def sided(state: PlssState, value: str, sides: str, span: tuple[int, int]) -> str | None:
    """A township or range number with its side, where need be the one known beside the text."""
    found = side_number(value, sides)
    known = state.township_side if sides == "NS" else state.range_side
    if found is not None or known is None:
        return found
    match = _SIDED.search(value)
    assumed = side_number(f"{value.rstrip('. ')}{known}", sides) if match else None
    if assumed is not None:
        state.cursor.warn("side-assumed", f"{value.strip()!r} is read as {assumed}", span)
    return assumed


def side_number(value: str, sides: str) -> str | None:
    """``T. 6½ N.`` as ``6½N``; None when the number or the side is missing or impossible."""
    match = _SIDED.search(value)
    if match is None or match["side"] is None or match["side"] not in sides:
        return None
    number = match["number"].lstrip("0")
    return f"{number}{'.5' if match['half'] else ''}{match['side']}" if number else None
