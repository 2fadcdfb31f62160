"""Recipes are well formed, and a fault in one is told in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from string import Formatter

import pytest
from click.testing import CliRunner

from site_eval.cli.layers import layers
from site_eval.errors import SiteEvalError
from site_eval.layers.catalog import load_catalog
from site_eval.layers.recipe import filled, load_recipe, load_recipes
from site_eval.resources import bundled

ROOT = Path(__file__).resolve().parents[2]
RECIPES = load_recipes()


def test_the_layers_that_a_county_needs_have_a_recipe() -> None:
    assert {
        "county", "places", "plss_township", "plss_section", "plss_second_division", "wildfire",
        "burn_probability", "flood", "roads", "stations", "parcels", "dem",
    } <= {recipe.kind for recipe in RECIPES.values()}  # fmt: skip


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=list(RECIPES))
def test_a_bundled_recipe_is_well_formed(recipe) -> None:
    assert recipe.licence
    # None was run against the live service where these tests were written.
    assert recipe.verified_live is False
    assert recipe.grade == "published"
    address = recipe.service.address
    if address is None:
        assert not recipe.by_default
        return
    assert address.startswith("https://")
    whole = filled(address, geoid="16045", year=recipe.vintage.year, tile="n44w117")
    assert [name for _, name, _, _ in Formatter().parse(whole) if name] == []
    assert ("{year}" in address) == (recipe.vintage.year is not None)
    if recipe.vintage.year is not None:
        assert str(recipe.vintage.value).startswith(str(recipe.vintage.year))
    assert set(recipe.replaces) <= {entry.id for entry in load_catalog().entries}


def test_an_address_is_filled_with_the_county() -> None:
    roads = RECIPES["tiger-roads"].service.address
    assert filled(str(roads), geoid="16045", year=2024) == (
        "https://www2.census.gov/geo/tiger/TIGER2024/ROADS/tl_2024_16045_roads.zip"
    )
    places = RECIPES["tiger-places"].service.address
    assert filled(str(places), geoid="16045", year=2024) == (
        "https://www2.census.gov/geo/tiger/TIGER2024/PLACE/tl_2024_16_place.zip"
    )


def test_the_page_on_layers_names_every_recipe_and_that_none_was_run() -> None:
    page = (ROOT / "docs" / "layers.md").read_text()
    assert [name for name in RECIPES if f"| `{name}` |" not in page] == []
    assert "never run against the live service" in page


def test_what_can_be_fetched_is_listed() -> None:
    shown = CliRunner().invoke(layers, ["list", "--official"])
    assert shown.exit_code == 0
    assert shown.output.count("never run against the live service") == len(RECIPES)
    listed = json.loads(CliRunner().invoke(layers, ["list", "--official", "--json"]).output)
    assert {row["id"] for row in listed} == set(RECIPES)


def changed(folder: Path, old: str, new: str) -> Path:
    text = bundled("layers", "recipes", "nfhl-flood-zones.toml").read_text()
    assert old in text
    file = folder / "nfhl-flood-zones.toml"
    file.write_text(text.replace(old, new))
    return file


BAD = {
    "unknown kind of service": ('"arcgis-feature"', '"arcgis"', "service.type"),
    "unknown key": ("page_rows", "page_size", "page_size"),
    "unknown place in braces": ("public/NFHL", "public/{county}", "'county' in braces"),
    "no licence": ('licence = "public domain (US federal work)"', "", "licence"),
    "field not mapped": ('zone = "FLD_ZONE"', 'area = "FLD_ZONE"', "no field is mapped to zone"),
    "no vintage": ('rule = "edited"', 'rule = "fixed"', "value belongs to rule"),
    "two ways to a layer": ("layer = 28", 'layer = 28\nlayer_name = "Zones"', "cannot both"),
    "not TOML": ("[service]", "[service", "not TOML"),
    "another id": ('id = "nfhl-flood-zones"', 'id = "nfhl"', "name the file nfhl.toml"),
    "not said whether it was run": ("verified_live = false", "", "verified_live"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_fault_in_a_recipe_is_told(name: str, tmp_path: Path) -> None:
    old, new, phrase = BAD[name]
    with pytest.raises(SiteEvalError) as caught:
        load_recipe(changed(tmp_path, old, new))
    assert phrase in str(caught.value)


def test_a_recipe_of_ones_own_replaces_the_bundled_one(tmp_path: Path) -> None:
    changed(tmp_path, "layer = 28", "layer = 29")
    own = load_recipes(tmp_path)
    assert own["nfhl-flood-zones"].service.layer == 29
    assert set(own) == set(RECIPES)
