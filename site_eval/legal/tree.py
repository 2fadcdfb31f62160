"""What a description says, as a tree: parts of sections, exceptions, courses, lots, and warnings."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Warn:
    """Something a reader must know; ``span`` is where in the untouched text, or None."""

    code: str
    text: str
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Aliquot:
    """Halves and quarters, smallest first; no steps at all is the whole section."""

    steps: tuple[str, ...]

    @property
    def code(self) -> str:
        """``("S2", "NE")`` as ``S2NE``; the whole as ``ALL``."""
        return "".join(self.steps) or "ALL"


@dataclass(frozen=True, slots=True)
class Lot:
    """A government lot, or an aliquot of one; ``acres`` where the text gives them."""

    number: str
    steps: tuple[str, ...] = ()
    acres: float | None = None

    @property
    def code(self) -> str:
        """``L4``, or ``S2 OF L4``."""
        return f"{''.join(self.steps)} OF L{self.number}" if self.steps else f"L{self.number}"


@dataclass(frozen=True, slots=True)
class Tract:
    """A numbered tract of a government survey (not an aliquot, not a lot)."""

    number: str
    acres: float | None = None

    @property
    def code(self) -> str:
        """``TRACT 37``."""
        return f"TRACT {self.number}"


@dataclass(frozen=True, slots=True)
class Strip:
    """A band along one side: *amount* of *unit* (``ft`` deep, or ``ac`` in area) of something."""

    side: str
    amount: float
    unit: str
    of: Part

    @property
    def code(self) -> str:
        """``STRIP W 460ft of E2SE``."""
        return f"STRIP {self.side} {self.amount:g}{self.unit} of {self.of.code}"


Part = Aliquot | Lot | Tract | Strip
WHOLE = Aliquot(())


@dataclass(slots=True)
class SectionLand:
    """What is taken of one section. A township or range that cannot be read is None."""

    township: str | None
    range: str | None
    section: int | None
    parts: list[Part] = field(default_factory=list)
    exceptions: list[Part] = field(default_factory=list)
    container_only: bool = False
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class PlssTree:
    """A description by the rectangular survey."""

    sections: list[SectionLand] = field(default_factory=list)
    meridian: str | None = None
    meridian_assumed: bool = False
    county: str | None = None
    state: str | None = None
    stated_acres: float | None = None
    unresolved: list[str] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)
    ambiguous: bool = False
    missing: list[str] = field(default_factory=list)
    township: tuple[str | None, str | None] | None = None  # named last, with or without sections

    @property
    def container_only(self) -> bool:
        """The parts hold the land but are larger than it."""
        return any(section.container_only for section in self.sections)


@dataclass(frozen=True, slots=True)
class Line:
    """A straight course; azimuth in degrees clockwise from the description's own north."""

    azimuth_deg: float
    distance_ft: float
    bearing: str
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Curve:
    """A circular course; ``side`` L or R is where the centre lies; azimuth is its chord's."""

    side: str
    radius_ft: float
    delta_deg: float
    arc_ft: float
    chord_azimuth_deg: float | None
    chord_ft: float
    tangent: bool
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Words:
    """A course without bearing or distance ("along the river"); it ends where the next begins."""

    text: str
    span: tuple[int, int] = (0, 0)


Course = Line | Curve | Words


@dataclass(frozen=True, slots=True)
class LotGroup:
    """Lots of one block of one subdivision."""

    subdivision: str | None
    block: str | None
    lots: tuple[str, ...]
    qualifier: str | None = None


@dataclass(slots=True)
class MetesTree:
    """A description by metes and bounds: from a known corner, by its tie, round the courses."""

    reference: str = ""
    reference_span: tuple[int, int] = (0, 0)
    tie: list[Course] = field(default_factory=list)
    courses: list[Course] = field(default_factory=list)
    returns: bool = False
    truncated: bool = False
    preamble: str = ""
    stated_acres: float | None = None
    unresolved: list[str] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)
