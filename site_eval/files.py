"""Files read whole with one clear sentence on failure, and written whole or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from site_eval.errors import InputFileError, OutputError

MAX_TEXT_BYTES = 64 * 1024 * 1024


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, or of a folder's files in name order; lower-case hexadecimal."""
    digest = hashlib.sha256()
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def read_text(path: Path, *, what: str) -> str:
    """The text of a UTF-8 file (with or without a byte order mark); *what* names its kind."""
    require_file(path, what=what, limit_bytes=MAX_TEXT_BYTES)
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"{path} (byte {error.start})", f"the {what} is not UTF-8 text", "save it as UTF-8"
        ) from None


def require_file(path: Path, *, what: str, limit_bytes: int) -> None:
    """Refuse a *path* that is missing, a folder, unreadable, empty, or larger than the limit."""
    if not path.exists():
        raise InputFileError(
            str(path), f"there is no such {what}", "check the path and its spelling"
        )
    if not path.is_file():
        raise InputFileError(str(path), f"this is a folder, not a {what}", "name a file inside it")
    if not os.access(path, os.R_OK):
        raise InputFileError(str(path), f"the {what} may not be read", "change its permissions")
    size = path.stat().st_size
    if size == 0:
        raise InputFileError(str(path), f"the {what} is empty", "save it again with its content")
    if size > limit_bytes:
        raise InputFileError(
            str(path),
            f"the {what} has {size / 1e6:,.0f} MB, more than the {limit_bytes / 1e6:,.0f} MB allowed",
            "name the file that holds only this site",
        )


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary path beside *path*, renamed over it only when the block ends without an error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            prefix=f".{path.stem}.", suffix=path.suffix or ".part", dir=path.parent
        )
    except OSError as error:
        raise OutputError(
            str(path.parent),
            f"nothing can be written here ({error.strerror})",
            "choose another --out",
        ) from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        with temporary.open("rb") as stream:
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 *text* whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
