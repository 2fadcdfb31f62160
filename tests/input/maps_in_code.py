"""Maps and applications that the tests write in code, so that what they hold is in sight."""

from __future__ import annotations

from pathlib import Path

import ezdxf
import geopandas as gpd
import shapely

WEST = "EPSG:6453"  # Idaho West, US survey feet

APPLICATION = """
[event]
name = "Example Fair"
time_zone = "America/Boise"
starts = 2027-06-19T10:00:00
ends = 2027-06-20T18:00:00

[attendance]
maximum = 500

[[land]]
description = "S½NE¼ Sec. 22, T. 7 N., R. 3 W., Boise Meridian"
"""


def shapefile(frame: gpd.GeoDataFrame, path: Path, *, encoding: str = "UTF-8") -> Path:
    """A Shapefile with all its parts; one kind of geometry only, as the format asks."""
    frame.to_file(path, driver="ESRI Shapefile", encoding=encoding)
    return path


def drawing(path: Path, *, units: int = 0) -> Path:
    """A DXF in Idaho West feet: a closed polyline, a line, a block with an attribute, a text."""
    document = ezdxf.new("R2010")
    document.header["$INSUNITS"] = units
    block = document.blocks.new("TOILET")
    block.add_attdef("COUNT", (0, 0))
    space = document.modelspace()
    corner = gpd.GeoSeries([shapely.Point(-116.6823, 43.9305)], crs=4326).to_crs(WEST).iloc[0]
    x, y = corner.x, corner.y
    space.add_lwpolyline(
        [(x, y), (x + 900, y), (x + 900, y + 600), (x, y + 600)],
        close=True,
        dxfattribs={"layer": "SITE"},
    )
    space.add_line((x, y), (x + 300, y + 300), dxfattribs={"layer": "road"})
    reference = space.add_blockref("TOILET", (x + 100, y + 100), dxfattribs={"layer": "TOILETS-W"})
    reference.add_auto_attribs({"COUNT": "4"})
    space.add_text("not a feature", dxfattribs={"layer": "0"})
    document.saveas(path)
    return path
