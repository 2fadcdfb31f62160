"""What phones speak with: enrolment, checklists, items and photographs. No cookie, no CSRF token."""

from __future__ import annotations

from flask import Blueprint

from inspect_web.api import checklists, enrolments, items, openapi, photos, problems

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
for part in (enrolments, checklists, items, photos, openapi):
    part.add_routes(blueprint)
problems.add_handlers(blueprint)
