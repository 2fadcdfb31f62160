"""What the reader of a PLSS text hands to the assembler: parts, sections, townships, notes, breaks."""

from __future__ import annotations

from dataclasses import dataclass

from site_eval.legal.tree import Part

Span = tuple[int, int]


@dataclass(slots=True)
class PartEvent:
    """A part; ``excepted`` when it is taken out, ``partial`` when only some of it is meant."""

    part: Part
    excepted: bool
    partial: bool
    span: Span


@dataclass(slots=True)
class SectionEvent:
    """One or more sections named together; ``bound`` when an "of" ties them to the part before."""

    numbers: tuple[int | None, ...]
    bound: bool
    span: Span
    excepted: bool = False  # says only where an excepted part lies


@dataclass(slots=True)
class TownshipEvent:
    """A township and range as written; what cannot be read is None."""

    township: str | None
    range: str | None
    span: Span


@dataclass(slots=True)
class FullSectionEvent:
    """Section, township and range in one (``13-42N-5E``)."""

    section: int | None
    township: str | None
    range: str | None
    span: Span
    excepted: bool = False


@dataclass(slots=True)
class NoteEvent:
    """Words that no drawing can follow; ``container`` when they narrow what came before."""

    text: str
    container: bool
    span: Span


@dataclass(slots=True)
class BreakEvent:
    """A semicolon or full stop: what follows begins anew."""


Event = PartEvent | SectionEvent | TownshipEvent | FullSectionEvent | NoteEvent | BreakEvent
