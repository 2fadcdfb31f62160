"""Aliquots and strips: halves and quarters in marks, letters or words, joined by "of" or by nothing."""

from __future__ import annotations

import math
from itertools import pairwise

from site_eval.legal import vocabulary as v
from site_eval.legal.number_lists import lot_follows, lot_list, lots, mixed_number
from site_eval.legal.plss_events import PartEvent
from site_eval.legal.plss_state import PlssState, emit
from site_eval.legal.section_unit import box_of
from site_eval.legal.tokens import read_chain
from site_eval.legal.tree import WHOLE, Aliquot, Lot, Part, Strip

_BEFORE_FRACTION = frozenset({"ONE", *v.FRACTIONAL_WORDS})
_ARTICLES = frozenset({"THE", "SAID", "ITS", "THAT"})


def read_steps(state: PlssState) -> tuple[tuple[str, ...], bool]:
    cursor = state.cursor
    steps, marked = read_step(state)
    joined_by_of = False
    while True:
        back = cursor.at
        by_of = cursor.word() == "OF"
        if by_of:
            cursor.at += 1
            cursor.skip_words(_ARTICLES)
        if not step_ahead(state) or not (by_of or joins(state, steps, marked)):
            cursor.at = back
            break
        more, more_marked = read_step(state)
        steps, marked = steps + more, marked and more_marked
        joined_by_of |= by_of
    check_order(state, steps, back)
    return steps, joined_by_of


def joins(state: PlssState, steps: tuple[str, ...], marked: bool) -> bool:
    """Whether a step written after a blank belongs to the one before (``SW¼ NE¼``, not ``N2 SE``).

    With fraction marks a blank joins; without them rolls write each aliquot in one word and a
    blank between two. A half after a quarter begins a new part: halves are written first.
    """
    token = state.cursor.token
    if token.kind != "aliquot":
        return marked
    following = read_chain(token.value)
    span = (state.cursor.ahead(-1).start, token.end)
    following_marked = following.marked or state.cursor.word(1) in v.QUARTER_WORDS
    if marked and following_marked:
        if len(steps[-1]) == 2 and steps[-1][1] != "2" and following.steps[0][1] == "2":
            state.cursor.warn("read-as-list", "read as two parts, not one of the other", span)
            return False
        state.blank_joins.append(span)
        return True
    if len(steps) == 1 or len(following.steps) == 1 or marked != following_marked:
        state.cursor.warn("read-as-list", "written with a blank between: read as two parts", span)
    if (
        len(steps) == len(following.steps) == 1
        and steps[0][1] != "2"
        and following.steps[0][1] != "2"
    ):
        state.loose_quarters = True
    return False


def check_order(state: PlssState, steps: tuple[str, ...], at: int) -> None:
    for smaller, larger in pairwise(steps):
        if larger[1] == "2" and smaller[1] != "2":
            state.cursor.warn(
                "unusual-order",
                f"{''.join(steps)}: a quarter of a half is unusual; a separator may be missing",
                (state.cursor.tokens[max(0, at - 1)].start, state.cursor.tokens[at - 1].end),
            )
            return


def step_ahead(state: PlssState) -> bool:
    return state.cursor.token.kind == "aliquot" or worded_step(state) is not None


def read_step(state: PlssState) -> tuple[tuple[str, ...], bool]:
    """Step = aliquot | direction ("half" | "quarter")."""
    cursor = state.cursor
    token = cursor.token
    if token.kind != "aliquot":
        worded = worded_step(state)
        if worded is None:  # pragma: no cover - callers look ahead first
            raise ValueError(token)
        step, count = worded
        began = cursor.at
        cursor.at += count
        if any(cursor.word(n) in v.FRACTIONAL_WORDS for n in range(-count, 0)):
            warn_fractional(state, began)
        return (step,), True
    chain = read_chain(token.value)
    cursor.at += 1
    if chain.repaired:
        written = cursor.text[token.start : token.end]
        cursor.warn(
            "repaired",
            f"{written!r} is read as {''.join(chain.steps)!r}",
            (token.start, token.end),
        )
    marked = chain.marked
    if cursor.word() in v.QUARTER_WORDS and chain.steps[-1][1] != "2":
        cursor.at += 1
        marked = True
    return chain.steps, marked


def worded_step(state: PlssState) -> tuple[str, int] | None:
    """A step in words and the number of its tokens: ``South Half``, ``north-east one quarter``."""
    cursor = state.cursor
    side = v.DIRECTIONS.get(cursor.word())
    if side is None and cursor.token.kind == "aliquot":
        side = cursor.token.value if cursor.token.value in v.DIRECTIONS else None
    if side is None:
        return None
    count = 1
    while cursor.symbol(count) in {".", "-"}:
        count += 1
    second = v.DIRECTIONS.get(cursor.word(count))
    if side in {"N", "S"} and second in {"E", "W"}:
        side, count = side + second, count + 1
    while cursor.symbol(count) in {".", "-"} or cursor.word(count) in _BEFORE_FRACTION:
        count += 1
    token = cursor.ahead(count)
    is_fraction = token.kind in {"word", "fraction"}
    if is_fraction and token.value in v.HALF_WORDS and side in v.CARDINAL:
        return f"{side}2", count + 1
    if is_fraction and token.value in v.QUARTER_WORDS and len(side) == 2:
        return side, count + 1
    return None


def warn_fractional(state: PlssState, began: int) -> None:
    """A fractional part is read whole; its area is not the nominal one."""
    fault = "a fractional part: its area is not the nominal one"
    state.cursor.warn("fractional", fault, state.cursor.span_since(began))


def aliquot_part(state: PlssState) -> None:
    """Part = step { ["of" ["the"]] step } [ "of" lots ]."""
    cursor = state.cursor
    began = cursor.at
    if cursor.word(1) in {"CORNER", "COR", "CORNERS"}:  # "the NE corner" is no quarter
        if state.portion_at is None:
            cursor.leave_unread()
            cursor.leave_unread()
        else:
            cursor.at += 2
        return
    and_before, state.and_before = state.and_before, False
    steps, joined_by_of = read_steps(state)
    touching_lot = cursor.word() == "L" and cursor.token.start == cursor.ahead(-1).end  # S2L4
    if touching_lot or (cursor.word() == "OF" and lot_follows(state)):
        cursor.at += 0 if touching_lot else 1
        cursor.skip_words(_ARTICLES)
        lots(state, steps)
        return
    if and_before and joined_by_of:
        may_distribute(state, steps, cursor.span_since(began))
    if state.excepting and cursor.word() == "THEREOF":
        cursor.at += 1
        for part in thereof(state, steps):
            emit(state, part, began)
        return
    emit(state, Aliquot(steps), began)


def thereof(state: PlssState, steps: tuple[str, ...]) -> list[Part]:
    """``SE¼ less the N½ thereof``: the N½ of the part before it, not of the section."""
    before = parts_before(state)
    if len(before) > 1:
        fault = "taken out of each of the parts before it; only the last may be meant"
        state.cursor.warn("exception-of-what", fault, None)
    found: list[Part] = []
    for part in before:
        if isinstance(part, Aliquot) and lies_within(steps, part.steps):
            fault = f"{''.join(steps)} is read as the section's, which lies in {part.code}"
            state.cursor.warn("exception-of-what", fault, None)
            found.append(Aliquot(steps))
        elif isinstance(part, Aliquot):
            found.append(Aliquot(steps + part.steps))
        elif isinstance(part, Lot):
            found.append(Lot(part.number, steps + part.steps, None))
        else:
            state.cursor.warn("exception-of-what", f"a part of {part.code} is not drawn", None)
    return found or [Aliquot(steps)]


def lies_within(steps: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether a part of the section already lies in another, smaller than it."""
    inner, outer = box_of(steps), box_of(whole)
    inside = inner[0] >= outer[0] and inner[1] >= outer[1]
    return (
        inner != outer and inside and inner[2] <= outer[2] and inner[3] <= outer[3] and bool(whole)
    )


def may_distribute(state: PlssState, steps: tuple[str, ...], span: tuple[int, int]) -> None:
    """``the N½ and SW¼ of the NE¼``: is the N½ of the NE¼ meant, or of the section?"""
    last = state.events[-1] if state.events else None
    if not isinstance(last, PartEvent) or not isinstance(last.part, Aliquot):
        return
    if len(last.part.steps) != 1 or len(steps) < 2:
        return
    if last.part.steps == steps[:1]:  # "the N½ and the N½ of the S½": else it were said twice
        return
    state.ambiguous = True
    one = last.part.code
    state.cursor.warn(
        "ambiguous",
        f"{one} is read as the section's; it may mean {one}{''.join(steps[1:])}",
        (last.span[0], span[1]),
    )


def strip_ahead(state: PlssState) -> tuple[str, float, str, int] | None:
    """Side amount unit: (side, amount, ``ft`` or ``ac``, tokens)."""
    cursor = state.cursor
    side = v.DIRECTIONS.get(cursor.word())
    if side not in v.CARDINAL:
        return None
    count = 1
    while cursor.symbol(count) == ".":
        count += 1
    token = cursor.ahead(count)
    if token.kind == "number":
        amount = float(token.value.replace(",", ""))
    elif token.kind == "word" and token.value in v.NUMBER_WORDS:
        amount = float(v.NUMBER_WORDS[token.value])
    elif token.kind == "fraction":
        amount = mixed_number(token.value)
    else:
        return None
    if not 0.0 < amount < math.inf:  # nothing, or a fraction by nought
        return None
    unit_token = cursor.ahead(count + 1)
    if unit_token.value in v.ACRE_WORDS:
        return side, amount, "ac", count + 2
    factor = v.UNITS_FT.get(unit_token.value)
    if factor is None:
        return None
    return side, amount * factor, "ft", count + 2


def strip_part(state: PlssState) -> None:
    """Strip = side amount unit ["of" ["the"] (strip | aliquot | lot)]."""
    began = state.cursor.at
    for part in read_strip(state):
        emit(state, part, began)


def read_strip(state: PlssState) -> list[Part]:
    cursor = state.cursor
    ahead = strip_ahead(state)
    if ahead is None:
        return []
    side, amount, unit, count = ahead
    cursor.at += count
    cursor.skip_symbols(".")
    back = cursor.at
    if cursor.word() != "OF" and not state.excepting and step_ahead(state):
        span = cursor.span_since(back - 1)
        steps, _ = read_steps(state)
        cursor.warn("strip-of-what", f"read as the strip of {''.join(steps)}", span)
        return [Strip(side, amount, unit, Aliquot(steps))]
    if cursor.word() != "OF":
        return [Strip(side, amount, unit, base) for base in bases(state)]
    cursor.at += 1
    cursor.skip_words(_ARTICLES)
    inner: list[Part] = []
    if strip_ahead(state) is not None:
        inner = read_strip(state)
    elif step_ahead(state):
        steps, _ = read_steps(state)
        inner = [Aliquot(steps)]
        if cursor.word() == "OF" and lot_follows(state):
            cursor.at += 1
            inner = list(lot_list(state, steps))
    elif cursor.word() in v.LOT_WORDS:
        inner = list(lot_list(state, ()))
    else:
        cursor.at = back
        inner = [WHOLE]
    return [Strip(side, amount, unit, base) for base in inner]


def bases(state: PlssState) -> list[Part]:
    """What a strip without "of" is of: inside an exception, each part before it."""
    parts = parts_before(state)
    if not state.excepting or not parts:
        state.cursor.warn("strip-of-what", "a strip without 'of': read as the whole's", None)
        return [WHOLE]
    if len(parts) > 1:
        fault = "taken out of each of the parts before it; only the last may be meant"
        state.cursor.warn("exception-of-what", fault, None)
    return parts


def parts_before(state: PlssState) -> list[Part]:
    """The parts, not taken out, of the section being read."""
    parts: list[Part] = []
    for event in reversed(state.events):
        if not isinstance(event, PartEvent):
            if parts:
                break
        elif not event.excepted:
            parts.append(event.part)
    return parts[::-1]
