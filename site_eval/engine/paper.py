"""Any clause that asks for a document, a statement or an agency's approval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from site_eval.case import Case
from site_eval.engine.answer import Answer
from site_eval.ordinance.clause import Clause, Document
from site_eval.record.verdict import Verdict


def answers(case: Case, clause: Clause) -> list[Answer]:
    """One answer for all the papers of a clause; nothing when it asks for none."""
    if not clause.documents:
        return []
    due = [document for document in clause.documents if _state(case, document) is True]
    unclear = [document for document in clause.documents if _state(case, document) is None]
    if unclear and not due:
        return [_unclear(case, unclear)]
    if not due:
        whens = "; ".join(d.when_text for d in clause.documents if d.when_text)
        return [Answer(Verdict.NOT_APPLICABLE, f"No paper is due here: {whens}.")]
    found, missing, empty = _sorted(case, due)
    return [_answer(case, clause, found, missing, empty)]


def _answer(
    case: Case, clause: Clause, found: list[str], missing: list[str], empty: list[str]
) -> Answer:
    question = f"Is the paper that {clause.citation} asks for with the application?"
    reasons = [f"Filed: {line}." for line in found] + [f"Empty: {line}." for line in empty]
    if clause.reading:
        reasons.append(f"Reading taken: {clause.reading}")
    if missing:
        verdict = Verdict.DOES_NOT_COMPLY
        statement = f"Missing from the application: {'; '.join(missing)}."
    elif empty:
        verdict = Verdict.NEEDS_REVIEW
        statement = f"Filed, but with nothing in it: {'; '.join(empty)}."
    else:
        verdict = Verdict.COMPLIES
        statement = (
            f"With the application: {'; '.join(found)}. That it is there was checked; what it "
            "says is for the agency to read."
        )
    if verdict is Verdict.COMPLIES and clause.reading_matters:
        verdict = Verdict.NEEDS_REVIEW
    return Answer(
        verdict, statement, question=question, reasons=tuple(reasons), sources=(case.declared,)
    )


def _sorted(case: Case, due: list[Document]) -> tuple[list[str], list[str], list[str]]:
    """The papers found, missing, and found empty, each in words."""
    found: list[str] = []
    missing: list[str] = []
    empty: list[str] = []
    for document in due:
        what = _evidence(case, document)
        if what is None:
            missing.append(document.name)
        elif what == "":
            empty.append(document.name)
        else:
            found.append(f"{document.name} ({what})" if what != "stated" else document.name)
    return found, missing, empty


def _evidence(case: Case, document: Document) -> str | None:
    """What answers for the document: a file's name, an approval, "stated"; ``None`` if nothing.

    Of land in several pieces, each piece has to have its paper.
    """
    if document.approval is not None:
        return _approval(case, document)
    for path in document.paths:
        value = case.value(path)
        if value is None or value is False or value in ([], ""):
            continue
        if path.startswith("land.") and len(value) < len(case.application.land):
            continue
        return _words(value)
    return None


def _approval(case: Case, document: Document) -> str | None:
    wanted = document.approval
    if wanted is None:
        return None
    for approval in case.application.approval:
        if approval.agency == wanted.agency and wanted.subject in {None, approval.subject}:
            when = (
                f"{approval.agency}, {approval.date.isoformat()}"
                if approval.date
                else approval.agency
            )
            return when if approval.file else f"{when}, no file"
    return None


def _words(value: Any) -> str:
    """A file's name (empty when it has no content), the names of several, or "stated"."""
    files = [item for item in (value if isinstance(value, tuple) else (value,)) if
             isinstance(item, Path)]  # fmt: skip
    if not files:
        return "stated"
    return ", ".join(f.name for f in files) if all(f.stat().st_size for f in files) else ""


def _state(case: Case, document: Document) -> bool | None:
    """Whether the paper is due here; nothing when the application does not say enough."""
    return True if document.when is None else document.when.state(case.basis)


def _unclear(case: Case, documents: list[Document]) -> Answer:
    unsaid = sorted({n for d in documents if d.when for n in d.when.missing(case.basis)})
    return Answer(
        Verdict.NOT_DETERMINED,
        f"Whether a paper is due cannot be told: the application does not state "
        f"{', '.join(unsaid)}; add it.",
        sources=(case.declared,),
    )
