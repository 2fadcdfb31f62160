"""What the office writes into the record: notices of violation and the licensee's replies."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, render_template, url_for

from inspect_web.errors import InspectError
from inspect_web.inspection.schedule import times
from inspect_web.store import acts, licences
from inspect_web.views.access import form, now, person, store
from inspect_web.views.office import dossier_of

blueprint = Blueprint("office_acts", __name__, url_prefix="/office")


@blueprint.get("/<licence>/notices")
def notices(licence: str) -> str:
    """All notices with their replies, and the forms for new ones."""
    return render_template("office/notices.html", dossier=dossier_of(licence))


@blueprint.post("/<licence>/notices")
def new_notice(licence: str) -> Response:
    """Record a notice that was served."""
    one = person("coordinator", "board")
    with store().write() as connection:
        kept = licences.get(connection, licence)
        zone = times(kept.checklist.terms)[2]
        acts.serve_notice(
            connection, kept.id, one, now(), condition=form("condition"),
            served_on=form("served_on"), how=form("how"),
            served_at=local_time("served_at", zone), cure_by=local_time("cure_by", zone),
            text=form("text"),
        )  # fmt: skip
    return to(url_for("office_acts.notices", licence=kept.id))


@blueprint.post("/<licence>/notices/<notice>/reply")
def reply(licence: str, notice: str) -> Response:
    """Record what the licensee answered."""
    one = person("coordinator", "board")
    with store().write() as connection:
        kept = licences.get(connection, licence)
        acts.note_reply(
            connection, kept.id, one, now(), notice=notice, text=form("text"),
            said_by=form("said_by"),
        )  # fmt: skip
    return to(url_for("office_acts.notices", licence=kept.id))


def local_time(name: str, zone: ZoneInfo) -> datetime:
    """A time of a form, which people write in the site's zone."""
    try:
        given = datetime.fromisoformat(form(name))
    except ValueError:
        raise InspectError(name, "no time", "write it as 2027-06-19T23:40") from None
    return given if given.tzinfo else given.replace(tzinfo=zone)


def to(place: str) -> Response:
    """Go on to another page of ours."""
    return Response(status=303, headers={"Location": place})
