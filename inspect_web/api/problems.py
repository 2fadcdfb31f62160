"""One shape for every refusal: code, place, what was found, what was expected, the mend."""

from __future__ import annotations

import logging

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import HTTPException

from inspect_web.errors import InspectError, WrongOffset


def add_handlers(blueprint: Blueprint) -> None:
    """Answer every error of the API as a problem, an unforeseen one too."""
    blueprint.register_error_handler(InspectError, _ours)
    blueprint.register_error_handler(HTTPException, _http)
    blueprint.register_error_handler(Exception, _unforeseen)


def _ours(error: InspectError) -> Response:
    answer = _problem(error.code, error.place, error.found, error.expected, error.mend)
    answer.status_code = error.status
    if isinstance(error, WrongOffset):
        answer.headers["Upload-Offset"] = str(error.received)
    if error.status == 429:
        answer.headers["Retry-After"] = "5"
    return answer


def _http(error: HTTPException) -> Response:
    code = {413: "too-large", 415: "wrong-type", 400: "not-json", 405: "wrong-method"}
    status = error.code or 500
    said = error.description or error.name
    answer = _problem(code.get(status, "http"), "request", "", said, "send it as described")
    answer.status_code = status
    return answer


def _unforeseen(error: Exception) -> Response:
    """Fail closed: nothing was committed, so the phone keeps its copy and tries again."""
    logging.getLogger(__name__).error("unforeseen", exc_info=error)
    answer = _problem("server", "server", "", "an error that nobody foresaw", "try again later")
    answer.status_code = 500
    return answer


def _problem(code: str, place: str, found: str, expected: str, mend: str) -> Response:
    return jsonify(
        {"code": code, "place": place, "found": found, "expected": expected, "mend": mend}
    )
