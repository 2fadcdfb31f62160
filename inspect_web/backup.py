"""A copy of everything, consistent while the server runs, and the way back from it."""

from __future__ import annotations

import io
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from pathlib import Path

from inspect_web.errors import SetupError
from inspect_web.store.database import Store, database_url

DATABASE_FILE, DUMP_FILE = "inspect.db", "inspect.dump"
KEPT_FILES = ("county-key.pem", "secret")


def backup(store: Store, path: Path) -> None:
    """Write the database, the photographs and the keys into one tar file; keep it as a secret.

    The database is copied first: a photograph is on the disk before the database names it, so
    the copy never names one that is missing.
    """
    temporary = path.with_name(f".{path.name}.part")
    with tempfile.TemporaryDirectory() as folder, tarfile.open(temporary, "w") as archive:
        name, copy = _database_copy(store, Path(folder))
        archive.add(copy, arcname=name)
        for kept in KEPT_FILES:
            if (store.home / kept).exists():
                archive.add(store.home / kept, arcname=kept)
        originals = store.home / "media" / "originals"
        for file in sorted(originals.rglob("*")) if originals.exists() else []:
            if file.is_file():
                archive.add(file, arcname=str(file.relative_to(store.home)))
    temporary.chmod(0o600)
    temporary.replace(path)


def restore(path: Path, home: Path) -> None:
    """Put a backup into an empty *home*; raises ``SetupError`` when something is already there.

    Phones keep what they sent until well after the event, so that items which came after the
    backup can be sent once more; they get their place at the end of the restored ledger.
    """
    if home.exists() and any(home.iterdir()):
        raise SetupError(str(home), "something is already here", "restore into an empty folder")
    home.mkdir(parents=True, exist_ok=True)
    try:
        with tarfile.open(path) as archive:
            archive.extractall(home, filter="data")
    except (tarfile.TarError, OSError) as error:
        raise SetupError(str(path), f"not a whole backup ({error})", "name another") from None
    dump = home / DUMP_FILE
    if dump.exists():
        _run(["pg_restore", "--clean", "--if-exists", "--no-owner", "-d", _plain(home), str(dump)])
        dump.unlink()


def _database_copy(store: Store, folder: Path) -> tuple[str, Path]:
    if store.engine.dialect.name == "sqlite":
        copy = folder / DATABASE_FILE
        source = sqlite3.connect(str(store.engine.url.database))
        target = sqlite3.connect(copy)
        with source, target:
            source.backup(target)
        source.close()
        target.close()
        return DATABASE_FILE, copy
    copy = folder / DUMP_FILE
    url = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    _run(["pg_dump", "--format=custom", "--no-owner", "-f", str(copy), url])
    return DUMP_FILE, copy


def _plain(home: Path) -> str:
    return database_url(home).replace("postgresql+psycopg://", "postgresql://")


def _run(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        raise SetupError(command[0], "not installed", "install PostgreSQL's client programs")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = io.StringIO(done.stderr).readlines()[-1:] or ["no reason given"]
        raise SetupError(command[0], last[0].strip(), "see that the database can be reached")
