"""One fetch at a time in a folder: two would write one record over the other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from site_eval.errors import LayerError, OutputError

LOCK = ".fetching"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold *folder* for this process; the system lets go of it when the process ends, however.

    Windows has no such lock in the standard library; there the folder is not held.
    """
    file, made = folder / LOCK, not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = file.open("w")
    except OSError as error:
        raise OutputError(
            str(folder), f"nothing can be written here ({error.strerror})", "choose another --out"
        ) from None
    with stream:
        _hold(stream.fileno(), folder)
        try:
            yield
        finally:
            file.unlink(missing_ok=True)
            if made and not any(folder.iterdir()):
                folder.rmdir()


def _hold(descriptor: int, folder: Path) -> None:
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise LayerError(
            str(folder), "another fetch is writing here", "wait for it, or name another --out",
            code="layer.busy",
        ) from None  # fmt: skip
