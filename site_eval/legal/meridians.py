"""The principal meridians and their initial points, from the bundled table; and what they are called.

The table is that of the Bureau of Land Management, *Manual of Surveying Instructions* (1973),
section 3-6. Its positions are used as they stand: moving Boise's from NAD 27 to NAD 83 made the
ideal grid fit the Gem and Payette corners worse (median 183 m against 107 m), so the datum of the
table is an open question that the ideal grid's stated uncertainty has to cover.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

from site_eval.errors import LandError
from site_eval.resources import bundled


@dataclass(frozen=True)
class Meridian:
    """A principal meridian; its initial point in degrees, west negative, as tabulated."""

    name: str
    blm_code: str
    lat_deg: float
    lon_deg: float
    states: tuple[str, ...]


@cache
def meridians() -> dict[str, Meridian]:
    """Every meridian of the table by name."""
    with bundled("layers", "plss", "principal_meridians.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return {
        row["name"]: Meridian(
            name=row["name"],
            blm_code=row["blm_code"],
            lat_deg=_degrees(row["latitude_dms"]),
            lon_deg=-_degrees(row["longitude_dms"]),
            states=tuple(row["states"].split()),
        )
        for row in rows
    }


def meridian_named(name: str) -> Meridian:
    """The meridian of a name or of an abbreviation (``B.M.``, ``6th PM``); refuses unknown ones."""
    wanted = "".join(c for c in name.upper() if c.isalnum())
    for title in meridians():
        if "".join(c for c in title.upper() if c.isalnum()) == wanted.removesuffix("MERIDIAN"):
            return meridians()[title]
    for words, title in ALIASES.items():
        if "".join(words) == wanted:
            return meridians()[title]
    raise LandError(
        f"meridian {name!r}",
        "it is not in the table of principal meridians",
        "use one of: " + ", ".join(meridians()),
    )


def meridian_of_state(state: str) -> str | None:
    """The only meridian that governs a state (two-letter code), or None when there are several."""
    found = [m.name for m in meridians().values() if state.upper() in m.states]
    return found[0] if len(found) == 1 else None


_ORDINALS = {
    "First": ("1ST", "FIRST"), "Second": ("2ND", "SECOND"), "Third": ("3RD", "THIRD"),
    "Fourth": ("4TH", "FOURTH"), "Fifth": ("5TH", "FIFTH"), "Sixth": ("6TH", "SIXTH"),
}  # fmt: skip
_PRINCIPALS = ("Montana", "New Mexico", *_ORDINALS)


def _aliases() -> dict[tuple[str, ...], str]:
    """Word sequences, in capitals without dots, that name a meridian."""
    table: dict[tuple[str, ...], str] = {
        ("BM",): "Boise", ("MDM",): "Mount Diablo", ("MDBM",): "Mount Diablo",
        ("MDB", "&", "M"): "Mount Diablo", ("MD", "B", "&", "M"): "Mount Diablo",
        ("MT", "DIABLO"): "Mount Diablo", ("MOUNT", "DIABLO"): "Mount Diablo",
        ("SLM",): "Salt Lake", ("SLB", "&", "M"): "Salt Lake", ("SLBM",): "Salt Lake",
        ("SALT", "LAKE", "BASE"): "Salt Lake", ("SALT", "LAKE"): "Salt Lake",
        ("NMPM",): "New Mexico Principal", ("PMM",): "Montana Principal",
        ("MPM",): "Montana Principal", ("WM",): "Willamette", ("WIM",): "Indian",
        ("EIM",): "Indian", ("IM",): "Indian", ("ICM",): "Indian", ("ECM",): "Cimarron",
        ("GSRM",): "Gila and Salt River", ("GSRB", "&", "M"): "Gila and Salt River",
        ("G&SRM",): "Gila and Salt River", ("GSRBM",): "Gila and Salt River",
        ("G", "&", "SRM"): "Gila and Salt River",
        ("G&SRB", "&", "M"): "Gila and Salt River", ("GILA", "&", "SALT", "RIVER"):
        "Gila and Salt River", ("GILA", "AND", "SALT", "RIVER"): "Gila and Salt River",
        ("SBM",): "San Bernardino", ("SBBM",): "San Bernardino", ("SBB", "&", "M"): "San Bernardino",
        ("HM",): "Humboldt", ("WRM",): "Wind River", ("UM",): "Uintah Special",
        ("USM",): "Uintah Special", ("USB", "&", "M"): "Uintah Special",
        ("UINTAH",): "Uintah Special", ("UINTA",): "Uintah Special", ("BHM",): "Black Hills",
        ("ST", "STEPHENS"): "Saint Stephens", ("ST", "HELENA"): "Saint Helena",
        ("PRINCIPAL", "MERIDIAN", "OF", "MONTANA"): "Montana Principal",
        ("PRINCIPAL", "MERIDIAN", "MONTANA"): "Montana Principal",
        ("MONTANA", "PRINCIPAL"): "Montana Principal", ("MONTANA",): "Montana Principal",
        ("NEW", "MEXICO", "PRINCIPAL"): "New Mexico Principal",
        ("NEW", "MEXICO"): "New Mexico Principal",
    }  # fmt: skip
    for words in [words for words in table if "&" in words]:
        table["".join(words),] = table[words]
    for name, spellings in _ORDINALS.items():
        for spelling in spellings:
            for ending in (("PM",), ("P", "M"), ("PRINCIPAL",), ("PRIN", "MER"), ("MERIDIAN",)):
                table[(spelling, *ending)] = f"{name} Principal"
    for name in (
        "Boise", "Black Hills", "Chickasaw", "Choctaw", "Cimarron", "Copper River", "Fairbanks",
        "Humboldt", "Huntsville", "Indian", "Louisiana", "Michigan", "Navajo", "San Bernardino",
        "Seward", "Tallahassee", "Ute", "Washington", "Willamette", "Wind River", "Kateel River",
        "Umiat", "Saint Helena", "Saint Stephens",
    ):  # fmt: skip
        table[tuple(name.upper().split())] = name
    return table


ALIASES = _aliases()
# Names that are also places or people: a meridian only when the word follows.
NEEDS_MERIDIAN_WORD = frozenset(
    {"BOISE", "WASHINGTON", "MICHIGAN", "LOUISIANA", "MONTANA", "SALT", "NEW", "HUMBOLDT", "INDIAN",
     "CIMARRON", "NAVAJO", "SAN", "SEWARD", "TALLAHASSEE", "UTE", "WIND", "BLACK", "HUNTSVILLE",
     "COPPER", "FAIRBANKS", "UINTAH", "UINTA", "SAINT", "ST", "CHICKASAW", "CHOCTAW", "WILLAMETTE",
     "GILA", "MOUNT", "MT", "KATEEL", "UMIAT"}
)  # fmt: skip
FIRST_WORDS = frozenset(words[0] for words in ALIASES)
LONGEST = max(len(words) for words in ALIASES)


def _degrees(dms: str) -> float:
    degrees, minutes, seconds = (float(piece) for piece in dms.split("-"))
    return degrees + minutes / 60.0 + seconds / 3600.0
