"""The file's own words for what each feature is, mapped to roles and properties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from site_eval.application import LayoutSpec
from site_eval.errors import LayoutError, SiteEvalError
from site_eval.layout.values import PROPERTIES, fault, raise_any, text_of

ROLES = (
    "site", "parking", "parking_overflow", "emergency_entrance", "emergency_exit",
    "public_entrance", "public_exit", "road", "fire_lane", "public_road", "stage", "loudspeaker",
    "assembly_area", "toilet_female", "toilet_male", "toilet", "handwash", "drinking_water",
    "shower", "medical", "ambulance", "telephone", "light", "camping", "waste", "food",
    "security_post", "fire_extinguisher", "fire_alarm", "water_tank", "structure", "obstacle",
    "fence", "gate",
)  # fmt: skip
IGNORE = "ignore"


def renamed(path: Path, rows: list[dict[str, Any]], spec: LayoutSpec) -> list[dict[str, Any]]:
    """The rows under our property names: by the mapping, or a Shapefile's ten letters."""
    known = list(rows[0])
    faults: list[SiteEvalError] = []
    for theirs, ours in spec.fields.items():
        if theirs not in known:
            faults.append(
                fault(path, f"the layout has no field '{theirs}'", _nearest(theirs, known), "field")
            )
        if ours not in PROPERTIES:
            faults.append(
                fault(path, f"'{ours}' is not a property", _nearest(ours, PROPERTIES), "field")
            )
    raise_any(faults)
    cut = {name[:10]: name for name in PROPERTIES if len(name) > 10}
    names = {name: spec.fields.get(name) or cut.get(name, name) for name in known}
    return [{names[key]: value for key, value in row.items()} for row in rows]


def roles_of(
    path: Path, rows: list[dict[str, Any]], spec: LayoutSpec
) -> tuple[list[str | None], list[str]]:
    """The role of each row (None where it is to be ignored), and a note on those ignored."""
    where = _role_field(path, rows[0], spec)
    wrong = sorted({ours for ours in spec.roles.values() if ours not in {*ROLES, IGNORE}})
    raise_any(
        fault(
            path,
            f"'{ours}' in layout.roles is not a role",
            _nearest(ours, (*ROLES, IGNORE)),
            "role",
        )
        for ours in wrong
    )
    said = [text_of(row.get(where)) for row in rows]
    found = [_role(word, spec.roles) for word in said]
    unknown = Counter(
        word for word, role in zip(said, found, strict=True) if role not in {*ROLES, IGNORE}
    )
    raise_any(_unknown_roles(path, where, unknown))
    ignored = sum(role == IGNORE for role in found)
    notes = [f"{ignored} features were left out, as layout.roles says."] if ignored else []
    return [None if role == IGNORE else role for role in found], notes


def _role_field(path: Path, row: dict[str, Any], spec: LayoutSpec) -> str:
    if spec.role_field in row:
        return spec.role_field
    if spec.role_field == "role" and "Layer" in row:
        return "Layer"
    raise fault(
        path, f"no field '{spec.role_field}' says what each feature is",
        f"name the field as role_field: {', '.join(sorted(row)) or 'the file has none'}", "role-field",
    )  # fmt: skip


def _role(word: str, mapping: dict[str, str]) -> str:
    if word in mapping:
        return mapping[word]
    plain = word.strip().lower().replace(" ", "_").replace("-", "_")
    return mapping.get(plain, plain)


def _unknown_roles(path: Path, where: str, unknown: Counter[str]) -> Iterator[LayoutError]:
    """A sentence for each word that resembles a role, and one for all the others together."""
    others = []
    for word, count in unknown.items():
        of = f"{count} feature{'s' * (count > 1)}"
        if not word:
            nothing = f"{of} have nothing in the field '{where}'"
            yield fault(path, nothing, "give each a role", "role")
        elif _near(word, ROLES):
            yield fault(path, f"'{word}' ({of}) is not a role", _nearest(word, ROLES), "role")
        else:
            others.append(f"'{word}' ({of})")
    if others:
        are = "are not roles" if len(others) > 1 else "is not a role"
        mend = f"map each in [layout.roles] to '{IGNORE}' or to one of: {', '.join(ROLES)}"
        yield fault(path, f"{', '.join(others)} {are}", mend, "role")


def _nearest(word: str, known: Iterable[str]) -> str:
    names = list(known)
    near = _near(word, names)
    if near:
        return f"perhaps '{near[0]}' is meant; else map it in [layout.roles] or [layout.fields]"
    return f"use or map it to one of: {', '.join(names)}"


def _near(word: str, names: Iterable[str]) -> list[str]:
    plain = word.strip().lower().replace(" ", "_").replace("-", "_")
    return get_close_matches(plain, list(names), n=1, cutoff=0.5)
