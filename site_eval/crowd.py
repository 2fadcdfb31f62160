"""How many people, on which days and at which hours: what the rates of an ordinance run on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta

from astral import Observer
from astral.sun import elevation

from site_eval.application import Application
from site_eval.ordinance.basis import Basis
from site_eval.record.finding import Source
from site_eval.record.verdict import Grade

# The sun's centre 0.833 degrees below the horizon: the standard sunset of almanacs.
_SUNSET_ELEVATION_DEG = -0.833


def declared_source(application: Application, sha256: str | None) -> Source:
    """The applicant's own statement as a source."""
    received = application.filing.received if application.filing else None
    return Source(
        name="Application as filed",
        publisher=application.applicant.name or "the applicant",
        vintage=received.isoformat() if received else "undated",
        licence="not published",
        grade=Grade.DECLARED,
        sha256=sha256,
    )


def crowd(
    application: Application, lon_deg: float, lat_deg: float
) -> tuple[Basis, tuple[str, ...]]:
    """The quantities and flags that the clauses' rates run on, and notes on how they were taken.

    ``persons`` is the greatest number on site at one time. Staff are people: they are added
    unless the application says that the maximum includes them (the strict reading). ``days`` are
    calendar days of the event's own time zone on which the site is open, arrival days included.
    """
    attendance, event = application.attendance, application.event
    notes: list[str] = []
    persons = float(attendance.maximum)
    if attendance.staff and not attendance.staff_included:
        persons += attendance.staff
        notes.append(
            f"{attendance.staff:,} staff are added to the stated maximum of "
            f"{attendance.maximum:,}: the ordinance counts people, not visitors."
        )
    elif attendance.staff is None and not attendance.staff_included:
        notes.append("The application does not say whether staff are counted in its maximum.")
    opens = event.assembles
    quantities = {
        "persons": persons,
        "days": float(event.calendar_days),
        "hours": (event.ends - opens).total_seconds() / 3600.0,
        "nights": float(event.calendar_days - 1),
    }
    quantities |= {
        name: float(number)
        for name, number in {
            "female": attendance.female,
            "male": attendance.male,
            "overnight_persons": attendance.overnight,
            "staff": attendance.staff,
            "vehicles": attendance.vehicles,
            "tickets": attendance.tickets,
        }.items()
        if number is not None
    }
    flags = {
        "overnight": bool(event.overnight),
        "amplified": bool(event.amplified),
        "alcohol": bool(event.alcohol),
        "dark": any(True for _ in dark_hours(application, lon_deg, lat_deg)),
    }
    clock = tuple(_clock(start, end) for start, end in programme(application))
    return Basis(quantities=quantities, flags=flags, clock=clock), tuple(notes)


def _clock(start: datetime, end: datetime) -> tuple[float, float]:
    """An interval as hours of the day; a whole day or more is every hour."""
    if end - start >= timedelta(days=1):
        return 0.0, 24.0
    return start.hour + start.minute / 60, end.hour + end.minute / 60


def programme(application: Application) -> list[tuple[datetime, datetime]]:
    """The hours during which the assembly continues, one interval a day when daily hours are given.

    An overnight assembly continues through the night, whatever the daily programme.
    """
    event = application.event
    if event.overnight or not event.daily_hours:
        return [(event.assembles, event.ends)]
    return [
        (max(start, event.starts), min(end, event.ends))
        for start, end in daily_intervals(event.starts, event.ends, event.daily_hours)
        if start < event.ends and end > event.starts
    ]


def daily_intervals(
    starts: datetime, ends: datetime, hours: Sequence[tuple[time, time]]
) -> list[tuple[datetime, datetime]]:
    """Clock hours of each calendar day as instants; one pair serves every day.

    A pair whose end is not after its start runs past midnight into the next day.
    """
    days = (ends.date() - starts.date()).days + 1
    intervals = []
    for index in range(days):
        opening, closing = hours[index] if index < len(hours) else hours[-1]
        day = starts.date() + timedelta(days=index)
        start = datetime.combine(day, opening, tzinfo=starts.tzinfo)
        end = datetime.combine(
            day + timedelta(days=1 if closing <= opening else 0), closing, tzinfo=starts.tzinfo
        )
        intervals.append((start, end))
    return intervals


def dark_hours(application: Application, lon_deg: float, lat_deg: float) -> Iterator[datetime]:
    """Instants, a quarter of an hour apart, at which the assembly continues after sunset."""
    observer = Observer(latitude=lat_deg, longitude=lon_deg)
    for start, end in programme(application):
        moment = start.astimezone(UTC)
        while moment <= end.astimezone(UTC):
            if elevation(observer, moment) < _SUNSET_ELEVATION_DEG:
                yield moment
            moment += timedelta(minutes=15)
