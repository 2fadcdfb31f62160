"""The product speaks of itself alone: no registry hosts, no paths of a maker's machine."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = re.compile(
    r"https?://[^/\s\"']*(?:pypi|npmjs|pythonhosted)[^/\s\"']*/|/work/(?:main|shared)"
)


def test_no_registry_host_and_no_local_path_is_committed() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout
    bad = []
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path == Path(__file__) or not path.is_file():
            continue
        content = path.read_bytes()
        if b"\0" not in content[:4096] and FORBIDDEN.search(content.decode("utf-8", "replace")):
            bad.append(name)
    assert not bad
