"""``packet.pdf``: tagged for readers of every kind, and with words that stay words."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pypdf
import pytest

from site_eval.record.evaluation import Evaluation
from site_eval.record.verdict import Verdict
from site_eval.reports import packet
from site_eval.reports.decision import proposed_conditions, unbound
from site_eval.reports.packet import packet_pdf


@pytest.fixture(scope="module")
def pdf() -> pypdf.PdfReader:
    from tests.reports.sample import sample

    return pypdf.PdfReader(io.BytesIO(packet_pdf(sample())))


@pytest.fixture
def without_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of words: the maps have tests of their own and take a second or two."""
    monkeypatch.setattr(packet, "_maps", lambda _: [])


def elements(node: Any) -> Iterator[Any]:
    """Every element of the structure tree, in reading order."""
    node = node.get_object()
    if isinstance(node, pypdf.generic.ArrayObject):
        for child in node:
            yield from elements(child)
    elif isinstance(node, pypdf.generic.DictionaryObject):
        if "/S" in node:
            yield node
        if "/K" in node:
            yield from elements(node["/K"])


def text_of(reader: pypdf.PdfReader) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in reader.pages)


def test_it_says_that_it_is_pdf_ua_and_is_tagged(pdf: pypdf.PdfReader) -> None:
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert str(root["/Lang"]).startswith("en")
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert "Sand Hollow Harvest Festival" in pdf.metadata.title
    xmp = root["/Metadata"].get_data().decode()
    assert "pdfuaid:part>1<" in xmp.replace(" ", "")


def test_figures_have_alternative_texts_and_tables_have_headers(pdf: pypdf.PdfReader) -> None:
    tags = list(elements(pdf.trailer["/Root"]["/StructTreeRoot"]))
    kinds = Counter(tag["/S"] for tag in tags)
    figures = [tag for tag in tags if tag["/S"] == "/Figure"]
    assert len(figures) >= 5
    assert all("North is up" in str(tag.get("/Alt", "")) for tag in figures)
    tables = [tag for tag in tags if tag["/S"] == "/Table"]
    for table in tables:
        inside = Counter(tag["/S"] for tag in elements(table["/K"]))
        assert inside["/TH"] >= 2
    assert kinds["/L"] > 3


def test_headings_start_at_one_and_skip_no_level(pdf: pypdf.PdfReader) -> None:
    tags = elements(pdf.trailer["/Root"]["/StructTreeRoot"])
    levels = [
        int(str(tag["/S"])[2:]) for tag in tags if str(tag["/S"])[1:] in {"H1", "H2", "H3", "H4"}
    ]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_page_one_is_what_a_commissioner_decides_from(
    pdf: pypdf.PdfReader, evaluation: Evaluation
) -> None:
    page = " ".join(pdf.pages[0].extract_text().split())
    for words in (
        "Sand Hollow Events LLC",
        "What does not comply (4)",
        "What needs a decision (6)",
    ):
        assert words in page
    assert "570 stalls; asked: at least 600 stalls" in page
    assert f"Conditions proposed ({len(proposed_conditions(evaluation))})" in page
    assert "Site map" not in page


@pytest.mark.usefixtures("without_maps")
def test_page_one_stays_one_page_however_much_is_open(evaluation: Evaluation) -> None:
    found = evaluation.findings
    evaluation.findings = [f.model_copy(deep=True) for _ in range(6) for f in found]
    reader = pypdf.PdfReader(io.BytesIO(packet_pdf(evaluation)))
    first = reader.pages[0].extract_text()
    assert "more: see the findings" in " ".join(first.split())
    assert "Findings" in reader.pages[1].extract_text().splitlines()


def test_everything_of_every_finding_is_in_it(evaluation: Evaluation, pdf: pypdf.PdfReader) -> None:
    text = text_of(pdf)
    for finding in evaluation.findings:
        if finding.verdict in {Verdict.COMPLIES, Verdict.NOT_APPLICABLE}:
            continue
        assert finding.question.split("?")[0] in text
        assert " ".join(finding.statement.split())[:60] in text
    for heading in ("Clause by clause", "Agencies", "Sources and accuracy", "Draft motion"):
        assert heading in text
    assert "To grant with conditions" in text


NASTY = (
    '#panic("no") *bold* _it_ $x^2$ <label> @ref // gone',
    '"quoted" \\ #{ } [ ] = Heading',
    "#eval(sys.inputs) `raw` ``` - + / ~ --- ...",
)


@pytest.mark.usefixtures("without_maps")
def test_words_of_the_application_are_never_typst(evaluation: Evaluation) -> None:
    event, statement, reason = NASTY
    evaluation.findings[3].statement = statement
    evaluation.findings[3].reasons = [reason]
    evaluation.checklist.terms = evaluation.checklist.terms.model_copy(update={"event": event})
    text = "".join(text_of(pypdf.PdfReader(io.BytesIO(packet_pdf(evaluation)))).split())
    for words in NASTY:
        assert "".join(words.split()) in text


@pytest.mark.usefixtures("without_maps")
def test_a_bare_evaluation_has_a_packet(bare: Evaluation) -> None:
    reader = pypdf.PdfReader(io.BytesIO(packet_pdf(bare)))
    assert "No approval of an agency is with the application." in text_of(reader)


def test_conditions_are_numbers_papers_or_questions(evaluation: Evaluation) -> None:
    conditions = proposed_conditions(evaluation)
    assert "Parking (5.2.c): at least 600 stalls — Sheriff" in conditions
    assert (
        "Ownership and consent (6.3.c): proof of ownership, or the record owner's sworn statement "
        "— Mass gathering event coordinator" in conditions
    )
    assert any("Is a performance bond due?" in condition for condition in conditions)
    assert not any("Drinking water" in condition for condition in conditions)


@pytest.mark.usefixtures("without_maps")
def test_an_ordinance_that_does_not_bind_is_told_on_page_one(evaluation: Evaluation) -> None:
    why = "The ordinance does not bind this assembly. The whole site lies inside a city."
    evaluation.not_bound = "The whole site lies inside a city."
    for finding in evaluation.findings[2:]:
        finding.verdict, finding.statement = Verdict.NOT_APPLICABLE, why
    reader = pypdf.PdfReader(io.BytesIO(packet_pdf(evaluation)))
    assert why in " ".join(reader.pages[0].extract_text().split())
    # Once a group, not once a clause.
    assert text_of(reader).count(why) < 10
    assert unbound(evaluation) == why
    assert "To find that no licence is needed" in text_of(reader)


def test_an_ordinance_that_binds_is_not_said_not_to(evaluation: Evaluation) -> None:
    assert unbound(evaluation) == ""


@pytest.mark.usefixtures("without_maps")
def test_a_description_and_a_statement_of_pages_lose_nothing(evaluation: Evaluation) -> None:
    calls = " ".join(f"thence N {n % 90}° E {n} feet;" for n in range(400))
    statement = " ".join(f"Word{n}" for n in range(1500))
    site = evaluation.site
    evaluation.site = site.model_copy(
        update={"description": site.description.model_copy(update={"understood": calls})}
    )
    evaluation.findings[3].statement = statement
    reader = pypdf.PdfReader(io.BytesIO(packet_pdf(evaluation)))
    assert "Findings" in reader.pages[1].extract_text().splitlines()
    text = text_of(reader)
    assert "N 39° E 399 feet" in text
    assert all(f"Word{n}" in text for n in (0, 750, 1499))
