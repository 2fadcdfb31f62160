"""Printed maps: true to scale, told apart in grey, labels apart, and the same bytes each time."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pypdf
import pytest
import rasterio
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from rasterio.transform import from_bounds

from site_eval.errors import InputFileError, OutputError
from site_eval.record.evaluation import Evaluation
from site_eval.reports.map_labels import Space, along, around, inside, near
from site_eval.reports.map_sheet import SHEETS, Rect, bar_feet, feet_per_inch, sheet_named
from site_eval.reports.map_topics import TOPICS, drawn, topic_named, worth_drawing
from site_eval.reports.map_view import tallness_of, view_of
from site_eval.reports.places import layout_places, uncertainty_band
from site_eval.reports.static_map import compose, map_svg, write_atlas, write_static_map
from site_eval.reports.symbols import CONTEXT, ROLES, Symbol, role_symbol
from site_eval.reports.type_metrics import fitted, text_size_pt, wrapped
from site_eval.units import metres

ROLE_NAMES = [
    "site",
    "parking",
    "parking_overflow",
    "emergency_entrance",
    "emergency_exit",
    "public_entrance",
    "public_exit",
    "road",
    "fire_lane",
    "public_road",
    "stage",
    "loudspeaker",
    "assembly_area",
    "toilet_female",
    "toilet_male",
    "toilet",
    "handwash",
    "drinking_water",
    "shower",
    "medical",
    "ambulance",
    "telephone",
    "light",
    "camping",
    "waste",
    "food",
    "security_post",
    "fire_extinguisher",
    "fire_alarm",
    "water_tank",
    "structure",
    "obstacle",
    "fence",
    "gate",
]


@pytest.mark.parametrize("topic", [t.id for t in TOPICS])
def test_every_topic_draws_with_an_alternative_text(evaluation: Evaluation, topic: str) -> None:
    svg, words = map_svg(evaluation, topic)
    assert svg.startswith("<?xml")
    assert "<text" not in svg  # outlines: no font has to be there
    assert topic_named(topic).title in words
    assert "North is up" in words


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_sheet_holds_its_parts_without_overlap(sheet: str) -> None:
    paper = sheet_named(sheet)
    parts = [paper.frame, paper.title, paper.legend, paper.aids, paper.locator, paper.notes]
    boxes = [shapely.box(r.x, r.y, r.x + r.width, r.y + r.height) for r in parts]
    for one, other in combinations(boxes, 2):
        assert one.intersection(other).area < 1e-9
    whole = shapely.box(0, 0, paper.width, paper.height)
    assert all(whole.contains(box) for box in boxes)
    assert all(r.width > 1 and r.height > 0.8 for r in parts)


def test_an_inch_on_the_paper_is_the_scale_on_the_ground(evaluation: Evaluation) -> None:
    content = drawn(evaluation, topic_named("site-plan"))
    sheet = sheet_named("letter-landscape")
    view = view_of(evaluation, content, sheet.frame)
    stage = next(p for p in content.layout if p.label == "West emergency gate").geometry
    other = next(p for p in content.layout if p.label == "East emergency gate").geometry
    # 804 m apart in the sample's table; the scale in feet an inch, 72 points an inch.
    expected_pt = 804 / metres(view.scale_feet) * 72
    distance = view.paper(stage).distance(view.paper(other))
    assert distance == pytest.approx(expected_pt, rel=1e-4)


@given(
    width=st.floats(5, 200_000),
    height=st.floats(5, 200_000),
    w=st.floats(1, 15),
    h=st.floats(1, 15),
)
@settings(max_examples=100)
def test_the_scale_is_an_engineers_and_the_ground_fits(
    width: float, height: float, w: float, h: float
) -> None:
    scale = feet_per_inch(width, height, Rect(0, 0, w, h))
    assert scale / 10 ** int(math.log10(scale)) in {1, 2, 3, 4, 5, 6}
    assert metres(scale) * w >= width * 0.998
    assert metres(scale) * h >= height * 0.998


@given(
    scale=st.sampled_from([10, 50, 400, 2000, 4000, 6000, 10_000, 60_000]), room=st.floats(0.5, 4)
)
@settings(max_examples=50)
def test_the_scale_bar_fits_and_is_not_tiny(scale: int, room: float) -> None:
    length = bar_feet(scale, room)
    assert length <= scale * room
    assert length >= scale * room / 2.5
    # What is lettered at its end is a whole number of miles, or of feet.
    assert (length / 5280 if length >= 5280 else length) % 1 == 0


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.id)
@pytest.mark.parametrize("sheet", ["letter-landscape", "tabloid-portrait", "packet"])
def test_the_legend_keeps_to_its_frame(evaluation, topic, sheet) -> None:
    figure, _view, content = compose(evaluation, topic.id, sheet)
    frame = sheet_named(sheet, tallness_of(evaluation, content)).legend
    texts = figure.axes[1].texts
    said = [text.get_text() for text in texts]
    # The block is written in order: the legend, then the north arrow and the scale bar.
    first = said.index("Legend")
    for text in texts[first : min(said.index("0", first), said.index("N", first))]:
        x, y = text.get_position()
        assert frame.y * 72 <= y <= (frame.y + frame.height) * 72, text.get_text()
        assert frame.x * 72 <= x <= (frame.x + frame.width) * 72, text.get_text()


def test_roles_are_those_of_the_application_schema() -> None:
    assert set(ROLES) == set(ROLE_NAMES)


def _grey(colour: str) -> float:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * r + 0.587 * g + 0.114 * b


def test_areas_and_points_are_told_apart_without_colour() -> None:
    symbols = [*ROLES.values(), *CONTEXT.values()]
    areas = [s for s in symbols if s.fill and (s.hatch or not s.code)]
    for one, other in combinations(areas, 2):
        told = (
            one.hatch != other.hatch
            or one.dash != other.dash
            or abs(_grey(one.fill) - _grey(other.fill)) > 20
            or abs(_grey(one.colour) - _grey(other.colour)) > 40
        )
        assert told, (one.title, other.title)
    codes = [s.code for s in symbols if s.code]
    assert len(codes) == len(set(codes))


def test_white_letters_are_readable_on_every_symbol() -> None:
    for symbol in [*ROLES.values(), *CONTEXT.values()]:
        if symbol.code:
            assert _grey(symbol.colour) < 135, symbol.title


@given(
    st.lists(
        st.tuples(st.floats(0, 300), st.floats(0, 200), st.floats(8, 60), st.floats(6, 12)),
        max_size=40,
    )
)
@settings(max_examples=50)
def test_labels_never_meet_and_stay_in_the_frame(things: list[tuple[float, ...]]) -> None:
    space = Space(300, 200)
    for x, y, width, height in things:
        space.put(width, height, near(x, y))
        space.put(width, height, around(x, y, width, height))
    for one, other in combinations(space.taken, 2):
        assert not one.meets(other)
    for box in space.taken:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= 300
        assert box.y + box.height <= 200


def test_a_name_lies_inside_its_area_or_along_its_line() -> None:
    shape = shapely.Polygon([(0, 0), (100, 0), (100, 20), (20, 20), (20, 100), (0, 100)])
    x, y = next(inside(shape, 50, 9))
    assert shape.contains(shapely.box(x - 25, y - 4.5, x + 25, y + 4.5))
    assert list(inside(shape, 150, 9)) == []
    spot = next(along(shapely.LineString([(0, 0), (0, 50), (100, 50)]), 40, 8))
    assert (spot.x, spot.y, spot.angle_deg) == (50, 50, 0)
    upright = next(along(shapely.LineString([(0, 100), (0, 0)]), 40, 8))
    assert upright.angle_deg == 90  # read from the right, never upside down


def test_text_is_wrapped_to_the_width_and_cut_only_at_the_end() -> None:
    text = "Prepared for discussion; not a survey and not legal advice"
    lines = wrapped(text, 80, 7)
    assert " ".join(lines) == text
    assert all(text_size_pt(line, 7)[0] <= 80 for line in lines)
    size, cut = fitted(text, 80, 16, (7, 6))
    assert size == 6
    assert cut[-1].endswith("…")


def test_the_uncertainty_is_as_wide_as_stated(evaluation: Evaluation) -> None:
    from site_eval.reports.places import site_frame

    band = site_frame(evaluation).to_local(uncertainty_band(evaluation))
    outline = (
        site_frame(evaluation).to_local(shapely.geometry.shape(evaluation.site.geometry)).exterior
    )
    assert band.hausdorff_distance(outline) == pytest.approx(14.2, rel=0.01)


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_the_same_evaluation_gives_the_same_bytes(
    evaluation: Evaluation, tmp_path: Path, suffix: str
) -> None:
    one, two = tmp_path / f"1.{suffix}", tmp_path / f"2.{suffix}"
    write_static_map(evaluation, one, "access", "letter-portrait")
    write_static_map(evaluation, two, "access", "letter-portrait")
    assert one.read_bytes() == two.read_bytes()


def test_an_atlas_has_a_page_a_question(evaluation: Evaluation, tmp_path: Path) -> None:
    path = tmp_path / "atlas.pdf"
    titles = write_atlas(evaluation, path)
    assert titles[0] == "Site plan"
    assert len(pypdf.PdfReader(path).pages) == len(titles) == len(worth_drawing(evaluation))
    assert "Flood and terrain" not in titles  # nothing was found to show


def test_the_legend_names_only_what_is_drawn(evaluation: Evaluation) -> None:
    with_lights = _legend(evaluation, "safety")
    assert "Light" in with_lights
    assert "Toilets, women" not in with_lights
    evaluation.layout["features"] = [
        f for f in evaluation.layout["features"] if f["properties"]["role"] != "light"
    ]
    assert "Light" not in _legend(evaluation, "safety")


def _legend(evaluation: Evaluation, topic: str) -> set[str]:
    figure, *_ = compose(evaluation, topic, "letter-landscape")
    return {text.get_text() for text in figure.axes[1].texts}


def test_a_role_of_no_list_is_on_the_site_plan(evaluation: Evaluation) -> None:
    evaluation.layout["features"][0]["properties"]["role"] = "balloon_pad"
    figure, *_ = compose(evaluation, "site-plan", "letter-landscape")
    assert "Balloon pad" in " ".join(text.get_text() for text in figure.axes[1].texts)
    assert isinstance(role_symbol("balloon_pad"), Symbol)
    assert layout_places(evaluation)[0].kind == "balloon_pad"


def test_a_bare_evaluation_has_a_site_plan(bare: Evaluation, tmp_path: Path) -> None:
    write_static_map(bare, tmp_path / "map.svg")
    assert [topic.id for topic in worth_drawing(bare)] == ["site-plan", "vicinity"]


@pytest.mark.parametrize(
    ("name", "topic", "sheet", "named"),
    [
        ("map.jpg", "site-plan", "letter-portrait", ".svg, .pdf or .png"),
        ("map.svg", "astrology", "letter-portrait", "site-plan, vicinity"),
        ("map.svg", "site-plan", "a4", "letter-portrait, letter-landscape"),
    ],
)
def test_a_wrong_name_is_told_with_the_right_ones(
    evaluation: Evaluation, tmp_path: Path, name: str, topic: str, sheet: str, named: str
) -> None:
    with pytest.raises(OutputError, match=named.replace(".", r"\.")):
        write_static_map(evaluation, tmp_path / name, topic, sheet)
    assert list(tmp_path.iterdir()) == []


def test_a_drawing_is_shortened_in_its_outlines_alone(evaluation: Evaluation) -> None:
    # Letters are outlines in large units, brought to size by a scale that rounding would spoil.
    svg, _ = map_svg(evaluation, "vicinity")
    scales = re.findall(r"scale\(([\d.]+)", svg)
    assert any(len(scale.split(".")[-1]) > 2 for scale in scales)
    outlines = " ".join(re.findall(r' d="([^"]*)"', svg))
    assert not re.search(r"\.\d{3}", outlines)


def test_stalls_that_share_edges_are_drawn_as_stalls(evaluation: Evaluation) -> None:
    # No valid multipolygon in the sense of the standard, and yet what a packing gives.
    stalls = [
        shapely.box(-116.681 + i * 2e-5, 43.931, -116.681 + (i + 1) * 2e-5, 43.9312)
        for i in range(30)
    ]
    shape = shapely.geometry.mapping(shapely.MultiPolygon(stalls))
    parking = next(f for f in evaluation.findings if f.check == "parking")
    parking.evidence["features"] = [
        {
            "type": "Feature",
            "properties": {"label": "30 stalls", "kind": "stalls"},
            "geometry": shape,
        }
    ]
    content = drawn(evaluation, topic_named("access"))
    view = view_of(evaluation, content, sheet_named("packet").frame)
    paper = view.paper(content.evidence[0].place.geometry)
    assert (paper.geom_type, len(paper.geoms)) == ("MultiPolygon", 30)
    figure, *_ = compose(evaluation, "access", "packet")
    assert "✗ Parking: 30 stalls" in {text.get_text() for text in figure.axes[1].texts}


def test_the_sides_of_the_land_are_dimensioned(evaluation: Evaluation) -> None:
    # The tract is half a mile by a quarter: 2,640 ft and 1,320 ft in the public land survey.
    figure, *_ = compose(evaluation, "site-plan", "letter-landscape")
    words = [text.get_text() for text in figure.axes[0].texts if text.get_text().endswith(" ft")]
    lengths = sorted(int(text.strip("≈ ft").replace(",", "")) for text in words)
    assert len(lengths) == 4
    assert lengths == pytest.approx([1320, 1320, 2640, 2640], abs=20)


def test_hill_shade_lies_under_the_map_where_the_raster_reaches(evaluation, tmp_path) -> None:
    site = shapely.geometry.shape(evaluation.site.geometry)
    west, south, east, north = site.buffer(0.02).bounds
    rows, columns = 60, 80
    # A ridge that runs north and south: its western side is lit, its eastern side in shade.
    ridge = 1000 - 8 * np.abs(np.arange(columns) - columns / 2)
    dem = tmp_path / "ridge.tif"
    with rasterio.open(
        dem, "w", driver="GTiff", height=rows, width=columns, count=1, dtype="float32",
        crs="EPSG:4326", transform=from_bounds(west, south, east, north, columns, rows),
    ) as target:  # fmt: skip
        target.write(np.tile(ridge, (rows, 1)).astype("float32"), 1)
    figure, view, _ = compose(evaluation, "site-plan", "letter-landscape", dem)
    (shade,) = figure.axes[0].images
    grey = np.asarray(shade.get_array())[..., 0]
    middle = grey.shape[1] // 2
    assert np.median(grey[:, : middle - 5]) > np.median(grey[:, middle + 5 :]) + 0.05
    assert shade.get_extent() == [0, view.width_pt, 0, view.height_pt]
    write_static_map(evaluation, tmp_path / "plain.svg", "site-plan")
    write_static_map(evaluation, tmp_path / "shade.svg", "site-plan", relief=dem)
    assert "<image" in (tmp_path / "shade.svg").read_text(encoding="utf-8")
    assert "<image" not in (tmp_path / "plain.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("west", [0.0, None])
def test_a_raster_that_cannot_shade_the_map_is_refused(evaluation, tmp_path, west) -> None:
    dem = tmp_path / "heights.tif"
    if west is None:
        dem.write_text("no raster", encoding="utf-8")
    else:
        with rasterio.open(
            dem, "w", driver="GTiff", height=4, width=4, count=1, dtype="float32",
            crs="EPSG:4326", transform=from_bounds(west, 0, west + 1, 1, 4, 4),
        ) as target:  # fmt: skip
            target.write(np.ones((4, 4), dtype="float32"), 1)
    with pytest.raises(InputFileError, match=r"heights\.tif"):
        write_static_map(evaluation, tmp_path / "map.svg", relief=dem)
    assert not (tmp_path / "map.svg").exists()
