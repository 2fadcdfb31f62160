"""A small FeatureServer that misbehaves as services in the field do: caps, lies, breaks off."""

from __future__ import annotations

import json
import re
import socket
import struct
import time
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response, request

GATE = "<!DOCTYPE html><html><body>Welcome to the guest network</body></html>"


@dataclass
class Faults:
    """What the server does wrong. ``script`` is used up, a fault a question for rows."""

    cap: int = 1000
    stated_cap: int = 1000
    count: int | None = None
    id_cap: int | None = None
    knows_ids: bool = True
    ordered: bool = True
    old: bool = False
    withheld: frozenset[int] = frozenset()
    delay_s: float = 0.0
    script: list[str] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)

    def ranges(self) -> list[str]:
        """The where-clauses of the questions for rows, in order."""
        return [q["where"] for q in self.asked if "outFields" in q and "OBJECTID >=" in q["where"]]


def esri(feature: dict[str, Any], fields: str, *, with_geometry: bool) -> dict[str, Any]:
    attributes = feature["properties"]
    if fields != "*":
        attributes = {k: v for k, v in attributes.items() if k in fields.split(",")}
    row: dict[str, Any] = {"attributes": attributes}
    if with_geometry:
        # An outer ring runs clockwise and a hole against it, as the format wants.
        outer, *holes = feature["geometry"]["coordinates"]
        row["geometry"] = {"rings": [outer, *[ring[::-1] for ring in holes]]}
    return row


def feature_app(collection: dict[str, Any], faults: Faults) -> Flask:
    """The layer 0 of a FeatureServer over a GeoJSON collection, with *faults*."""
    app = Flask("faults")
    features = collection["features"]

    @app.get("/FeatureServer")
    def service():
        return {"layers": [{"id": 0, "name": "Tax Lots"}, {"id": 1, "name": "Roads"}]}

    @app.get("/FeatureServer/0")
    def layer():
        said = {
            "name": "Tax Lots",
            "type": "Feature Layer",
            "geometryType": "esriGeometryPolygon",
            "maxRecordCount": faults.stated_cap,
            "fields": FIELDS,
        }
        if faults.old:
            # As servers before 10.1 describe a layer.
            return said
        return said | {
            "objectIdField": "OBJECTID",
            "editingInfo": {"lastEditDate": 1_704_067_200_000},
            "advancedQueryCapabilities": {"supportsOrderBy": faults.ordered},
        }

    @app.get("/FeatureServer/0/query")
    def query():
        asked = request.args.to_dict()
        faults.asked.append(asked)
        if "orderByFields" in asked and (faults.old or not faults.ordered):
            return {"error": {"code": 400, "message": "'orderByFields' is not known"}}
        rows = [f for f in features if _wanted(f["id"], asked["where"])]
        if asked.get("returnCountOnly") == "true":
            return {"count": len(rows) if faults.count is None else faults.count}
        if asked.get("returnIdsOnly") == "true":
            return _ids(rows, faults)
        fault = faults.script.pop(0) if faults.script else ""
        time.sleep(faults.delay_s)
        given = [f for f in rows if f["id"] not in faults.withheld][: faults.cap]
        shape = asked.get("returnGeometry") == "true"
        answer = {
            "objectIdFieldName": "OBJECTID", "geometryType": "esriGeometryPolygon",
            "spatialReference": {"wkid": 4326}, "fields": FIELDS,
            "features": [esri(f, asked["outFields"], with_geometry=shape) for f in given],
        }  # fmt: skip
        return _spoilt(answer, fault)

    return app


FIELDS = [
    {"name": "OBJECTID", "type": "esriFieldTypeOID"},
    {"name": "PIN", "type": "esriFieldTypeString", "length": 20},
    {"name": "OWNER", "type": "esriFieldTypeString", "length": 40},
]


def _wanted(number: int, where: str) -> bool:
    """The few clauses that are asked: numbers from, to, beyond, or among."""
    low = re.search(r"OBJECTID >= (\d+)", where)
    high = re.search(r"OBJECTID <= (\d+)", where)
    beyond = re.search(r"OBJECTID > (\d+)", where)
    among = re.search(r"OBJECTID IN \(([\d,]*)\)", where)
    return (
        (low is None or number >= int(low[1]))
        and (high is None or number <= int(high[1]))
        and (beyond is None or number > int(beyond[1]))
        and (among is None or str(number) in among[1].split(","))
    )


def _ids(rows: list[dict[str, Any]], faults: Faults) -> dict[str, Any]:
    if not faults.knows_ids:
        return {"error": {"code": 400, "message": "Invalid or missing input parameters."}}
    numbers = [f["id"] for f in rows]
    return {"objectIdFieldName": "OBJECTID", "objectIds": numbers[: faults.id_cap] or None}


def _spoilt(answer: dict[str, Any], fault: str) -> Response:
    whole = json.dumps(answer)
    if fault == "busy":
        return Response("busy", 503, {"Retry-After": "0"})
    if fault == "too many":
        return Response("slow down", 429, {"Retry-After": "0"})
    if fault == "error in 200":
        return Response(json.dumps({"error": {"code": 500, "message": "Error performing query"}}))
    if fault == "rude":
        words = "\x1b[2J\nno\r\nrows"
        return Response(json.dumps({"error": {"code": 400, "message": words}}))
    if fault == "sign in":
        return Response(json.dumps({"error": {"code": 499, "message": "Token Required"}}))
    if fault == "cut off":
        return Response(whole[: len(whole) // 2], mimetype="application/json")
    if fault == "short":
        # An iterator, for the framework would put the length of a text right.
        return Response(iter([whole[:200]]), headers={"Content-Length": str(len(whole))})
    if fault == "web page":
        return Response(GATE, mimetype="text/html")
    if fault == "reset":
        # No linger: the connection ends with a reset in the middle of the answer.
        opened = request.environ["werkzeug.socket"]
        opened.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + whole[:300].encode())
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        opened.shutdown(socket.SHUT_RDWR)
        raise ConnectionResetError
    return Response(whole, mimetype="application/json")
