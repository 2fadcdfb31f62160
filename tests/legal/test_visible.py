"""The surveyor's answers, by the README of the cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from site_eval.legal.locate import Helps, locate, locate_lines
from tests.legal.meaning import problems

VISIBLE = Path(__file__).parent.parent / "data" / "legal" / "visible.jsonl"
RECORDS = [json.loads(line) for line in VISIBLE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r["id"])
def test_a_real_description_is_read_as_a_surveyor_reads_it(record: dict) -> None:
    assert problems(record, locate(record["text"], Helps(parse_only=True))) == []


def test_a_stream_answers_every_line_in_order_whatever_it_holds() -> None:
    lines = [
        '{"id": 7, "text": "T6N R2W Sec 3: NE"}',
        "not json",
        "",
        '{"id": "x", "text": 5}',
        '{"id": "b", "text": ""}',
    ]
    answers = list(locate_lines(lines, Helps(parse_only=True)))
    assert [answer.id for answer in answers] == ["7", None, None, "b"]
    assert [answer.status for answer in answers] == ["understood", *["not-understood"] * 3]


def test_an_answer_has_the_keys_of_the_interface() -> None:
    record = next(r for r in RECORDS if r["id"] == "mb-103")
    data = locate(record["text"]).to_json()
    assert set(data) >= {
        "id", "text", "status", "kind", "meridian", "meridian_assumed", "normal_form", "tracts",
        "nominal_acres", "government_lots", "stated_acres", "area_acres", "geometry",
        "position_uncertainty_m", "method", "tie", "courses", "closure", "lots", "parcel_numbers",
        "container_only", "unresolved", "warnings",
    }  # fmt: skip
    assert data["courses"][0] == {
        "kind": "line", "bearing": "N0-00-00E", "azimuth_deg": 0.0, "distance_ft": 33.28,
    }  # fmt: skip
    assert set(data["courses"][2]) == {
        "kind", "side", "radius_ft", "delta_deg", "arc_ft", "chord_azimuth_deg", "chord_ft",
    }  # fmt: skip
    json.dumps(data)


def test_the_normal_form_is_written_for_people() -> None:
    answer = locate("T6S-R24E Sec 30: SW/4 SE/4, Boise Meridian", Helps(parse_only=True))
    assert answer.normal_form == "SW¼SE¼ Sec. 30, T. 6 S., R. 24 E., Boise Meridian"
