"""From the ordinance and a licence's terms to the checklist: each condition as somebody inspects it."""

from __future__ import annotations

from dataclasses import replace

from site_eval.ordinance.basis import Basis
from site_eval.ordinance.clause import Clause, OnSite
from site_eval.ordinance.library import Ordinance
from site_eval.ordinance.requirement import Requirement, Resolution
from site_eval.record.condition import Checklist, ChecklistItem, LicenceTerms
from site_eval.record.finding import ClauseReference
from site_eval.record.measure import Required


def checklist_for(ordinance: Ordinance, terms: LicenceTerms, basis: Basis) -> Checklist:
    """Every item that is inspected under a licence of these *terms*, thresholds worked out.

    The terms decide: the maximum, the split by sex and the number overnight come from the
    licence, everything else (days, hours, plan values) from *basis*. An item whose condition is
    known not to hold is left out; one whose condition is unknown stays, and its note says so.
    """
    licensed = licensed_basis(ordinance, terms, basis)
    strict = _strict_basis(licensed, terms)
    items = [
        _item(clause, item, licensed, strict)
        for clause in ordinance.clauses
        for item in clause.on_site
        if item.when is None or item.when.state(licensed) is not False
    ]
    return Checklist(
        ordinance_id=ordinance.id,
        ordinance_citation=ordinance.citation,
        jurisdiction=ordinance.jurisdiction.name,
        terms=terms,
        items=items,
    )


def on_site_only(ordinance: Ordinance) -> list[str]:
    """Ids of the clauses that no number and no paper of an application can answer."""
    return [
        clause.id
        for clause in ordinance.clauses
        if clause.on_site and not clause.documents and not clause.declared_paths
    ]


def licensed_basis(ordinance: Ordinance, terms: LicenceTerms, basis: Basis) -> Basis:
    """The *basis* on which the licence's thresholds run.

    A split by sex that the licence does not state is not assumed: each sex is then counted as if
    the whole maximum were of it, the strict reading, and the ordinance's assumed split is shown
    beside it in the item's note.
    """
    quantities = {**basis.quantities, "persons": float(terms.maximum)}
    stated = {
        "female": terms.female,
        "male": terms.male,
        "overnight_persons": terms.overnight,
    }
    for name, number in stated.items():
        quantities.pop(name, None)
        if number is not None:
            quantities[name] = float(number)
    bare = replace(basis, quantities=quantities, assumed={}, scenarios=())
    return ordinance.with_assumptions(bare)


def _item(clause: Clause, item: OnSite, basis: Basis, strict: Basis) -> ChecklistItem:
    rule = clause.requires if item.threshold == "same" else item.threshold
    threshold, judgement, notes = _threshold(rule, basis, strict)
    return ChecklistItem(
        id=item.id,
        clause=ClauseReference(id=clause.id, citation=clause.citation, quote=clause.quote),
        subject=clause.subject,
        question=item.question,
        agency=item.agency or clause.agency or "coordinator",
        agency_named_in_text=item.agency_named,
        phases=list(item.phases),
        cadences=list(item.cadences),
        answer=item.answer,
        unit=item.unit,
        threshold=threshold,
        judgement=item.judgement or judgement,
        evidence=list(item.evidence),
        note=" ".join([*filter(None, [item.note]), *notes, *_unknown(item, basis)]) or None,
    )


def _threshold(
    rule: Requirement | None, basis: Basis, strict: Basis
) -> tuple[Required | None, bool, list[str]]:
    """The threshold, whether a reason is due with the answer, and what the note has to say."""
    if rule is None:
        return None, False, []
    resolution = rule.resolve(basis)
    if resolution.required is None:
        return None, False, _why_not(resolution)
    if resolution.required_low is None:
        return resolution.required, False, []
    strictest = rule.resolve(strict).required
    formulas = dict.fromkeys(
        r.formula
        for r in (resolution.required, resolution.required_low, resolution.required_high)
        if r is not None
    )
    notes = [f"{' '.join(resolution.assumptions)} Under it: {'; '.join(formulas)}.",
             "The license should state the number; until then the threshold is the strict one."]  # fmt: skip
    return strictest or resolution.required, True, notes


def _strict_basis(basis: Basis, terms: LicenceTerms) -> Basis:
    """Every assumed quantity as large as the terms allow.

    A split that the terms state leaves at most what it does not account for (staff); without one
    the whole maximum may be of one sex.
    """
    split = terms.female is not None and terms.male is not None
    largest = {
        name: max(scenario.quantities[name] for scenario in basis.scenarios) if split
        else float(terms.maximum)
        for name in (basis.assumed if basis.scenarios else ())
    }  # fmt: skip
    return replace(basis, quantities={**basis.quantities, **largest}, scenarios=())


def _why_not(resolution: Resolution) -> list[str]:
    if not resolution.applies:
        return [resolution.why]
    if resolution.missing:
        return [f"No threshold: the application does not state {', '.join(resolution.missing)}."]
    return []


def _unknown(item: OnSite, basis: Basis) -> list[str]:
    if item.when is None or item.when.state(basis) is not None:
        return []
    return [f"Only if {item.when.describe()}; whether that is so is not known."]
