"""``site-eval maps``: the printed maps of a stored evaluation, for a meeting or a wall."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("evaluation", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=Path("maps"), show_default=True)
@click.option(
    "--topic",
    "topics",
    multiple=True,
    help="A map by its id; all that show something if not given.",
)
@click.option(
    "--sheet",
    default="letter-landscape",
    show_default=True,
    help="letter, legal or tabloid, with -portrait or -landscape.",
)
@click.option(
    "--relief",
    type=click.Path(path_type=Path),
    help="A GeoTIFF of elevations in metres, for a hill shade under every map.",
)
@click.option("--form", type=click.Choice(["pdf", "svg", "png"]), default="pdf", show_default=True)
def maps(
    evaluation: Path,
    out: Path,
    topics: tuple[str, ...],
    sheet: str,
    relief: Path | None,
    form: str,
) -> None:
    """Draw the maps of EVALUATION, an evaluation.json, each to an engineer's scale.

    With no --topic, an atlas of all maps in one PDF is written as well.

    Example: site-eval maps results/evaluation.json --sheet legal-portrait
    """
    from site_eval.reports.map_topics import worth_drawing
    from site_eval.reports.read import read_evaluation
    from site_eval.reports.static_map import write_atlas, write_static_map

    record = read_evaluation(evaluation)
    for topic in topics or tuple(topic.id for topic in worth_drawing(record)):
        path = out / f"{topic}.{form}"
        write_static_map(record, path, topic, sheet, relief)
        click.echo(path)
    if not topics:
        write_atlas(record, out / "atlas.pdf", sheet, relief)
        click.echo(out / "atlas.pdf")
