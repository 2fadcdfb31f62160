"""The pages that a phone keeps: enrolment, the field application and its service worker."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, current_app, render_template

ROOT = Path(__file__).parent
CLIENT = ROOT / "client"
STATIC = ("tokens.css", "app.css", "icon.svg", "icon-192.png", "manifest.webmanifest")

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
    answer = Response(_worker(), mimetype="text/javascript")
    answer.headers["Service-Worker-Allowed"] = "/field/"
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@cache
def _worker() -> str:
    """The worker's text behind the list of files that it keeps and a hash over all of them."""
    modules = sorted(p for p in CLIENT.glob("*.js") if p.name not in {"worker.js", "enrol.js"})
    kept = [*modules, *(ROOT / "static" / name for name in STATIC)]
    digest = hashlib.sha256((ROOT / "templates" / "field.html").read_bytes())
    for path in [*kept, CLIENT / "worker.js"]:
        digest.update(path.read_bytes())
    files = ["/field/", *(f"/static/client/{p.name}" for p in modules),
             *(f"/static/{name}" for name in STATIC)]  # fmt: skip
    head = f"const VERSION = {json.dumps('inspect-' + digest.hexdigest()[:16])};\n"
    return f"{head}const FILES = {json.dumps(files)};\n{(CLIENT / 'worker.js').read_text()}"
