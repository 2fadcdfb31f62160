"""Land on the ground: grid, control, layers, ties; and what is refused, with a mark under the text."""

from __future__ import annotations

import json
import math

import geopandas
import pytest
import shapely
from shapely.geometry import MultiPolygon, Point, Polygon, box

from site_eval.crs import ellipsoidal_area_m2, frame_for
from site_eval.errors import LandError, LayerError
from site_eval.legal.corners import read_corner
from site_eval.legal.land import (
    land_from_description,
    land_from_parcel,
    land_from_polygons,
    union_of,
)
from site_eval.legal.locate import Helps, locate
from site_eval.legal.meridians import meridian_named, meridians
from site_eval.legal.place import LOT_RADIUS_M
from site_eval.legal.plss import read_plss
from site_eval.legal.plss_layer import plss_layer
from site_eval.legal.section_frame import frame_from_corners, nominal_lot_box
from site_eval.legal.section_grid import MILE_M, Grid, bundled_corners, grid_position, ideal_lonlat
from site_eval.legal.tree import Aliquot, Strip
from site_eval.record.finding import Source
from site_eval.record.verdict import Grade
from site_eval.resources import bundled
from site_eval.units import acres

SAND_HOLLOW = "S½NE¼ Sec 22, T. 7 N., R. 3 W., Boise Meridian, Gem County, Idaho"
SOURCE = Source(name="x", publisher="x", vintage="2026", licence="x", grade=Grade.DECLARED)


def _tract(parcel: str) -> dict:
    path = bundled("layers", "plss", "gem_payette_endowment_parcels.geojson")
    features = json.loads(path.read_text(encoding="utf-8"))["features"]
    return next(f for f in features if f["properties"]["parcel_id"] == parcel)


def test_a_real_tract_is_drawn_where_it_lies() -> None:
    land = land_from_description(SAND_HOLLOW, county="Gem", state="ID")
    true = shapely.geometry.shape(_tract("PN20409")["geometry"])
    assert land.method == "control-adjusted-grid"
    assert land.status == "located"
    assert land.geometry.symmetric_difference(true).area < 0.01 * true.area
    assert land.area_acres == pytest.approx(_tract("PN20409")["properties"]["acres_geom"], rel=0.01)
    frame = frame_for(true)
    apart = frame.to_local(true).hausdorff_distance(frame.to_local(land.geometry))
    assert apart <= land.position_uncertainty_m < 15
    assert 0.2 < land.area_sd_acres < 80 * 0.025


def test_far_from_control_the_ideal_grid_says_how_little_it_knows() -> None:
    near = locate("NE¼ Sec. 1, T. 1 N., R. 1 E., Boise Meridian")
    far = locate("NE¼ Sec. 1, T. 7 S., R. 40 E., Boise Meridian")
    assert near.method == far.method == "ideal-grid"
    assert (far.position_uncertainty_m or 0) > 10_000 > (near.position_uncertainty_m or 0) > 150


def test_the_grid_begins_at_the_initial_point() -> None:
    boise = meridian_named("B.M.")
    assert (boise.lat_deg, boise.lon_deg) == pytest.approx((43.3725, -116.3930556), abs=1e-6)
    assert grid_position("1N", "1E", 31) == (0.0, 0.0)
    assert grid_position("1S", "1W", 1, 1.0, 1.0) == (0.0, 0.0)
    assert grid_position("7N", "3W", 22) == (-15.0, 38.0)
    lon, lat = ideal_lonlat("Boise", 0.0, 6.0)
    assert lon == boise.lon_deg
    assert (lat - boise.lat_deg) * 111_100 == pytest.approx(6 * MILE_M, rel=1e-3)


def test_every_section_of_a_township_has_its_own_place() -> None:
    places = {grid_position("1N", "1E", section) for section in range(1, 37)}
    assert places == {(float(x), float(y)) for x in range(6) for y in range(6)}
    with pytest.raises(LandError):
        grid_position("1N", "1E", 37)
    with pytest.raises(LandError, match="half townships"):
        grid_position("6.5N", "1E", 3)


def test_control_reproduces_its_own_corners() -> None:
    corners = bundled_corners()
    found = Grid("Boise", corners).locate([(c.east_mi, c.north_mi) for c in corners])
    for corner, point in zip(corners, found, strict=True):
        frame = frame_for(Point(corner.lon_deg, corner.lat_deg))
        assert (
            math.dist(
                frame.xy(point.lon_deg, point.lat_deg), frame.xy(corner.lon_deg, corner.lat_deg)
            )
            < 5
        )
        assert point.method == "control-adjusted-grid"


def test_thirty_seven_meridians_and_their_names() -> None:
    assert len(meridians()) == 37
    for name, wanted in (
        ("6th PM", "Sixth Principal"),
        ("SLB&M", "Salt Lake"),
        ("boise meridian", "Boise"),
    ):
        assert meridian_named(name).name == wanted
    with pytest.raises(LandError, match="Willamette"):
        meridian_named("Greenwich")


# ---- subdivision of a section ------------------------------------------------------------------------

# A section that is no square: its aliquots must still tile it.
CROOKED = frame_from_corners(
    ((0.0, 0.0), (1630.0, -12.0), (1615.0, 1600.0), (-9.0, 1622.0)),
    ((812.0, -3.0), None, None, None), 1.0, "surveyed-plss",
)  # fmt: skip


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_aliquots_of_a_crooked_section_tile_it(depth: int) -> None:
    chains: list[tuple[str, ...]] = [()]
    for _ in range(depth):
        chains = [(q, *c) for c in chains for q in ("NE", "NW", "SE", "SW")]
    pieces = [CROOKED.part(Aliquot(chain)) for chain in chains]
    whole = CROOKED.part(Aliquot(()))
    assert whole is not None
    assert sum(p.area for p in pieces if p) == pytest.approx(whole.area, rel=1e-12)
    assert shapely.union_all(pieces).symmetric_difference(whole).area < 1e-6 * whole.area


def test_quarters_meet_where_the_quarter_lines_cross() -> None:
    south, north = CROOKED.nodes[0][1], CROOKED.nodes[2][1]
    centre = Point(CROOKED.nodes[1][1])
    assert shapely.LineString([south, north]).distance(centre) < 1e-9
    assert south == (812.0, -3.0)


@pytest.mark.parametrize(("side", "wanted"), [("N", (0, 900, 1000, 1000)), ("S", (0, 0, 1000, 100)),
                                              ("E", (900, 0, 1000, 1000)), ("W", (0, 0, 100, 1000))])  # fmt: skip
def test_a_strip_lies_along_its_side(side: str, wanted: tuple[int, int, int, int]) -> None:
    square = frame_from_corners(
        ((0.0, 0.0), (1000.0, 0.0), (1000.0, 1000.0), (0.0, 1000.0)),
        (None,) * 4,
        1.0,
        "surveyed-plss",
    )
    hundred_metres_ft = 100 * 3937 / 1200
    strip = square.part(Strip(side, hundred_metres_ft, "ft", Aliquot(())))
    assert strip is not None
    assert strip.symmetric_difference(box(*wanted)).area < 1
    ten_acres = square.part(Strip(side, 10, "ac", Aliquot(())))
    assert ten_acres is not None
    assert acres(ten_acres.area) == pytest.approx(10, rel=1e-6)
    assert ten_acres.covered_by(box(*wanted).buffer(1))


@pytest.mark.parametrize(("section", "lot", "wanted"), [(1, 1, (0.75, 0.75)), (3, 4, (0.0, 0.75)),
                                                        (6, 7, (0.0, 0.0)), (18, 2, (0.0, 0.5))])  # fmt: skip
def test_lots_lie_where_they_are_usually_numbered(
    section: int, lot: int, wanted: tuple[float, float]
) -> None:
    found = nominal_lot_box(section, lot)
    assert found is not None
    assert found[:2] == wanted
    assert nominal_lot_box(15, 1) is None
    assert nominal_lot_box(section, 30) is None


def test_a_lot_on_a_grid_is_unsure_by_its_whole_size_and_needs_review() -> None:
    land = land_from_description("Lot 1, Sec. 6, T. 7 N., R. 3 W., Boise Meridian")
    assert land.position_uncertainty_m >= LOT_RADIUS_M
    assert any("usual numbering" in why for why in land.needs_review)


def test_exceptions_are_cut_out() -> None:
    whole = land_from_description("NE¼ Sec. 22, T. 7 N., R. 3 W., B.M.")
    less = land_from_description("NE¼ Sec. 22, T. 7 N., R. 3 W., B.M., except the NE¼NE¼")
    assert less.area_acres == pytest.approx(whole.area_acres * 0.75, rel=0.01)


def test_words_that_narrow_the_land_leave_it_whole_and_in_need_of_review() -> None:
    land = land_from_description(
        "that part of the NE¼ Sec. 22, T. 7 N., R. 3 W., B.M. lying north of the river"
    )
    assert land.area_acres == pytest.approx(160, rel=0.02)
    assert any("lying north of the river" in why for why in land.needs_review)


# ---- layers ------------------------------------------------------------------------------------------


def _layer() -> geopandas.GeoDataFrame:
    """Section 22 as a surveyed polygon 100 m east of the ideal one, and its lot 9."""
    west, south = ideal_lonlat("Boise", *grid_position("7N", "3W", 22))
    east, north = ideal_lonlat("Boise", *grid_position("7N", "3W", 22, 1.0, 1.0))
    section = box(west + 0.00125, south, east + 0.00125, north)
    lot = box(west + 0.00125, south, west + 0.004, south + 0.002)
    rows = [
        {"PLSSID": "ID080070N0030W0", "FRSTDIVNO": "22", "SECDIVTYP": None, "SECDIVNO": None, "geometry": section},
        {"PLSSID": "ID080070N0030W0", "FRSTDIVNO": "22", "SECDIVTYP": "L", "SECDIVNO": "9", "geometry": lot},
    ]  # fmt: skip
    return geopandas.GeoDataFrame(rows, crs=4326)


def test_a_plss_layer_comes_before_the_grid() -> None:
    land = land_from_description(SAND_HOLLOW, plss=_layer())
    west, south, east, north = _layer().geometry[0].bounds
    assert land.method == "surveyed-plss"
    assert land.geometry.bounds[2:] == pytest.approx(
        (east, south + 0.75 * (north - south)), abs=2e-6
    )
    assert land.geometry.bounds[0] == pytest.approx((west + east) / 2, abs=1e-6)
    assert land.position_uncertainty_m == 15.0


def test_a_lot_of_a_plss_layer_is_drawn_as_surveyed() -> None:
    answer = locate("Lot 9, Sec. 22, T. 7 N., R. 3 W., B.M.", Helps(plss=_layer()))
    assert answer.status == "located"
    assert answer.area_acres == pytest.approx(
        acres(ellipsoidal_area_m2(_layer().geometry[1])), rel=1e-3
    )


def test_a_layer_without_the_fields_is_refused_by_name() -> None:
    with pytest.raises(LayerError, match="PLSSID or FRSTDIVNO"):
        plss_layer(_layer()[["geometry"]], "Boise")


def _parcels() -> geopandas.GeoDataFrame:
    rows = [
        {"PIN": "RP-07N03W-2254", "SUBDIV": "Emmett Park Addn.", "BLOCK": "2", "LOT": str(n),
         "geometry": box(-116.5 + n * 0.001, 43.88, -116.499 + n * 0.001, 43.881)}
        for n in (3, 4)
    ]  # fmt: skip
    return geopandas.GeoDataFrame(rows, crs=4326)


def test_platted_lots_are_found_by_normalised_name() -> None:
    helps = Helps(parcels=_parcels())
    answer = locate("Lots 3 and 4, Block 2, Emmett Park Addition", helps)
    assert (answer.status, answer.method) == ("located", "parcel-layer")
    near = locate("Lots 3 and 4, Block 2, Emmet Park Addition", helps)
    assert near.status == "understood"
    assert any("EMMETT PARK" in w.text for w in near.warnings)
    assert locate("Lots 3 and 5, Block 2, Emmett Park Addition", helps).status == "understood"
    assert locate("Lots 3 and 4, Block 2, Emmett Park Addition").status == "understood"


def test_a_parcel_number_is_found_whatever_its_punctuation() -> None:
    land = land_from_parcel("rp07n03w2254", _parcels(), {}, SOURCE)
    assert land.method == "parcel-layer"
    with pytest.raises(LandError, match="RP07N03W2254"):
        land_from_parcel("RP07N03W2255", _parcels(), {}, SOURCE)
    with pytest.raises(LayerError, match="catalog"):
        land_from_parcel("1", _parcels(), {"parcel": "NUMBER"}, SOURCE)


def test_polygons_of_a_file_and_their_union() -> None:
    one = geopandas.GeoDataFrame(geometry=[box(-116.5, 43.88, -116.49, 43.89)], crs=4326)
    two = geopandas.GeoDataFrame(geometry=[box(-116.4, 43.88, -116.39, 43.89)], crs=4326)
    lands = [land_from_polygons(frame, name="land.gpkg", source=SOURCE) for frame in (one, two)]
    both = union_of(lands)
    assert isinstance(both.geometry, MultiPolygon)
    assert both.area_acres == pytest.approx(sum(land.area_acres for land in lands))
    assert union_of(lands[:1]) is lands[0]
    with pytest.raises(LandError, match="CRS"):
        land_from_polygons(
            geopandas.GeoDataFrame(geometry=[box(0, 0, 1, 1)]), name="x", source=SOURCE
        )
    points = geopandas.GeoDataFrame(geometry=[Point(0, 0)], crs=4326)
    with pytest.raises(LandError, match="no polygon"):
        land_from_polygons(points, name="x", source=SOURCE)


@pytest.mark.parametrize(("text", "fault", "marked"), [
    ("S½NE¼ Sec 22, T. 7, R. 3 W., B.M.", "township is missing", "Sec 22"),
    ("Lot 9, Sec. 22, T. 7 N., R. 3 W., B.M.", "needs a plat or a layer", "Sec. 22"),
    ("the green field behind the barn", "no section", ""),
    ("SW NE Sec. 22, T. 7 N., R. 3 W., B.M.", "two quarters, or one", ""),
])  # fmt: skip
def test_land_that_cannot_be_placed_is_refused_with_a_mark(
    text: str, fault: str, marked: str
) -> None:
    with pytest.raises(LandError) as refused:
        land_from_description(text)
    message = str(refused.value)
    assert fault in message
    if marked:
        line, marks = message.splitlines()[1:3]
        assert line[marks.index("^") : marks.rindex("^") + 1] == marked


# ---- ties --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reference", "wanted"), [
    ("the SW corner of Sec. 12, T. 7 N., R. 3 W.", (12, 0.0, 0.0)),
    ("W quarter corner sec 11 T7N R3W", (11, 0.0, 0.5)),
    ("NE corner NW1/4 (N quarter corner) sec 15 T7N R3W", (15, 0.5, 1.0)),
    ("the Northeast corner of the E1/2 SW1/4 of Section 17, T7N R3W", (17, 0.5, 0.5)),
    ("the N 1/4 corner of Sec. 5, T7N R3W", (5, 0.5, 1.0)),
    ("the corner of Secs. 10, 11, 14, 15, T7N R3W", (10, 1.0, 0.0)),
    ("NE corner T7N R3W", (1, 1.0, 1.0)),
    ("quarter corner common to Sections 5 and 6, T7N R3W", (5, 0.0, 0.5)),
    ("the center of Section 8, T7N R3W", (8, 0.5, 0.5)),
])  # fmt: skip
def test_a_corner_is_known_by_its_name(reference: str, wanted: tuple[int, float, float]) -> None:
    corner = read_corner(reference, None)
    assert corner is not None
    assert (corner.section, corner.u, corner.v) == wanted


@pytest.mark.parametrize(
    "reference",
    ["a stake", "NE corner Lot 20 Block 2 Imperial Village", "SE corner of Government Lot 10"],
)
def test_what_is_no_section_corner_is_not_taken_for_one(reference: str) -> None:
    assert (
        read_corner(reference, read_plss("Sec. 3, T7N R3W") if "Gov" in reference else None) is None
    )


def test_a_traverse_is_placed_by_its_tie() -> None:
    text = (
        "Commencing at the NE corner of Sec. 22, T. 7 N., R. 3 W., Boise Meridian; thence South 100.00 feet "
        "to the Point of Beginning; thence South 200.00 feet; thence West 300.00 feet; thence North 200.00 "
        "feet; thence East 300.00 feet to the Point of Beginning."
    )
    answer = locate(text)
    assert (answer.status, answer.method) == ("located", "traverse")
    assert answer.area_acres == pytest.approx(60_000 / 43_560, rel=1e-4)
    section = locate("Sec. 22, T. 7 N., R. 3 W., B.M.")
    drawn, whole = (shapely.geometry.shape(a.geometry) for a in (answer, section))
    frame = frame_for(whole)
    ring, outer = frame.to_local(drawn), frame.to_local(whole)
    assert isinstance(ring, Polygon)
    assert outer.bounds[3] - ring.bounds[3] == pytest.approx(100 * 1200 / 3937, abs=6)
    assert (answer.position_uncertainty_m or 0) > 2
    assert answer.closure is not None
    assert answer.closure.adjusted is True
