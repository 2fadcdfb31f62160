"""Are the bonds that the clauses speak of deposited?"""

from __future__ import annotations

from site_eval.application.tables import Bond
from site_eval.case import Case
from site_eval.engine.answer import Answer
from site_eval.engine.registry import check
from site_eval.engine.words import number
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict


@check("bonds", subjects=("bond.security",))
def security_bond(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the cash bond is deposited, when the sheriff requires extra help.

    *Asks*: is a cash bond of at least the clause's amount declared?
    *Measures*: the sum of the declared security bonds in cash.
    *Judges*: at least the amount; another form than cash does not count. Deposit is the clerk's
    to confirm.
    *Cannot say*: whether the sheriff will require extra help, or the Board a higher bond.
    *Source*: the clause.
    """
    required = _required(case, clause)
    bonds = [bond for bond in case.application.bond if bond.kind == "security"]
    cash = sum(bond.amount_usd or 0.0 for bond in bonds if bond.form == "cash")
    enough = cash >= required.value
    return [
        Answer(
            Verdict.COMPLIES if enough else Verdict.DOES_NOT_COMPLY,
            f"A cash bond of ${number(cash)} is declared; ${number(required.value)} are asked for "
            "when the sheriff requires extra help.",
            measured=Measured(value=cash, unit="USD"),
            required=required,
            sources=(case.declared,),
        )
    ]


@check("bonds", subjects=("bond.performance",))
def performance_bond(case: Case, clause: Clause) -> list[Answer]:
    """Ask what the Board may require as a performance bond, and what is declared.

    *Asks*: the clause's ceiling, and the declared bond against it.
    *Measures*: the ceiling for this many people; the declared performance bonds.
    *Judges*: the bond is at the Board's discretion, up to a ceiling: the Board decides.
    *Cannot say*: whether the Board will require it, and how much.
    *Source*: the clause.
    """
    ceiling = _required(case, clause)
    bonds = [bond for bond in case.application.bond if bond.kind == "performance"]
    total = sum(bond.amount_usd or 0.0 for bond in bonds)
    declared = (
        f"The application declares ${number(total)} ({', '.join(_form(b) for b in bonds)})."
        if bonds
        else "The application declares none; cleanup by the county would be charged against it."
    )
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"The Board may require a performance bond of up to ${number(ceiling.value)}. {declared}",
            measured=Measured(value=total, unit="USD"),
            required=ceiling,
            reasons=("The bond is at the Board's discretion.",),
            sources=(case.declared,),
        )
    ]


def _form(bond: Bond) -> str:
    return (bond.form or "form not stated").replace("-", " ")


def _required(case: Case, clause: Clause) -> Required:
    required = clause.requires.resolve(case.basis).required if clause.requires else None
    if required is None:
        raise ValueError(f"clause {clause.id} states no amount")
    return required
