"""Make the illustrative roads, homes, fire station and fire district around the Sand Hollow example.

    python data/make/surroundings.py

All of it is made up; no road, home or station is where it is drawn here.
"""

import json
from typing import Any

import shapely
from ground import DATA, board_on, box, line, point
from sand_hollow import tract
from shapely.geometry.base import BaseGeometry

# Feet from the tract's south-west corner. The first two pass the tract as in its layout.
ROADS = (
    ("Sand Hollow Road", ((-9000, -33), (2673, -33), (12000, -33)), 45, "paved"),
    ("Section Line Road", ((2673, -33), (2673, 7900)), 35, "gravel"),
    ("Bench Road", ((-9000, -33), (-9000, -9000)), 45, "paved"),
    ("Canyon View Road", ((12000, -33), (12000, -12000)), 45, "paved"),
    ("River Highway", ((-16000, -9000), (-9000, -9000), (12000, -12000), (46000, -23000)), 60, "paved"),
)  # fmt: skip
HOMES = (
    (-1900, 180), (3900, -420), (4600, 1500), (-4200, -800), (2900, 4700), (6800, -250),
    (-6500, 260), (8200, -640), (-8700, -3100), (-9300, -6200), (11600, -3900), (12300, -7700),
    (1200, -9600), (4800, -10200),
)  # fmt: skip


def main() -> None:
    board = board_on(tract())
    write("roads", [
        (board.place(line(*points)), {"name": name, "speed_mph": mph, "surface": surface})
        for name, points, mph, surface in ROADS
    ])  # fmt: skip
    write("residences", [
        (board.place(point(x, y)), {"name": f"Home {number}"}) for number, (x, y) in enumerate(HOMES, 1)
    ])  # fmt: skip
    write("stations", [
        (board.place(point(45500, -22800)), {"name": "Example Fire Station 1", "kind": "fire"}),
        (board.place(point(-9100, -8800)), {"name": "Example Fire Station 2", "kind": "fire"}),
    ])  # fmt: skip
    write("fire_districts", [
        (board.place(box(-40000, -40000, 60000, 40000)), {"name": "Example Fire District"})
    ])  # fmt: skip


def write(name: str, rows: list[tuple[BaseGeometry, dict[str, Any]]]) -> None:
    features = [
        json.dumps({"type": "Feature", "properties": p, "geometry": shapely.geometry.mapping(g)})
        for g, p in rows
    ]
    path = DATA / "layers/illustrative" / f"{name}.geojson"
    path.parent.mkdir(exist_ok=True)
    joined = ",\n".join(features)
    path.write_text(f'{{"type": "FeatureCollection", "features": [\n{joined}\n]}}\n', "utf-8")
    print(f"{path.name}: {len(rows)} rows")


if __name__ == "__main__":
    main()
