"""The grammar of PLSS descriptions: one method a rule, each reading tokens and emitting events."""

from __future__ import annotations

import re

from site_eval.legal import vocabulary as v
from site_eval.legal.cursor import Cursor
from site_eval.legal.meridians import ALIASES, FIRST_WORDS, LONGEST, NEEDS_MERIDIAN_WORD
from site_eval.legal.plss_events import (
    BreakEvent,
    Event,
    FullSectionEvent,
    NoteEvent,
    PartEvent,
    SectionEvent,
    TownshipEvent,
)
from site_eval.legal.tokens import Token, read_chain, tokenize
from site_eval.legal.tree import WHOLE, Aliquot, Lot, Part, Strip, Tract

_LIST_LIMIT = 200
_ORDINAL_ENDINGS = frozenset({"ST", "ND", "RD", "TH"})
_ARTICLES = frozenset({"THE", "SAID", "ITS", "THAT"})
_SIDED = re.compile(r"(?P<number>\d+)(?P<half> ?½| 1/2|\.5)?[ .]*(?P<side>[NSEW])?")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class PlssReader:
    """Reads one text; ``events`` is what it says, ``cursor`` holds warnings and what was unread."""

    def __init__(self, text: str) -> None:
        """Tokenise *text*; call :meth:`read`."""
        self.cursor = Cursor(text, tokenize(text))
        self.events: list[Event] = []
        self.meridian: str | None = None
        self.county: str | None = None
        self.state: str | None = None
        self.acreages: list[tuple[float, bool]] = []
        self.ambiguous = False
        self._excepting = False
        self._after_exception = False
        self._portion_at: int | None = None
        self._and_before = False
        self._so_much_at: int | None = None

    def read(self) -> PlssReader:
        """description = { element }."""
        cursor = self.cursor
        while (token := cursor.token).kind != "end":
            before = cursor.at
            self._element(token)
            if cursor.at == before:  # no rule moved: name it and go on, never loop
                cursor.leave_unread()
        self._end_portion()
        return self

    # ---- elements ----------------------------------------------------------------------------

    def _element(self, token: Token) -> None:
        """element = aliquot | township | section | lots | exception | note | acreage | break."""
        kind = token.kind
        if kind == "aliquot":
            self._aliquot_part()
        elif kind == "word":
            self._word(token.value)
        elif kind == "symbol":
            self._symbol(token.value)
        elif kind in {"township", "range"}:
            self._township()
        elif kind == "number":
            self._number()
        elif kind == "str":
            self._full_section()
        elif kind == "newline":
            self.cursor.at += 1
            self._comma()
        elif kind == "dotted":
            self._dotted()
        else:
            self.cursor.leave_unread()

    def _symbol(self, symbol: str) -> None:
        cursor = self.cursor
        if symbol == ",":
            cursor.at += 1
            self._comma()
        elif symbol in ";.":
            cursor.at += 1
            self._strong_break()
        elif symbol in _BRACKETS:
            self._bracket()
        elif symbol in ":-–—&/":
            self._and_before = symbol == "&"
            cursor.at += 1
        else:
            cursor.leave_unread()

    def _comma(self) -> None:
        self._end_portion()
        self._and_before = False

    def _strong_break(self) -> None:
        self._end_portion()
        self._excepting = self._after_exception = self._and_before = False
        self.events.append(BreakEvent())

    def _word(self, word: str) -> None:  # noqa: C901, PLR0911, PLR0912 - the table of the grammar
        cursor = self.cursor
        if word in FIRST_WORDS and self._meridian():
            return
        if word == "SO" and cursor.word(1) == "MUCH":
            self._so_much()
        elif word in v.DIRECTIONS:
            self._directed()
        elif word in v.SECTION_WORDS:
            self._section()
        elif word in v.LOT_WORDS and self._lots(()):
            return
        elif word in v.EXCEPT_WORDS:
            self._exception()
        elif word == "M" and cursor.symbol(1) == "&" and cursor.word(2) == "B":
            self._portion(3)
        elif word == "METES":
            self._portion(3)
        elif word in v.TRACT_WORDS and self._tracts():
            return
        elif word in v.PART_WORDS:
            self._portion(1)
        elif word in {"TRACT", "PARCEL", "TR", "TRIANGULAR", "IRREGULAR", "STRIP", "PARCELS"}:
            self._piece()
        elif word == "ALL":
            self._all()
        elif word in v.LYING_WORDS:
            self._lying()
        elif word == "AS" and self._so_much_at is not None:
            self._so_much_end()
        elif self._aka_ahead():
            self._aka()
        elif word in {"OF", "FROM", "IN"} and self._bare_section():
            return
        elif self._comment():
            return
        elif word in v.NUMBER_WORDS and self._number_in_words():
            return
        elif self._place_name(word):
            return
        elif word in v.CONNECTIVES:
            self._and_before = word == "AND"
            cursor.at += 1
        else:
            cursor.leave_unread()

    def _dotted(self) -> None:
        word = self.cursor.word()
        if word in FIRST_WORDS and self._meridian():
            return
        if word in v.DIRECTIONS:
            self._directed()
        else:
            self.cursor.leave_unread()

    # ---- aliquots ----------------------------------------------------------------------------

    def _aliquot_part(self) -> None:
        """part = step { ["of" ["the"]] step } [ "of" lots ]."""
        cursor = self.cursor
        began = cursor.at
        and_before, self._and_before = self._and_before, False
        steps, joined_by_of = self._steps()
        if cursor.word() == "OF" and self._lot_follows():
            cursor.at += 1
            cursor.skip_words(_ARTICLES)
            self._lots(steps)
            return
        if and_before and joined_by_of:
            self._may_distribute(steps, cursor.span_since(began))
        self._emit(Aliquot(steps), began)

    def _steps(self) -> tuple[tuple[str, ...], bool]:
        cursor = self.cursor
        steps, marked = self._step()
        joined_by_of = False
        while True:
            back = cursor.at
            by_of = cursor.word() == "OF"
            if by_of:
                cursor.at += 1
                cursor.skip_words(_ARTICLES)
            if not self._step_ahead() or not (by_of or self._joins(steps, marked)):
                cursor.at = back
                break
            more, more_marked = self._step()
            steps, marked = steps + more, marked and more_marked
            joined_by_of |= by_of
        self._check_order(steps, back)
        return steps, joined_by_of

    def _joins(self, steps: tuple[str, ...], marked: bool) -> bool:
        """Whether a step written after a blank belongs to the one before (``SW¼ NE¼``, not ``N2 SE``).

        With fraction marks a blank joins; without them rolls write each aliquot in one word and a
        blank between two. A half after a quarter begins a new part: halves are written first.
        """
        token = self.cursor.token
        if token.kind != "aliquot":
            return marked
        following = read_chain(token.value)
        span = (self.cursor.ahead(-1).start, token.end)
        if marked and following.marked:
            if len(steps[-1]) == 2 and steps[-1][1] != "2" and following.steps[0][1] == "2":
                self.cursor.warn("read-as-list", "read as two parts, not one of the other", span)
                return False
            return True
        if len(steps) == 1 or len(following.steps) == 1 or marked != following.marked:
            self.cursor.warn(
                "read-as-list", "written with a blank between: read as two parts", span
            )
        return False

    def _check_order(self, steps: tuple[str, ...], at: int) -> None:
        for smaller, larger in zip(steps, steps[1:], strict=False):
            if larger[1] == "2" and smaller[1] != "2":
                self.cursor.warn(
                    "unusual-order",
                    f"{''.join(steps)}: a quarter of a half is unusual; a separator may be missing",
                    (self.cursor.tokens[max(0, at - 1)].start, self.cursor.tokens[at - 1].end),
                )
                return

    def _may_distribute(self, steps: tuple[str, ...], span: tuple[int, int]) -> None:
        """``the N½ and SW¼ of the NE¼``: is the N½ of the NE¼ meant, or of the section?"""
        last = self.events[-1] if self.events else None
        if not isinstance(last, PartEvent) or not isinstance(last.part, Aliquot):
            return
        if len(last.part.steps) != 1 or len(steps) < 2:
            return
        self.ambiguous = True
        one = last.part.code
        self.cursor.warn(
            "ambiguous",
            f"{one} is read as the section's; it may mean {one}{''.join(steps[1:])}",
            (last.span[0], span[1]),
        )

    def _step_ahead(self) -> bool:
        return self.cursor.token.kind == "aliquot" or self._worded_step() is not None

    def _step(self) -> tuple[tuple[str, ...], bool]:
        """step = aliquot | direction ("half" | "quarter")."""
        cursor = self.cursor
        token = cursor.token
        if token.kind != "aliquot":
            worded = self._worded_step()
            if worded is None:  # pragma: no cover - callers look ahead first
                raise ValueError(token)
            step, count = worded
            cursor.at += count
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

    def _worded_step(self) -> tuple[str, int] | None:
        """A step in words and the number of its tokens: ``South Half``, ``north-east one quarter``."""
        cursor = self.cursor
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
        while cursor.symbol(count) in {".", "-"} or cursor.word(count) == "ONE":
            count += 1
        token = cursor.ahead(count)
        is_fraction = token.kind in {"word", "fraction"}
        if is_fraction and token.value in v.HALF_WORDS and side in v.CARDINAL:
            return f"{side}2", count + 1
        if is_fraction and token.value in v.QUARTER_WORDS and len(side) == 2:
            return side, count + 1
        return None

    def _directed(self) -> None:
        """A direction begins an aliquot, a strip, a ``northwest part of``, or says where land lies."""
        cursor = self.cursor
        if cursor.word(1) == "DAKOTA":
            self.state = "ND" if cursor.word() == "NORTH" else "SD"
            cursor.at += 2
        elif self._worded_step() is not None:
            self._aliquot_part()
        elif self._strip_ahead() is not None:
            self._strip_part()
        elif cursor.word(1) in v.PART_WORDS:
            self._portion(2)
        elif self.events and isinstance(self.events[-1], (PartEvent, NoteEvent)):
            self._lying()
        else:
            self._lying()

    # ---- strips ------------------------------------------------------------------------------

    def _strip_ahead(self) -> tuple[str, float, str, int] | None:
        """side amount unit: (side, amount, ``ft`` or ``ac``, tokens)."""
        cursor = self.cursor
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
        unit_token = cursor.ahead(count + 1)
        if unit_token.value in v.ACRE_WORDS:
            return side, amount, "ac", count + 2
        factor = v.UNITS_FT.get(unit_token.value)
        if factor is None:
            return None
        return side, amount * factor, "ft", count + 2

    def _strip_part(self) -> None:
        """strip = side amount unit ["of" ["the"] (strip | aliquot | lot)]."""
        began = self.cursor.at
        for part in self._strip():
            self._emit(part, began)

    def _strip(self) -> list[Part]:
        cursor = self.cursor
        ahead = self._strip_ahead()
        if ahead is None:
            return []
        side, amount, unit, count = ahead
        cursor.at += count
        cursor.skip_symbols(".")
        back = cursor.at
        if cursor.word() != "OF":
            return [Strip(side, amount, unit, base) for base in self._bases()]
        cursor.at += 1
        cursor.skip_words(_ARTICLES)
        inner: list[Part] = []
        if self._strip_ahead() is not None:
            inner = self._strip()
        elif self._step_ahead():
            steps, _ = self._steps()
            inner = [Aliquot(steps)]
            if cursor.word() == "OF" and self._lot_follows():
                cursor.at += 1
                inner = list(self._lot_list(steps))
        elif cursor.word() in v.LOT_WORDS:
            inner = list(self._lot_list(()))
        else:
            cursor.at = back
            inner = [WHOLE]
        return [Strip(side, amount, unit, base) for base in inner]

    def _bases(self) -> list[Part]:
        """What a strip without "of" is of: inside an exception, each part before it."""
        parts = []
        for event in reversed(self.events):
            if not isinstance(event, PartEvent):
                break
            if not event.excepted:
                parts.append(event.part)
        if not self._excepting or not parts:
            self.cursor.warn("strip-of-what", "a strip without 'of': read as the whole's", None)
            return [WHOLE]
        return parts[::-1]

    # ---- lots and tracts ---------------------------------------------------------------------

    def _lot_follows(self) -> bool:
        cursor = self.cursor
        count = 1
        while cursor.word(count) in _ARTICLES or cursor.word(count) in {"GOVERNMENT", "GOVT"}:
            count += 1
        return cursor.word(count) in v.LOT_WORDS and cursor.ahead(count + 1).kind == "number"

    def _lots(self, steps: tuple[str, ...]) -> bool:
        """lots = "lot" number { [","|"and"|"thru"] number }."""
        began = self.cursor.at
        lots = self._lot_list(steps)
        for lot in lots:
            self._emit(lot, began)
        return bool(lots)

    def _lot_list(self, steps: tuple[str, ...]) -> list[Lot]:
        cursor = self.cursor
        back = cursor.at
        cursor.skip_words({"GOVERNMENT", "GOVT", "GOV"})
        cursor.at += 1
        cursor.skip_symbols(".:")
        numbers = self._numbers(v.LOT_WORDS)
        if not numbers:
            cursor.at = back
        return [Lot(number, steps, acres) for number, acres in numbers]

    def _tracts(self) -> bool:
        cursor = self.cursor
        back = cursor.at
        cursor.at += 1
        cursor.skip_symbols(".:")
        numbers = self._numbers(v.TRACT_WORDS)
        if not numbers:
            cursor.at = back
            return False
        for number, acres in numbers:
            self._emit(Tract(number, acres), back)
        return True

    def _numbers(self, nouns: frozenset[str]) -> list[tuple[str, float | None]]:
        """number ["(" acres ")"] { separator [noun] number } — with ``thru`` ranges spelled out."""
        cursor = self.cursor
        found: list[tuple[str, float | None]] = []
        while True:
            back = cursor.at
            separated = cursor.skip_symbols(",&") | cursor.skip_words({"AND"})
            through = False
            if found and (cursor.symbol() or cursor.word()) in v.THROUGH_WORDS:
                through, separated = True, True
                cursor.at += 1
            partial_at = self._skip_partial(nouns)
            noun = found != [] and cursor.word() in nouns
            if noun:
                cursor.at += 1
                cursor.skip_symbols(".")
            cursor.skip_words({"NO", "NOS", "NUMBER", "NUMBERS", "NUMBERED"})
            numbers = self._whole_numbers()
            if numbers is None or (
                found and not separated and not noun and cursor.ahead(-1).kind == "newline"
            ):
                cursor.at = back
                return found
            if partial_at is not None:
                self._partial_number(partial_at)
            if through:
                found.extend(self._through(found[-1][0], numbers[0]))
                numbers = numbers[1:]
            found.extend((number, None) for number in numbers)
            acres = self._bracketed_acres()
            if acres is not None:
                found[-1] = (found[-1][0], acres)

    def _skip_partial(self, nouns: frozenset[str]) -> int | None:
        """``PART OF 45(22.49)`` inside a list of tracts."""
        cursor = self.cursor
        if cursor.word() not in v.PART_WORDS:
            return None
        count = 2 if cursor.word(1) == "OF" else 1
        noun = cursor.word(count) in nouns
        if cursor.ahead(count + noun).kind != "number":
            return None
        began = cursor.at
        cursor.at += count
        return began

    def _partial_number(self, began: int) -> None:
        text, span = self.cursor.text_since(began), self.cursor.span_since(began)
        self.events.append(NoteEvent(text, container=True, span=span))

    def _whole_numbers(self) -> list[str] | None:
        """Whole numbers of one token (``1,145`` in a list is two), unless a measure follows."""
        cursor = self.cursor
        token, following = cursor.token, cursor.ahead(1)
        if token.kind != "number" or "." in token.value:
            return None
        touching = following.start == token.end
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

    def _through(self, first: str, last: str) -> list[tuple[str, float | None]]:
        low, high = int(first), int(last)
        if not low < high <= low + _LIST_LIMIT:
            self.cursor.warn("bad-range", f"from {first} to {last} is no range of numbers", None)
            return [(last, None)]
        return [(str(number), None) for number in range(low + 1, high + 1)]

    def _bracketed_acres(self) -> float | None:
        cursor = self.cursor
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

    # ---- sections and townships --------------------------------------------------------------

    def _section(self) -> None:
        """section = ("section" | "sec.") number { separator number }."""
        cursor = self.cursor
        began = cursor.at
        bound = self._bound()
        cursor.at += 1
        cursor.skip_symbols(".")
        cursor.skip_words({"NO", "NUMBER", "NUMBERED", "NOS"})
        cursor.skip_symbols(".#")
        numbers = [int(number) for number, _ in self._numbers(v.SECTION_WORDS)]
        if not numbers and cursor.word() in v.NUMBER_WORDS:
            numbers = [self._spoken_number()]
        self._emit_section(tuple(numbers) or (None,), bound, began)

    def _bare_section(self) -> bool:
        """``… of 7`` and ``from 5 the …``: a number where a section is expected."""
        cursor = self.cursor
        word, token, following = cursor.word(), cursor.ahead(1), cursor.ahead(2)
        if token.kind != "number" or not token.value.isdigit() or not 1 <= int(token.value) <= 36:
            return False
        if following.value in {"-", "/", "°", "'"} or following.value in v.ACRE_WORDS:
            return False
        if following.value in v.UNITS_FT or following.value in _ORDINAL_ENDINGS:
            return False
        last = self.events[-1] if self.events else None
        if word != "FROM" and not isinstance(last, PartEvent):
            return False
        began = cursor.at
        cursor.at += 2
        self._emit_section((int(token.value),), word != "FROM", began)
        return True

    def _emit_section(self, numbers: tuple[int | None, ...], bound: bool, began: int) -> None:
        cursor = self.cursor
        readable: list[int | None] = []
        for number in numbers:
            good = number is not None and 1 <= number <= 36
            if not good:
                cursor.warn(
                    "section-unreadable", "no section number from 1 to 36", cursor.span_since(began)
                )
            readable.append(number if good else None)
        self._end_portion()
        self._after_exception |= self._excepting
        self._excepting = self._and_before = False
        self.events.append(SectionEvent(tuple(readable), bound, cursor.span_since(began)))

    def _bound(self) -> bool:
        cursor = self.cursor
        return cursor.word(-1) in {"OF", "IN", "SAID", "THE"} and bool(self.events)

    def _township(self) -> None:
        """township = T number N|S [","] R number E|W, in either order."""
        cursor = self.cursor
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
        self._end_portion()
        self.events.append(
            TownshipEvent(
                side_number(township.value, "NS") if township else None,
                side_number(range_.value, "EW") if range_ else None,
                cursor.span_since(began),
            )
        )

    def _full_section(self) -> None:
        """section-township-range, as assessors write it."""
        cursor = self.cursor
        token = cursor.token
        cursor.at += 1
        section, township, range_ = (piece.strip() for piece in token.value.split("-"))
        meridian = ALIASES.get((range_.lstrip("R0123456789"),))
        if meridian is not None:
            self.meridian = meridian
        number = int(section)
        self._end_portion()
        self._after_exception |= self._excepting
        self._excepting = self._and_before = False
        self.events.append(
            FullSectionEvent(
                number if 1 <= number <= 36 else None,
                side_number(township, "NS"),
                side_number(range_, "EW"),
                (token.start, token.end),
            )
        )

    def _all(self) -> None:
        """``all`` is the whole section where nothing narrower follows."""
        cursor = self.cursor
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
        ends |= cursor.word(1) in v.DIRECTIONS and self._strip_or_step_at(1) is False
        began = cursor.at
        cursor.at += 1
        if ends:
            self._emit(WHOLE, began)

    def _strip_or_step_at(self, count: int) -> bool:
        cursor = self.cursor
        back = cursor.at
        cursor.at += count
        found = self._step_ahead() or self._strip_ahead() is not None
        cursor.at = back
        return found

    # ---- portions, exceptions, words that cannot be drawn --------------------------------------

    def _emit(self, part: Part, began: int) -> None:
        span = self.cursor.span_since(began)
        partial = self._portion_at is not None
        self.events.append(PartEvent(part, self._excepting, partial, span))
        if not self._excepting:
            self._after_exception = False
        self._and_before = False
        acres = self._bracketed_acres() if isinstance(part, Aliquot) else None
        if acres is not None:
            self.cursor.warn("comment", f"{acres:g} acres stated for {part.code}", span)

    def _portion(self, count: int) -> None:
        """``part of``, ``metes and bounds in``: what follows holds the land but is larger than it."""
        cursor = self.cursor
        began = cursor.at
        cursor.at += count
        cursor.skip_words({"OF", "IN", "THE", "THRU", "WITHIN", "LY", "LYING", "LAND"})
        if self._portion_at is None:
            self._portion_at = began

    def _piece(self) -> None:
        """``a tract of land located in …``."""
        cursor = self.cursor
        began = cursor.at
        cursor.at += 1
        cursor.skip_words({"SHAPED", "TRACT", "PARCEL", "PIECE", "OF", "LAND", "GROUND"})
        if self._portion_at is None:
            self._portion_at = began

    def _end_portion(self) -> None:
        began = self._portion_at
        if began is None:
            return
        self._portion_at = None
        cursor = self.cursor
        last = cursor.at - 1
        while last > began and cursor.tokens[last].kind in {"symbol", "newline"}:
            last -= 1
        span = (cursor.tokens[began].start, cursor.tokens[last].end)
        text = " ".join(cursor.text[span[0] : span[1]].split())
        self.events.append(NoteEvent(text, container=not self._excepting, span=span))

    def _exception(self) -> None:
        """exception = ("except" | "less" | …) ["therefrom"] (parts | words)."""
        cursor = self.cursor
        if cursor.word() == "LESS" and cursor.word(-1) == "OR":
            cursor.at += 1
            return
        began = cursor.at
        cursor.at += 1
        self._end_portion()
        while cursor.skip_words(
            v.EXCEPT_WORDS | {"AND", "THEREFROM", "ALSO", "THE", "ONLY", "FOR"}
        ):
            pass
        cursor.skip_symbols(",:&")
        cursor.skip_words(v.EXCEPT_WORDS | {"THEREFROM", "THE"})
        self._excepting = True
        if self._exact_ahead():
            return
        self._free_words(began, container=False)

    def _exact_ahead(self) -> bool:
        """Whether a part that can be drawn follows the word "except"."""
        cursor = self.cursor
        return (
            self._step_ahead()
            or self._strip_ahead() is not None
            or (cursor.word() in v.LOT_WORDS and cursor.ahead(1).kind == "number")
            or cursor.word() in v.SECTION_WORDS
        )

    def _lying(self) -> None:
        """``lying north of the river``: understood, drawn only where a layer gives the line."""
        cursor = self.cursor
        began = cursor.at
        cursor.skip_words(v.LYING_WORDS)
        while (
            cursor.word() in v.DIRECTIONS
            or cursor.word() in {"AND", "OF", "FROM", "THE"}
            or (cursor.token.kind == "aliquot" and cursor.token.value in v.DIRECTIONS)
            or cursor.symbol() == "&"
        ):
            cursor.at += 1
        self._free_words(began, container=not self._excepting)

    def _free_words(self, began: int, *, container: bool) -> None:
        """Words up to the next part, section, exception or break; kept as they are written."""
        cursor = self.cursor
        while not self._words_end():
            if cursor.symbol() in _BRACKETS:
                self._skip_bracket()
            elif cursor.word() in v.IN_WORDS or cursor.word() in {"LY", "LYING"}:
                cursor.at += 1
                self._skip_located_in()
            else:
                cursor.at += 1
        if cursor.at > began:
            text = " ".join(cursor.text_since(began).split())
            span = cursor.span_since(began)
            self.events.append(NoteEvent(text, container, span))
        self._excepting_ends_after_words()

    def _excepting_ends_after_words(self) -> None:
        if self._excepting:
            self._excepting = False
            self._after_exception = True

    def _words_end(self) -> bool:
        cursor = self.cursor
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

    def _skip_located_in(self) -> None:
        """The aliquots that an exception or a clause says it lies in; no part of the land."""
        cursor = self.cursor
        while cursor.word() in v.IN_WORDS or cursor.word() in _ARTICLES or cursor.word() == "LY":
            cursor.at += 1
        while self._step_ahead() or (
            cursor.word() in v.LOT_WORDS and cursor.ahead(1).kind == "number"
        ):
            if self._step_ahead():
                self._step()
            else:
                self._lot_list(())
            back = cursor.at
            cursor.skip_words({"OF", "AND", "IN", "THE"})
            if cursor.at > back and not self._step_ahead() and cursor.word() not in v.LOT_WORDS:
                cursor.at = back
                break

    def _so_much(self) -> None:
        self._so_much_at = self.cursor.at
        self.cursor.at += 2
        self.cursor.skip_words({"OF", "THE"})

    def _so_much_end(self) -> None:
        began = self._so_much_at or 0
        self._so_much_at = None
        self._free_words(began, container=True)

    # ---- brackets, other names, comments ---------------------------------------------------------

    def _bracket(self) -> None:
        """A bracket is an exception, another name, a whole section, a meridian, or a comment."""
        cursor = self.cursor
        word = cursor.word(1)
        if (
            word in v.EXCEPT_WORDS
            or word in v.SECTION_WORDS
            or cursor.ahead(1).kind in {"township", "str", "newline"}
        ):
            cursor.at += 1
            return
        if self._meridian_at(1) is not None:
            cursor.at += 1
            self._meridian()
            cursor.skip_symbols(")]")
            return
        if word in {"METES", "M"} and cursor.symbol(2) in {"&", ""}:
            self._metes_bracket()
            return
        last = self.events[-1] if self.events else None
        names_land = cursor.ahead(1).kind == "aliquot" or word in {"ALL", *v.PART_WORDS}
        if names_land and not isinstance(last, (PartEvent, NoteEvent)):
            cursor.at += 1
            return
        began = cursor.at
        self._skip_bracket()
        code = (
            "also-known-as"
            if names_land or "AKA" in cursor.text_since(began).upper()
            else "comment"
        )
        cursor.warn(code, f"not drawn: {cursor.text_since(began)}", cursor.span_since(began))

    def _metes_bracket(self) -> None:
        began = self.cursor.at
        self._skip_bracket()
        text, span = self.cursor.text_since(began).strip("[]()"), self.cursor.span_since(began)
        self.events.append(NoteEvent(text, container=True, span=span))

    def _skip_bracket(self) -> None:
        """Pass over a bracket and all within it; an unclosed one ends with its line."""
        cursor = self.cursor
        began, depth = cursor.at, 0
        while cursor.token.kind not in {"end", "newline"}:
            symbol = cursor.symbol()
            depth += (symbol in _BRACKETS and symbol != "") - (symbol in _BRACKETS.values())
            cursor.at += 1
            if depth <= 0:
                return
        cursor.warn("repaired", "a bracket is not closed", cursor.span_since(began))

    def _aka_ahead(self) -> bool:
        cursor = self.cursor
        word, second = cursor.word(), cursor.word(1)
        if word == "AKA" or (word == "ALSO" and second in {"CALLED", "KNOWN", "DESCRIBED"}):
            return True
        return word == "A" and cursor.symbol(1) == "/" and cursor.word(2) == "K"

    def _aka(self) -> None:
        cursor = self.cursor
        began = cursor.at
        while cursor.token.kind not in {"end", "newline", "str", "township"} and (
            cursor.symbol() not in {";", ",", ")", "]"}
        ):
            cursor.at += 1
        cursor.warn(
            "also-known-as", f"not drawn: {cursor.text_since(began)}", cursor.span_since(began)
        )

    def _comment(self) -> bool:
        """Book and page, reception and patent numbers."""
        cursor = self.cursor
        word = cursor.word()
        is_book = word in {"B", "P"} and (
            cursor.ahead(1).kind == "number"
            or (cursor.symbol(1) == "." and cursor.ahead(2).kind == "number")
        )
        if not is_book and word not in v.COMMENT_WORDS:
            return False
        began = cursor.at
        while self._comment_goes_on():
            cursor.at += 1
        cursor.warn("comment", f"not drawn: {cursor.text_since(began)}", cursor.span_since(began))
        return True

    def _comment_goes_on(self) -> bool:
        cursor = self.cursor
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

    # ---- numbers -------------------------------------------------------------------------------

    def _number(self) -> None:
        """A number is an acreage, a meridian's ordinal, or nothing that this grammar knows."""
        cursor = self.cursor
        if cursor.word(1) in v.ACRE_WORDS and self._acreage():
            return
        if cursor.word(1) in _ORDINAL_ENDINGS and self._meridian():
            return
        if cursor.symbol(1) == "-" and cursor.word(2) in v.ACRE_WORDS and self._acreage(2):
            return
        cursor.leave_unread()

    def _number_in_words(self) -> bool:
        back = self.cursor.at
        number = self._spoken_number()
        if self.cursor.word() in v.ACRE_WORDS:
            self.cursor.at += 1
            self._take_acreage(float(number), back)
            return True
        self.cursor.at = back
        return False

    def _spoken_number(self) -> int:
        """``thirty-one``, ``twelve``."""
        cursor = self.cursor
        number = v.NUMBER_WORDS[cursor.word()]
        cursor.at += 1
        if number >= 20:
            dash = cursor.symbol() == "-"
            unit = v.NUMBER_WORDS.get(cursor.word(1 if dash else 0), 0)
            if 0 < unit < 10:
                cursor.at += 2 if dash else 1
                number += unit
        return number

    def _acreage(self, unit_at: int = 1) -> bool:
        cursor = self.cursor
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
        self._take_acreage(amount, began)
        return True

    def _take_acreage(self, amount: float, began: int) -> None:
        cursor = self.cursor
        total = cursor.word_before(began) in {"CONTAINING", "CONTAINS", "CONT", "TOTALING", "TOTAL"}
        cursor.skip_words({"OF", "LAND"})
        back = cursor.at
        cursor.skip_symbols(",")
        if cursor.word() == "MORE" and cursor.word(1) == "OR" and cursor.word(2) == "LESS":
            cursor.at += 3
        elif cursor.word() == "M" and cursor.symbol(1) == "/" and cursor.word(2) == "L":
            cursor.at += 3
        else:
            cursor.at = back
        cursor.skip_symbols("±")
        located = cursor.word() in {"IN", "WITHIN", "OUT", "LY", "LYING", "LOCATED", "LOC"}
        if self._excepting or self._after_exception:
            self._free_words(began, container=False)
        elif located and not total:
            self._portion_at = began if self._portion_at is None else self._portion_at
            self.acreages.append((amount, total))
        else:
            self.acreages.append((amount, total))

    # ---- names ---------------------------------------------------------------------------------

    def _meridian(self) -> bool:
        found = self._meridian_at(0)
        if found is None:
            return False
        name, count = found
        cursor = self.cursor
        span = (cursor.token.start, cursor.ahead(count - 1).end)
        cursor.at += count
        if self.meridian is not None and self.meridian != name:
            cursor.warn("two-meridians", f"also names the {name} meridian", span)
        self.meridian = self.meridian or name
        cursor.skip_symbols(".")
        return True

    def _meridian_at(self, start: int) -> tuple[str, int] | None:
        """The meridian named *start* tokens ahead, and how many tokens that takes."""
        cursor = self.cursor
        words: list[str] = []
        ends: list[int] = []
        count = start
        while len(words) < LONGEST + 3:
            token = cursor.ahead(count)
            if token.kind == "number" and cursor.word(count + 1) in _ORDINAL_ENDINGS:
                words.append(token.value + cursor.word(count + 1))
                count += 2
            elif token.kind in {"word", "dotted"}:
                words.append(_plain(token))
                count += 1
            elif token.kind == "symbol" and token.value == "&":
                words.append("&")
                count += 1
            elif token.kind == "symbol" and token.value == "." and words:
                count += 1
                continue
            else:
                break
            ends.append(count)
        for length in range(min(len(words), LONGEST), 0, -1):
            name = ALIASES.get(tuple(words[:length]))
            if name is None:
                continue
            used = length
            while used < len(words) and words[used] in {
                "PRINCIPAL",
                "BASE",
                "AND",
                "&",
                "SPECIAL",
                "M",
                "B",
                "BM",
                "PM",
            }:
                used += 1
            if used < len(words) and words[used] in {"MERIDIAN", "MER", "MERID"}:
                return name, ends[used] - start
            if words[0] in NEEDS_MERIDIAN_WORD and used == length:
                continue
            return name, ends[max(length, used) - 1] - start
        return None

    def _place_name(self, word: str) -> bool:
        """``Gem County``, ``County of Gem``, ``State of Idaho``."""
        cursor = self.cursor
        if word == "COUNTY" and cursor.word(1) == "OF" and cursor.word(2):
            self.county = cursor.word(2).title()
            cursor.at += 3
            return True
        for count in range(1, 4):
            if cursor.word(count) in {"COUNTY", "CO"} and word not in v.CONNECTIVES:
                names = [cursor.word(index) for index in range(count)]
                if all(names):
                    self.county = " ".join(names).title()
                    cursor.at += count + 1
                    cursor.skip_symbols(".")
                    return True
            if not cursor.word(count):
                break
        if word in v.STATES:
            self.state = v.STATES[word]
            cursor.at += 1
            return True
        return False


def side_number(value: str, sides: str) -> str | None:
    """``T. 6½ N.`` as ``6½N``; None when the number or the side is missing or impossible."""
    match = _SIDED.search(value)
    if match is None or match["side"] is None or match["side"] not in sides:
        return None
    number = match["number"].lstrip("0")
    return f"{number}{'.5' if match['half'] else ''}{match['side']}" if number else None


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


def _plain(token: Token) -> str:
    return token.value.replace(".", "").replace(" ", "")


def _inside_number(cursor: Cursor) -> bool:
    """Whether a full stop only abbreviates: one letter or a known short word stands before it."""
    before = cursor.word(-1)
    return 0 < len(before) <= 3 and cursor.ahead(1).kind in {"number", "word"}
