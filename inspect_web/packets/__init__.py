"""What the Board reads before it decides: the record of a licence gathered, and its packet."""

from __future__ import annotations

from inspect_web.packets.content import packet_data, seen_row
from inspect_web.packets.dossier import Dossier, asked_time, cited, gather
from inspect_web.packets.printed import packet_html, packet_pdf, page_parts, photos_of
from inspect_web.packets.told import known_rows, timeline_data

__all__ = [
    "Dossier",
    "asked_time",
    "cited",
    "gather",
    "known_rows",
    "packet_data",
    "packet_html",
    "packet_pdf",
    "page_parts",
    "photos_of",
    "seen_row",
    "timeline_data",
]
