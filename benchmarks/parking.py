"""How many stalls the packer finds, how fast, against an exhaustive sweep and the area ratio.

    python benchmarks/parking.py            figures, against the stored sweep
    python benchmarks/parking.py --sweep    run the sweep again and store it (minutes)
    python benchmarks/parking.py --draw     draw the layouts of docs/solvers.md again

The sweep lays modules on a lattice at every 0.5° and every foot of offset, 21,600 layouts for
each of 200 lots. Each is counted with stall, aisle pad and a cross aisle's width taken off; for
the 1,000 best by that count, the circulation is drawn in full and the best is kept. The packer's
layouts are counted after drawing too, so both are counted alike.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import shapely
from shapely import affinity

from site_eval.solvers.parking import (
    STANDARDS,
    Packing,
    area_estimates,
    pack,
    with_accessible,
)
from site_eval.solvers.parking.circulation import circulate
from site_eval.solvers.parking.packer import largest_part
from site_eval.solvers.parking.stack import lattice_stack, row_counts
from site_eval.solvers.parking.standard import standard_ft
from site_eval.solvers.parking.strips import edges_of
from site_eval.units import ACRE_M2, INTERNATIONAL_FOOT_M

STORED = Path(__file__).resolve().parents[1] / "tests/data/solvers/parking_sweep.json"
DRAWINGS = Path(__file__).resolve().parents[1] / "docs/solvers"
STANDARD = STANDARDS["lot-9x18"]
LOTS = 200
DRAWN = 1000


def random_lot(number: int) -> shapely.Polygon:
    """Lot *number*: 0.5 to 40 acres (log-uniform), even numbers convex, odd ones concave."""
    rng = np.random.default_rng(20_000 + number)
    acres = float(np.exp(rng.uniform(np.log(0.5), np.log(40.0))))
    if number % 2 == 0:
        cloud = shapely.MultiPoint(rng.normal(size=(int(rng.integers(5, 16)), 2)))
        shape = cloud.convex_hull
    else:
        count = int(rng.integers(5, 14))
        angle = np.sort(rng.uniform(0, 2 * np.pi, count))
        radius = rng.uniform(0.35, 1.0, count)
        ring = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
        shape = max(
            (p for p in shapely.get_parts(shapely.make_valid(shapely.Polygon(ring)))
             if p.geom_type == "Polygon"), key=lambda p: p.area,
        )  # fmt: skip
    stretch = float(rng.uniform(1.0, 2.5))
    shape = affinity.rotate(affinity.scale(shape, stretch, 1.0), float(rng.uniform(0, 180)))
    scale = float(np.sqrt(acres * ACRE_M2 / shape.area))
    shape = affinity.scale(shape, scale, scale)
    return shapely.set_precision(shape, 0.01)


def sweep(lot: shapely.Polygon) -> dict[str, float]:
    """The best of the exhaustive sweep on one lot."""
    foot = INTERNATIONAL_FOOT_M
    origin = np.round(shapely.get_coordinates(lot.centroid)[0], 3)
    tries = []
    for azimuth in np.arange(0, 180, 0.5):
        edges = edges_of(lot, float(azimuth), origin)
        rows = int((edges.high_m - edges.low_m) / foot) + 130
        aisles = edges.low_m - STANDARD.module_m + STANDARD.depth_m + foot * np.arange(rows)
        counts = row_counts(edges, STANDARD, aisles, above=False)
        counts += row_counts(edges, STANDARD, aisles, above=True)
        tries += [(int(counts[o::60].sum()), float(azimuth), o) for o in range(60)]
    tries.sort(key=lambda t: (-t[0], t[1], t[2]))
    best = (0, 0.0, 0)
    for expected, azimuth, offset in tries[:DRAWN]:
        if expected <= best[0]:
            continue
        edges = edges_of(lot, azimuth, origin)
        plan = circulate(edges, STANDARD, lattice_stack(edges, STANDARD, offset * foot))
        best = max(best, (largest_part(plan, STANDARD), -azimuth, -offset))
    return {"stalls": best[0], "azimuth_deg": -best[1], "offset_ft": -best[2]}


def store() -> None:
    """Sweep every lot and store lots and results."""
    rows = []
    for number in range(LOTS):
        lot = random_lot(number)
        start = time.perf_counter()
        found = sweep(lot)
        ring = shapely.get_coordinates(lot.exterior).round(2).tolist()
        rows.append({"lot": number, "ring_m": ring, **found})
        seconds = time.perf_counter() - start
        print(f"{number:4d} {lot.area / ACRE_M2:6.2f} ac {found} {seconds:.1f} s", flush=True)
    STORED.parent.mkdir(parents=True, exist_ok=True)
    body = ",\n".join(json.dumps(row) for row in rows)
    STORED.write_text(f"[\n{body}\n]\n", encoding="utf-8")


def compare() -> None:
    """Pack the stored lots and print shares, times and area ratios."""
    rows = json.loads(STORED.read_text(encoding="utf-8"))
    shares, seconds, kinds = [], [], []
    ratio: dict[str, list[float]] = {}
    for row in rows:
        lot = shapely.Polygon(row["ring_m"])
        start = time.perf_counter()
        count = sum(packing.count for packing in pack(lot, STANDARD))
        seconds.append(time.perf_counter() - start)
        if not row["stalls"]:
            continue
        shares.append(count / row["stalls"])
        kinds.append(row["lot"] % 2)
        for estimate in area_estimates(lot.area):
            ratio.setdefault(estimate.name, []).append(estimate.stalls / count)
    share, kind = np.array(shares), np.array(kinds)
    print(f"{len(rows)} lots of 0.5 to 40 acres; Python {platform.python_version()}")
    for name, part in (("all", share), ("convex", share[kind == 0]), ("concave", share[kind == 1])):
        print(
            f"packer / best of sweep, {name:8s} mean {part.mean():.4f}  median "
            f"{np.median(part):.4f}  5th percentile {np.quantile(part, 0.05):.4f}  least "
            f"{part.min():.4f}"
        )
    print(f"seconds a lot: median {np.median(seconds):.3f}, greatest {max(seconds):.3f}")
    for name, values in ratio.items():
        print(
            f"area ratio '{name}' / packer: mean {np.mean(values):.3f}, greatest {max(values):.3f}"
        )
    twenty_acres()


def twenty_acres() -> None:
    """Time one 20-acre lot, 2 to 1 and irregular, and one with 40 trees."""
    side = float(np.sqrt(10 * ACRE_M2))
    plain = shapely.box(0, 0, 2 * side, side)
    lots = {"20 acres, 2 to 1": plain}
    angle = np.linspace(0, 2 * np.pi, 12)[:-1]
    radius = 1 + 0.25 * np.sin(3 * angle)
    shape = shapely.Polygon(np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]))
    scale = float(np.sqrt(20 * ACRE_M2 / shape.area))
    lots["20 acres, eleven corners"] = affinity.scale(shape, scale, scale)
    rng = np.random.default_rng(7)
    trees = shapely.union_all(
        [
            shapely.Point(x * 2 * side, y * side).buffer(6.1, quad_segs=4)
            for x, y in rng.random((40, 2))
        ]
    )
    lots["20 acres, 40 trees"] = plain.difference(trees)
    for name, lot in lots.items():
        start = time.process_time()
        count = sum(packing.count for packing in pack(lot, STANDARD))
        print(f"{name}: {count} stalls in {time.process_time() - start:.2f} s of one core")


def draw() -> None:
    """Write the drawings of the documentation."""
    side = float(np.sqrt(5 * ACRE_M2))
    square = shapely.box(0, 0, side, side)
    rng = np.random.default_rng(1)
    trees = [shapely.Point(x, y).buffer(6.1, quad_segs=8) for x, y in rng.uniform(10, 132, (12, 2))]
    published = replace(standard_ft(9, 18, 12), one_way=True)
    lot = shapely.box(0, 0, 300 * INTERNATIONAL_FOOT_M, 240 * INTERNATIONAL_FOOT_M)
    shapes = {
        "five-acres": with_accessible(pack(square, STANDARD)[0]),
        "perimeter": pack(square, STANDARD, perimeter=True)[0],
        "lanes": pack(square, STANDARDS["event-10x20-lanes"])[0],
        "trees": pack(square.difference(shapely.union_all(trees)), STANDARD)[0],
        "published-along": pack(lot, published)[0],
        "published-across": pack(lot, published, azimuths_deg=(90.0,))[0],
    }
    for name, packing in shapes.items():
        path = DRAWINGS / f"parking-{name}.svg"
        path.write_text(svg(packing), encoding="utf-8")
        print(path.name, packing.count)


def svg(packing: Packing) -> str:
    """A layout as a drawing: stalls green, accessible blue, aisles grey, cross aisles orange."""
    west, south, east, north = packing.ground.bounds
    layers = [
        ("#e4e9ef", "none", packing.aisles),
        ("#f3dcb8", "#b07a2a", packing.cross_aisles),
        ("#f7e27a", "#555", packing.access_aisles),
        ("#cfe8c6", "#3f6b36", [s for s, k in zip(packing.stalls, packing.kinds, strict=True)
                                if k == "stall"]),
        ("#3b6fd4", "#1b2f5c", [s for s, k in zip(packing.stalls, packing.kinds, strict=True)
                                if k != "stall"]),
        ("none", "#000", [packing.ground]),
    ]  # fmt: skip
    body = "".join(
        f'<path fill="{fill}" stroke="{line}" stroke-width=".15" d="{"".join(map(_rings, parts))}"/>\n'
        for fill, line, parts in layers
        if len(parts)
    )
    box = f"{west - 1:.1f} {-north - 1:.1f} {east - west + 2:.1f} {north - south + 2:.1f}"
    title = f"{packing.count} stalls"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="560" role="img" '
        f'aria-label="{title}"><title>{title}</title>\n{body}</svg>\n'
    )


def _rings(shape: shapely.Polygon) -> str:
    return "".join(
        "M" + "L".join(f"{x:.1f} {-y:.1f}" for x, y in ring.coords[:-1]) + "Z"
        for ring in shapely.get_rings(shape)
    )


if __name__ == "__main__":
    if "--draw" in sys.argv:
        draw()
        sys.exit()
    store() if "--sweep" in sys.argv else compare()
