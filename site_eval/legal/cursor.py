"""A place in a description's tokens: looking ahead, moving on, and what has been left unread."""

from __future__ import annotations

from collections.abc import Collection

from site_eval.legal.tokens import Token
from site_eval.legal.tree import Warn

END = Token("end", "", 0, 0)
# Punctuation that says nothing of its own when no rule has used it.
_HARMLESS = frozenset(" \t\r\n\xa0,.;:()[]{}-–—&/")


class Cursor:
    """Tokens of one text and the position of the next to be read."""

    __slots__ = ("at", "text", "tokens", "unread", "warnings")

    def __init__(self, text: str, tokens: list[Token]) -> None:
        """Begin before the first token."""
        end = Token("end", "", len(text), len(text))
        self.text = text
        self.tokens = [*tokens, end, end, end, end]
        self.at = 0
        self.unread: list[tuple[int, int]] = []
        self.warnings: list[Warn] = []

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def ahead(self, count: int) -> Token:
        """The token *count* places after the next, or the end."""
        index = self.at + count
        return self.tokens[index] if index < len(self.tokens) else self.tokens[-1]

    def word(self, count: int = 0) -> str:
        """The value of a word ahead (dots of an abbreviation left out), or an empty string."""
        token = self.ahead(count)
        if token.kind == "word":
            return token.value
        if token.kind == "dotted":
            return token.value.replace(".", "").replace(" ", "")
        return ""

    def word_before(self, at: int) -> str:
        """The word before token *at*, passing over a full stop; or an empty string."""
        index = at - 1
        if index >= 0 and self.tokens[index].value == ".":
            index -= 1
        return self.tokens[index].value if index >= 0 else ""

    def symbol(self, count: int = 0) -> str:
        """The value of a symbol ahead, or an empty string."""
        token = self.ahead(count)
        return token.value if token.kind == "symbol" else ""

    def skip_words(self, words: Collection[str]) -> bool:
        """Pass over any of *words*; tell whether there was one."""
        before = self.at
        while self.token.kind == "word" and self.token.value in words:
            self.at += 1
        return self.at > before

    def skip_symbols(self, symbols: str) -> bool:
        """Pass over any of *symbols*; tell whether there was one."""
        before = self.at
        while self.token.kind == "symbol" and self.token.value in symbols:
            self.at += 1
        return self.at > before

    def span_since(self, at: int) -> tuple[int, int]:
        """The span of the tokens from *at* to the last one read."""
        return self.tokens[at].start, self.tokens[max(at, self.at - 1)].end

    def text_since(self, at: int) -> str:
        """The words themselves from token *at* to the last one read."""
        start, end = self.span_since(at)
        return self.text[start:end]

    def warn(self, code: str, text: str, span: tuple[int, int] | None) -> None:
        """Note something a reader must know."""
        self.warnings.append(Warn(code, text, span))

    def leave_unread(self) -> None:
        """Pass over one token that no rule could use; it will be named in a warning."""
        token = self.token
        self.at += 1
        if self.unread and not self.text[self.unread[-1][1] : token.start].strip():
            self.unread[-1] = (self.unread[-1][0], token.end)
        else:
            self.unread.append((token.start, token.end))

    def pass_filler(self, fillers: Collection[str]) -> None:
        """Pass a word that says nothing of its own; anything else is left unread and named."""
        token = self.token
        if (token.kind == "word" and token.value in fillers) or token.kind == "symbol":
            self.at += 1
        else:
            self.leave_unread()

    def unread_warnings(self) -> list[Warn]:
        """One warning for each run of words that was not used."""
        return [
            Warn("not-used", f"not used: {self.text[start:end]!r}", (start, end))
            for start, end in self.unread
            if any(c not in _HARMLESS for c in self.text[start:end])
        ]
