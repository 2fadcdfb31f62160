"""At which homes may the amplified sound be heard, and is it off in the quiet hours?"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from site_eval.case import Case, LayerData
from site_eval.crowd import daily_intervals
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer, role, value
from site_eval.ordinance.clause import Clause
from site_eval.ordinance.requirement import Schedule
from site_eval.ordinance.words import clock
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.sound import Level, Source, audibility, levels
from site_eval.units import MILE_FT, feet, metres

SHOWN = 10


@check(
    "noise",
    subjects=("noise.residence",),
    needs=[layer("residences"), role("loudspeaker")],
)
def audible_at_homes(case: Case, clause: Clause) -> list[Answer]:
    """Ask at which homes the amplified sound may be plainly audible indoors.

    *Asks*: what level do the loudspeakers give at each home within three miles?
    *Measures*: octave bands by ISO 9613-2 from the declared level at its distance; less 15 dB for
    an open window; beside it the level by spreading alone.
    *Judges*: a screen only. "Plainly audible" has no number and no distance clears a loudspeaker:
    at best the sound is not predicted audible, which is for review, never compliance.
    *Cannot say*: wind, temperature layers, hills and walls; what a listener hears.
    *Source*: ISO 9613-2; the residences layer.
    """
    if case.application.event.amplified is False:
        return [_no_amplifiers(case)]
    sources = _sources(case)
    if not sources:
        return [
            Answer(
                Verdict.NOT_DETERMINED,
                "No loudspeaker states sound_level_dba and reference_distance_ft, nor does "
                "plan.amplification; add both.",
            )
        ]
    search_m = metres(case.profile.sound.search_miles * MILE_FT)
    return [_at_homes(case, data, sources) for data in case.layers("residences", within_m=search_m)]


@check("noise", subjects=("noise.hours",), needs=[value("plan.amplification.hours")])
def off_at_night(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the amplified sound is off in the clause's quiet hours.

    *Asks*: do the declared hours of amplification overlap the hours that the clause closes?
    *Measures*: minutes of overlap on each night, in the event's own time zone.
    *Judges*: none complies, any does not. Times in the plan are the applicant's word.
    *Cannot say*: what will be played.
    *Source*: the clause's own hours.
    """
    event = case.application.event
    if event.amplified is False:
        return [_no_amplifiers(case)]
    if not isinstance(clause.requires, Schedule) or clause.requires.closed is None:
        return [Answer(Verdict.NOT_DETERMINED, "The clause states no closed hours.")]
    quiet = clause.requires.closed
    between = f"between {clock(quiet[0])} and {clock(quiet[1])}"
    hours = list(case.value("plan.amplification.hours"))
    intervals = daily_intervals(event.starts, event.ends, hours)
    nights = [(night, minutes) for night in _nights(event.starts, event.ends, quiet)
              if (minutes := sum(_overlap_minutes(i, night) for i in intervals))]  # fmt: skip
    total = sum(minutes for _, minutes in nights)
    when = "; ".join(f"{minutes:.0f} minutes on {night[0].date()}" for night, minutes in nights)
    return [
        Answer(
            Verdict.DOES_NOT_COMPLY if total else Verdict.COMPLIES,
            f"The plan runs amplified sound {between}: {when}."
            if total
            else f"The plan has no amplified sound {between}.",
            measured=Measured(value=float(total), unit="minutes of amplified sound at night"),
            required=Required(
                value=0.0, unit="minutes", comparison="at-most", formula=clause.requires.describe()
            ),
            sources=(case.declared,),
        )
    ]


def _at_homes(case: Case, data: LayerData, sources: list[Source]) -> Answer:
    """The homes within reach, ranked by level."""
    figures = case.profile.sound
    within = f"{figures.search_miles:g} miles"
    homes = [case.local(geometry).centroid for geometry in data.rows.geometry]
    if not homes and not data.reaches(case.land.geometry):
        return Answer(Verdict.NOT_DETERMINED, data.silent(), sources=(data.source,))
    if not homes:
        return Answer(
            Verdict.NEEDS_REVIEW,
            f"The residences layer shows no home within {within}; loud sound can carry farther, "
            "and a layer may lack homes.",
            sources=(data.source,),
        )
    found = levels(sources, [(home.x, home.y) for home in homes])
    ranked = sorted(zip(found, homes, strict=True), key=lambda pair: -pair[0].dba)
    indoor = [level.dba - figures.open_window_db for level, _ in ranked]
    audible = audibility(indoor, figures.background_dba)
    likely = int((audible == "likely-audible").sum())
    loudest = ranked[0][0]
    error = loudest.error_db
    return Answer(
        Verdict.NEEDS_REVIEW,
        f"Of {len(ranked)} homes within {within}, sound is likely audible indoors at {likely} "
        f"with a window open. The loudest gets about {loudest.dba:.0f} dBA outdoors at "
        f"{feet(loudest.distance_m):,.0f} ft.",
        question="Is amplified sound plainly audible within any residence?",
        measured=Measured(
            value=round(loudest.dba, 1),
            unit="dBA outdoors at the loudest home",
            low=round(loudest.dba - error, 1) if error else None,
            high=round(loudest.dba + error, 1) if error else None,
        ),
        reasons=(
            "'Plainly audible' has no number in the text: a listener decides, this is a screen.",
            f"Indoors with an open window taken as {figures.open_window_db:.0f} dB less, background as "
            f"{figures.background_dba:.0f} dBA ({figures.source}).",
            f"By spreading alone the loudest home would get {loudest.spherical_dba:.0f} dBA.",
        ),
        sources=(data.source, case.declared),
        evidence=tuple(
            Evidence(case.geographic(home), _label(level, word), "home")
            for (level, home), word in list(zip(ranked, audible, strict=True))[:SHOWN]
        ),
    )


def _label(level: Level, word: Any) -> str:
    return f"Home: {level.dba:.0f} dBA outdoors, {str(word).replace('-', ' ')} indoors"


def _sources(case: Case) -> list[Source]:
    """Each loudspeaker with its own declared level, or else the plan's."""
    found = []
    for feature in case.features("loudspeaker"):
        level = feature.properties.get("sound_level_dba") or case.value(
            "plan.amplification.sound_level_dba"
        )
        reference_ft = feature.properties.get("reference_distance_ft") or case.value(
            "plan.amplification.reference_distance_ft"
        )
        if level and reference_ft:
            point = case.local(feature.geometry).centroid
            found.append(Source(point.x, point.y, float(level), metres(reference_ft)))
    return found


def _no_amplifiers(case: Case) -> Answer:
    return Answer(
        Verdict.NOT_APPLICABLE,
        "The application says that no amplification devices are used.",
        sources=(case.declared,),
    )


def _nights(
    starts: datetime, ends: datetime, quiet: tuple[float, float]
) -> list[tuple[datetime, datetime]]:
    """The quiet hours (0 to 24) from the day before the event to the day after it."""
    days = (ends.date() - starts.date()).days + 3
    first = starts.date() - timedelta(days=1)
    to_next_day = 0 if quiet[1] > quiet[0] else 1
    return [
        (
            _at(first + timedelta(days=n), quiet[0], starts),
            _at(first + timedelta(days=n + to_next_day), quiet[1], starts),
        )
        for n in range(days)
    ]


def _at(day: date, hour: float, like: datetime) -> datetime:
    """The instant at an hour of the day (24 is the next midnight) in the zone of *like*."""
    midnight = datetime.combine(day, time(0, 0))
    return (midnight + timedelta(hours=hour)).replace(tzinfo=like.tzinfo)


def _overlap_minutes(
    interval: tuple[datetime, datetime], night: tuple[datetime, datetime]
) -> float:
    start, end = max(interval[0], night[0]), min(interval[1], night[1])
    return max(0.0, (end.timestamp() - start.timestamp()) / 60.0)
