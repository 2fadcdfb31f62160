"""From the land entries of an application to one piece of land."""

from __future__ import annotations

from site_eval.application import Application
from site_eval.application.tables import Land as Entry
from site_eval.errors import LandError
from site_eval.files import sha256_of
from site_eval.formats import read_vector
from site_eval.layers.catalog import Catalog
from site_eval.layers.layer import cite, read_layer
from site_eval.legal.land import (
    Land,
    land_from_description,
    land_from_parcel,
    land_from_polygons,
    union_of,
)
from site_eval.ordinance.library import Jurisdiction
from site_eval.record.finding import Source
from site_eval.record.verdict import Grade


def land_of(application: Application, catalog: Catalog, jurisdiction: Jurisdiction) -> Land:
    """The union of every land entry, placed by the best source at hand for each.

    An outline file wins over a parcel number, and both over the words of a description: they are
    measured, the words are placed by a grid. Raises ``LandError`` when an entry has no place.
    """
    lands = []
    for number, entry in enumerate(application.land, 1):
        try:
            lands.append(_land(application, entry, catalog, jurisdiction))
        except LandError as error:
            place = f"{application.file} (land {number}, {error.place})"
            raise LandError(
                place, error.fault, error.mend, code=error.code, drawing=error.drawing
            ) from None
    return union_of(lands)


def _land(
    application: Application,
    entry: Entry,
    catalog: Catalog,
    jurisdiction: Jurisdiction,
) -> Land:
    if entry.geometry is not None:
        name = entry.geometry.name
        source = Source(
            name=name,
            publisher=application.applicant.name or "the applicant",
            vintage="undated",
            licence="not published",
            grade=Grade.DECLARED,
            sha256=sha256_of(entry.geometry),
        )
        return land_from_polygons(read_vector(entry.geometry), name=name, source=source)
    if entry.parcel is not None:
        for layer in catalog.of_kind("parcels"):
            return land_from_parcel(entry.parcel, read_layer(layer), layer.fields, cite(layer))
        if entry.description is None:
            raise LandError(
                "parcel",
                f"parcel {entry.parcel} cannot be looked up, no parcel layer is in the catalog",
                "add a parcel layer to the catalog, a description, or a geometry file",
            )
    return land_from_description(
        entry.description or "", county=jurisdiction.county, state=jurisdiction.state
    )
