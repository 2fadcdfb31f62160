"""Bad input ends with exit status 2 and one sentence, and leaves no file behind."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from site_eval import cli
from tests.evaluate.application import write_application

Maker = Callable[[Path], list[str]]
WEST, SOUTH = -116.676, 43.926


def square(west=WEST, south=SOUTH, size=0.001, **properties):
    ring = [[west, south], [west + size, south], [west + size, south + size], [west, south + size]]
    return {
        "type": "Feature",
        "properties": properties,
        "geometry": {"type": "Polygon", "coordinates": [[*ring, ring[0]]]},
    }


def geojson(path: Path, *features) -> str:
    path.write_text(json.dumps({"type": "FeatureCollection", "features": list(features)}))
    return path.name


def with_layout(make: Callable[[Path], str]) -> Maker:
    def maker(folder: Path) -> list[str]:
        return [str(write_application(folder, layout__file=make(folder)))]

    return maker


def with_text(text: bytes) -> Maker:
    def maker(folder: Path) -> list[str]:
        (folder / "application.toml").write_bytes(text)
        return [str(folder / "application.toml")]

    return maker


def changed(**changes) -> Maker:
    return lambda folder: [str(write_application(folder, **changes))]


def with_file(name: str, content: bytes, *options: str, **changes) -> Maker:
    def maker(folder: Path) -> list[str]:
        (folder / name).write_bytes(content)
        arguments = [str(folder / name) if option == "FILE" else option for option in options]
        return [str(write_application(folder, **changes)), *arguments]

    return maker


def bow_tie(folder: Path) -> str:
    crossed = square(role="parking", name="Lot")
    ring = crossed["geometry"]["coordinates"][0]
    ring[1], ring[2] = ring[2], ring[1]
    return geojson(folder / "l.geojson", crossed)


def dxf(folder: Path) -> str:
    import ezdxf

    drawing = ezdxf.new()
    drawing.modelspace().add_lwpolyline([(0, 0), (9, 0), (9, 9)], close=True)
    drawing.saveas(folder / "l.dxf")
    return "l.dxf"


def empty(folder: Path) -> str:
    (folder / "l.geojson").touch()
    return "l.geojson"


def lying(folder: Path) -> str:
    (folder / "l.gpkg").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    return "l.gpkg"


def broken_zip(folder: Path) -> str:
    (folder / "l.zip").write_bytes(b"PK\x03\x04 and then nothing")
    return "l.zip"


CASES: dict[str, tuple[Maker, str]] = {
    "no such file": (lambda folder: [str(folder / "none.toml")], "no such application"),
    "a folder": (lambda folder: [str(folder)], "folder"),
    "empty file": (with_text(b""), "empty"),
    "not TOML": (with_text(b"[event\nname = 1"), "not TOML"),
    "not UTF-8": (with_text("[event]\nname = 'Fête'".encode("latin-1")), "UTF-8"),
    "unknown key": (changed(event__amplifed=True), "amplified"),
    "unknown table": (changed(plan__toilet__female=3), "toilets"),
    "wrong type": (changed(attendance__maximum="many"), "maximum"),
    "nobody comes": (changed(attendance__maximum=0), "maximum"),
    "ends before it starts": (changed(event__ends="2027-06-18T10:00:00"), "ends before"),
    "no time zone": (changed(event__time_zone="Idaho/Emmett"), "time_zone"),
    "a time that does not exist": (changed(event__starts="2027-03-14T02:30:00"), "starts"),
    "more women than people": (changed(attendance__female=5000), "female"),
    "a document that is not there": (changed(plan__fire__plan="fire.pdf"), "fire.pdf"),
    "land without a place": (changed(land=[{"address": "Emmett"}]), "land"),
    "words that are no land": (changed(land=[{"description": "the old Miller place"}]), "land"),
    "a township that cannot be read": (
        changed(land=[{"description": "S½NE¼ Sec. 22, T. ? N., R. 3 W., Boise Meridian"}]),
        "township",
    ),
    "an unknown parcel": (changed(land=[{"parcel": "RP99999"}]), "RP99999"),
    "an outline that is not there": (changed(land=[{"geometry": "land.shp"}]), "land.shp"),
    "an outline of points": (
        with_file(
            "land.geojson",
            b'{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},'
            b'"geometry":{"type":"Point","coordinates":[-116.6,43.9]}}]}',
            land=[{"geometry": "land.geojson"}],
        ),
        "polygon",
    ),
    "a layout that is not there": (changed(layout__file="layout.geojson"), "layout.geojson"),
    "an empty layout": (with_layout(empty), "empty"),
    "a layout with another's extension": (with_layout(lying), "l.gpkg"),
    "a broken zip": (with_layout(broken_zip), "zip"),
    "a drawing without a CRS": (with_layout(dxf), "CRS"),
    "an unknown role": (
        with_layout(lambda f: geojson(f / "l.geojson", square(role="parkin"))),
        "parking",
    ),
    "no role at all": (with_layout(lambda f: geojson(f / "l.geojson", square(name="x"))), "role"),
    "a layout in another state": (
        with_layout(lambda f: geojson(f / "l.geojson", square(-100.0, 40.0, role="parking"))),
        "miles",
    ),
    "longitude and latitude swapped": (
        with_layout(lambda f: geojson(f / "l.geojson", square(SOUTH, WEST, role="parking"))),
        "latitude",
    ),
    "an area that crosses itself": (with_layout(bow_tie), "cross"),
    "a width that is no number": (
        with_layout(lambda f: geojson(f / "l.geojson", square(role="road", width_ft="wide"))),
        "width_ft",
    ),
    "a catalog that is not there": (
        lambda folder: [str(write_application(folder)), "--layers", str(folder / "c.toml")],
        "c.toml",
    ),
    "a catalog with an unknown kind": (
        with_file("c.toml", b'[[layer]]\nid = "x"\nkind = "floods"\n', "--layers", "FILE"),
        "kind",
    ),
    "an unknown ordinance": (
        lambda folder: [str(write_application(folder)), "--ordinance", "gem-2016"],
        "gem-county-id-2015-04",
    ),
    "an ordinance with an unknown key": (
        with_file("o.toml", b'id = "x"\ncitatoin = "y"\n', "--ordinance", "FILE"),
        "citation",
    ),
    "a day that is none": (
        lambda folder: [str(write_application(folder)), "--as-of", "April"],
        "YYYY-MM-DD",
    ),
    "a place that cannot be written": (
        with_file("taken", b"x", "--out", "FILE"),
        "taken",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_one_sentence_and_nothing_left_behind(name, tmp_path, monkeypatch, capsys) -> None:
    maker, phrase = CASES[name]
    arguments = maker(tmp_path)
    if "--out" not in arguments:
        arguments += ["--out", str(tmp_path / "out")]
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(sys, "argv", ["site-eval", "evaluate", *arguments])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    said = capsys.readouterr()
    assert stopped.value.code == 2, said.err
    assert said.out == ""
    assert phrase.lower() in said.err.lower()
    assert "Traceback" not in said.err
    assert re.search(r"\.$", said.err.splitlines()[0]), "a sentence ends with a full stop"
    assert sorted(tmp_path.rglob("*")) == before
