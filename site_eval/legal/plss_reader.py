"""The grammar of PLSS descriptions: which rule reads the next words."""

from __future__ import annotations

from site_eval.legal import vocabulary as v
from site_eval.legal.meridians import FIRST_WORDS
from site_eval.legal.names import place_name, read_meridian
from site_eval.legal.number_lists import lots, spoken_number, tracts
from site_eval.legal.plss_events import BreakEvent, NoteEvent, TownshipEvent
from site_eval.legal.plss_notes import (
    aka,
    aka_ahead,
    bracket,
    comment,
    exception,
    free_words,
    lying,
    piece,
    portion,
    so_much,
    so_much_end,
)
from site_eval.legal.plss_sections import (
    bare_section,
    full_section,
    section,
    short_section,
    spoken_township,
    township,
    whole_section,
)
from site_eval.legal.plss_state import PlssState, comma, end_portion, strong_break
from site_eval.legal.plss_steps import (
    aliquot_part,
    step_ahead,
    strip_ahead,
    strip_part,
    warn_fractional,
    worded_step,
)
from site_eval.legal.tokens import Token, read_chain

_ORDINAL_ENDINGS = frozenset({"ST", "ND", "RD", "TH"})
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


def read_events(
    text: str, township_side: str | None = None, range_side: str | None = None
) -> PlssState:
    """Read a whole text: description = { element }. No text makes it raise or loop."""
    state = PlssState(text, township_side, range_side)
    cursor = state.cursor
    while (token := cursor.token).kind != "end":
        before = cursor.at
        element(state, token)
        if cursor.at == before:  # no rule moved: name it and go on, never loop
            cursor.leave_unread()
    end_portion(state)
    _weigh_loose_quarters(state)
    _weigh_blank_joins(state)
    return state


def _weigh_loose_quarters(state: PlssState) -> None:
    """``SW NE``: two quarters where the writer runs aliquots together elsewhere; else undecided."""
    if not state.loose_quarters:
        return
    chains = [read_chain(t.value) for t in state.cursor.tokens if t.kind == "aliquot"]
    if all(len(chain.steps) == 1 for chain in chains):
        state.ambiguous = True
        state.cursor.warn("ambiguous", "two quarters, or one quarter of the other", None)


def _weigh_blank_joins(state: PlssState) -> None:
    """A blank between two steps is one writer's style, another's lost comma or broken line."""
    text = state.cursor.text
    chains = [read_chain(t.value) for t in state.cursor.tokens if t.kind == "aliquot"]
    runs_together = any(len(chain.steps) > 1 for chain in chains)
    for start, end in state.blank_joins:
        if runs_together or "\n" in text[start:end]:
            fault = f"{' '.join(text[start:end].split())!r} is read as one part, not as two"
            state.cursor.warn("read-as-one", fault, (start, end))


def element(state: PlssState, token: Token) -> None:
    """Element = aliquot | township | section | lots | exception | note | acreage | break."""
    kind = token.kind
    if kind == "aliquot":
        aliquot_part(state)
    elif kind == "word":
        word(state, token.value)
    elif kind == "symbol":
        symbol(state, token.value)
    elif kind in {"township", "range"}:
        township(state)
    elif kind == "number":
        number(state)
    elif kind == "str":
        full_section(state)
    elif kind == "newline":
        state.cursor.at += 1
        comma(state)
    elif kind == "dotted":
        dotted(state)
    else:
        state.cursor.leave_unread()


def symbol(state: PlssState, symbol: str) -> None:
    cursor = state.cursor
    if symbol == ",":
        cursor.at += 1
        comma(state)
    elif symbol in ";.":
        cursor.at += 1
        strong_break(state)
    elif symbol in _BRACKETS:
        bracket(state)
    elif symbol in ":-–—&/":
        state.and_before = symbol == "&"
        cursor.at += 1
    else:
        cursor.leave_unread()


def word(state: PlssState, word: str) -> None:  # noqa: C901, PLR0912 - the table of the grammar
    cursor = state.cursor
    if word in FIRST_WORDS and read_meridian(state):
        return
    if (word == "SUBJECT" and cursor.word(1) == "TO") or easement_ahead(state):
        burden(state)
    elif word == "SO" and cursor.word(1) == "MUCH":
        so_much(state)
    elif word in v.DIRECTIONS:
        directed(state)
    elif word in v.SECTION_WORDS:
        section(state)
    elif word == "AND" and cursor.word(1) in {"IN", "WITHIN"} and portion_before(state):
        portion(state, 2)
    elif (word in {"TOWNSHIP", "TWP", "RANGE", "RGE"} and spoken_township(state)) or (
        word in v.LOT_WORDS and lots(state, ())
    ):
        return
    elif word in v.EXCEPT_WORDS:
        exception(state)
    elif (word == "M" and cursor.symbol(1) == "&" and cursor.word(2) == "B") or word == "METES":
        portion(state, 3)
    elif (
        (word in v.TRACT_WORDS and tracts(state))
        or (word == "TAX" and tax_lot(state))
        or (word in v.FRACTIONAL_WORDS and fractional(state))
    ):
        return
    elif word in v.PART_WORDS:
        portion(state, 1)
    elif word in {"TRACT", "PARCEL", "TR", "TRIANGULAR", "IRREGULAR", "STRIP", "PARCELS"}:
        piece(state)
    elif word == "ALL":
        whole_section(state)
    elif word in v.LYING_WORDS:
        lying(state)
    elif word == "AS" and state.so_much_at is not None:
        so_much_end(state)
    elif aka_ahead(state):
        aka(state)
    elif (
        (word in {"OF", "FROM", "IN"} and bare_section(state))
        or comment(state)
        or (word in v.NUMBER_WORDS and number_in_words(state))
        or place_name(state, word)
    ):
        return
    elif word in v.CONNECTIVES:
        state.and_before = word == "AND" or (state.and_before and word == "THE")
        cursor.at += 1
        if word in {"CONT", "LOC", "CO", "NO", "GOV", "GOVT"}:  # their full stop ends no clause
            cursor.skip_symbols(".")
    else:
        cursor.leave_unread()


def easement_ahead(state: PlssState) -> bool:
    """``together with an easement …``, ``with a perpetual right of way …``."""
    cursor = state.cursor
    if cursor.word() not in {"TOGETHER", "WITH"} or not state.events:
        return False
    rights = {"EASEMENT", "EASEMENTS", "RIGHT", "RIGHTS", "WATER", "INGRESS", "IMPROVEMENTS"}
    return any(cursor.word(count) in rights for count in range(1, 6))


def burden(state: PlssState) -> None:
    """What burdens or goes with the land changes no boundary: a comment to the end of its clause."""
    cursor = state.cursor
    began = cursor.at
    while cursor.token.kind not in {"end", "newline", "township", "str"}:
        if cursor.symbol() == ";" or cursor.word() in v.SECTION_WORDS | v.EXCEPT_WORDS:
            break
        cursor.at += 1
    cursor.warn("comment", f"not drawn: {cursor.text_since(began)}", cursor.span_since(began))


def tax_lot(state: PlssState) -> bool:
    """``Tax Lot 300``, ``Tax 12``: an assessor's piece of what is named; no government lot."""
    cursor = state.cursor
    began = cursor.at
    cursor.at += 1
    cursor.skip_words({"LOT", "LOTS", "NO", "NUMBER", "PARCEL"})
    cursor.skip_symbols(".#")
    if cursor.token.kind != "number":
        cursor.at = began
        return False
    cursor.at += 1
    span = cursor.span_since(began)
    state.events.append(NoteEvent(cursor.text_since(began), container=True, span=span))
    return True


def fractional(state: PlssState) -> bool:
    """``fractional NE¼``, ``fractional section 6``: the whole of it, but not of nominal area."""
    cursor = state.cursor
    began = cursor.at
    cursor.at += 1
    cursor.skip_symbols(".")
    if not (step_ahead(state) or cursor.word() in v.SECTION_WORDS | v.LOT_WORDS):
        cursor.at = began
        return False
    warn_fractional(state, began)
    return True


def portion_before(state: PlssState) -> bool:
    """``a tract in the S½ 22-42-7 and in the N½ 27-42-7``: the tract goes on."""
    return any(isinstance(event, NoteEvent) and event.container for event in state.events[-3:])


def dotted(state: PlssState) -> None:
    word = state.cursor.word()
    if word in FIRST_WORDS and read_meridian(state):
        return
    if word in v.DIRECTIONS:
        directed(state)
    else:
        state.cursor.leave_unread()


def directed(state: PlssState) -> None:
    """A direction begins an aliquot, a strip, a ``northwest part of``, or says where land lies."""
    cursor = state.cursor
    if cursor.word(1) == "DAKOTA":
        state.state = "ND" if cursor.word() == "NORTH" else "SD"
        cursor.at += 2
    elif worded_step(state) is not None:
        aliquot_part(state)
    elif strip_ahead(state) is not None:
        strip_part(state)
    elif cursor.word(1) in v.PART_WORDS:
        portion(state, 2)
    elif cursor.word() == "S" and state.events and short_section(state):
        return
    elif state.events and not isinstance(state.events[-1], (TownshipEvent, BreakEvent)):
        lying(state)
    else:
        cursor.leave_unread()


def number(state: PlssState) -> None:
    """A number is an acreage, a meridian's ordinal, or nothing that this grammar knows."""
    cursor = state.cursor
    if cursor.word(1) in v.ACRE_WORDS and acreage(state):
        return
    if cursor.word(1) in _ORDINAL_ENDINGS and read_meridian(state):
        return
    if cursor.symbol(1) == "-" and cursor.word(2) in v.ACRE_WORDS and acreage(state, 2):
        return
    cursor.leave_unread()


def number_in_words(state: PlssState) -> bool:
    back = state.cursor.at
    number = spoken_number(state)
    if state.cursor.word() in v.ACRE_WORDS:
        state.cursor.at += 1
        take_acreage(state, float(number), back)
        return True
    state.cursor.at = back
    return False


def acreage(state: PlssState, unit_at: int = 1) -> bool:
    cursor = state.cursor
    if (
        cursor.word(unit_at) == "A"
        and cursor.symbol(unit_at + 1) != "."
        and (cursor.ahead(unit_at + 1).kind != "end")
    ):
        return False
    began = cursor.at
    amount = float(cursor.token.value.replace(",", ""))
    cursor.at += unit_at + 1
    cursor.skip_symbols(".")
    take_acreage(state, amount, began)
    return True


def take_acreage(state: PlssState, amount: float, began: int) -> None:
    cursor = state.cursor
    total = cursor.word_before(began) in v.TOTAL_WORDS
    cursor.skip_words({"OF", "LAND"})
    back = cursor.at
    cursor.skip_symbols(",")
    if (cursor.word() == "MORE" and cursor.word(1) == "OR" and cursor.word(2) == "LESS") or (
        cursor.word() == "M" and cursor.symbol(1) == "/" and cursor.word(2) == "L"
    ):
        cursor.at += 3
    else:
        cursor.at = back
    cursor.skip_symbols("±")
    located = cursor.word() in {"IN", "WITHIN", "OUT", "LY", "LYING", "LOCATED", "LOC"}
    located &= not any(cursor.word(n) in {"COUNTY", "COUNTIES"} for n in (2, 3, 4))
    if state.excepting or state.after_exception:
        free_words(state, began, container=False)
    elif located and not total:
        state.portion_at = began if state.portion_at is None else state.portion_at
        state.acreages.append((amount, total))
    else:
        state.acreages.append((amount, total))
