"""The five verdicts, the five grades of a source, and the one place where a grade caps a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What the tool says of one question; it prepares a decision, people make it."""

    COMPLIES = "complies"
    DOES_NOT_COMPLY = "does-not-comply"
    NEEDS_REVIEW = "needs-review"
    NOT_DETERMINED = "not-determined"
    NOT_APPLICABLE = "not-applicable"


class Grade(StrEnum):
    """How much a source may decide."""

    AUTHORITATIVE = "authoritative"
    PUBLISHED = "published"
    DECLARED = "declared"
    INFERRED = "inferred"
    ILLUSTRATIVE = "illustrative"


_DECIDES = {Grade.AUTHORITATIVE, Grade.PUBLISHED}


def cap(
    verdict: Verdict, grades: Iterable[Grade], *, plan_suffices: bool
) -> tuple[Verdict, tuple[str, ...]]:
    """Lower *verdict* to what the deciding sources' *grades* can carry.

    ``illustrative`` data never gives better or worse than ``needs-review``, since it says nothing
    about the real land. ``complies`` needs every deciding source to be authoritative or
    published, or declared where the clause itself asks only for a plan (*plan_suffices*).
    Returns the verdict and the reasons for a change (empty when unchanged).
    """
    found = set(grades)
    decided = verdict in {Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY}
    if decided and Grade.ILLUSTRATIVE in found:
        return Verdict.NEEDS_REVIEW, (
            "A deciding layer is illustrative: made up for demonstration.",
        )
    if verdict is not Verdict.COMPLIES:
        return verdict, ()
    allowed = _DECIDES | ({Grade.DECLARED} if plan_suffices else set())
    weak = sorted(found - allowed)
    if not weak:
        return verdict, ()
    return Verdict.NEEDS_REVIEW, (f"The deciding source is only {' and '.join(weak)}.",)
