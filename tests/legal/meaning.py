"""What an answer means, apart from its words; and whether it is right by the rules of the cases."""

from __future__ import annotations

import re

from site_eval.legal.answer import Answer, CourseAnswer
from site_eval.legal.section_unit import Box, box_of, covered_acres

SECOND_DEG = 1.0 / 3600.0


def meaning(answer: Answer) -> object:
    """The reading alone. A misspelt name cannot be told from another; a parcel layer answers that."""
    return (
        sorted(
            (t.township or "", t.range or "", t.section or 0, sorted(t.parts), sorted(t.except_))
            for t in answer.tracts
        ),
        [_course(course) for course in (*answer.tie, *answer.courses)],
        [(group.block, group.lots) for group in answer.lots],
        answer.container_only,
    )


def problems(record: dict, answer: Answer) -> list[str]:
    """What is wrong with the answer to a case, by the README of the cases; empty when right."""
    check = {
        "plss_aliquot": _plss,
        "metes_and_bounds": _metes,
        "lot_and_block": _lots,
    }[record["kind"]]
    found = check(record["expected"], answer)
    if (
        record.get("meridian")
        and record["kind"] == "plss_aliquot"
        and answer.meridian != record["meridian"]
    ):
        found.append(f"meridian {answer.meridian}")
    if answer.stated_acres != record["stated_acres"]:
        found.append(f"stated acres {answer.stated_acres}")
    return found


def _course(course: CourseAnswer) -> tuple:
    numbers = (course.azimuth_deg, course.distance_ft, course.radius_ft, course.chord_azimuth_deg)
    words = course.text if course.kind == "words" else None
    return (course.kind, course.side, words, *(None if v is None else round(v, 2) for v in numbers))


def _plss(expected: dict, answer: Answer) -> list[str]:
    found = []
    want = {(t["township"], t["range"], t["section"]): t["parts"] for t in expected["tracts"]}
    got = {(t.township, t.range, t.section): t.parts for t in answer.tracts}
    if set(want) != set(got):
        return [f"sections {sorted(map(str, got))}"]
    for key, parts in want.items():
        if {p for p in parts if p.startswith("L")} != {p for p in got[key] if p.startswith("L")}:
            found.append(f"lots of {key}: {got[key]}")
        ours, theirs = [_box(p) for p in got[key] if _box(p)], [_box(p) for p in parts if _box(p)]
        if covered_acres(ours, theirs) > 640e-6 or covered_acres(theirs, ours) > 640e-6:
            found.append(f"aliquots of {key}: {got[key]}")
    if expected.get("unresolved") and not answer.unresolved:
        found.append("nothing unresolved")
    if bool(expected.get("container_only")) != answer.container_only:
        found.append("container")
    if expected.get("must_refuse") and answer.status != "not-understood":
        found.append("not refused")
    if abs((answer.nominal_acres or 0) - expected["nominal_aliquot_acres"]) > 1e-6:
        found.append(f"nominal acres {answer.nominal_acres}")
    return found


def _box(part: str) -> Box | None:
    if part == "ALL":
        return box_of(())
    steps = re.findall(r"[NS][EW]|[NSEW]2", part)
    return box_of(tuple(steps)) if "".join(steps) == part else None


def _metes(expected: dict, answer: Answer) -> list[str]:
    found = []
    if len(answer.courses) != len(expected["courses"]):
        return [f"{len(answer.courses)} courses"]
    for number, (got, want) in enumerate(zip(answer.courses, expected["courses"], strict=True), 1):
        if not _same_course(got, want):
            found.append(f"course {number}: {got}")
    ties = [course for course in answer.tie if course.kind != "words"]
    if len(ties) != len([tie for tie in expected["tie"] if tie["course"]]):
        found.append("tie")
    closure = expected["closure"]
    got_area = answer.closure.area_acres if answer.closure else None
    got_miss = answer.closure.misclosure_ft if answer.closure else None
    if not _near(got_miss, closure.get("misclosure_ft"), 0.02):
        found.append(f"misclosure {got_miss}")
    area = closure.get("area_acres")
    if not _near(got_area, area, max(0.001 * area, 6e-5) if area else 0):
        found.append(f"area {got_area}")
    if expected.get("must_refuse_closure") and answer.closure is not None:
        found.append("closure not refused")
    return found


def _same_course(got: CourseAnswer, want: dict) -> bool:
    if want["type"] == "line":
        return (
            got.kind == "line"
            and _near(got.azimuth_deg, want["azimuth_deg"], 1.05 * SECOND_DEG)
            and _near(got.distance_ft, want["distance_ft"], 0.0101)
        )
    if want["type"] == "curve":
        return (
            got.kind == "curve"
            and got.side == want["side"][0].upper()
            and _near(got.radius_ft, want["radius_ft"], 0.01)
            and _near(got.chord_azimuth_deg, want["chord_azimuth_deg"], 1.05 * SECOND_DEG)
            and _near(got.chord_ft, want["chord_ft"], 0.01)
            and _near(got.arc_ft, want["arc_ft"], 0.01)
            and _near(got.delta_deg, want["delta_deg"], 1.05 * SECOND_DEG)
        )
    return got.kind == "words"


def _near(got: float | None, want: float | None, allowed: float) -> bool:
    if got is None or want is None:
        return got is want
    return abs(got - want) <= allowed


def _lots(expected: dict, answer: Answer) -> list[str]:
    got = [group.model_dump() for group in answer.lots]
    return [] if got == expected["lots"] else [f"lots {got}"]
