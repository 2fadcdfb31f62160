"""``site-eval compare``: two sites, or two versions of a plan, side by side."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option(
    "--map", "map_file", type=click.Path(path_type=Path), help="Also draw a map (.svg, .pdf, .png)."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and no table.")
def compare(before: Path, after: Path, map_file: Path | None, as_json: bool) -> None:
    """Say what differs between BEFORE and AFTER, two evaluation.json files.

    The exit status is 1 when something does not comply in AFTER.

    Example: site-eval compare first/evaluation.json second/evaluation.json --map change.pdf
    """
    import json
    import sys

    from rich.console import Console

    from site_eval.record.verdict import Verdict
    from site_eval.reports.compare import compare as compared
    from site_eval.reports.compare import comparison_json
    from site_eval.reports.compare_table import print_comparison
    from site_eval.reports.read import read_evaluation

    a, b = read_evaluation(before), read_evaluation(after)
    comparison = compared(a, b)
    if map_file is not None:
        from site_eval.reports.compare_map import write_comparison_map

        write_comparison_map(a, b, map_file)
    if as_json:
        sys.stdout.write(
            json.dumps(comparison_json(comparison), indent=2, ensure_ascii=False) + "\n"
        )
    else:
        print_comparison(comparison, Console())
    sys.exit(1 if b.summary[Verdict.DOES_NOT_COMPLY] else 0)
