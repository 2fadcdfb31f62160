"""The other tables of ``application.toml``, one class a table, and what must hold between their keys."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, Field, PrivateAttr, model_validator

from site_eval.application.kinds import (
    Amount,
    Count,
    Day,
    Document,
    Hours,
    Many,
    Moment,
    Zone,
    refusal,
)
from site_eval.application.plans import Plan, Table


class Event(Table):
    """What is to happen and when. ``daily_hours``: a pair for each calendar day, or one for all.

    Hours whose end is not after their start run past midnight.
    """

    name: str = Field(min_length=1, max_length=200)
    time_zone: Zone | None = Field(default=None, description="IANA name, as America/Boise")
    purpose: str | None = None
    nature: str | None = Field(default=None, description="concert, fair, religious, rally, ...")
    starts: Moment
    ends: Moment
    first_arrival: Moment | None = Field(default=None, description="The first person on the land")
    daily_hours: Many[Hours] = ()
    overnight: bool = False
    amplified: bool | None = None
    alcohol: bool | None = None

    @property
    def assembles(self) -> datetime:
        """The first moment at which people assemble: the first arrival, or else the start."""
        return min(self.starts, self.first_arrival or self.starts)

    @property
    def calendar_days(self) -> int:
        """Calendar days touched from the first arrival to the end, in the event's own zone."""
        return (self.ends.date() - self.assembles.date()).days + 1

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.ends <= self.starts:
            raise refusal("contradiction", "the event ends before it starts", "mend starts or ends")
        if self.first_arrival is not None and self.first_arrival > self.ends:
            raise refusal(
                "contradiction", "the first arrival is after the end", "mend first_arrival"
            )
        if self.calendar_days > 366:
            raise refusal(
                "contradiction", "the event lasts more than a year", "mend starts or ends"
            )
        days = (self.ends.date() - self.starts.date()).days + 1
        if len(self.daily_hours) not in {0, 1, days, self.calendar_days}:
            raise refusal(
                "contradiction",
                f"daily_hours has {len(self.daily_hours)} pairs for {days} calendar days",
                "give one pair for each day, or one for all",
            )
        return self


class Venue(Table):
    """A place that may be excepted from the ordinance."""

    kind: Literal["open-land", "permanent-assembly", "fairgrounds", "auction"] = "open-land"
    seating_capacity: Count | None = None
    government_sponsored: bool | None = None
    licensed_under: str | None = Field(default=None, description="Another county ordinance")


class Attendance(Table):
    """How many people. ``maximum`` is the most on the land at one time."""

    maximum: int = Field(gt=0, le=10_000_000)
    tickets: Count | None = None
    tickets_per_day: Count | None = Field(default=None, description="Most valid on any one day")
    female: Count | None = None
    male: Count | None = None
    overnight: Count | None = None
    staff: Count | None = None
    staff_included: bool | None = Field(default=None, description="Staff are within the maximum")
    vehicles: Count | None = None

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        most = self.maximum + (self.staff or 0)
        split = (self.female or 0) + (self.male or 0)
        if split > most:
            raise refusal(
                "contradiction",
                f"female and male make {split:,} people, more than the {most:,} declared",
                "mend female, male or maximum",
            )
        if (self.overnight or 0) > most:
            raise refusal(
                "contradiction",
                f"{self.overnight:,} stay overnight, more than the {most:,} declared",
                "mend overnight or maximum",
            )
        return self


class Person(Table):
    """Somebody named in the application."""

    name: str = Field(min_length=1)
    age: int | None = Field(default=None, ge=0, le=130)
    residence: str | None = None
    mailing_address: str | None = None


class Stockholder(Person):
    """Somebody with a share of the corporation."""

    share_percent: float | None = Field(default=None, ge=0, le=100)


class Applicant(Table):
    """Who applies, who signed, and who swore to it."""

    kind: Literal["individual", "corporation", "partnership", "association"] | None = None
    name: str | None = None
    signed: bool | None = None
    sworn: bool | None = None
    sworn_by: Many[Literal["president", "all-partners", "all-members", "individual"]] = ()
    people: Many[Person] = ()
    articles: Document | None = None
    stockholders: Many[Stockholder] = ()


class Land(Table):
    """A piece of the land, by its description, its parcel number or its outline in a file."""

    description: str | None = Field(default=None, min_length=1)
    parcel: str | None = Field(default=None, min_length=1)
    geometry: Document | None = None
    address: str | None = None
    owner: str | None = None
    owner_address: str | None = None
    owner_consent: Document | None = None
    proof_of_ownership: Document | None = None
    county: str | None = None

    @model_validator(mode="after")
    def _says_where(self) -> Self:
        if self.description is None and self.parcel is None and self.geometry is None:
            raise refusal(
                "missing-key",
                "nothing says where this land is",
                "add a description, a parcel or a geometry file",
            )
        return self


class LayoutSpec(Table):
    """The file of the site layout and how its words map to ours.

    ``roles`` maps a value of the role field (or a layer's name) to a role; ``fields`` maps
    a field of the file to a property; ``crs`` serves files that cannot say theirs.
    """

    file: Document
    layer: str | None = None
    role_field: str = "role"
    crs: str | None = None
    roles: dict[str, str] = Field(default_factory=dict)
    fields: dict[str, str] = Field(default_factory=dict)


class Approval(Table):
    """A written approval; ``agency`` and ``subject`` are ids such as ``sheriff``, ``security``."""

    agency: str = Field(min_length=1)
    subject: str | None = None
    date: Day | None = None
    file: Document | None = None


class Insurance(Table):
    """The insurance policy."""

    amount_usd: Amount | None = None
    per: Literal["occurrence", "aggregate"] | None = None
    insurer: str | None = None
    insurer_licensed: bool | None = None
    indemnifies_county: bool | None = None
    covers_cleanup: bool | None = None
    filed_with_clerk: bool | None = None
    valid_from: Day | None = None
    valid_to: Day | None = None
    file: Document | None = None


class Bond(Table):
    """A bond that was or will be deposited."""

    kind: Literal["security", "performance"]
    amount_usd: Amount | None = None
    form: Literal["cash", "surety", "letter-of-credit"] | None = None
    file: Document | None = None


class Filing(Table):
    """When the application came in, and what was paid."""

    received: Day | None = None
    fee_paid: bool | None = None
    board_meeting: Day | None = None


class Application(Table):
    """A whole application. ``more`` holds what only its ordinance asks for, by dotted path."""

    event: Event
    venue: Venue = Venue()
    attendance: Attendance
    applicant: Applicant = Applicant()
    land: Many[Land] = Field(min_length=1)
    layout: LayoutSpec | None = None
    plan: Plan = Plan()
    approval: Many[Approval] = ()
    insurance: Insurance | None = None
    bond: Many[Bond] = ()
    filing: Filing = Filing()

    _file: Path = PrivateAttr(default=Path("application.toml"))
    _more: dict[str, Any] = PrivateAttr(default_factory=dict)
    _read: dict[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def file(self) -> Path:
        """The file that was read."""
        return self._file

    @property
    def more(self) -> dict[str, Any]:
        """Values at paths that the ordinance added, e.g. ``plan.showers.heads``."""
        return dict(self._more)

    def as_read(self) -> dict[str, Any]:
        """The application as JSON values: times with offset, files as the application names them."""
        return dict(self._read)

    def documents(self) -> dict[str, Path]:
        """Every file the application names, by its dotted path (``approval.1.file``), sorted."""
        return dict(sorted(_files(self, "")))


def _files(value: Any, place: str) -> list[tuple[str, Path]]:
    if isinstance(value, Path):
        return [(place, value)]
    if isinstance(value, BaseModel):
        inner = [(name, getattr(value, name)) for name in type(value).model_fields]
    elif isinstance(value, tuple):
        inner = [(str(index), item) for index, item in enumerate(value, 1)]
    else:
        return []
    return [hit for name, item in inner for hit in _files(item, f"{place}.{name}".lstrip("."))]
