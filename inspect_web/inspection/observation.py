"""An item as a phone writes and signs it, and the observation that the county makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspect_web.errors import InvalidItem
from site_eval.record.canonical import canonical_bytes
from site_eval.record.condition import Answer

Outcome = Literal["met", "not-met", "not-seen", "entry-denied", "not-applicable"]
UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
UUID_OR_NONE = UUID.replace("^", "^(").replace("$", ")?$")
SHA256 = r"^[0-9a-f]{64}$"
INSTANT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"
STRICT = ConfigDict(extra="forbid", frozen=True, strict=True)
SAFE_INTEGER = 2**53 - 1  # beyond it a phone's numbers are no longer exact


class Place(BaseModel):
    """A position fix: degrees × 10⁷ (EPSG:4326), radius of 95 % in millimetres, age in ms."""

    model_config = STRICT

    lat_e7: int = Field(ge=-900_000_000, le=900_000_000)
    lon_e7: int = Field(ge=-1_800_000_000, le=1_800_000_000)
    accuracy_mm: int = Field(ge=0, le=SAFE_INTEGER)
    age_ms: int = Field(ge=0, le=SAFE_INTEGER)


class PhotoReference(BaseModel):
    """A photograph or sound clip by its hash; the bytes travel apart from the item."""

    model_config = STRICT

    sha256: str = Field(pattern=SHA256)
    bytes: int = Field(gt=0, le=40_000_000)
    type: str = Field(max_length=100)


class Clock(BaseModel):
    """How the phone knew the time.

    ``elapsed_ms`` is the phone's steady counter, ``offset_ms`` is the county's time minus the
    phone's as last measured (0 when it never was), ``error_ms`` bounds what is left.
    """

    model_config = STRICT

    elapsed_ms: int = Field(ge=0, le=SAFE_INTEGER)
    offset_ms: int = Field(ge=-SAFE_INTEGER, le=SAFE_INTEGER)
    error_ms: int = Field(ge=0, le=SAFE_INTEGER)


class Given(BaseModel):
    """The answer as typed; a number is a string so that its hash does not hang on an encoder."""

    model_config = STRICT

    kind: Answer
    value: str = Field(max_length=4000)
    unit: str = Field(max_length=100)


class Item(BaseModel):
    """One entry of an inspector. Integers and strings only: a hash must not hang on an encoder."""

    model_config = STRICT

    id: str = Field(pattern=UUID)
    device_id: str = Field(min_length=1, max_length=64)
    seq: int = Field(ge=1, le=10_000_000, description="Counts up by one on each device, no gaps")
    prev: str = Field(pattern=r"^([0-9a-f]{64})?$", description="Hash of this device's item before")
    licence_id: str = Field(min_length=1, max_length=64)
    checklist_version: int = Field(ge=1, le=1_000_000)
    item_id: str = Field(min_length=1, max_length=64)
    finding: Outcome
    answer: Given
    note: str = Field(max_length=8000)
    observed_at: str = Field(pattern=INSTANT, description="The phone's own clock, UTC")
    clock: Clock
    place: Place | None
    photos: list[PhotoReference] = Field(max_length=30)
    corrects: str = Field(pattern=UUID_OR_NONE)


@dataclass(frozen=True)
class Observation:
    """A received item in the county's eyes: two times, who, and from which ledger entry.

    ``observed_at`` is the phone's time corrected by its measured offset, true to ``error_s``;
    ``offset_s`` is that correction.
    """

    id: str
    condition: str
    agency: str
    author: str
    device: str
    sequence: int
    outcome: Outcome
    value: Decimal | None
    answer: str
    note: str
    observed_at: datetime
    error_s: float
    received_at: datetime
    ledger_seq: int
    place: Place | None = None
    photos: tuple[str, ...] = ()
    corrects: str = ""
    contested: bool = False  # another content came under the same id
    quarantined: bool = False  # the device was revoked or its time had run out
    offset_s: float = 0.0  # the county's time minus the phone's, as the phone last measured it


def read_item(raw: Any) -> Item:
    """The item in *raw* (decoded JSON); raises ``InvalidItem`` that names the first wrong key."""
    try:
        item = Item.model_validate(raw)
        canonical_bytes(raw)
        parse_instant(item.observed_at)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "item"
        fault = first["msg"][0].lower() + first["msg"][1:]
        raise InvalidItem(
            f"item.{place}", fault, "write it as the API describes", found=first["input"]
        ) from None
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidItem("item", str(error), "write whole numbers, strings, real times") from None
    return item


def parse_instant(text: str) -> datetime:
    """An instant as it is written in every record: ISO 8601, UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


def write_instant(moment: datetime) -> str:
    """*moment* as every record writes it: UTC, milliseconds, ``Z``."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def observed_time(item: Item) -> datetime:
    """The county's best estimate of when *item* was observed; wild offsets are not followed."""
    claimed = parse_instant(item.observed_at)
    try:
        return claimed + timedelta(milliseconds=item.clock.offset_ms)
    except OverflowError:
        return claimed


def number_in(answer: Given) -> Decimal | None:
    """The number that was typed, for a count or a measurement."""
    if answer.kind not in {"count", "number"}:
        return None
    try:
        value = Decimal(answer.value.strip().replace(",", ""))
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
