"""A rich evaluation to draw reports from: a real tract (PN20409), a fictional plan and findings.

The outline of the tract, of the county and of the city are literal coordinates of public records
(Idaho Department of Lands 2023-06, cb_2016_us_county_500k, TIGER/Line 2019), the last two thinned.
"""

from __future__ import annotations

from typing import Any

import shapely

from site_eval.record.condition import Cadence, Checklist, ChecklistItem, LicenceTerms
from site_eval.record.evaluation import (
    Description,
    Evaluation,
    InputFile,
    OrdinanceReference,
    Site,
    Tool,
    summarise,
)
from site_eval.record.measure import Required
from tests.reports.findings_sample import scope_findings, site_findings
from tests.reports.sample_parts import (
    COUNTIES,
    COUNTY,
    EMMETT,
    PLACES,
    SAMPLE_TEXT,
    SITE,
    TRACTS,
    clause_,
    collection,
    feature,
    geo,
    local,
)

# role, name, properties, shape in metres from the centre of the tract
LAYOUT: list[tuple[str, str, dict[str, Any], Any]] = [
    ("parking", "Lot A", {"spaces": 420, "surface": "grass"}, ("box", -395, -195, -150, -30)),
    ("parking", "Lot B", {"spaces": 150, "surface": "gravel"}, ("box", -140, -195, 60, -115)),
    ("parking_overflow", "Overflow lot", {"spaces": 120}, ("box", 190, -195, 392, -120)),
    ("camping", "North campground", {"spaces": 280}, ("box", 130, 35, 392, 192)),
    ("assembly_area", "Main lawn", {}, ("box", -170, 40, 80, 165)),
    ("stage", "Main stage", {"width_ft": 60}, ("box", -60, 168, -25, 186)),
    ("loudspeaker", "Left array", {"sound_level_dba": 102}, ("point", -64, 166)),
    ("loudspeaker", "Right array", {"sound_level_dba": 102}, ("point", -20, 166)),
    ("public_road", "Sand Hollow Road", {"width_ft": 24}, ("line", -420, -214, 420, -214)),
    ("road", "West drive", {"width_ft": 20}, ("line", -145, -214, -145, -20, -395, -20)),
    ("road", "Campground loop", {"width_ft": 20}, ("line", 100, -110, 100, 20, 390, 20)),
    ("fire_lane", "Cross lane", {"width_ft": 20}, ("line", -402, 8, 402, 8)),
    ("fire_lane", "Stage lane", {"width_ft": 20}, ("line", 90, 8, 90, 190)),
    ("emergency_entrance", "West emergency gate", {"width_ft": 20}, ("point", -402, 8)),
    ("emergency_exit", "East emergency gate", {"width_ft": 20}, ("point", 402, 8)),
    ("public_entrance", "Main gate", {"width_ft": 24}, ("point", -145, -200)),
    ("public_exit", "Exit gate", {"width_ft": 24}, ("point", 100, -200)),
    ("toilet_female", "West bank, women", {"count": 3}, ("point", -185, 120)),
    ("toilet_female", "Camp bank, women", {"count": 2}, ("point", 120, 110)),
    ("toilet_male", "West bank, men", {"count": 2}, ("point", -185, 105)),
    ("toilet_male", "Camp bank, men", {"count": 2}, ("point", 120, 95)),
    ("toilet", "Accessible units", {"count": 3}, ("point", -185, 90)),
    ("handwash", "Wash station west", {"count": 6}, ("point", -196, 112)),
    ("handwash", "Wash station camp", {"count": 4}, ("point", 110, 102)),
    ("drinking_water", "Fountain 1", {"count": 4}, ("point", -120, 30)),
    ("drinking_water", "Fountain 2", {"count": 4}, ("point", 60, 30)),
    ("drinking_water", "Camp taps", {"count": 6}, ("point", 260, 110)),
    ("shower", "Shower trailer", {"count": 8}, ("point", 300, 60)),
    ("water_tank", "Water tank", {"gallons": 30000}, ("point", 380, -60)),
    ("medical", "Medical tent", {}, ("box", -215, 30, -200, 42)),
    ("ambulance", "Ambulance stand", {"count": 1}, ("point", -222, 22)),
    ("telephone", "Telephone at gate", {"count": 1}, ("point", -130, -100)),
    ("telephone", "Telephone at camp", {"count": 1}, ("point", 140, 25)),
    ("light", "Tower 1", {"lumens": 110000, "mount_height_ft": 25}, ("point", -160, 160)),
    ("light", "Tower 2", {"lumens": 110000, "mount_height_ft": 25}, ("point", 70, 160)),
    ("light", "Tower 3", {"lumens": 110000, "mount_height_ft": 25}, ("point", -160, 50)),
    ("light", "Tower 4", {"lumens": 110000, "mount_height_ft": 25}, ("point", 70, 50)),
    ("waste", "Dumpsters", {"count": 6}, ("point", -240, -10)),
    ("waste", "Camp dumpsters", {"count": 4}, ("point", 385, 30)),
    ("food", "Food row", {"count": 12}, ("line", -160, 22, 60, 22)),
    ("security_post", "Gate post", {"count": 3}, ("point", -155, -180)),
    ("security_post", "Stage post", {"count": 4}, ("point", -42, 160)),
    ("security_post", "Camp post", {"count": 3}, ("point", 135, 180)),
    ("fire_extinguisher", "Stage extinguishers", {"count": 4}, ("point", -75, 178)),
    ("fire_extinguisher", "Food row extinguishers", {"count": 6}, ("point", -50, 16)),
    ("fire_alarm", "Alarm horn", {"count": 1}, ("point", -42, 190)),
    ("structure", "Ticket office", {}, ("box", -165, -95, -150, -80)),
    ("fence", "North fence", {}, ("line", -400, 198, 400, 198)),
]

# layer, label, source, geometry
CONTEXT: list[tuple[str, str, str, Any]] = [
    ("county", "Gem County", COUNTIES.name, shapely.Polygon(COUNTY)),
    ("places", "Emmett", PLACES.name, shapely.Polygon(EMMETT)),
    *[
        (
            "plss_section",
            f"Sec. {number}",
            "PLSS grid, control-adjusted",
            local("box", x, y, x + 1609.3, y + 1609.3),
        )
        for number, x, y in [
            (22, -1206, -1006), (21, -2815, -1006), (23, 403, -1006),
            (15, -1206, 603), (27, -1206, -2615), (14, 403, 603),
            (16, -2815, 603), (26, 403, -2615), (28, -2815, -2615),
        ]
    ],
    ("roads", "Sand Hollow Road", "Example roads", local("line", -3000, -214, 3000, -214)),
    ("residences", "House on Sand Hollow Road", "Example homes", local("point", 900, -320)),
    ("residences", "Ranch house", "Example homes", local("point", -1400, 500)),
    ("residences", "House by the canal", "Example homes", local("point", 300, -1200)),
]  # fmt: skip


def checklist() -> Checklist:
    """A checklist with one item that has a threshold and one that has none."""
    clause = clause_("5.2.c", "Section 5, Parking", "at least one parking space for every four")
    item = ChecklistItem(
        id="K1",
        clause=clause,
        subject="parking.spaces",
        question="How many usable parking spaces are inside the grounds?",
        agency="road-director",
        agency_named_in_text=False,
        phases=["before", "gate-open"],
        cadences=[Cadence(kind="once"), Cadence(kind="interval", minutes=240)],
        answer="count",
        unit="stall",
        threshold=Required(value=600, unit="stall", formula="ceil(2,400 / 4) = 600 stalls"),
        evidence=["count", "photograph"],
    )
    plain = item.model_copy(update={"id": "P2", "threshold": None, "answer": "yes-no"})
    return Checklist(
        ordinance_id="gem-county-id-2015-04",
        ordinance_citation="Gem County Ordinance 2015-04",
        jurisdiction="Gem County, Idaho",
        terms=LicenceTerms(
            event="Sand Hollow Harvest Festival",
            starts="2027-06-19T10:00:00-06:00",
            ends="2027-06-20T18:00:00-06:00",
            time_zone="America/Boise",
            maximum=2400,
            female=1250,
            male=1150,
            overnight=1400,
        ),
        items=[item, plain],
    )


APPLICATION: dict[str, Any] = {
    "event": {
        "name": "Sand Hollow Harvest Festival",
        "purpose": "Music and food of the harvest",
        "starts": "2027-06-19T10:00:00-06:00",
        "ends": "2027-06-20T18:00:00-06:00",
        "nature": "fair",
        "overnight": True,
        "amplified": True,
        "alcohol": True,
    },
    "attendance": {"maximum": 2400, "female": 1250, "male": 1150, "overnight": 1400},
    "applicant": {"kind": "corporation", "name": "Sand Hollow Events LLC", "signed": True},
    "land": [{"description": SAMPLE_TEXT}],
    "approval": [
        {
            "agency": "health-district",
            "subject": "health",
            "date": "2027-02-20",
            "file": "swdh.pdf",
        },
        {"agency": "sheriff", "subject": "security", "date": "2027-02-24", "file": "sheriff.pdf"},
    ],
    "filing": {"received": "2027-03-02", "fee_paid": True, "board_meeting": "2027-04-26"},
}


def sample() -> Evaluation:
    """The whole evaluation."""
    found = [*scope_findings(), *site_findings()]
    return Evaluation(
        tool=Tool(name="site-eval", version="0.1.0"),
        generated_at="2027-04-15T16:00:00+00:00",
        as_of="2027-04-15",
        inputs=[
            InputFile(path="application.toml", sha256="ab" * 32),
            InputFile(path="layout.geojson", sha256="cd" * 32),
        ],
        ordinance=OrdinanceReference(
            id="gem-county-id-2015-04",
            citation="Gem County Ordinance 2015-04",
            jurisdiction="Gem County, Idaho",
        ),
        application=APPLICATION,
        site=Site(
            geometry=geo(SITE),
            area_acres=80.287,
            area_acres_sd=0.42,
            position_uncertainty_m=14.2,
            method="control-adjusted-grid",
            description=Description(
                text=SAMPLE_TEXT,
                understood="S½NE¼ Sec. 22, T. 7 N., R. 3 W., Boise Meridian",
                warnings=["The county's own survey of the section corners was not at hand."],
            ),
            sources=[TRACTS],
        ),
        layout=collection(
            [
                feature(local(*where), role=role, name=name, **properties)
                for role, name, properties, where in LAYOUT
            ]
        ),
        context=collection(
            [
                feature(where, layer=layer, label=label, source=source)
                for layer, label, source, where in CONTEXT
            ]
        ),
        findings=found,
        on_site_only=["10.3"],
        checklist=checklist(),
        summary=summarise(found),
    )
