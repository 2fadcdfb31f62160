"""The code names no county: whose law it is stands in the data."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The default of an option has to name some file; the demo says what it shows.
NAMED = {
    "site_eval/evaluate.py": "gem-county-id-2015-04",
    "site_eval/cli/screen.py": "gem-county-id-2015-04",
}


def counties() -> set[str]:
    laws = (tomllib.loads(p.read_text("utf-8")) for p in ROOT.glob("data/ordinances/*.toml"))
    return {law["jurisdiction"]["county"].lower() for law in laws}


def strings(source: str) -> Iterator[str]:
    """The strings of a module that are not docstrings."""
    tree = ast.parse(source)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def naming(source: str, allowed: str | None = None) -> list[str]:
    told = {f"{c}{between}county" for c in counties() for between in " -_"}
    told |= {c.replace(" ", "-") + "-county" for c in counties()}
    return [s for s in strings(source) if s != allowed and any(name in s.lower() for name in told)]


def test_no_string_of_the_code_names_a_county() -> None:
    assert {"gem", "twin falls"} <= counties()
    files = [*ROOT.glob("site_eval/**/*.py"), *ROOT.glob("inspect_web/**/*.py")]
    files = [f for f in files if "_data" not in f.parts]
    bad = {}
    for file in files:
        name = str(file.relative_to(ROOT))
        if found := naming(file.read_text("utf-8"), NAMED.get(name)):
            bad[name] = found
    assert bad == {}


def test_the_pages_and_the_phone_name_none() -> None:
    bad = []
    for ending in ("js", "html", "typ"):
        for file in [
            *ROOT.glob(f"inspect_web/**/*.{ending}"),
            *ROOT.glob(f"site_eval/**/*.{ending}"),
        ]:
            text = file.read_text("utf-8").lower()
            bad += [file.name for county in counties() if f"{county} county" in text]
    assert bad == []


def test_a_county_in_a_string_is_seen_and_in_a_docstring_is_not() -> None:
    assert naming('"""Gem County."""\nx = "Gem County"') == ["Gem County"]
