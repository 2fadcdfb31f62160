"""The product speaks of itself alone: no package registries, no paths of a maker's machine."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HELD = {"constraints.txt", "package-lock.json", "poetry.lock", "uv.lock", "pyproject.toml"}
ADDRESS = re.compile(r"(?:index|extra-index|find-links|resolved|url)\W{1,6}https?://|@ https?://")


def committed() -> dict[str, str]:
    """Every text file that is committed, by name."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout
    found = {}
    for name in filter(None, listed.split("\0")):
        content = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b"\0"
        if b"\0" not in content[:4096]:
            found[name] = content.decode("utf-8", "replace")
    return found


def test_no_path_of_this_checkout_is_committed() -> None:
    bad = [name for name, text in committed().items() if str(ROOT) in text]
    assert not bad


def test_held_versions_name_no_address() -> None:
    held = {n: t for n, t in committed().items() if Path(n).name in HELD}
    assert "constraints.txt" in held
    assert not [name for name, text in held.items() if ADDRESS.search(text)]
    assert not re.search(r"https?://", held["constraints.txt"])


def test_no_page_waits_to_be_filled_in() -> None:
    waiting = re.compile(r"\b(?:TODO|TBD|FIXME|XXX|[A-Z]{3,}_(?:RESULT|HERE|TABLE))\b")
    pages = {n: t for n, t in committed().items() if n.endswith(".md")}
    assert "README.md" in pages
    assert not [name for name, text in pages.items() if waiting.search(text)]


def test_an_address_in_a_lock_file_is_seen() -> None:
    assert ADDRESS.search('"resolved": "https://example.org/left-pad.tgz"')
    assert ADDRESS.search("left-pad @ https://example.org/left-pad.whl")
