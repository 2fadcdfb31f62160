"""The coordinator's office: every condition now, counts against limits, phones, items, exports."""

from __future__ import annotations

from datetime import datetime, timedelta

import segno
from flask import Blueprint, Response, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from inspect_web import drawing, packets
from inspect_web.errors import NotFound
from inspect_web.inspection.schedule import times
from inspect_web.packets import Dossier
from inspect_web.store import accounts, devices, licences, media
from inspect_web.views.access import form, now, person, store

blueprint = Blueprint("office", __name__, url_prefix="/office")


@blueprint.get("/", endpoint="licences")
def licences_page() -> str:
    """All licences."""
    person()
    with store().read() as connection:
        return render_template("office/licences.html", licences=licences.everyone(connection))


@blueprint.get("/<licence>/")
def dashboard(licence: str) -> str:
    """Every condition with its state, and the counts against the licence's numbers."""
    return render_template("office/dashboard.html", **_dashboard(licence))


@blueprint.get("/<licence>/live")
def live(licence: str) -> Response:
    """The moving part of the dashboard alone; asked for every two seconds by its page."""
    answer = Response(render_template("office/live.html", **_dashboard(licence)))
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@blueprint.get("/<licence>/licence")
def licence_page(licence: str) -> str:
    """What the licence rests on, and each condition with its clause."""
    return render_template("office/licence.html", dossier=dossier_of(licence))


@blueprint.get("/<licence>/conditions/<condition>")
def condition_page(licence: str, condition: str) -> str:
    """One condition: its clause, its timeline, everything that was seen of it."""
    dossier = dossier_of(licence)
    line = dossier.line(condition)
    if line is None:
        raise NotFound(f"condition {condition[:64]}", "this licence has none", "go back")
    begins, ends = event_window(dossier)
    drawn = drawing.timeline_svg(line, begins, ends, dossier.zone)
    rows = [(one, packets.seen_row(dossier, one)) for one in line.seen]
    aside = {one.id: why for one, why in line.set_aside}
    return render_template(
        "office/condition.html", dossier=dossier, line=line, drawn=drawn, rows=rows, aside=aside
    )


@blueprint.get("/<licence>/items")
def items_page(licence: str) -> str:
    """Everything that was received, newest first, and where."""
    dossier = dossier_of(licence)
    rows = [(one, packets.seen_row(dossier, one)) for one in reversed(dossier.seen)]
    drawn = drawing.places_svg(dossier.licence.site, dossier.seen)
    return render_template("office/items.html", dossier=dossier, rows=rows, drawn=drawn)


@blueprint.get("/<licence>/devices")
def devices_page(licence: str) -> str:
    """The phones, what of each never arrived, and the form for a new one."""
    person("coordinator")
    dossier = dossier_of(licence)
    with store().read() as connection:
        people = accounts.everyone(connection)
    return render_template("office/devices.html", dossier=dossier, people=people)


@blueprint.post("/<licence>/devices")
def new_device(licence: str) -> str:
    """A link that enrols one phone, as a QR code; it works once and for ten minutes."""
    person("coordinator")
    with store().write() as connection:
        kept = licences.get(connection, licence)
        owner = accounts.by_id(connection, form("account"))
        if owner is None:
            raise NotFound("account", "there is none", "choose somebody from the list")
        secret = devices.new_link(connection, owner.id, kept.id, now())
    link = url_for("shell.enrol", token=secret, _external=True)
    code = segno.make(link, error="m").svg_data_uri(scale=6, border=3)
    return render_template("office/link.html", link=link, code=code, owner=owner, licence=kept)


@blueprint.post("/<licence>/devices/<device>/revoke")
def revoke(licence: str, device: str) -> ResponseReturnValue:
    """From now on what this phone sends is kept in quarantine."""
    one = person("coordinator")
    with store().write() as connection:
        kept = licences.get(connection, licence)
        if devices.get(connection, device).licence != kept.id:
            raise NotFound("device", "not of this licence", "go back")
        devices.revoke(connection, device, by=one.id, now=now())
    return Response(
        status=303, headers={"Location": url_for("office.devices_page", licence=kept.id)}
    )


@blueprint.get("/<licence>/photos/<sha256>")
def photo(licence: str, sha256: str) -> Response:
    """A smaller copy without metadata; ``?original=1`` downloads the bytes as they came."""
    dossier = dossier_of(licence)
    if sha256 not in {sha for one in dossier.seen for sha in one.photos}:
        raise NotFound("photograph", "no item of this licence names it", "go back")
    with store().read() as connection:
        path, kind = media.original(store(), connection, sha256)
        if request.args.get("original") or kind not in media.KINDS:
            answer = send_file(path, as_attachment=True, mimetype="application/octet-stream")
        else:
            answer = send_file(media.public_copy(store(), connection, sha256), "image/jpeg")
    answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return answer


def event_window(dossier: Dossier) -> tuple[datetime, datetime]:
    """The time that a timeline shows: the event, two hours before it, and up to now after it."""
    start, end, _ = times(dossier.terms)
    return start - timedelta(hours=2), max(end, min(dossier.as_of, end + timedelta(days=12)))


def dossier_of(licence: str) -> Dossier:
    """The record as it is, or as the county knew it at ``?known_at=``.

    A time without an offset is one of the site's clocks, as people ask it.
    """
    person("coordinator", "board", "inspector")
    known = request.args.get("known_at", "")
    with store().read() as connection:
        as_of = None
        if known:
            as_of = packets.asked_time(known, licences.get(connection, licence).checklist.terms)
        return packets.gather(store(), connection, licence, now(), as_of=as_of)


def dossier_now(licence: str) -> Dossier:
    """The record with everything that has come by now, whatever the page asks."""
    with store().read() as connection:
        return packets.gather(store(), connection, licence, now())


def _dashboard(licence: str) -> dict[str, object]:
    dossier = dossier_of(licence)
    counts: dict[str, int] = {}
    for line in dossier.lines:
        counts[line.state] = counts.get(line.state, 0) + 1
    newest = {one.condition: one for one in sorted(dossier.seen, key=lambda o: o.observed_at)}
    return {"dossier": dossier, "counts": counts, "newest": newest}
