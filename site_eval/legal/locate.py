"""``locate``: one description to an answer, or a stream of them, in order and whatever fails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from site_eval.errors import SiteEvalError
from site_eval.legal.answer import Answer, AnswerWarning, Kind
from site_eval.legal.answering import metes_answer, plat_answer, plss_answer
from site_eval.legal.corners import NamedCorner, read_corner
from site_eval.legal.esri_traverse import is_traverse, read_traverse
from site_eval.legal.metes_marks import is_metes_and_bounds
from site_eval.legal.metes_reader import read_metes
from site_eval.legal.plat import PlatTree, is_platted, read_parcel_numbers, read_plat
from site_eval.legal.plss import Hints, read_plss
from site_eval.legal.traverse import NOTHING, Closure, close
from site_eval.legal.tree import MetesTree, PlssTree, Warn

if TYPE_CHECKING:
    from site_eval.legal.place import Placer
    from site_eval.legal.place_traverse import PlacedTraverse

_METES_DOUBTS = frozenset(
    {"repaired", "area-differs", "curve-inconsistent", "words-and-figures", "not-used"}
)
_AREA_TOLERANCE = 0.05
# A text longer than this is no legal description; reading it whole would take minutes.
MAX_CHARACTERS = 200_000


@dataclass(frozen=True)
class Helps:
    """What helps to read and place a description; *parcels* and *plss* are GeoDataFrames."""

    county: str | None = None
    state: str | None = None
    meridian: str | None = None
    township_side: str | None = None
    range_side: str | None = None
    parcels: Any = None
    parcel_fields: Mapping[str, str] = field(default_factory=dict)
    plss: Any = None
    beginning: tuple[float, float] | None = None  # a traverse's, longitude and latitude
    parse_only: bool = False

    @property
    def hints(self) -> Hints:
        """The part that the grammars use."""
        return Hints(self.meridian, self.state, self.county, self.township_side, self.range_side)


NO_HELP = Helps()


def locate(text: str, helps: Helps = NO_HELP, *, id_: str | None = None) -> Answer:
    """Read *text* and, unless ``parse_only``, place it; never raises for a bad description."""
    answer, _, _ = located(text, helps)
    answer.id = id_
    return answer


def locate_lines(lines: Iterable[str], helps: Helps = NO_HELP) -> Iterator[Answer]:
    """One answer a line of JSON (``{"id": …, "text": …}``) or of plain text, in order."""
    for line in lines:
        if not line.strip():
            continue
        id_, text = _line(line)
        try:
            yield locate(text, helps, id_=id_)
        except Exception as error:  # noqa: BLE001 - a batch answers every line, whatever fails
            yield _refused(text, "failed", f"{type(error).__name__}: {error}", id_)


def located(text: str, helps: Helps) -> tuple[Answer, Any, list[str]]:
    """The answer, its geometry (EPSG:4326, None when not placed), and why the land is doubtful."""
    if len(text) > MAX_CHARACTERS:
        fault = f"a description has at most {MAX_CHARACTERS:,} characters, this has {len(text):,}"
        return _refused(text[:200], "too-long", fault, None), None, []
    if is_traverse(text) or is_metes_and_bounds(text):
        return _metes(text, helps)
    numbers = read_parcel_numbers(text)
    tree = read_plss(text, helps.hints)
    sections = [land for land in tree.sections if land.section is not None]
    if is_platted(text) or (not sections and not _names_township(tree)):
        plat = read_plat(text)
        if plat.groups or numbers:
            return _plat(text, plat, tree if sections else None, helps)
    return _plss(text, tree, helps)


def _names_township(tree: PlssTree) -> bool:
    return any(land.township or land.range for land in tree.sections)


# ---- each kind -----------------------------------------------------------------------------------


def _plss(text: str, tree: PlssTree, helps: Helps) -> tuple[Answer, Any, list[str]]:
    answer = plss_answer(text, tree)
    if helps.parse_only or answer.status != "understood" or tree.meridian is None:
        return answer, None, []
    try:
        placed = _placer(tree.meridian, helps).place(tree)
    except SiteEvalError as error:
        answer.warnings.append(AnswerWarning(code="not-placed", text=str(error)))
        return answer, None, []
    _add(answer, [*placed.warnings, *placed.missing])
    if placed.geometry is None or placed.missing or placed.method is None:
        return answer, None, placed.doubts
    _place(answer, placed.geometry, placed.method, placed.position_uncertainty_m)
    return answer, placed.geometry, [*placed.doubts, *_doubts(tree)]


def _metes(text: str, helps: Helps) -> tuple[Answer, Any, list[str]]:
    tree = _traverse_file(text) if is_traverse(text) else read_metes(text)
    context = read_plss(tree.preamble, helps.hints) if tree.preamble else None
    if tree.stated_acres is None and context is not None:
        tree.stated_acres = context.stated_acres
    closure = close(tree.courses, returns=tree.returns) if not tree.truncated else NOTHING
    corner = read_corner(tree.reference, context, helps.hints)
    meridian = (corner.meridian if corner else None) or (context.meridian if context else None)
    answer = metes_answer(text, tree, closure, context, meridian)
    if helps.parse_only or answer.closure is None:
        return answer, None, []
    try:
        placed = _on_the_ground(tree, closure, corner, meridian, helps)
    except SiteEvalError as error:
        answer.warnings.append(AnswerWarning(code="not-placed", text=str(error)))
        return answer, None, []
    if placed is None:
        return answer, None, []
    answer.closure.adjusted = placed.adjusted
    _place(answer, placed.geometry, "traverse", placed.position_uncertainty_m)
    doubts = [*placed.doubts, *(f"not drawn: {words}" for words in tree.unresolved)]
    doubts += [w.text for w in answer.warnings if w.code in _METES_DOUBTS]
    return answer, placed.geometry, doubts


def _traverse_file(text: str) -> MetesTree:
    """A traverse file as a description that returns to its start; a bad line is a warning."""
    try:
        courses, _ = read_traverse(text)
    except SiteEvalError as error:
        return MetesTree(warnings=[Warn("traverse-file", str(error))])
    return MetesTree(courses=courses, returns=True)


def _on_the_ground(
    tree: MetesTree,
    closure: Closure,
    corner: NamedCorner | None,
    meridian: str | None,
    helps: Helps,
) -> PlacedTraverse | None:
    from site_eval.legal.place_traverse import place_traverse, place_traverse_at

    if helps.beginning is not None:
        return place_traverse_at(tree, closure, *helps.beginning)
    if corner is None or meridian is None:
        return None
    return place_traverse(tree, closure, corner, _placer(meridian, helps))


def _plat(
    text: str, plat: PlatTree, tree: PlssTree | None, helps: Helps
) -> tuple[Answer, Any, list[str]]:
    kind: Kind = "lot-and-block" if plat.groups else "parcel-number"
    answer = plat_answer(text, plat, tree, "mixed" if tree is not None else kind)
    if helps.parse_only or helps.parcels is None:
        return answer, None, []
    from shapely import union_all

    from site_eval.legal.parcels import PARCEL_RADIUS_M, find_lots, find_parcel

    pieces = []
    try:
        for group in plat.groups:
            piece, faults = find_lots(
                group.subdivision or "", group.block, group.lots, helps.parcels, helps.parcel_fields
            )
            _add(answer, [Warn("not-in-layer", fault) for fault in faults])
            pieces.append(piece)
        pieces += [find_parcel(n, helps.parcels, helps.parcel_fields) for n in plat.parcel_numbers]
    except SiteEvalError as error:
        answer.warnings.append(AnswerWarning(code="not-in-layer", text=str(error)))
        return answer, None, []
    if not pieces or any(piece is None for piece in pieces):
        return answer, None, []
    geometry = union_all(pieces)
    _place(answer, geometry, "parcel-layer", PARCEL_RADIUS_M)
    doubts = [f"{g.qualifier} of the lots is meant" for g in plat.groups if g.qualifier]
    return answer, geometry, doubts


# ---- placing -------------------------------------------------------------------------------------


def _place(answer: Answer, geometry: Any, method: Any, radius_m: float) -> None:
    from shapely.geometry import mapping

    from site_eval.crs import ellipsoidal_area_m2
    from site_eval.units import acres

    answer.status = "located"
    answer.method = method
    answer.position_uncertainty_m = round(radius_m, 1)
    answer.area_acres = round(acres(ellipsoidal_area_m2(geometry)), 4)
    answer.geometry = mapping(geometry)
    stated = answer.stated_acres
    if not stated or answer.container_only or not answer.area_acres:
        return
    if abs(answer.area_acres - stated) > _AREA_TOLERANCE * stated:
        text = f"{stated:g} acres are stated, {answer.area_acres:.1f} acres are drawn"
        answer.warnings.append(AnswerWarning(code="area-differs", text=text))


def _doubts(tree: PlssTree) -> list[str]:
    doubts = [f"not drawn: {text}" for text in tree.unresolved]
    if tree.container_only:
        doubts.append("the aliquots hold the land but are larger than it")
    doubts += [w.text for w in tree.warnings if w.code in {"not-used", "repaired", "read-as-list"}]
    return doubts


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


# ---- lines ---------------------------------------------------------------------------------------


def _add(answer: Answer, warnings: list[Warn]) -> None:
    answer.warnings.extend(AnswerWarning(code=w.code, text=w.text, span=w.span) for w in warnings)


def _refused(text: str, code: str, fault: str, id_: str | None) -> Answer:
    warning = AnswerWarning(code=code, text=fault)
    return Answer(
        id=id_, text=text, status="not-understood", kind="plss-aliquot", warnings=[warning]
    )


def _line(line: str) -> tuple[str | None, str]:
    try:
        data = json.loads(line)
    except ValueError:
        return None, line.rstrip("\r\n")
    if isinstance(data, dict) and isinstance(data.get("text"), str):
        id_ = data.get("id")
        return (None if id_ is None else str(id_)), data["text"]
    return None, line.rstrip("\r\n")
