"""``site-eval web``: the board packet of a stored evaluation as one web page."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("evaluation", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("packet.html"), show_default=True
)
def web(evaluation: Path, out: Path) -> None:
    """Write the packet of EVALUATION, an evaluation.json, as a page for a county's web site.

    One file without scripts; it asks nothing of a network.

    Example: site-eval web site-eval-demo/evaluation.json --out packet.html
    """
    from site_eval.files import write_text
    from site_eval.reports.packet_html import packet_html
    from site_eval.reports.read import read_evaluation

    write_text(out, packet_html(read_evaluation(evaluation)))
    click.echo(out)
