"""Cells of a raster for a box: read by ranges from published tiles, or cut from a whole file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import rasterio
import rasterio.merge
import rasterio.windows
import requests
from pyproj import CRS, Transformer
from rasterio.errors import RasterioError

from site_eval.crs import WGS84
from site_eval.files import whole_file
from site_eval.layers.fetch.archives import day_of
from site_eval.layers.fetch.area import Box
from site_eval.layers.fetch.gathered import Tell
from site_eval.layers.fetch.web import Web, refused, unreachable

# The widest picture asked for at once; many services give no more.
MOST_PIXELS = 2048
MERGE_MEMORY_MB = 128
# GDAL takes a pause of nothing for "never again".
LEAST_PAUSE_S = 0.05
WRITTEN = {
    "driver": "GTiff", "tiled": True, "blockxsize": 256, "blockysize": 256,
    "compress": "deflate", "BIGTIFF": "IF_SAFER",
}  # fmt: skip


@dataclass(frozen=True)
class Cells:
    """What is known of the raster that was written: its pages and the newest date of its parts."""

    pages: int
    modified: date | None
    resumed: bool = False


def tiles_of(box: Box) -> list[str]:
    """The one-degree tiles of a box by their north-west corners, as ``n44w117``."""
    west, south, east, north = box
    return [
        f"{'n' if top > 0 else 's'}{abs(top):02d}{'w' if left < 0 else 'e'}{abs(left):03d}"
        for top in range(math.floor(south) + 1, math.ceil(north) + 1)
        for left in range(math.floor(west), math.ceil(east))
    ]


def fetch_tiles(web: Web, urls: list[str], box: Box, target: Path, *, tell: Tell) -> Cells:
    """The cells of *box* out of cloud-optimised GeoTIFFs, by range requests, joined in *target*."""
    days = [_modified(web, url) for url in urls]
    with _patient_gdal(web), ExitStack() as stack:
        sources = []
        for number, url in enumerate(urls):
            try:
                sources.append(stack.enter_context(rasterio.open(f"/vsicurl/{url}")))
            except RasterioError as error:
                raise _unread(url, error) from None
            tell(number, len(urls))
        try:
            _merge(sources, box, target)
        except RasterioError as error:
            raise _unread(urls[0], error) from None
    tell(len(urls), len(urls))
    known = [day for day in days if day is not None]
    return Cells(len(urls), max(known) if known else None)


def cut_raster(source: Path, box: Box, target: Path) -> None:
    """The cells of a raster file that touch *box*, as they are, in *target*."""
    with rasterio.open(source) as whole:
        _merge([whole], box, target)


def _merge(sources: list[Any], box: Box, target: Path) -> None:
    """Join whole cells of *sources* (one grid) that touch the box; nothing is resampled."""
    first = sources[0]
    bounds = Transformer.from_crs(WGS84, CRS.from_user_input(first.crs), always_xy=True)
    west, south, east, north = bounds.transform_bounds(*box)
    left, top = first.transform.c, first.transform.f
    wide, high = first.res
    # A box that ends on a cell's edge does not ask for the next cell.
    near = 1e-6
    snapped = (
        max(
            left + math.floor((west - left) / wide + near) * wide,
            min(s.bounds.left for s in sources),
        ),
        max(
            top - math.ceil((top - south) / high - near) * high,
            min(s.bounds.bottom for s in sources),
        ),
        min(
            left + math.ceil((east - left) / wide - near) * wide,
            max(s.bounds.right for s in sources),
        ),
        min(
            top - math.floor((top - north) / high + near) * high, max(s.bounds.top for s in sources)
        ),
    )
    if snapped[0] >= snapped[2] or snapped[1] >= snapped[3]:
        raise refused(target.stem, "its cells do not reach the county", "check the address")
    with whole_file(target) as temporary:
        rasterio.merge.merge(
            sources, bounds=snapped, nodata=first.nodata, dst_path=temporary, dst_kwds=WRITTEN,
            mem_limit=MERGE_MEMORY_MB,
        )  # fmt: skip


@contextmanager
def _patient_gdal(web: Web) -> Iterator[None]:
    """GDAL asked to retry as we do, to list no folders, and to forget what it read before."""
    with rasterio.Env(
        GDAL_HTTP_MAX_RETRY=web.manners.tries, GDAL_HTTP_RETRY_DELAY=max(LEAST_PAUSE_S, web.manners.pause_s),
        GDAL_HTTP_TIMEOUT=web.manners.timeout_s, GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR",
        CPL_VSIL_CURL_NON_CACHED="/vsicurl/",
    ):  # fmt: skip
        yield


def _modified(web: Web, url: str) -> date | None:
    """The date of the file, asked for first so that a missing tile is told in plain words."""
    web.asked.append(url)
    try:
        answer = web.session.head(url, timeout=web.manners.timeout_s, allow_redirects=True)
    except requests.RequestException as error:
        raise unreachable(url, error) from None
    # Some servers know no HEAD; the ranges will show whether the tile is there.
    if answer.status_code in {403, 405, 501}:
        return None
    if answer.status_code != requests.codes.ok:
        raise refused(
            url, f"the tile is not there (status {answer.status_code})", "check the address"
        )
    return day_of(answer.headers.get("Last-Modified"))


def _unread(url: str, error: Exception) -> Exception:
    words = str(error).splitlines()[0][:160] if str(error) else "no reason"
    return refused(
        url, f"the cells cannot be read by ranges ({words})",
        "check that it is a GeoTIFF on a server that knows range requests, or try again later",
    )  # fmt: skip
