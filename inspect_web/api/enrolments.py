"""A phone becomes known: its public key for a link that works once."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspect_web.api.caller import body, now, spend, store
from inspect_web.errors import InvalidItem
from inspect_web.inspection.observation import write_instant
from inspect_web.store import devices


class Enrolment(BaseModel):
    """What a phone sends once; ``public_key`` is a P-256 JWK."""

    model_config = ConfigDict(extra="forbid", strict=True)

    token: Annotated[str, Field(min_length=20, max_length=100)]
    public_key: dict[str, Any]
    device_name: Annotated[str, Field(max_length=200)]


def add_routes(blueprint: Blueprint) -> None:
    """``POST /enrolments``."""
    blueprint.post("/enrolments")(_enrol)


def _enrol() -> tuple[Response, int]:
    spend("enrolments")
    try:
        asked = Enrolment.model_validate(body())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(p) for p in first["loc"]) or "body"
        raise InvalidItem(place, first["msg"], "send token, public_key and device_name") from None
    moment = now()
    with store().write() as connection:
        device = devices.enrol(
            connection, secret=asked.token, name=asked.device_name, public_key=asked.public_key,
            now=moment,
        )  # fmt: skip
    return jsonify(
        {
            "device_id": device.id,
            "person": {"name": device.author, "role": device.role, "agency": device.agency},
            "licence_id": device.licence,
            "server_key": store().county_key,
            "server_time": write_instant(moment),
        }
    ), 201
