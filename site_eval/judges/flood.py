"""Whether land is in a mapped flood hazard area, by shares of it; unmapped land is never dry land."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from site_eval.record.verdict import Verdict

# Special Flood Hazard Areas of the National Flood Insurance Program (44 CFR 64.3).
SPECIAL = frozenset({"A", "AE", "AH", "AO", "A99", "AR", "V", "VE"})
UNSTUDIED = frozenset({"D", "AREA NOT INCLUDED"})
WHOLE = 0.999


def judge(
    special_share: ArrayLike, unstudied_share: ArrayLike, mapped_share: ArrayLike
) -> NDArray[Any]:
    """The verdict on shares (0 to 1) of the site; anything special or unmapped is for a person."""
    doubt = (
        (np.asarray(special_share) > 0)
        | (np.asarray(unstudied_share) > 0)
        | (np.asarray(mapped_share) < WHOLE)
    )
    return np.where(doubt, Verdict.NEEDS_REVIEW.value, Verdict.COMPLIES.value)
