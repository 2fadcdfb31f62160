"""What the office takes away as files: items, and the logs in the columns of the ICS forms."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable

from flask import Blueprint, Response

from inspect_web.inspection.observation import write_instant
from inspect_web.inspection.place import where
from inspect_web.packets.ics import activity, check_in
from inspect_web.views.office import dossier_of

blueprint = Blueprint("office_files", __name__, url_prefix="/office")


@blueprint.get("/<licence>/items.csv")
def items_csv(licence: str) -> Response:
    """Every item as a row; texts that a spreadsheet would run as a formula are made harmless."""
    dossier = dossier_of(licence)
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(
        ["ledger", "id", "condition", "agency", "author", "device", "sequence", "finding",
         "answer", "note", "observed_at", "error_s", "received_at", "lat", "lon", "accuracy_m",
         "place", "photos", "quarantined", "contested"]
    )  # fmt: skip
    for one in dossier.seen:
        place = one.place
        spot = ["", "", "", ""] if place is None else [
            place.lat_e7 / 1e7, place.lon_e7 / 1e7, place.accuracy_mm / 1000,
            where(place, dossier.licence.site),
        ]  # fmt: skip
        writer.writerow(
            [one.ledger_seq, one.id, one.condition, one.agency, harmless(one.author), one.device,
             one.sequence, one.outcome, harmless(one.answer), harmless(one.note),
             write_instant(one.observed_at), one.error_s, write_instant(one.received_at), *spot,
             " ".join(one.photos), one.quarantined, one.contested]
        )  # fmt: skip
    return _download(stream.getvalue(), "text/csv", f"{dossier.licence.id}-items.csv")


@blueprint.get("/<licence>/items.geojson")
def items_geojson(licence: str) -> Response:
    """Every item with a position as a point (EPSG:4326)."""
    dossier = dossier_of(licence)
    features = [
        {
            "type": "Feature",
            "id": one.id,
            "geometry": {
                "type": "Point",
                "coordinates": [one.place.lon_e7 / 1e7, one.place.lat_e7 / 1e7],
            },
            "properties": {
                "ledger": one.ledger_seq,
                "condition": one.condition,
                "agency": one.agency,
                "finding": one.outcome,
                "answer": one.answer,
                "observed_at": write_instant(one.observed_at),
                "received_at": write_instant(one.received_at),
                "accuracy_m": one.place.accuracy_mm / 1000,
            },
        }
        for one in dossier.seen
        if one.place is not None
    ]
    text = json.dumps({"type": "FeatureCollection", "features": features}, ensure_ascii=False)
    return _download(text, "application/geo+json", f"{dossier.licence.id}-items.geojson")


@blueprint.get("/<licence>/ics-211.csv")
def ics_211(licence: str) -> Response:
    """Who checked in with which phone, in the columns of ICS 211."""
    dossier = dossier_of(licence)
    return _table(check_in(dossier), f"{dossier.licence.id}-ics-211.csv")


@blueprint.get("/<licence>/ics-214.csv")
def ics_214(licence: str) -> Response:
    """Every observation and act in order of time, in the columns of ICS 214."""
    dossier = dossier_of(licence)
    return _table(activity(dossier), f"{dossier.licence.id}-ics-214.csv")


def harmless(text: str) -> str:
    """*text* so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def _table(rows: Iterable[list[str]], name: str) -> Response:
    stream = io.StringIO()
    csv.writer(stream).writerows([harmless(cell) for cell in row] for row in rows)
    return _download(stream.getvalue(), "text/csv", name)


def _download(text: str, kind: str, name: str) -> Response:
    answer = Response(text, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
