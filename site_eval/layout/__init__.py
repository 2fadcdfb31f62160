"""The site layout: features with a role each, checked and placed in EPSG:4326 near the land."""

from site_eval.layout.feature import Feature, Layout, layout_geojson, no_layout
from site_eval.layout.reading import read_layout
from site_eval.layout.words import ROLES

__all__ = ["ROLES", "Feature", "Layout", "layout_geojson", "no_layout", "read_layout"]
