"""The command line: what it writes, what it prints, and how it ends."""

import json
import subprocess
import sys

import pytest

from site_eval import cli
from site_eval.record.condition import Checklist
from site_eval.record.evaluation import Evaluation
from site_eval.resources import bundled

FILES = {
    "evaluation.json", "findings.csv", "site.gpkg", "map.html", "packet.pdf", "checklist.json",
}  # fmt: skip


def run(monkeypatch, *arguments) -> int:
    monkeypatch.setattr(sys, "argv", ["site-eval", *map(str, arguments)])
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    return int(stopped.value.code or 0)


def test_something_that_fails_ends_with_1_and_every_file(monkeypatch, capsys, tmp_path) -> None:
    assert run(monkeypatch, "demo", "--out", tmp_path / "out", "--json") == 1
    said = capsys.readouterr()
    printed = Evaluation.model_validate_json(said.out)
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES
    stored = Evaluation.model_validate_json((tmp_path / "out" / "evaluation.json").read_text())
    assert stored == printed
    assert printed.generated_at == "2027-01-15T08:00:00+00:00"
    checklist = Checklist.model_validate_json((tmp_path / "out" / "checklist.json").read_text())
    assert checklist == printed.checklist
    assert said.err == ""


def test_nothing_that_fails_ends_with_0(monkeypatch, capsys, tmp_path) -> None:
    application = bundled("examples", "emmett-park", "application.toml")
    arguments = ["evaluate", application, "--out", tmp_path, "--as-of", "2027-04-15"]
    assert run(monkeypatch, *arguments) == 0
    assert "does not apply" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", ["application", "evaluation", "ordinance", "checklist"])
def test_schemas_are_json_schemas(name, monkeypatch, capsys) -> None:
    assert run(monkeypatch, "schema", name) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["type"] == "object"
    assert schema["properties"]


def test_help_lists_the_commands_and_loads_no_geometry_library() -> None:
    code = (
        "import sys; sys.argv = ['site-eval', '--help']\n"
        "from site_eval import cli\n"
        "try: cli.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'shapely', 'geopandas', 'pandas', 'numpy', 'rasterio', 'matplotlib'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "HEAVY []" in out.stdout
    assert all(name in out.stdout for name in ("demo", "evaluate", "locate", "ordinance"))
