"""The packet as a web page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from site_eval.cli.web import web
from site_eval.record.evaluation import Evaluation
from site_eval.reports.map_html import map_html
from site_eval.reports.map_topics import worth_drawing
from site_eval.reports.packet_html import packet_html
from site_eval.reports.write import evaluation_json


class Outline(HTMLParser):
    """Headings, images and table headers of a page; which elements were left open."""

    VOID = frozenset({"meta", "img", "br", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.images: list[dict[str, str | None]] = []
        self.unscoped = 0
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag == "img":
            self.images.append(dict(attrs))
        if tag == "th" and "scope" not in dict(attrs):
            self.unscoped += 1
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def page(evaluation: Evaluation) -> str:
    return packet_html(evaluation)


def test_it_is_well_formed_with_headings_in_order_and_named_images(
    evaluation: Evaluation, page: str
) -> None:
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert outline.levels[0] == 1
    assert outline.levels.count(1) == 1
    steps = zip(outline.levels, outline.levels[1:], strict=False)
    assert all(later - earlier <= 1 for earlier, later in steps)
    assert len(outline.images) == len(worth_drawing(evaluation))
    assert all("North is up" in str(image["alt"]) for image in outline.images)
    assert outline.unscoped == 0


def test_it_has_no_script_and_asks_nothing_of_a_network(page: str) -> None:
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert all(src.startswith("data:") for src in re.findall(r'src="([^"]*)"', page))


def test_it_says_what_the_pdf_says(evaluation: Evaluation, page: str) -> None:
    for finding in evaluation.findings:
        assert finding.clause.id in page
    for words in (
        "What does not comply (4)",
        "Draft motion",
        "570 stalls; asked: at least 600 stalls",
    ):
        assert words in page


def test_words_of_the_application_are_never_markup(evaluation: Evaluation) -> None:
    evaluation.findings[3].statement = "<script>alert(1)</script> {{ d }}"
    page = packet_html(evaluation)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ d }}" in page


def test_the_command_writes_both_pages_and_the_same_each_time(
    evaluation: Evaluation, page: str, tmp_path: Path
) -> None:
    stored, out = tmp_path / "evaluation.json", tmp_path / "web"
    stored.write_text(evaluation_json(evaluation), encoding="utf-8")
    assert CliRunner().invoke(web, [str(stored), "--out", str(out)]).exit_code == 0
    assert (out / "packet.html").read_text(encoding="utf-8") == page
    assert (out / "map.html").read_text(encoding="utf-8") == map_html(evaluation)


def test_a_bare_evaluation_has_a_page(bare: Evaluation) -> None:
    assert "No approval of an agency is with the application." in packet_html(bare)
