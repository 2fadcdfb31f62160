"""The questions that a printed map answers, and what each of them draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from site_eval.errors import OutputError
from site_eval.record.evaluation import Evaluation
from site_eval.reports.places import (
    Place,
    Shown,
    context_places,
    layout_places,
    shown_places,
)
from site_eval.reports.symbols import ROLES

Extent = Literal["site", "evidence", "county"]

_GATES = ("emergency_entrance", "emergency_exit", "public_entrance", "public_exit", "gate")
_WAYS = ("public_road", "road", "fire_lane")
# What people look for on a plan; lamps, extinguishers, waste and the like are on their own maps.
_SERVICES = (
    "toilet_female",
    "toilet_male",
    "toilet",
    "drinking_water",
    "shower",
    "water_tank",
    "medical",
    "ambulance",
    "telephone",
    "food",
    "loudspeaker",
    "security_post",
)
_AREAS = ("parking", "parking_overflow", "camping", "assembly_area", "stage", "structure")


@dataclass(frozen=True)
class Topic:
    """One map: the layout's roles, the surroundings' layers and the checks' evidence it draws.

    ``part`` is the part of the packet that it goes to; ``extent`` is what its window holds.
    """

    id: str
    title: str
    question: str
    part: str
    extent: Extent
    roles: tuple[str, ...]
    layers: tuple[str, ...]
    checks: tuple[str, ...] = ()
    needs_evidence: bool = True


TOPICS: tuple[Topic, ...] = (
    Topic(
        "site-plan",
        "Site plan",
        "What is planned, and where?",
        "site",
        "site",
        (*_AREAS, *_WAYS, *_GATES, *_SERVICES, "fence", "obstacle"),
        ("plss_section", "parcels", "roads", "residences"),
        needs_evidence=False,
    ),
    Topic(
        "vicinity",
        "Vicinity",
        "Where in the county is the site?",
        "site",
        "county",
        (),
        ("county", "places", "roads", "stations", "fire_districts"),
        needs_evidence=False,
    ),
    Topic(
        "jurisdiction",
        "Jurisdiction",
        "Is the land in the county and outside every city?",
        "location",
        "evidence",
        (),
        ("county", "places", "plss_section", "roads"),
        ("jurisdiction", "applicability"),
    ),
    Topic(
        "wildfire",
        "Wildfire",
        "How prone to wildfire are the site and the land around it?",
        "location",
        "evidence",
        (*_WAYS, "camping", "assembly_area"),
        ("wildfire", "roads", "plss_section", "residences", "stations"),
        ("wildfire",),
    ),
    Topic(
        "terrain",
        "Flood and terrain",
        "Is the ground wet, steep or otherwise dangerous?",
        "location",
        "evidence",
        (*_AREAS, *_WAYS),
        ("flood", "roads", "plss_section"),
        ("flood", "terrain"),
    ),
    Topic(
        "health",
        "Water, toilets, waste and medical care",
        "Are they where people need them?",
        "health",
        "site",
        (
            *_AREAS,
            "toilet_female",
            "toilet_male",
            "toilet",
            "handwash",
            "drinking_water",
            "shower",
            "water_tank",
            "waste",
            "food",
            "medical",
            "ambulance",
        ),
        ("roads",),
        ("drinking-water", "bathing-water", "toilets", "solid-waste", "emergency-medical"),
    ),
    Topic(
        "access",
        "Parking and emergency access",
        "Can cars park, and can an ambulance get in and out?",
        "access",
        "site",
        (*_AREAS, *_WAYS, *_GATES, "fence", "obstacle"),
        ("roads", "plss_section"),
        ("parking", "emergency-access", "traffic-dust"),
    ),
    Topic(
        "safety",
        "Safety",
        "Where are light, guards, telephones and fire protection?",
        "safety",
        "site",
        (
            *_AREAS,
            *_WAYS,
            "light",
            "security_post",
            "telephone",
            "fire_extinguisher",
            "fire_alarm",
            "water_tank",
        ),
        ("roads",),
        ("fire-protection", "security", "lighting", "telephones"),
    ),
    Topic(
        "noise",
        "Noise and light beyond the site",
        "How far do sound and light carry, and who lives there?",
        "neighbours",
        "evidence",
        ("stage", "loudspeaker", "assembly_area", "camping"),
        ("residences", "roads", "plss_section", "places"),
        ("noise", "camping"),
    ),
)


@dataclass(frozen=True)
class Drawn:
    """What a map of one topic draws, of one evaluation."""

    topic: Topic
    layout: tuple[Place, ...]
    context: tuple[Place, ...]
    evidence: tuple[Shown, ...]


def topic_named(topic_id: str) -> Topic:
    """The topic with this id; raises ``OutputError`` naming those that there are."""
    for topic in TOPICS:
        if topic.id == topic_id:
            return topic
    known = ", ".join(topic.id for topic in TOPICS)
    raise OutputError(f"map {topic_id!r}", "there is no such map", f"name one of {known}")


def drawn(evaluation: Evaluation, topic: Topic) -> Drawn:
    """The features that the topic's map draws."""
    return Drawn(
        topic,
        tuple(p for p in layout_places(evaluation) if p.kind in topic.roles or _unlisted(p, topic)),
        tuple(context_places(evaluation, topic.layers)),
        tuple(shown_places(evaluation, topic.checks)),
    )


def _unlisted(place: Place, topic: Topic) -> bool:
    """A role of no list is drawn on the site plan, so that no map leaves it out."""
    return topic.id == "site-plan" and place.kind not in ROLES


def worth_drawing(evaluation: Evaluation) -> list[Topic]:
    """The topics that have something to show: the site plan always, the others with evidence."""
    pointing = {f.check for f in evaluation.findings if f.evidence.get("features")}
    return [t for t in TOPICS if not t.needs_evidence or pointing.intersection(t.checks)]
