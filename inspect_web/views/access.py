"""Signing in and out: short sessions, a token in every form, slow answers to guessing."""

from __future__ import annotations

import hmac
import secrets
from datetime import datetime, timedelta
from typing import cast

from flask import (
    Blueprint,
    Flask,
    current_app,
    g,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from inspect_web.errors import InspectError, NotAllowed, TooMany
from inspect_web.inspection.checklist import AGENCIES
from inspect_web.store import accounts
from inspect_web.store.accounts import Account
from inspect_web.store.database import Store

IDLE = timedelta(minutes=30)
AT_MOST = timedelta(hours=10)
WRONG_LOGINS = 8
WRONG_WITHIN = timedelta(minutes=15)

blueprint = Blueprint("access", __name__)


class SignInFirst(Exception):  # noqa: N818 - it is an instruction, no failure
    """Nobody is signed in: go to the form."""


def store() -> Store:
    """The store of this application."""
    return cast("Store", current_app.extensions["store"])


def now() -> datetime:
    """The county's time, from the clock that the application was given."""
    return cast("datetime", current_app.extensions["clock"]())


def person(*roles: str) -> Account:
    """Who is signed in; sends to the form when nobody is, raises ``NotAllowed`` for other roles."""
    one: Account | None = g.get("person")
    if one is None:
        raise SignInFirst
    if roles and one.role not in roles:
        raise NotAllowed(one.login, "this page is not for your role", "ask the coordinator")
    return one


def form(name: str) -> str:
    """A field of the form that was sent, without NULs; empty when it is not there."""
    return request.form.get(name, "").replace("\0", "").strip()


@blueprint.record_once
def _prepare(state: object) -> None:
    app: Flask = state.app  # type: ignore[attr-defined]
    app.jinja_env.globals["csrf_token"] = csrf_token
    app.jinja_env.globals["agencies"] = AGENCIES
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


@blueprint.before_app_request
def _know_the_person() -> None:
    """Who has this session, unless it is idle or old; nothing of it on the phones' paths."""
    if request.path.startswith(("/api/", "/static/", "/field/", "/enrol/")):
        return
    seen, began = session.get("seen"), session.get("began")
    moment = now()
    if "account" in session and isinstance(seen, float) and isinstance(began, float):
        fresh = moment.timestamp() - seen <= IDLE.total_seconds()
        if fresh and moment.timestamp() - began <= AT_MOST.total_seconds():
            with store().read() as connection:
                g.person = accounts.by_id(connection, session["account"])
            if request.headers.get("X-Poll") is None:
                session["seen"] = moment.timestamp()
        else:
            session.clear()
    if request.method == "POST":
        sent, kept = request.form.get("csrf", ""), session.get("csrf", "")
        if not kept or not hmac.compare_digest(sent.encode(), kept.encode()):
            raise NotAllowed("form", "it is not from this session", "load the page and try again")


def csrf_token() -> str:
    """The session's token for forms."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return cast("str", session["csrf"])


@blueprint.app_errorhandler(SignInFirst)
def _to_the_form(_error: SignInFirst) -> ResponseReturnValue:
    return redirect(url_for("access.login", next=request.path))


@blueprint.app_errorhandler(InspectError)
def _told(error: InspectError) -> ResponseReturnValue:
    """A page for people; the device API has its own form of errors."""
    return render_template("error.html", error=error), error.status


@blueprint.get("/")
def start() -> ResponseReturnValue:
    """Where somebody's work is."""
    one = person()
    return redirect(url_for("board.licences" if one.role == "board" else "office.licences"))


@blueprint.get("/login")
def login() -> str:
    """The form."""
    return render_template("login.html", wrong=False, next=request.args.get("next", ""))


@blueprint.post("/login")
def sign_in() -> ResponseReturnValue:
    """Begin a session; the answer to a wrong password does not say what was wrong."""
    name = form("login")[:80]
    _not_too_often(name)
    with store().read() as connection:
        one = accounts.sign_in(connection, name, request.form.get("password", ""))
    if one is None:
        _wrong_logins().setdefault(name, []).append(now())
        return render_template("login.html", wrong=True, next=form("next")), 401
    _wrong_logins().pop(name, None)
    _begin(one)
    return redirect(_own_page(form("next")))


@blueprint.post("/logout")
def logout() -> ResponseReturnValue:
    """End the session; a phone's queue is no part of it."""
    session.clear()
    return redirect(url_for("access.login"))


def check_password(one: Account) -> None:
    """Ask for the password again before something that cannot be taken back."""
    _not_too_often(one.login)
    with store().read() as connection:
        if accounts.sign_in(connection, one.login, request.form.get("password", "")) is None:
            _wrong_logins().setdefault(one.login, []).append(now())
            raise NotAllowed("password", "it is not yours", "type your own password again")


def _begin(one: Account) -> None:
    session.clear()
    session.permanent = True
    session["account"] = one.id
    session["began"] = session["seen"] = now().timestamp()


def _own_page(path: str) -> str:
    """A page of ours: never another host, whatever the link said."""
    ours = path.startswith(("/office/", "/board/")) and "\\" not in path and "//" not in path
    return path if ours else url_for("access.start")


def _not_too_often(name: str) -> None:
    recent = [t for t in _wrong_logins().get(name, []) if now() - t < WRONG_WITHIN]
    _wrong_logins()[name] = recent
    if not recent:
        _wrong_logins().pop(name)
    if len(recent) >= WRONG_LOGINS:
        raise TooMany("login", "too many wrong passwords", "wait a quarter of an hour")


def _wrong_logins() -> dict[str, list[datetime]]:
    return cast("dict[str, list[datetime]]", current_app.extensions.setdefault("wrong_logins", {}))
