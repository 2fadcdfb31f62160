"""At which homes may the amplified sound be heard, and is it off at night?"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

from site_eval.case import Case, LayerData, daily_intervals
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, layer, role, value
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.sound import OPEN_WINDOW_DB, Level, Source, audibility, levels
from site_eval.units import MILE_FT, feet, metres

SEARCH_M = metres(3 * MILE_FT)
# A quiet bedroom at night in the country; the tool's own proposal, told in the finding.
BACKGROUND_DBA = 25.0
QUIET = (time(0, 0), time(7, 0))
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
    return [_at_homes(case, data, sources) for data in case.layers("residences", within_m=SEARCH_M)]


@check("noise", subjects=("noise.hours",), needs=[value("plan.amplification.hours")])
def off_at_night(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the amplified sound is off from midnight to seven.

    *Asks*: do the declared hours of amplification overlap 12:00 a.m. to 7:00 a.m.?
    *Measures*: minutes of overlap on each night, in the event's own time zone.
    *Judges*: none complies, any does not. Times in the plan are the applicant's word.
    *Cannot say*: what will be played.
    *Source*: the clause's own hours.
    """
    event = case.application.event
    if event.amplified is False:
        return [_no_amplifiers(case)]
    hours = list(case.value("plan.amplification.hours"))
    intervals = daily_intervals(event.starts, event.ends, hours)
    nights = [(night, minutes) for night in _nights(event.starts, event.ends)
              if (minutes := sum(_overlap_minutes(i, night) for i in intervals))]  # fmt: skip
    total = sum(minutes for _, minutes in nights)
    when = "; ".join(f"{minutes:.0f} minutes on {night[0].date()}" for night, minutes in nights)
    return [
        Answer(
            Verdict.DOES_NOT_COMPLY if total else Verdict.COMPLIES,
            f"The plan runs amplified sound between midnight and 7:00 a.m.: {when}."
            if total
            else "The plan has no amplified sound between midnight and 7:00 a.m.",
            question="Is amplified sound off from midnight to 7:00 a.m.?",
            measured=Measured(value=float(total), unit="minutes of amplified sound at night"),
            required=Required(
                value=0.0, unit="minutes", comparison="at-most", formula="off 00:00 to 07:00"
            ),
            sources=(case.declared,),
        )
    ]


def _at_homes(case: Case, data: LayerData, sources: list[Source]) -> Answer:
    """The homes within reach, ranked by level."""
    homes = [case.local(geometry).centroid for geometry in data.rows.geometry]
    if not homes:
        return Answer(
            Verdict.NEEDS_REVIEW,
            "The residences layer shows no home within three miles; loud sound can carry farther, "
            "and a layer may lack homes.",
            sources=(data.source,),
        )
    found = levels(sources, [(home.x, home.y) for home in homes])
    ranked = sorted(zip(found, homes, strict=True), key=lambda pair: -pair[0].dba)
    indoor = [level.dba - OPEN_WINDOW_DB for level, _ in ranked]
    audible = audibility(indoor, BACKGROUND_DBA)
    likely = int((audible == "likely-audible").sum())
    loudest = ranked[0][0]
    error = loudest.error_db
    return Answer(
        Verdict.NEEDS_REVIEW,
        f"Of {len(ranked)} homes within three miles, sound is likely audible indoors at {likely} "
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
            f"Indoors with an open window taken as {OPEN_WINDOW_DB:.0f} dB less, background as "
            f"{BACKGROUND_DBA:.0f} dBA (the tool's own proposals).",
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


def _nights(starts: datetime, ends: datetime) -> list[tuple[datetime, datetime]]:
    """The quiet hours of each calendar day of the event and of the day after it."""
    days = (ends.date() - starts.date()).days + 2
    return [
        (
            datetime.combine(starts.date() + timedelta(days=i), QUIET[0], tzinfo=starts.tzinfo),
            datetime.combine(starts.date() + timedelta(days=i), QUIET[1], tzinfo=starts.tzinfo),
        )
        for i in range(days)
    ]


def _overlap_minutes(
    interval: tuple[datetime, datetime], night: tuple[datetime, datetime]
) -> float:
    start, end = max(interval[0], night[0]), min(interval[1], night[1])
    return max(0.0, (end.timestamp() - start.timestamp()) / 60.0)
