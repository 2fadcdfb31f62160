"""Replace one generated section of a document, between its two marks."""

from __future__ import annotations

import re
from pathlib import Path

from site_eval.files import read_text, write_text


def write_section(document: str, name: str, text: str) -> None:
    """Put *text* between ``<!-- name:begin -->`` and ``<!-- name:end -->`` of a document."""
    path = Path(__file__).resolve().parent.parent / document
    whole = read_text(path, what="document")
    pattern = rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)"
    found, count = re.subn(pattern, lambda m: m[1] + text + "\n" + m[2], whole, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{document} has no section {name!r}")
    write_text(path, found)
