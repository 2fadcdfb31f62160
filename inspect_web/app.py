"""The application: what it is made of, in order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from flask import Flask, Response, abort, render_template, request
from werkzeug.exceptions import HTTPException

from inspect_web import api, shell, views
from inspect_web.errors import InspectError, SetupError
from inspect_web.store.database import Store

MIN_SECRET = 32
CONTENT_POLICY = "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(self), microphone=(self)",
}


def create_app(
    store: Store,
    *,
    secret: str,
    demo: bool = False,
    secure: bool = False,
    clock: Callable[[], datetime] | None = None,
) -> Flask:
    """The application over *store*; refuses to start without a *secret* of 32 characters.

    *secure* says that people reach it by HTTPS: cookies are then never sent without it.
    """
    if len(secret) < MIN_SECRET:
        raise SetupError("secret", "shorter than 32 characters", "run 'inspect-web init'")
    app = Flask(__name__, static_folder="static")
    app.config.update(
        SECRET_KEY=secret,
        SESSION_COOKIE_NAME="__Host-inspect" if secure else "inspect",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(hours=1),
        MAX_CONTENT_LENGTH=2 * 1024 * 1024,
        MAX_FORM_MEMORY_SIZE=256 * 1024,
        MAX_FORM_PARTS=200,
    )
    app.extensions["store"] = store
    app.extensions["clock"] = clock or (lambda: datetime.now(UTC))
    app.extensions["demo"] = demo
    app.register_blueprint(api.blueprint)
    app.register_blueprint(shell.blueprint)
    for blueprint in views.BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_error_handler(InspectError, _told)
    app.register_error_handler(HTTPException, _told)
    app.before_request(_refuse_nul)
    app.after_request(_harden)
    return app


def _told(error: InspectError | HTTPException) -> tuple[str, int]:
    """A refusal as a page; the API has its own shape."""
    status = (error.status if isinstance(error, InspectError) else error.code) or 500
    return render_template("error.html", error=error, status=status), status


def _refuse_nul() -> None:
    """No name of ours holds a NUL, and PostgreSQL fails on one where SQLite does not."""
    if "\0" in request.path:
        abort(404)


def _harden(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if answer.mimetype in {"text/html", "application/json"}:
        answer.headers.setdefault("Cache-Control", "no-store")
    return answer
