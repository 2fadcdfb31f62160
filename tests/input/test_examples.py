"""The bundled examples can be read, agree with themselves, and come out of their scripts again."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import shapely

from site_eval.application import read_application, value_at
from site_eval.crs import frame_for
from site_eval.layers.catalog import load_catalog
from site_eval.layers.layer import read_layer
from site_eval.layout import Layout, read_layout
from site_eval.resources import bundled
from site_eval.units import metres

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("sand-hollow", "emmett-park", "city-line")


def layout_of(name: str) -> Layout:
    app = read_application(bundled("examples", name, "application.toml"))
    assert app.layout is not None
    return read_layout(app.layout.file, app.layout, near=None)


def total(layout: Layout, role: str, key: str = "count") -> int:
    return sum(feature.properties[key] for feature in layout.by_role(role))


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_read_without_a_warning(name: str) -> None:
    layout = layout_of(name)
    assert layout.warnings == ()
    (site,) = layout.by_role("site")
    inside = frame_for(site.geometry).to_local(site.geometry).buffer(0.1)
    outside = [
        feature.name
        for feature in layout.features
        if feature.role not in {"public_road", "road", "fire_lane"}
        and not inside.covers(frame_for(site.geometry).to_local(feature.geometry))
    ]
    assert outside == []


def test_sand_hollow_draws_what_its_application_declares() -> None:
    app = read_application(bundled("examples", "sand-hollow", "application.toml"))
    layout = layout_of("sand-hollow")
    for role, path, key in (
        ("toilet_female", "plan.toilets.female", "count"),
        ("toilet_male", "plan.toilets.male", "count"),
        ("handwash", "plan.toilets.handwash", "count"),
        ("drinking_water", "plan.water.outlets", "count"),
        ("waste", "plan.waste.cans", "count"),
        ("fire_extinguisher", "plan.fire.extinguishers", "count"),
        ("fire_alarm", "plan.fire.alarms", "count"),
        ("security_post", "plan.security.guards_on_duty", "count"),
        ("camping", "plan.camping.sites", "count"),
        ("ambulance", "plan.medical.ambulances", "count"),
        ("parking", "plan.parking.stalls", "spaces"),
    ):
        assert total(layout, role, key) == value_at(app, path), path
    assert (
        len(layout.by_role("telephone"))
        == app.plan.telephones.land_line + app.plan.telephones.satellite
    )


def test_sand_hollow_is_the_endowment_tract() -> None:
    (entry,) = load_catalog().of_kind("parcels")
    tract = read_layer(entry).set_index("number").geometry["PN20409"]
    (site,) = layout_of("sand-hollow").by_role("site")
    assert site.geometry.symmetric_difference(tract).area < 1e-9


def test_sand_hollow_falls_short_where_it_means_to() -> None:
    """2,400 people: ceil(2,400 / 250) = 10 guards, 9 are there; midnight is passed; one approval."""
    app = read_application(bundled("examples", "sand-hollow", "application.toml"))
    assert app.attendance.female + app.attendance.male == app.attendance.maximum == 2400
    assert app.plan.security.guards_on_duty == 9
    assert app.plan.amplification.hours[0][1].isoformat("minutes") == "00:30"
    assert "road-director" not in {approval.agency for approval in app.approval}
    assert (app.event.starts.date() - app.filing.received).days == 68
    assert app.event.calendar_days == 2


def test_sand_hollow_pinch_is_sixteen_feet_between_lane_edge_and_barn() -> None:
    layout = layout_of("sand-hollow")
    frame = frame_for(layout.by_role("site")[0].geometry)
    pinch = next(f for f in layout.by_role("fire_lane") if f.properties["width_ft"] < 20)
    barn = next(f for f in layout.by_role("obstacle") if f.name == "Old barn")
    line, block = frame.to_local(pinch.geometry), frame.to_local(barn.geometry)
    assert pinch.properties["width_ft"] == 16
    assert line.distance(block) == pytest.approx(metres(16) / 2, abs=0.02)


def test_no_lot_camp_audience_or_building_overlaps_another_or_a_lane() -> None:
    layout = layout_of("sand-hollow")
    frame = frame_for(layout.by_role("site")[0].geometry)
    blocks = [
        (f.name, frame.to_local(f.geometry))
        for f in layout.by_role(
            "parking", "parking_overflow", "camping", "assembly_area", "stage", "medical", "food",
            "ambulance", "toilet_female", "toilet_male", "shower", "water_tank", "obstacle",
        )
    ]  # fmt: skip
    lanes = [
        (
            f.name,
            frame.to_local(f.geometry).buffer(
                metres(f.properties["width_ft"]) / 2, cap_style="flat"
            ),
        )
        for f in layout.by_role("road", "fire_lane")
    ]
    clashes = [
        (one, other)
        for index, (one, shape) in enumerate(blocks)
        for other, against in (*blocks[index + 1 :], *lanes)
        if shape.intersection(against).area > 0.2
    ]
    assert clashes == []


def test_emmett_park_is_far_inside_and_city_line_within_the_layers_doubt() -> None:
    (entry,) = load_catalog().of_kind("places")
    emmett = read_layer(entry, near=(-116.55, 43.83, -116.44, 43.90)).geometry.iloc[0]
    frame = frame_for(emmett)
    city = frame.to_local(emmett)
    park = frame.to_local(layout_of("emmett-park").by_role("site")[0].geometry)
    field = frame.to_local(layout_of("city-line").by_role("site")[0].geometry)
    assert city.covers(park)
    assert park.distance(city.boundary) > 300
    assert 0 < field.distance(city) < entry.uncertainty_m


def test_every_paper_of_the_example_says_that_it_is_made_up() -> None:
    app = read_application(bundled("examples", "sand-hollow", "application.toml"))
    papers = [path for path in app.documents().values() if path.suffix == ".md"]
    assert len(papers) >= 20
    assert all("fictional" in path.read_text() for path in papers)
    folder = app.file.parent
    unnamed = set(folder.rglob("*.md")) - set(papers)
    assert unnamed == set()


@pytest.mark.parametrize("script", ["sand_hollow", "towns", "surroundings"])
def test_script_draws_the_committed_files_again(script: str, tmp_path: Path) -> None:
    """Run on a copy of the data folder; coordinates are written to 1e-7 degree on purpose."""
    import shutil

    copy = tmp_path / "data"
    shutil.copytree(ROOT / "data", copy, ignore=shutil.ignore_patterns("__pycache__", "ordinances"))
    before = {p: p.read_text() for p in copy.rglob("*.geojson")}
    subprocess.run([sys.executable, f"make/{script}.py"], cwd=copy, check=True, capture_output=True)
    after = {p: p.read_text() for p in copy.rglob("*.geojson")}
    assert set(after) == set(before)
    number = re.compile(r"-?\d+\.\d+")
    for path, text in before.items():
        assert number.sub("#", after[path]) == number.sub("#", text), path
        old, new = (list(map(float, number.findall(t))) for t in (text, after[path]))
        assert new == pytest.approx(old, abs=2e-7), path


def test_examples_keep_clear_of_one_another() -> None:
    sites = [layout_of(name).by_role("site")[0].geometry for name in EXAMPLES]
    assert shapely.union_all(sites).geom_type == "MultiPolygon"
