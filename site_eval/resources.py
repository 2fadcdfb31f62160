"""Where the bundled data live: inside the wheel, or beside the package in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from site_eval.errors import InputFileError


@cache
def data_folder() -> Path:
    """The folder with ``ordinances/``, ``layers/`` and ``examples/``."""
    package = Path(__file__).resolve().parent
    for folder in (package / "_data", package.parent / "data"):
        if (folder / "ordinances").is_dir():
            return folder
    raise InputFileError(
        str(package), "the bundled data are missing", "install the package again from its wheel"
    )


def bundled(*parts: str) -> Path:
    """A bundled file or folder, by its path below the data folder; it must exist."""
    path = data_folder().joinpath(*parts)
    if not path.exists():
        raise InputFileError(
            "/".join(parts), "no such bundled file", "see the list of the data folder in the README"
        )
    return path
