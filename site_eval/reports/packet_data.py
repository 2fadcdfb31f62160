"""What the board packet prints, as plain JSON values: the document itself holds no data."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from site_eval.record.evaluation import Evaluation
from site_eval.record.finding import Finding, Source
from site_eval.record.verdict import Verdict
from site_eval.reports.decision import cut, first_sentence, lines, proposed_conditions, unbound
from site_eval.reports.words import (
    GRADES,
    VERDICTS,
    agency_title,
    by_group,
    check_title,
    day_words,
    measured_words,
    number,
    required_words,
)
from site_eval.units import feet

# A legal description may be pages long; the whole of it is under "Sources and accuracy".
_FACT_CHARACTERS = 260
# Clauses that list what an application has to contain are reported by this check.
_CONTENTS = "application-contents"


def packet_data(evaluation: Evaluation) -> dict[str, Any]:
    """Every word of the packet but for the headings, ready for ``json.dumps``."""
    made = datetime.fromisoformat(evaluation.generated_at)
    return {
        "event": evaluation.checklist.terms.event,
        "jurisdiction": evaluation.ordinance.jurisdiction,
        "ordinance": evaluation.ordinance.citation,
        "date": [made.year, made.month, made.day],
        "made": day_words(made.date().isoformat()),
        "tool": f"{evaluation.tool.name} {evaluation.tool.version}",
        "verdicts": {v.value: _verdict(v) for v in Verdict},
        "facts": _facts(evaluation),
        "tally": [[v.value, n] for v, n in evaluation.summary.items()],
        "unbound": unbound(evaluation),
        "open": [_open(evaluation, v) for v in _ORDER],
        "conditions": proposed_conditions(evaluation),
        "items": len(evaluation.checklist.items),
        "groups": [
            {
                "id": g.id,
                "title": g.title,
                "findings": [_finding(f) for f in found],
                "spared": _spared(found),
            }
            for g, found in by_group(evaluation.findings)
        ],
        "clauses": _clauses(evaluation),
        "on_site_only": evaluation.on_site_only,
        "contents": _contents(evaluation),
        "approvals": _approvals(evaluation),
        "agencies": _agencies(evaluation),
        "accuracy": _accuracy(evaluation),
        "sources": [_source(s) for s in all_sources(evaluation)],
        "inputs": [[i.path, i.sha256] for i in evaluation.inputs],
        "motion": _motion(evaluation),
    }


_ORDER = (Verdict.DOES_NOT_COMPLY, Verdict.NEEDS_REVIEW, Verdict.NOT_DETERMINED)


def all_sources(evaluation: Evaluation) -> list[Source]:
    """Every source of the site and of the findings, once each, in order of first use."""
    every = [*evaluation.site.sources, *(s for f in evaluation.findings for s in f.sources)]
    return list({(s.name, s.publisher, s.vintage): s for s in every}.values())


def land_words(evaluation: Evaluation) -> str:
    """The land as it was understood, else in the words of its description."""
    return evaluation.site.description.understood or evaluation.site.description.text


def _verdict(verdict: Verdict) -> dict[str, str]:
    style = VERDICTS[verdict]
    return {
        "word": style.word,
        "sign": style.sign,
        "colour": style.colour,
        "meaning": style.meaning,
    }


def _facts(evaluation: Evaluation) -> list[list[str]]:
    terms, application = evaluation.checklist.terms, evaluation.application
    applicant = application.get("applicant") or {}
    filing = application.get("filing") or {}
    people = f"{number(terms.maximum)} at most"
    if terms.female is not None and terms.male is not None:
        people += f" ({number(terms.female)} women, {number(terms.male)} men)"
    if terms.overnight:
        people += f"; {number(terms.overnight)} overnight"
    facts = [
        ["Asked for", f"A licence for a mass gathering under {evaluation.ordinance.citation}"],
        ["Applicant", str(applicant.get("name") or "not named in the application")],
        ["Event", f"{day_words(terms.starts)} to {day_words(terms.ends)} ({terms.time_zone})"],
        ["People", people],
        ["Land", cut(land_words(evaluation), _FACT_CHARACTERS)],
        ["", _extent_words(evaluation)],
    ]
    if filing.get("received"):
        facts.append(["Filed", day_words(str(filing["received"]))])
    if filing.get("board_meeting"):
        facts.append(["Meeting", day_words(str(filing["board_meeting"]))])
    return [*facts, ["Checked as of", day_words(evaluation.as_of)]]


def _extent_words(evaluation: Evaluation) -> str:
    site = evaluation.site
    return (
        f"{number(round(site.area_acres, 2))} acres; boundary placed to within "
        f"{number(round(feet(site.position_uncertainty_m)))} ft (95 %)"
    )


def _open(evaluation: Evaluation, verdict: Verdict) -> dict[str, Any]:
    found = lines(evaluation, verdict)
    rows = [[line.title, line.clause, line.text] for line in found]
    return {"verdict": verdict.value, "lines": rows}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "title": check_title(finding.check),
        "question": finding.question,
        "verdict": finding.verdict.value,
        "statement": finding.statement,
        "short": first_sentence(finding.statement),
        "measured": measured_words(finding.measured),
        "required": required_words(finding.required),
        "formula": finding.required.formula if finding.required else "",
        "reasons": finding.reasons,
        "citation": finding.clause.citation,
        "clause": finding.clause.id,
        "quote": finding.clause.quote,
        "agency": agency_title(finding.agency) if finding.agency else "",
        "sources": [f"{s.name} ({s.vintage}; {s.grade.value})" for s in finding.sources],
    }


def _spared(findings: list[Finding]) -> list[list[str]]:
    """What does not apply: for each statement, the clauses and citations that it is said of."""
    said: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.verdict is Verdict.NOT_APPLICABLE:
            said.setdefault(finding.statement, []).append(finding)
    return [
        [", ".join(dict.fromkeys(f.clause.id for f in found)), found[0].clause.citation, statement]
        if len(found) == 1
        else [", ".join(dict.fromkeys(f.clause.id for f in found)), "", statement]
        for statement, found in said.items()
    ]


def _clauses(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Each clause once, with the verdicts of all its findings, in the order of the record."""
    rows: dict[str, dict[str, Any]] = {}
    for finding in evaluation.findings:
        row = rows.setdefault(
            finding.clause.id,
            {"id": finding.clause.id, "citation": finding.clause.citation, "answers": []},
        )
        row["answers"].append(
            [finding.verdict.value, check_title(finding.check), agency_title(finding.agency)]
        )
    return list(rows.values())


def _contents(evaluation: Evaluation) -> list[list[str]]:
    """What the application has to contain: clause, citation, verdict, what was found.

    The contents are a list in most ordinances ("a" to "s" under one clause): its items are all
    shown, whichever check answers them.
    """
    asked = [f for f in evaluation.findings if f.check == _CONTENTS]
    parents = Counter(f.clause.id.rpartition(".")[0] for f in asked)
    parent = parents.most_common(1)[0][0] if parents else ""
    return [
        [f.clause.id, f.clause.citation, f.verdict.value, first_sentence(f.statement)]
        for f in evaluation.findings
        if (f.check == _CONTENTS or (parent and f.clause.id.startswith(f"{parent}.")))
        and f.verdict is not Verdict.NOT_APPLICABLE
    ]


def _approvals(evaluation: Evaluation) -> list[list[str]]:
    return [
        [
            agency_title(approval.get("agency")),
            str(approval.get("subject") or "–"),
            day_words(str(approval.get("date") or "not dated")),
            str(approval.get("file") or "no file"),
        ]
        for approval in evaluation.application.get("approval") or []
    ]


def _agencies(evaluation: Evaluation) -> list[list[Any]]:
    """For each agency with an open question: its name and how many findings of each open verdict."""
    named = dict.fromkeys(f.agency for f in evaluation.findings if f.agency and f.verdict in _ORDER)
    return [
        [agency_title(agency), *(_count(evaluation, agency, verdict) for verdict in _ORDER)]
        for agency in named
    ]


def _count(evaluation: Evaluation, agency: str, verdict: Verdict) -> int:
    return sum(f.agency == agency and f.verdict is verdict for f in evaluation.findings)


def _accuracy(evaluation: Evaluation) -> list[list[str]]:
    site = evaluation.site
    return [
        ["Description", site.description.text],
        ["Understood as", site.description.understood],
        ["Placed by", site.method],
        [
            "Area",
            f"{number(site.area_acres)} acres, standard deviation {number(site.area_acres_sd)}",
        ],
        [
            "Boundary",
            f"each point within {number(site.position_uncertainty_m)} m "
            f"({number(round(feet(site.position_uncertainty_m)))} ft) of the line, 95 %",
        ],
        *[["Doubt", warning] for warning in site.description.warnings],
    ]


def _source(source: Source) -> list[str]:
    grade = f"{source.grade.value} ({GRADES[source.grade]})"
    return [source.name, source.publisher, source.vintage, source.licence, grade]


def _motion(evaluation: Evaluation) -> dict[str, str]:
    terms = evaluation.checklist.terms
    event = f"“{terms.event}”, {day_words(terms.starts)} to {day_words(terms.ends)}"
    what = f"the application for {event}, for no more than {number(terms.maximum)} people"
    law = evaluation.ordinance.citation
    why = unbound(evaluation)
    none = f"I move that the Board find that {event}, needs no licence under {law}: {why}"
    return {
        "none": none if why else "",
        "grant": f"I move that the Board grant {what}, under {law}, on these conditions. "
        "Before the licence is issued, the applicant shows to the agency named:",
        "deny": f"I move that the Board deny {what}, because these clauses of {law} are not met:",
        "continue": f"I move that the Board continue {what} to its meeting of ____________, "
        "and ask the applicant for:",
    }
