"""Text to tree, one line each: ``text => T R S: parts - exceptions ~`` and the flags that follow.

``~`` container only, ``| name`` meridian, ``# n`` stated acres, ``? words`` unresolved,
``! code`` a warning that must be given. Without ``!`` there must be none.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from site_eval.legal.plss import read_plss

TABLE = Path(__file__).parent.parent / "cases" / "legal" / "plss.txt"
LINES = [
    line
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("# ")
]


def test_the_table_is_long_enough() -> None:
    assert len(LINES) >= 250


@pytest.mark.parametrize("line", LINES)
def test_text_reads_as_written_beside_it(line: str) -> None:
    text, wanted = line.split(" => ")
    text = text.replace("\\n", "\n")
    tree = read_plss(text)
    wanted, *codes = re.split(r" ! ?", wanted)
    acres = re.search(r" # ([\d.]+)", wanted)
    wanted = re.sub(r" # [\d.]+", "", wanted)
    wanted, *unresolved = wanted.split(" ? ")
    wanted, *meridian = wanted.split(" | ")
    found = " ; ".join(
        f"{land.township} {land.range} {land.section}: "
        + " ".join(part.code for part in land.parts)
        + "".join(f" - {part.code}" for part in land.exceptions)
        + (" ~" if land.container_only else "")
        for land in tree.sections
    )
    assert found == wanted.strip()
    assert tree.meridian == (meridian[0] if meridian else None)
    assert tree.stated_acres == (float(acres[1]) if acres else None)
    if unresolved:
        assert tree.unresolved == unresolved
    given = {warn.code for warn in tree.warnings}
    assert set(codes) <= given
    if not codes and not unresolved:
        assert given == set()
