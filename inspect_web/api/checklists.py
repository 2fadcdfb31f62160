"""What a phone inspects: the licence, its land and the items of its agency."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, jsonify, request

from inspect_web.api.caller import calling_device, now, store
from inspect_web.errors import InvalidItem, NotAllowed
from inspect_web.inspection.checklist import items_of
from inspect_web.inspection.observation import write_instant
from inspect_web.inspection.schedule import Schedule, Window, schedule
from inspect_web.store import licences


def add_routes(blueprint: Blueprint) -> None:
    """``GET /licences/<id>/checklist``."""
    blueprint.get("/licences/<licence_id>/checklist")(_checklist)


def _checklist(licence_id: str) -> Response:
    device = calling_device()
    if device.licence != licence_id:
        raise NotAllowed("licence", "not the one this phone is enrolled for", "enrol it again")
    version = request.args.get("version")
    if version is not None and not (version.isascii() and version.isdigit() and len(version) < 7):
        raise InvalidItem("version", "not a number", "leave it out for the newest", found=version)
    with store().read() as connection:
        kept = licences.get(connection, licence_id, int(version) if version else None)
    terms = kept.checklist.terms.model_dump(mode="json")
    mine = items_of(
        kept.checklist, "coordinator" if device.role == "coordinator" else device.agency
    )
    return jsonify(
        {
            "version": kept.version,
            "licence": {"number": kept.number, "state": kept.state, **terms},
            "site": kept.site,
            "layout": kept.layout,
            "schedule": {i.id: _plan(schedule(i, kept.checklist.terms)) for i in mine},
            "items": [i.model_dump(mode="json") for i in mine],
            "server_time": write_instant(now()),
        }
    )


def _plan(plan: Schedule) -> dict[str, Any]:
    """When an item is due, so that the phone can tell without the county."""
    return {
        "windows": [_times(w) for w in plan.windows],
        "spans": [_times(s) for s in plan.spans],
        "tight_minutes": None if plan.tight_age is None else plan.tight_age // timedelta(minutes=1),
    }


def _times(window: Window) -> list[str]:
    return [write_instant(window.opens), write_instant(window.closes)]
