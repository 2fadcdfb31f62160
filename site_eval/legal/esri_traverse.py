"""Courses as an Esri traverse file, for exchange with surveyors: written and read.

The format is that of ArcGIS Pro's help page *Traverse file format*: ``DT`` direction type, ``DU``
direction units, ``SP`` start, then ``DD`` direction and distance, ``TC`` tangent curve, ``NC``
curve with its chord's (C), tangent's (T) or radial (R) direction. ``AD`` (an angle from the course
before) is refused on reading: the page does not say from which direction, and by which hand, it is
measured.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from site_eval.errors import LandError
from site_eval.legal.measures import bearing_of_azimuth, quadrant_azimuth
from site_eval.legal.traverse import end_azimuth, solve_curve
from site_eval.legal.tree import Course, Curve, Line, Words

_TYPES = frozenset({"QB", "NA", "SA", "P"})
_UNITS = {"DD": 1.0, "R": 180.0 / math.pi, "G": 0.9}


def write_traverse(courses: Sequence[Course], start: tuple[float, float] = (0.0, 0.0)) -> str:
    """The courses in quadrant bearings, degrees-minutes-seconds, and feet; refuses unmeasured ones."""
    lines = ["DT QB", "DU DMS", f"SP {start[0]:.4f} {start[1]:.4f}"]
    for number, course in enumerate(courses, 1):
        if isinstance(course, Words) or (
            isinstance(course, Curve) and course.chord_azimuth_deg is None
        ):
            raise LandError(
                f"course {number}",
                "it has no bearing or distance",
                "measure it before exchanging it",
            )
        if isinstance(course, Line):
            lines.append(f"DD {bearing_of_azimuth(course.azimuth_deg)} {course.distance_ft:.4f}")
        elif isinstance(course, Curve):
            chord = bearing_of_azimuth(course.chord_azimuth_deg or 0.0)
            lines.append(
                f"NC R {course.radius_ft:.4f} C {course.chord_ft:.4f} C {chord} {course.side}"
            )
    return "\n".join(lines) + "\n"


def is_traverse(text: str) -> bool:
    """Whether a text is a traverse file: its first word is ``DT`` and it names a start point."""
    words = text.split()
    return words[:1] == ["DT"] and "SP" in words


def read_traverse(text: str) -> tuple[list[Course], tuple[float, float]]:
    """The courses of a traverse file and its start point, in its own distance units."""
    kind, unit, start = "QB", "DMS", (0.0, 0.0)
    courses: list[Course] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        try:
            if words[0] == "DT" and words[1] in _TYPES:
                kind = words[1]
            elif words[0] == "DU" and (words[1] == "DMS" or words[1] in _UNITS):
                unit = words[1]
            elif words[0] == "SP":
                start = (float(words[1]), float(words[2]))
            elif words[0] == "EP":
                continue
            else:
                heading = end_azimuth(courses[-1]) if courses else None
                courses.append(_course(words, kind, unit, heading))
        except (IndexError, ValueError, KeyError):
            raise LandError(
                f"traverse file, line {number}",
                f"{line.strip()!r} is no course",
                "see docs/legal-descriptions.md",
            ) from None
    return courses, start


def _course(words: list[str], kind: str, unit: str, heading_deg: float | None) -> Course:
    if words[0] == "DD":
        azimuth = _direction(words[1], kind, unit)
        return Line(azimuth, float(words[2]), bearing_of_azimuth(azimuth))
    if words[0] not in {"TC", "NC"}:
        raise ValueError(words[0])
    given = {words[1]: words[2], words[3]: words[4]}
    chord_azimuth = tangent_azimuth = None
    side = words[-1]
    if words[0] == "TC":
        tangent_azimuth = heading_deg
    elif words[5] == "C":
        chord_azimuth = _direction(words[6], kind, unit)
    elif words[5] == "T":
        tangent_azimuth = _direction(words[6], kind, unit)
    else:  # the radial direction points to the centre
        turn = 90.0 if side == "L" else -90.0
        tangent_azimuth = (_direction(words[6], kind, unit) + turn) % 360.0
    curve = solve_curve(
        side,
        radius_ft=_number(given.get("R")),
        delta_deg=_angle(given["D"], unit) if "D" in given else None,
        arc_ft=_number(given.get("A")),
        chord_ft=_number(given.get("C")),
        chord_azimuth_deg=chord_azimuth,
        tangent_azimuth_deg=tangent_azimuth,
        is_tangent=words[0] == "TC",
    )
    if curve is None or side not in {"L", "R"} or curve.chord_azimuth_deg is None:
        raise ValueError(words)
    return curve


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)


def _direction(text: str, kind: str, unit: str) -> float:
    if kind == "QB":
        return quadrant_azimuth(text[0], _angle(text[1:-1], unit), text[-1])
    angle = _angle(text, unit)
    return {"NA": angle, "SA": angle + 180.0, "P": 90.0 - angle}[kind] % 360.0


def _angle(text: str, unit: str) -> float:
    if unit != "DMS":
        return float(text) * _UNITS[unit]
    degrees, minutes, seconds = (float(piece) for piece in (*text.split("-"), "0", "0")[:3])
    return degrees + minutes / 60.0 + seconds / 3600.0
