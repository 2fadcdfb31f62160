"""The grounds that Section 9 asks about, each with the observations for it and against it.

Nothing here decides. A ground is a condition that was seen broken; the Board weighs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Literal

from inspect_web.inspection.checklist import contradictions, outcome_of
from inspect_web.inspection.compliance import BROKEN, Offences, Timeline, offences
from inspect_web.inspection.gaps import clock_jumps, spoken
from inspect_web.inspection.observation import Observation
from inspect_web.inspection.place import where
from site_eval.record.condition import LicenceTerms

Kind = Literal["not complied with", "met before and ceased", "disputed"]
CLOCK_IS_DOUBTFUL_S = 120.0


@dataclass(frozen=True)
class Ground:
    """A condition that was not complied with, or was met and ceased; for the Board to weigh."""

    kind: Kind
    line: Timeline
    supporting: tuple[Observation, ...]  # seen not met
    opposing: tuple[Observation, ...]  # seen met, or as not applicable
    offences: Offences
    notices: tuple[dict[str, Any], ...]
    waived: bool


@dataclass(frozen=True)
class Gap:
    """Something that the record does not show; printed so that nobody has to find it."""

    kind: str
    text: str
    observations: tuple[str, ...] = ()


def grounds(
    lines: Iterable[Timeline], terms: LicenceTerms, notices: Sequence[Mapping[str, Any]] = ()
) -> list[Ground]:
    """Every condition that was broken or disputed at some time, in the order of the checklist."""
    found = []
    for line in lines:
        states = {span.state for span in line.spans}
        if not states & (BROKEN | {"disputed"}) and not _broken_under_waiver(line):
            continue
        aside = {one.id for one, _ in line.set_aside}
        decisive = [o for o in line.seen if o.id not in aside]
        against = _ids_of(line, BROKEN | {"disputed"})
        found.append(
            Ground(
                kind=_kind(line),
                line=line,
                supporting=tuple(o for o in decisive if _is_against(line, o, against)),
                opposing=tuple(o for o in decisive if not _is_against(line, o, against)),
                offences=offences(line, terms),
                notices=tuple(dict(n) for n in notices if n.get("condition") == line.item.id),
                waived=line.state == "waived",
            )
        )
    return found


def gaps(
    lines: Sequence[Timeline],
    missing: Mapping[str, Sequence[tuple[int, int]]],
    site: dict[str, Any] | None,
    photos_missing: Iterable[str] = (),
    zone: tzinfo = UTC,
) -> list[Gap]:
    """What the record lacks: items that never came, stale spans, doubtful clocks and places.

    Times are told in *zone*. Conditions without any observation are told together.

    *missing* gives, for each device, the ranges of numbers that were never received.
    """
    found = [
        Gap("missing items", f"{device}: no. {spoken(numbers)} had not arrived")
        for device, numbers in sorted(missing.items())
        if numbers
    ]
    found += _photo_gaps(lines, photos_missing)
    unseen = [line.item.id for line in lines if line.state == "stale" and not line.seen]
    if unseen:
        text = f"{len(unseen)} conditions were due and no observation came: {', '.join(unseen)}"
        found.append(Gap("no observation", text))
    for line in lines:
        found += _gaps_of(line, site, zone)
    return found + _clock_gaps([one for line in lines for one in line.seen], zone)


def _kind(line: Timeline) -> Kind:
    if line.cessations:
        return "met before and ceased"
    return "not complied with" if any(s.state in BROKEN for s in line.spans) else "disputed"


def _ids_of(line: Timeline, states: Iterable[str]) -> frozenset[str]:
    wanted = set(states)
    return frozenset(i for span in line.spans if span.state in wanted for i in span.because)


def _is_against(line: Timeline, one: Observation, against: frozenset[str]) -> bool:
    return outcome_of(line.item, one) == "not-met" or (
        one.id in against and one.outcome == "not-met"
    )


def _broken_under_waiver(line: Timeline) -> bool:
    return bool(line.cessations) or any(
        o.outcome == "not-met" and not o.quarantined and not o.contested for o in line.seen
    )


def _gaps_of(line: Timeline, site: dict[str, Any] | None, zone: tzinfo) -> list[Gap]:
    name = f"{line.item.id} ({line.item.question})"
    found = [
        Gap(
            "stale",
            f"{name}: no observation for the time from {_told(span.begins, zone)} to {_told(span.ends, zone)}",
            span.because,
        )
        for span in line.spans
        if span.state == "stale" and line.seen
    ]
    found += [Gap("set aside", f"{name}: {why}", (one.id,)) for one, why in line.set_aside]
    found += [
        Gap(
            "doubtful clock", f"{name}: the time is known to ± {one.error_s:,.0f} s only", (one.id,)
        )
        for one in line.seen
        if one.error_s > CLOCK_IS_DOUBTFUL_S
    ]
    found += [
        Gap("number against answer", f"{name}: the number says otherwise", (one.id,))
        for one in contradictions({line.item.id: line.item}, line.seen)
    ]
    return found + _place_gaps(name, line.seen, site)


def _photo_gaps(lines: Iterable[Timeline], missing: Iterable[str]) -> list[Gap]:
    seen = [one for line in lines for one in line.seen]
    return [
        Gap(
            "missing photograph", f"{sha[:12]}… had not arrived whole",
            tuple(one.id for one in seen if sha in one.photos),
        )
        for sha in missing
    ]  # fmt: skip


def _clock_gaps(seen: Sequence[Observation], zone: tzinfo) -> list[Gap]:
    """Jumps of a phone's clock over all conditions, and the clocks that were far off."""
    found = [
        Gap("clock jump", f"a phone's clock ran back by {jump.back_by}", (jump.before, jump.after))
        for jump in clock_jumps(seen)
    ]
    off: dict[tuple[str, float], list[Observation]] = {}
    for one in seen:
        if abs(one.offset_s) > CLOCK_IS_DOUBTFUL_S:
            off.setdefault((one.author, one.offset_s), []).append(one)
    for (author, offset_s), own in sorted(off.items(), key=lambda pair: pair[0]):
        first = own[0].observed_at
        told = _told(first - timedelta(seconds=offset_s), zone)
        text = (
            f"the clock of {author}'s phone was {abs(offset_s):,.0f} s "
            f"{'fast' if offset_s < 0 else 'slow'}, as the phone itself measured against the "
            f"county's; its times are corrected ({told} became {_told(first, zone)})"
        )
        found.append(Gap("clock corrected", text, tuple(one.id for one in own)))
    return found


def _told(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def _place_gaps(name: str, seen: Iterable[Observation], site: dict[str, Any] | None) -> list[Gap]:
    found = []
    for one in seen:
        if one.place is None:
            found.append(Gap("no place", f"{name}: recorded without a position", (one.id,)))
        elif site is not None and (answer := where(one.place, site)) != "inside":
            said = "outside the licensed land" if answer == "outside" else "undecided place"
            radius = one.place.accuracy_mm / 1000
            found.append(Gap(said, f"{name}: position known to {radius:,.0f} m", (one.id,)))
    return found
