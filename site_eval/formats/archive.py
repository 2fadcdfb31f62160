"""Zip archives opened with care: a size that is counted, names that stay inside, parts that belong."""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from site_eval.errors import InputFileError

MAX_UNPACKED_BYTES = 512 * 1024 * 1024
MAX_RATIO = 200
MAX_MEMBERS = 2000
INSIDE = (".shp", ".gpkg", ".fgb", ".geojson", ".json", ".kml", ".dxf")


@contextmanager
def unpacked(path: Path, *, layer: str | None) -> Iterator[Path]:
    """The one map file inside the archive *path*, unpacked to a folder that is removed again.

    *layer* picks a file by its stem when there are several.
    """
    with tempfile.TemporaryDirectory(prefix="site-eval-") as folder:
        try:
            with zipfile.ZipFile(path) as archive:
                members = _members(archive, path)
                chosen = _chosen(members, path, layer)
                for member in members:
                    if _belongs(member, chosen):
                        _unpack(archive, member, Path(folder), path)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError):
            raise _broken(path) from None
        except RuntimeError:  # zipfile's word for a password
            raise InputFileError(
                str(path),
                "the archive asks for a password",
                "save it without one",
                code="input-file.archive",
            ) from None
        yield Path(folder) / PurePosixPath(chosen).name


def _members(archive: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    members = [m for m in archive.infolist() if not m.is_dir() and "__MACOSX" not in m.filename]
    total = sum(m.file_size for m in members)
    packed = max(1, sum(m.compress_size for m in members))
    if total > MAX_UNPACKED_BYTES or (total > 10_000_000 and total / packed > MAX_RATIO):
        raise _bomb(path, f"{total / 1e6:,.0f} MB")
    if len(members) > MAX_MEMBERS:
        raise _bomb(path, f"{len(members):,} files")
    for member in members:
        inner = PurePosixPath(member.filename.replace("\\", "/"))
        if inner.is_absolute() or ".." in inner.parts:
            raise InputFileError(
                str(path),
                f"the archive wants to write outside its folder ('{member.filename}')",
                "make the archive anew from the map's own files",
                code="input-file.archive",
            )
    return members


def _chosen(members: list[zipfile.ZipInfo], path: Path, layer: str | None) -> str:
    maps = sorted(m.filename for m in members if m.filename.lower().endswith(INSIDE))
    named = [name for name in maps if layer is not None and PurePosixPath(name).stem == layer]
    if named or len(maps) == 1:
        return (named or maps)[0]
    preferred = [name for name in maps if PurePosixPath(name).name.lower() == "doc.kml"]
    if preferred:
        return preferred[0]
    if not maps:
        raise InputFileError(
            str(path),
            "the archive holds no map file",
            f"put one of {', '.join(INSIDE)} into it",
            code="input-file.archive",
        )
    stems = ", ".join(f"'{PurePosixPath(name).stem}'" for name in maps[:10])
    raise InputFileError(
        str(path),
        f"the archive holds {len(maps)} maps ({stems})",
        "name one as the layer",
        code="input-file.layer",
    )


def _belongs(member: zipfile.ZipInfo, chosen: str) -> bool:
    main, other = PurePosixPath(chosen), PurePosixPath(member.filename)
    return other.parent == main.parent and other.name.split(".")[0] == main.name.split(".")[0]


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, path: Path) -> None:
    """Unpack one member, counting what really comes out: a header may lie about its size."""
    name = PurePosixPath(member.filename).name
    done = 0
    with archive.open(member) as source, (folder / name).open("wb") as target:
        while block := source.read(1 << 20):
            done += len(block)
            if done > min(MAX_UNPACKED_BYTES, member.file_size):
                raise _bomb(path, f"more than the {member.file_size:,} bytes it says")
            target.write(block)


def _bomb(path: Path, size: str) -> InputFileError:
    return InputFileError(
        str(path),
        f"the archive would unpack to {size}",
        "send only the files of this site's map",
        code="input-file.archive",
    )


def _broken(path: Path) -> InputFileError:
    return InputFileError(
        str(path),
        "the archive is damaged",
        "make the archive anew",
        code="input-file.archive",
    )
