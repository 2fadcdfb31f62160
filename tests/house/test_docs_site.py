"""The documentation builds as a site with no broken link, and asks nothing of another host."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# What a browser loads by itself when it opens a page.
LOADED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(?:https?:)?//"
    r"|<link\b[^>]*\brel=[\"']?(?:stylesheet|preconnect|preload|icon)[^>]*href=[\"']?(?:https?:)?//"
    r"|url\([\"']?(?:https?:)?//",
    flags=re.IGNORECASE,
)


def build(config: Path, site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", config, "-d", site],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT / "mkdocs.yml", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_built(site: Path) -> None:
    pages = {p.relative_to(ROOT / "docs").with_suffix(".html") for p in ROOT.glob("docs/**/*.md")}
    assert Path("tutorial.html") in pages
    assert {page for page in pages if not (site / page).is_file()} == set()


def test_the_python_page_is_made_from_docstrings(site: Path) -> None:
    page = (site / "api.html").read_text(encoding="utf-8")
    assert "site_eval.evaluate.evaluate" in page
    assert "inspect_web.evidence.verify" in page


def test_a_page_loads_nothing_from_another_host(site: Path) -> None:
    files = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(files) > 20
    assert [f.name for f in files if LOADED.search(f.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    "text",
    [
        '<link rel="stylesheet" href="https://fonts.example.org/a.css">',
        "<script src=https://cdn.example.org/a.js></script>",
        "@import url(//cdn.example.org/a.css)",
    ],
)
def test_what_is_loaded_from_another_host_is_seen(text: str) -> None:
    assert LOADED.search(text)


def test_a_broken_link_ends_the_build(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[gone](gone.md)\n", encoding="utf-8")
    config = tmp_path / "mkdocs.yml"
    config.write_text("site_name: a\n", encoding="utf-8")
    assert build(config, tmp_path / "out").returncode != 0


def test_the_readme_shows_pictures_that_are_there_and_small() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r'<img src="([^"]+)"[^>]* alt="[^"]{20,}"', readme)
    assert len(shown) == readme.count("<img") == 2
    assert [name for name in shown if (ROOT / name).stat().st_size > 150_000] == []


def test_the_readme_links_to_files_that_are_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"\]\((?!https?:)([^)#]+)", readme)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
