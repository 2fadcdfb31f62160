"""What the scenario leaves behind: the packet, the bundle, and the timelines as JSON."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from inspect_web import packets
from inspect_web.evidence.bundle import export
from inspect_web.inspection.observation import write_instant
from inspect_web.scenario.evening import AS_OF, Played, decide, play, site_time
from inspect_web.scenario.phone import staged_key
from inspect_web.store.database import Store, create_store, keep_key

ASKED = site_time(19, 23, 40)
HANDED_OVER = site_time(20, 3)
FILES = ("packet.pdf", "packet.html", "bundle.zip", "timeline.json")


def write_all(out: Path, home: Path) -> dict[str, Any]:
    """Play the evening in a throw-away store in *home* and write its files into *out*."""
    out.mkdir(parents=True, exist_ok=True)
    store = staged_store(home)
    try:
        story = play(store)
        pdf, page, told = _packet(story)
        told["decision"] = decide(story)
        export(store, story.licence, out / "bundle.zip", HANDED_OVER, packet=pdf)
    finally:
        store.engine.dispose()
    _write(out / "packet.pdf", pdf)
    _write(out / "packet.html", page.encode())
    text = json.dumps(told, indent=1, ensure_ascii=False, sort_keys=True)
    _write(out / "timeline.json", f"{text}\n".encode())
    return told


def staged_store(home: Path) -> Store:
    """A store whose county key anybody can make again: it proves nothing to anybody."""
    home.mkdir(parents=True, exist_ok=True)
    keep_key(home, staged_key("the county"))
    return create_store(home, f"sqlite:///{home / 'inspect.db'}")


def _packet(story: Played) -> tuple[bytes, str, dict[str, Any]]:
    with story.store.read() as connection:
        now = packets.gather(story.store, connection, story.licence, AS_OF)
        then = packets.gather(story.store, connection, story.licence, AS_OF, as_of=ASKED)
        photos = packets.photos_of(story.store, connection, now)
        entries = packets.cited(connection, now)
    told = packets.timeline_data(now)
    told["asked"] = {
        "known_at": write_instant(ASKED),
        "differs": [list(row) for row in packets.known_rows(then, now)],
    }
    pdf = packets.packet_pdf(now, photos, entries)
    return pdf, packets.packet_html(now, photos, entries), told


def _write(path: Path, content: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as stream:
        stream.write(content)
    Path(stream.name).chmod(0o644)
    os.replace(stream.name, path)  # noqa: PTH105 - a rename over what was there
