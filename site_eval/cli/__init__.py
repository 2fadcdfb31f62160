"""The command ``site-eval``: each command is a file of this folder, imported when it is asked for."""

from __future__ import annotations

import importlib
import sys

import click

from site_eval import __version__
from site_eval.errors import SiteEvalError

_COMMANDS = {
    "demo": "evaluate",
    "evaluate": "evaluate",
    "locate": "locate",
    "parking": "parking",
    "compare": "compare",
    "maps": "maps",
    "web": "web",
    "grant": "grant",
    "layers": "layers",
    "screen": "screen",
    "ordinance": "ordinance",
    "schema": "schema",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is named or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Commands in the order in which a newcomer meets them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command called *cmd_name*, or nothing."""
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"site_eval.cli.{_COMMANDS[cmd_name]}")
        command = getattr(module, cmd_name)
        return command if isinstance(command, click.Command) else None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="site-eval")
def site_eval() -> None:
    """Check a proposed mass-gathering site against a county's ordinance.

    Start with `site-eval demo`. Exit status: 0 nothing fails to comply, 1 something does not
    comply, 2 the input could not be used.
    """


def main() -> None:
    """Run the command line; bad input ends with one sentence and exit status 2."""
    try:
        site_eval()
    except SiteEvalError as error:
        click.echo(f"site-eval: {error}", err=True)
        sys.exit(2)
