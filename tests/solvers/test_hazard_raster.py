"""What a hazard raster holds is told by its marks; what is none of the known forms is refused."""

from pathlib import Path

import numpy as np
import pytest
import shapely

from site_eval.profile import load_profile
from site_eval.solvers.hazard_raster import Form, classifier, form_of
from site_eval.solvers.zonal import class_shares

from .rasters import write_raster

BREAKS = load_profile().wildfire.index_breaks
FLOAT_NODATA = -3.4028234663852886e38


def raster(tmp_path: Path, values, dtype: str, nodata: float | None) -> Path:
    return write_raster(tmp_path / "any name.tif", np.array([values], dtype=dtype), nodata=nodata)


@pytest.mark.parametrize(
    ("values", "dtype", "nodata", "form"),
    [
        ([1, 7], "uint8", 255, Form.CLASSES),
        ([1, 5], "uint8", None, Form.CLASSES),
        ([0, 90_000], "int32", 2147483647, Form.INDEX),
        ([0, 3], "int32", -128, Form.INDEX),
        ([0.0, 0.14], "float32", FLOAT_NODATA, Form.MEASURES),
        ([1.0, 5.0], "float32", -9999, Form.CLASSES),
    ],
    ids=[
        "classes",
        "classes unmarked",
        "index",
        "index of the risk rasters",
        "measures",
        "exported",
    ],
)
def test_the_form_is_told_by_type_and_nodata(tmp_path, values, dtype, nodata, form) -> None:
    assert form_of(raster(tmp_path, values, dtype, nodata)) is form


def test_the_index_is_classed_by_its_published_breaks(tmp_path) -> None:
    """Upper ends of the classes for the 48 states: 61, 178, 489, 1,985; 0 does not burn."""
    values = [0, 1, 61, 62, 178, 179, 489, 490, 1985, 1986, 99853]
    classify = classifier(raster(tmp_path, values, "int32", -128), BREAKS)
    assert classify(np.array(values)).tolist() == [6, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_the_index_under_a_polygon_gives_shares_of_classes(tmp_path) -> None:
    path = raster(tmp_path, [0, 50, 5000, 2147483647], "int32", 2147483647)
    box = shapely.box(500_000, 4_900_000 - 30, 500_000 + 120, 4_900_000)
    found = class_shares(box, path, "EPSG:26911", classify=classifier(path, BREAKS))
    assert found.shares == pytest.approx({1: 1 / 3, 5: 1 / 3, 6: 1 / 3})
    assert found.coverage == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("values", "dtype", "nodata", "words"),
    [
        ([0, 4], "uint8", 255, "value 0"),
        ([1, 8], "uint8", 255, "value 8"),
        ([255, 1], "uint8", None, "value 255"),
        ([1.5, 2], "float32", -9999, "not whole"),
        ([-5, 100], "int32", 2147483647, "below 0"),
    ],
    ids=["another product", "more classes", "nodata not marked", "averages", "index unmarked"],
)
def test_codes_of_another_product_do_not_pass_for_classes(
    tmp_path, values, dtype, nodata, words
) -> None:
    classify = classifier(raster(tmp_path, values, dtype, nodata), BREAKS)
    with pytest.raises(ValueError, match=words):
        classify(np.array(values))


def test_measures_are_no_classes(tmp_path) -> None:
    with pytest.raises(ValueError, match="burn probability"):
        classifier(raster(tmp_path, [0.0, 0.1], "float32", FLOAT_NODATA), BREAKS)
