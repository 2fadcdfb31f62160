"""The first tables, and the triggers that refuse to change or delete what the ledger holds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


SQLITE = [
    f"""CREATE TRIGGER ledger_refuses_{verb} BEFORE {verb} ON ledger
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"""
    for verb in ("update", "delete")
]
POSTGRESQL = [
    """CREATE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$""",
    """CREATE TRIGGER ledger_refuses BEFORE UPDATE OR DELETE ON ledger
       FOR EACH ROW EXECUTE FUNCTION ledger_refuses()""",
    """CREATE TRIGGER ledger_refuses_truncate BEFORE TRUNCATE ON ledger
       FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()""",
]


def upgrade() -> None:
    """Make every table; the ledger can only grow from here on."""
    _licences()
    _people()
    _evidence()
    dialect = op.get_bind().dialect.name
    for statement in SQLITE if dialect == "sqlite" else POSTGRESQL:
        op.execute(statement)


def _licences() -> None:
    op.create_table(
        "licence",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("number", sa.String(80), nullable=False, unique=True),
        sa.Column("event", sa.String(300), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
    )  # fmt: skip
    op.create_table(
        "licence_version",
        sa.Column("licence", sa.String(64), sa.ForeignKey("licence.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("checklist", sa.Text, nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("layout", sa.Text, nullable=False),
        sa.Column("imported_at", sa.String(32), nullable=False),
    )  # fmt: skip


def _people() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("login", sa.String(80), nullable=False, unique=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("agency", sa.String(40), nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
    )  # fmt: skip
    op.create_table(
        "enrolment",
        sa.Column("token_sha256", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(64), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("licence", sa.String(64), sa.ForeignKey("licence.id"), nullable=False),
        sa.Column("expires_at", sa.String(32), nullable=False),
        sa.Column("used_at", sa.String(32)),
    )  # fmt: skip
    op.create_table(
        "device",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("account", sa.String(64), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("licence", sa.String(64), sa.ForeignKey("licence.id"), nullable=False),
        sa.Column("agency", sa.String(40), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("author", sa.String(200), nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("enrolled_at", sa.String(32), nullable=False),
        sa.Column("expires_at", sa.String(32), nullable=False),
        sa.Column("revoked_at", sa.String(32)),
        sa.Column("highest", sa.Integer, nullable=False),
        sa.Column("last_seen", sa.String(32)),
    )  # fmt: skip


def _evidence() -> None:
    op.create_table(
        "ledger",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("licence", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("received_at", sa.String(32), nullable=False),
        sa.Column("prev", sa.String(64), nullable=False, unique=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
    )  # fmt: skip
    op.create_index("ledger_by_kind", "ledger", ["licence", "kind"])
    op.create_table(
        "item",
        sa.Column("ledger_seq", sa.Integer, sa.ForeignKey("ledger.seq"), primary_key=True),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("kept_as", sa.String(16), nullable=False),
        sa.Column("licence", sa.String(64), sa.ForeignKey("licence.id"), nullable=False),
        sa.Column("device", sa.String(64), sa.ForeignKey("device.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("condition", sa.String(64), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("received_at", sa.String(32), nullable=False),
        sa.Column("receipt", sa.Text, nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
        sa.UniqueConstraint("id", "sha256", name="item_once"),
    )  # fmt: skip
    op.create_index("item_by_licence", "item", ["licence", "condition"])
    op.create_index("item_by_device", "item", ["device", "seq"])
    op.create_table(
        "photo",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("device", sa.String(64), sa.ForeignKey("device.id"), nullable=False),
        sa.Column("received_at", sa.String(32), nullable=False),
    )  # fmt: skip
    op.create_index("photo_by_device", "photo", ["device"])
