"""A drawing board in feet laid on real land: x along its south edge, y to the north of it."""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from site_eval.crs import LocalFrame, frame_for
from site_eval.units import INTERNATIONAL_FOOT_M

DATA = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Board:
    """Feet from an origin, turned so that x runs along the land's south edge."""

    frame: LocalFrame
    origin_m: tuple[float, float]
    turn_rad: float

    def place(self, drawn_ft: BaseGeometry) -> BaseGeometry:
        """A geometry drawn in feet, in EPSG:4326 to a centimetre."""
        cos, sin = math.cos(self.turn_rad), math.sin(self.turn_rad)

        def move(points: np.ndarray) -> np.ndarray:
            x, y = points[:, 0] * INTERNATIONAL_FOOT_M, points[:, 1] * INTERNATIONAL_FOOT_M
            return np.column_stack(
                [self.origin_m[0] + x * cos - y * sin, self.origin_m[1] + x * sin + y * cos]
            )

        return rounded(self.frame.to_geographic(shapely.transform(drawn_ft, move)))


def board_on(land: BaseGeometry) -> Board:
    """A board with its origin at the land's south-west corner."""
    frame = frame_for(land)
    points = shapely.get_coordinates(frame.to_local(land))
    west = points[np.argmin(points[:, 0] + points[:, 1])]
    east = points[np.argmax(points[:, 0] - points[:, 1])]
    turn = math.atan2(east[1] - west[1], east[0] - west[0])
    return Board(frame, (float(west[0]), float(west[1])), turn)


@dataclass
class Drawing:
    """Features gathered one after the other, written as GeoJSON in that order."""

    board: Board
    features: list[dict[str, Any]] = field(default_factory=list)

    def add(self, role: str, name: str, shape_ft: BaseGeometry, **properties: Any) -> None:
        """One feature drawn in feet."""
        self.put(role, name, self.board.place(shape_ft), **properties)

    def put(self, role: str, name: str, shape: BaseGeometry, **properties: Any) -> None:
        """One feature already in EPSG:4326."""
        self.features.append(
            {
                "type": "Feature",
                "properties": {"role": role, "name": name, **properties},
                "geometry": shapely.geometry.mapping(rounded(shape)),
            }
        )

    def write(self, path: Path) -> None:
        """One feature a line, so that a change shows as a line."""
        lines = ",\n".join(json.dumps(f, ensure_ascii=False) for f in self.features)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{{"type": "FeatureCollection", "features": [\n{lines}\n]}}\n', "utf-8")
        print(f"{path.relative_to(DATA)}: {len(self.features)} features")


def rounded(shape: BaseGeometry) -> BaseGeometry:
    return shapely.transform(shape, lambda points: np.round(points, 7))


def box(west: float, south: float, east: float, north: float) -> BaseGeometry:
    return shapely.box(west, south, east, north)


def line(*points: tuple[float, float]) -> BaseGeometry:
    return shapely.LineString(points)


def point(x: float, y: float) -> BaseGeometry:
    return shapely.Point(x, y)
