"""Sixty descriptions answered by hand before they were read: never another reading in silence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from site_eval.legal.answer import Answer, CourseAnswer
from site_eval.legal.locate import Helps, locate
from site_eval.legal.plss import read_plss

FILE = Path(__file__).parent.parent / "data" / "legal" / "held_out.jsonl"
RECORDS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
PART = re.compile(r"(?:STRIP \w+ \S+ of )+\S+|\S+")


def wanted_land(answer: str) -> dict[str, tuple[list[str], list[str]]]:
    lands = {}
    for land in re.sub(r" [~?]", "", answer).split(" ; "):
        place, parts = land.split(": ")
        taken, *out = parts.split(" - ")
        lands[place] = (sorted(PART.findall(taken)), sorted(out))
    return lands


def read_land(text: str) -> dict[str, tuple[list[str], list[str]]]:
    return {
        f"{land.township} {land.range} {land.section}": (
            sorted(part.code for part in land.parts),
            sorted(part.code for part in land.exceptions),
        )
        for land in read_plss(text).sections
    }


def same_course(course: CourseAnswer, wanted: str) -> bool:
    words = wanted.split()
    if words == ["~"]:
        return course.kind == "words"
    if words[0].startswith("C"):
        radius, arc, chord = map(float, words[1:])
        return (course.side, course.radius_ft) == (words[0][1], radius) and (
            abs((course.arc_ft or 0) - arc) < 0.02
            and abs((course.chord_azimuth_deg or 0) - chord) < 0.001
        )
    return abs((course.azimuth_deg or 0) - float(words[0])) < 0.0003 and (
        abs((course.distance_ft or 0) - float(words[1])) < 0.011
    )


def lots(answer: Answer) -> str:
    if answer.parcel_numbers:
        return "PN " + " ".join(answer.parcel_numbers)
    return " ; ".join(
        f"{g.subdivision}/{g.block or ''}/{' '.join(g.lots)}/{g.qualifier or ''}"
        for g in answer.lots
    )


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_text_reads_as_answered_by_hand(record: dict[str, str]) -> None:
    answer, wanted = locate(record["text"], Helps(parse_only=True)), record["answer"]
    if wanted == "REFUSE":
        assert answer.status == "not-understood"
    elif record["kind"] == "plss_aliquot":
        assert read_land(record["text"]) == wanted_land(wanted)
        assert answer.container_only or " ~" not in wanted
        assert answer.unresolved or not wanted.endswith("?")
    elif record["kind"] == "metes_and_bounds":
        courses = wanted.split(" | ")[1].split(", ")
        assert len(answer.courses) == len(courses)
        assert all(map(same_course, answer.courses, courses))
    else:
        assert lots(answer) == wanted.removesuffix(" ?")
        assert answer.unresolved or not wanted.endswith("?")
