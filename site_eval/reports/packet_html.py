"""The board packet as one web page, for a county's site: the same words as ``packet.pdf``."""

from __future__ import annotations

import base64
from pathlib import Path

from site_eval.record.evaluation import Evaluation
from site_eval.reports.map_topics import worth_drawing
from site_eval.reports.packet_data import packet_data
from site_eval.reports.static_map import map_svg

ASSETS = Path(__file__).with_name("assets")
# The maps' letters are DejaVu Sans; Verdana has its widths and is on most machines.
_FONTS = "'DejaVu Sans', Verdana, sans-serif"


def packet_html(evaluation: Evaluation) -> str:
    """One page with no script that asks nothing of a network; maps are images with their words.

    The same evaluation gives the same text.
    """
    import jinja2

    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((ASSETS / "packet.html.jinja").read_text("utf-8"))
    style = (ASSETS / "packet.css").read_text("utf-8")
    return template.render(d=packet_data(evaluation), maps=_maps(evaluation), style=style)


def _maps(evaluation: Evaluation) -> dict[str, list[dict[str, str]]]:
    """The maps by the part of the packet that they go to."""
    parts: dict[str, list[dict[str, str]]] = {}
    for topic in worth_drawing(evaluation):
        svg, alternative = map_svg(evaluation, topic.id, outlines=False)
        svg = svg.replace("'DejaVu Sans'", _FONTS).replace("&#39;DejaVu Sans&#39;", _FONTS)
        image = base64.b64encode(svg.encode("utf-8")).decode("ascii")
        figure = {"image": image, "alt": alternative, "caption": f"{topic.title}. {topic.question}"}
        parts.setdefault(topic.part, []).append(figure)
    return parts
