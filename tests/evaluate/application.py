"""A small application of any size, on the real tract, written to a folder."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

TRACT = "S½NE¼ of Section 22, T. 7 N., R. 3 W., Boise Meridian, Gem County, Idaho"

PLAIN: dict[str, Any] = {
    "event": {
        "name": "Plain Gathering",
        "time_zone": "America/Boise",
        "starts": "2027-06-19T10:00:00",
        "ends": "2027-06-19T20:00:00",
        "overnight": False,
        "amplified": False,
    },
    "attendance": {"maximum": 1000},
    "applicant": {"kind": "individual", "name": "Example", "signed": True, "sworn": True},
    "land": [{"description": TRACT}],
    "filing": {"received": "2027-03-01"},
}


def write_application(folder: Path, **changes: Any) -> Path:
    """Write the plain application with dotted *changes* (``plan__toilets__female=5``)."""
    content = copy.deepcopy(PLAIN)
    for dotted, value in changes.items():
        *tables, key = dotted.split("__")
        inner = content
        for table in tables:
            inner = inner.setdefault(table, {})
        inner[key] = value
    path = folder / "application.toml"
    path.write_text("".join(_toml(content, ())), encoding="utf-8")
    return path


def _toml(table: dict[str, Any], path: tuple[str, ...]) -> list[str]:
    lines = [f"[{'.'.join(path)}]\n"] if path else []
    inner = []
    for key, value in table.items():
        if isinstance(value, dict):
            inner += _toml(value, (*path, key))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for item in value:
                inner += [f"[[{'.'.join((*path, key))}]]\n", *_toml(item, ())]
        else:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}\n")
    return [*lines, *inner]
