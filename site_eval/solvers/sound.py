"""Sound levels at receivers from loudspeakers outdoors: a screen, with its error, never a pass.

Propagation by octave band after ISO 9613-2: spherical spreading, air absorption, and its
alternative ground method (Eq. 10). Barriers, foliage, wind and temperature layers are not
modelled. The standard states ±3 dB up to 1 km; beyond it the error is larger and not stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

OCTAVES_HZ = (63, 125, 250, 500, 1000, 2000, 4000, 8000)
# ISO 9613-2 Table 2, 10 °C and 70 % humidity, dB a kilometre.
AIR_ABSORPTION_DB_PER_KM = np.array([0.1, 0.4, 1.0, 1.9, 3.7, 9.7, 32.8, 117.0])
# IEC 61672-1 A-weighting at the octave centres, dB.
A_WEIGHTING_DB = np.array([-26.2, -16.1, -8.6, -3.2, 0.0, 1.2, 1.0, -1.1])
# A spectrum of amplified popular music, relative to its own A-weighted level: unweighted octave
# levels with the bass that dBA hides. A proposal for the screen; a declared spectrum replaces it.
MUSIC_DB_RE_DBA = np.array([12.0, 9.0, 3.0, -1.0, -4.0, -7.0, -11.0, -17.0])
STATED_ERROR_DB = 3.0
STATED_TO_M = 1_000.0
# A façade with an open window.
OPEN_WINDOW_DB = 15.0


@dataclass(frozen=True)
class Source:
    """A loudspeaker (group) whose A-weighted level was given at a distance."""

    x_m: float
    y_m: float
    level_dba: float
    reference_m: float
    height_m: float = 4.0
    spectrum_db: tuple[float, ...] | None = None
    """Unweighted octave levels, 63 Hz to 8 kHz, at the reference distance; None: music."""


@dataclass(frozen=True)
class Level:
    """The sum of all sources at one receiver, outdoors."""

    distance_m: float
    """To the nearest source."""
    dba: float
    bands_db: tuple[float, ...]
    """Unweighted, 63 Hz to 8 kHz."""
    spherical_dba: float
    """By spreading alone: the level when air and ground take nothing."""
    error_db: float | None
    """±3 dB to 1 km; None beyond, where the standard states none."""

    @property
    def bass_db(self) -> float:
        """The 63 and 125 Hz bands together, which dBA hides and walls let through."""
        return float(_sum_db(np.array(self.bands_db[:2])))


def spherical_level(
    level_db: ArrayLike, reference_m: ArrayLike, distance_m: ArrayLike
) -> NDArray[np.float64]:
    """Level at *distance_m* by spherical spreading alone, ``L - 20 log10(d / d_ref)``.

    >>> round(float(spherical_level(100, 30, 300)), 1)
    80.0
    """
    distance, reference = np.asarray(distance_m, float), np.asarray(reference_m, float)
    if (distance <= 0).any() or (reference <= 0).any():
        raise ValueError("Distances must be positive.")
    return np.asarray(np.asarray(level_db, float) - 20 * np.log10(distance / reference))


def ground_attenuation_db(distance_m: ArrayLike, mean_height_m: float) -> NDArray[np.float64]:
    """ISO 9613-2 Eq. 10, porous ground, A-weighted: ``max(0, 4.8 - (2 h / d)(17 + 300 / d))``."""
    d = np.asarray(distance_m, float)
    return np.maximum(0.0, 4.8 - (2 * mean_height_m / d) * (17 + 300 / d))


def levels(
    sources: Sequence[Source], receivers_xy_m: ArrayLike, *, receiver_height_m: float = 1.5
) -> list[Level]:
    """Levels at receivers (n by 2, local metres), each source's bands added by energy.

    Raises ``ValueError`` without a source or for a level without a positive reference distance.
    """
    if not sources:
        raise ValueError("No source of sound is given.")
    at = np.atleast_2d(np.asarray(receivers_xy_m, float))
    parts = [_one(source, at, receiver_height_m) for source in sources]
    bands = _sum_db(np.stack([part[0] for part in parts]), axis=0)
    spherical = _sum_db(np.stack([part[1] for part in parts]), axis=0)
    nearest = np.min(np.stack([part[2] for part in parts]), axis=0)
    dba = _sum_db(bands + A_WEIGHTING_DB, axis=1)
    return [
        Level(float(d), float(a), tuple(float(v) for v in b), float(s), _error_db(float(d)))
        for d, a, b, s in zip(nearest, dba, bands, spherical, strict=True)
    ]


def audibility(indoor_dba: ArrayLike, background_dba: ArrayLike) -> NDArray[np.str_]:
    """``likely-audible`` where the level indoors is above the background, else a screen's word.

    "Plainly audible" has no number, so that no distance clears a source: at best
    ``not-predicted-audible``, which is not a pass.
    """
    above = np.asarray(indoor_dba, float) > np.asarray(background_dba, float)
    return np.where(above, "likely-audible", "not-predicted-audible")


def distance_to_level_m(level_dba: float, reference_m: float, target_dba: float) -> float:
    """Distance where spherical spreading alone brings a level down to *target_dba*."""
    return float(reference_m * 10 ** ((level_dba - target_dba) / 20))


def _one(
    source: Source, at: NDArray[np.float64], height_m: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    flat = np.hypot(at[:, 0] - source.x_m, at[:, 1] - source.y_m)
    slant = np.hypot(flat, source.height_m - height_m)
    distance = np.maximum(slant, min(1.0, source.reference_m))
    spread = 20 * np.log10(distance / source.reference_m)
    beyond_km = np.maximum(0.0, distance - source.reference_m) / 1000
    # The declared level already holds the ground's effect at the reference distance.
    mean_height = (source.height_m + height_m) / 2
    ground = np.maximum(
        0.0,
        ground_attenuation_db(distance, mean_height)
        - ground_attenuation_db(source.reference_m, mean_height),
    )
    bands = (
        _spectrum(source)
        - spread[:, None]
        - beyond_km[:, None] * AIR_ABSORPTION_DB_PER_KM
        - ground[:, None]
    )
    return bands, spherical_level(source.level_dba, source.reference_m, distance), distance


def _spectrum(source: Source) -> NDArray[np.float64]:
    if source.spectrum_db is not None:
        if len(source.spectrum_db) != len(OCTAVES_HZ):
            raise ValueError("A spectrum has eight octave levels, 63 Hz to 8 kHz.")
        return np.array(source.spectrum_db, dtype=float)
    shift = source.level_dba - _sum_db(MUSIC_DB_RE_DBA + A_WEIGHTING_DB)
    return np.asarray(MUSIC_DB_RE_DBA + shift)


def _sum_db(levels_db: NDArray[np.float64], axis: int | None = None) -> NDArray[np.float64]:
    return np.asarray(10 * np.log10(np.sum(10 ** (levels_db / 10), axis=axis)))


def _error_db(distance_m: float) -> float | None:
    return STATED_ERROR_DB if distance_m <= STATED_TO_M else None
