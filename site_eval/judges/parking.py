"""Whether there are stalls enough, by what is declared, what fits, and what could ever fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from site_eval.record.verdict import Verdict


def judge(
    declared: ArrayLike, fits: ArrayLike, ceiling: ArrayLike, required: ArrayLike
) -> NDArray[Any]:
    """The verdict on stalls inside the grounds.

    Fewer declared than required, or a required number that no layout of the ground could hold,
    does not comply. A number between what was laid out and the ceiling is for a person.
    """
    asked = np.asarray(required, dtype=float)
    return np.select(
        [
            (np.asarray(declared) < asked) | (np.asarray(ceiling) < asked),
            np.asarray(fits) >= asked,
        ],
        [Verdict.DOES_NOT_COMPLY.value, Verdict.COMPLIES.value],
        Verdict.NEEDS_REVIEW.value,
    )
