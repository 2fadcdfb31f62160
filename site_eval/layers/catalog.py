"""The catalog of reference layers: a TOML file that says what each layer is and what it may decide."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from site_eval.errors import LayerError, ManyErrors, SiteEvalError
from site_eval.files import read_text
from site_eval.record.verdict import Grade
from site_eval.resources import bundled

Kind = Literal[
    "county", "places", "plss_control", "plss_township", "plss_section",
    "plss_second_division", "parcels", "wildfire", "flood", "dem", "roads", "residences",
    "fire_districts", "stations", "zoning", "burn_probability", "water",
]  # fmt: skip
KINDS: tuple[str, ...] = get_args(Kind)
RASTER_SUFFIXES = {".tif", ".tiff", ".vrt", ".img"}
# The fields that the checks read, by kind; a catalog maps each to the file's own name.
NEEDED_FIELDS: dict[str, tuple[str, ...]] = {
    "county": ("name", "geoid"),
    "places": ("name", "geoid", "class", "status"),
    "plss_control": ("lon", "lat", "section"),
    "parcels": ("number",),
    "flood": ("zone",),
    "roads": ("name",),
    "fire_districts": ("name",),
    "stations": ("name",),
    "zoning": ("zone",),
}


class LayerEntry(BaseModel):
    """One layer. ``fields`` maps our name of a field to the file's; ``vintage`` is the data's date.

    ``uncertainty_m`` is the 95 % position error of its lines; ``coverage`` the box (west, south,
    east, north, EPSG:4326) within which an empty answer means that nothing is there. ``sha256``
    and ``fetched`` are the file's hash and day when it was fetched; ``incomplete`` says what the
    service counted and did not give.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    kind: Kind
    name: str = Field(min_length=1)
    publisher: str = Field(min_length=1)
    vintage: str = Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")
    licence: str = Field(min_length=1)
    grade: Grade
    file: Path | None = None
    layer: str | None = None
    service: str | None = Field(default=None, pattern=r"^https?://")
    crs: str | None = None
    fields: dict[str, str] = Field(default_factory=dict)
    uncertainty_m: float = Field(default=0.0, ge=0, le=100_000, allow_inf_nan=False)
    coverage: tuple[float, float, float, float] | None = None
    max_age_days: int | None = Field(default=None, gt=0)
    note: str | None = None
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    fetched: date | None = None
    incomplete: str | None = None

    @property
    def is_raster(self) -> bool:
        """Whether the file is a raster, by its suffix."""
        return self.file is not None and self.file.suffix.lower() in RASTER_SUFFIXES

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if self.file is None and self.service is None:
            raise PydanticCustomError("site", "it names neither a file nor a service")
        return self


@dataclass(frozen=True)
class Catalog:
    """The layers of a catalog file, in its order; ``entries`` also holds those not fetched yet."""

    file: Path
    entries: tuple[LayerEntry, ...]

    def of_kind(self, kind: str) -> tuple[LayerEntry, ...]:
        """The layers of a kind that are at hand as files."""
        return tuple(e for e in self.entries if e.kind == kind and e.file is not None)


def load_catalog(path: Path | None = None) -> Catalog:
    """The catalog in the TOML file *path*, or the bundled one.

    A catalog with ``extends = "bundled"`` adds to the bundled layers: an entry replaces the
    bundled one of the same id, and any entry of a kind replaces bundled ``illustrative`` ones of
    that kind, for real data are never mixed with made-up ones; ``leave_out`` names bundled ones
    that are not wanted. Raises ``ManyErrors``.
    """
    file = path or bundled("layers", "catalog.toml")
    content = _toml(file)
    extends, left_out = content.pop("extends", None), _ids(file, content.pop("leave_out", []))
    if extends not in {None, "bundled"}:
        raise _error(f"{file} (extends)", f"'{extends}' is unknown", 'write extends = "bundled"')
    entries = _entries(file, content)
    return Catalog(file, _extended(entries, left_out) if extends and path else entries)


def _extended(own: tuple[LayerEntry, ...], left_out: set[str]) -> tuple[LayerEntry, ...]:
    ids, kinds = {e.id for e in own} | left_out, {e.kind for e in own}
    kept = [
        e
        for e in load_catalog().entries
        if e.id not in ids and not (e.grade is Grade.ILLUSTRATIVE and e.kind in kinds)
    ]
    return (*own, *kept)


def _ids(file: Path, given: Any) -> set[str]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise _error(f"{file} (leave_out)", "this is no list of ids", 'write ["idaho-places"]')
    return set(given)


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(file, what="layer catalog"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _error(
            str(file), f"this is not TOML ({str(error).lower()})", "mend the line"
        ) from None


def _entries(file: Path, content: dict[str, Any]) -> tuple[LayerEntry, ...]:
    strange = sorted(set(content) - {"layer"})
    tables = content.get("layer", [])
    if strange:
        raise _error(
            f"{file} ({strange[0]})", f"there is no key '{strange[0]}' here", "write [[layer]]"
        )
    if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
        raise _error(str(file), "the catalog has no layer", "add a table [[layer]] for each")
    entries: list[LayerEntry] = []
    faults: list[SiteEvalError] = []
    for number, table in enumerate(tables, 1):
        place = f"{file} ({table.get('id', f'layer {number}')})"
        try:
            entries.append(_placed(LayerEntry.model_validate(table), file, place))
        except ValidationError as error:
            faults += [_fault(place, detail) for detail in error.errors(include_url=False)]
        except LayerError as error:
            faults.append(error)
    faults += _repeated(file, [entry.id for entry in entries])
    if faults:
        raise ManyErrors(faults)
    return tuple(entries)


def _repeated(file: Path, ids: list[str]) -> list[LayerError]:
    twice = sorted({name for name in ids if ids.count(name) > 1})
    return [_error(f"{file} ({name})", "two layers have this id", "rename one") for name in twice]


def _placed(entry: LayerEntry, file: Path, place: str) -> LayerEntry:
    if entry.file is None:
        return entry
    path = file.parent / entry.file
    if not path.is_file():
        raise _error(
            place, f"the file '{entry.file.as_posix()}' is not there", "mend its name or fetch it"
        )
    return entry.model_copy(update={"file": path})


def _fault(place: str, detail: ErrorDetails) -> LayerError:
    key = ".".join(str(step) for step in detail["loc"])
    where = f"{place[:-1]}, {key})" if key else place
    if detail["type"] == "extra_forbidden":
        known = list(LayerEntry.model_fields)
        near = get_close_matches(key, known, n=1, cutoff=0.6)
        mend = f"perhaps '{near[0]}' is meant" if near else f"use one of: {', '.join(known)}"
        return _error(where, f"there is no key '{key}' here", mend)
    if detail["type"] == "missing":
        return _error(where, f"the key '{key}' is missing", "add it")
    words = detail["msg"][:1].lower() + detail["msg"][1:]
    return _error(where, words, f"mend {key}" if key else "add one of them")


def _error(place: str, fault: str, mend: str) -> LayerError:
    return LayerError(place, fault, mend, code="layer.catalog")
