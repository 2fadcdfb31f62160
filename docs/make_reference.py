"""Write the reference pages from the code: the checks' own pages and the commands' own help."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import click

from site_eval import checks
from site_eval.cli import site_eval
from site_eval.engine.registry import discover
from site_eval.profile import load_profile

FOLDER = Path(__file__).parent


def checks_page() -> str:
    """Every check: its id, the subjects that it answers, what it needs, and its docstring."""
    lines = [
        "# The checks\n",
        "Made from the code by `python docs/make_reference.py`. A clause of an ordinance names a",
        "*subject*; the checks below answer these subjects. Any other clause that asks for a number",
        "or a paper is answered by the engine from the ordinance file alone.\n",
    ]
    for check in discover(checks).all():
        needs = ["; or ".join(need.any_of) for need in check.needs if need.any_of]
        lines += [
            f"## {check.name.replace('_', ' ')}\n",
            f"Check id `{check.id}`. Subjects: {', '.join(f'`{s}`' for s in check.subjects)}."
            + (f" Needs: {', '.join(needs)}." if needs else "")
            + "\n",
            inspect.cleandoc(check.page).replace("\n*", "\n\n*") + "\n",
        ]
    return "\n".join([*lines, *_profile()])


def _profile() -> list[str]:
    """The figures of the bundled profile, by table, with their sources."""
    lines = [
        "## Figures beyond the ordinance\n",
        "The bundled profile, `data/profiles/default.toml`. Copy it, change it, and name it with",
        "`--profile`. A finding that rests on one of these figures is for a person to weigh.\n",
    ]
    for name, table in load_profile():
        lines += [f"**{name.replace('_', ' ')}** ({table.source})\n"]
        figures = table.model_dump(exclude={"source"})
        lines += [f"- `{key}` = {value}" for key, value in figures.items()] + [""]
    return lines


def commands_page() -> str:
    """The help of every command."""
    lines = ["# The command line\n", "Made from the code by `python docs/make_reference.py`.\n"]
    root = click.Context(site_eval, info_name="site-eval", terminal_width=88, max_content_width=88)
    lines += _help(site_eval, root)
    return "\n".join(lines)


def _help(command: click.Command, context: click.Context) -> list[str]:
    lines = [f"## {context.command_path}\n", "```", command.get_help(context), "```\n"]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                child = click.Context(
                    inner, parent=context, info_name=name, terminal_width=88, max_content_width=88
                )
                lines += _help(inner, child)
    return lines


PAGES = {"checks.md": checks_page, "command-line.md": commands_page}


def main() -> int:
    """Write the pages; with ``--check`` only say whether they are up to date."""
    stale = []
    for name, make in PAGES.items():
        path, text = FOLDER / name, make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    if "--check" in sys.argv and stale:
        sys.stderr.write(f"stale: {', '.join(stale)}; run python docs/make_reference.py\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
