"""``site-eval web``: the packet and the map of a stored evaluation, for a web site."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("evaluation", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=Path("web"), show_default=True)
@click.option(
    "--tiles",
    help="A public map to show under the plan, e.g. USGS.USTopo; needs a network to view.",
)
def web(evaluation: Path, out: Path, tiles: str | None) -> None:
    """Write packet.html and map.html of EVALUATION, an evaluation.json, into a folder.

    Each is one file. Without --tiles neither asks anything of a network.

    Example: site-eval web site-eval-demo/evaluation.json --out web
    """
    from site_eval.files import write_text
    from site_eval.reports.map_html import map_html
    from site_eval.reports.packet_html import packet_html
    from site_eval.reports.read import read_evaluation

    record = read_evaluation(evaluation)
    pages = {"map.html": map_html(record, tiles), "packet.html": packet_html(record)}
    for name, text in pages.items():
        write_text(out / name, text)
        click.echo(out / name)
