"""The packet on paper (PDF/UA-1, by typst) and as one file for a browser, and the pictures in both."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, select_autoescape
from PIL import Image
from sqlalchemy import Connection

from inspect_web.drawing import timeline_svg
from inspect_web.packets.content import packet_data, shown_window
from inspect_web.packets.dossier import Dossier
from inspect_web.packets.links import linked
from inspect_web.store import ledger, media
from inspect_web.store.database import Store

MAX_PHOTOS = 40  # in one packet; the bundle holds all
TEMPLATE = Path(__file__).with_name("packet.typ")
PAGES = Path(__file__).parents[1] / "templates"


def packet_pdf(
    dossier: Dossier,
    photos: Mapping[str, bytes] | None = None,
    entries: Sequence[ledger.Entry] = (),
) -> bytes:
    """The packet as a tagged PDF; the same dossier gives the same bytes.

    *photos* are JPEG copies by the hash of the original (``photos_of``), *entries* what may be
    cited (``cited``). The words reach the template as JSON, so nothing that somebody typed can act
    as markup.
    """
    import typst  # heavy, and only this needs it

    pictures = {sha: _as_svg(jpeg) for sha, jpeg in (photos or {}).items()}
    data = {**packet_data(dossier, entries), "pictures": pictures}
    pdf: bytes = typst.compile(
        TEMPLATE.read_bytes(),
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        pdf_standards=["ua-1"],
        timestamp=int(dossier.as_of.timestamp()),
    )
    return pdf


def packet_html(
    dossier: Dossier,
    photos: Mapping[str, bytes] | None = None,
    entries: Sequence[ledger.Entry] = (),
) -> str:
    """The packet as one file that opens in any browser, without a network."""
    pages = Environment(
        loader=FileSystemLoader(PAGES), autoescape=select_autoescape(), trim_blocks=True
    )
    pictures = {
        sha: f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
        for sha, jpeg in (photos or {}).items()
    }
    return pages.get_template("board/packet_file.html").render(
        dossier=dossier, pictures=pictures, **page_parts(dossier, entries)
    )


def page_parts(dossier: Dossier, entries: Sequence[ledger.Entry]) -> dict[str, object]:
    """What the packet's page needs beside its pictures: words, drawings, links."""
    begins, ends = shown_window(dossier)
    known = frozenset(entry.seq for entry in entries)
    return {
        "data": packet_data(dossier, entries),
        "drawn": {
            g.line.item.id: timeline_svg(g.line, begins, ends, dossier.zone)
            for g in dossier.grounds
        },
        "linked": lambda text: linked(text, known),
    }


def photos_of(store: Store, connection: Connection, dossier: Dossier) -> dict[str, bytes]:
    """Small copies, without metadata, of the photographs that the grounds rest on."""
    wanted = {sha for g in dossier.grounds for o in g.supporting + g.opposing for sha in o.photos}
    found = {}
    for sha in sorted(wanted - set(dossier.photos_missing))[:MAX_PHOTOS]:
        if media.original(store, connection, sha)[1] in media.KINDS:
            found[sha] = media.public_copy(store, connection, sha).read_bytes()
    return found


def _as_svg(jpeg: bytes) -> str:
    """A picture in a drawing: the only form in which the template can take one from memory."""
    width, height = _size(jpeg)
    data = base64.b64encode(jpeg).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<image width="{width}" height="{height}" href="data:image/jpeg;base64,{data}"/></svg>'
    )


def _size(jpeg: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(jpeg)) as picture:
        return picture.size
