"""The kinds of value an application holds beside plain ones: moments, hours, days and files."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

Item = TypeVar("Item")


def refusal(code: str, fault: str, mend: str) -> PydanticCustomError:
    """An error that carries *fault* and *mend* to the sentence that the applicant reads."""
    return PydanticCustomError(
        "site", "{fault}; {mend}", {"code": code, "fault": fault, "mend": mend}
    )


def known_zone(name: str) -> str:
    """An IANA time zone's name, checked; the nearest known one is named when it is not."""
    zones = available_timezones()
    if name in zones:
        return name
    near = get_close_matches(name, sorted(zones), n=1, cutoff=0.5)
    mend = f"perhaps '{near[0]}' is meant" if near else "write it as in 'America/Boise'"
    raise refusal("time", f"there is no time zone '{name}'", mend)


def moment(value: Any, info: ValidationInfo) -> datetime:
    """A date and time with its offset; one without is read in the event's ``time_zone``.

    A local time that the clocks skip or run through twice is refused, and so is an offset that
    is not the zone's own at that moment.
    """
    read = _parsed(value)
    if "time_zone" not in info.data:
        return read.replace(tzinfo=read.tzinfo or UTC)  # the zone's own fault is told already
    name = info.data["time_zone"]
    if read.tzinfo is None:
        if name is None:
            raise refusal(
                "time",
                f"'{value}' has no UTC offset and the event no time_zone",
                'add time_zone = "America/Boise" to [event], or an offset such as -06:00',
            )
        return _local(read, ZoneInfo(name))
    return read if name is None else _in_zone(read, ZoneInfo(name))


def _parsed(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        raise refusal("time", f"{value} is a day without a time", "write 2027-06-19T10:00")
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise refusal(
            "time", f"'{value}' is not a date and time", "write it as 2027-06-19T10:00"
        ) from None


def _local(wall: datetime, zone: ZoneInfo) -> datetime:
    there = wall.replace(tzinfo=zone, fold=0)
    back = there.astimezone(UTC).astimezone(zone)
    if back.replace(tzinfo=None) != wall:
        raise refusal(
            "time",
            f"{wall.isoformat(' ', 'minutes')} does not exist in {zone.key}: the clocks skip it",
            "write the time that the clocks show",
        )
    if there.utcoffset() != there.replace(fold=1).utcoffset():
        raise refusal(
            "time",
            f"{wall.isoformat(' ', 'minutes')} comes twice in {zone.key}: the clocks go back",
            "add the offset that is meant",
        )
    return there


def _in_zone(read: datetime, zone: ZoneInfo) -> datetime:
    there = read.astimezone(zone)
    if there.utcoffset() != read.utcoffset():
        raise refusal(
            "time",
            f"the offset of {read.isoformat()} is not {zone.key}'s at that moment",
            f"write {there.isoformat()}, or leave the offset out",
        )
    return there


def clock(value: Any) -> time:
    """A time of day; ``24:00`` is the midnight at a day's end and is kept as 00:00."""
    if isinstance(value, time):
        return value
    try:
        return time(0) if value == "24:00" else time.fromisoformat(value)
    except (TypeError, ValueError):
        raise refusal("time", f"'{value}' is not a time of day", 'write it as "23:30"') from None


def day(value: Any) -> date:
    """A calendar day, from a TOML date or ISO text."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise refusal("time", f"'{value}' is not a day", "write it as 2027-04-01") from None


def existing_file(value: Any, info: ValidationInfo) -> Path:
    """A file named relative to the application's folder; it must be there and hold something."""
    if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
        raise refusal("file", f"{value!r} is not a file name", 'write it in quotes, as "plan.pdf"')
    folder = (info.context or {}).get("folder")
    if folder is None:
        return Path(value)
    path = Path(folder) / value
    try:
        found = path.is_file()
        size = path.stat().st_size if found else 0
    except OSError as error:
        raise refusal(
            "file", f"'{value}' cannot be read ({error.strerror})", "name another file"
        ) from None
    if not found:
        fault = "is a folder" if path.is_dir() else "is not there"
        raise refusal(
            "file", f"the file '{value}' {fault}", "put it beside the application or mend its name"
        )
    if size == 0:
        raise refusal("file", f"the file '{value}' is empty", "save it again with its content")
    return path


Document = Annotated[Path, BeforeValidator(existing_file)]
Moment = Annotated[datetime, BeforeValidator(moment)]
Day = Annotated[date, BeforeValidator(day)]
Clock = Annotated[time, BeforeValidator(clock)]
Hours = Annotated[tuple[Clock, Clock], Field(strict=False)]
Zone = Annotated[str, AfterValidator(known_zone)]
Many = Annotated[tuple[Item, ...], Field(strict=False)]
Count = Annotated[int, Field(ge=0, le=10_000_000)]
Amount = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
