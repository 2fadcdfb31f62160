"""Distances, areas and fences that other counties ask for, measured on drawn ground."""

import json
from datetime import UTC, date, datetime

import pytest
import shapely

from site_eval.evaluate import evaluate
from site_eval.ordinance.library import load_ordinance
from site_eval.record.verdict import Verdict
from tests.checks.ground import (
    EAST,
    FRAME,
    SOUTH,
    WEST,
    area,
    line,
    point,
    polygons,
    write_catalog,
)  # fmt: skip
from tests.evaluate.application import write_application

YES, NO, REVIEW = Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY, Verdict.NEEDS_REVIEW
UNKNOWN, NONE = Verdict.NOT_DETERMINED, Verdict.NOT_APPLICABLE
FT = 0.3048


def asked(tmp_path, subject: str, requires: str, drawn, layers=(), **changes):
    """The finding on one clause, added to the bundled ordinance."""
    law = load_ordinance("gem-county-id-2015-04").file.read_text("utf-8")
    clause = (
        f'\n[[clauses]]\nid = "90.1"\ncitation = "Section 90"\nheading = "Added"\nquote = "as asked"\n'
        f'subject = "{subject}"\ncheck = "{subject.split(".", maxsplit=1)[0]}"\nquestion = "Is it kept?"\n'
        f'plan_suffices = true\nrequires = {{ kind = "arrangement", what = "as asked", {requires} }}\n'
    )
    (tmp_path / "law.toml").write_text(law + clause, "utf-8")
    features = [
        {"type": "Feature", "properties": {"role": role, "name": f"{role} {n}", **more},
         "geometry": shapely.geometry.mapping(FRAME.to_geographic(shape))}
        for n, (role, shape, more) in enumerate(drawn)
    ]  # fmt: skip
    (tmp_path / "layout.geojson").write_text(
        json.dumps({"type": "FeatureCollection", "features": features})
    )
    evaluation = evaluate(
        write_application(tmp_path, layout__file="layout.geojson", **changes),
        ordinance=tmp_path / "law.toml", as_of=date(2027, 3, 1),
        catalog_file=write_catalog(tmp_path, layers) if layers else None,
        generated_at=datetime(2027, 3, 1, tzinfo=UTC),
    )  # fmt: skip
    (finding,) = [f for f in evaluation.findings if f.clause.id == "90.1"]
    return finding


HOMES = 'form = "distance", parts = ["assembly_area"], to = ["residence"], limits = [{ measure = "distance", at_least = 1500, unit = "ft" }]'


def homes(tmp_path, x: float, **more) -> dict:
    row = [(shapely.Point(x, SOUTH + 150), {"name": "home"})]
    return {"kind": "residences", "file": polygons(tmp_path, "homes.gpkg", row), **more}


@pytest.mark.parametrize(
    ("away_ft", "more", "verdict"),
    [
        (1_510, {}, YES),
        (1_490, {}, NO),
        (1_510, {"uncertainty_m": 10.0}, REVIEW),
        (1_490, {"uncertainty_m": 10.0}, REVIEW),
    ],
    ids=["beyond", "nearer", "beyond, unsure", "nearer, unsure"],
)
def test_a_distance_to_homes_decides_as_surely_as_the_layer_is(
    away_ft, more, verdict, tmp_path
) -> None:
    crowd = area("assembly_area", 600, 100, 100, 100)
    layer = homes(tmp_path, WEST + 700 + away_ft * FT, **more)
    finding = asked(tmp_path, "setback.homes", HOMES, [crowd], [layer])
    assert finding.verdict is verdict
    assert finding.measured.value == pytest.approx(away_ft, abs=0.5)
    assert [f["properties"]["kind"] for f in finding.evidence["features"]] == ["distance"]


def test_a_layer_of_homes_elsewhere_keeps_no_distance(tmp_path) -> None:
    crowd = area("assembly_area", 600, 100, 100, 100)
    far = homes(tmp_path, EAST + 90_000)
    assert asked(tmp_path, "setback.homes", HOMES, [crowd], [far]).verdict is UNKNOWN
    here = far | {"coverage": [-117.5, 43.0, -116.0, 45.0]}
    assert asked(tmp_path, "setback.homes", HOMES, [crowd], [here]).verdict is YES


def test_no_layer_of_water_and_nothing_mapped_are_told(tmp_path) -> None:
    rule = 'form = "distance", parts = ["toilet"], to = ["well"], limits = [{ measure = "distance", at_least = 50, unit = "ft" }]'
    finding = asked(tmp_path, "setback.water", rule, [point("toilet", 100, 100)])
    assert finding.verdict is UNKNOWN
    assert "water layer" in finding.statement
    bare = asked(tmp_path, "setback.water", rule, [area("stage", 100, 100, 5, 5)])
    assert "maps no toilet" in bare.statement


def test_of_several_classes_the_greatest_distance_is_taken(tmp_path) -> None:
    rule = (
        'form = "distance", parts = ["toilet"], to = ["water"], limits = ['
        '{ measure = "distance", of = "well", at_least = 50, unit = "ft" }, '
        '{ measure = "distance", of = "lake", at_least = 100, unit = "ft" }]'
    )
    creek = [(shapely.LineString([(WEST, SOUTH + 120), (EAST, SOUTH + 120)]), {"name": "creek"})]
    layer = {"kind": "water", "file": polygons(tmp_path, "w.gpkg", creek)}
    finding = asked(tmp_path, "setback.water", rule, [point("toilet", 100, 100)], [layer])
    assert (finding.verdict, finding.required.value) == (NO, 100)


def test_a_waiver_lifts_a_distance(tmp_path) -> None:
    rule = (
        HOMES + ', unless = { paper = "waiver", by = "residents", path = "plan.waivers.residents" }'
    )
    crowd = area("assembly_area", 600, 100, 100, 100)
    finding = asked(
        tmp_path, "setback.homes", rule, [crowd], [homes(tmp_path, WEST + 705)],
        plan__waivers__residents=True,
    )  # fmt: skip
    assert finding.verdict is NONE


LOT_LINE = 'form = "distance", parts = ["toilet"], to = ["property_line"], limits = [{ measure = "distance", at_least = 500, unit = "ft" }]'


def test_lot_lines_are_the_lands_own(tmp_path) -> None:
    near = asked(tmp_path, "setback.lines", LOT_LINE, [point("toilet", 400, 20)])
    assert near.verdict is NO
    far = asked(tmp_path, "setback.lines", LOT_LINE, [point("toilet", 400, 201)])
    assert far.measured.value == pytest.approx(201 / FT, abs=7)


APART = 'form = "apart", parts = ["assembly_area", "parking", "camping"]'


@pytest.mark.parametrize(
    ("camp_x", "camping", "verdict"),
    [(300, True, YES), (250, True, NO), (299.99, True, YES), (0, False, REVIEW)],
    ids=["side by side", "overlapping", "a slip of the pen", "one not mapped"],
)
def test_areas_that_have_to_be_apart(camp_x, camping, verdict, tmp_path) -> None:
    drawn = [area("assembly_area", 0, 300, 100, 60), area("parking", 100, 100, 200, 100, spaces=9)]
    drawn += [area("camping", camp_x, 100, 100, 100)] if camping else []
    finding = asked(tmp_path, "areas.apart", APART, drawn)
    assert finding.verdict is verdict


@pytest.mark.parametrize(("x", "verdict"), [(100, YES), (700, NO)])
def test_areas_inside_the_land(x, verdict, tmp_path) -> None:
    lot = area("parking", x, 100, 300, 100, spaces=9)
    rule = 'form = "inside", parts = ["parking"], to = ["site"]'
    finding = asked(tmp_path, "areas.inside", rule, [lot])
    # An outline inferred from a description never decides by itself that all is well.
    assert finding.verdict is (NO if verdict is NO else verdict)


RING = 'form = "ring", parts = ["fence", "gate"], to = ["site"], bearings = [0, 90, 180, 270], limits = [{ measure = "gates", at_least = 4 }]'
CROWD = area("assembly_area", 250, 120, 200, 100)
# A fence around it whose sides leave 6 m for a gate in the middle of each.
SIDES = [
    line("fence", (347, 100), (200, 100), (200, 167)), line("fence", (200, 173), (200, 240), (347, 240)),
    line("fence", (353, 240), (500, 240), (500, 173)), line("fence", (500, 167), (500, 100), (353, 100)),
]  # fmt: skip
EAST_SIDE = line("fence", (500, 167), (500, 173))
FOUR = [
    point("gate", 350, 100, width_ft=20), point("gate", 350, 240, width_ft=20),
    point("gate", 200, 170, width_ft=20), point("gate", 500, 170, width_ft=20),
]  # fmt: skip


def test_a_closed_fence_with_a_gate_to_each_side(tmp_path) -> None:
    finding = asked(tmp_path, "fence.ring", RING, [CROWD, *SIDES, *FOUR])
    assert (finding.verdict, finding.measured.value) == (YES, 4)


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        ([CROWD, *SIDES, EAST_SIDE, *FOUR[:3], point("gate", 300, 100)], "no gate lies near east"),
        ([CROWD, *SIDES, EAST_SIDE, *FOUR[:3]], "fewer than 4"),
        ([CROWD, *SIDES[:3], *FOUR], "does not enclose"),
        ([area("assembly_area", 450, 120, 100, 50), *SIDES, *FOUR], "does not enclose"),
        ([CROWD, *SIDES[:3], line("fence", (500, 167), (500, 100), (380, 100)), *FOUR], "enclose"),
    ],
    ids=["two to the south", "three gates", "a side missing", "a crowd through it", "a gap"],
)  # fmt: skip
def test_a_fence_that_fails_says_where(drawn, words, tmp_path) -> None:
    finding = asked(tmp_path, "fence.ring", RING, drawn)
    assert finding.verdict is NO
    assert words in " ".join(finding.reasons).replace("No gate", "no gate")
    if "enclose" in words and drawn[0] is CROWD:
        assert "end" in {f["properties"]["kind"] for f in finding.evidence["features"]}


def test_a_fence_without_a_crowd_or_no_fence_determines_nothing(tmp_path) -> None:
    assert asked(tmp_path, "fence.ring", RING, [*SIDES, *FOUR]).verdict is UNKNOWN
    assert asked(tmp_path, "fence.ring", RING, [CROWD]).verdict is UNKNOWN
