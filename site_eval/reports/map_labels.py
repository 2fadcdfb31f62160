"""Labels that do not collide: each is put where it fits, the important ones first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import shapely
from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True)
class Box:
    """A rectangle on the map, points from the frame's lower left corner."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        """Whether the two share any area."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass
class Space:
    """The map frame, and what is already taken in it; points."""

    width: float
    height: float
    taken: list[Box] = field(default_factory=list)

    def free(self, box: Box) -> bool:
        """Whether the box is inside the frame and meets nothing."""
        inside = (
            box.x >= 2
            and box.y >= 2
            and box.x + box.width <= self.width - 2
            and box.y + box.height <= self.height - 2
        )
        return inside and not any(box.meets(other) for other in self.taken)

    def put(self, width: float, height: float, at: Iterable[tuple[float, float]]) -> Box | None:
        """Take the first of the places (centres) at which a box of this size is free."""
        for x, y in at:
            box = Box(x - width / 2, y - height / 2, width, height)
            if self.free(box):
                self.taken.append(box)
                return box
        return None


def around(
    x: float, y: float, width: float, height: float, reach: float = 0.0
) -> Iterator[tuple[float, float]]:
    """Centres for a label beside a thing that reaches so far from its middle: right, left, above,
    below, the corners, then farther out.
    """
    for gap in (9.0, 14.0, 20.0):
        across, up = reach + gap + width / 2, reach + gap + height / 2
        yield x + across, y
        yield x - across, y
        yield x, y + up
        yield x, y - up
        for right in (across, -across):
            yield x + right, y + gap
            yield x + right, y - gap


def near(x: float, y: float) -> Iterator[tuple[float, float]]:
    """Centres for a point's own box: on it, then on rings around it."""
    yield x, y
    for radius in (11.0, 17.0, 24.0, 32.0, 42.0):
        for step in range(12):
            angle = math.pi / 2 - step * math.pi / 6
            yield x + radius * math.cos(angle), y + radius * math.sin(angle)


def inside(area: BaseGeometry, width: float, height: float) -> Iterator[tuple[float, float]]:
    """Centres for a label within an area (points): its middle, then a grid over it.

    Only places where the whole label lies in the area.
    """
    middle = area.centroid if area.contains(area.centroid) else area.representative_point()
    west, south, east, north = area.bounds
    spots = [(middle.x, middle.y)]
    spots += [
        (west + (east - west) * i / 6, south + (north - south) * j / 8)
        for j in (4, 5, 3, 6, 2, 7, 1)
        for i in (3, 2, 4, 1, 5)
    ]
    for x, y in spots:
        box = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        if area.contains(box):
            yield x, y


@dataclass(frozen=True)
class OnLine:
    """A label along a line: its centre, its angle in degrees, and the boxes that it takes."""

    x: float
    y: float
    angle_deg: float
    boxes: tuple[Box, ...]


def along(line: BaseGeometry, width: float, height: float) -> Iterator[OnLine]:
    """Places for a label on a line (points): on its longest straight pieces, near their middles."""
    pieces = [
        (a, b)
        for part in shapely.get_parts(line)
        for a, b in zip(part.coords[:-1], part.coords[1:], strict=True)
        if math.dist(a, b) > width * 1.1
    ]
    for a, b in sorted(pieces, key=lambda piece: -math.dist(*piece)):
        angle = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
        angle = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
        for share in (0.5, 0.35, 0.65, 0.2, 0.8, 0.12, 0.88):
            x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            yield OnLine(x, y, angle, tuple(_beads(x, y, angle, width, height)))


def _beads(x: float, y: float, angle_deg: float, width: float, height: float) -> Iterator[Box]:
    """Squares that cover a turned label."""
    count = max(1, math.ceil(width / height))
    dx, dy = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    for index in range(count):
        offset = (index + 0.5) / count * width - width / 2
        yield Box(x + dx * offset - height / 2, y + dy * offset - height / 2, height, height)
