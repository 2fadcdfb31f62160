"""Pages for people: signing in, the coordinator's office, the board."""

from __future__ import annotations

from flask import Blueprint

from inspect_web.views import access, board, office, office_acts, office_files

BLUEPRINTS: tuple[Blueprint, ...] = (
    access.blueprint,
    office.blueprint,
    office_acts.blueprint,
    office_files.blueprint,
    board.blueprint,
)
