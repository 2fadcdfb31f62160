"""The pages that a phone keeps: enrolment, the field application and its service worker."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app, render_template, send_from_directory

CLIENT = Path(__file__).parent / "client"

blueprint = Blueprint("shell", __name__, static_folder="client", static_url_path="/static/client")


@blueprint.get("/enrol/<token>")
def enrol(token: str) -> str:
    """The page behind a one-use link; the phone makes its key there."""
    return render_template("enrol.html", config={"token": token})


@blueprint.get("/field/")
def field() -> str:
    """The field application: one page that opens without a network once it was seen."""
    return render_template("field.html", config={"demo": current_app.extensions["demo"]})


@blueprint.get("/field/sw.js")
def worker() -> Response:
    """The service worker; never cached, so that a mended one reaches the phone."""
    answer = send_from_directory(CLIENT, "worker.js", mimetype="text/javascript")
    answer.headers["Service-Worker-Allowed"] = "/field/"
    answer.headers["Cache-Control"] = "no-cache"
    return answer
