"""Many points of a small area moved from one CRS to another by a polynomial that fits it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from pyproj import CRS, Transformer

Points = NDArray[np.float64]
Move = Callable[[Points], Points]

_DEGREES = (3, 4, 5, 6)
_KNOTS = 15
# Below this many points PROJ itself is quicker than fitting.
_WORTH = 5_000


def move_between(source: CRS, target: CRS, box: Points, *, within: float, points: int) -> Move:
    """A function from *source* to *target* coordinates for places in *box* (w, s, e, n).

    A polynomial is used when, at places between those it was fitted to, it is off by less than
    *within* units of *target*; otherwise, and for fewer than a few thousand *points*, PROJ.
    """
    mover = Transformer.from_crs(source, target, always_xy=True)

    def exact(xy: Points) -> Points:
        x, y = mover.transform(xy[:, 0], xy[:, 1])
        return np.column_stack([x, y])

    if points < _WORTH or not np.isfinite(box).all():
        return exact
    middle = (box[:2] + box[2:]) / 2
    half = np.maximum((box[2:] - box[:2]) / 2, 1e-9)
    knots = np.cos(np.pi * (np.arange(_KNOTS) + 0.5) / _KNOTS)
    between = np.linspace(-1, 1, 2 * _KNOTS)
    fitted, checked = (_moved(exact, k, middle, half) for k in (knots, between))
    if not (np.isfinite(fitted).all() and np.isfinite(checked).all()):
        return exact
    for degree in _DEGREES:
        factors = _fit(_grid(knots), fitted, degree)
        if np.abs(_value(_grid(between), factors) - checked).max() < within:
            return partial(_fitted, factors=factors, middle=middle, half=half)
    return exact


def _fitted(xy: Points, *, factors: Points, middle: Points, half: Points) -> Points:
    return _value((xy - middle) / half, factors)


def _fit(at: Points, values: Points, degree: int) -> NDArray[np.float64]:
    """Factors of x to the i times y to the j, for i + j up to *degree*."""
    i, j = np.indices((degree + 1, degree + 1))
    used = i + j <= degree
    terms = np.polynomial.polynomial.polyvander2d(at[:, 0], at[:, 1], [degree, degree])
    factors = np.zeros((degree + 1, degree + 1, 2))
    factors[used] = np.linalg.lstsq(terms[:, used.ravel()], values, rcond=None)[0]
    return factors


def _grid(along: NDArray[np.float64]) -> Points:
    x, y = np.meshgrid(along, along)
    return np.column_stack([x.ravel(), y.ravel()])


def _moved(exact: Move, along: NDArray[np.float64], middle: Points, half: Points) -> Points:
    return exact(_grid(along) * half + middle)


def _value(at: Points, factors: NDArray[np.float64]) -> Points:
    """The polynomial by Horner's rule in both directions."""
    x, y = np.ascontiguousarray(at[:, 0]), np.ascontiguousarray(at[:, 1])
    degree = len(factors) - 1
    found = np.empty_like(at)
    for axis in (0, 1):
        total = np.zeros(len(at))
        for i in range(degree, -1, -1):
            inner = np.full(len(at), factors[i, degree - i, axis])
            for j in range(degree - i - 1, -1, -1):
                inner *= y
                inner += factors[i, j, axis]
            total *= x
            total += inner
        found[:, axis] = total
    return found
