"""What a board has to decide: the questions still open, in one line each, and conditions for them."""

from __future__ import annotations

from dataclasses import dataclass

from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding
from site_eval.record.measure import Required
from site_eval.record.verdict import Verdict
from site_eval.reports.words import (
    agency_title,
    check_title,
    measured_words,
    required_words,
)

OPEN = (Verdict.DOES_NOT_COMPLY, Verdict.NEEDS_REVIEW, Verdict.NOT_DETERMINED)
# A line of a decision sheet: longer ones are cut at a word.
_LINE_CHARACTERS = 150
# How a finding about papers opens when some are not there.
_MISSING = "Missing from the application: "


@dataclass(frozen=True)
class Line:
    """One line of the decision sheet."""

    title: str
    clause: str
    text: str


def lines(evaluation: Evaluation, verdict: Verdict) -> list[Line]:
    """The findings of one verdict, a line each, in the order of the ordinance."""
    found = [finding for finding in evaluation.findings if finding.verdict is verdict]
    return [Line(check_title(f.check), f.clause.id, short_statement(f)) for f in found]


@dataclass(frozen=True)
class Proposal:
    """What would settle one open question, and before whom."""

    title: str
    clause: str
    ask: str
    agency: str
    required: Required | None
    """The number asked, where that is what the clause asks."""
    paper: bool
    """Whether a paper is asked."""

    @property
    def line(self) -> str:
        """The proposal on one line of the packet."""
        return f"{self.title} ({self.clause}): {self.ask} — {agency_title(self.agency)}"


def unbound(evaluation: Evaluation) -> str:
    """Why the ordinance does not bind this assembly; empty when it does."""
    if not evaluation.not_bound:
        return ""
    return f"The ordinance does not bind this assembly. {evaluation.not_bound}"


def short_statement(finding: Finding) -> str:
    """The numbers where there are two to compare, else the statement's first sentence."""
    if finding.measured is not None and finding.required is not None:
        asked = required_words(finding.required)
        return f"{measured_words(finding.measured)}; asked: {asked}."
    return cut(first_sentence(finding.statement), _LINE_CHARACTERS)


def proposed_conditions(evaluation: Evaluation) -> list[str]:
    """The proposals in words, to be read after "Before the licence is issued, the applicant shows
    to the agency named".
    """
    return [proposal.line for proposal in proposals(evaluation)]


def proposals(evaluation: Evaluation) -> list[Proposal]:
    """What would settle every open question, one a clause and check, and before whom.

    They are in the ordinance's own terms: a number where the clause has one, the papers that are
    missing, else the question itself.
    """
    found: dict[tuple[str, str], Proposal] = {}
    for finding in evaluation.findings:
        if finding.verdict in OPEN:
            proposal = _proposal(finding)
            found.setdefault((finding.check, proposal.ask), proposal)
    return list(found.values())


def first_sentence(text: str) -> str:
    """The text up to its first full stop, or to a semicolon when that is long."""
    end = text.find(". ")
    sentence = text if end < 0 else text[: end + 1]
    if len(sentence) > _LINE_CHARACTERS and "; " in sentence:
        sentence = sentence[: sentence.find("; ")] + "."
    return sentence


def cut(text: str, characters: int) -> str:
    """The text, ended at a word with an ellipsis when it is longer than that."""
    if len(text) <= characters:
        return text
    return text[:characters].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def _proposal(finding: Finding) -> Proposal:
    required = finding.required
    if required is not None and required.comparison not in {"at-least", "equal"}:
        required = None
    paper = required is None and finding.statement.startswith(_MISSING)
    if required is not None:
        ask = required_words(required)
    elif paper:
        ask = first_sentence(finding.statement.removeprefix(_MISSING)).rstrip(".")
    else:
        ask = finding.question
    title, agency = check_title(finding.check), finding.agency or "board"
    return Proposal(title, finding.clause.id, ask, agency, required, paper)
