"""Draw the two small examples at Emmett: one well inside the city, one along its limits.

    python data/make/towns.py

The land is chosen by measure from the city's outline; nothing is said of who owns it.
"""

import math
from itertools import pairwise

import geopandas as gpd
import shapely
from ground import DATA, Board, Drawing, box, line, point, rounded

from site_eval.crs import frame_for
from site_eval.units import INTERNATIONAL_FOOT_M

PARK_FT = (520, 400)
FIELD_FT = (640, 520)
# Nearer to the limits than the 50 ft (15.2 m) by which the layer may be off.
GAP_M = 6.0


def main() -> None:
    places = gpd.read_file(DATA / "layers/idaho_places_2019.fgb")
    emmett = places[places["NAME"] == "Emmett"].geometry.iloc[0]
    frame = frame_for(emmett)
    city = frame.to_local(emmett)
    middle = shapely.maximum_inscribed_circle(city).coords[0]
    corner = tuple(m - ft / 2 * INTERNATIONAL_FOOT_M for m, ft in zip(middle, PARK_FT, strict=True))
    draw("emmett-park", Board(frame, corner, 0.0), *PARK_FT)
    draw("city-line", beside(city, frame), *FIELD_FT)


def beside(city: shapely.Geometry, frame: object) -> Board:
    """A board along the longest stretch of the limits whose field lies wholly outside the city."""
    width_m = FIELD_FT[0] * INTERNATIONAL_FOOT_M
    outer = max(shapely.get_parts(city), key=lambda part: part.area).exterior
    points = shapely.get_coordinates(shapely.simplify(outer, 1.0))
    edges = sorted(pairwise(points), key=lambda e: -math.dist(*e))
    for start, end in edges:
        turn = math.atan2(end[1] - start[1], end[0] - start[0])
        for side in (turn, turn + math.pi):  # the board's y looks away from the city on one of them
            along = (math.dist(start, end) - width_m) / 2
            first = start if side == turn else end
            corner = (
                first[0] + along * math.cos(side) - GAP_M * math.sin(side),
                first[1] + along * math.sin(side) + GAP_M * math.cos(side),
            )
            board = Board(frame, corner, side)
            field = frame.to_local(board.place(box(0, 0, *FIELD_FT)))
            if GAP_M - 1 < city.distance(field) < GAP_M + 1:
                return board
    raise LookupError("no straight stretch of the limits is long enough")


def draw(name: str, board: Board, width: float, depth: float) -> None:
    """A small street fair or barn dance that fits any field of this size."""
    folder = DATA / "examples" / name
    land = Drawing(board)
    land.put("site", "The land", rounded(board.place(box(0, 0, width, depth))))
    land.write(folder / "land.geojson")
    d = Drawing(board)
    d.features += land.features
    d.add("public_road", "Street", line((-200, depth + 25), (width + 200, depth + 25)), width_ft=30)
    d.add("public_entrance", "Entrance", point(width / 2, depth), width_ft=24)
    d.add("public_exit", "Exit", point(width / 2 + 60, depth), width_ft=24)
    d.add("emergency_entrance", "Emergency entrance", point(30, depth), width_ft=20)
    d.add("emergency_exit", "Emergency exit", point(width - 30, depth), width_ft=20)
    d.add(
        "fire_lane", "Fire lane",
        line((30, depth + 25), (30, 30), (width - 30, 30), (width - 30, depth + 25)), width_ft=20,
    )  # fmt: skip
    d.add("parking", "Lot", box(60, depth - 190, width - 60, depth - 30), spaces=100)
    d.add("assembly_area", "Audience", box(150, 90, width - 150, 170))
    d.add("stage", "Stage", box(width / 2 - 20, 55, width / 2 + 20, 80))
    d.add(
        "loudspeaker",
        "Loudspeakers",
        point(width / 2, 82),
        sound_level_dba=90,
        reference_distance_ft=50,
    )
    d.add("toilet_female", "Women's toilets", box(60, 60, 80, 70), count=2)
    d.add("toilet_male", "Men's toilets", box(90, 60, 110, 70), count=2)
    for x in (150, width / 2, width - 150):
        for y in (75, 175):
            d.add("light", "Mast", point(x, y), mount_height_ft=30, lumens=300000)
    d.add("light", "Mast, toilets", point(90, 75), mount_height_ft=20, lumens=80000)
    d.add("light", "Mast, first aid", point(width - 95, 85), mount_height_ft=20, lumens=80000)
    d.add("food", "Grill", box(130, 180, 150, 195))
    d.add("waste", "Waste station", point(width / 2, 190), count=30)
    d.add("handwash", "Hand-washing", point(85, 55), count=4)
    d.add("telephone", "Telephone", point(width - 115, 70), count=1, type="land line")
    d.add("security_post", "Guard, entrance", point(width / 2 - 20, depth - 20), count=1)
    d.add("security_post", "Guard, audience", point(width / 2, 176), count=1)
    d.add("fire_extinguisher", "Extinguishers, stage", point(width / 2 - 24, 70), count=3)
    d.add("fire_extinguisher", "Extinguishers, grill", point(155, 185), count=3)
    d.add("fire_alarm", "Alarm", point(width / 2 + 24, 70), count=1)
    d.add("ambulance", "Ambulance stand", box(width - 75, 60, width - 55, 85), count=1)
    d.add("road", "Lot lane", line((width / 2, depth + 25), (width / 2, depth - 30)), width_ft=24)
    d.add(
        "road",
        "Lot exit",
        line((width / 2 + 60, depth + 25), (width / 2 + 60, depth - 30)),
        width_ft=24,
    )
    d.add("drinking_water", "Water", point(120, 65), count=4)
    d.add("medical", "First aid", box(width - 110, 60, width - 80, 80))
    d.write(folder / "layout.geojson")


if __name__ == "__main__":
    main()
