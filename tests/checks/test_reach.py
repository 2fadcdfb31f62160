"""A layer that does not reach the site never means that nothing is there."""

import numpy as np
import pytest
import shapely

from site_eval.record.verdict import Verdict
from tests.checks.ground import (
    EAST,
    FRAME,
    LAND,
    NORTH,
    SOUTH,
    WEST,
    area,
    evaluated,
    found,
    point,
    polygons,
    raster,
)  # fmt: skip

YES, NONE, UNKNOWN = Verdict.COMPLIES, Verdict.NOT_APPLICABLE, Verdict.NOT_DETERMINED
REVIEW = Verdict.NEEDS_REVIEW
SITE = FRAME.to_local(LAND.geometry)
HERE = [-117.5, 43.0, -116.0, 45.0]
ELSEWHERE = [-100.0, 43.0, -99.0, 45.0]
# 100 km east: beyond every search.
FAR = shapely.box(EAST + 100_000, SOUTH, EAST + 101_000, NORTH)
PLACE = {"NAMELSAD": "Fartown city", "GEOID": "1", "CLASSFP": "C1", "FUNCSTAT": "A"}
KINDS = {
    "places": (
        PLACE, {"name": "NAMELSAD", "geoid": "GEOID", "class": "CLASSFP", "status": "FUNCSTAT"},
        "jurisdiction", "",
    ),
    "county": ({"NAME": "Other", "GEOID": "99999"}, {"name": "NAME", "geoid": "GEOID"},
               "jurisdiction", "county"),
    "flood": ({"FLD_ZONE": "X"}, {"zone": "FLD_ZONE"}, "flood", ""),
    "residences": ({"name": "h"}, {}, "noise", ""),
}  # fmt: skip
LOUD = [point("loudspeaker", 400, 200, sound_level_dba=100, reference_distance_ft=100),
        area("stage", 395, 205, 10, 10)]  # fmt: skip


def asked(tmp_path, kind: str, coverage):
    row, fields, check, words = KINDS[kind]
    layer = {
        "kind": kind, "file": polygons(tmp_path, f"{kind}.gpkg", [(FAR, row)]), "fields": fields,
    }  # fmt: skip
    if not fields:
        del layer["fields"]
    if coverage:
        layer["coverage"] = coverage
    evaluation = evaluated(tmp_path, LOUD, [layer], event__amplified=True)
    return next(
        f for f in evaluation.findings
        if f.check == check and words in f.question.lower()
        and any(s.name.startswith("Test") for s in f.sources)
    )  # fmt: skip


@pytest.mark.parametrize("coverage", [None, ELSEWHERE], ids=["unstated", "of another place"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_near_on_a_layer_of_elsewhere_determines_nothing(kind, coverage, tmp_path) -> None:
    finding = asked(tmp_path, kind, coverage)
    # Flood zones that are not there at all are ground without mapping: for a person.
    expected = REVIEW if kind == "flood" and coverage is None else UNKNOWN
    assert finding.verdict is expected
    assert expected is REVIEW or "catalog" in finding.statement


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [("places", YES), ("county", NONE), ("flood", REVIEW), ("residences", REVIEW)],
)
def test_nothing_near_on_a_layer_that_covers_the_site_is_nothing_there(
    kind, verdict, tmp_path
) -> None:
    assert asked(tmp_path, kind, HERE).verdict is verdict


def test_a_city_beyond_the_covered_area_does_not_put_the_site_outside(tmp_path) -> None:
    near = shapely.box(EAST + 3_000, SOUTH, EAST + 5_000, NORTH)
    row, fields, *_ = KINDS["places"]
    layer = {
        "kind": "places", "file": polygons(tmp_path, "p.gpkg", [(near, row)]), "fields": fields,
        "coverage": ELSEWHERE,
    }  # fmt: skip
    assert found(evaluated(tmp_path, [], [layer]), "jurisdiction").verdict is UNKNOWN


@pytest.mark.parametrize("empty", ["roads", "stations"])
def test_no_road_or_station_near_is_told_and_not_dropped(empty, tmp_path) -> None:
    road = shapely.LineString([(WEST - 900, SOUTH), (EAST + 900, SOUTH)])
    shapes = {
        "roads": FAR.boundary if empty == "roads" else road,
        "stations": FAR.centroid if empty == "stations" else shapely.Point(WEST - 800, SOUTH),
    }
    layers = [
        {"kind": kind, "file": polygons(tmp_path, f"{kind}.gpkg", [(shape, {"name": "one"})]),
         "fields": {"name": "name"}}
        for kind, shape in shapes.items()
    ]  # fmt: skip
    drawn = [point("emergency_entrance", 0, 0), area("stage", 300, 110, 20, 15)]
    finding = found(evaluated(tmp_path, drawn, layers), "emergency-access", "nearest station")
    assert finding.verdict is UNKNOWN
    assert empty[:-1] in finding.statement


@pytest.mark.parametrize(
    ("value", "words"),
    [(lambda x, y: x * 0 - 9999, "no value"), (lambda x, y: np.where(x > 0, 5_000, 0), "500 %")],
    ids=["nodata", "not in metres"],
)
def test_heights_that_cannot_answer_determine_nothing(value, words, tmp_path) -> None:
    dem = raster(tmp_path, "dem.tif", value, dtype="float32", nodata=-9999)
    finding = found(evaluated(tmp_path, [], [{"kind": "dem", "file": dem}]), "terrain")
    assert finding.verdict is UNKNOWN
    assert words in finding.statement
