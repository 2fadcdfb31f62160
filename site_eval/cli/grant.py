"""``site-eval grant``: the conditions that the Board ordered, as items of the licence's checklist."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("evaluation", type=click.Path(path_type=Path))
@click.option(
    "--propose",
    type=click.Path(path_type=Path),
    help="Write the conditions proposed to this file, for a person to edit.",
)
@click.option(
    "--order", type=click.Path(path_type=Path), help="The edited file: the Board's order."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("checklist.json"),
    show_default=True,
    help="Where the checklist of the licence goes.",
)
def grant(evaluation: Path, propose: Path | None, order: Path | None, out: Path) -> None:
    """Make the checklist of a licence from EVALUATION and the Board's order.

    First --propose writes a file with a condition for each question that is open. When the Board
    has decided, strike out, change and add in it, then --order makes checklist.json with every
    condition as an item. Nothing is granted by this tool; another maximum of people is another
    application, to be evaluated again, for every threshold depends on it. The checklist goes to
    the inspection app: inspect-web licence import evaluation.json --checklist checklist.json.

    Example: site-eval grant site-eval-demo/evaluation.json --propose order.toml
    """
    from site_eval.files import read_text, write_text
    from site_eval.reports.granting import granted, proposed_order, read_order
    from site_eval.reports.read import read_evaluation
    from site_eval.reports.write import checklist_json

    if (propose is None) == (order is None):
        raise click.UsageError("give --propose FILE to begin, or --order FILE when it is decided")
    record = read_evaluation(evaluation)
    if propose is not None:
        if propose.exists():
            raise click.UsageError(f"{propose} is there already, perhaps edited; name another file")
        write_text(propose, proposed_order(record, str(evaluation)))
        click.echo(propose)
    if order is not None:
        asked = read_order(order, read_text(order, what="order"), record)
        checklist = granted(record, asked)
        write_text(out, checklist_json(checklist))
        click.echo(f"{out}: {len(checklist.items)} items, {len(asked.conditions)} by the Board.")
