"""Does the layout map what the application has to give the location of?"""

from __future__ import annotations

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check
from site_eval.engine.words import listed
from site_eval.ordinance.clause import Clause
from site_eval.record.verdict import Verdict

# By subject: what has to be located, each with the roles that any one of answers.
WANTED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "application.water": (("water outlets", ("drinking_water",)),),
    "application.toilets": (
        ("toilets", ("toilet", "toilet_female", "toilet_male")),
        ("places to wash hands", ("handwash",)),
    ),
    "application.medical": (("the medical structure", ("medical",)),),
    "application.lighting": (("lamps", ("light",)),),
    "application.parking": (
        ("parking lots", ("parking",)),
        ("points of highway access", ("public_entrance", "public_exit")),
        ("interior roads", ("road", "fire_lane")),
    ),
    "application.telephones": (("telephones", ("telephone",)),),
    "application.camping": (("camping facilities", ("camping",)),),
    "application.fire": (
        ("fire extinguishers", ("fire_extinguisher",)),
        ("fire alarms", ("fire_alarm",)),
    ),
}


@check("application-contents", subjects=tuple(WANTED))
def locations(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the layout maps what the clause wants the location of.

    *Asks*: is each kind of thing whose location the clause asks for mapped at least once?
    *Measures*: features of the roles on the layout.
    *Judges*: all mapped complies, the clause asking only for a plan; one that is missing may stand
    in the plan's own papers, which is for a person to see.
    *Cannot say*: whether the things are where the map says.
    *Source*: the clause; the roles of the layout.
    """
    if clause.subject == "application.camping" and not case.value("plan.camping.on_site"):
        return []
    if clause.subject == "application.lighting" and not case.basis.flags.get("dark", True):
        return []
    wanted = WANTED[clause.subject]
    mapped = [(what, case.features(*roles)) for what, roles in wanted]
    missing = [what for what, features in mapped if not features]
    question = f"Does the layout give the location of {listed(what for what, _ in wanted)}?"
    if missing:
        statement = f"The layout does not map {listed(missing)}."
        reasons = ("The plan's own papers may show the location; a person has to look.",)
        return [Answer(Verdict.NEEDS_REVIEW, statement, question, reasons=reasons,
                       sources=(case.layout.source,))]  # fmt: skip
    counts = [f"{len(features)} for {what}" for what, features in mapped]
    return [
        Answer(
            Verdict.COMPLIES,
            f"Places on the layout: {listed(counts)}.",
            question,
            sources=(case.layout.source,),
            evidence=tuple(
                Evidence(feature.geometry, feature.name or feature.role, "located")
                for _, features in mapped
                for feature in features
            ),
        )
    ]
