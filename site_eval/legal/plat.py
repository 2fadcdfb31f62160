"""Platted lots and parcel numbers: understood from the words, drawn only from a layer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from site_eval.legal import vocabulary as v
from site_eval.legal.cursor import Cursor
from site_eval.legal.number_lists import spelled_numbers
from site_eval.legal.tokens import Token, tokenize
from site_eval.legal.tree import LotGroup, Warn

_NOUNS = {"LOT": "LOT", "LOTS": "LOT", "TRACT": "TRACT", "TRACTS": "TRACT", "TR": "TRACT",
          "PARCEL": "PARCEL", "PARCELS": "PARCEL", "UNIT": "UNIT", "UNITS": "UNIT",
          "OUTLOT": "OUTLOT", "LT": "LOT", "LTS": "LOT"}  # fmt: skip
_BLOCKS = frozenset({"BLOCK", "BLOCKS", "BLK", "BLKS"})
# A name goes on past a comma before one of these.
_NAME_GOES_ON = frozenset(
    {"REPLAT", "AMENDED", "UNIT", "PHASE", "FILING", "DIVISION", "NO", "NUMBER", "PLAT", "SECOND",
     "FIRST", "THIRD", "RESUBDIVISION", "REVISED", "CORRECTED"}
)  # fmt: skip
_REPLATS = frozenset({"REPLAT", "PLAT", "RESUBDIVISION"})
_NAMES_PLACE = frozenset({"ADDITION", "SUBDIVISION", "ESTATES", "HEIGHTS", "TOWNSITE", "DIVISION"})
_NAME_ENDS = frozenset(
    {"ACCORDING", "AS", "AKA", "CONTAINING", "CONTAINS", "CONT", "REC", "RECORDED", "EXCEPT", "LESS",
     "EXCEPTING", "IN", "LOCATED", "BEING", "SAVE", "BOOK", "BK", "SECTION", "SEC"}
)  # fmt: skip
_PARCEL_NUMBER = re.compile(
    r"\b(?:(?:TAX\s+|PROPERTY\s+)?(?:PARCEL|ID)|APN|PIN|ACCOUNT|TAX\s+LOT)\s*(?:ID|NO\.?|NUMBER|NUM\.?|#)?[\s:#.]*"
    r"(?P<number>(?=(?:[A-Z.-]*\d){6})[A-Z0-9][A-Z0-9.-]{5,})",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(
    r"\s*(?P<number>(?=[A-Z0-9.-]*\d{5})[A-Z]{0,4}[0-9][A-Z0-9.-]{5,})\s*", re.IGNORECASE
)


@dataclass(slots=True)
class PlatTree:
    """Lots by subdivision and block, and parcel numbers."""

    groups: list[LotGroup] = field(default_factory=list)
    parcel_numbers: list[str] = field(default_factory=list)
    county: str | None = None
    stated_acres: float | None = None
    unresolved: list[str] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)


def read_parcel_numbers(text: str) -> list[str]:
    """Parcel numbers that a text names as such, or the text itself when it is one."""
    bare = _BARE_NUMBER.fullmatch(text)
    if bare is not None:
        return [bare["number"]]
    return [match["number"].rstrip(".-") for match in _PARCEL_NUMBER.finditer(text)]


def read_plat(text: str) -> PlatTree:
    """Read lots, blocks and subdivision names; never raises, whatever the text."""
    tree = PlatTree(parcel_numbers=read_parcel_numbers(text))
    if tree.parcel_numbers and not is_platted(text):
        return tree
    cursor = Cursor(text, [token for token in tokenize(text) if token.kind != "newline"])
    while cursor.token.kind != "end":
        before = cursor.at
        _clause(cursor, tree)
        if cursor.at == before:
            cursor.leave_unread()
    _share_names(tree)
    tree.warnings = [
        *cursor.warnings,
        *(cursor.unread_warnings() if not tree.parcel_numbers else []),
    ]
    return tree


_PLAT_WORDS = re.compile(
    r"\b(?:BLOCKS?|BLK|SUBDIVISION|ADDITION|ADDN|ESTATES?|PLAT|RANCHETTES|RANCH|TOWNSITE|REPLAT"
    r"|HEIGHTS|VILLAGE|ACRES\s+NO|C\.?O\.?S\.?\s+\d+|SUBD?)\b",
    re.IGNORECASE,
)
_LOT_WORDS = re.compile(
    r"\b(?:LOTS?|TRACTS?|PARCELS?|TR|UNITS?|OUTLOTS?|BLOCKS?)\b\.?\s+\w", re.IGNORECASE
)


_ONLY_ALL = re.compile(r"[\s,&]*(?:AND\s+)?(?:ALL\s+OF|ALSO|THE)?\s*", re.IGNORECASE)


def is_platted(text: str) -> bool:
    """Whether a text names lots of a subdivision rather than of a government section."""
    return _LOT_WORDS.search(text) is not None and _PLAT_WORDS.search(text) is not None


def _clause(cursor: Cursor, tree: PlatTree) -> None:
    """Clause = [qualifier "of"] lots ["," "block" n] ["," name] tail."""
    began = cursor.at
    while cursor.token.kind != "end" and not _list_ahead(cursor):
        if cursor.symbol() == ";":
            cursor.at += 1
            began = cursor.at
            continue
        cursor.at += 1
    if cursor.token.kind == "end":
        cursor.at = began
        _tail(cursor, tree)
        return
    lead = cursor.text_since(began) if cursor.at > began else ""
    lead_span = cursor.span_since(began) if cursor.at > began else None
    lots, block, noun = _lots_and_block(cursor)
    _exception_between(cursor, tree)
    if block is None and cursor.word() in _BLOCKS:
        _, block, _ = _lots_and_block(cursor)
    if _list_ahead(cursor) or _part_of_lot_ahead(cursor):  # the next group; its name is this one's
        tree.groups.append(LotGroup(None, block, tuple(lots), _qualifier(lead, noun)))
        return
    cursor.skip_words({"INCLUSIVE", "INCL"})
    _acres_between(cursor, tree)
    cursor.skip_symbols(",")
    cursor.skip_words({"OF", "IN", "THE", "SAID"})
    subdivision = _subdivision(cursor)
    if block is None and cursor.symbol() == "," and cursor.word(1) in _BLOCKS and lots:
        cursor.at += 1  # "Lot 3, Hillside Townsite, Block 33"
        _, block, _ = _lots_and_block(cursor)
    qualifier = _qualifier(lead, noun)
    if subdivision is None and lead and noun != "LOT" and qualifier is None:
        subdivision = lead.strip(" ,").upper()  # "La Garita Bluff Tracts Tract 3"
    elif subdivision is None and _PLAT_WORDS.search(lead) is not None and qualifier is None:
        subdivision = lead.strip(" ,").upper()  # "Sunset Addition, Block 3, Lots 7 and 8"
    elif lead and qualifier is None and lead_span is not None and not _ONLY_ALL.fullmatch(lead):
        cursor.warn("not-used", f"not used: {lead!r}", lead_span)
    tree.groups.append(LotGroup(subdivision, block, tuple(lots), qualifier))
    _tail(cursor, tree)


def _lots_and_block(cursor: Cursor) -> tuple[list[str], str | None, str]:
    """Lots and their block in either order, and the lots' noun."""
    lots: list[str] = []
    block: str | None = None
    noun = "LOT"
    for _ in range(3):
        if (block and cursor.word() in _BLOCKS) or (lots and cursor.word() in _NOUNS):
            break  # "Lot 1, Block 1 and Lot 2, Block 3": the next group begins
        if cursor.word() in _BLOCKS:
            cursor.at += 1
            cursor.skip_symbols(".")
            names = _names(cursor, _BLOCKS)
            block = names[0] if names else None
            if len(names) > 1:
                span = (cursor.ahead(-1).start, cursor.ahead(-1).end)
                cursor.warn("several-blocks", f"of the blocks {', '.join(names)}", span)
        elif _list_ahead(cursor):
            noun = _NOUNS[cursor.word()]
            cursor.at += 1
            cursor.skip_words({"NO", "NOS", "NUMBER"})
            cursor.skip_symbols(".:")
            lots = _names(cursor, frozenset(_NOUNS))
        cursor.skip_words({"INCLUSIVE", "INCL"})
        back = cursor.at
        cursor.skip_symbols(",.")
        cursor.skip_words({"OF", "IN", "AND"})
        if not (cursor.word() in _BLOCKS or _list_ahead(cursor)):
            cursor.at = back
            break
    return lots, block, noun


def _part_of_lot_ahead(cursor: Cursor) -> bool:
    """``… and the N 10 ft of Lot 6``: another group before the block and the name."""
    count = 0
    while cursor.symbol(count) in {",", "&"} or cursor.word(count) == "AND":
        count += 1
    if count == 0:
        return False
    for ahead in range(count, count + 9):
        if cursor.ahead(ahead).kind == "end" or cursor.symbol(ahead) in {",", ";"}:
            return False
        if cursor.word(ahead) == "OF" and cursor.word(ahead + 1) in {"LOT", "LOTS", "LT", "LTS"}:
            return cursor.word(count) not in _NAME_GOES_ON
    return False


def _exception_between(cursor: Cursor, tree: PlatTree) -> None:
    """``Lot 5, less the west 10 feet, Block 2``: kept in its words; the block is still read."""
    back = cursor.at
    cursor.skip_symbols(",")
    began = cursor.at
    if cursor.word() not in v.EXCEPT_WORDS:
        cursor.at = back
        return
    while cursor.token.kind != "end" and cursor.symbol() not in {";", ")"}:
        if cursor.symbol() == "," and (cursor.word(1) in _BLOCKS or cursor.word(-1) == "THEREOF"):
            tree.unresolved.append(cursor.text_since(began))
            cursor.at += 1
            return
        cursor.at += 1
    cursor.at = back


def _acres_between(cursor: Cursor, tree: PlatTree) -> None:
    """``LOT 25 CONT. 40.08 ACRES LIME CREEK ESTATES``."""
    back = cursor.at
    cursor.skip_symbols(",")
    cursor.skip_words({"CONT", "CONTAINING", "CONTAINS"})
    cursor.skip_symbols(".")
    if cursor.token.kind == "number" and cursor.word(1) in v.ACRE_WORDS:
        tree.stated_acres = float(cursor.token.value.replace(",", ""))
        cursor.at += 2
        cursor.skip_symbols(".,")
    else:
        cursor.at = back


def _list_ahead(cursor: Cursor) -> bool:
    if cursor.word() in _BLOCKS:
        return cursor.ahead(1).kind in {"number", "word"}
    if cursor.word() not in _NOUNS:
        return False
    count = 1
    while cursor.symbol(count) in {".", ":"} or cursor.word(count) in {"NO", "NOS", "NUMBER"}:
        count += 1
    return _is_name(cursor.ahead(count))


def _is_name(token: Token) -> bool:
    """A lot is a number (with a letter or two) or one or two letters."""
    if token.kind == "number":
        return "." not in token.value
    return (
        token.kind == "word"
        and len(token.value) <= 2
        and token.value not in {"OF", "IN", "ON", "NO"}
    )


def _names(cursor: Cursor, nouns: frozenset[str]) -> list[str]:
    """``11, 12 and 14 thru 17``, ``3-R``, ``12A``."""
    found: list[str] = []
    while True:
        back = cursor.at
        through = False
        if found:
            cursor.skip_symbols(",&.")
            cursor.skip_words({"AND", *nouns})
            if cursor.word() in v.THROUGH_WORDS or (
                cursor.symbol() in {"-", "–"} and found[-1].isdigit()
            ):
                cursor.at += 1
                through = True
        loose = bool(found) and cursor.at == back and cursor.token.kind == "number"
        if loose and found[-1].isdigit():
            span = (cursor.token.start, cursor.token.end)
            cursor.warn("repaired", f"a separator before {cursor.token.value} is missing", span)
        elif not _is_name(cursor.token) or (found and cursor.at == back):
            cursor.at = back
            return found
        names = _one_name(cursor)
        if through and found[-1].isdigit() and names[0].isdigit():
            found.extend(spelled_numbers(found[-1], names.pop(0)))
        found.extend(names)


def _one_name(cursor: Cursor) -> list[str]:
    token = cursor.token
    cursor.at += 1
    names = token.value.split(",") if token.kind == "number" else [token.value]
    following = cursor.token
    if following.kind == "word" and following.start == token.end and len(following.value) <= 2:
        cursor.at += 1
        names[-1] += following.value
        if following.value in {"O", "I", "L"}:
            span = (token.start, following.end)
            cursor.warn("suspect-lot", f"{names[-1]!r} may be a number misread", span)
    elif cursor.symbol() == "-" and following.start == token.end:
        tail = cursor.ahead(1)
        letters = tail.kind == "word" and len(tail.value) <= 2
        if tail.start == following.end and (
            letters or (tail.kind, token.kind) == ("number", "word")
        ):
            cursor.at += 2
            names[-1] += f"-{tail.value}"
    return names


def _subdivision(cursor: Cursor) -> str | None:
    """The name up to a comma, a bracket, a semicolon or a word that cannot belong to it."""
    began = cursor.at
    of_lots = named = False
    while cursor.token.kind != "end":
        token = cursor.token
        if token.kind == "symbol" and token.value in ";()[]":
            break
        of_lots |= cursor.word() in _REPLATS and cursor.word(1) == "OF"
        goes_on = cursor.word(1) in _NAME_GOES_ON or (of_lots and not named)
        if token.kind == "symbol" and token.value == "," and not goes_on:
            break
        named |= token.value in _NAMES_PLACE
        if cursor.word() in _NAME_ENDS:
            break
        if token.kind == "symbol" and token.value == "." and cursor.ahead(1).kind == "end":
            break
        if token.kind in {"str", "township", "range"} or _recording(cursor):
            break
        cursor.at += 1
    if cursor.at == began:
        return None
    name = cursor.text_since(began).strip(" ,.;")
    small = [
        w for w in name.split() if w[0].islower() and w not in {"of", "the", "and", "in", "at"}
    ]
    numbered = re.match(r"\w+ \d+(?:,|$)", name) is not None  # "Blcok 725, Plat of …"
    if "\n" in name or numbered or (small and cursor.text.lower() != cursor.text):
        cursor.warn(
            "unusual-name",
            f"{' '.join(name.split())!r} is read as a name",
            cursor.span_since(began),
        )
    return " ".join(name.split()).upper() or None


def _recording(cursor: Cursor) -> bool:
    """``B344 P513``."""
    return cursor.word() in {"B", "P"} and cursor.ahead(1).kind == "number"


def _tail(cursor: Cursor, tree: PlatTree) -> None:
    """What follows the name up to the next clause: places and records; exceptions are kept."""
    began = cursor.at
    excepted, open_brackets = False, 0
    while cursor.token.kind != "end" and cursor.symbol() != ";":
        free = open_brackets <= 0 and not excepted
        if cursor.at > began and free and _list_ahead(cursor):
            break
        if cursor.word(1) == "COUNTY" and cursor.word():
            tree.county = cursor.word().title()
        if (
            cursor.token.kind == "number"
            and cursor.word(1) in v.ACRE_WORDS
            and tree.stated_acres is None
        ):
            tree.stated_acres = float(cursor.token.value.replace(",", ""))
        excepted |= cursor.token.value in v.EXCEPT_WORDS
        if cursor.token.kind == "symbol":
            open_brackets += (cursor.token.value in "([") - (cursor.token.value in ")]")
        cursor.at += 1
    text = " ".join(cursor.text_since(began).split()).strip(" ,.;:") if cursor.at > began else ""
    if text and not excepted and _name_of_all(tree, text):
        text = ""
    if text:
        span = cursor.span_since(began)
        kept = v.EXCEPT_WORDS | {"EXCEPTED", "RESERVED", "VACATED"}
        if any(word in text.upper().split() for word in kept):
            tree.unresolved.append(text)
        cursor.warn("comment", f"not drawn: {text}", span)
    cursor.skip_symbols(";")


def _name_of_all(tree: PlatTree, text: str) -> bool:
    """``Lots 1 to 4, Block 4; Lots 1 to 3, Block 5; Sunset Heights``: one name for all of them."""
    if not tree.groups or any(group.subdivision for group in tree.groups):
        return False
    name, _, rest = text.partition(",")
    if rest or _PLAT_WORDS.search(name) is None:
        return False
    tree.groups[-1] = replace(tree.groups[-1], subdivision=name.upper())
    return True


def _qualifier(lead: str, noun: str) -> str | None:
    """``the west 50 feet of`` before the lots; None when the lead is no such phrase."""
    words = re.sub(r"^(?:AND|&|ALSO|,)\s+", "", lead.strip(" ,").upper())
    if not words or not words.endswith(" OF") or words in {"ALL OF", "LOT OF"}:
        return None
    return " ".join(words.removesuffix(" OF").removeprefix("THE ").split()) if noun else None


def _share_names(tree: PlatTree) -> None:
    """A list that names its subdivision only at the end means it for the lists before it too."""
    name = block = None
    for index in range(len(tree.groups) - 1, -1, -1):
        group = tree.groups[index]
        if group.subdivision is None and name is not None:
            block = group.block or block
            tree.groups[index] = LotGroup(name, block, group.lots, group.qualifier)
        block = tree.groups[index].block
        name = group.subdivision or name
