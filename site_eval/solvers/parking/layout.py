"""A finished layout: stalls, aisles and what they rest on, turned back into the site's frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from site_eval.solvers.parking.circulation import Band, Plan, Run
from site_eval.solvers.parking.standard import Standard
from site_eval.solvers.parking.strips import EPS_M, turned


@dataclass(frozen=True)
class Packing:
    """Stalls of one piece of ground."""

    ground: BaseGeometry
    standard: Standard
    azimuth_deg: float
    """Direction of the aisles, from east counterclockwise."""
    stalls: NDArray[Any]
    """One polygon a stall, accessible ones too, in a fixed order (row by row)."""
    kinds: tuple[str, ...]
    """By stall: ``stall``, ``accessible`` or ``van``."""
    row_of: NDArray[np.int64]
    """By stall, the number of the run it stands in."""
    spare_m: NDArray[np.float64]
    """By stall, free length before it and beyond it: of the first and last in a run, else 0."""
    aisles: NDArray[Any]
    cross_aisles: NDArray[Any]
    driveways: NDArray[Any]
    access_aisles: NDArray[Any]
    unreachable: int
    """Stalls that would fit but that no aisle from a gate reaches; not among ``stalls``."""
    given_up: int
    """Stalls given up for access aisles beside accessible stalls."""
    gate_assumed: bool
    """No gate was given: the largest connected part was kept as if it had one."""

    @property
    def count(self) -> int:
        """Stalls that stand, accessible ones included."""
        return len(self.stalls)

    @property
    def accessible(self) -> int:
        """Accessible stalls among them."""
        return sum(kind != "stall" for kind in self.kinds)


@dataclass(frozen=True)
class Drawn:
    """A plan's rectangles in the site's frame, before gates and accessible stalls."""

    stalls: NDArray[Any]
    run_of: NDArray[np.int64]
    spare_m: NDArray[np.float64]
    part_of: NDArray[np.int64]
    """By stall, the connected part of the aisles."""
    aisles: NDArray[Any]
    aisle_part: NDArray[np.int64]
    bands: NDArray[Any]
    band_part: NDArray[np.int64]


def features(packing: Packing, *, prefix: str = "") -> list[tuple[dict[str, Any], BaseGeometry]]:
    """Properties and geometry (local metres) of everything drawn; stall ids are stable.

    A stall's id is ``prefix`` + row and place in the row, such as ``A-03-017``.
    """
    found: list[tuple[dict[str, Any], BaseGeometry]] = []
    place: dict[int, int] = {}
    for stall, kind, row in zip(packing.stalls, packing.kinds, packing.row_of, strict=True):
        place[int(row)] = place.get(int(row), 0) + 1
        name = f"{prefix}{int(row) + 1:02d}-{place[int(row)]:03d}"
        found.append(({"kind": kind, "id": name}, stall))
    others = {
        "access-aisle": packing.access_aisles,
        "aisle": packing.aisles,
        "cross-aisle": packing.cross_aisles,
        "driveway": packing.driveways,
    }
    for kind, shapes in others.items():
        found += [
            ({"kind": kind, "id": f"{prefix}{kind}-{n + 1}"}, shape)
            for n, shape in enumerate(shapes)
        ]
    return found


def drawn(plan: Plan, std: Standard, azimuth_deg: float, origin: NDArray[np.float64]) -> Drawn:
    """Draw every stall, aisle and cross aisle of *plan*."""
    corners, run_of, spare = _stall_corners(plan, std)
    part = np.array(plan.component, dtype=np.int64)
    node_of_run = np.array([run.node for run in plan.runs], dtype=np.int64)
    aisles = [_aisle(plan, std, n) for n in range(len(plan.nodes))]
    # As wide as an aisle; what whole stalls leave over is spare.
    rights = [min(b.right_m, b.left_m + std.aisle_m) for b in plan.bands]
    bands = [
        _rectangle(b.left_m, b.low_m, right, b.high_m)
        for b, right in zip(plan.bands, rights, strict=True)
    ]
    return Drawn(
        stalls=_placed(corners, azimuth_deg, origin),
        run_of=run_of,
        spare_m=spare,
        part_of=part[node_of_run[run_of]] if len(run_of) else np.zeros(0, dtype=np.int64),
        aisles=_placed(np.array(aisles).reshape(-1, 4, 2), azimuth_deg, origin),
        aisle_part=part,
        bands=_placed(np.array(bands).reshape(-1, 4, 2), azimuth_deg, origin),
        band_part=np.array([part[b.nodes[0]] for b in plan.bands], dtype=np.int64),
    )


def run_count(plan: Plan, std: Standard) -> int:
    """Stalls of a plan, all parts counted."""
    return sum(len(_starts(run, std)) for run in plan.runs)


def run_sizes(plan: Plan, std: Standard) -> list[int]:
    """Stalls by run."""
    return [len(_starts(run, std)) for run in plan.runs]


def _starts(run: Run, std: Standard) -> NDArray[np.float64]:
    """Left ends of the stalls of a run; leaning stalls keep step with those behind them."""
    first = run.left_m
    if std.angle_deg < 90:
        phase = _phase_m(run, std)
        first = phase + math.ceil((run.left_m - phase) / std.pitch_m - 1e-9) * std.pitch_m
    count = int((run.right_m - first - std.lead_m + 2 * EPS_M) / std.pitch_m)
    return np.asarray(first + std.pitch_m * np.arange(max(0, count)))


def _leans(level: int) -> int:
    """Leaning changes side from aisle to aisle: stalls back to back then lie in one line."""
    return 1 if level % 2 == 0 else -1


def _phase_m(run: Run, std: Standard) -> float:
    if run.above:
        return 0.0
    return _leans(run.level - 1) * std.stall_length_m * math.cos(math.radians(std.angle_deg))


def _stall_corners(
    plan: Plan, std: Standard
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Corners of every stall, the run of each, and the spare length at the ends of runs."""
    shapes, owners, spares = [np.zeros((0, 4, 2))], [np.zeros(0, np.int64)], [np.zeros((0, 2))]
    for number, run in enumerate(plan.runs):
        starts = _starts(run, std)
        if not len(starts):
            continue
        shape = _one_stall(plan, run, std)
        shapes.append(shape[None, :, :] + np.stack([starts, 0 * starts], axis=-1)[:, None, :])
        owners.append(np.full(len(starts), number, dtype=np.int64))
        end = float(starts[-1]) + std.pitch_m + std.lead_m
        spare = np.zeros((len(starts), 2))
        spare[0, 0], spare[-1, 1] = run.before_m, max(0.0, run.right_m - end)
        spares.append(spare)
    return np.concatenate(shapes), np.concatenate(owners), np.concatenate(spares)


def _one_stall(plan: Plan, run: Run, std: Standard) -> NDArray[np.float64]:
    """Corners of the stall of a run whose left end is x = 0."""
    phi = math.radians(std.angle_deg)
    u = np.array([math.cos(phi) if std.angle_deg < 90 else 0.0, math.sin(phi)])
    v = np.array([u[1], -u[0]])
    width, length = std.stall_width_m, std.stall_length_m
    corner = np.array([0.0, width * u[0]])
    shape = np.array([corner, corner + width * v, corner + width * v + length * u,
                      corner + length * u])  # fmt: skip
    if std.angle_deg < 90 and _leans(run.level) < 0:
        shape[:, 0] = shape[:, 0].max() - shape[:, 0]
    low = plan.stack.aisles[run.level].low_m
    if run.above:
        shape[:, 1] += low + std.aisle_m
    else:
        shape[:, 1] = low - shape[:, 1]
    return shape


def _aisle(plan: Plan, std: Standard, number: int) -> NDArray[np.float64]:
    """The aisle as far as it is needed: along its rows and to its cross aisles."""
    node = plan.nodes[number]
    used = [(r.left_m, r.right_m) for r in plan.runs if r.node == number]
    used += [(b.left_m, b.right_m) for b in plan.bands if number in b.nodes]
    left = min((a for a, _ in used), default=node.left_m)
    right = max((b for _, b in used), default=node.right_m)
    low = plan.stack.aisles[node.level].low_m
    return _rectangle(
        max(left, node.left_m), low, min(right, node.right_m), low + std.aisle_m
    )  # fmt: skip


def _rectangle(left: float, low: float, right: float, high: float) -> NDArray[np.float64]:
    return np.array([[left, low], [right, low], [right, high], [left, high]])


def _placed(
    corners: NDArray[np.float64], azimuth_deg: float, origin: NDArray[np.float64]
) -> NDArray[Any]:
    if not len(corners):
        return np.zeros(0, dtype=object)
    xy = turned(corners, azimuth_deg) + origin
    return np.asarray(shapely.polygons(np.concatenate([xy, xy[:, :1]], axis=1)))


def band_kinds(bands: tuple[Band, ...]) -> tuple[str, ...]:
    """By band, cross aisle or turning place."""
    return tuple(band.kind for band in bands)
