"""Pages kept on disk while a layer is fetched, so that a break costs one page and no more."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_eval.errors import LayerError
from site_eval.files import whole_file, write_text


@dataclass(frozen=True)
class PageStore:
    """A folder of pages got by one plan; ``resumed`` when some were there already."""

    folder: Path
    resumed: bool


def open_store(folder: Path, plan: dict[str, Any], *, resume: bool) -> PageStore:
    """The store at *folder*: emptied, unless *resume* and its pages were got by the same *plan*.

    A plan is whatever decides what is on which page: the address, the question, the list of row
    numbers. When any of it has changed, old and new pages must not be mixed.
    """
    file = folder / "plan.json"
    text = json.dumps(plan, sort_keys=True)
    same = resume and file.is_file() and file.read_text(encoding="utf-8") == text
    if not same:
        shutil.rmtree(folder, ignore_errors=True)
        write_text(file, text)
    return PageStore(folder, resumed=same and any(folder.glob("*.page")))


def kept(store: PageStore, number: int) -> bytes | None:
    """Page *number*, if it is there and its content still has the hash in its name."""
    for file in store.folder.glob(f"{number:06d}-*.page"):
        content = file.read_bytes()
        if file.stem.partition("-")[2] == _mark(content):
            return content
        file.unlink()
    return None


def read_page(store: PageStore, number: int) -> dict[str, Any]:
    """Page *number* as JSON, which was kept before."""
    content = kept(store, number)
    if content is None:
        raise LayerError(
            str(store.folder), f"page {number} was damaged on the disk meanwhile",
            "fetch again with --resume", code="layer.pages",
        )  # fmt: skip
    page: dict[str, Any] = json.loads(content)
    return page


def keep(store: PageStore, number: int, content: bytes) -> None:
    """Keep page *number*, whole or not at all."""
    with whole_file(store.folder / f"{number:06d}-{_mark(content)}.page") as temporary:
        temporary.write_bytes(content)


def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
