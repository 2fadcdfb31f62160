"""Two evaluations side by side: two sites, or two versions of one plan, and what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from site_eval.crs import LocalFrame
from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding
from site_eval.record.verdict import Verdict
from site_eval.reports.decision import short_statement
from site_eval.reports.places import Place, layout_places, site_frame, site_geometry
from site_eval.reports.words import check_title, measured_words, number

Change = Literal["better", "worse", "other", "same", "added", "removed"]
# From worst to best; a verdict that moves down this list is better.
_ORDER = (
    Verdict.DOES_NOT_COMPLY,
    Verdict.NOT_DETERMINED,
    Verdict.NEEDS_REVIEW,
    Verdict.COMPLIES,
)
# Corners that differ by less are the same place drawn again.
_SAME_PLACE_M = 0.1


@dataclass(frozen=True)
class Fact:
    """A number or a word of the application or the site, before and after."""

    title: str
    before: str
    after: str


@dataclass(frozen=True)
class FindingChange:
    """One question in both evaluations; a side that does not ask it is empty."""

    check: str
    clause: str
    question: str
    change: Change
    before: str
    after: str
    before_words: str
    after_words: str


@dataclass(frozen=True)
class LayoutChange:
    """A thing of the layout that was added, removed, or moved or reshaped."""

    role: str
    name: str
    change: Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class Comparison:
    """What differs between two evaluations; ``same_land`` says whether they share any ground."""

    before: str
    after: str
    same_ordinance: bool
    same_land: bool
    facts: tuple[Fact, ...]
    findings: tuple[FindingChange, ...]
    layout: tuple[LayoutChange, ...]

    @property
    def changed(self) -> tuple[FindingChange, ...]:
        """The findings that are not the same in both."""
        return tuple(item for item in self.findings if item.change != "same")

    def counts(self) -> dict[str, int]:
        """How many findings changed in each way."""
        return dict(Counter(item.change for item in self.findings))


def compare(a: Evaluation, b: Evaluation) -> Comparison:
    """Compare *a* (before) with *b* (after).

    Findings are matched by check, clause and question; among several of one kind, in their order.
    """
    same_land = site_geometry(a).intersects(site_geometry(b))
    return Comparison(
        before=_name(a),
        after=_name(b),
        same_ordinance=a.ordinance.id == b.ordinance.id,
        same_land=same_land,
        facts=tuple(_facts(a, b)),
        findings=tuple(_findings(a, b)),
        layout=tuple(_layout(a, b)) if same_land else (),
    )


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values."""
    return asdict(comparison) | {"counts": comparison.counts()}


def _name(evaluation: Evaluation) -> str:
    return f"{evaluation.checklist.terms.event} (as of {evaluation.as_of})"


def _facts(a: Evaluation, b: Evaluation) -> Iterable[Fact]:
    rows = [
        (title, before, after)
        for (title, before), (_, after) in zip(_told(a), _told(b), strict=True)
    ]
    return (Fact(*row) for row in rows if row[1] != row[2])


def _told(evaluation: Evaluation) -> list[tuple[str, str]]:
    terms, site = evaluation.checklist.terms, evaluation.site
    return [
        ("Event", terms.event),
        ("Ordinance", evaluation.ordinance.citation),
        ("Starts", terms.starts),
        ("Ends", terms.ends),
        ("Persons", number(terms.maximum)),
        ("Women", _maybe(terms.female)),
        ("Men", _maybe(terms.male)),
        ("Overnight", _maybe(terms.overnight)),
        ("Land", site.description.understood or site.description.text),
        ("Acres", number(round(site.area_acres, 2))),
        ("Boundary known to, m", number(round(site.position_uncertainty_m, 1))),
        ("As of", evaluation.as_of),
    ]


def _maybe(value: int | None) -> str:
    return "–" if value is None else number(value)


def _findings(a: Evaluation, b: Evaluation) -> Iterable[FindingChange]:
    before, after = _keyed(a), _keyed(b)
    for key in dict.fromkeys([*before, *after]):
        yield _change(key, before.get(key), after.get(key))


def _keyed(evaluation: Evaluation) -> dict[tuple[str, str, str, int], Finding]:
    seen: Counter[tuple[str, str, str]] = Counter()
    keyed = {}
    for finding in evaluation.findings:
        key = (finding.check, finding.clause.id, finding.question)
        keyed[(*key, seen[key])] = finding
        seen[key] += 1
    return keyed


def _change(
    key: tuple[str, str, str, int], before: Finding | None, after: Finding | None
) -> FindingChange:
    check, clause, question, _ = key
    return FindingChange(
        check=check,
        clause=clause,
        question=question,
        change=_kind(before, after),
        before=before.verdict.value if before else "",
        after=after.verdict.value if after else "",
        before_words=short_statement(before) if before else "",
        after_words=short_statement(after) if after else "",
    )


def _kind(before: Finding | None, after: Finding | None) -> Change:
    if before is None or after is None:
        return "added" if before is None else "removed"
    if before.verdict is not after.verdict:
        if before.verdict in _ORDER and after.verdict in _ORDER:
            better = _ORDER.index(after.verdict) > _ORDER.index(before.verdict)
            return "better" if better else "worse"
        return "other"
    same = measured_words(before.measured) == measured_words(after.measured)
    return "same" if same and before.statement == after.statement else "other"


def same_things(
    a: Evaluation, b: Evaluation
) -> tuple[tuple[Place, ...], tuple[Place, ...], tuple[Place, ...]]:
    """The layout's things that both have, those as they were in *a* only, as they are in *b* only.

    A thing that was moved is among the last two.
    """
    pairs = _paired(a, b)
    return (
        tuple(new for old, new, changed in pairs if new and not changed),
        tuple(old for old, new, changed in pairs if old and changed),
        tuple(new for old, new, changed in pairs if new and changed),
    )


def _layout(a: Evaluation, b: Evaluation) -> Iterable[LayoutChange]:
    for old, new, changed in _paired(a, b):
        thing = new or old
        if changed and thing:
            kind: Literal["added", "removed", "changed"] = "changed"
            if old is None or new is None:
                kind = "added" if old is None else "removed"
            yield LayoutChange(thing.kind, thing.label, kind)


def _paired(a: Evaluation, b: Evaluation) -> list[tuple[Place | None, Place | None, bool]]:
    """Each thing of either layout: before, after, and whether they differ."""
    before, after = _things(a), _things(b)
    frame = site_frame(a)
    pairs = [(before.get(key), after.get(key)) for key in dict.fromkeys([*before, *after])]
    return [(old, new, not _alike(old, new, frame)) for old, new in pairs]


def _things(evaluation: Evaluation) -> dict[tuple[str, str, int], Place]:
    seen: Counter[tuple[str, str]] = Counter()
    things = {}
    for place in layout_places(evaluation):
        key = (place.kind, place.label)
        things[(*key, seen[key])] = place
        seen[key] += 1
    return things


def _alike(old: Place | None, new: Place | None, frame: LocalFrame) -> bool:
    """Whether two things have the same facts and stand in the same place."""
    if old is None or new is None or old.geometry.geom_type != new.geometry.geom_type:
        return False
    distance_m = frame.to_local(old.geometry).hausdorff_distance(frame.to_local(new.geometry))
    return bool(distance_m < _SAME_PLACE_M) and _facts_of(old) == _facts_of(new)


def _facts_of(place: Place) -> dict[str, Any]:
    return {name: value for name, value in place.properties.items() if value is not None}


def title_of(change: FindingChange) -> str:
    """The check's name and the clause."""
    return f"{check_title(change.check)} ({change.clause})"
