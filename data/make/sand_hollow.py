"""Draw the layout of the Sand Hollow example on the real tract PN20409; the event is fictional.

    python data/make/sand_hollow.py

All lengths are feet: x from the tract's south-west corner along its south line, y to the north.
What is wrong on purpose: the stage lane narrows to 16 ft beside the old barn.
"""

import json

import shapely
from ground import DATA, Drawing, board_on, box, line, point

TRACT = "PN20409"  # S½NE¼ Sec. 22, T. 7 N., R. 3 W., Boise Meridian
LANE_FT = 24
LAMP = {"mount_height_ft": 20, "lumens": 40000}
PINCH_FT = 16


def tract() -> shapely.Polygon:
    parcels = json.loads((DATA / "layers/plss/gem_payette_endowment_parcels.geojson").read_text())
    for feature in parcels["features"]:
        if feature["properties"]["parcel_id"] == TRACT:
            return shapely.geometry.shape(feature["geometry"])
    raise LookupError(TRACT)


def main() -> None:
    land = tract()
    drawing = Drawing(board_on(land))
    drawing.put("site", "Festival grounds", land)
    access(drawing)
    parking(drawing)
    core(drawing)
    camping(drawing)
    services(drawing)
    lights(drawing)
    safety(drawing)
    ground_as_it_is(drawing)
    drawing.write(DATA / "examples/sand-hollow/layout.geojson")


def access(d: Drawing) -> None:
    """Public roads on the south and the east, gates on the boundary, roads and lanes inside."""
    d.add(
        "public_road",
        "Sand Hollow Road",
        line((-1500, -33), (2673, -33)),
        width_ft=24,
        surface="asphalt",
    )
    d.add(
        "public_road",
        "Section Line Road",
        line((2673, -33), (2673, 2600)),
        width_ft=22,
        surface="gravel",
    )
    d.add("emergency_entrance", "Emergency entrance", point(60, 0), width_ft=LANE_FT)
    d.add("emergency_exit", "Emergency exit", point(2640, 660), width_ft=LANE_FT)
    d.add("public_entrance", "Public entrance", point(1000, 0), width_ft=48, count=3)
    d.add("public_exit", "Public exit", point(570, 0), width_ft=36, count=2)
    gravel = {"surface": "gravel"}
    d.add("road", "Main Drive", line((1000, -33), (1000, 660)), width_ft=24, **gravel)
    d.add("road", "Lot Drive", line((1000, 615), (570, 615)), width_ft=24, **gravel)
    d.add("road", "Exit Drive", line((570, 615), (570, -33)), width_ft=24, **gravel)
    d.add("road", "Camp Road", line((1000, 50), (2460, 50)), width_ft=24, **gravel)
    d.add("road", "RV Lane West", line((2200, 50), (2200, 660)), width_ft=24, **gravel)
    d.add("road", "RV Lane East", line((2460, 50), (2460, 660)), width_ft=24, **gravel)
    d.add("fire_lane", "West Fire Lane", line((60, -33), (60, 660)), width_ft=LANE_FT, **gravel)
    d.add("fire_lane", "Spine Fire Lane", line((60, 660), (2673, 660)), width_ft=LANE_FT, **gravel)
    d.add("fire_lane", "Stage Lane South", line((1605, 660), (1605, 860)), width_ft=20, **gravel)
    d.add(
        "fire_lane", "Stage Lane beside the old barn", line((1605, 860), (1605, 940)),
        width_ft=PINCH_FT, **gravel,
    )  # fmt: skip
    d.add(
        "fire_lane", "Stage Lane North", line((1605, 940), (1605, 1140), (1895, 1140), (1895, 660)),
        width_ft=20, **gravel,
    )  # fmt: skip
    d.add(
        "fire_lane", "Market Lane", line((1460, 660), (1460, 330), (2020, 330), (2020, 660)),
        width_ft=20, **gravel,
    )  # fmt: skip
    d.add(
        "fire_lane", "Camp Lane", line((2200, 660), (2200, 1200), (2460, 1200), (2460, 660)),
        width_ft=20, **gravel,
    )  # fmt: skip


def parking(d: Drawing) -> None:
    """Grass lots on both sides of Exit Drive; the accessible lot is nearest the ticket gate."""
    grass = {"surface": "mown grass"}
    d.add("parking", "Lot A", box(90, 80, 545, 590), spaces=360, **grass)
    d.add("parking", "Lot B", box(595, 80, 975, 590), spaces=240, **grass)
    d.add(
        "parking",
        "Lot C (accessible and staff)",
        box(1030, 90, 1230, 290),
        spaces=40,
        surface="gravel",
    )
    d.add("parking_overflow", "Overflow field", box(100, 700, 660, 900), spaces=180, **grass)


def core(d: Drawing) -> None:
    """The fenced festival core: two stages, their audiences, food and market."""
    d.add(
        "fence", "Core fence",
        line((1260, 80), (2045, 80), (2045, 1250), (1260, 1250), (1260, 80)), surface="6 ft panels",
    )  # fmt: skip
    d.add("gate", "Ticket gate", point(1260, 300), width_ft=40, count=6)
    d.add("gate", "West service gate", point(1260, 660), width_ft=LANE_FT)
    d.add("gate", "Camp gate", point(2045, 400), width_ft=24, count=2)
    d.add("gate", "East service gate", point(2045, 660), width_ft=LANE_FT)
    d.add("gate", "North crowd gate", point(1650, 1250), width_ft=30)
    d.add("gate", "South crowd gate", point(1650, 80), width_ft=30)
    d.add("stage", "Main stage", box(1710, 1050, 1790, 1095))
    d.add("stage", "Orchard stage", box(1350, 480, 1390, 510))
    sound = {"sound_level_dba": 100, "reference_distance_ft": 100}
    d.add("loudspeaker", "Main stage left", point(1700, 1045), mount_height_ft=24, **sound)
    d.add("loudspeaker", "Main stage right", point(1800, 1045), mount_height_ft=24, **sound)
    d.add(
        "loudspeaker", "Orchard stage", point(1370, 475), mount_height_ft=12,
        sound_level_dba=90, reference_distance_ft=50,
    )  # fmt: skip
    d.add("assembly_area", "Main audience", box(1618, 760, 1882, 1020))
    d.add("assembly_area", "Orchard audience", box(1320, 345, 1440, 455))
    for number in range(8):
        west = 1622 + 33 * number
        d.add("food", f"Food stand {number + 1}", box(west, 690, west + 28, 715))
    for number in range(10):
        west, south = 1540 + 90 * (number % 5), 420 + 90 * (number // 5)
        d.add("structure", f"Market tent {number + 1}", box(west, south, west + 40, south + 30))
    d.add("structure", "Ticket tent", box(1275, 270, 1295, 330))
    d.add("structure", "Sound desk", box(1735, 850, 1765, 870))


def camping(d: Drawing) -> None:
    """Tents north of the spine, RVs south of it, no pitch farther than 150 ft from a lane."""
    for name, west, east, tents, rvs in (
        ("West", 2070, 2184, 110, 24), ("Middle", 2216, 2444, 190, 48), ("East", 2476, 2600, 110, 28),
    ):  # fmt: skip
        d.add("camping", f"Tent camp {name}", box(west, 690, east, 1180), count=tents)
        d.add("camping", f"RV camp {name}", box(west, 80, east, 630), count=rvs)


BANKS = (
    # name, x, y, female, male: every part of the grounds has one.
    ("Lots north", 500, 628, 1, 1),
    ("Lots south", 300, 45, 1, 1),
    ("Ticket gate", 1300, 225, 2, 2),
    ("Orchard", 1300, 540, 2, 1),
    ("Market", 1950, 560, 2, 2),
    ("Main stage west", 1535, 1060, 2, 2),
    ("Main stage east", 1930, 1060, 2, 2),
    ("Tent camp", 2225, 1225, 2, 2),
    ("RV camp", 2225, 20, 1, 1),
)


def services(d: Drawing) -> None:
    """Toilets in banks with hand-washing beside them, water, showers, waste, telephones."""
    for name, x, y, female, male in BANKS:
        d.add("toilet_female", f"Women's toilets, {name}", box(x, y, x + 12, y + 12), count=female)
        d.add("toilet_male", f"Men's toilets, {name}", box(x + 28, y, x + 40, y + 12), count=male)
        d.add("handwash", f"Hand-washing, {name}", point(x + 20, y + 6), count=2)
        d.add(
            "light",
            f"Light, {name} toilets",
            point(x + 20, y + 8),
            **LAMP,
        )
    for name, x, y in (
        ("Lot A", 560, 640), ("Orchard", 1400, 560), ("Market", 1750, 600), ("Main audience west", 1565, 750),
        ("Main audience east", 1970, 760), ("Tent camp", 2330, 1225), ("RV camp", 2330, 60),
    ):  # fmt: skip
        d.add("drinking_water", f"Water, {name}", point(x, y), count=4)
        d.add("light", f"Light, {name} water", point(x, y), **LAMP)
    d.add("shower", "Shower trailers, tent camp", box(2400, 1215, 2440, 1235), count=16)
    d.add("light", "Light, tent camp showers", point(2420, 1225), **LAMP)
    d.add("shower", "Shower trailers, RV camp", box(2400, 15, 2440, 35), count=10)
    d.add("light", "Light, RV camp showers", point(2420, 25), **LAMP)
    d.add("water_tank", "Potable water tankers", box(2300, 1215, 2320, 1235), gallons=30000)
    for number, (x, y) in enumerate(
        ((560, 300), (985, 300), (1240, 200), (1290, 360), (1446, 350), (1520, 440), (1980, 440),
         (1565, 700), (1935, 700), (1570, 800), (1935, 860), (1570, 1030), (1935, 1030),
         (2200, 640), (2460, 640), (2330, 1190)), 1,
    ):  # fmt: skip
        d.add("waste", f"Waste station {number}", point(x, y), count=10)
    for name, x, y, kind in (
        ("Medical tent", 1310, 640, "land line"), ("Ticket gate", 1300, 310, "land line"),
        ("Main stage", 1540, 1040, "satellite"), ("Camp gate", 2060, 410, "satellite"),
    ):  # fmt: skip
        d.add("telephone", f"Telephone, {name}", point(x, y), count=1, type=kind)


def lights(d: Drawing) -> None:
    """Masts of 300,000 lm at 30 ft, a hundred feet apart over the audience and beside the medics."""
    mast = {"mount_height_ft": 30, "lumens": 300000}
    for column in range(4):
        for row, y in enumerate((760, 890, 1020)):
            d.add("light", f"Mast {column + 1}{'ABC'[row]}", point(1618 + 88 * column, y), **mast)
    d.add("light", "Mast, main stage left", point(1712, 1098), **mast)
    d.add("light", "Mast, main stage right", point(1788, 1098), **mast)
    d.add("light", "Mast, Orchard south-west", point(1326, 350), **mast)
    d.add("light", "Mast, Orchard north-east", point(1434, 450), **mast)
    d.add("light", "Mast, Orchard south-east", point(1434, 350), **mast)
    d.add("light", "Mast, Orchard north-west", point(1326, 450), **mast)
    d.add("light", "Light, Orchard stage", point(1370, 512), **LAMP)
    d.add("light", "Mast, medical tent", point(1335, 605), **mast)
    d.add("light", "Mast, food row west", point(1660, 685), **mast)
    d.add("light", "Mast, food row east", point(1840, 685), **mast)
    d.add("light", "Mast, ticket gate", point(1250, 300), **mast)


def safety(d: Drawing) -> None:
    """Medical tent and ambulance stand on the spine, guards at every gate, fire gear."""
    d.add("medical", "Medical tent", box(1290, 590, 1330, 630))
    d.add("ambulance", "Ambulance stand", box(1340, 595, 1380, 630), count=2)
    for name, x, y in (
        ("Public entrance", 1015, 20), ("Ticket gate", 1270, 290), ("Camp gate", 2055, 390),
        ("Main stage pit", 1750, 1030), ("Audience west", 1572, 820), ("Audience east", 1930, 890),
        ("Lots", 570, 630), ("Tent camp", 2330, 680), ("Emergency exit", 2610, 640),
    ):  # fmt: skip
        d.add("security_post", f"Guard, {name}", point(x, y), count=1)
    for number in range(8):
        d.add(
            "fire_extinguisher",
            f"Extinguisher, food {number + 1}",
            point(1636 + 33 * number, 718),
            count=1,
        )
    for name, x, y, count in (
        ("Main stage", 1705, 1060, 3), ("Orchard stage", 1345, 490, 2), ("Generators", 1840, 1110, 2),
        ("Medical tent", 1295, 588, 1), ("Tent camp west", 2190, 940, 3), ("Tent camp east", 2470, 940, 3),
        ("RV camp west", 2190, 340, 2), ("RV camp east", 2470, 340, 2), ("Lot A", 550, 340, 1),
        ("Lot B", 985, 340, 1),
    ):  # fmt: skip
        d.add("fire_extinguisher", f"Extinguishers, {name}", point(x, y), count=count)
    for name, x, y in (
        ("Main stage", 1790, 1048), ("Food row", 1750, 690), ("Tent camp", 2330, 1178), ("RV camp", 2330, 82),
    ):  # fmt: skip
        d.add("fire_alarm", f"Alarm, {name}", point(x, y), count=1)
    d.add("water_tank", "Fire water tank", box(1180, 690, 1210, 720), gallons=20000)


def ground_as_it_is(d: Drawing) -> None:
    """What was there before: a canal across the north-west corner, a barn, trees."""
    d.add(
        "obstacle",
        "Lateral canal",
        line((10, 960), (420, 1050), (760, 1200), (960, 1315)).buffer(8),
    )
    d.add("obstacle", "Old barn", box(1537, 865, 1605 - PINCH_FT / 2, 935))
    for number, (x, y) in enumerate(
        ((780, 760), (850, 800), (930, 740), (1120, 900), (1160, 1000), (1330, 1180), (1400, 1200)),
        1,
    ):
        d.add("obstacle", f"Cottonwood {number}", point(x, y).buffer(18, quad_segs=4))


if __name__ == "__main__":
    main()
