"""Metes and bounds, text beside ties, courses and reference: ``N 100`` a line in feet, ``~`` words."""

from __future__ import annotations

from pathlib import Path

import pytest

from site_eval.legal.metes_marks import is_metes_and_bounds
from site_eval.legal.metes_reader import read_metes
from site_eval.legal.tree import Course, Line

TABLE = Path(__file__).parent.parent / "cases" / "legal" / "metes.txt"
LINES = [x for x in TABLE.read_text(encoding="utf-8").splitlines() if x and not x.startswith("# ")]
SIDES = {0.0: "N", 90.0: "E", 180.0: "S", 270.0: "W"}


def short(courses: list[Course]) -> str:
    written = [
        f"{SIDES[c.azimuth_deg]} {round(c.distance_ft, 2):g}" if isinstance(c, Line) else "~"
        for c in courses
    ]
    return ", ".join(written) or "-"


@pytest.mark.parametrize("line", LINES)
def test_courses_read_as_written_beside_them(line: str) -> None:
    text, wanted = line.split(" => ")
    tie, courses, reference = (piece.strip() for piece in wanted.split("|"))
    tree = read_metes(text)
    assert is_metes_and_bounds(text)
    assert (short(tree.tie), short(tree.courses), tree.reference) == (tie, courses, reference)
