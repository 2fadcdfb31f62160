"""``site-eval ordinance``: list, show, check."""

import json
from pathlib import Path

from click.testing import CliRunner

from site_eval.cli.ordinance import ordinance
from site_eval.ordinance.library import load_ordinance

GEM = load_ordinance("gem-county-id-2015-04")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(ordinance, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_list_names_every_bundled_ordinance() -> None:
    code, output = run("list")
    assert code == 0
    assert "gem-county-id-2015-04  Gem County Ordinance 2015-04, Gem County, Idaho" in output
    first, second = json.loads(run("list", "--json")[1])
    assert second["id"] == "twin-falls-county-id-5-1"
    assert (first["id"], first["clause_count"]) == (GEM.id, len(GEM.clauses))


def test_show_prints_each_clause_with_its_rule_and_items() -> None:
    _, output = run("show", GEM.id)
    assert all(f"\n{clause.id}  {clause.citation}" in output for clause in GEM.clauses)
    assert all(slip.reading in output for slip in GEM.inconsistencies)
    _, one = run("show", GEM.id, "--clause", "5.2.c")
    assert "asks for: 1 stall for every 4 persons" in one
    assert "on site: K1" in one
    assert "4.3" not in one


def test_show_as_json_is_one_document() -> None:
    shown = json.loads(run("show", GEM.id, "--json")[1])
    assert [clause["id"] for clause in shown["clauses"]] == [clause.id for clause in GEM.clauses]


def test_check_ends_with_1_when_a_quote_is_not_in_the_text(tmp_path: Path) -> None:
    law = tmp_path / "law.toml"
    law.write_text(GEM.file.read_text().replace("shall be known as", "is known as"))
    (tmp_path / "law.txt").write_text(GEM.file.with_suffix(".txt").read_text())
    code, output = run("check", str(law))
    assert code == 1
    assert "fault   1: the quote does not occur in the text" in output
    assert run("check", str(GEM.file))[0] == 0
    assert all(
        not remark["fault"] for remark in json.loads(run("check", str(GEM.file), "--json")[1])
    )
