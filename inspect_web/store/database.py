"""Opening the store: SQLite (WAL, synchronous FULL) or PostgreSQL, migrated, with one write door."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from sqlalchemy import Connection, Engine, create_engine, event, text

from inspect_web.errors import SetupError
from inspect_web.inspection.receipt import public_jwk, thumbprint

# One number for the lock that PostgreSQL holds for a whole write; SQLite has its own.
WRITE_LOCK = 20_150_004


@dataclass(frozen=True)
class Store:
    """A database, the folder with the photographs and the county's key."""

    engine: Engine
    home: Path
    key: ec.EllipticCurvePrivateKey

    @property
    def county_key(self) -> dict[str, str]:
        """The county's public key as a JWK."""
        return public_jwk(self.key.public_key())

    @property
    def county_key_id(self) -> str:
        """The thumbprint of the county's key."""
        return thumbprint(self.county_key)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """The one door for writing: a transaction that holds the write lock from its beginning.

        It commits whole or not at all. SQLite's busy timeout does not cover a read that turns
        into a write, hence BEGIN IMMEDIATE.
        """
        connect = self.engine.connect().execution_options(writing=True)
        with connect as connection, connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({WRITE_LOCK})"))
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading: one unchanging view of the data."""
        with self.engine.connect() as connection, connection.begin():
            yield connection


def database_url(home: Path) -> str:
    """``DATABASE_URL`` when it is set, otherwise SQLite in *home*."""
    url = os.environ.get("DATABASE_URL", "")
    for short in ("postgres://", "postgresql://"):
        if url.startswith(short):
            return "postgresql+psycopg://" + url.removeprefix(short)
    return url or f"sqlite:///{home / 'inspect.db'}"


def create_store(home: Path, url: str | None = None) -> Store:
    """Make the folder, the county's key and the tables where they are missing, and open all."""
    (home / "media").mkdir(parents=True, exist_ok=True)
    if not (home / "county-key.pem").exists():
        keep_key(home, ec.generate_private_key(ec.SECP256R1()))
    migrate(url or database_url(home))
    return open_store(home, url)


def keep_key(home: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Make *key* the county's; refuses where there is one."""
    write_secret(home / "county-key.pem", _pem(key))


def open_store(home: Path, url: str | None = None) -> Store:
    """Open what ``create_store`` made; raises ``SetupError`` when it is not there."""
    key_file = home / "county-key.pem"
    if not key_file.exists():
        raise SetupError(str(home), "no installation here", "run 'inspect-web init' first")
    key = load_pem_private_key(key_file.read_bytes(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise SetupError(str(key_file), "not a P-256 key", "put the county's own key back")
    return Store(make_engine(url or database_url(home)), home, key)


def write_secret(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, whole and on the disk before this returns."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def make_engine(url: str) -> Engine:
    """An engine whose SQLite connections keep the promises that a receipt makes."""
    engine = create_engine(url, pool_size=20, max_overflow=20)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def migrate(url: str) -> None:
    """Bring the tables of the database at *url* to the newest form."""
    engine = make_engine(url)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.connect().execution_options(writing=True) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    engine.dispose()


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun by us, below
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
