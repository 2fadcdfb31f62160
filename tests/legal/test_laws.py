"""Laws of the grammars: what is written reads back, aliquots tile, no text is lost or raises."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from site_eval.legal.answer import Answer
from site_eval.legal.locate import Helps, locate
from site_eval.legal.metes_reader import read_metes
from site_eval.legal.plss import nominal_acres, read_plss
from site_eval.legal.section_unit import box_of, covered_acres, remainder
from site_eval.legal.traverse import close
from site_eval.legal.tree import WHOLE, Aliquot, Curve, Line
from tests.legal.damage import DAMAGES, damaged
from tests.legal.meaning import meaning

VISIBLE = Path(__file__).parent.parent / "data" / "legal" / "visible.jsonl"
RECORDS = [json.loads(line) for line in VISIBLE.read_text(encoding="utf-8").splitlines()]
PARSE = Helps(parse_only=True)

QUARTERS = ("NE", "NW", "SE", "SW")
HALVES = ("N2", "S2", "E2", "W2")
LONG = {
    "NE": "Northeast Quarter", "NW": "Northwest Quarter", "SE": "Southeast Quarter",
    "SW": "Southwest Quarter", "N2": "North Half", "S2": "South Half", "E2": "East Half",
    "W2": "West Half",
}  # fmt: skip

# Halves are written before quarters, as the Manual does.
steps = st.builds(
    lambda halves, quarters: tuple(halves + quarters),
    st.lists(st.sampled_from(HALVES), max_size=2),
    st.lists(st.sampled_from(QUARTERS), max_size=4),
).filter(bool)
aliquots = st.lists(steps, min_size=1, max_size=5, unique=True)


def _signs(chain: tuple[str, ...]) -> str:
    return "".join(f"{s[0]}½" if s[1] == "2" else f"{s}¼" for s in chain)


def _fractions(chain: tuple[str, ...], join: str) -> str:
    return join.join(f"{s[0]}1/2" if s[1] == "2" else f"{s}1/4" for s in chain)


STYLES = {
    "signs": _signs,
    "fractions": lambda c: _fractions(c, ""),
    "fractions with of": lambda c: _fractions(c, " of the "),
    "slashes": lambda c: "".join(f"{s[0]}/2" if s[1] == "2" else f"{s}/4" for s in c),
    "letters": "".join,
    "digits": lambda c: "".join(s if s[1] == "2" else f"{s}4" for s in c),
    "words": lambda c: " of the ".join(f"{LONG[s]}" for s in c),
}


@given(aliquots, st.sampled_from(sorted(STYLES)), st.integers(1, 36), st.integers(1, 99))
@settings(max_examples=100, deadline=None)
def test_a_list_of_aliquots_reads_back_in_every_style(
    parts: list[tuple[str, ...]], style: str, section: int, township: int
) -> None:
    written = ", ".join(STYLES[style](part) for part in parts)
    for text in (
        f"T{township}N R4W Sec {section}: {written}",
        f"{written} of Section {section}, Township {township} North, Range 4 West",
        f"{written} {section}-{township}N-4W",
    ):
        (land,) = read_plss(text).sections
        assert (land.township, land.range, land.section) == (f"{township}N", "4W", section)
        assert [part.steps for part in land.parts] == parts


@given(st.lists(st.integers(1, 36), min_size=1, max_size=6, unique=True), aliquots)
@settings(max_examples=50, deadline=None)
def test_every_section_keeps_its_own_parts(
    sections: list[int], parts: list[tuple[str, ...]]
) -> None:
    chosen = {s: parts[i % len(parts)] for i, s in enumerate(sections)}
    first = "; ".join(f"Sec. {s}, {_signs(p)}" for s, p in chosen.items())
    last = "; ".join(f"{_signs(p)} of Section {s}" for s, p in chosen.items())
    for text in (f"T. 6 N., R. 2 W., {first}", f"{last}, T. 6 N., R. 2 W."):
        tree = read_plss(text)
        assert {land.section: land.parts[0].steps for land in tree.sections} == chosen


@given(st.sampled_from([1, 2, 3]))
def test_the_quarters_of_every_depth_tile_the_section_exactly(depth: int) -> None:
    chains: list[tuple[str, ...]] = [()]
    for _ in range(depth):
        chains = [(q, *chain) for chain in chains for q in QUARTERS]
    boxes = [box_of(chain) for chain in chains]
    assert covered_acres(boxes) == 640.0
    assert sum((e - w) * (n - s) for w, s, e, n in boxes) == 1.0


@given(aliquots, aliquots)
@settings(max_examples=60, deadline=None)
def test_what_is_left_and_what_is_taken_out_make_the_whole(
    taken: list[tuple[str, ...]], less: list[tuple[str, ...]]
) -> None:
    parts, cuts = [Aliquot(c) for c in taken], [Aliquot(c) for c in less]
    rest = remainder(parts, cuts)
    assert rest is not None
    net = covered_acres([box_of(a.steps) for a in rest])
    want = covered_acres([box_of(c) for c in taken], [box_of(c) for c in less])
    assert net == pytest.approx(want, abs=1e-9)


def test_the_whole_without_one_quarter_quarter_is_600_acres() -> None:
    (land,) = read_plss("T6N R2W Sec 3: ALL LESS NENE").sections
    assert nominal_acres(land) == 600.0
    assert [a.code for a in remainder([WHOLE], [Aliquot(("NE", "NE"))]) or []] == [
        "W2", "SE", "W2NE", "SENE",
    ]  # fmt: skip


# ---- nothing raises, nothing is lost ---------------------------------------------------------------


def _accounted(text: str, answer: Answer) -> None:
    """Every warning points into the text; a refused text says why."""
    assert answer.text == text
    for warning in answer.warnings:
        if warning.span is not None:
            start, end = warning.span
            assert 0 <= start <= end <= len(text)
    if answer.status == "not-understood" and any(c.isalnum() for c in text):
        assert answer.warnings or answer.unresolved


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r["id"])
def test_every_prefix_deletion_and_transposition_answers(record: dict) -> None:
    text = record["text"]
    rng = random.Random(record["id"])
    for _ in range(12):
        cut = rng.randrange(len(text))
        at, to = sorted((rng.randrange(len(text)), rng.randrange(len(text))))
        for worse in (
            text[:cut],
            text[:at] + text[to:],
            text[:at] + text[at : at + 2][::-1] + text[at + 2 :],
        ):
            _accounted(worse, locate(worse, PARSE))


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r["id"])
def test_a_strange_word_put_in_anywhere_is_told(record: dict) -> None:
    """Nothing is dropped silently: the word is in a warning, or in what is kept as words."""
    text = record["text"]
    rng = random.Random(record["id"])
    gaps = [i for i, c in enumerate(text) if c == " "]
    for gap in rng.sample(gaps, min(8, len(gaps))):
        worse = f"{text[:gap]} Zqxj{text[gap:]}"
        answer = locate(worse, PARSE)
        kept = [*answer.unresolved, *(w.text for w in answer.warnings)]
        kept += [f"{g.subdivision} {g.qualifier}" for g in answer.lots]
        kept += [f"{c.text} {c.from_}" for c in (*answer.tie, *answer.courses)]
        spans = [worse[w.span[0] : w.span[1]] for w in answer.warnings if w.span]
        assert any("zqxj" in words.lower() for words in (*kept, *spans)), worse


@given(st.text(max_size=200))
@example("((((Lot")
@example("T6N R2W Sec 3: N 5 acres of the S 0 feet of the W 1/0 feet of NE1/4")
@example("T6N R2W Sec ½¼⅛")
@example("N 0°0'0\" E 0 ft; curve left R=0' delta 0°")
@settings(max_examples=100, deadline=None)
def test_no_text_raises(text: str) -> None:
    _accounted(text, locate(text, PARSE))


WORDS = st.lists(
    st.sampled_from(
        [
            "T6N",
            "R2W",
            "Sec",
            "3",
            "Section",
            "Lot",
            "Lots",
            "Block",
            "NE1/4",
            "SW¼",
            "N2",
            "of",
            "the",
            "less",
            "except",
            "ALL",
            "and",
            ",",
            ";",
            ".",
            ":",
            "(",
            ")",
            "[",
            "]",
            "thence",
            "N",
            "45°30'15\"",
            "E",
            "100",
            "feet",
            "curve",
            "left",
            "radius",
            "beginning",
            "point",
            "13-42-7",
            "part",
            "lying",
        ]
    ),
    max_size=40,
)


@given(WORDS)
@settings(max_examples=100, deadline=None)
def test_no_heap_of_the_right_words_raises(words: list[str]) -> None:
    text = " ".join(words)
    _accounted(text, locate(text, PARSE))


@pytest.mark.parametrize(
    "pattern",
    [
        "NE1/4 OF THE ",
        "((((",
        "N ",
        "Lots 1 thru 9999 ",
        "thence N 5 ft ",
        "except ",
        "lot 1 block 2; ",
    ],
)
def test_a_very_long_text_answers_in_bounded_time(pattern: str) -> None:
    answer = locate((pattern * 5000)[:20_000], PARSE)
    assert answer.status in {"understood", "not-understood", "ambiguous"}
    refused = locate(pattern * (1_000_000 // len(pattern)), PARSE)
    assert refused.status == "not-understood"
    assert refused.warnings[0].code == "too-long"


# ---- damage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(set(DAMAGES) - {"cut_short"}))
def test_a_damaged_text_reads_the_same_or_is_flagged_or_refused(kind: str) -> None:
    for record in RECORDS:
        clean = locate(record["text"], PARSE)
        said = {(w.code, w.text) for w in clean.warnings} | set(clean.unresolved)
        for seed in range(3):
            for name, worse in damaged(record["text"], seed):
                if name != kind:
                    continue
                answer = locate(worse, PARSE)
                if meaning(answer) == meaning(clean):
                    continue
                now = {(w.code, w.text) for w in answer.warnings} | set(answer.unresolved)
                assert now - said or answer.status in {"not-understood", "ambiguous"}, worse


# ---- traverses -----------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.floats(20, 2000), st.floats(0, 1)), min_size=3, max_size=12),
    st.sampled_from(["signs", "words", "dashes"]),
)
@settings(max_examples=60, deadline=None)
def test_a_closed_traverse_described_and_read_again_closes(
    radii: list[tuple[float, float]], style: str
) -> None:
    """Points round a centre make a simple figure; its area is that of its triangles."""
    count = len(radii)
    points = [
        (
            r * math.cos(2 * math.pi * (i + 0.4 * f) / count),
            r * math.sin(2 * math.pi * (i + 0.4 * f) / count),
        )
        for i, (r, f) in enumerate(radii)
    ]
    courses = list(zip(points, points[1:] + points[:1], strict=True))
    calls = [_call(a, b, style) for a, b in courses]
    text = "Beginning at a stake; thence " + "; thence ".join(calls) + " to the Point of Beginning."
    tree = read_metes(text)
    assert len(tree.courses) == count
    closure = close(tree.courses, returns=tree.returns)
    twice = sum(ax * by - bx * ay for (ax, ay), (bx, by) in courses)
    if closure.misclosure_ft is not None:
        assert closure.misclosure_ft < 0.03 * count
        assert closure.area_sqft == pytest.approx(abs(twice) / 2, rel=1e-3, abs=60)


def _call(a: tuple[float, float], b: tuple[float, float], style: str) -> str:
    east, north = b[0] - a[0], b[1] - a[1]
    seconds = round(math.degrees(math.atan2(abs(east), abs(north))) * 3600)
    d, m, s = seconds // 3600, seconds // 60 % 60, seconds % 60
    ns, ew = ("N" if north >= 0 else "S"), ("E" if east >= 0 else "W")
    length = f"{math.hypot(east, north):.2f}"
    if style == "signs":
        return f"{ns}. {d}°{m:02d}'{s:02d}\" {ew}., {length} feet"
    if style == "dashes":
        return f"{ns} {d}-{m:02d}-{s:02d} {ew} {length} ft"
    long = {"N": "North", "S": "South", "E": "East", "W": "West"}
    return f"{long[ns]} {d} degrees {m} minutes {s} seconds {long[ew]}, a distance of {length} feet"


def test_a_circle_of_two_curves_has_the_area_of_the_circle() -> None:
    text = (
        "Beginning at a stake; thence along a curve to the left with a radius of 100.00 feet and a "
        "central angle of 180°00'00\" (chord N 200.00 feet); thence along a curve to the left with a "
        "radius of 100.00 feet and a central angle of 180°00'00\" (chord S 200.00 feet) to the Point "
        "of Beginning."
    )
    tree = read_metes(text)
    assert [type(course) for course in tree.courses] == [Curve, Curve]
    closure = close(tree.courses, returns=tree.returns)
    assert closure.area_sqft == pytest.approx(math.pi * 100**2, rel=1e-9)
    assert closure.perimeter_ft == pytest.approx(2 * math.pi * 100, rel=1e-9)
    assert closure.clockwise is False


def test_a_square_with_a_bite_loses_the_segment() -> None:
    """A right-hand curve against a counterclockwise figure cuts its segment off."""
    r, chord = 50.0, 100.0
    square = [Line(90.0, chord, "E"), Line(0.0, chord, "N"), Line(270.0, chord, "W")]
    curve = Curve("R", r, 180.0, math.pi * r, 180.0, chord, tangent=False)
    closure = close([*square, curve], returns=True)
    assert closure.area_sqft == pytest.approx(chord**2 - math.pi * r**2 / 2)
