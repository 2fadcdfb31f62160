"""Photographs in chunks of at most 256 KB, resumed at the offset that the server knows."""

from __future__ import annotations

import re

from flask import Blueprint, Response, jsonify, request

from inspect_web.api.caller import calling_device, now, store
from inspect_web.errors import InvalidItem, TooLarge
from inspect_web.store import media

_SHA256 = re.compile(r"[0-9a-f]{64}")


def add_routes(blueprint: Blueprint) -> None:
    """``GET`` and ``PATCH /photos/<sha256>``."""
    blueprint.get("/photos/<sha256>")(_progress)
    blueprint.patch("/photos/<sha256>")(_chunk)


def _progress(sha256: str) -> Response:
    device = calling_device()
    with store().read() as connection:
        known = media.progress(store(), connection, device.id, _checked(sha256))
    answer = jsonify({"offset": known.received, "complete": known.complete})
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _chunk(sha256: str) -> Response:
    if (request.content_length or 0) > media.MAX_CHUNK:
        raise TooLarge("chunk", f"{request.content_length:,} bytes", "send at most 262,144")
    device = calling_device()
    known = media.take_chunk(
        store(), device, _checked(sha256), offset=_number("Upload-Offset"),
        length=_number("Upload-Length"), chunk=request.get_data(), now=now(),
    )  # fmt: skip
    answer = Response(status=204)
    answer.headers["Upload-Offset"] = str(known.received)
    answer.headers["Upload-Complete"] = "?1" if known.complete else "?0"
    return answer


def _checked(sha256: str) -> str:
    if not _SHA256.fullmatch(sha256):
        raise InvalidItem("sha256", "not 64 hexadecimal digits", "address photos by their hash")
    return sha256


def _number(header: str) -> int:
    text = request.headers.get(header, "")
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise InvalidItem(header, "not a number of bytes", "send the header", found=text)
    return int(text)
