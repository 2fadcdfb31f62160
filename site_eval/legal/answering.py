"""Trees of each kind turned into the answer's fields."""

from __future__ import annotations

from site_eval.legal.answer import (
    Answer,
    AnswerWarning,
    ClosureAnswer,
    CourseAnswer,
    Kind,
    LotsAnswer,
    Status,
    TractAnswer,
)
from site_eval.legal.plat import PlatTree
from site_eval.legal.plss import government_lots, net_parts, nominal_acres, normal_form
from site_eval.legal.traverse import Closure
from site_eval.legal.tree import Course, Curve, Line, MetesTree, PlssTree, Warn, Words

_AREA_TOLERANCE = 0.02
_PLAT_AREA_FLOOR_ACRES = 0.02


def plss_answer(text: str, tree: PlssTree) -> Answer:
    """A PLSS description as it was read."""
    readable = bool(tree.sections) and not tree.missing
    status: Status = "not-understood"
    if readable:
        status = "ambiguous" if tree.ambiguous else "understood"
    return Answer(
        text=text,
        status=status,
        kind="plss-aliquot",
        meridian=tree.meridian,
        meridian_assumed=tree.meridian_assumed,
        normal_form=normal_form(tree) or None,
        tracts=_tracts(tree),
        nominal_acres=sum(nominal_acres(land) for land in tree.sections),
        government_lots=government_lots(tree),
        stated_acres=tree.stated_acres,
        container_only=tree.container_only,
        unresolved=tree.unresolved,
        warnings=_warnings(tree.warnings),
    )


def metes_answer(
    text: str, tree: MetesTree, closure: Closure, context: PlssTree | None, meridian: str | None
) -> Answer:
    """Courses with their closure; the preamble's sections hold the land but are not its bounds."""
    lands = context.sections if context is not None else []
    warnings = _warnings(tree.warnings)
    if context is not None:
        warnings += _warnings([w for w in context.warnings if not w.code.endswith("missing")])
        warnings += [
            AnswerWarning(code="preamble", text=f"not drawn: {t}") for t in context.unresolved
        ]
    answer = Answer(
        text=text,
        status="understood" if tree.courses else "not-understood",
        kind="metes-and-bounds",
        meridian=meridian,
        normal_form=_courses_text(tree) or None,
        tracts=_tracts(context)
        if context is not None and any(land.section for land in lands)
        else [],
        stated_acres=tree.stated_acres,
        tie=_tie(tree),
        courses=[course_answer(course) for course in tree.courses],
        closure=_closure(closure),
        unresolved=tree.unresolved,
        warnings=warnings,
    )
    area = closure.area_acres
    stated = tree.stated_acres
    if area is not None and stated:
        allowed = max(_AREA_TOLERANCE * stated, _PLAT_AREA_FLOOR_ACRES * stated)
        if abs(area - stated) > allowed:
            fault = f"{stated:g} acres are stated, the courses enclose {area:.4g}"
            answer.warnings.append(AnswerWarning(code="area-differs", text=fault))
    return answer


def plat_answer(text: str, plat: PlatTree, tree: PlssTree | None, kind: Kind) -> Answer:
    """Lots and parcel numbers; *tree* holds the sections that the text names beside them."""
    return Answer(
        text=text,
        status="understood",
        kind=kind,
        meridian=tree.meridian if tree else None,
        normal_form="; ".join(_lots_text(plat)) or None,
        tracts=_tracts(tree) if tree else [],
        stated_acres=plat.stated_acres,
        lots=[
            LotsAnswer(
                subdivision=g.subdivision, block=g.block, lots=list(g.lots), qualifier=g.qualifier
            )
            for g in plat.groups
        ],
        parcel_numbers=plat.parcel_numbers,
        unresolved=plat.unresolved,
        warnings=_warnings(plat.warnings),
    )


def course_answer(course: Course, from_: str | None = None) -> CourseAnswer:
    """One course as the answer writes it."""
    if isinstance(course, Line):
        return CourseAnswer(
            kind="line",
            bearing=course.bearing,
            azimuth_deg=round(course.azimuth_deg, 6),
            distance_ft=round(course.distance_ft, 4),
            from_=from_,
        )
    if isinstance(course, Curve):
        azimuth = course.chord_azimuth_deg
        return CourseAnswer(
            kind="curve",
            side="L" if course.side == "L" else "R",
            radius_ft=round(course.radius_ft, 4),
            delta_deg=round(course.delta_deg, 6),
            arc_ft=round(course.arc_ft, 4),
            chord_azimuth_deg=None if azimuth is None else round(azimuth, 6),
            chord_ft=round(course.chord_ft, 4),
            from_=from_,
        )
    return CourseAnswer(kind="words", text=course.text, from_=from_)


def courses_of(answer: Answer) -> list[Course]:
    """The courses of an answer, to be computed with or written again."""
    courses: list[Course] = []
    for given in answer.courses:
        if given.kind == "line":
            courses.append(
                Line(given.azimuth_deg or 0.0, given.distance_ft or 0.0, given.bearing or "")
            )
        elif given.kind == "curve":
            courses.append(
                Curve(
                    side=given.side or "R",
                    radius_ft=given.radius_ft or 0.0,
                    delta_deg=given.delta_deg or 0.0,
                    arc_ft=given.arc_ft or 0.0,
                    chord_azimuth_deg=given.chord_azimuth_deg,
                    chord_ft=given.chord_ft or 0.0,
                    tangent=False,
                )
            )
        else:
            courses.append(Words(given.text or ""))
    return courses


def _tie(tree: MetesTree) -> list[CourseAnswer]:
    if not tree.tie:
        return [CourseAnswer(kind="words", text="", from_=tree.reference)] if tree.reference else []
    first = course_answer(tree.tie[0], tree.reference or None)
    return [first, *(course_answer(course) for course in tree.tie[1:])]


def _closure(closure: Closure) -> ClosureAnswer | None:
    if closure.area_sqft is None:
        return None
    return ClosureAnswer(
        misclosure_ft=None if closure.misclosure_ft is None else round(closure.misclosure_ft, 4),
        perimeter_ft=None if closure.perimeter_ft is None else round(closure.perimeter_ft, 3),
        precision=None if closure.precision is None else round(closure.precision, 1),
        area_acres=round(closure.area_acres or 0.0, 5),
        closed_by_construction=closure.closed_by_construction,
        adjusted=False,
        closing_length_ft=(
            None if closure.closing_length_ft is None else round(closure.closing_length_ft, 3)
        ),
    )


def _courses_text(tree: MetesTree) -> str:
    pieces = []
    for course in tree.courses:
        if isinstance(course, Line):
            pieces.append(f"{course.bearing} {course.distance_ft:.2f} ft")
        elif isinstance(course, Curve):
            pieces.append(
                f"curve {course.side} R {course.radius_ft:.2f} ft, arc {course.arc_ft:.2f} ft"
            )
        else:
            pieces.append(course.text)
    start = f"from {tree.reference}: " if tree.reference else ""
    return start + "; ".join(pieces) if pieces else ""


def _lots_text(plat: PlatTree) -> list[str]:
    texts = []
    for group in plat.groups:
        noun = "Lot" if len(group.lots) == 1 else "Lots"
        lots = f"{noun} {', '.join(group.lots)}" if group.lots else ""
        block = f"Block {group.block}" if group.block else ""
        lead = f"{group.qualifier} of " if group.qualifier else ""
        texts.append(lead + ", ".join(x for x in (lots, block, group.subdivision or "") if x))
    return texts + [f"Parcel {number}" for number in plat.parcel_numbers]


def _tracts(tree: PlssTree) -> list[TractAnswer]:
    return [
        TractAnswer(
            township=land.township,
            range=land.range,
            section=land.section,
            parts=[part.code for part in net_parts(land)],
            except_=[part.code for part in land.exceptions],
        )
        for land in tree.sections
    ]


def _warnings(warnings: list[Warn]) -> list[AnswerWarning]:
    return [AnswerWarning(code=w.code, text=w.text, span=w.span) for w in warnings]
