"""The command ``site-eval locate``: its formats, its exit statuses, its batches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from site_eval.cli.locate import locate
from site_eval.errors import InputFileError

SAND_HOLLOW = "S½NE¼ Sec 22, T. 7 N., R. 3 W., Boise Meridian"
SQUARE = (
    "Beginning at a stake; thence North 208.71 feet; thence East 208.71 feet; thence South 208.71 feet; "
    "thence West 208.71 feet to the Point of Beginning, containing 1 acre."
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(locate, list(arguments))


def test_text_says_what_was_understood_and_how_sure_the_place_is() -> None:
    done = run(SAND_HOLLOW)
    assert done.exit_code == 0
    assert "Understood   S½NE¼ Sec. 22, T. 7 N., R. 3 W., Boise Meridian" in done.output
    assert "80 nominal" in done.output
    assert "m (95 %)" in done.output


def test_a_warning_has_its_mark_under_the_words() -> None:
    done = run("NE¼ of the green field, Sec 22, T. 7 N., R. 3 W., B.M.", "--parse-only")
    lines = done.output.splitlines()
    at = next(i for i, line in enumerate(lines) if line.strip().startswith("^"))
    marked = lines[at - 1][lines[at].index("^") : lines[at].rindex("^") + 1]
    assert marked == "green field"


def test_json_is_one_document() -> None:
    data = json.loads(run(SAND_HOLLOW, "--format", "json").output)
    assert data["status"] == "located"
    assert data["tracts"] == [
        {"township": "7N", "range": "3W", "section": 22, "parts": ["S2NE"], "except": []}
    ]
    assert data["geometry"]["type"] == "Polygon"


def test_geojson_is_a_feature() -> None:
    data = json.loads(run(SAND_HOLLOW, "--format", "geojson").output)
    assert data["type"] == "Feature"
    assert data["properties"]["method"] == "control-adjusted-grid"


def test_a_traverse_goes_out_and_comes_back(tmp_path: Path) -> None:
    out = run(SQUARE, "--format", "traverse").output
    file = tmp_path / "square.txt"
    file.write_text(out, encoding="utf-8")
    data = json.loads(run("--file", str(file), "--format", "json").output)
    assert data["kind"] == "metes-and-bounds"
    assert data["closure"]["area_acres"] == pytest.approx(1.0, abs=1e-4)


def test_a_traverse_is_placed_from_a_given_point() -> None:
    data = json.loads(run(SQUARE, "--beginning", "-116.49,43.87", "--format", "json").output)
    assert (data["status"], data["method"]) == ("located", "traverse")
    xs = [x for x, _ in data["geometry"]["coordinates"][0]]
    assert min(xs) == pytest.approx(-116.49, abs=1e-6)
    assert data["position_uncertainty_m"] > 5


def test_a_batch_answers_one_line_each(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    texts = [SAND_HOLLOW, "gibberish", SQUARE]
    file.write_text(
        "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in enumerate(texts)),
        encoding="utf-8",
    )
    done = run("--file", str(file), "--parse-only")
    answers = [json.loads(line) for line in done.output.splitlines()]
    assert [a["id"] for a in answers] == ["0", "1", "2"]
    assert [a["status"] for a in answers] == ["understood", "not-understood", "understood"]
    assert done.exit_code == 1


@pytest.mark.parametrize("arguments", [[], [SAND_HOLLOW, "--file", "x"], ["--file", "no-such-file.txt"],
                                       [SQUARE, "--beginning", "here"], [SAND_HOLLOW, "--plss", "no-such.gpkg"]])  # fmt: skip
def test_unusable_input_is_refused_in_one_sentence(arguments: list[str]) -> None:
    done = run(*arguments)
    assert isinstance(done.exception, InputFileError)
    assert "Traceback" not in str(done.exception)


def test_what_cannot_be_read_ends_with_one() -> None:
    assert run("the green field").exit_code == 1
