"""The tables; times are UTC text of one form, so that both databases order them alike."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique

metadata = MetaData()

account = Table(
    "account", metadata,
    Column("id", String(64), primary_key=True),
    Column("login", String(80), nullable=False, unique=True),
    Column("name", String(200), nullable=False),
    Column("role", String(20), nullable=False),
    Column("agency", String(40), nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("disabled", Boolean, nullable=False, default=False),
)  # fmt: skip

licence = Table(
    "licence", metadata,
    Column("id", String(64), primary_key=True),
    Column("number", String(80), nullable=False, unique=True),
    Column("event", String(300), nullable=False),
    Column("state", String(20), nullable=False),
    Column("version", Integer, nullable=False),
)  # fmt: skip

licence_version = Table(
    "licence_version", metadata,
    Column("licence", String(64), ForeignKey("licence.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("checklist", Text, nullable=False),
    Column("site", Text, nullable=False),
    Column("layout", Text, nullable=False),
    Column("imported_at", String(32), nullable=False),
)  # fmt: skip

enrolment = Table(
    "enrolment", metadata,
    Column("token_sha256", String(64), primary_key=True),
    Column("account", String(64), ForeignKey("account.id"), nullable=False),
    Column("licence", String(64), ForeignKey("licence.id"), nullable=False),
    Column("expires_at", String(32), nullable=False),
    Column("used_at", String(32)),
)  # fmt: skip

device = Table(
    "device", metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("account", String(64), ForeignKey("account.id"), nullable=False),
    Column("licence", String(64), ForeignKey("licence.id"), nullable=False),
    Column("agency", String(40), nullable=False),
    Column("role", String(20), nullable=False),
    Column("author", String(200), nullable=False),
    Column("public_key", Text, nullable=False),
    Column("enrolled_at", String(32), nullable=False),
    Column("expires_at", String(32), nullable=False),
    Column("revoked_at", String(32)),
    Column("highest", Integer, nullable=False, default=0),
    Column("last_seen", String(32)),
)  # fmt: skip

ledger = Table(
    "ledger", metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(40), nullable=False),
    Column("licence", String(64), nullable=False),
    Column("body", Text, nullable=False),
    Column("received_at", String(32), nullable=False),
    Column("prev", String(64), nullable=False, unique=True),
    Column("hash", String(64), nullable=False, unique=True),
    Index("ledger_by_kind", "licence", "kind"),
)  # fmt: skip

item = Table(
    "item", metadata,
    Column("ledger_seq", Integer, ForeignKey("ledger.seq"), primary_key=True),
    Column("id", String(64), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("kept_as", String(16), nullable=False),
    Column("licence", String(64), ForeignKey("licence.id"), nullable=False),
    Column("device", String(64), ForeignKey("device.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("condition", String(64), nullable=False),
    Column("content", Text, nullable=False),
    Column("received_at", String(32), nullable=False),
    Column("receipt", Text, nullable=False),
    Column("signature", Text, nullable=False),
    Unique("id", "sha256", name="item_once"),
    Index("item_by_licence", "licence", "condition"),
    Index("item_by_device", "device", "seq"),
)  # fmt: skip

photo = Table(
    "photo", metadata,
    Column("sha256", String(64), primary_key=True),
    Column("bytes", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("device", String(64), ForeignKey("device.id"), nullable=False),
    Column("received_at", String(32), nullable=False),
    Index("photo_by_device", "device"),
)  # fmt: skip
