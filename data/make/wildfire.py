"""Make the illustrative wildfire raster: the form of WHP 2023, made-up content, Gem County.

    python data/make/wildfire.py

Class codes 1 to 7 as in the Wildfire Hazard Potential of 2023 (1 very low ... 5 very high,
6 non-burnable, 7 water), one byte a cell, nodata 255, EPSG:5070, 90 m cells. It is drawn from a
rough idea of the county (a river in an irrigated valley, foothills to the north) and smoothed
random numbers. It says nothing about any real place.
"""

import geopandas as gpd
import numpy as np
import rasterio
import shapely
from ground import DATA
from rasterio.transform import from_origin
from scipy.ndimage import gaussian_filter

CELL_M = 90.0
MARGIN_M = 3_000.0
NODATA = 255
SEED = 2015_04
# The shares of burnable cells above each class, roughly those of the national raster's west.
BREAKS = (0.25, 0.50, 0.76, 0.94)
RIVER = shapely.LineString(
    [(-116.44, 43.935), (-116.50, 43.875), (-116.58, 43.882), (-116.66, 43.897), (-116.78, 43.925)]
)
VALLEY_M = 2_600.0
WATER_M = 60.0
# A dry slope beside the Sand Hollow example, so that its finding has something to say.
SLOPE, SLOPE_M = shapely.Point(-116.672, 43.943), 1_500.0


def main() -> None:
    counties = gpd.read_file(DATA / "layers/idaho_counties_2016.fgb")
    gem = counties[counties["GEOID"] == "16045"].to_crs(5070)
    west, south, east, north = gem.total_bounds
    west, north = (
        np.floor((west - MARGIN_M) / CELL_M) * CELL_M,
        np.ceil((north + MARGIN_M) / CELL_M) * CELL_M,
    )
    columns, rows = (
        int((east + MARGIN_M - west) // CELL_M),
        int((north - south + MARGIN_M) // CELL_M),
    )
    x = west + CELL_M * (np.arange(columns) + 0.5)
    y = north - CELL_M * (np.arange(rows) + 0.5)
    classes = classes_of(*np.meshgrid(x, y))
    write(classes, from_origin(west, north, CELL_M, CELL_M))


def classes_of(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    river, slope = gpd.GeoSeries([RIVER, SLOPE], crs=4326).to_crs(5070)
    cells = shapely.points(x.ravel(), y.ravel())
    away_m = shapely.distance(cells, river).reshape(x.shape)
    slope_m = shapely.distance(cells, slope).reshape(x.shape)
    rng = np.random.default_rng(SEED)
    rough = rng.standard_normal(x.shape)
    hills = gaussian_filter(rough, 18) * 18 + 0.5 * gaussian_filter(rough[::-1], 5) * 5
    hazard = hills + 0.6 * np.tanh((away_m - 6_000) / 9_000)
    hazard += 1.6 * np.exp(-((slope_m / SLOPE_M) ** 2))
    cuts = np.quantile(hazard[away_m > VALLEY_M], BREAKS)
    classes = 1 + np.digitize(hazard, cuts)
    fields = gaussian_filter(rng.standard_normal(x.shape), 4)
    irrigated = (away_m < VALLEY_M) & (fields > -0.02)
    classes = np.where(irrigated, 6, np.where(away_m < VALLEY_M, np.minimum(classes, 2), classes))
    return np.where(away_m < WATER_M, 7, classes).astype(np.uint8)


def write(classes: np.ndarray, transform: rasterio.Affine) -> None:
    path = DATA / "layers/illustrative/wildfire_classes.tif"
    path.parent.mkdir(exist_ok=True)
    profile = {
        "driver": "GTiff", "dtype": "uint8", "count": 1, "crs": "EPSG:5070", "nodata": NODATA,
        "height": classes.shape[0], "width": classes.shape[1], "transform": transform,
        "compress": "deflate", "tiled": True, "blockxsize": 256, "blockysize": 256,
    }  # fmt: skip
    with rasterio.open(path, "w", **profile) as target:
        target.write(classes, 1)
        target.update_tags(TIFFTAG_IMAGEDESCRIPTION="Illustrative, made up; not a hazard map")
    shares = {int(c): round(float((classes == c).mean()), 3) for c in np.unique(classes)}
    print(f"{path.name}: {classes.shape}, {path.stat().st_size / 1e3:.0f} kB, shares {shares}")


if __name__ == "__main__":
    main()
