"""``site-eval schema``: the JSON Schema of each file that the tool reads or writes."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", type=click.Choice(["application", "evaluation", "ordinance", "checklist"]))
def schema(name: str) -> None:
    """Print the JSON Schema of NAME.

    Example: site-eval schema evaluation
    """
    import json

    from pydantic import BaseModel

    from site_eval.application import Application
    from site_eval.ordinance.library import Ordinance
    from site_eval.record.condition import Checklist
    from site_eval.record.evaluation import Evaluation

    models: dict[str, type[BaseModel]] = {
        "application": Application,
        "evaluation": Evaluation,
        "ordinance": Ordinance,
        "checklist": Checklist,
    }
    click.echo(json.dumps(models[name].model_json_schema(by_alias=True), indent=2))
