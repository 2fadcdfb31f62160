"""The findings of the sample evaluation, as a table of plain facts."""

from __future__ import annotations

from site_eval.record.finding import Finding
from tests.reports.sample_parts import (
    BAD,
    COUNTIES,
    FIRE,
    NOT,
    OK,
    PLACES,
    PLAN,
    REVIEW,
    TRACTS,
    UNKNOWN,
    finding_,
    local,
)

S4 = "Section 4, Location of Event"
HEALTH = "Section 5, Health Requirements"


def scope_findings() -> list[Finding]:
    return [
        finding_(
            "applicability",
            ("4.1", "Section 4, License Required", "three hundred fifty (350) or more people"),
            OK,
            "Does this assembly need a licence?",
            "2,400 people are expected and staff are counted among them, which is 350 or more; "
            "no exception fits, so a licence is needed.",
            measured=(2400, "person"),
            required=(350, "person", "at-least", "350 or more people"),
            agency="coordinator",
        ),
        finding_(
            "filing-period",
            ("6.1", "Section 6, Filing Period", "at least sixty (60) days in advance"),
            OK,
            "Was the application filed in time?",
            "Received on 2027-03-02, 109 days before the first arrival on 2027-06-19.",
            measured=(109, "day"),
            required=(60, "day", "at-least", "60 days before the assembly"),
            agency="coordinator",
        ),
        finding_(
            "jurisdiction",
            (
                "4.5.b",
                "Section 4, Exceptions",
                "nor to assemblies within any incorporated municipality",
            ),
            OK,
            "Is the land inside the county and outside every incorporated municipality?",
            "The whole site lies in the county; the nearest incorporated place, Emmett, is "
            "14.6 km away, far beyond the 14 m to which the boundary is known.",
            measured=(14610, "m", 14580, 14640),
            sources=(PLACES, COUNTIES, TRACTS),
            evidence=(
                ("Nearest point of Emmett", "nearest", local("line", 403, -203, 12900, -7100)),
            ),
        ),
        finding_(
            "wildfire",
            ("4.4", S4, "hazardous, highly prone to wildfire, dangerous or detrimental"),
            REVIEW,
            "Is the location highly prone to wildfire?",
            "62 % of the site and of the 300 ft around it is in the classes high and very high; "
            "provisions are declared (mowing to 4 inches, two water tenders, no open flame), and "
            "whether they are appropriate is for the fire district and the Board.",
            measured=(0.62, "share", 0.55, 0.68),
            reasons=(
                "A deciding layer is illustrative: made up for demonstration.",
                "The text reads 'three hundred (350)'; 350 is taken, as everywhere else.",
            ),
            agency="fire-district",
            sources=(FIRE,),
            evidence=(
                ("High", "wildfire-high", local("box", -402, -203, 40, 60)),
                ("Very high", "wildfire-very-high", local("box", 40, 60, 402, 203)),
            ),
        ),
        finding_(
            "flood",
            ("4.4", S4, "hazardous"),
            UNKNOWN,
            "Is any part of the site in a flood hazard area?",
            "No flood layer is in the catalog; fetch the National Flood Hazard Layer with "
            "'site-eval layers fetch flood'.",
            sources=(),
        ),
        finding_(
            "capacity",
            (
                "5.1",
                "Section 5, Number of Persons",
                "the maximum number that can reasonably assemble",
            ),
            REVIEW,
            "Can 2,400 persons reasonably assemble here?",
            "By area 21,800 persons fit on the assembly area; parking binds first, at 2,280.",
            measured=(2280, "person"),
            required=(2400, "person", "at-least", "the number applied for"),
            reasons=("The text gives no density; the binding limit is shown.",),
            agency="board",
            evidence=(("Assembly area, 3.1 ha", "assembly", local("box", -170, 40, 80, 165)),),
        ),
        finding_(
            "ownership",
            ("6.3.c", "Section 6, Contents (c)", "Proof of Ownership of all property"),
            BAD,
            "Is the owner's consent or a proof of ownership with the application?",
            "Missing from the application: proof of ownership, or the record owner's sworn statement.",
            agency="coordinator",
        ),
        *[
            finding_(
                "application-contents",
                (f"6.3.{letter}", f"Section 6, Contents ({letter})", quote),
                verdict,
                f"Does the application contain {subject}?",
                statement,
                agency="coordinator",
            )
            for letter, quote, subject, verdict, statement in [
                ("a", "name, age, residence and mailing address", "who signs", OK, "Stated."),
                ("d", "The nature or purpose of the assembly", "the purpose", OK, "Stated."),
                ("g", "maximum number of tickets", "the number of tickets", OK, "2,300 tickets."),
                ("h", "plans of the applicant to limit", "the admission plan", BAD, "Missing."),
                (
                    "s",
                    "plans for food concessions",
                    "the concessionaires",
                    REVIEW,
                    "Two without permit.",
                ),
            ]
        ],
    ]


def site_findings() -> list[Finding]:
    return [
        finding_(
            "drinking-water",
            ("5.2.a.1", f"{HEALTH}, Water", "at least one gallon per person per day"),
            OK,
            "Is there enough drinking water?",
            "6,000 gallons a day are planned from a 30,000-gallon tank.",
            measured=(6000, "gal/day"),
            required=(2400, "gal/day", "at-least", "1 gal x 2,400 persons = 2,400 gal/day"),
            agency="health-district",
            evidence=(("Water tank", "water", local("point", 380, -60)),),
        ),
        finding_(
            "bathing-water",
            ("5.2.a.1", f"{HEALTH}, Water", "at least ten (10) gallons per person per day"),
            BAD,
            "Is there enough water for bathing?",
            "9,000 gallons a day are planned; the text asks 24,000 and has no exception for those "
            "who do not stay overnight. Only the Board can say whether less is enough.",
            measured=(9000, "gal/day"),
            required=(24000, "gal/day", "at-least", "10 gal x 2,400 persons = 24,000 gal/day"),
            reasons=("Read literally: every person, every day.",),
            agency="health-district",
        ),
        finding_(
            "toilets",
            ("5.2.a.2", f"{HEALTH}, Toilets", "one toilet for every three hundred (300) females"),
            OK,
            "Are there enough toilets for women?",
            "5 enclosed toilets for 1,250 women.",
            measured=(5, "toilet"),
            required=(5, "toilet", "at-least", "ceil(1,250 / 300) = 5 toilets"),
            agency="health-district",
            evidence=(
                ("West bank, women", "toilet", local("point", -185, 120)),
                ("Camp bank, women", "toilet", local("point", 120, 110)),
            ),
        ),
        finding_(
            "toilets",
            ("5.2.a.2", f"{HEALTH}, Toilets", "one toilet for every three hundred (300) males"),
            OK,
            "Are there enough toilets for men?",
            "4 enclosed toilets for 1,150 men.",
            measured=(4, "toilet"),
            required=(4, "toilet", "at-least", "ceil(1,150 / 300) = 4 toilets"),
            agency="health-district",
        ),
        finding_(
            "solid-waste",
            ("5.2.a.3", f"{HEALTH}, Solid Waste", "two and one-half (2 ½) pounds"),
            OK,
            "Can the solid waste be held and hauled?",
            "7,000 pounds a day are planned.",
            measured=(7000, "lb/day"),
            required=(6000, "lb/day", "at-least", "2.5 lb x 2,400 persons = 6,000 lb/day"),
            agency="health-district",
        ),
        finding_(
            "emergency-medical",
            ("5.2.a.4", f"{HEALTH}, EMT", "at least one EMT or paramedic for every two thousand"),
            OK,
            "Are enough EMTs or paramedics on duty?",
            "2 are on duty at every hour.",
            measured=(2, "EMT"),
            required=(1, "EMT", "at-least", "max(1, ceil(2,400 / 2,500)) = 1"),
            agency="health-district",
        ),
        finding_(
            "lighting",
            ("5.2.b", "Section 5, Lighting", "at least five (5) foot-candles"),
            REVIEW,
            "Is the central area lit to 5 foot-candles after dark?",
            "The model gives 1.8 foot-candles at the darkest point of the main lawn and 7.4 on average.",
            measured=(1.8, "fc", 1.2, 2.5),
            required=(5, "fc", "at-least", "5 foot-candles"),
            reasons=(
                "The text says neither minimum nor average.",
                "Luminaires have no photometric file.",
            ),
            evidence=(("Darkest point, 1.8 fc", "dark", local("point", -45, 100)),),
        ),
        finding_(
            "parking",
            (
                "5.2.c",
                "Section 5, Parking",
                "at least one parking space for every four (4) persons",
            ),
            BAD,
            "Are there enough parking spaces inside the grounds?",
            "570 spaces are laid out inside the grounds, 30 fewer than asked; the overflow lot's 120 "
            "count only if the sheriff takes them as part of the grounds.",
            measured=(570, "stall"),
            required=(600, "stall", "at-least", "ceil(2,400 persons / 4) = 600 stalls"),
            reasons=("Persons counts staff too (the strict reading).",),
            agency="sheriff",
            evidence=(
                ("Lot A: 420 stalls", "parking", local("box", -395, -195, -150, -30)),
                ("Lot B: 150 stalls", "parking", local("box", -140, -195, 60, -115)),
            ),
        ),
        finding_(
            "emergency-access",
            ("5.2.h", "Section 5, Traffic Control", "an emergency entrance and exit"),
            OK,
            "Are there an emergency entrance and an emergency exit?",
            "West gate and east gate lie on the boundary, 2,638 ft apart, joined by a 20 ft lane.",
            measured=(20, "ft"),
            required=(20, "ft", "at-least", "20 ft clear width"),
            agency="fire-district",
            evidence=(
                ("Route from gate to gate, 2,638 ft", "route", local("line", -402, 8, 402, 8)),
                ("West emergency gate", "gate", local("point", -402, 8)),
                ("East emergency gate", "gate", local("point", 402, 8)),
            ),
        ),
        finding_(
            "traffic-dust",
            ("5.2.h", "Section 5, Traffic Control", "set forth in a written plan"),
            UNKNOWN,
            "Is the traffic and dust plan approved by the road and bridge director?",
            "The plan is with the application; the director's approval is not.",
            agency="road-director",
        ),
        finding_(
            "telephones",
            ("5.2.d", "Section 5, Telephones", "land line or satellite telephone service"),
            OK,
            "Is there telephone service by land line or satellite?",
            "Two satellite telephones are planned, both marked by signs.",
            measured=(2, "telephone"),
        ),
        finding_(
            "camping",
            ("5.2.e", "Section 5, Camping Facilities", "temporary camping facilities elsewhere"),
            NOT,
            "Is camping elsewhere provided and approved?",
            "Camping is at the site, so none is due elsewhere.",
            agency="health-district",
        ),
        finding_(
            "security",
            (
                "5.2.f",
                "Section 5, Security Guards",
                "one security guard for every two hundred fifty",
            ),
            OK,
            "Are enough guards on duty at once?",
            "10 guards are on duty at every hour.",
            measured=(10, "guard"),
            required=(10, "guard", "at-least", "ceil(2,400 / 250) = 10 guards"),
            agency="sheriff",
        ),
        finding_(
            "fire-protection",
            ("5.2.g", "Section 5, Fire Protection", "approval of the plan shall be included"),
            UNKNOWN,
            "Has the fire district approved the plan?",
            "No approval of a fire district is with the application, and no fire district layer "
            "is in the catalog to say which district it is.",
            agency="fire-district",
        ),
        finding_(
            "noise",
            ("5.2.i", "Section 5, Noise Control", "shall not be plainly audible within any place"),
            REVIEW,
            "Would the sound be audible inside a residence?",
            "The nearest home is 3,050 ft away; 54 dBA is expected outside it and about 34 dBA "
            "inside with windows open half way.",
            measured=(54, "dBA", 47, 61),
            reasons=(
                "'Plainly audible' has no number.",
                "Weather moves the level by 7 dB either way.",
            ),
            agency="sheriff",
            sources=(PLAN,),
            evidence=(
                ("House on Sand Hollow Road: 54 dBA", "residence", local("point", 900, -320)),
                ("55 dBA reach", "sound", local("circle", -42, 166, 880)),
            ),
        ),
        finding_(
            "insurance",
            ("5.2.j.1", "Section 5, Insurance Policy", "minimum amount of one million dollars"),
            OK,
            "Is there a policy of one million dollars or more?",
            "$2,000,000 an occurrence.",
            measured=(2_000_000, "usd"),
            required=(1_000_000, "usd", "at-least", "one million dollars"),
            agency="clerk",
        ),
        finding_(
            "bonds",
            ("5.2.j.2", "Section 5, Performance Bond", "up to $10.00 per person"),
            REVIEW,
            "Is a performance bond due?",
            "The Board may ask for up to $24,000; none is deposited.",
            measured=(0, "usd"),
            required=(24000, "usd", "at-most", "$10 x 2,400 persons = $24,000"),
            agency="board",
        ),
        finding_(
            "cleanup",
            ("8.1", "Section 8, Removal of Structures", "within ten (10) days after the assembly"),
            OK,
            "Will everything be removed in ten days?",
            "Removal is planned within 7 days.",
            measured=(7, "day"),
            required=(10, "day", "at-most", "10 days after the assembly"),
            agency="board",
        ),
    ]
