"""What the reader of a PLSS text keeps: where it is, what it has said, and which clause it is in."""

from __future__ import annotations

from site_eval.legal.cursor import Cursor
from site_eval.legal.plss_events import BreakEvent, Event, NoteEvent, PartEvent
from site_eval.legal.tokens import tokenize
from site_eval.legal.tree import Aliquot, Part


class PlssState:
    """The cursor, what was said so far, and the clause that the cursor is in."""

    __slots__ = (
        "acreages",
        "after_exception",
        "ambiguous",
        "and_before",
        "blank_joins",
        "county",
        "cursor",
        "events",
        "excepting",
        "loose_quarters",
        "meridian",
        "portion_at",
        "range_side", "section_last",
        "so_much_at",
        "state",
        "township_side",
    )  # fmt: skip

    def __init__(
        self, text: str, township_side: str | None = None, range_side: str | None = None
    ) -> None:
        """Tokenise *text* and stand before its first token."""
        self.cursor = Cursor(text, [token for token in tokenize(text) if token.kind != "newline"])
        self.township_side = township_side  # what a bare number means, where that is known
        self.range_side = range_side
        self.section_last = any(token.kind == "str" for token in self.cursor.tokens)
        self.events: list[Event] = []
        self.meridian: str | None = None
        self.county: str | None = None
        self.state: str | None = None
        self.acreages: list[tuple[float, bool]] = []  # and whether "containing" introduced it
        self.ambiguous = False
        self.excepting = False
        self.after_exception = False
        self.and_before = False
        self.blank_joins: list[tuple[int, int]] = []  # where ``SW¼ NE¼`` was read as one
        self.loose_quarters = False  # ``SW NE``: one of the other, or both?
        self.portion_at: int | None = None  # token where "part of" began
        self.so_much_at: int | None = None


def emit(state: PlssState, part: Part, began: int) -> None:
    span = state.cursor.span_since(began)
    partial = state.portion_at is not None
    state.events.append(PartEvent(part, state.excepting, partial, span))
    if not state.excepting:
        state.after_exception = False
    state.and_before = False
    acres = bracketed_acres(state) if isinstance(part, Aliquot) else None
    if acres is not None:
        state.cursor.warn("comment", f"{acres:g} acres stated for {part.code}", span)


def end_portion(state: PlssState) -> None:
    began = state.portion_at
    if began is None:
        return
    state.portion_at = None
    cursor = state.cursor
    last = cursor.at - 1
    while last > began and cursor.tokens[last].value in {",", ";", ".", ":", "\n", "\r\n"}:
        last -= 1
    span = (cursor.tokens[began].start, cursor.tokens[last].end)
    text = " ".join(cursor.text[span[0] : span[1]].split())
    state.events.append(NoteEvent(text, container=not state.excepting, span=span))


def bracketed_acres(state: PlssState) -> float | None:
    cursor = state.cursor
    token = cursor.ahead(1)
    if cursor.symbol() not in {"(", "["} or token.kind != "number":
        return None
    if cursor.symbol(2) not in {")", "]", ","}:
        return None
    cursor.at += 2
    if cursor.symbol() in {")", "]"}:
        cursor.at += 1
    else:
        cursor.warn("repaired", "a closing bracket is missing", (token.start, token.end))
    return float(token.value.replace(",", ""))


def comma(state: PlssState) -> None:
    # "LESS A PORTION OF TRACT 1 REC# 379, S1/2 28-42-7": in rolls that write the section last, a
    # comma after an exception that is only a portion begins the next piece of land.
    ends = state.portion_at is not None and state.excepting and state.section_last
    end_portion(state)
    if ends:
        state.excepting, state.after_exception = False, True
    state.and_before = False


def strong_break(state: PlssState) -> None:
    end_portion(state)
    state.excepting = state.after_exception = state.and_before = False
    state.events.append(BreakEvent())
