"""``packet.pdf``: what the board reads, a tagged PDF/UA-1 made by typst from one template."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from site_eval.record.evaluation import Evaluation
from site_eval.reports.map_topics import worth_drawing
from site_eval.reports.packet_data import packet_data
from site_eval.reports.static_map import map_svg

TEMPLATE = Path(__file__).with_name("assets") / "packet.typ"


def write_packet(evaluation: Evaluation, path: Path) -> None:
    """Write the packet: a decision sheet, the maps, the findings, tables and a draft motion.

    The document carries tags, a language, a title and alternative texts (ISO 14289-1), is dated
    by the record's ``generated_at``, and the same evaluation gives the same bytes. Its words
    reach the template as JSON strings, so nothing in an application can act as markup.
    """
    path.write_bytes(packet_pdf(evaluation))


def packet_pdf(evaluation: Evaluation) -> bytes:
    """The packet as bytes."""
    import typst

    made = datetime.fromisoformat(evaluation.generated_at)
    if made.tzinfo is None:
        made = made.replace(tzinfo=UTC)
    inputs = {
        "data": json.dumps(packet_data(evaluation), ensure_ascii=False),
        "maps": json.dumps(_maps(evaluation)),
    }
    pdf: bytes = typst.compile(
        TEMPLATE.read_bytes(),
        ignore_system_fonts=True,
        sys_inputs=inputs,
        pdf_standards=["ua-1"],
        timestamp=int(made.timestamp()),
    )
    return pdf


def _maps(evaluation: Evaluation) -> list[dict[str, str]]:
    """Every map worth drawing, with the part of the packet that it goes to."""
    topics = list(worth_drawing(evaluation))
    drawings = _drawn(evaluation, [topic.id for topic in topics])
    return [
        {
            "part": topic.part,
            "svg": svg,
            "alt": alternative,
            "caption": f"{topic.title}. {topic.question} Prepared for discussion; not a survey.",
        }
        for topic, (svg, alternative) in zip(topics, drawings, strict=True)
    ]


def _drawn(evaluation: Evaluation, topics: Sequence[str]) -> list[tuple[str, str]]:
    """The maps of *topics*, by several processes where one can be split off safely.

    A process is split off only where that copies it whole (Linux) and no other thread runs, which
    could hold a lock that the copy would wait for.
    """
    draw = partial(map_svg, evaluation)
    workers = min(len(topics), os.cpu_count() or 1, 4)
    if workers < 2 or sys.platform != "linux" or threading.active_count() > 1:
        return [draw(topic) for topic in topics]
    first = draw(topics[0])  # loads what every process needs, before it is split off
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        return [first, *pool.map(draw, topics[1:])]
