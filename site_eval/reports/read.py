"""A stored ``evaluation.json`` read back, so that its reports can be drawn again."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from site_eval.errors import InputFileError
from site_eval.files import read_text
from site_eval.record.evaluation import Evaluation

_MEND = "name an evaluation.json that `site-eval evaluate` wrote"


def read_evaluation(path: Path) -> Evaluation:
    """The evaluation in a file; raises ``InputFileError`` naming the place of the first fault."""
    text = read_text(path, what="evaluation")
    try:
        return Evaluation.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        place = f"{path} ({where})" if where else str(path)
        fault = first["msg"][:1].lower() + first["msg"][1:]
        raise InputFileError(place, fault.rstrip("."), _MEND) from None
