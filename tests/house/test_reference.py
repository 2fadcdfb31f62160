"""Every check has its page, every clause its answer, and the reference is as the code is."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from site_eval import checks
from site_eval.engine.registry import Registry, discover
from site_eval.ordinance.library import list_ordinances

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("*Asks*", "*Measures*", "*Judges*", "*Cannot say*", "*Source*")


@pytest.mark.parametrize("check", discover(checks).all(), ids=lambda check: check.name)
def test_a_check_has_a_whole_page(check) -> None:
    assert [part for part in PARTS if part not in check.page] == []


def test_every_check_answers_a_subject_of_some_ordinance() -> None:
    subjects = {clause.subject for law in list_ordinances() for clause in law.clauses}
    # Asked by other counties: what the format's page says that checks answer.
    page = (ROOT / "docs" / "ordinance-format.md").read_text(encoding="utf-8")
    subjects |= set(re.findall(r"^\| `([a-z]+\.[a-z]+)` \|", page, flags=re.MULTILINE))
    idle = [c.name for c in discover(checks).all() if not subjects & set(c.subjects)]
    assert idle == []


def test_every_clause_is_answered_somehow() -> None:
    registry = discover(checks)
    unanswered = [
        clause.id
        for law in list_ordinances()
        for clause in law.clauses
        if not (registry.answering(clause.subject) or clause.documents or clause.on_site
                or clause.covers or (clause.requires and clause.declared_paths))
    ]  # fmt: skip
    assert unanswered == []


def test_two_checks_of_one_name_are_refused() -> None:
    registry = Registry()

    def same(case, clause):
        """A page."""
        return []

    registry.check("a", subjects=("x",))(same)
    with pytest.raises(ValueError, match="two checks"):
        registry.check("b", subjects=("y",))(same)


def test_the_reference_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "make_reference.py", "--check"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
