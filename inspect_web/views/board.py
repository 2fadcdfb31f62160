"""The Board's pages: the event's timeline, the packet, waivers, and a decision by two people."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request, url_for

from inspect_web import drawing, packets
from inspect_web.inspection.schedule import times
from inspect_web.store import acts, licences
from inspect_web.views.access import check_password, form, now, person, store
from inspect_web.views.office import dossier_now, dossier_of, event_window
from inspect_web.views.office_acts import local_time, to

blueprint = Blueprint("board", __name__, url_prefix="/board")


@blueprint.get("/", endpoint="licences")
def licences_page() -> str:
    """All licences."""
    person()
    with store().read() as connection:
        return render_template("board/licences.html", licences=licences.everyone(connection))


@blueprint.get("/<licence>/")
def timeline(licence: str) -> str:
    """A timeline for each condition that anybody looked at; ``?known_at=`` goes back in time."""
    person("board", "coordinator")
    dossier = dossier_of(licence)
    begins, ends = event_window(dossier)
    drawn = [
        (line, drawing.timeline_svg(line, begins, ends, dossier.zone))
        for line in dossier.lines
        if line.seen or line.state not in {"not-due", "stale"}
    ]
    later = packets.known_rows(dossier, dossier_now(licence)) if "known_at" in request.args else []
    return render_template("board/timeline.html", dossier=dossier, drawn=drawn, later=later)


@blueprint.get("/<licence>/packet")
def packet(licence: str) -> str:
    """The revocation packet as a page."""
    person("board", "coordinator")
    dossier = dossier_of(licence)
    with store().read() as connection:
        entries = packets.cited(connection, dossier)
    pictures = {
        sha: url_for("office.photo", licence=dossier.licence.id, sha256=sha)
        for one in dossier.seen
        for sha in one.photos
        if sha not in dossier.photos_missing
    }
    return render_template(
        "board/packet.html", dossier=dossier, pictures=pictures,
        **packets.page_parts(dossier, entries),
    )  # fmt: skip


@blueprint.get("/<licence>/packet.pdf")
def packet_pdf(licence: str) -> Response:
    """The revocation packet as a tagged PDF."""
    return _packet_file(licence, "pdf", "application/pdf")


@blueprint.get("/<licence>/packet.html")
def packet_html(licence: str) -> Response:
    """The revocation packet as one file to keep."""
    return _packet_file(licence, "html", "text/html")


def _packet_file(licence: str, ending: str, kind: str) -> Response:
    person("board", "coordinator")
    dossier = dossier_of(licence)
    make = packets.packet_pdf if ending == "pdf" else packets.packet_html
    with store().read() as connection:
        photos = packets.photos_of(store(), connection, dossier)
        made = make(dossier, photos, packets.cited(connection, dossier))
    answer = Response(made, mimetype=kind)
    how = "inline" if ending == "pdf" else "attachment"
    name = f"{dossier.licence.id}-packet.{ending}"
    answer.headers["Content-Disposition"] = f'{how}; filename="{name}"'
    return answer


@blueprint.get("/<licence>/decision")
def decision(licence: str) -> str:
    """Waivers, motions and decisions, and the forms for them."""
    person("board", "coordinator", "inspector")
    return render_template("board/decision.html", dossier=dossier_of(licence))


@blueprint.post("/<licence>/waivers")
def waive(licence: str) -> Response:
    """Record an order of the Board that lifts a condition for a time."""
    one = person("board")
    check_password(one)
    with store().write() as connection:
        kept = licences.get(connection, licence)
        zone = times(kept.checklist.terms)[2]
        acts.waive(
            connection, kept.id, one, now(), condition=form("condition"), order=form("order"),
            begins=local_time("begins", zone), ends=local_time("ends", zone),
        )  # fmt: skip
    return to(url_for("board.decision", licence=kept.id))


@blueprint.post("/<licence>/motions")
def move(licence: str) -> Response:
    """Record a motion, its vote and the written reasons; the password is asked for again."""
    one = person("board")
    check_password(one)
    with store().write() as connection:
        kept = licences.get(connection, licence)
        acts.move(
            connection, kept.id, one, now(), choice=form("choice"), motion=form("motion"),
            vote=form("vote"), reasons=form("reasons"),
        )  # fmt: skip
    return to(url_for("board.decision", licence=kept.id))


@blueprint.post("/<licence>/motions/<motion>/confirm")
def confirm(licence: str, motion: str) -> Response:
    """A second person confirms; the licence's state follows."""
    one = person("board", "inspector")
    check_password(one)
    with store().write() as connection:
        kept = licences.get(connection, licence)
        acts.confirm(connection, kept.id, one, now(), motion=motion)
    return to(url_for("board.decision", licence=kept.id))
