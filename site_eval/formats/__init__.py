"""Map files of every accepted format, read into frames with a known CRS or refused in a sentence."""

from site_eval.formats.placing import parsed_crs
from site_eval.formats.raster import RasterInfo, holes_share, read_raster_info
from site_eval.formats.several import read_layers
from site_eval.formats.vector import MAX_BYTES, SUFFIXES, read_vector

__all__ = [
    "MAX_BYTES",
    "SUFFIXES",
    "RasterInfo",
    "holes_share",
    "parsed_crs",
    "read_layers",
    "read_raster_info",
    "read_vector",
]
