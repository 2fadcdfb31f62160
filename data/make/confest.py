"""Make the ConFest example from the published map of the site: land, layout, a layer, an ordinance.

    python data/make/confest.py SOURCE

SOURCE is the GeoPackage (or the folder of files) with the layers ``points``, ``lines`` and
``areas`` that ``confest.geojson`` of github.com/mattcen/confest-map splits into. What is taken
keeps its geometry and its words; only the three steps in ``kept`` read anything into them.
"""

import re
import sys

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely
from ground import DATA

FOLDER = DATA / "examples/confest"
ORDINANCE = DATA / "ordinances/gem-county-id-2015-04.toml"
LAYERS = ("points", "lines", "areas")
# The zone of the site, metres; only for closing the seams between grid cells and for distances.
LOCAL_CRS = "EPSG:28355"
SEAM_M = 1.0
# The CAD drawing's legend and its spare symbols lie two kilometres east of the grid.
NEAR_M = 1_000.0
WORDS = ("kind", "label", "surface", "lanes", "vehiclelimitation")
# What the older CAD drawing has in its own words: its roads go into a layer of their own (the
# surveyed ones are newer), its water and texts are not taken, its fences and the symbols that stand for gates and car parks are.
CAD = re.compile(r"S_(?!Fence)|.* Text$|0$")
# These kinds hold different things; their label says which.
SPLIT_BY_LABEL = {"designated-area", "Parking", "infrastructure", "gate", "camping-area"}
NOT_FOR_VEHICLES = "Not Accessible with Vehicle"
# Changes of the ordinance copy: another county, made up, in the time zone of the site.
MADE_UP = {
    'id = "gem-county-id-2015-04"': 'id = "example-county-made-up"',
    'citation = "Gem County Ordinance 2015-04"': 'citation = "Example County Ordinance (made up)"',
    'title = "Gem County Mass Gathering Ordinance"': 'title = "Example County Mass Gathering Ordinance"',
    'in_force_note = "Approved in 2015; the day is left blank in the copy at hand."': (
        'in_force_note = "Never in force: a copy of Gem County 2015-04 under a made-up name."'
    ),
    'name = "Gem County, Idaho"': 'name = "Example County (made up)"',
    'county = "Gem"': 'county = "Example"',
    'fips = "16045"': 'fips = "99999"',
    'source = "Gem County, Idaho; public law. The text is in gem-county-id-2015-04.txt."': (
        'source = "Gem County, Idaho, Ordinance 2015-04, public law; the name of the county is made up."'
    ),
    'time_zone = "America/Boise"': 'time_zone = "Australia/Sydney"',
}


def main(source: str) -> None:
    layers = {name: gpd.read_file(source, layer=name) for name in LAYERS}
    land = gridded(layers["areas"])
    write(gpd.GeoDataFrame({"name": ["Gridded ground"]}, geometry=[land], crs=4326), "land.geojson")
    found = pd.concat([kept(rows, land) for rows in layers.values()], ignore_index=True)
    write(found, "layout.geojson")
    lines = layers["lines"]
    older = lines[lines["kind"] == "S_Road_Linear"][["geometry"]]
    write(older.assign(name="Way on the older drawing"), "older_roads.geojson")
    (FOLDER / "ordinance.toml").write_text(renamed(ORDINANCE.read_text("utf-8")), "utf-8")


def gridded(areas: gpd.GeoDataFrame) -> shapely.Polygon:
    """The outline of the 247 cells of the site's own hectare grid, seams closed."""
    cells = areas[areas["kind"] == "grid-cell"].to_crs(LOCAL_CRS).geometry
    whole = shapely.union_all(cells.buffer(SEAM_M, join_style="mitre").to_numpy())
    land = shapely.simplify(whole.buffer(-SEAM_M, join_style="mitre"), SEAM_M)
    if land.geom_type != "Polygon" or land.interiors:
        raise ValueError("the grid is not one piece without holes")
    return gpd.GeoSeries([land], crs=LOCAL_CRS).to_crs(4326).iloc[0]


def kept(rows: gpd.GeoDataFrame, land: shapely.Polygon) -> gpd.GeoDataFrame:
    """The rows of a layer that lie at the land, with what each is in one column, ``what``."""
    ground = gpd.GeoSeries([land], crs=4326).to_crs(LOCAL_CRS).iloc[0].buffer(NEAR_M)
    wanted = (rows["kind"] != "grid-cell") & ~rows["kind"].astype(str).str.match(CAD)
    near = rows[rows.to_crs(LOCAL_CRS).within(ground) & wanted].reindex(
        columns=[*WORDS, "geometry"]
    )
    kind = near["kind"].astype(str)
    shape = rows.geometry.geom_type.iloc[0].removeprefix("Multi").replace("String", "").lower()
    # One word may stand for a symbol among the lines and for a place among the areas.
    what = shape + ": " + kind
    named = kind.isin(SPLIT_BY_LABEL) & near["label"].notna()
    what = what.where(~named, what + ": " + near["label"].astype(str).str.strip())
    no_vehicles = near["vehiclelimitation"] == NOT_FOR_VEHICLES
    near.insert(0, "what", what.where(~no_vehicles, what + ": no vehicles"))
    near["seats"] = [seats(k, label) for k, label in zip(kind, near["label"], strict=True)]
    return near.drop(columns=["kind", "vehiclelimitation"])


def seats(kind: str, label: str | None) -> int | None:
    """The number in the name of a toilet block ("7 toilets", "toilets 2"), where one stands."""
    number = re.search(r"\d+", str(label)) if kind == "toilet-block" else None
    return int(number.group()) if number else None


def renamed(ordinance: str) -> str:
    """The ordinance under its made-up name; every change must have been needed."""
    for old, new in MADE_UP.items():
        if old not in ordinance:
            raise LookupError(f"the ordinance no longer says {old}")
        ordinance = ordinance.replace(old, new, 1)
    body = ordinance[ordinance.index("\nid = ") :]
    return (
        "# A copy of data/ordinances/gem-county-id-2015-04.toml under the name of a county that\n"
        "# does not exist, made by data/make/confest.py for an example. It is nobody's law.\n"
        + body
    )


def write(rows: gpd.GeoDataFrame, name: str) -> None:
    rounded = shapely.transform(rows.geometry.to_numpy(), lambda points: np.round(points, 7))
    rows = rows.set_geometry(rounded)
    (FOLDER / name).unlink(missing_ok=True)
    rows.set_crs(4326).to_file(FOLDER / name, driver="GeoJSON", COORDINATE_PRECISION=7)


if __name__ == "__main__":
    main(sys.argv[1])
