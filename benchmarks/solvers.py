"""How exact and how fast cells, light and sound are, on ground whose answer is known.

python benchmarks/solvers.py
python benchmarks/solvers.py --classes FILE.tif --band N    also on a class raster of yours
python benchmarks/solvers.py --heights FILE.tif             also on an elevation raster of yours
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
import shapely
from rasterio.transform import from_origin
from shapely import affinity

from site_eval.solvers.illuminance import Lamp, grid
from site_eval.solvers.slope import slope_shares
from site_eval.solvers.sound import Source, levels
from site_eval.solvers.zonal import class_shares

CRS = "EPSG:5070"


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result and the seconds of processor time."""
    start = time.process_time()
    return work(), time.process_time() - start


def star(rng: np.random.Generator, radius_m: float, corners: int = 9) -> shapely.Polygon:
    """A random polygon about the origin."""
    angle = np.sort(rng.uniform(0, 2 * np.pi, corners))
    radius = radius_m * rng.uniform(0.4, 1.0, corners)
    return shapely.Polygon(np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]))


def zonal() -> None:
    """Shares of 60 random polygons against a count of 100 by 100 points a cell."""
    rng = np.random.default_rng(1)
    values = rng.integers(1, 8, (12, 12)).astype(np.uint8)
    worst, seconds = 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "classes.tif"
        with rasterio.open(
            path, "w", driver="GTiff", height=12, width=12, count=1, dtype="uint8", crs=CRS,
            transform=from_origin(-1620, 1620, 270, 270), nodata=255,
        ) as target:  # fmt: skip
            target.write(values, 1)
        steps = (np.arange(1200) + 0.5) * 2.7
        x, y = np.meshgrid(-1620 + steps, 1620 - steps)
        fine = np.kron(values, np.ones((100, 100), dtype=np.uint8)).ravel()
        for _ in range(60):
            polygon = star(rng, float(rng.uniform(150, 1500)))
            found, took = timed(lambda p=polygon: class_shares(p, path, CRS))
            seconds += took
            inside = fine[shapely.contains_xy(polygon, x.ravel(), y.ravel())]
            for code in range(1, 8):
                share = float((inside == code).mean()) if inside.size else 0.0
                worst = max(worst, abs(found.shares.get(code, 0.0) - share))
    print(f"class shares, 60 polygons on 270-m cells: greatest difference from a count of 10,000 "
          f"points a cell {worst:.5f}; {seconds / 60 * 1000:.1f} ms a polygon")  # fmt: skip


def light_and_sound() -> None:
    """A lit hectare and ten thousand receivers."""
    lamps = [Lamp(20.0 * x, 20.0 * y, 9, 60_000) for x in range(6) for y in range(6)]
    found, seconds = timed(lambda: grid(shapely.box(0, 0, 100, 100), lamps, limit_fc=5))
    print(f"light: {len(lamps)} lamps, {len(found.values_fc)} points in {seconds:.3f} s, least "
          f"{found.minimum_fc:.1f} fc")  # fmt: skip
    rng = np.random.default_rng(4)
    at = rng.uniform(-5000, 5000, (10_000, 2))
    sources = [Source(0, 0, 100, 30), Source(20, 0, 100, 30)]
    _, seconds = timed(lambda: levels(sources, at))
    print(f"sound: 2 sources at 10,000 receivers in {seconds:.3f} s")


def on_file(path: Path, work: Callable[[shapely.Polygon, str], Any]) -> None:
    """Run *work* on polygons in the middle and over the edge of a raster."""
    with rasterio.open(path) as source:
        west, south, east, north = source.bounds
        crs = source.crs.to_wkt()
    side = min(east - west, north - south)
    middle = shapely.box(0, 0, side / 5, side / 5)
    places = {
        "middle": affinity.translate(middle, (west + east) / 2, (south + north) / 2),
        "half off the edge": affinity.translate(middle, west - side / 10, (south + north) / 2),
    }
    for name, polygon in places.items():
        found, seconds = timed(lambda p=polygon: work(p, crs))
        print(f"{path.name}, {name}: {seconds * 1000:.0f} ms\n    {found}")


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--classes", type=Path)
    parser.add_argument("--band", type=int, default=1)
    parser.add_argument("--heights", type=Path)
    asked = parser.parse_args()
    zonal()
    light_and_sound()
    if asked.classes:
        on_file(asked.classes, lambda p, crs: class_shares(p, asked.classes, crs, band=asked.band))
    if asked.heights:
        on_file(asked.heights, lambda p, crs: slope_shares(p, asked.heights, crs))


if __name__ == "__main__":
    main()
