"""A recipe: how one official layer is got, from which service, and how it stands in a catalog."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from site_eval.errors import LayerError, ManyErrors
from site_eval.files import read_text
from site_eval.layers.catalog import NEEDED_FIELDS, Kind
from site_eval.record.verdict import Grade
from site_eval.resources import bundled

ServiceType = Literal["arcgis-feature", "arcgis-image", "ogc-features", "wfs", "zip", "cog"]
# What may stand in braces in an address or a where-clause.
PLACES = {"state_fips", "county_fips", "geoid", "year", "bbox", "tile"}
_BRACES = re.compile(r"\{([^{}]*)\}")
_FIXED = re.compile(r"^\d{4}(-\d{2}(-\d{2})?)?$")
_STRICT = ConfigDict(extra="forbid", frozen=True)


class Service(BaseModel):
    """Where the rows or cells are. ``area`` says which of them are asked for.

    ``box``: those that touch the county's box widened by ``margin_km``; ``around-county``: those
    of a national file that touch the widened box of the row whose ``county_field`` is the county;
    ``all``: every one, since the address itself names the county or the state.
    """

    model_config = _STRICT

    type: ServiceType
    address: str | None = Field(default=None, pattern=r"^https?://")
    layer: int | None = Field(default=None, ge=0)
    layer_name: str | None = None
    where: str = "1=1"
    area: Literal["box", "around-county", "all"] = "box"
    county_field: str | None = None
    margin_km: float = Field(default=5.0, ge=0, le=200)
    member: str | None = None
    page_rows: int = Field(default=1000, ge=1, le=10_000)
    nodata: float | None = None
    format: str = "application/json"

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.layer is not None and self.layer_name is not None:
            raise PydanticCustomError("site", "layer and layer_name cannot both be given")
        if (self.area == "around-county") != (self.county_field is not None):
            raise PydanticCustomError("site", "county_field belongs to area = 'around-county'")
        if self.type in {"arcgis-image", "cog"} and self.area != "box":
            raise PydanticCustomError("site", "cells are asked for by the box alone")
        if self.type == "wfs" and self.layer_name is None:
            raise PydanticCustomError("site", "a WFS needs the name of its type in layer_name")
        for text in (self.address or "", self.where):
            for name in _BRACES.findall(text):
                if name not in PLACES:
                    raise PydanticCustomError(
                        "site", "{name} in braces is none of {known}",
                        {"name": f"'{name}'", "known": ", ".join(sorted(PLACES))},
                    )  # fmt: skip
        return self


class Vintage(BaseModel):
    """The date that the data stand for: stated, or the service's last edit, or the file's date.

    ``fetched``, and the last resort of ``edited`` and ``last-modified``, is the day of the copy;
    the catalog's note then says that the service does not state the data's own date.
    """

    model_config = _STRICT

    rule: Literal["fixed", "edited", "last-modified", "fetched"]
    value: str | None = None
    year: int | None = Field(default=None, ge=1990, le=2100)

    @model_validator(mode="after")
    def _stated(self) -> Self:
        if (self.rule == "fixed") != (self.value is not None):
            raise PydanticCustomError("site", "value belongs to rule = 'fixed', and only to it")
        if self.value is not None and not _FIXED.match(self.value):
            raise PydanticCustomError("site", "value is no date (2023, 2023-06 or 2023-06-01)")
        return self


FieldNames = Annotated[tuple[str, ...], Field(min_length=1)]


class Recipe(BaseModel):
    """One layer. ``fields`` maps our name to the names that the service may use, best first."""

    model_config = _STRICT

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    kind: Kind
    name: str = Field(min_length=1)
    publisher: str = Field(min_length=1)
    licence: str = Field(min_length=1)
    grade: Grade
    verified_live: bool
    service: Service
    vintage: Vintage
    fields: dict[str, FieldNames] = Field(default_factory=dict)
    keep: tuple[str, ...] | None = None
    by_default: bool = True
    replaces: tuple[str, ...] = ()
    empty_means_none: bool = False
    uncertainty_m: float = Field(default=0.0, ge=0, le=100_000, allow_inf_nan=False)
    max_age_days: int | None = Field(default=None, gt=0)
    note: str | None = None

    @property
    def is_raster(self) -> bool:
        """Whether it brings cells, not rows."""
        return self.kind in {"wildfire", "burn_probability", "dem"}

    @model_validator(mode="after")
    def _maps_its_fields(self) -> Self:
        missing = [n for n in NEEDED_FIELDS.get(self.kind, ()) if n not in self.fields]
        if missing and not self.is_raster:
            raise PydanticCustomError(
                "site", "no field is mapped to {names}", {"names": ", ".join(missing)}
            )
        return self


def load_recipes(folder: Path | None = None) -> dict[str, Recipe]:
    """The bundled recipes by id, and those of *folder*, which replace bundled ones of their id."""
    files = sorted(bundled("layers", "recipes").glob("*.toml"))
    if folder is not None:
        own = sorted(folder.glob("*.toml"))
        if not own:
            raise LayerError(str(folder), "the folder holds no recipe", "put a .toml file into it")
        files += own
    return {recipe.id: recipe for recipe in map(load_recipe, files)}


def load_recipe(file: Path) -> Recipe:
    """One recipe file; its name must be its id. Raises ``ManyErrors`` with every fault."""
    try:
        content = tomllib.loads(read_text(file, what="recipe"))
    except tomllib.TOMLDecodeError as error:
        raise _error(str(file), f"this is not TOML ({str(error).lower()})", "mend it") from None
    try:
        recipe = Recipe.model_validate(_lists(content))
    except ValidationError as error:
        raise ManyErrors(
            _error(
                f"{file} ({'.'.join(map(str, d['loc'])) or 'recipe'})", d["msg"].lower(), "mend it"
            )
            for d in error.errors(include_url=False)
        ) from None
    if recipe.id != file.stem:
        raise _error(str(file), f"its id is '{recipe.id}'", f"name the file {recipe.id}.toml")
    return recipe


def filled(text: str, *, geoid: str, year: int | None, bbox: str = "", tile: str = "") -> str:
    """*text* with what stands in braces put in; other braces are left (they cannot occur)."""
    values = {
        "state_fips": geoid[:2], "county_fips": geoid[2:], "geoid": geoid,
        "year": str(year or ""), "bbox": bbox, "tile": tile,
    }  # fmt: skip
    return _BRACES.sub(lambda hit: values.get(hit.group(1), hit.group(0)), text)


def _lists(content: dict[str, Any]) -> dict[str, Any]:
    """A field that is mapped to one name may be written without the brackets of a list."""
    fields = content.get("fields")
    if not isinstance(fields, dict):
        return content
    return {**content, "fields": {k: [v] if isinstance(v, str) else v for k, v in fields.items()}}


def _error(place: str, fault: str, mend: str) -> LayerError:
    return LayerError(place, fault, mend, code="layer.recipe")
