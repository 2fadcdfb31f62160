"""Leaflet's script and style sheet, read from the installed package XStatic-Leaflet."""

from __future__ import annotations

import base64
import re
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from site_eval.errors import OutputError

_PACKAGE = "XStatic-Leaflet"
_FOLDER = "xstatic/pkg/leaflet/data"


@cache
def leaflet_script() -> str:
    """The minified script, without the pointer to its source map (which is another file)."""
    text = _file("leaflet.js").read_text(encoding="utf-8")
    return re.sub(r"(?m)^//# sourceMappingURL=.*$", "", text).strip()


@cache
def leaflet_style() -> str:
    """The style sheet, its images put inside it."""

    def inlined(match: re.Match[str]) -> str:
        image = _file(match[1]).read_bytes()
        return f"url(data:image/png;base64,{base64.b64encode(image).decode('ascii')})"

    return re.sub(r"url\((images/[\w.-]+)\)", inlined, _file("leaflet.css").read_text("utf-8"))


@cache
def leaflet_version() -> str:
    """The version of Leaflet itself: the first three numbers of its package's."""
    return ".".join(_installed().version.split(".")[:3])


def _installed() -> Distribution:
    try:
        return distribution(_PACKAGE)
    except PackageNotFoundError:
        raise OutputError(
            "map.html", f"the package {_PACKAGE} is not installed", "install site-eval again"
        ) from None


def _file(name: str) -> Path:
    return Path(str(_installed().locate_file(f"{_FOLDER}/{name}")))
