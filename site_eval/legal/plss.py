"""PLSS descriptions: text to tree, and the tree written for people."""

from __future__ import annotations

from dataclasses import dataclass

from site_eval.legal.meridians import meridian_of_state, meridians
from site_eval.legal.plss_assembly import Assembler
from site_eval.legal.plss_reader import read_events
from site_eval.legal.section_unit import covered_acres, part_box, remainder
from site_eval.legal.tree import Aliquot, Lot, Part, PlssTree, SectionLand, Strip, Warn


@dataclass(frozen=True)
class Hints:
    """What is known beside the text: state and county, a meridian, the sides of bare numbers."""

    meridian: str | None = None
    state: str | None = None
    county: str | None = None
    township_side: str | None = None
    range_side: str | None = None


NO_HINTS = Hints()


def read_plss(text: str, hints: Hints = NO_HINTS) -> PlssTree:
    """Read a description by the rectangular survey; never raises, whatever the text."""
    reader = read_events(text, hints.township_side, hints.range_side)
    assembler = Assembler()
    for event in reader.events:
        assembler.take(event)
    assembled = assembler.finish()
    cursor = reader.cursor
    tree = PlssTree(
        sections=assembled.sections,
        township=assembled.township,
        county=reader.county,
        state=reader.state,
        unresolved=assembled.unresolved,
        warnings=[*cursor.warnings, *assembled.warnings, *cursor.unread_warnings()],
        ambiguous=reader.ambiguous,
    )
    _settle_acreage(tree, reader.acreages)
    _settle_meridian(tree, reader.meridian, hints)
    _note_missing(tree, hints)
    return tree


def net_parts(land: SectionLand) -> list[Part]:
    """The parts without the exceptions where both are aliquots; else the parts as written."""
    if not land.exceptions or max(_depth(p) for p in (*land.parts, *land.exceptions)) > 8:
        return land.parts
    rest = remainder(land.parts, land.exceptions)
    return land.parts if rest is None else list(rest)


def nominal_acres(land: SectionLand) -> float:
    """Acres of the aliquots (and strips) of one section of 640 acres, exceptions taken out."""
    taken = [box for part in land.parts if (box := part_box(part)) is not None]
    less = [box for part in land.exceptions if (box := part_box(part)) is not None]
    return covered_acres(taken, less)


def government_lots(tree: PlssTree) -> int:
    """How many government lots the description names."""
    return sum(isinstance(part, Lot) for land in tree.sections for part in land.parts)


def normal_form(tree: PlssTree) -> str:
    """``SW¼SE¼ Sec. 30, T. 6 S., R. 24 E., Boise Meridian``, section by section."""
    pieces = []
    for index, land in enumerate(tree.sections):
        following = tree.sections[index + 1] if index + 1 < len(tree.sections) else None
        piece = f"{_parts_text(land)} Sec. {land.section if land.section is not None else '?'}"
        if following is None or (land.township, land.range) != (
            following.township,
            following.range,
        ):
            piece += f", {_sided('T', land.township)}, {_sided('R', land.range)}"
        pieces.append(piece)
    text = "; ".join(pieces)
    return f"{text}, {tree.meridian} Meridian" if tree.meridian and text else text


def part_text(part: Part) -> str:
    """A part with its fraction signs: ``S½NE¼``, ``Lot 4``, ``W 460 ft of E½SE¼``."""
    if isinstance(part, Aliquot):
        return "".join(_sign(step) for step in part.steps) or "all"
    if isinstance(part, Lot):
        lead = "".join(_sign(step) for step in part.steps)
        return f"{lead} of Lot {part.number}" if lead else f"Lot {part.number}"
    if isinstance(part, Strip):
        return f"{part.side} {part.amount:g} {part.unit} of {part_text(part.of)}"
    return f"Tract {part.number}"


def _parts_text(land: SectionLand) -> str:
    text = ", ".join(part_text(part) for part in land.parts)
    if land.exceptions:
        text += " except " + ", ".join(part_text(part) for part in land.exceptions)
    return f"within {text}," if land.container_only else text


def _sign(step: str) -> str:
    return f"{step[0]}½" if step[1] == "2" else f"{step}¼"


def _sided(letter: str, value: str | None) -> str:
    return f"{letter}. ?" if value is None else f"{letter}. {value[:-1]} {value[-1]}."


def _depth(part: Part) -> int:
    return len(part.steps) if isinstance(part, Aliquot) else 0


def _settle_acreage(tree: PlssTree, acreages: list[tuple[float, bool]]) -> None:
    totals = [amount for amount, total in acreages if total]
    if len(totals) == 1:
        tree.stated_acres = totals[0]
    elif len(acreages) == 1:
        tree.stated_acres = acreages[0][0]
    elif acreages:
        listed = ", ".join(f"{amount:g}" for amount, _ in acreages)
        tree.warnings.append(Warn("several-acreages", f"several acreages are stated: {listed}"))


def _settle_meridian(tree: PlssTree, named: str | None, hints: Hints) -> None:
    tree.meridian = named
    state = tree.state or hints.state
    if named is None:
        implied = hints.meridian or (meridian_of_state(state) if state else None)
        if implied is not None:
            tree.meridian, tree.meridian_assumed = implied, True
            tree.warnings.append(Warn("meridian-assumed", f"the {implied} Meridian is assumed"))
    elif state is not None and state not in meridians()[named].states:
        tree.warnings.append(
            Warn("meridian-state", f"the {named} Meridian does not govern surveys in {state}")
        )


def _note_missing(tree: PlssTree, hints: Hints) -> None:
    if not tree.sections:
        tree.warnings.append(Warn("no-section", "no section of a township was found"))
    for land in tree.sections:
        if land.township is None:
            tree.missing.append("township")
        if land.range is None:
            tree.missing.append("range")
        if land.section is None:
            tree.missing.append("section")
    tree.missing = list(dict.fromkeys(tree.missing))
    for what in tree.missing:
        span = next(land.span for land in tree.sections if getattr(land, what) is None)
        tree.warnings.append(Warn(f"{what}-missing", f"the {what} is missing or unreadable", span))
    if (
        tree.sections
        and hints.county
        and tree.county
        and hints.county.lower() != tree.county.lower()
    ):
        tree.warnings.append(
            Warn("county", f"the text says {tree.county} County, not {hints.county}")
        )
