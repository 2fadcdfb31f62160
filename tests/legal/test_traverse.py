"""Courses and curves against plain trigonometry; traverse files there and back."""

from __future__ import annotations

import math

import pytest

from site_eval.errors import LandError
from site_eval.legal.cursor import Cursor
from site_eval.legal.esri_traverse import is_traverse, read_traverse, write_traverse
from site_eval.legal.measures import bearing_of_azimuth, read_bearing, read_distance
from site_eval.legal.metes_reader import read_metes
from site_eval.legal.tokens import tokenize
from site_eval.legal.traverse import (
    close,
    compass_rule,
    departure_latitude,
    solve_curve,
    traverse_points,
)
from site_eval.legal.tree import Curve, Line, Words


@pytest.mark.parametrize(("text", "azimuth"), [
    ("N 12°30'15\" E", 12 + 30 / 60 + 15 / 3600), ("S. 02°24'37\" E.", 180 - 2 - 24 / 60 - 37 / 3600),
    ("North 89 degrees 59 minutes 41 seconds East", 89 + 59 / 60 + 41 / 3600), ("due South", 180.0),
    ("West", 270.0), ("N45.5°W", 314.5), ("N 89-59-41 E", 89 + 59 / 60 + 41 / 3600), ("N 45 E", 45.0),
    ("azimuth 123°45'", 123.75), ("N12030'15\"E", 12 + 30 / 60 + 15 / 3600), ("S 9° W", 189.0),
    ("N. 89°12' (W.)", 360 - 89.2), ("S 45 deg 30 min E", 134.5), ("N 0 18 0 E", 0.3),
])  # fmt: skip
def test_bearings_in_every_writing(text: str, azimuth: float) -> None:
    bearing = read_bearing(Cursor(text, tokenize(text)))
    assert bearing is not None
    assert bearing.azimuth_deg == pytest.approx(azimuth, abs=1e-9)


@pytest.mark.parametrize("text", ["N 4l°10' E", "N 95° E", "the river", "N 12°3O'15\" E"])
def test_what_is_no_bearing_is_not_read_as_one(text: str) -> None:
    assert read_bearing(Cursor(text, tokenize(text))) is None


@pytest.mark.parametrize(("text", "feet"), [
    ("100 feet", 100.0), ("1,267.32 ft.", 1267.32), ("160 rods", 2640.0), ("10 chains 25 links", 676.5),
    ("10 chains and 25 links", 676.5), ("428 varas", 428 / 0.36), ("20 poles", 330.0), ("36'", 36.0),
    ("100 meters", 100 * 3937 / 1200), ("two hundred (200) feet", 200.0), ("35 1/2 feet", 35.5),
    ("12 feet 6 inches", 12.5), ("half a mile", None), ("100 acres", None), ("74l.80 feet", None),
])  # fmt: skip
def test_distances_in_every_unit(text: str, feet: float | None) -> None:
    found = read_distance(Cursor(text, tokenize(text)))
    assert found == (None if feet is None else pytest.approx(feet))


def test_words_and_figures_that_differ_are_told() -> None:
    cursor = Cursor("two hundred (220) feet", tokenize("two hundred (220) feet"))
    assert read_distance(cursor) == 200.0
    assert [w.code for w in cursor.warnings] == ["words-and-figures"]


R, DELTA = 250.0, 40.0
ARC, CHORD, TANGENT = (
    R * math.radians(DELTA),
    2 * R * math.sin(math.radians(20)),
    R * math.tan(math.radians(20)),
)


@pytest.mark.parametrize("given", [
    {"radius_ft": R, "delta_deg": DELTA}, {"radius_ft": R, "arc_ft": ARC}, {"radius_ft": R, "chord_ft": CHORD},
    {"radius_ft": R, "tangent_ft": TANGENT}, {"delta_deg": DELTA, "arc_ft": ARC},
    {"delta_deg": DELTA, "chord_ft": CHORD}, {"delta_deg": DELTA, "tangent_ft": TANGENT},
])  # fmt: skip
def test_any_two_elements_fix_a_curve(given: dict[str, float]) -> None:
    blank = dict.fromkeys(("radius_ft", "delta_deg", "arc_ft", "chord_ft"))
    curve = solve_curve("R", **{**blank, **given}, tangent_azimuth_deg=10.0)
    assert curve is not None
    assert (curve.radius_ft, curve.delta_deg, curve.arc_ft, curve.chord_ft) == pytest.approx(
        (R, DELTA, ARC, CHORD)
    )
    assert curve.chord_azimuth_deg == pytest.approx(30.0)


@pytest.mark.parametrize("words", [
    "along a tangent curve to the right, radius 100.00 feet, central angle 90°00'00\"",
    "along the arc of a 100.00 foot radius curve to the right, an arc distance of 157.08 feet",
    "along a curve to the right having a radius of 100 feet, whose center bears East, through a delta of 90°",
    "along a curve concave to the East with a radius of 100 feet, arc length of 157.08 feet",
    "curve right R=100' L=157.08' (chord N 45° E 141.42')",
    "along a curve right, R 100.00 ft, arc 157.08 ft",
])  # fmt: skip
def test_curves_in_many_words(words: str) -> None:
    text = f"Beginning at a stake; thence North 50 feet; thence {words}; thence East 10 feet"
    curve = read_metes(text).courses[1]
    assert isinstance(curve, Curve)
    assert curve.side == "R"
    assert curve.chord_azimuth_deg == pytest.approx(45.0, abs=0.01)
    assert curve.chord_ft == pytest.approx(141.42, abs=0.01)
    assert curve.delta_deg == pytest.approx(90.0, abs=0.01)


def test_a_curve_that_contradicts_itself_is_told() -> None:
    text = "Beginning at a stake; thence North 9 feet; thence curve left R=100', arc 50.00 ft, delta 45°00'00\""
    assert "curve-inconsistent" in {warn.code for warn in read_metes(text).warnings}


def test_the_compass_rule_shares_the_misclosure_by_length() -> None:
    """Four sides of 100, 200, 100, 200 ft that end 3 ft north: each point moves by its share."""
    courses = [Line(90, 100, ""), Line(0, 200, ""), Line(270, 100, ""), Line(180, 197, "")]
    points = traverse_points(courses)
    assert points is not None
    adjusted = compass_rule(points, courses)
    assert adjusted[-1] == pytest.approx(adjusted[0])
    assert adjusted[1] == pytest.approx((100.0, -3 * 100 / 597))
    assert adjusted[2] == pytest.approx((100.0, 200 - 3 * 300 / 597))


def test_a_last_course_without_length_closes_by_construction() -> None:
    courses = [
        Line(90, 84, ""),
        Line(180, 150, ""),
        Line(270, 84, ""),
        Words("north to the beginning"),
    ]
    closure = close(courses, returns=True)
    assert closure.closed_by_construction
    assert closure.closing_length_ft == pytest.approx(150.0)
    assert closure.area_sqft == pytest.approx(84 * 150)


def test_no_closure_without_a_return_or_with_a_gap_in_the_middle() -> None:
    square = [Line(90, 10, ""), Line(0, 10, ""), Line(270, 10, ""), Line(180, 10, "")]
    assert close(square, returns=True).misclosure_ft == pytest.approx(0.0, abs=1e-9)
    assert close(square, returns=False).area_sqft is None
    assert close([square[0], Words("along the creek"), *square[2:]], returns=True).area_sqft is None
    assert close(square[:2], returns=True).area_sqft is None


def test_an_exception_and_a_second_figure_are_kept_in_their_words() -> None:
    square = "thence East 10 feet; thence North 10 feet; thence West 10 feet; thence South 10 feet to the Point of Beginning"
    tree = read_metes(f"Beginning at a stake; {square}. EXCEPT the north 2 feet for a road")
    assert len(tree.courses) == 4
    assert tree.unresolved == ["EXCEPT the north 2 feet for a road"]


def test_a_traverse_file_there_and_back() -> None:
    """The courses of the sample on the format's help page, angle-distance left out."""
    sample = "DT QB\nDU DMS\nSP 454868.9 298986.09\nEP 454868.9 298986.09\nDD N90-0-0E 105\nTC C 45 D 100-0-0 L\nNC C 45 D 100-0-0 C N45-0-0E R\n"
    assert is_traverse(sample)
    courses, start = read_traverse(sample)
    assert start == (454868.9, 298986.09)
    line, tangent, curve = courses
    assert isinstance(line, Line)
    assert isinstance(tangent, Curve)
    assert isinstance(curve, Curve)
    assert tangent.chord_azimuth_deg == pytest.approx(40.0)
    assert curve.radius_ft == pytest.approx(45 / (2 * math.sin(math.radians(50))))
    again, _ = read_traverse(write_traverse(courses, start))
    for one, other in zip(courses, again, strict=True):
        assert departure_latitude(one) == pytest.approx(departure_latitude(other), abs=1e-3)


@pytest.mark.parametrize(
    ("kind", "text", "azimuth"), [("NA", "100.5", 100.5), ("SA", "10", 190.0), ("P", "30", 60.0)]
)
def test_direction_types_of_a_traverse_file(kind: str, text: str, azimuth: float) -> None:
    (line,), _ = read_traverse(f"DT {kind}\nDU DD\nSP 0 0\nDD {text} 10")
    assert isinstance(line, Line)
    assert line.azimuth_deg == pytest.approx(azimuth)


@pytest.mark.parametrize(
    "line", ["AD 45-0-0 100", "DD N95-0-0E 10", "XX", "NC C 45 D 1", "TC C 45 D 100-0-0 L"]
)
def test_a_bad_line_of_a_traverse_file_is_named(line: str) -> None:
    with pytest.raises(LandError, match="line 4"):
        read_traverse(f"DT QB\nDU DMS\nSP 0 0\n{line}")
    with pytest.raises(LandError, match="course 1"):
        write_traverse([Words("along the creek")])


@pytest.mark.parametrize("azimuth", [0, 12.504166, 90, 135.5, 180, 269.99, 270, 359.999])
def test_a_bearing_written_is_read_back(azimuth: float) -> None:
    text = bearing_of_azimuth(azimuth)
    bearing = read_bearing(Cursor(text, tokenize(text)))
    assert bearing is not None
    assert abs((bearing.azimuth_deg - azimuth + 180) % 360 - 180) < 1 / 3600 / 50
