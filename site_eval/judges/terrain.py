"""Whether ground is too steep, by the share of it above a limit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from site_eval.record.verdict import Verdict

LEAST_COVERAGE = 0.95


def judge(share_steep: ArrayLike, coverage: ArrayLike) -> NDArray[Any]:
    """The verdict on the share (0 to 1) of used ground that is too steep."""
    doubt = (np.asarray(share_steep) > 0) | (np.asarray(coverage) < LEAST_COVERAGE)
    return np.where(doubt, Verdict.NEEDS_REVIEW.value, Verdict.COMPLIES.value)
