"""``site-eval parking`` from a file to its answer."""

import json
import math
from pathlib import Path

import pytest
import shapely
from click.testing import CliRunner

from site_eval.cli.parking import parking
from site_eval.crs import frame_at
from site_eval.errors import SiteEvalError
from site_eval.units import metres, square_metres

FRAME = frame_at(-116.45, 43.95)
SIDE = math.sqrt(square_metres(5))
SQUARE = shapely.box(0, 0, SIDE, SIDE)


def write(path: Path, *features: tuple[dict, object]) -> Path:
    body = [
        {
            "type": "Feature",
            "properties": properties,
            "geometry": shapely.geometry.mapping(FRAME.to_geographic(shape)),
        }
        for properties, shape in features
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": body}))
    return path


def answer(path: Path, *options: str) -> dict:
    done = CliRunner().invoke(parking, [str(path), "--format", "json", *options])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_five_acres_without_roles(tmp_path: Path) -> None:
    found = answer(write(tmp_path / "lot.geojson", ({}, SQUARE)), "--stall", "9x18ft",
                   "--aisle", "24ft")  # fmt: skip
    assert (found["stalls"], found["accessible"]) == (720, 15)
    assert found["area_acres"] == pytest.approx(5, abs=0.001)
    kinds = [f["properties"]["kind"] for f in found["layout"]["features"]]
    assert sum(kind in {"stall", "accessible", "van"} for kind in kinds) == 720
    assert kinds.count("accessible") + kinds.count("van") == 15
    ids = [f["id"] for f in found["layout"]["features"]]
    assert len(ids) == len(set(ids))
    assert [lot["stalls"] for lot in found["lots"]] == [720]


def test_layout_lies_in_the_lot(tmp_path: Path) -> None:
    found = answer(write(tmp_path / "lot.geojson", ({}, SQUARE)))
    shapes = [shapely.geometry.shape(f["geometry"]) for f in found["layout"]["features"]]
    assert all(SQUARE.buffer(0.05).covers(shape) for shape in FRAME.to_local(shapes))


def test_same_bytes_each_time(tmp_path: Path) -> None:
    path = write(tmp_path / "lot.geojson", ({}, SQUARE))
    assert answer(path) == answer(path)


def test_roles_take_ground_out_and_name_gates(tmp_path: Path) -> None:
    lane = shapely.LineString([(-10, SIDE / 2), (SIDE + 10, SIDE / 2)])
    path = write(
        tmp_path / "site.geojson",
        ({"role": "parking", "name": "North field"}, SQUARE),
        ({"role": "fire_lane", "width_ft": 26}, lane),
        ({"role": "obstacle"}, shapely.Point(30, 30).buffer(6)),
        ({"role": "gate"}, shapely.Point(SIDE / 4, 0)),
        ({"role": "stage"}, shapely.box(500, 500, 520, 520)),
    )
    found = answer(path)
    (lot,) = found["lots"]
    assert lot["name"] == "North field"
    assert 250 < lot["stalls"] < 350
    assert lot["unreachable"] > 250
    assert not lot["gate_assumed"]
    stalls = [
        shapely.geometry.shape(f["geometry"])
        for f in found["layout"]["features"]
        if f["properties"]["kind"] in {"stall", "accessible", "van"}
    ]
    strip = lane.buffer(metres(13) - 0.02, cap_style="flat")
    assert not shapely.union_all(FRAME.to_local(stalls)).intersects(strip)


def test_without_accessible_stalls(tmp_path: Path) -> None:
    path = write(tmp_path / "lot.geojson", ({}, shapely.box(0, 0, metres(208.71), metres(208.71))))
    assert answer(path, "--no-accessible")["stalls"] == 120
    found = answer(path)
    assert (found["stalls"], found["given_up_for_access_aisles"]) == (119, 1)


def test_metric_sizes(tmp_path: Path) -> None:
    path = write(tmp_path / "lot.geojson", ({}, SQUARE))
    feet = answer(path, "--stall", "9x18ft", "--aisle", "24ft")
    metric = answer(path, "--stall", "2.7432x5.4864m", "--aisle", "7.3152m")
    assert feet["stalls"] == metric["stalls"]


def test_text_and_geojson(tmp_path: Path) -> None:
    path = write(tmp_path / "lot.geojson", ({}, SQUARE))
    text = CliRunner().invoke(parking, [str(path)]).output
    assert "In all 720 stalls, 15 of them accessible, on 5.00 acres" in text
    drawn = json.loads(CliRunner().invoke(parking, [str(path), "--format", "geojson"]).output)
    assert drawn["type"] == "FeatureCollection"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--stall", "9by18"], "is not a width by a length"),
        (["--aisle", "wide"], "is not a length"),
        (["--angle", "50"], "No aisle is tabled for 50°"),
        (["--angle", "5", "--aisle", "20ft"], "between 20 and 90"),
        (["--stall", "0x18ft"], "positive sizes"),
        (["--block", "0"], "at least one stall"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(tmp_path: Path, options, words: str) -> None:
    path = write(tmp_path / "lot.geojson", ({}, SQUARE))
    with pytest.raises(SiteEvalError, match=words):
        answer(path, *options)


def test_a_file_without_lots_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "site.geojson", ({"role": "stage"}, SQUARE))
    with pytest.raises(SiteEvalError, match="no parking polygon"):
        answer(path)
