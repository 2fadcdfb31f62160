"""Platted lots and parcel numbers, text beside reading."""

from __future__ import annotations

import pytest

from site_eval.legal.plat import read_parcel_numbers, read_plat
from site_eval.legal.tree import LotGroup

EMMETT = "EMMETT PARK ADDITION"


@pytest.mark.parametrize(("text", "groups"), [
    ("Lots 3 and 4, Block 2, Emmett Park Addition", [LotGroup(EMMETT, "2", ("3", "4"))]),
    ("Block 2, Lot 3, Emmett Park Addition", [LotGroup(EMMETT, "2", ("3",))]),
    ("Lots 1 through 3 inclusive, Block 7, Emmett Park Addition", [LotGroup(EMMETT, "7", ("1", "2", "3"))]),
    ("Lots 1-3, Block 7, Emmett Park Addition", [LotGroup(EMMETT, "7", ("1", "2", "3"))]),
    ("Lot 3-R, Block 1, Emmett Park Addition", [LotGroup(EMMETT, "1", ("3-R",))]),
    ("Lot 12A, Emmett Park Addition", [LotGroup(EMMETT, None, ("12A",))]),
    ("Lot A-1, Emmett Park Addition", [LotGroup(EMMETT, None, ("A-1",))]),
    ("Block 3, Emmett Park Addition", [LotGroup(EMMETT, "3", ())]),
    ("Lot 1, Block 1 and Lot 2, Block 3, Emmett Park Addition",
     [LotGroup(EMMETT, "1", ("1",)), LotGroup(EMMETT, "3", ("2",))]),
    ("The West 50 feet of Lot 3, Block 2, Emmett Park Addition", [LotGroup(EMMETT, "2", ("3",), "WEST 50 FEET")]),
    ("Parcel B, C.O.S. 2739", [LotGroup("C.O.S. 2739", None, ("B",))]),
    ("PARCEL 14 GHOST MINE RANCH CONT. 35.3 AC.", [LotGroup("GHOST MINE RANCH", None, ("14",))]),
    ("LOT 25 CONT. 40.08 ACRES LIME CREEK ESTATES", [LotGroup("LIME CREEK ESTATES", None, ("25",))]),
    ("Lots 1 and 2 and the N 10 ft of Lot 6, Block 3, Emmett Park Addition",
     [LotGroup(EMMETT, "3", ("1", "2")), LotGroup(EMMETT, "3", ("6",), "N 10 FT")]),
    ("W/2 of Lot 7 and all of Lot 8, Block 2, Emmett Park Addition",
     [LotGroup(EMMETT, "2", ("7",), "W/2"), LotGroup(EMMETT, "2", ("8",))]),
    ("Lot 5, less the west 10 feet, Block 2, Emmett Park Addition", [LotGroup(EMMETT, "2", ("5",))]),
    ("Lots 1 and 2, Block 4; Lot 3, Block 5; Emmett Park Addition",
     [LotGroup(EMMETT, "4", ("1", "2")), LotGroup(EMMETT, "5", ("3",))]),
    ("Emmett Park Addition, Block 3, Lots 7 and 8", [LotGroup(EMMETT, "3", ("7", "8"))]),
    ("Lot 3A, Amended Plat of Lots 3 and 4, Block 2, Emmett Park Addition",
     [LotGroup(f"AMENDED PLAT OF LOTS 3 AND 4, BLOCK 2, {EMMETT}", None, ("3A",))]),
    ("LA GARITA BLUFF TRACTS TRACT 3", [LotGroup("LA GARITA BLUFF TRACTS", None, ("3",))]),
])  # fmt: skip
def test_lots_read_as_written_beside_them(text: str, groups: list[LotGroup]) -> None:
    assert read_plat(text).groups == groups


def test_an_exception_of_a_lot_is_kept_and_not_a_lot_of_its_own() -> None:
    tree = read_plat("Lots 1 and 2, Block 7, Emmett Park Addition, less the East 10 feet of Lot 2")
    assert [group.lots for group in tree.groups] == [("1", "2")]
    assert tree.unresolved == ["less the East 10 feet of Lot 2"]


@pytest.mark.parametrize(("text", "numbers"), [
    ("Parcel No. RP07N03W225400", ["RP07N03W225400"]), ("APN: 123-456-78", ["123-456-78"]),
    ("RP06N02W073300A", ["RP06N02W073300A"]), ("NE1/4 of Section 3", []), ("Parcel 14 of the ranch", []),
])  # fmt: skip
def test_parcel_numbers(text: str, numbers: list[str]) -> None:
    assert read_parcel_numbers(text) == numbers
