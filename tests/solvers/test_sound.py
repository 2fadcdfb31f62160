"""Sound levels against ISO 9613-2 by hand."""

import numpy as np
import pytest

from site_eval.solvers.sound import (
    Source,
    audibility,
    distance_to_level_m,
    ground_attenuation_db,
    levels,
    spherical_level,
)

MILE_M = 1609.344
FLAT = (80.0,) * 8


# 100 dBA at 30 m, spreading alone.
@pytest.mark.parametrize(
    ("distance_m", "dba"), [(300, 80.0), (1000, 69.5), (MILE_M, 65.4), (2 * MILE_M, 59.4)]
)
def test_spreading_alone(distance_m: float, dba: float) -> None:
    assert float(spherical_level(100, 30, distance_m)) == pytest.approx(dba, abs=0.05)


def test_no_distance_in_the_county_clears_a_concert() -> None:
    assert distance_to_level_m(100, 30, 45) / MILE_M == pytest.approx(10.5, abs=0.05)


def test_ground_of_equation_10() -> None:
    """h = 2 m: 4.8 - (4 / 500)(17 + 0.6) at 500 m; nothing close by."""
    assert float(ground_attenuation_db(500, 2)) == pytest.approx(4.8 - 4 / 500 * 17.6)
    assert float(ground_attenuation_db(10, 2)) == 0


def test_bands_by_hand() -> None:
    """Levels of 80 dB a band at 30 m, heard at 1,030 m, source and receiver at one height.

    Spreading 20 log10(1030 / 30) = 30.71 dB; air 0.1 … 117 dB over 1 km; ground by equation 10
    at 1,030 m less that at 30 m, 4.8 - (3 / 30)(17 + 10) = 2.1 dB, which the level given holds.
    """
    source = Source(0, 0, 100, 30, height_m=1.5, spectrum_db=FLAT)
    (found,) = levels([source], [[1030, 0]])
    ground = 4.8 - (2 * 1.5 / 1030) * (17 + 300 / 1030) - 2.1
    spread = 20 * np.log10(1030 / 30)
    air = np.array([0.1, 0.4, 1.0, 1.9, 3.7, 9.7, 32.8, 117.0])
    assert found.bands_db == pytest.approx(80 - spread - air - ground)
    weighted = found.bands_db + np.array([-26.2, -16.1, -8.6, -3.2, 0, 1.2, 1.0, -1.1])
    assert found.dba == pytest.approx(10 * np.log10((10 ** (weighted / 10)).sum()))


def test_two_equal_sources_add_three_decibels() -> None:
    one = levels([Source(0, 0, 100, 30)], [[500, 0]])[0]
    two = levels([Source(0, 0, 100, 30)] * 2, [[500, 0]])[0]
    assert two.dba - one.dba == pytest.approx(3.01, abs=0.005)
    assert two.spherical_dba - one.spherical_dba == pytest.approx(3.01, abs=0.005)


def test_the_declared_level_is_met_at_its_distance() -> None:
    (found,) = levels([Source(0, 0, 100, 30, height_m=1.5)], [[30, 0]])
    assert found.dba == pytest.approx(100, abs=0.01)


def test_bass_outlasts_the_rest() -> None:
    near, far = levels([Source(0, 0, 100, 30)], [[100, 0], [3000, 0]])
    assert far.bass_db - far.dba > near.bass_db - near.dba + 3


def test_error_is_stated_to_a_kilometre_only() -> None:
    near, far = levels([Source(0, 0, 100, 30)], [[900, 0], [1100, 0]])
    assert (near.error_db, far.error_db) == (3.0, None)


def test_a_screen_never_says_pass() -> None:
    assert audibility([40.0, 20.0], 30.0).tolist() == ["likely-audible", "not-predicted-audible"]


@pytest.mark.parametrize("reference_m", [0, -1])
def test_a_level_without_distance_is_refused(reference_m: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        spherical_level(100, reference_m, 300)


def test_without_sources_there_is_no_level() -> None:
    with pytest.raises(ValueError, match="No source"):
        levels([], [[0, 0]])
