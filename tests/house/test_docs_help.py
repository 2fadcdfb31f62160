"""Every command's help ends with an example that the command line can read."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.house.test_docs_commands import PROGRAMS, parse


def leaves(command: click.Command, path: str, context: click.Context) -> Iterator[tuple[str, str]]:
    """The path and the help of every command that is not a group of others."""
    if not isinstance(command, click.Group):
        yield path, command.get_help(context)
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        child = click.Context(inner, parent=context, info_name=name, terminal_width=80)
        yield from leaves(inner, f"{path} {name}", child)


HELPS = [
    leaf
    for program, command in PROGRAMS.items()
    for leaf in leaves(command, program, click.Context(command, info_name=program))
]


@pytest.mark.parametrize(("path", "text"), HELPS, ids=[path for path, _ in HELPS])
def test_a_help_has_an_example(
    path: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = re.search(r"Example: (.+?)(?:\n\s*\n|\Z)", text, flags=re.DOTALL)
    assert found, text
    example = " ".join(found[1].split())
    assert example.startswith(path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_PASSWORD", "only-for-this-test")
    for name in re.findall(r"\S+\.(?:toml|json|zip|tar|gpkg|geojson)\b", example):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    parse(example)
