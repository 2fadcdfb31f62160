"""Files that are fetched whole: a zip archive taken up again where it broke off, opened with care."""

from __future__ import annotations

import json
import zipfile
import zlib
from dataclasses import dataclass
from datetime import date
from email.utils import parsedate_to_datetime
from pathlib import Path, PurePosixPath
from typing import Any

import geopandas as gpd
import pyogrio
import requests
from pyproj import Transformer

from site_eval.crs import WGS84
from site_eval.errors import LayerError
from site_eval.files import write_text
from site_eval.formats import parsed_crs
from site_eval.layers.fetch.area import Area, Box
from site_eval.layers.fetch.gathered import Tell
from site_eval.layers.fetch.web import HalfAnswerError, Web, opened, patiently, refused
from site_eval.layers.recipe import Service

MAX_ARCHIVE_BYTES = 8 * 1024**3
MAX_MEMBER_BYTES = 16 * 1024**3


@dataclass(frozen=True)
class Archive:
    """A zip on disk, and what the server said of its date; ``resumed`` when begun before."""

    file: Path
    modified: date | None
    resumed: bool


def fetch_archive(web: Web, url: str, folder: Path, *, resume: bool, tell: Tell) -> Archive:
    """The zip at *url* in *folder*: gone on with when *resume* and the server's file is the same."""
    part, mark = folder / "archive.zip", folder / "archive.json"
    if not resume:
        part.unlink(missing_ok=True)
    resumed = part.is_file() and part.stat().st_size > 0
    modified = patiently(web, url, lambda: _more(web, url, part, mark, tell))
    if not zipfile.is_zipfile(part):
        page = part.open("rb").read(200).lstrip()[:1] == b"<"
        part.unlink()
        fault = "the answer is a web page, not an archive" if page else "the archive is damaged"
        raise refused(url, fault, "open the address in a browser, and fetch it again")
    return Archive(part, modified, resumed)


def _more(web: Web, url: str, part: Path, mark: Path, tell: Tell) -> date | None:
    """Ask for what is still missing and add it; the server's mark tells whether it is one file."""
    have = part.stat().st_size if part.is_file() else 0
    known = json.loads(mark.read_text(encoding="utf-8")) if have and mark.is_file() else {}
    if have and known.get("size") == have:
        return day_of(known.get("modified"))
    sign = known.get("etag") or known.get("modified")
    headers = {"Accept-Encoding": "identity"}
    if sign and have < known.get("size", 0):
        headers |= {"Range": f"bytes={have}-", "If-Range": sign}
    with opened(web, url, headers=headers, stream=True) as response:
        going_on = response.status_code == requests.codes.partial_content
        start = have if going_on else 0
        size = start + int(response.headers.get("Content-Length") or 0)
        if size > MAX_ARCHIVE_BYTES:
            raise refused(url, f"the archive has {size / 1e9:,.0f} GB", "fetch it by hand")
        modified = response.headers.get("Last-Modified")
        said = {"etag": _strong(response), "modified": modified, "size": size}
        write_text(mark, json.dumps(said))
        _append(response, part, start, size, tell)
    return day_of(modified)


def _append(response: requests.Response, part: Path, start: int, size: int, tell: Tell) -> None:
    done = start
    with part.open("r+b" if start else "wb") as stream:
        stream.seek(start)
        stream.truncate()
        try:
            for block in response.iter_content(1 << 18):
                stream.write(block)
                done += len(block)
                tell(done, size)
        except requests.RequestException:
            raise HalfAnswerError("the archive breaks off", "go on with --resume") from None
    if size > start and done < size:
        raise HalfAnswerError("the archive breaks off", "go on with --resume")


def _strong(response: requests.Response) -> str | None:
    """The entity tag, unless it is a weak one, by which no part may be asked for (RFC 9110)."""
    tag = response.headers.get("ETag")
    return tag if tag and not tag.startswith("W/") else None


def day_of(stamp: str | None) -> date | None:
    """The day of an HTTP date, or nothing."""
    try:
        return parsedate_to_datetime(stamp).date() if stamp else None
    except ValueError:
        return None


def unpack(archive: Path, url: str, member: str | None, folder: Path) -> Path:
    """The map of the archive, unpacked to *folder* with its side files; *member* is its name."""
    try:
        with zipfile.ZipFile(archive) as opened_zip:
            main = _main(opened_zip, url, member)
            stem = PurePosixPath(main.filename).name.split(".")[0]
            for info in opened_zip.infolist():
                inner = PurePosixPath(info.filename)
                beside = inner.parent == PurePosixPath(main.filename).parent
                if beside and inner.name.split(".")[0] == stem:
                    _unpack(opened_zip, info, folder / inner.name, url)
    except NotImplementedError:
        raise refused(
            url, "the archive is packed in a way that cannot be read here",
            "unpack it by hand and name its map in a catalog",
        ) from None  # fmt: skip
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):
        raise refused(url, "the archive is damaged", "fetch it again without --resume") from None
    return folder / PurePosixPath(main.filename).name


def _main(archive: zipfile.ZipFile, url: str, member: str | None) -> zipfile.ZipInfo:
    names = [info for info in archive.infolist() if not info.is_dir()]
    if member is None:
        found = [i for i in names if i.filename.lower().endswith((".shp", ".gpkg", ".geojson"))]
    else:
        found = [i for i in names if PurePosixPath(i.filename).name.casefold() == member.casefold()]
    if len(found) != 1:
        there = ", ".join(PurePosixPath(i.filename).name for i in names[:12])
        raise refused(url, f"the archive has {len(found)} files '{member or 'map'}' ({there})",
                      "name one as member in the recipe")  # fmt: skip
    return found[0]


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, url: str) -> None:
    done = 0
    with archive.open(info) as source, target.open("wb") as stream:
        while block := source.read(1 << 20):
            done += len(block)
            if done > min(info.file_size, MAX_MEMBER_BYTES):
                raise refused(url, "the archive unpacks to more than it says", "do not trust it")
            stream.write(block)


def read_rows(
    file: Path, service: Service, area: Area | None, geoid: str
) -> tuple[gpd.GeoDataFrame, Box | None]:
    """The rows of an unpacked map that are asked for, EPSG:4326, and the box they were asked by."""
    try:
        if service.area == "around-county":
            area = _county_row(file, str(service.county_field), geoid)
        box = area.widened(service.margin_km) if area and service.area != "all" else None
        rows = pyogrio.read_dataframe(file, bbox=_in_file(file, box) if box else None)
    except LayerError:
        raise
    except Exception as error:  # noqa: BLE001 - GDAL may raise anything for a damaged file
        raise refused(file.name, f"the map cannot be read ({error})", "fetch it again") from None
    return rows.to_crs(WGS84), box


def _county_row(file: Path, field: str, geoid: str) -> Area:
    rows = pyogrio.read_dataframe(file, where=f"\"{field}\" = '{geoid}'", columns=[field])
    if rows.empty:
        raise refused(file.name, f"it has no county {geoid}", "check --county")
    west, south, east, north = rows.to_crs(WGS84).total_bounds
    return Area(geoid, (float(west), float(south), float(east), float(north)))


def _in_file(file: Path, box: Box) -> Any:
    crs = parsed_crs(pyogrio.read_info(file)["crs"], file.name)
    return Transformer.from_crs(WGS84, crs, always_xy=True).transform_bounds(*box)
