"""Which part belongs to which section, and which section to which township.

Writers put the section before its parts or after them, and the township before its sections or
after them, and change over in mid-text. The rules, in order:

* a clause (between semicolons and full stops) that begins with a section gives it the parts that
  follow; one that begins with parts gives them to the next section;
* an "of" binds the parts just before it to the section after it;
* a clause of parts alone goes on with the section before, if there is one, else waits for the next;
* a township that comes before any section governs those that follow; one that comes after sections
  without a township governs those.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from site_eval.legal.plss_events import (
    BreakEvent,
    Event,
    FullSectionEvent,
    NoteEvent,
    PartEvent,
    SectionEvent,
    TownshipEvent,
)
from site_eval.legal.tree import WHOLE, Part, SectionLand, Tract, Warn


@dataclass(slots=True)
class _Group:
    """Sections named together and what is taken of each."""

    numbers: tuple[int | None, ...]
    township: tuple[str | None, str | None] | None
    span: tuple[int, int]
    parts: list[Part] = field(default_factory=list)
    exceptions: list[Part] = field(default_factory=list)
    exceptions_of: dict[int | None, list[Part]] = field(default_factory=dict)  # one section's own
    container: bool = False
    closed: bool = False  # named after its parts: parts that follow are the next one's


@dataclass(slots=True)
class Assembled:
    """Sections with their parts, and what could not be drawn or decided."""

    sections: list[SectionLand]
    township: tuple[str | None, str | None] | None
    unresolved: list[str]
    warnings: list[Warn]


class Assembler:
    """Takes the events in order; ``finish`` gives the sections."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.groups: list[_Group] = []
        self.pending: list[PartEvent | NoteEvent] = []
        self.unresolved: list[str] = []
        self.warnings: list[Warn] = []
        self._township: tuple[str | None, str | None] | None = None
        self._last_township: tuple[str | None, str | None] | None = None
        self._clause_has_section = False
        self._loose: _Group | None = None  # took the parts of a clause that named no section

    def take(self, event: Event) -> None:
        """Use one event."""
        if isinstance(event, PartEvent):
            self._part(event)
        elif isinstance(event, SectionEvent):
            self._section(
                event.numbers,
                self._township,
                event.span,
                bound=event.bound,
                excepted=event.excepted,
            )
        elif isinstance(event, FullSectionEvent):
            self._full(event)
        elif isinstance(event, TownshipEvent):
            self._take_township(event)
        elif isinstance(event, NoteEvent):
            self._note(event)
        elif isinstance(event, BreakEvent):
            self._break()

    def finish(self) -> Assembled:
        """Settle what still waits and give one entry for each section of a township."""
        self._settle_pending()
        for group in self.groups:
            if group.township is None and self._last_township is not None:
                group.township = self._last_township
                self.warnings.append(
                    Warn("township-carried", "read with the township named before", group.span)
                )
        return Assembled(self._merged(), self._last_township, self.unresolved, self.warnings)

    # ---- parts and sections ------------------------------------------------------------------

    def _part(self, event: PartEvent) -> None:
        group = self.groups[-1] if self.groups else None
        if (group is not None and self._clause_has_section and not group.closed) or (
            group is not None and self._clause_has_section and event.excepted
        ):
            self._give(group, event)
        else:
            self.pending.append(event)

    def _give(self, group: _Group, event: PartEvent | NoteEvent) -> None:
        if isinstance(event, NoteEvent):
            group.container |= event.container
            return
        if event.excepted:
            if not event.partial:
                group.exceptions.append(event.part)
            return
        group.parts.append(event.part)
        group.container |= event.partial

    def _section(
        self,
        numbers: tuple[int | None, ...],
        township: tuple[str | None, str | None] | None,
        span: tuple[int, int],
        *,
        bound: bool,
        excepted: bool,
    ) -> None:
        if excepted and not self._waiting_parts() and self.groups:
            self._exception_in(numbers, span)
            return
        if self._loose is not None and self._waiting_parts():
            self._warn_attached(self._loose)
        self._loose = None
        taken = self._unbind() if bound and not self._waiting_parts() else []
        group = _Group(numbers, township, span)
        self.groups.append(group)
        group.closed = self._waiting_parts() or bool(taken)
        for event in taken:
            self._give(group, event)
        self._give_all(group)
        self._clause_has_section = True

    def _exception_in(self, numbers: tuple[int | None, ...], span: tuple[int, int]) -> None:
        """The section of an exception: it adds no land; one that differs from the land's is told."""
        group = self._same_section(numbers)
        if group is not None:
            taken, self.groups[-1].exceptions = self.groups[-1].exceptions, []
            for number in numbers:
                group.exceptions_of.setdefault(number, []).extend(taken)
        else:
            fault = "an exception is said to lie in a section that the land is not in"
            self.warnings.append(Warn("exception-elsewhere", fault, span))
            group = self.groups[-1]
        settled = len(group.exceptions)
        self._give_all(group)
        for number in numbers if len(group.numbers) > 1 else ():
            group.exceptions_of.setdefault(number, []).extend(group.exceptions[settled:])
        if len(group.numbers) > 1:
            del group.exceptions[settled:]

    def _waiting_parts(self) -> bool:
        return any(isinstance(event, PartEvent) and not event.excepted for event in self.pending)

    def _give_all(self, group: _Group | None) -> None:
        if group is not None:
            for event in self.pending:
                self._give(group, event)
        self.pending = []

    def _same_section(self, numbers: tuple[int | None, ...]) -> _Group | None:
        return next((g for g in reversed(self.groups) if set(numbers) & set(g.numbers)), None)

    def _unbind(self) -> list[PartEvent]:
        """``Sec. 1 (all); W½ of Sec. 12`` in one clause: the W½ leaves section 1 for section 12."""
        if not self.groups or not self._clause_has_section:
            return []
        group = self.groups[-1]
        if not group.parts or group.closed:
            return []
        parts = group.parts
        moved = parts if len(group.numbers) > 1 or len(parts) == 1 else parts[-1:]
        if len(moved) < len(parts):
            self.warnings.append(
                Warn(
                    "bound-by-of", f"{moved[0].code} is read with the section after it", group.span
                )
            )
        group.parts = parts[: len(parts) - len(moved)]
        return [PartEvent(part, excepted=False, partial=False, span=group.span) for part in moved]

    def _full(self, event: FullSectionEvent) -> None:
        township = (event.township, event.range)
        self._last_township = township
        self._section((event.section,), township, event.span, bound=False, excepted=event.excepted)
        if self.groups:
            self.groups[-1].closed = True

    # ---- townships -----------------------------------------------------------------------------

    def _take_township(self, event: TownshipEvent) -> None:
        township = (event.township, event.range)
        self._last_township = township
        self._flush_into_last()
        waiting = [group for group in self.groups if group.township is None]
        for group in waiting:
            group.township = township
        self._township = None if waiting else township
        if not waiting:
            self._clause_has_section = False

    def _flush_into_last(self) -> None:
        """``Sec. 22: S½NE¼, T. 7 N.``: parts that wait in a clause with a section are that one's."""
        if self.pending and self.groups and self.groups[-1].township is None:
            self._settle_pending()

    def _break(self) -> None:
        if (self.pending and self.groups and self._clause_has_section) or (
            self.pending and self.groups and not self.groups[-1].closed
        ):
            loose = self._waiting_parts() and not self._clause_has_section
            self._loose = self.groups[-1] if loose else None
            self._settle_pending()
        self._clause_has_section = False

    def _settle_pending(self) -> None:
        if not self.pending:
            return
        if self.groups:
            group = self.groups[-1]
            if group.closed and self._waiting_parts():
                self._warn_attached(group)
            self._give_all(group)
        else:
            span = self.pending[0].span
            self._give_all(self._without_section(span))

    def _warn_attached(self, group: _Group) -> None:
        fault = "parts without a section of their own are read with the section before"
        self.warnings.append(Warn("attached-to-previous", fault, group.span))

    def _without_section(self, span: tuple[int, int]) -> _Group:
        group = _Group((None,), self._township or self._last_township, span)
        self.groups.append(group)
        return group

    def _note(self, event: NoteEvent) -> None:
        self.unresolved.append(event.text)
        if self.pending or not self.groups or not self._clause_has_section:
            self.pending.append(event)
        else:
            self._give(self.groups[-1], event)

    # ---- result --------------------------------------------------------------------------------

    def _merged(self) -> list[SectionLand]:
        merged: dict[tuple[str | None, str | None, int | None], SectionLand] = {}
        for group in self.groups:
            township, range_ = group.township or (None, None)
            for number in group.numbers:
                key = (township, range_, number)
                land = merged.get(key)
                if land is None:
                    land = merged[key] = SectionLand(township, range_, number, span=group.span)
                # A survey tract, or an exception alone, does not mean the whole section.
                parts = group.parts or [WHOLE]
                land.parts.extend(part for part in parts if part not in land.parts)
                land.exceptions.extend(group.exceptions)
                land.exceptions.extend(group.exceptions_of.get(number, []))
                land.container_only |= group.container or any(isinstance(p, Tract) for p in parts)
        return list(merged.values())
