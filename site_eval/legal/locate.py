"""``locate``: one description to an answer, or a stream of them, in order and whatever fails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from site_eval.errors import SiteEvalError
from site_eval.legal.answer import Answer, AnswerWarning, Status, TractAnswer
from site_eval.legal.plss import (
    Hints,
    government_lots,
    net_parts,
    nominal_acres,
    normal_form,
    read_plss,
)
from site_eval.legal.tree import PlssTree, Warn

if TYPE_CHECKING:
    from site_eval.legal.place import Placer

_AREA_TOLERANCE = 0.05


@dataclass(frozen=True)
class Helps:
    """What helps to read and place a description; frames are GeoDataFrames."""

    county: str | None = None
    state: str | None = None
    meridian: str | None = None
    township_side: str | None = None
    range_side: str | None = None
    parcels: Any = None
    plss: Any = None
    parse_only: bool = False

    @property
    def hints(self) -> Hints:
        """The part that the grammar uses."""
        return Hints(self.meridian, self.state, self.county, self.township_side, self.range_side)


def locate(text: str, helps: Helps | None = None, *, id_: str | None = None) -> Answer:
    """Read *text* and, unless ``parse_only``, place it; never raises for a bad description."""
    answer, _, _ = located(text, helps or Helps())
    answer.id = id_
    return answer


def locate_lines(lines: Iterable[str], helps: Helps | None = None) -> Iterator[Answer]:
    """One answer a line of JSON (``{"id": …, "text": …}``) or of plain text, in order."""
    for line in lines:
        if not line.strip():
            continue
        id_, text = _line(line)
        try:
            yield locate(text, helps, id_=id_)
        except Exception as error:  # noqa: BLE001 - a batch answers every line, whatever fails
            yield Answer(
                id=id_,
                text=text,
                status="not-understood",
                kind="plss-aliquot",
                warnings=[AnswerWarning(code="failed", text=f"{type(error).__name__}: {error}")],
            )


def located(text: str, helps: Helps) -> tuple[Answer, Any, list[str]]:
    """The answer, its geometry (EPSG:4326, None when not placed), and why the land is doubtful."""
    tree = read_plss(text, helps.hints)
    answer = _plss_answer(text, tree)
    if helps.parse_only or answer.status != "understood" or tree.meridian is None:
        return answer, None, []
    return _placed(answer, tree, helps)


def _plss_answer(text: str, tree: PlssTree) -> Answer:
    readable = bool(tree.sections) and not tree.missing
    status: Status = (
        "ambiguous"
        if readable and tree.ambiguous
        else "understood"
        if readable
        else "not-understood"
    )
    return Answer(
        text=text,
        status=status,
        kind="plss-aliquot",
        meridian=tree.meridian,
        meridian_assumed=tree.meridian_assumed,
        normal_form=normal_form(tree) or None,
        tracts=[
            TractAnswer(
                township=land.township,
                range=land.range,
                section=land.section,
                parts=[part.code for part in net_parts(land)],
                except_=[part.code for part in land.exceptions],
            )
            for land in tree.sections
        ],
        nominal_acres=sum(nominal_acres(land) for land in tree.sections),
        government_lots=government_lots(tree),
        stated_acres=tree.stated_acres,
        container_only=tree.container_only,
        unresolved=tree.unresolved,
        warnings=[_warning(warn) for warn in tree.warnings],
    )


def _placed(answer: Answer, tree: PlssTree, helps: Helps) -> tuple[Answer, Any, list[str]]:
    from shapely.geometry import mapping

    from site_eval.crs import ellipsoidal_area_m2
    from site_eval.units import acres

    try:
        placed = _placer(tree.meridian or "", helps).place(tree)
    except SiteEvalError as error:
        answer.warnings.append(AnswerWarning(code="not-placed", text=str(error)))
        return answer, None, []
    answer.warnings.extend(_warning(warn) for warn in (*placed.warnings, *placed.missing))
    if placed.geometry is None or placed.missing:
        return answer, None, placed.doubts
    answer.status = "located"
    answer.method = placed.method  # type: ignore[assignment] # the placer's names are the answer's
    answer.position_uncertainty_m = round(placed.position_uncertainty_m, 1)
    answer.area_acres = round(acres(ellipsoidal_area_m2(placed.geometry)), 3)
    answer.geometry = mapping(placed.geometry)
    doubts = [*placed.doubts, *_doubts(tree)]
    _compare_areas(answer)
    return answer, placed.geometry, doubts


def _doubts(tree: PlssTree) -> list[str]:
    doubts = [f"not drawn: {text}" for text in tree.unresolved]
    if tree.container_only:
        doubts.append("the aliquots hold the land but are larger than it")
    doubts += [w.text for w in tree.warnings if w.code in {"not-used", "repaired", "read-as-list"}]
    return doubts


def _compare_areas(answer: Answer) -> None:
    stated, drawn = answer.stated_acres, answer.area_acres
    if (
        stated
        and drawn
        and not answer.container_only
        and abs(drawn - stated) > _AREA_TOLERANCE * stated
    ):
        answer.warnings.append(
            AnswerWarning(
                code="area-differs",
                text=f"{stated:g} acres are stated, {drawn:.1f} acres are drawn",
            )
        )


def _placer(meridian: str, helps: Helps) -> Placer:
    if helps.plss is None:
        return _grid_placer(meridian)
    from site_eval.legal.place import Placer
    from site_eval.legal.plss_layer import plss_layer
    from site_eval.legal.section_grid import bundled_corners

    return Placer(meridian, bundled_corners(), plss_layer(helps.plss, meridian))


@lru_cache(maxsize=64)
def _grid_placer(meridian: str) -> Placer:
    from site_eval.legal.place import Placer
    from site_eval.legal.section_grid import bundled_corners

    return Placer(meridian, bundled_corners())


def _warning(warn: Warn) -> AnswerWarning:
    return AnswerWarning(code=warn.code, text=warn.text, span=warn.span)


def _line(line: str) -> tuple[str | None, str]:
    try:
        data = json.loads(line)
    except ValueError:
        return None, line.rstrip("\r\n")
    if isinstance(data, dict) and isinstance(data.get("text"), str):
        id_ = data.get("id")
        return (None if id_ is None else str(id_)), data["text"]
    return None, line.rstrip("\r\n")
