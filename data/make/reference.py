"""Cut the bundled county and place layers from the Census files; run once, the results are kept.

    python data/make/reference.py COUNTIES PLACES

COUNTIES is cb_2016_us_county_500k, PLACES tl_2019_16_place, as any vector file with their fields.
"""

import sys
from pathlib import Path

import geopandas as gpd

LAYERS = Path(__file__).resolve().parents[1] / "layers"
# Idaho and the three Oregon counties along its border west of Gem County.
STATES, NEIGHBOURS = {"16"}, {"41001", "41045", "41063"}
# TIGER/Line coordinates end at the sixth decimal (0.1 m); a vertex nearer than that to the line
# between its neighbours says nothing.
LAST_DIGIT_DEG = 1e-6


def main(counties_file: str, places_file: str) -> None:
    counties = gpd.read_file(counties_file)
    kept = counties[counties["STATEFP"].isin(STATES) | counties["GEOID"].isin(NEIGHBOURS)]
    write(kept[["GEOID", "NAME", "STATEFP", "geometry"]], "idaho_counties_2016.fgb")

    places = gpd.read_file(places_file)
    kept = places[places["CLASSFP"].str.startswith("C")]
    kept = kept.set_geometry(kept.geometry.simplify(LAST_DIGIT_DEG))
    columns = ["GEOID", "NAME", "NAMELSAD", "CLASSFP", "FUNCSTAT", "geometry"]
    write(kept[columns], "idaho_places_2019.fgb")


def write(frame: gpd.GeoDataFrame, name: str) -> None:
    path = LAYERS / name
    ordered = frame.to_crs(4326).sort_values("GEOID")
    path.unlink(missing_ok=True)
    ordered.to_file(path, driver="FlatGeobuf")
    print(f"{name}: {len(ordered)} rows, {path.stat().st_size / 1e3:,.0f} kB")


if __name__ == "__main__":
    main(*sys.argv[1:])
