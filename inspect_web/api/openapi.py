"""The device API described in OpenAPI 3.1, made from the models that check the requests."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from inspect_web.api.enrolments import Enrolment
from inspect_web.inspection.observation import Item

_PROBLEM = {"description": "Not taken; see the problem", "content": {
    "application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}  # fmt: skip
_SHA = {"name": "sha256", "in": "path", "required": True,
        "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"}}  # fmt: skip
_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}


def add_routes(blueprint: Blueprint) -> None:
    """``GET /openapi.json``."""
    blueprint.get("/openapi.json")(_answer)


def document() -> dict[str, Any]:
    """The whole description."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "inspect-web device API",
            "version": "1",
            "description": "Items are taken once, whatever the number of times they are sent, and "
            "answered with the same signed receipt. Only 200, 201, 202 and 409 with a receipt mean "
            "that the county has the item.",
        },
        "paths": {**_enrolment_paths(), **_item_paths(), **_photo_paths()},
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                "device": {
                    "type": "apiKey", "in": "header", "name": "Authorization",
                    "description": "'Device id:milliseconds:signature'; the signature (ES256, r and "
                    "s, base64url) is over METHOD, path with query, milliseconds and the body's "
                    "SHA-256, one a line",
                }
            },
        },
    }  # fmt: skip


def _answer() -> Response:
    return jsonify(document())


def _enrolment_paths() -> dict[str, Any]:
    return {
        "/api/v1/enrolments": {
            "post": {
                "operationId": "enrol",
                "requestBody": _json("Enrolment"),
                "responses": {
                    "201": _given({"device_id": _TEXT, "person": {"type": "object"},
                                   "licence_id": _TEXT, "server_key": {"type": "object"},
                                   "server_time": _TEXT}),
                    "410": _PROBLEM, "422": _PROBLEM, "4XX": _PROBLEM,
                },
            }
        }
    }  # fmt: skip


def _item_paths() -> dict[str, Any]:
    licence = {"name": "licence_id", "in": "path", "required": True, "schema": _TEXT}
    version = {"name": "version", "in": "query", "schema": _NUMBER}
    highest = {"name": "highest", "in": "query", "schema": _NUMBER}
    receipt = {"description": "The county has it", "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/Receipt"}}}}  # fmt: skip
    return {
        "/api/v1/licences/{licence_id}/checklist": {"get": {
            "operationId": "checklist", "security": [{"device": []}],
            "parameters": [licence, version],
            "responses": {"200": _given({"version": _NUMBER, "licence": {"type": "object"},
                                         "items": {"type": "array"}}), "4XX": _PROBLEM},
        }},
        "/api/v1/items": {"post": {
            "operationId": "send", "requestBody": _json("Envelope"),
            "responses": {"201": receipt, "200": receipt, "202": receipt, "409": receipt,
                          "401": _PROBLEM, "413": _PROBLEM, "422": _PROBLEM, "4XX": _PROBLEM},
        }},
        "/api/v1/devices/me": {"get": {
            "operationId": "ownState", "security": [{"device": []}], "parameters": [highest],
            "responses": {"200": _given({"highest_seq": _NUMBER, "missing": {"type": "array"},
                                         "photos_missing": {"type": "array"},
                                         "licence_state": _TEXT, "server_time": _TEXT}),
                          "4XX": _PROBLEM},
        }},
    }  # fmt: skip


def _photo_paths() -> dict[str, Any]:
    sizes = [{"name": name, "in": "header", "required": True, "schema": _NUMBER}
             for name in ("Upload-Offset", "Upload-Length")]  # fmt: skip
    chunk = {"required": True, "content": {"application/octet-stream": {
        "schema": {"type": "string", "format": "binary", "maxLength": 262_144}}}}  # fmt: skip
    return {
        "/api/v1/photos/{sha256}": {
            "parameters": [_SHA],
            "get": {
                "operationId": "photoProgress", "security": [{"device": []}],
                "responses": {"200": _given({"offset": _NUMBER, "complete": {"type": "boolean"}}),
                              "4XX": _PROBLEM},
            },
            "patch": {
                "operationId": "photoChunk", "security": [{"device": []}], "parameters": sizes,
                "requestBody": chunk,
                "responses": {"204": {"description": "Taken; Upload-Offset says where to go on"},
                              "409": _PROBLEM, "413": _PROBLEM, "422": _PROBLEM, "4XX": _PROBLEM},
            },
        }
    }  # fmt: skip


def _schemas() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for model in (Item, Enrolment):
        schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
        found |= schema.pop("$defs", {})
        found[model.__name__] = schema
    receipt = {"item_id": _TEXT, "item_sha256": _TEXT, "received_at": _TEXT, "ledger_seq": _NUMBER,
               "head": _TEXT}  # fmt: skip
    names = ("code", "place", "found", "expected", "mend")
    return found | {
        "Envelope": _object({"item": {"$ref": "#/components/schemas/Item"}, "signature": _TEXT}),
        "Receipt": _object({"receipt": _object(receipt), "signature": _TEXT,
                            "server_key_id": _TEXT}),
        "Problem": _object(dict.fromkeys(names, _TEXT)),
    }  # fmt: skip


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _given(properties: dict[str, Any]) -> dict[str, Any]:
    schema = _object(properties)
    return {"description": "Done", "content": {"application/json": {"schema": schema}}}


def _json(name: str) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {"required": True, "content": {"application/json": {"schema": schema}}}
