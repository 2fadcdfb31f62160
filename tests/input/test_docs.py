"""The pages on the application and the layers name every key that is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from site_eval.application import known_paths
from site_eval.layers.catalog import KINDS, NEEDED_FIELDS, LayerEntry
from site_eval.layout import ROLES
from site_eval.layout.values import PROPERTIES

DOCS = Path(__file__).resolve().parents[2] / "docs"
APPLICATION = (DOCS / "application-format.md").read_text()
LAYERS = (DOCS / "layers.md").read_text()


def words(text: str) -> set[str]:
    """Every identifier that stands within backticks, however it is bracketed there."""
    return {
        word for code in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"[\w-]+", code)
    }


@pytest.mark.parametrize("path", sorted(known_paths()))
def test_application_page_names_every_key(path: str) -> None:
    assert path.rpartition(".")[2] in words(APPLICATION)


def test_application_page_names_every_role_and_property() -> None:
    assert set(ROLES) | set(PROPERTIES) <= words(APPLICATION)


def test_layers_page_names_every_key_kind_and_field() -> None:
    named = words(LAYERS)
    assert set(KINDS) <= named
    assert {field for fields in NEEDED_FIELDS.values() for field in fields} <= named
    assert set(LayerEntry.model_fields) <= named
