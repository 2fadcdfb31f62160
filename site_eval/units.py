"""Units of length, area and volume, by name; exact definitions only.

A US survey foot is 1200/3937 m (15 U.S.C. 205; retired 2022-12-31 but still the unit of the
Idaho state plane coordinates and of its deeds); an international foot is 0.3048 m.
"""

US_SURVEY_FOOT_M = 1200.0 / 3937.0
INTERNATIONAL_FOOT_M = 0.3048

MILE_FT = 5280.0
CHAIN_FT = 66.0
LINK_FT = 0.66
ROD_FT = 16.5

# Plan dimensions (a lane's width, a stall) are read as international feet; against the survey
# foot the difference is 2 parts in a million.
ACRE_M2 = 43560.0 * INTERNATIONAL_FOOT_M**2
FOOT_CANDLE_LUX = 1.0 / INTERNATIONAL_FOOT_M**2


def feet(metres: float) -> float:
    """Metres to international feet."""
    return metres / INTERNATIONAL_FOOT_M


def metres(feet_: float) -> float:
    """International feet to metres."""
    return feet_ * INTERNATIONAL_FOOT_M


def acres(square_metres: float) -> float:
    """Square metres to acres of 43,560 square international feet."""
    return square_metres / ACRE_M2


def square_metres(acres_: float) -> float:
    """Acres of 43,560 square international feet to square metres."""
    return acres_ * ACRE_M2
