"""Every fault of an ordinance file is told at once, with its place and the nearest known key."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_eval.errors import InputFileError, ManyErrors, OrdinanceError, SiteEvalError
from site_eval.ordinance.basis import Basis
from site_eval.ordinance.inspection import check_ordinance
from site_eval.ordinance.library import load_ordinance

HEAD = """
id = "test-county"
citation = "Ordinance 1"
title = "Test"
threshold_persons = 500
[jurisdiction]
name = "Test County"
county = "Test"
state = "ID"
fips = "16999"
time_zone = "America/Boise"
"""
CLAUSE = """
[[clauses]]
id = "1"
citation = "Section 1"
quote = "one space for four"
heading = "Parking"
subject = "parking.spaces"
check = "parking"
question = "Enough?"
"""
GOOD = HEAD + CLAUSE + 'requires = { kind = "rate", amount = 1, per = 4, of = ["persons"] }\n'


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "law.toml"
    path.write_text(text)
    return path


def faults_of(path: Path) -> list[str]:
    with pytest.raises(ManyErrors) as caught:
        load_ordinance(path)
    return [str(error) for error in caught.value.errors]


def test_a_small_file_is_read(tmp_path: Path) -> None:
    law = load_ordinance(written(tmp_path, GOOD))
    assert law.file.name == "law.toml"
    assert law.clause("1").requires is not None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("per = 4", "pre = 4"), "'1', requires, pre): there is no key 'pre' here; perhaps 'per'"),
        (('"rate"', '"rates"'), "'1', requires): there is no kind of rule 'rates'; perhaps 'rate'"),
        (("amount = 1, ", ""), "'1', requires, amount): the key 'amount' is missing"),
        (("per = 4", "per = 0"), "'1', requires, per): 0 is out of range; give more than 0"),
        (("per = 4", 'per = "4"'), "'1', requires, per): found '4'; write a number without quotes"),
        (("per = 4", "per = true"), "'1', requires, per): found True; write a number"),
        (("per = 4", "per = inf"), "'1', requires, per): input should be a finite number"),
        (("per = 4", 'rounding = "upp"'), "rounding): 'upp' is not known here; perhaps 'up'"),
        (('kind = "rate", ', ""), "'1', requires): the rule has no kind"),
        (('"persons"] }', '"persons"], when = { flag = "a", quantity = "b" } }'), "one form"),
        (('"persons"] }', '"persons"], when = { quantity = "b" } }'), "a quantity and a bound"),
        (("subject =", "subjct ="), "'1', subjct): there is no key 'subjct' here; perhaps 'subj"),
        (('"16999"', '"1699"'), "jurisdiction, fips): '1699' is not a county's code"),
        (('"America/Boise"', '"Boise"'), "jurisdiction, time_zone): there is no time zone"),
        (('"test-county"', '"Test County"'), "(id): 'Test County' is no id"),
        (("= 500", "= 0"), "(threshold_persons): 0 is out of range; give more than 0"),
        (("title =", "titel ="), "(titel): there is no key 'titel' here; perhaps 'title'"),
    ],
)
def test_fault_names_its_place_and_its_mend(
    tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    faults = faults_of(written(tmp_path, GOOD.replace(*change)))
    assert any(says in fault for fault in faults), faults
    assert all("law.toml (" in fault for fault in faults)
    assert not any("tagged-union" in fault or "function-" in fault for fault in faults)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("per = 4", "per = 0").replace("title", "titel").replace("1699", "169")
    assert len(faults_of(written(tmp_path, text))) == 4


def test_a_member_that_fails_does_not_also_make_its_list_too_short(tmp_path: Path) -> None:
    faults = faults_of(written(tmp_path, GOOD.replace("per = 4", "per = 0")))
    assert len(faults) == 1


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ('threshold = "sam"', "on_site 'A', threshold): 'sam' is not known here; perhaps 'same'"),
        ('threshold = { kind = "fixed", valu = 1 }', "threshold, valu): there is no key 'valu'"),
        ('phases = ["befor"]', "on_site 'A', phases 1): 'befor' is not known here; perhaps"),
    ],
)
def test_fault_in_an_item(tmp_path: Path, item: str, says: str) -> None:
    base = '[[clauses.on_site]]\nid = "A"\nquestion = "?"\ncadences = ["once"]\nanswer = "count"\n'
    phases = "" if item.startswith("phases") else 'phases = ["before"]\n'
    faults = faults_of(written(tmp_path, f"{GOOD}{base}{phases}{item}\n"))
    assert any(says in fault for fault in faults), faults


def test_an_id_that_comes_twice_is_refused(tmp_path: Path) -> None:
    faults = faults_of(written(tmp_path, GOOD + CLAUSE))
    assert "the id 1 is used more than once" in faults[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [("id = \n", "this is not TOML"), ("a = " + "[" * 5000, "this is not TOML")],
    ids=["cut off", "nested too deep"],
)
def test_what_is_not_toml_is_said(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(OrdinanceError, match=says):
        load_ordinance(written(tmp_path, text))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00"])
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "law.toml"
    path.write_bytes(content)
    with pytest.raises(InputFileError):
        load_ordinance(path)


def test_an_unknown_id_names_the_known_ones() -> None:
    with pytest.raises(OrdinanceError, match="gem-county-id-2015-04"):
        load_ordinance("gem-county")
    with pytest.raises(SiteEvalError, match="no such ordinance"):
        load_ordinance(Path("nowhere.toml"))


# --- what is doubtful in a file that can be read ------------------------------------------------


def remarks(tmp_path: Path, text: str, **options: list[str]) -> list[tuple[str, str, bool]]:
    found = check_ordinance(written(tmp_path, text), **options)
    return [(remark.place, remark.text, remark.fault) for remark in found]


def test_a_quote_that_is_not_in_the_text_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "law.txt").write_text("There is one space\n  for four persons.")
    assert not [r for r in remarks(tmp_path, GOOD) if r[2]]
    changed = GOOD.replace("one space", "two spaces")
    assert [r[0] for r in remarks(tmp_path, changed) if r[2]] == ["1"]


def test_without_the_text_of_the_law_quotes_are_not_checked_and_that_is_said(
    tmp_path: Path,
) -> None:
    place, text, fault = remarks(tmp_path, GOOD)[0]
    assert (place, fault) == ("test-county", False)
    assert "law.txt" in text


def test_a_clause_that_only_a_check_can_answer_is_remarked(tmp_path: Path) -> None:
    assert any("subject parking.spaces" in text for _, text, _ in remarks(tmp_path, GOOD))
    answered = GOOD + 'declared_in = "plan.parking.stalls"\n'
    assert not any("subject parking.spaces" in text for _, text, _ in remarks(tmp_path, answered))


@pytest.mark.parametrize(
    ("bands", "says"),
    [
        ("[400, 1000], value = 1 }, { band = [1000]", "overlap at 1,000"),
        ("[400, 999], value = 1 }, { band = [1002]", "leave a gap between 999 and 1,002"),
        ("[400, 999], value = 1 }, { band = [1000]", None),
        ("[400], value = 1 }, { band = [1000]", "overlap"),
        ("{ below = 1000 }, value = 1 }, { band = { above = 999 }", None),
    ],
)
def test_tiers_that_overlap_or_leave_a_gap_are_told(
    tmp_path: Path, bands: str, says: str | None
) -> None:
    rule = f'{{ kind = "tiers", by = "persons", tiers = [{{ band = {bands}, value = 2 }}] }}'
    text = f'{HEAD}{CLAUSE}requires = {rule}\ndeclared_in = "plan.parking.stalls"\n'
    told = [text for _, text, _ in remarks(tmp_path, text) if "bands" in text]
    assert told == ([] if says is None else [f"two bands of persons {says}"])


def test_a_new_path_is_allowed_and_the_nearest_known_one_named(tmp_path: Path) -> None:
    text = GOOD + 'declared_in = "plan.parking.stals"\n'
    found = remarks(tmp_path, text, known_paths=["plan.parking.stalls"])
    assert any("perhaps 'plan.parking.stalls'" in words for _, words, _ in found)


RICH = (
    GOOD
    + """
declared_in = "plan.parking.stalls"
documents = [{ name = "plan", path = "plan.parking.plan", when = { flag = "dark" } }]
[[clauses.on_site]]
id = "K1"
question = "How many?"
phases = ["before"]
cadences = ["once", { kind = "interval", minutes = 30 }]
answer = "count"
unit = "stalls"
threshold = { kind = "tiers", by = "persons", tiers = [{ band = [1, 9], value = 1 }, { band = { above = 9 }, value = 2 }] }
[[clauses]]
id = "2"
citation = "Section 2"
quote = "q"
heading = "h"
subject = "s"
check = "c"
question = "q"
requires = { kind = "sum", of = [{ kind = "fixed", value = 8 }, { kind = "schedule", closed = ["00:00", "07:00"] }] }
[[assumptions]]
parts = ["female", "male"]
central = 0.5
low = 0.4
high = 0.6
reason = "r"
"""
)
TOKENS = sorted(set(re.findall(r'"[^"]*"|[A-Za-z_]+(?= = )|\b\d[\d.]*\b', RICH)))
WORDS = [
    "0",
    "-1",
    "1e400",
    "nan",
    "true",
    '""',
    '"x"',
    "[]",
    "{}",
    "[[]]",
    "2027-01-01",
    "kind",
    "of",
]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(TOKENS), st.sampled_from([*WORDS, *TOKENS]), st.integers(0, 9))
def test_a_changed_file_is_read_or_refused_in_a_sentence(old: str, new: str, which: int) -> None:
    places = [match.start() for match in re.finditer(re.escape(old), RICH)]
    place = places[which % len(places)]
    text = RICH[:place] + new + RICH[place + len(old) :]
    with TemporaryDirectory() as folder:
        path = written(Path(folder), text)
        try:
            law = load_ordinance(path)
        except SiteEvalError as error:
            told = error.errors if isinstance(error, ManyErrors) else (error,)
            assert all(str(each).endswith(".") and "function-" not in str(each) for each in told)
            return
        check_ordinance(path)
    basis = law.with_assumptions(Basis({"persons": 1000.0}, {"dark": True}))
    for clause in law.clauses:
        for rule in clause.rules():
            assert rule.resolve(basis).why


def test_the_unchanged_file_of_that_test_is_read(tmp_path: Path) -> None:
    assert len(load_ordinance(written(tmp_path, RICH)).clauses) == 2
