"""The words of land descriptions and what they stand for; no grammar here."""

from __future__ import annotations

DIRECTIONS = {
    "N": "N", "NO": "N", "NORTH": "N", "NORTHERLY": "N", "NLY": "N", "NORTHERN": "N",
    "S": "S", "SO": "S", "SOUTH": "S", "SOUTHERLY": "S", "SLY": "S", "SOUTHERN": "S",
    "E": "E", "EAST": "E", "EASTERLY": "E", "ELY": "E", "EASTERN": "E",
    "W": "W", "WEST": "W", "WESTERLY": "W", "WLY": "W", "WESTERN": "W",
    "NE": "NE", "NORTHEAST": "NE", "NORTHEASTERLY": "NE", "NELY": "NE",
    "NW": "NW", "NORTHWEST": "NW", "NORTHWESTERLY": "NW", "NWLY": "NW",
    "SE": "SE", "SOUTHEAST": "SE", "SOUTHEASTERLY": "SE", "SELY": "SE",
    "SW": "SW", "SOUTHWEST": "SW", "SOUTHWESTERLY": "SW", "SWLY": "SW",
}  # fmt: skip
CARDINAL = frozenset({"N", "S", "E", "W"})

HALF_WORDS = frozenset({"HALF", "HALVES", "½", "1/2", "HF"})
QUARTER_WORDS = frozenset({"QUARTER", "QUARTERS", "QTR", "FOURTH", "¼", "1/4"})

# Feet in one of each unit. Varas: 33 1/3 inches (Texas, Act of 1919); metres: 39.37 inches, which
# is the survey foot's own definition, the older deeds'.
UNITS_FT = {
    "FEET": 1.0, "FOOT": 1.0, "FT": 1.0, "'": 1.0, "’": 1.0, "′": 1.0,
    "CHAIN": 66.0, "CHAINS": 66.0, "CH": 66.0, "CHS": 66.0,
    "LINK": 0.66, "LINKS": 0.66, "LK": 0.66, "LKS": 0.66, "L": 0.66,
    "ROD": 16.5, "RODS": 16.5, "RD": 16.5, "RDS": 16.5, "POLE": 16.5, "POLES": 16.5,
    "PERCH": 16.5, "PERCHES": 16.5,
    "VARA": 100.0 / 36.0, "VARAS": 100.0 / 36.0, "VRS": 100.0 / 36.0,
    "VS": 100.0 / 36.0,
    "YARD": 3.0, "YARDS": 3.0, "YDS": 3.0,
    "MILE": 5280.0, "MILES": 5280.0,
    "METER": 3937.0 / 1200.0, "METERS": 3937.0 / 1200.0, "METRE": 3937.0 / 1200.0,
    "METRES": 3937.0 / 1200.0, "M": 3937.0 / 1200.0,
    "INCH": 1.0 / 12.0, "INCHES": 1.0 / 12.0, "IN": 1.0 / 12.0,
}  # fmt: skip
ACRE_WORDS = frozenset({"ACRE", "ACRES", "AC", "A", "ACS", "ACRS", "ACR"})

TOTAL_WORDS = frozenset(
    {"CONTAINING", "CONTAINS", "CONTAIN", "CONT", "TOTALING", "TOTAL", "AGGREGATE", "AGGREGATES",
     "AGGREGATING", "COMPRISING"}
)  # fmt: skip
SECTION_WORDS = frozenset({"SECTION", "SECTIONS", "SEC", "SECS", "SECT", "SECTS", "SC"})
SECTION_PLURALS = frozenset({"SECTIONS", "SECS", "SECTS"})
LOT_WORDS = frozenset({"LOT", "LOTS", "L", "LT", "LTS"})
TRACT_WORDS = frozenset({"TRACT", "TRACTS", "TR"})
EXCEPT_WORDS = frozenset(
    {"EXCEPT", "EXCEPTING", "EXCEPTED", "EXC", "EX", "LESS", "SAVE", "SAVING", "EXCLUDING",
     "EXCLUDE", "MINUS", "BUT"}
)  # fmt: skip
THROUGH_WORDS = frozenset({"THRU", "THROUGH", "TO", "-", "–", "—", "INCLUSIVE"})
FRACTIONAL_WORDS = frozenset({"FRACTIONAL", "FRACTION", "FRAC", "FRACL", "FRL", "FR"})
PART_WORDS = frozenset(
    {"PART", "PARTS", "PT", "PTN", "PORTION", "PORTIONS", "POR", "PORT", "FRACTION", "FRAC",
     "FRACTIONAL", "PIECE"}
)  # fmt: skip
LYING_WORDS = frozenset({"LY", "LYING", "LIES"})
IN_WORDS = frozenset({"IN", "WITHIN", "INSIDE", "THRU", "ACROSS"})
AKA_WORDS = frozenset({"AKA", "ALSO", "BEING", "SAME"})
COMMENT_WORDS = frozenset(
    {"BOOK", "BK", "PAGE", "PG", "PP", "REC", "RECEPTION", "INST", "INSTRUMENT", "DOC", "DOCUMENT",
     "VOL", "VOLUME", "SMR", "ROW", "DEED", "PAT", "PATENT", "PATENTS", "RECORDED", "RECORDS",
     "FILE", "PIN", "APN", "CERTIFICATE", "SEE", "PER", "DOR", "MAP", "MAPS"}
)  # fmt: skip

# Words that join or frame without changing the land.
CONNECTIVES = frozenset(
    {"OF", "THE", "IN", "AND", "SAID", "A", "AN", "LAND", "LANDS", "BEING", "SITUATED", "SITUATE",
     "LOCATED", "LOC", "FOLLOWS", "AS", "ALSO", "ALL", "PLUS", "WITH", "TOGETHER", "FROM", "THAT",
     "THOSE", "CERTAIN", "REAL", "PROPERTY", "THEREOF", "WITHIN", "CONTAINING", "CONTAINS", "CONT",
     "COMPRISING", "LYING", "DESCRIBED", "FOLLOWING", "BOTH", "ACCORDING", "TO", "WIT", "PRINCIPAL",
     "MERIDIAN", "TWP", "TOWNSHIP", "RANGE", "COUNTY", "CO", "STATE", "UNITED", "STATES", "IS",
     "ARE", "WHICH", "THESE", "AT", "ON", "EACH", "FULL", "ENTIRE", "WHOLE", "FRACTIONAL",
     "GOVERNMENT", "GOV", "GOVT", "LEGAL", "SUBDIVISION", "SUBDIVISIONS", "OFFICIAL", "SURVEY",
     "MORE", "OR", "LESS", "AREA", "AREAS", "CONTAIN", "AGGREGATE", "AGGREGATES", "AGGREGATING",
     "SAME", "UNSURVEYED", "PARTLY", "PARTIALLY", "TOTAL", "TOTALING", "APPROXIMATELY", "ABOUT", "NUMBERED", "NO"}
)  # fmt: skip

NUMBER_WORDS = {
    "ONE": 1, "TWO": 2, "THREE": 3, "FOUR": 4, "FIVE": 5, "SIX": 6, "SEVEN": 7, "EIGHT": 8,
    "NINE": 9, "TEN": 10, "ELEVEN": 11, "TWELVE": 12, "THIRTEEN": 13, "FOURTEEN": 14,
    "FIFTEEN": 15, "SIXTEEN": 16, "SEVENTEEN": 17, "EIGHTEEN": 18, "NINETEEN": 19, "TWENTY": 20,
    "THIRTY": 30, "FORTY": 40, "FIFTY": 50, "SIXTY": 60, "SEVENTY": 70, "EIGHTY": 80,
    "NINETY": 90,
}  # fmt: skip

STATES = {
    "ALABAMA": "AL", "ALASKA": "AK", "ARIZONA": "AZ", "ARKANSAS": "AR", "CALIFORNIA": "CA",
    "COLORADO": "CO", "FLORIDA": "FL", "IDAHO": "ID", "ILLINOIS": "IL", "INDIANA": "IN",
    "IOWA": "IA", "KANSAS": "KS", "LOUISIANA": "LA", "MICHIGAN": "MI", "MINNESOTA": "MN",
    "MISSISSIPPI": "MS", "MISSOURI": "MO", "MONTANA": "MT", "NEBRASKA": "NE", "NEVADA": "NV",
    "OHIO": "OH", "OKLAHOMA": "OK", "OREGON": "OR", "UTAH": "UT", "WASHINGTON": "WA",
    "WISCONSIN": "WI", "WYOMING": "WY",
}  # fmt: skip
