"""Every row of the list of what an ordinance may say: one file of cases each, found here."""

import re
import tomllib
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from site_eval.ordinance.assumption import Assumption, assume
from site_eval.ordinance.basis import Basis
from site_eval.ordinance.clause import Power
from site_eval.ordinance.condition import Condition
from site_eval.ordinance.library import AttendanceClass, Stage
from site_eval.ordinance.requirement import Either, Requirement, Resolution, Schedule, options_met

FOLDER = Path(__file__).resolve().parents[1] / "cases" / "ordinance"
FILES = sorted(FOLDER.glob("*.toml"))
DOCS = Path(__file__).resolve().parents[2] / "docs" / "ordinance-format.md"
RULE: TypeAdapter[Any] = TypeAdapter(Requirement)

CONTENT = {path.stem: tomllib.loads(path.read_text()) for path in FILES}


def basis_of(case: dict[str, Any], content: dict[str, Any]) -> Basis:
    clock = case.get("clock")
    basis = Basis(
        {name: float(value) for name, value in case.get("given", {}).items()},
        case.get("flags", {}),
        clock=None if clock is None else tuple((float(a), float(b)) for a, b in clock),
    )
    assumptions = [Assumption.model_validate(item) for item in content.get("assumptions", [])]
    return assume(basis, assumptions)


def found(resolution: Resolution, key: str) -> Any:
    """What the resolution says under a key of a case's ``expect``."""
    required = resolution.required
    if key in {"value", "comparison", "formula"}:
        return None if required is None else getattr(required, key)
    if key in {"low", "high"}:
        end = getattr(resolution, f"required_{key}") or required
        return None if end is None else end.value
    answers = {
        "applies": resolution.applies,
        "missing": list(resolution.missing),
        "unsaid": resolution.why if required is None and not resolution.missing else None,
        "options": [[required.value for _, required in o.parts] for o in resolution.options],
        "limits": [[limit.comparison, limit.value, limit.unit] for limit in resolution.limits],
        "assumes": " ".join(resolution.assumptions),
    }
    return answers[key]


def each(kind: str) -> list[Any]:
    return [
        pytest.param(item, content, id=f"{stem}: {item.get('name', number)}")
        for stem, content in CONTENT.items()
        for number, item in enumerate(content.get(kind, []))
    ]


@pytest.mark.parametrize(("item", "content"), each("rules"))
def test_rule_asks_for_what_the_text_says(item: dict[str, Any], content: dict[str, Any]) -> None:
    rule = RULE.validate_python(item["requires"])
    assert item["cases"]
    for case in item["cases"]:
        resolution = rule.resolve(basis_of(case, content))
        assert case["expect"]
        for key, value in case["expect"].items():
            assert found(resolution, key) == value, (case, key)
        if "missing" in case["expect"] or case["expect"].get("applies") is False:
            assert resolution.required is None
        if "stated" in case:
            mixed = isinstance(rule, Either) and rule.mixed
            met = options_met(resolution.options, case["stated"], mixed=mixed)
            assert met == (None if case["met"] == "unknown" else case["met"]), case


@pytest.mark.parametrize(("item", "content"), each("conditions"))
def test_condition_holds_when_the_text_says(item: dict[str, Any], content: dict[str, Any]) -> None:
    condition = Condition.model_validate(item["when"])
    assert condition.describe()
    for case in item["cases"]:
        state = condition.state(basis_of(case, content))
        assert state is {True: True, False: False, "unknown": None}[case["expect"]], case
        assert bool(condition.missing(basis_of(case, content))) or state is not None


@pytest.mark.parametrize(("item", "content"), each("classes"))
def test_assembly_falls_in_the_class_of_the_text(
    item: dict[str, Any], content: dict[str, Any]
) -> None:
    classes = [AttendanceClass.model_validate(entry) for entry in item["classes"]]
    for case in item["cases"]:
        basis = basis_of(case, content)
        names = [entry.name for entry in classes if entry.when.holds(basis)]
        assert (names or ["none"]) == [case["expect"]]


@pytest.mark.parametrize(("item", "content"), each("deadlines"))
def test_deadline_falls_on_the_day(item: dict[str, Any], content: dict[str, Any]) -> None:
    rule = Schedule.model_validate(item["requires"])
    expected: datetime | None = item.get("expect")
    assert rule.moment(item["anchors"]) == expected


@pytest.mark.parametrize(("item", "content"), each("powers"))
def test_power_is_told_in_words(item: dict[str, Any], content: dict[str, Any]) -> None:
    assert Power.model_validate(item["power"]).describe() == item["says"]


@pytest.mark.parametrize(("item", "content"), each("stages"))
def test_stage_is_told_in_words(item: dict[str, Any], content: dict[str, Any]) -> None:
    assert Stage.model_validate(item["stage"]).describe() == item["says"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_row_is_explained_in_the_format_page(path: Path) -> None:
    assert path.stem in DOCS.read_text(), "say in docs/ordinance-format.md how this is written"


def test_no_case_file_is_without_a_case() -> None:
    kinds = {"rules", "conditions", "classes", "deadlines", "powers", "stages"}
    assert len(CONTENT) >= 21
    for stem, content in CONTENT.items():
        assert kinds & set(content), stem
        assert set(content) <= kinds | {"row", "assumptions"}, stem


def snippets(start: str) -> list[str]:
    """Every assignment of the format page that begins with *start*, read line by line."""
    blocks = re.findall(r"```toml\n(.*?)```", DOCS.read_text(), re.DOTALL)
    pieces = [piece for block in blocks for piece in re.split(rf"(?m)^(?={start} = )", block)]
    mine = [piece for piece in pieces if piece.startswith(f"{start} = ")]
    return [re.split(r"\n(?=[a-z_]+ = |#|\[)", piece)[0] for piece in mine]


@pytest.mark.parametrize("text", snippets("requires"))
def test_rule_of_the_format_page_can_be_read(text: str) -> None:
    assert RULE.validate_python(tomllib.loads(text)["requires"]).describe()


@pytest.mark.parametrize("text", snippets("powers"))
def test_power_of_the_format_page_can_be_read(text: str) -> None:
    for power in tomllib.loads(text)["powers"]:
        assert Power.model_validate(power).describe()


def test_the_format_page_has_snippets_of_every_kind_of_rule() -> None:
    kinds = {tomllib.loads(text)["requires"]["kind"] for text in snippets("requires")}
    assert kinds | {"fixed"} == {
        "rate", "tiers", "table", "fixed", "greatest", "sum", "either", "schedule", "paper",
        "arrangement",
    }  # fmt: skip
