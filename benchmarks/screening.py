"""Screening beside the usual ways of asking the same, in one run, with the answers compared.

python benchmarks/screening.py
python benchmarks/screening.py --small 2000 --middle 4000 --large 0 --edges 40000

Parcels are generated: quarter-quarter sections in a grid as public land is surveyed, every third
split and every seventh turned a little. Nothing here asserts a time; an answer that differs is
said in the last column.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import rasterio
import shapely
from numpy.typing import NDArray
from rasterio.transform import from_origin
from screening_postgis import absent, by_postgis

from site_eval.crs import WGS84, LocalFrame
from site_eval.layers.catalog import load_catalog
from site_eval.layers.layer import read_layer
from site_eval.screening.boundaries import Lie, boundaries, lie
from site_eval.screening.question import Question
from site_eval.screening.story import screen_file
from site_eval.solvers.compiled import available
from site_eval.solvers.raster_table import class_table
from site_eval.solvers.travel import minutes_to_many, road_graph

FRAME = LocalFrame(-116.49, 43.87)
SIDE_M = 402.336
PACKAGES = ("geopandas", "shapely", "exactextract", "rasterstats", "networkx", "folium", "numba")


def land(count: int) -> NDArray[Any]:
    """*count* parcels (local metres) that resemble surveyed land, in rows from the south-west."""
    columns = int(np.ceil(np.sqrt(count)))
    side = min(SIDE_M, 60_000 / columns)
    column, row = np.arange(count) % columns, np.arange(count) // columns
    x, y = (column - columns / 2) * side, (row - columns / 2) * side
    width = np.where(np.arange(count) % 3 == 0, side / 2, side)
    boxes = shapely.box(x, y, x + width, y + side)
    turn = np.where(np.arange(count) % 7 == 0, 0.002, 0.0)

    def turned(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        owner = np.repeat(np.arange(count), 5)
        return xy + np.column_stack([-turn[owner] * (xy[:, 1] - y[owner]), 0 * xy[:, 0]])

    return np.asarray(shapely.transform(boxes, turned), dtype=object)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result and the seconds on the clock."""
    start = time.perf_counter()
    return work(), time.perf_counter() - start


def line(task: str, ours: float, beside: str, theirs: float, answers: str) -> None:
    """One row of the table."""
    print(f"| {task} | {ours:.2f} | {beside} | {theirs:.2f} | {theirs / ours:.1f}x | {answers} |")


def places() -> NDArray[Any]:
    """The bundled incorporated places (EPSG:4326)."""
    entry = next(iter(load_catalog(None).of_kind("places")))
    return np.asarray(read_layer(entry).geometry.to_numpy(), dtype=object)


def by_geopandas(
    parcels: NDArray[Any], areas: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Share and distance by overlay, sjoin and sjoin_nearest in local metres."""
    rows = gpd.GeoDataFrame({"n": np.arange(len(parcels))}, geometry=list(parcels), crs=FRAME.crs)
    towns = gpd.GeoDataFrame({"p": np.arange(len(areas))}, geometry=list(areas), crs=FRAME.crs)
    gpd.sjoin(rows, towns, predicate="intersects")
    common = gpd.overlay(rows, towns, how="intersection", keep_geom_type=True)
    share = np.bincount(common.n, common.area, minlength=len(rows)) / rows.area.to_numpy()
    near = gpd.sjoin_nearest(rows, towns, distance_col="away")
    return share, near.groupby("n").away.min().to_numpy()


def municipal(count: int, sample: int) -> None:
    """Overlap with places and distance to the nearest; beside, at most *sample* parcels."""
    parcels, towns = land(count), places()
    lie(parcels[:50], boundaries(towns, FRAME, 18.0, fast=available()))  # compiled once
    start = time.perf_counter()
    fast = available() and count >= 100_000
    found = lie(parcels, boundaries(towns, FRAME, 18.0, fast=fast))
    ours = time.perf_counter() - start
    local = np.asarray(FRAME.to_local(towns), dtype=object)
    at = np.random.default_rng(1).permutation(count)[:sample]
    (share, away), theirs = timed(lambda: by_geopandas(parcels[at], local))
    # An overlay counts twice where places overlap; the measure to compare with does not.
    exact = shapely.area(shapely.intersection(parcels[at], shapely.union_all(local)))
    exact = exact / shapely.area(parcels[at])
    twice = np.abs(exact - share).max()
    apart = np.abs(found.share[at] - exact).max(), np.abs(found.distance_m[at] - away).max()
    partly = int(((exact > 1e-9) & (exact < 1 - 1e-9)).sum())
    sampled = "" if len(at) == count else f", {len(at):,} sampled and scaled"
    line(
        f"municipal, {count:,}", ours, f"geopandas{sampled}", theirs * count / len(at),
        f"share within {apart[0]:.0e} ({partly:,} partly inside), metres within {apart[1]:.0e}; overlay counts overlaps twice, up to {twice:.0e}",
    )  # fmt: skip
    if count > sample:
        postgis(count, parcels, local, found, ours)


def postgis(
    count: int, parcels: NDArray[Any], local: NDArray[Any], found: Lie, ours: float
) -> None:
    """The same asked of PostGIS in the same metres; its time is that of the query alone."""
    task, missing = f"municipal, {count:,}", absent()
    if missing:
        print(f"| {task} | {ours:.2f} | PostGIS | skipped: {missing} | – | – |")
        return
    share, away, theirs, version = by_postgis(parcels, local)
    apart = np.abs(found.share - share).max(), np.abs(found.distance_m - away).max()
    told = f"share within {apart[0]:.0e}, metres within {apart[1]:.0e}"
    line(task, ours, f"PostGIS {version}, ST_Subdivide", theirs, told)


def class_raster(folder: Path, cell_m: float) -> Path:
    """Seven classes in patches over the county, in metres of the local frame."""
    size = int(66_000 / cell_m)
    patches = np.random.default_rng(3).integers(1, 8, (size // 5 + 1, size // 5 + 1))
    values = np.kron(patches, np.ones((5, 5), dtype=int))[:size, :size].astype("uint8")
    path = folder / f"classes{cell_m:.0f}.tif"
    with rasterio.open(
        path, "w", driver="GTiff", width=size, height=size, count=1, dtype="uint8", nodata=255,
        crs=FRAME.crs.to_wkt(), transform=from_origin(-33_000, 33_000, cell_m, cell_m), tiled=True,
    ) as out:  # fmt: skip
        out.write(values, 1)
    return path


def shares(count: int, folder: Path, cell_m: float) -> None:
    """Class shares, beside exactextract (raster-sequential) and rasterstats (centres of cells)."""
    import exactextract
    import rasterstats

    parcels, path = land(count), class_raster(folder, cell_m)
    class_table(parcels[:50], FRAME.crs, path, fast=available())  # compiled once
    table, ours = timed(lambda: class_table(parcels, FRAME.crs, path, fast=available()))
    rows = gpd.GeoDataFrame(geometry=list(parcels), crs=rasterio.open(path).crs)
    frac, theirs = timed(
        lambda: exactextract.exact_extract(
            str(path), rows, ["unique", "frac"], strategy="raster-sequential", output="pandas"
        )
    )
    apart = 0.0
    for n, (codes, parts) in enumerate(zip(frac["unique"], frac["frac"], strict=True)):
        told = dict(zip((int(c) for c in codes), parts, strict=True))
        weight = table.weight[n] / table.weight[n].sum()
        apart = max(apart, *(abs(weight[i] - told.get(c, 0)) for i, c in enumerate(table.classes)))
    task = f"class shares, {count:,}, cells of {cell_m:.0f} m"
    line(task, ours, "exactextract", theirs, f"shares within {apart:.0e}")
    few = rows.iloc[: max(1, count // 10)]
    _, slow = timed(lambda: rasterstats.zonal_stats(few, str(path), categorical=True))
    scaled = slow * count / len(few)
    line(task, ours, "rasterstats, a tenth, scaled", scaled, "centres of cells: another question")


def travel(edges: int) -> None:
    """Minutes from the nearest of five stations to every junction of a grid of roads."""
    import networkx as nx

    side = max(3, int(np.sqrt(edges / 4)))
    rng = np.random.default_rng(7)
    x, y = np.meshgrid(np.arange(side) * 200.0, np.arange(side) * 200.0)
    node = np.arange(side * side).reshape(side, side)
    pairs = np.vstack(
        [np.c_[node[:, :-1].ravel(), node[:, 1:].ravel()],
         np.c_[node[:-1].ravel(), node[1:].ravel()]]
    )  # fmt: skip
    xy = np.c_[x.ravel(), y.ravel()]
    lines = shapely.linestrings(xy[pairs])
    speed = rng.choice([25.0, 35.0, 50.0], len(pairs))
    graph = road_graph(list(lines), speed)
    at = rng.choice(len(xy), 5, replace=False)
    places_m = shapely.points(xy)
    ask, search = timed(lambda: minutes_to_many(graph, list(places_m[at])))
    other = nx.MultiDiGraph()
    cost = 200.0 / (speed * 1609.344 / 60)
    for (a, b), c in zip(pairs.tolist(), cost.tolist(), strict=True):
        other.add_edge(a, b, minutes=c)
        other.add_edge(b, a, minutes=c)

    def five() -> NDArray[np.float64]:
        least = np.full(len(xy), np.inf)
        for start in at.tolist():
            reached = nx.single_source_dijkstra_path_length(other, start, weight="minutes")
            keys = np.fromiter(reached.keys(), dtype=int)
            least[keys] = np.minimum(least[keys], np.fromiter(reached.values(), dtype=float))
        return least

    least, theirs = timed(five)
    some = rng.choice(len(xy), min(2_000, len(xy)), replace=False)
    apart = np.abs(ask(places_m[some]).minutes - least[some]).max()
    task = f"travel time, {other.number_of_edges():,} edges"
    line(task, search, "networkx, five runs", theirs, f"minutes within {apart:.0e}")


def catalog(folder: Path) -> Path:
    """The bundled layers with the generated wildfire classes in front."""
    path = folder / "catalog.toml"
    path.write_text(
        'extends = "bundled"\n[[layer]]\nid = "generated"\nkind = "wildfire"\n'
        'name = "Generated classes"\npublisher = "benchmark"\nvintage = "2026-01-01"\n'
        f'licence = "CC0-1.0"\ngrade = "published"\nfile = "{class_raster(folder, 90)}"\n'
    )
    return path


def parcel_file(folder: Path, count: int) -> Path:
    """Generated parcels as GeoParquet."""
    path = folder / f"parcels{count}.parquet"
    shapes = list(FRAME.to_geographic(land(count)))
    ids = [f"RP{n:08d}" for n in range(count)]
    gpd.GeoDataFrame({"parcel_id": ids}, geometry=shapes, crs=WGS84).to_parquet(path)
    return path


def county_map(count: int, folder: Path) -> None:
    """The county map beside folium.GeoJson of the same rows and columns."""
    import folium
    import pyarrow.parquet as pq

    from site_eval.reports.county_map import write_county_map

    out, ours, theirs = folder / "map.parquet", folder / "map.html", folder / "folium.html"
    question = Question("gem-county-id-2015-04", 2400, date(2026, 6, 1), catalog(folder))
    screen_file(parcel_file(folder, count), out, question)
    table = pq.read_table(out)
    about = {
        "question": {"persons": 2400, "as_of": "2026-06-01", "ordinance": "gem"},
        "parcels": {"file": "generated", "rows": count}, "layers": [], "layers_missing": [],
    }  # fmt: skip
    _, quick = timed(lambda: write_county_map(ours, [table], about))
    rows = gpd.read_parquet(out)

    def drawn() -> None:
        page = folium.Map()
        folium.GeoJson(rows).add_to(page)
        page.save(str(theirs))

    _, slow = timed(drawn)
    size = ours.stat().st_size, theirs.stat().st_size
    told = f"{size[0] / 1e6:.2f} MB against {size[1] / 1e6:.2f} MB: 1/{size[1] / size[0]:.1f}"
    line(f"county map, {count:,}", quick, "folium.GeoJson", slow, told)


def whole(count: int, folder: Path) -> None:
    """Every question of *count* parcels, by one worker and by two, beside decoding the raster."""
    parcels = parcel_file(folder, count)
    layers = catalog(folder)
    with rasterio.open(folder / "classes90.tif") as source:
        _, decode = timed(lambda: source.read(1))
    taken: dict[int, float] = {}
    for workers in (1, 2):
        command = [
            str(Path(sys.executable).with_name("site-eval")), "screen", str(parcels), "--out",
            str(folder / f"w{workers}.parquet"), "--persons", "2400", "--layers", str(layers),
            "--workers", str(workers), "--as-of", "2026-06-01", "--json",
        ]  # fmt: skip
        done, taken[workers] = timed(
            lambda: subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: B023 - run at once
        )
        if done.returncode:
            raise SystemExit(done.stderr)
    one, two = (gpd.read_parquet(folder / f"w{w}.parquet").sort_values("row") for w in (1, 2))
    same = one.reset_index(drop=True).equals(two.reset_index(drop=True))
    told = "the same" if same else "DIFFERENT"
    line(f"all questions, {count:,}, 2 workers", taken[2], "1 worker", taken[1], told)
    line(f"all questions, {count:,}, 2 workers", taken[2], "decoding the raster", decode, "–")


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sizes = {"small": 10_000, "middle": 100_000, "large": 1_000_000, "edges": 1_000_000}
    for name, size in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=size)
    asked = parser.parse_args()
    print(platform.platform(), "Python", platform.python_version(), os.cpu_count(), "processors")
    for name in PACKAGES:
        try:
            print(name, importlib.metadata.version(name), end="; ")
        except importlib.metadata.PackageNotFoundError:
            print(name, "absent", end="; ")
    print("\n\n| task | seconds | beside | seconds | times | answers |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        municipal(asked.small, asked.small)
        municipal(asked.middle, asked.small)
        for cell_m in (90.0, 270.0):
            shares(asked.small, folder, cell_m)
        travel(asked.edges)
        county_map(asked.small, folder)
        if asked.large:
            whole(asked.large, folder)


if __name__ == "__main__":
    main()
