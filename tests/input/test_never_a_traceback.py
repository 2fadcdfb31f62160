"""Whatever a file holds, reading it ends in a result or in a sentence, never in anything else."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from site_eval.application import LayoutSpec, read_application
from site_eval.errors import SiteEvalError
from site_eval.formats import SUFFIXES, read_vector
from site_eval.layers.catalog import load_catalog
from site_eval.layout import read_layout
from site_eval.resources import bundled
from tests.input.maps_in_code import APPLICATION, WEST, drawing

SMALL = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
SITE = shapely.box(-116.6823, 43.9305, -116.6773, 43.9342)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.just([]),
    st.just({}),
)


@st.composite
def cut(draw: st.DrawFn, good: bytes) -> bytes:
    """A good file with a stretch of it taken out and other bytes put there."""
    start = draw(st.integers(0, len(good)))
    stop = draw(st.integers(start, min(len(good), start + 40)))
    return good[:start] + draw(st.binary(max_size=12)) + good[stop:]


def attempt(read: object, *args: object, **more: object) -> None:
    with contextlib.suppress(SiteEvalError):
        read(*args, **more)  # type: ignore[operator]


@SMALL
@given(content=cut(APPLICATION.encode()))
def test_cut_applications(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "application.toml"
    path.write_bytes(content)
    attempt(read_application, path)


@SMALL
@given(content=cut(bundled("layers", "catalog.toml").read_bytes()))
def test_cut_catalogs(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "catalog.toml"
    path.write_bytes(content)
    attempt(load_catalog, path)


@SMALL
@given(content=st.binary(min_size=1, max_size=400), suffix=st.sampled_from(SUFFIXES))
def test_noise_under_any_name(content: bytes, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"map{suffix}"
    path.write_bytes(content)
    attempt(read_vector, path, crs=WEST)


@pytest.mark.parametrize("suffix", [".geojson", ".gpkg", ".fgb", ".kml", ".shp", ".dxf", ".kmz"])
def test_cut_maps(suffix: str, tmp_path: Path, site_map: object) -> None:
    good = _good(suffix, tmp_path, site_map)
    path = tmp_path / f"cut{suffix}"
    for part in good.parent.glob(f"{good.stem}.*"):
        (tmp_path / f"cut{part.suffix}").write_bytes(part.read_bytes())

    @settings(max_examples=30, deadline=None)
    @given(content=cut(good.read_bytes()))
    def cut_here(content: bytes) -> None:
        path.write_bytes(content)
        attempt(read_vector, path, crs=WEST)

    cut_here()


def _good(suffix: str, folder: Path, site_map: object) -> Path:
    from tests.input.conftest import WRITERS
    from tests.input.maps_in_code import shapefile

    if suffix == ".dxf":
        return drawing(folder / "good.dxf")
    if suffix == ".shp":
        return shapefile(site_map.iloc[:1], folder / "good.shp")  # type: ignore[attr-defined]
    kinds = {
        ".geojson": "geojson",
        ".gpkg": "geopackage",
        ".fgb": "flatgeobuf",
        ".kml": "kml",
        ".kmz": "kmz",
    }
    return WRITERS[kinds[suffix]](site_map, folder)


@SMALL
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {"role": st.one_of(st.sampled_from(["site", "road", "stage", "parking"]), scalars)},
            optional={
                "name": scalars,
                "id": scalars,
                "count": scalars,
                "width_ft": scalars,
                "x": scalars,
            },
        ),
        min_size=1,
        max_size=4,
    ),
    kind=st.sampled_from(["Polygon", "LineString", "Point", "MultiPolygon"]),
)
def test_layouts_with_any_values(rows: list[dict[str, object]], kind: str, tmp_path: Path) -> None:
    shape = {
        "Polygon": SITE,
        "LineString": SITE.exterior,
        "Point": SITE.centroid,
        "MultiPolygon": shapely.MultiPolygon([SITE]),
    }[kind]
    features = [
        {"type": "Feature", "properties": row, "geometry": shapely.geometry.mapping(shape)}
        for row in rows
    ]
    path = tmp_path / "layout.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    attempt(read_layout, path, LayoutSpec(file=path), near=SITE)
