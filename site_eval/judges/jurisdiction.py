"""Whether land lies under the ordinance, by where it lies to a municipality and to the county."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from site_eval.record.verdict import Verdict
from site_eval.units import MILE_FT, metres

# Limits older than this may have moved by annexation; within this distance that could matter.
STALE_DAYS = 2 * 365
ANNEXATION_M = metres(MILE_FT)
# Functional status of the Census Bureau: inactive, nonfunctioning, fictitious.
INACTIVE = frozenset({"I", "N", "F"})
# Of several municipalities the first relation that is found decides.
ORDER = ("inside", "partly", "too-close", "outside")


def judge(
    relation: ArrayLike, distance_m: ArrayLike, *, active: ArrayLike, stale: ArrayLike
) -> NDArray[Any]:
    """The verdict on the deciding municipality (values of ``Verdict``), for one or for many.

    *relation* as of ``solvers.overlap.classify``. Outside complies, unless the limits are old
    enough and near enough for an annexation since; inside an active municipality the ordinance
    does not apply; anything between is for a person.
    """
    where, near = np.asarray(relation), np.asarray(distance_m, dtype=float) < ANNEXATION_M
    annexed = (where == "outside") & np.asarray(stale, dtype=bool) & near
    idle = (where == "inside") & ~np.asarray(active, dtype=bool)
    return np.select(
        [annexed | idle, where == "inside", where == "outside"],
        [Verdict.NEEDS_REVIEW.value, Verdict.NOT_APPLICABLE.value, Verdict.COMPLIES.value],
        Verdict.NEEDS_REVIEW.value,
    )


def judge_county(relation: ArrayLike) -> NDArray[Any]:
    """The verdict on the county whose ordinance it is: inside complies, outside is another's."""
    where = np.asarray(relation)
    return np.select(
        [where == "inside", where == "outside"],
        [Verdict.COMPLIES.value, Verdict.NOT_APPLICABLE.value],
        Verdict.NEEDS_REVIEW.value,
    )


def together(municipality: ArrayLike, county: ArrayLike) -> NDArray[Any]:
    """One verdict of the two: the ordinance binds only land where neither takes it away."""
    both = [np.asarray(municipality, dtype=object), np.asarray(county, dtype=object)]
    worst_first = (Verdict.NOT_APPLICABLE, Verdict.NEEDS_REVIEW, Verdict.NOT_DETERMINED)
    return np.select(
        [(both[0] == said.value) | (both[1] == said.value) for said in worst_first],
        [said.value for said in worst_first],
        Verdict.COMPLIES.value,
    )
