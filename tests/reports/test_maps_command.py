"""The printed maps of a stored evaluation, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from site_eval.cli.maps import maps
from site_eval.errors import InputFileError, OutputError
from site_eval.record.evaluation import Evaluation
from site_eval.reports.write import evaluation_json


@pytest.fixture
def stored(evaluation: Evaluation, tmp_path: Path) -> Path:
    path = tmp_path / "evaluation.json"
    path.write_text(evaluation_json(evaluation), encoding="utf-8")
    return path


def test_every_map_and_an_atlas_are_drawn(stored: Path, tmp_path: Path) -> None:
    out = tmp_path / "maps"
    answer = CliRunner().invoke(maps, [str(stored), "--out", str(out), "--form", "svg"])
    assert answer.exit_code == 0
    names = {path.name for path in out.iterdir()}
    assert {"site-plan.svg", "wildfire.svg", "access.svg", "atlas.pdf"} <= names
    assert len(names) == len(answer.output.splitlines())


def test_one_map_on_the_sheet_that_is_asked_for(stored: Path, tmp_path: Path) -> None:
    out = tmp_path / "maps"
    arguments = [str(stored), "--out", str(out), "--topic", "noise", "--sheet", "tabloid-portrait"]
    assert CliRunner().invoke(maps, arguments).exit_code == 0
    assert [path.name for path in out.iterdir()] == ["noise.pdf"]


def test_wrong_names_and_files_are_errors_of_ours(stored: Path, tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "maps")]
    wrong = CliRunner().invoke(maps, [str(stored), *out, "--topic", "weather"])
    assert isinstance(wrong.exception, OutputError)
    missing = CliRunner().invoke(maps, [str(tmp_path / "none.json"), *out])
    assert isinstance(missing.exception, InputFileError)
