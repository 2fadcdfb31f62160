"""The walk through the ordinance: each clause, in its order, to findings, items or a plain reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from site_eval.case import Case
from site_eval.engine import paper, quantity
from site_eval.engine.answer import Answer, feature_collection
from site_eval.engine.registry import Check, Registry
from site_eval.ordinance.clause import Clause
from site_eval.record.finding import ClauseReference, Finding
from site_eval.record.verdict import Verdict, cap


@dataclass(frozen=True)
class Walked:
    """The findings in the ordinance's order, the clauses that only an inspection answers, and why the
    ordinance does not bind at all (nothing when it does).
    """

    findings: list[Finding]
    on_site_only: list[str]
    not_bound: str | None


def walk(case: Case, registry: Registry) -> Walked:
    """Put every clause to the checks that answer its subject, then to its numbers and papers.

    The checks of scope come first. When one of them says that the ordinance does not bind this
    assembly, the remaining clauses are told as not applicable and no check is run for them.
    """
    scope: dict[str, list[tuple[str, Answer]]] = {}
    for clause in case.ordinance.clauses:
        for item in registry.answering(clause.subject):
            if item.scope:
                scope.setdefault(clause.id, []).extend(_ran(case, clause, item))
    unbound = next(
        (
            answer.statement
            for found in scope.values()
            for _, answer in found
            if answer.unbinds and not (answer.on_land and case.land.needs_review)
        ),
        None,
    )

    findings: list[Finding] = []
    on_site_only: list[str] = []
    for clause in case.ordinance.clauses:
        answers = scope.get(clause.id, [])
        if unbound is None:
            answers = [*answers, *_answers(case, clause, registry)]
        elif not answers:
            answers = [(clause.check, _unbound(unbound))]
        if not answers:
            on_site_only.append(clause.id)
        doubts = case.land.needs_review
        findings.extend(_finding(clause, check_id, answer, doubts) for check_id, answer in answers)
    return Walked(findings, on_site_only, unbound)


def _answers(case: Case, clause: Clause, registry: Registry) -> list[tuple[str, Answer]]:
    """Every answer but those of the checks of scope; empty when only an inspection can answer."""
    checks = registry.answering(clause.subject)
    answers = [pair for item in checks if not item.scope for pair in _ran(case, clause, item)]
    if not checks:
        answers += [(clause.check, answer) for answer in quantity.answers(case, clause)]
    answers += [(clause.check, answer) for answer in paper.answers(case, clause)]
    if answers or checks or clause.on_site:
        return answers
    if clause.covers:
        return [(clause.check, Answer(Verdict.NOT_APPLICABLE, clause.covers))]
    statement = f"No check of this tool answers the subject {clause.subject}; a person has to."
    return [(clause.check, Answer(Verdict.NOT_DETERMINED, statement))]


def _ran(case: Case, clause: Clause, item: Check) -> Iterable[tuple[str, Answer]]:
    """The check's answers, or why it was not run: the clause does not bind, or a need is unmet."""
    resolution = clause.requires.resolve(case.basis) if clause.requires else None
    if resolution is not None and not resolution.applies:
        yield item.id, Answer(Verdict.NOT_APPLICABLE, resolution.why)
        return
    missing = [why for need in item.needs if (why := need.missing(case))]
    if resolution is not None and resolution.missing and not item.answers_unstated:
        missing.append(f"The application does not state {', '.join(resolution.missing)}; add it.")
    if missing:
        required = resolution.required if resolution else None
        yield item.id, Answer(Verdict.NOT_DETERMINED, " ".join(missing), required=required)
        return
    for answer in item.run(case, clause):
        yield item.id, answer


def _unbound(reason: str) -> Answer:
    return Answer(Verdict.NOT_APPLICABLE, f"The ordinance does not bind this assembly. {reason}")


def _finding(clause: Clause, check_id: str, answer: Answer, doubts: tuple[str, ...]) -> Finding:
    """The answer with its clause, its verdict capped by doubts of the land and by the sources."""
    own = answer.verdict
    land_reasons: tuple[str, ...] = ()
    if answer.on_land and doubts and own in {Verdict.COMPLIES, Verdict.NOT_APPLICABLE}:
        own, land_reasons = Verdict.NEEDS_REVIEW, doubts
    verdict, reasons = cap(
        own,
        [source.grade for source in answer.sources],
        plan_suffices=clause.plan_suffices,
    )
    return Finding(
        check=check_id,
        clause=ClauseReference(id=clause.id, citation=clause.citation, quote=clause.quote),
        question=answer.question or clause.question,
        verdict=verdict,
        statement=answer.statement,
        measured=answer.measured,
        required=answer.required,
        reasons=[*answer.reasons, *land_reasons, *reasons],
        agency=clause.agency,
        sources=[*answer.sources, *answer.background],
        evidence=feature_collection(answer.evidence),
    )
