"""Overlap with places and distance asked of PostGIS, started on a temporary directory."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

_BIN = Path("/usr/lib/postgresql/15/bin")
_EXTENSION = Path("/usr/share/postgresql/15/extension/postgis.control")
# Outlines are cut until no piece has more corners, as is advised for large areas.
_CORNERS = 64
_ASK = """
SELECT p.n,
  coalesce((SELECT sum(ST_Area(CASE WHEN ST_CoveredBy(p.g, t.g) THEN p.g
     ELSE ST_Intersection(p.g, t.g) END)) FROM pieces t WHERE ST_Intersects(p.g, t.g)), 0)
     / ST_Area(p.g),
  (SELECT ST_Distance(p.g, t.g) FROM pieces t ORDER BY p.g <-> t.g LIMIT 1)
FROM parcels p ORDER BY p.n
"""


def absent() -> str | None:
    """Why PostGIS cannot be asked, if so."""
    if not _EXTENSION.exists() or not (_BIN / "initdb").exists():
        return "postgresql-15-postgis-3 is not installed"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return None


def by_postgis(
    parcels: NDArray[Any], areas: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float, str]:
    """Share, distance, seconds of the query alone (loaded, indexed, analysed), and the version.

    Both are in the same metres; areas are joined first, so that what overlaps counts once.
    """
    import psycopg

    whole = shapely.get_parts(shapely.union_all(areas))
    with _server() as address, psycopg.connect(address, autocommit=True) as held:
        held.execute("CREATE EXTENSION postgis")
        row = held.execute("SELECT postgis_lib_version()").fetchone()
        _load(held, "parcels", parcels)
        _load(held, "places", whole)
        held.execute(f"CREATE TABLE pieces AS SELECT ST_Subdivide(g, {_CORNERS}) AS g FROM places")
        held.execute("CREATE INDEX ON pieces USING gist (g)")
        held.execute("VACUUM ANALYZE")
        start = time.perf_counter()
        found = np.array(held.execute(_ASK).fetchall(), dtype=float)
        return found[:, 1], found[:, 2], time.perf_counter() - start, str(row[0] if row else "")


def _load(held: Any, name: str, shapes: NDArray[Any]) -> None:
    held.execute(f"CREATE TABLE {name} (n int, g geometry)")
    with held.cursor().copy(f"COPY {name} FROM STDIN") as rows:
        for n, code in enumerate(shapely.to_wkb(shapes, hex=True)):
            rows.write_row((n, code))
    held.execute(f"CREATE INDEX ON {name} USING gist (g)")


@contextmanager
def _server() -> Iterator[str]:
    """A server that only a socket in its own directory reaches; gone with its directory after."""
    root = os.geteuid() == 0
    user = "postgres" if root else pwd.getpwuid(os.geteuid()).pw_name
    # A server refuses to run as root.
    prefix = ["runuser", "-u", user, "--"] if root else []
    folder = Path(tempfile.mkdtemp(prefix="postgis"))
    data = folder / "data"
    try:
        if root:
            shutil.chown(folder, user)
        _run([*prefix, str(_BIN / "initdb"), "-D", str(data), "-A", "trust", "-U", "bench"])
        control = [*prefix, str(_BIN / "pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log")]
        _run([*control, "-o", f"-k {folder} -c listen_addresses=''", "start"])
        try:
            yield f"host={folder} user=bench dbname=postgres"
        finally:
            _run([*control, "-m", "fast", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str]) -> None:
    # Output is not captured: the server would hold the pipe open.
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
    )
