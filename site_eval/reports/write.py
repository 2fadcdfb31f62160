"""Every file of an evaluation, written into one folder, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from site_eval.files import whole_file
from site_eval.record.condition import Checklist
from site_eval.record.evaluation import Evaluation
from site_eval.reports.findings_csv import findings_csv
from site_eval.reports.geopackage import write_geopackage
from site_eval.reports.map_html import map_html
from site_eval.reports.packet import write_packet

# Beyond this a decimal is noise: 1e-7 degree is a centimetre.
_DECIMALS = 7


def write_all(evaluation: Evaluation, folder: Path) -> dict[str, Path]:
    """Write the six files of an evaluation into *folder* and return their paths by name.

    None of them appears before all of them could be made, so a folder never holds a new packet
    beside an old record. The same evaluation gives the same bytes. Raises ``OutputError`` when
    the folder cannot be written to.
    """
    writers: dict[str, Callable[[Path], object]] = {
        "evaluation.json": lambda path: _write(path, evaluation_json(evaluation)),
        "findings.csv": lambda path: _write(path, findings_csv(evaluation)),
        "site.gpkg": lambda path: write_geopackage(evaluation, path),
        "map.html": lambda path: _write(path, map_html(evaluation)),
        "packet.pdf": lambda path: write_packet(evaluation, path),
        "checklist.json": lambda path: _write(path, checklist_json(evaluation.checklist)),
    }
    written = {name: folder / name for name in writers}
    with ExitStack() as stack:
        for name, path in written.items():
            writers[name](stack.enter_context(whole_file(path)))
    return written


def evaluation_json(evaluation: Evaluation) -> str:
    """``evaluation.json``: fields in the order of the model, two spaces, a newline at the end."""
    return _json(evaluation)


def checklist_json(checklist: Checklist) -> str:
    """``checklist.json``: what the agencies inspect, applied for or granted."""
    return _json(checklist)


def _json(model: BaseModel) -> str:
    value = _rounded(model.model_dump(mode="json", by_alias=True))
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _rounded(value: Any) -> Any:
    """Floating-point numbers to seven decimals, without a minus before nothing."""
    if isinstance(value, float):
        return round(value, _DECIMALS) + 0.0
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value


def _write(path: Path, text: str) -> None:
    # findings.csv brings its own line ends; nothing may turn them into others.
    path.write_bytes(text.encode("utf-8"))
