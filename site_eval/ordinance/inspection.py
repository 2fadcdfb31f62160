"""What is doubtful in an ordinance file that can be read: quotes, cover, gaps, new paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

from site_eval.ordinance.clause import Clause
from site_eval.ordinance.library import Ordinance, load_ordinance, ordinance_text
from site_eval.ordinance.requirement import Table, Tiers


@dataclass(frozen=True)
class Remark:
    """Something in a file that its writer should look at; a *fault* has to be mended."""

    place: str
    text: str
    fault: bool


def check_ordinance(path: str | Path, *, known_paths: Iterable[str] = ()) -> list[Remark]:
    """Everything doubtful in an ordinance file, in the order of its clauses.

    *known_paths* are the application's own dotted paths; another path is a new input, which is
    allowed and only remarked. Raises ``ManyErrors`` when the file cannot be read at all.
    """
    ordinance = load_ordinance(path)
    text = ordinance_text(ordinance)
    remarks = [] if text else [_no_text(ordinance)]
    known = sorted(known_paths)
    for clause in ordinance.clauses:
        if text is not None:
            remarks += _quote(clause, flat(text))
        remarks += [*_cover(clause), *_bands(clause), *_new_paths(clause, known)]
    return remarks


def flat(text: str) -> str:
    """A text with every run of white space as one space."""
    return " ".join(text.split())


def answered_by(clause: Clause) -> str | None:
    """How a clause is answered: a check by its subject, a number, papers, items, or not at all."""
    if clause.requires is not None and clause.declared_paths:
        return "a number of the plan"
    if clause.documents:
        return "papers of the application"
    if clause.on_site:
        return "an inspection"
    if clause.covers:
        return f"nothing: {clause.covers}"
    return None


def _no_text(ordinance: Ordinance) -> Remark:
    name = ordinance.file.with_suffix(".txt").name
    return Remark(ordinance.id, f"no text of the law ({name}) beside it; quotes unchecked", False)


def _quote(clause: Clause, text: str) -> Iterator[Remark]:
    if clause.quote not in text:
        yield Remark(clause.id, f"the quote does not occur in the text: {clause.quote[:70]}", True)


def _cover(clause: Clause) -> Iterator[Remark]:
    if answered_by(clause) is None:
        words = f"only a check that answers the subject {clause.subject} can answer it"
        yield Remark(clause.id, words, False)


def _bands(clause: Clause) -> Iterator[Remark]:
    """Tiers that overlap or leave a gap: told, never guessed."""
    for rule in clause.rules():
        if isinstance(rule, Tiers):
            bands, by = [tier.band for tier in rule.tiers], rule.by
        elif isinstance(rule, Table):
            bands, by = list(rule.rows), rule.by[0]
        else:
            continue
        for before, after in pairwise(bands):
            text = before.meets(after)
            if text:
                yield Remark(clause.id, f"two bands of {by} {text}", False)


def _new_paths(clause: Clause, known: list[str]) -> Iterator[Remark]:
    if not known:
        return
    named = [
        *clause.declared_paths,
        *(p for d in clause.documents for p in d.paths),
    ]
    for path in dict.fromkeys(named):
        if path not in known:
            near = get_close_matches(path, known, n=1, cutoff=0.8)
            hint = f"; perhaps '{near[0]}' is meant" if near else ""
            yield Remark(clause.id, f"'{path}' is a new path of the application{hint}", False)
