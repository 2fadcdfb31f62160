"""What the Board orders becomes items of the licence's checklist, and nothing else changes."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_web.errors import InspectError
from inspect_web.store.licences import read_evaluation as read_for_licence
from inspect_web.store.licences import with_checklist
from site_eval.errors import InputFileError
from site_eval.reports.decision import proposed_conditions
from site_eval.reports.granting import _string, granted, proposed_order, read_order
from site_eval.reports.write import checklist_json, evaluation_json

ORDER = Path("order.toml")
HEAD = 'ordered = "2027-05-04"\n'
GATE = """
[[conditions]]
text = "At least 12 guards stand at the emergency gate."
agency = "sheriff"
phases = ["live", "night"]
answer = "count"
at_least = 12
unit = "guards"
minutes = 60
"""


def test_every_condition_of_the_packet_is_proposed_and_becomes_an_item(evaluation) -> None:
    text = proposed_order(evaluation, "evaluation.json")
    with pytest.raises(InputFileError, match="day of the Board's order"):
        read_order(ORDER, text, evaluation)
    dated = text.replace('ordered = ""', 'ordered = "2027-05-04"')
    checklist = granted(evaluation, read_order(ORDER, dated, evaluation))
    before = evaluation.checklist.items
    assert checklist.items[: len(before)] == before
    added = checklist.items[len(before) :]
    assert len(added) == len(proposed_conditions(evaluation)) > 0
    for item, line in zip(added, proposed_conditions(evaluation), strict=True):
        assert item.question.split(":")[0] == line.split(" (")[0]
        assert f"({item.clause.id})" in line
        assert item.clause.citation.startswith("Order of the Board, 2027-05-04, condition")


def test_a_condition_of_the_boards_own_has_its_number_and_cadence(evaluation) -> None:
    checklist = granted(evaluation, read_order(ORDER, HEAD + GATE, evaluation))
    item = checklist.items[-1]
    assert (item.id, item.agency, item.phases) == ("board-1", "sheriff", ["live", "night"])
    assert (item.threshold.value, item.threshold.comparison) == (12, "at-least")
    assert (item.cadences[0].kind, item.cadences[0].minutes) == ("interval", 60)
    assert item.clause.quote == "At least 12 guards stand at the emergency gate."


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("ordered = ", "no TOML"),
        (HEAD + GATE.replace("sheriff", "constable"), r"conditions\.1\.agency"),
        (HEAD + GATE + 'clause = "99.9"', "no clause '99.9'"),
        (HEAD + GATE.replace('unit = "guards"', ""), "needs its unit"),
        (HEAD + GATE + "at_most = 20", "one of at_least, at_most and equal"),
        (HEAD + GATE.replace("count", "yes-no"), "answer 'count' or 'number'"),
        (HEAD + GATE.replace('"night"', '"dusk"'), r"conditions\.1\.phases\.2"),
    ],
)
def test_a_fault_is_named_with_its_place(evaluation, text, fault) -> None:
    with pytest.raises(InputFileError, match=fault):
        read_order(ORDER, text, evaluation)


def test_a_licence_takes_the_granted_checklist_of_its_own_evaluation_only(evaluation) -> None:
    file = read_for_licence(evaluation_json(evaluation), "evaluation.json")
    checklist = granted(evaluation, read_order(ORDER, HEAD + GATE, evaluation))
    taken = with_checklist(file, checklist_json(checklist), "checklist.json")
    assert taken.checklist.items[-1].id == "board-1"
    terms = checklist.terms.model_copy(update={"maximum": checklist.terms.maximum + 1})
    other = checklist.model_copy(update={"terms": terms})
    with pytest.raises(InspectError, match="another application"):
        with_checklist(file, checklist_json(other), "checklist.json")


@given(st.text())
def test_any_words_survive_the_form(words: str) -> None:
    assert tomllib.loads(f"text = {_string(words)}")["text"] == words
