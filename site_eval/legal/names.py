"""Names in a description: principal meridians, counties, states."""

from __future__ import annotations

from site_eval.legal import vocabulary as v
from site_eval.legal.meridians import ALIASES, LONGEST, NEEDS_MERIDIAN_WORD
from site_eval.legal.plss_state import PlssState
from site_eval.legal.tokens import Token

_ORDINAL_ENDINGS = frozenset({"ST", "ND", "RD", "TH"})


def read_meridian(state: PlssState) -> bool:
    found = meridian_at(state, 0)
    if found is None:
        return False
    name, count = found
    cursor = state.cursor
    span = (cursor.token.start, cursor.ahead(count - 1).end)
    cursor.at += count
    if state.meridian is not None and state.meridian != name:
        cursor.warn("two-meridians", f"also names the {name} meridian", span)
    state.meridian = state.meridian or name
    cursor.skip_symbols(".")
    return True


def meridian_at(state: PlssState, start: int) -> tuple[str, int] | None:  # noqa: C901 - one pass over the words, in order
    """The meridian named *start* tokens ahead, and how many tokens that takes."""
    cursor = state.cursor
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


def place_name(state: PlssState, word: str) -> bool:
    """``Gem County``, ``County of Gem``, ``State of Idaho``."""
    cursor = state.cursor
    if word == "COUNTY" and cursor.word(1) == "OF" and cursor.word(2):
        state.county = cursor.word(2).title()
        cursor.at += 3
        return True
    for count in range(1, 4):
        if cursor.word(count) in {"COUNTY", "CO"} and word not in v.CONNECTIVES:
            names = [cursor.word(index) for index in range(count)]
            if all(names):
                state.county = " ".join(names).title()
                if count > 1:  # more than a name may have been taken for one
                    span = (cursor.token.start, cursor.ahead(count).end)
                    cursor.warn("comment", f"read as a county: {state.county}", span)
                cursor.at += count + 1
                cursor.skip_symbols(".")
                return True
        if not cursor.word(count):
            break
    if word in v.STATES:
        state.state = v.STATES[word]
        cursor.at += 1
        return True
    return False


def _plain(token: Token) -> str:
    return token.value.replace(".", "").replace(" ", "")
