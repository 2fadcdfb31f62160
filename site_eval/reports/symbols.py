"""How things are drawn, on every map alike: names, letters, colours and hatching.

Colours are Okabe and Ito's (2008), which the colour-blind tell apart; on paper without colour the
hatching of areas, the dashes of lines and the letters of points do the telling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Shape = Literal["area", "line", "point"]


@dataclass(frozen=True)
class Symbol:
    """A kind of thing on a map.

    ``code`` is the letters in a point's box. ``hatch`` is matplotlib's. ``dash`` is lengths on and
    off in points, empty for a solid line. ``check`` is the check that asks for the thing.
    """

    title: str
    code: str
    colour: str
    fill: str = ""
    hatch: str = ""
    dash: tuple[float, ...] = ()
    width: float = 1.2
    check: str | None = None
    rank: int = 5


_BLUE, _SKY, _GREEN, _ORANGE = "#0072B2", "#56B4E9", "#00795a", "#9a6a00"
_RED, _PINK, _YELLOW, _BLACK, _GREY = "#b34700", "#a0527d", "#F0E442", "#1a1a1a", "#5a5a5a"

# Our layout roles (the names are those of the application's schema).
ROLES: dict[str, Symbol] = {
    "site": Symbol("Site as laid out", "", _BLACK, rank=1),
    "parking": Symbol("Parking", "P", _BLUE, "#cfe3f2", "//", check="parking", rank=1),
    "parking_overflow": Symbol(
        "Overflow parking", "P+", _BLUE, "#eaf3f9", "/", (4, 2), check="parking", rank=1
    ),
    "camping": Symbol("Camping", "C", _GREEN, "#d3ebe2", "..", check="camping", rank=1),
    "assembly_area": Symbol("Assembly area", "A", _PINK, "#f3e0ea", "", check="capacity", rank=1),
    "stage": Symbol("Stage", "ST", _BLACK, "#8c8c8c", "xxx", check="noise", rank=1),
    "structure": Symbol("Structure", "B", _BLACK, "#cccccc", "", rank=3),
    "obstacle": Symbol("Obstacle", "", _GREY, "#e6e6e6", "|||", rank=4),
    "public_road": Symbol("Public road", "", _BLACK, width=3.0, check="traffic-dust", rank=2),
    "road": Symbol("Road on the site", "", _GREY, width=2.2, check="traffic-dust", rank=3),
    "fire_lane": Symbol(
        "Fire lane", "", _RED, dash=(7, 2.5), width=2.2, check="fire-protection", rank=2
    ),
    "fence": Symbol("Fence", "", _GREY, dash=(1, 2), width=1.0, rank=6),
    "gate": Symbol("Gate", "G", _BLACK, rank=3),
    "emergency_entrance": Symbol(
        "Emergency entrance", "EN", _RED, check="emergency-access", rank=1
    ),
    "emergency_exit": Symbol("Emergency exit", "EX", _RED, check="emergency-access", rank=1),
    "public_entrance": Symbol("Public entrance", "IN", _BLACK, check="emergency-access", rank=2),
    "public_exit": Symbol("Public exit", "OUT", _BLACK, check="emergency-access", rank=2),
    "loudspeaker": Symbol("Loudspeaker", "LS", _PINK, check="noise"),
    "toilet_female": Symbol("Toilets, women", "TW", _ORANGE, check="toilets"),
    "toilet_male": Symbol("Toilets, men", "TM", _ORANGE, check="toilets"),
    "toilet": Symbol("Toilets, anyone", "T", _ORANGE, check="toilets"),
    "handwash": Symbol("Hand wash", "HW", _ORANGE, check="toilets"),
    "drinking_water": Symbol("Drinking water", "DW", _BLUE, check="drinking-water"),
    "shower": Symbol("Shower", "SH", _BLUE, check="bathing-water"),
    "water_tank": Symbol("Water tank", "WT", _BLUE, check="drinking-water"),
    "medical": Symbol("Medical structure", "M", _RED, "#f4d9c8", check="emergency-medical", rank=2),
    "ambulance": Symbol("Ambulance", "AM", _RED, check="emergency-medical", rank=2),
    "telephone": Symbol("Telephone", "PH", _GREEN, check="telephones"),
    "light": Symbol("Light", "L", _GREY, check="lighting", rank=6),
    "waste": Symbol("Waste", "W", _GREY, check="solid-waste", rank=6),
    "food": Symbol("Food", "FD", _GREEN, "#d3ebe2", width=2.0, rank=4),
    "security_post": Symbol("Security post", "SP", _PINK, check="security"),
    "fire_extinguisher": Symbol("Fire extinguisher", "FX", _RED, check="fire-protection", rank=6),
    "fire_alarm": Symbol("Fire alarm", "FA", _RED, check="fire-protection", rank=6),
}

# Layers of the surroundings.
CONTEXT: dict[str, Symbol] = {
    "county": Symbol("County", "", _GREY, "", "", (8, 2, 1.5, 2), 1.6, rank=2),
    "places": Symbol("Incorporated place", "", _PINK, "#f3e0ea", "\\\\", (), 1.2, rank=1),
    "plss_section": Symbol("Section line", "", _GREY, "", "", (2, 2), 0.7, rank=4),
    "parcels": Symbol("Parcel", "", _GREY, "", "", (), 0.4, rank=6),
    "roads": Symbol("Road", "", _BLACK, width=1.8, rank=3),
    "residences": Symbol("Residence", "R", _BLACK, rank=2),
    "fire_districts": Symbol("Fire district", "", _RED, "", "", (5, 2, 1, 2), 1.2, rank=3),
    "stations": Symbol("Fire station", "FS", _RED, rank=2),
    "flood": Symbol("Flood hazard area", "", _BLUE, "#d9ecf7", "---", (), 0.8, rank=2),
    "wildfire": Symbol("Wildfire hazard", "", _RED, "#f4d9c8", "++", (), 0.6, rank=3),
}

SITE = Symbol("Site boundary", "", "#000000", width=2.4, rank=0)
BAND = Symbol("Boundary lies within (95 %)", "", "#000000", "#bdbdbd", rank=0)
_UNKNOWN = "#404040"


def role_symbol(role: str) -> Symbol:
    """The symbol of a layout role; a plain grey one, named as it is, for a role of no list."""
    return ROLES.get(role) or Symbol(_words(role), role[:2].upper(), _UNKNOWN, "#eeeeee")


def context_symbol(layer: str) -> Symbol:
    """The symbol of a layer of the surroundings; a plain grey one for a layer of no list."""
    return CONTEXT.get(layer) or Symbol(_words(layer), "", _UNKNOWN, "#eeeeee")


def shape_of(geometry_type: str) -> Shape:
    """How a geometry is drawn: as an area, a line or a point."""
    if geometry_type.endswith("Polygon"):
        return "area"
    return "line" if geometry_type.endswith(("LineString", "Ring")) else "point"


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").capitalize()
