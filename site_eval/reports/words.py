"""How reports name things: verdicts, groups of checks, agencies, quantities and days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from site_eval.record.finding import Finding
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Grade, Verdict


@dataclass(frozen=True)
class VerdictStyle:
    """A verdict's word, its sign (so that colour is never needed) and its colour."""

    word: str
    sign: str
    colour: str
    meaning: str


# Colours of Okabe and Ito's colour-blind-safe set, darkened until white text on them has a
# contrast of 4.5:1 or more.
VERDICTS: dict[Verdict, VerdictStyle] = {
    Verdict.COMPLIES: VerdictStyle("Complies", "✓", "#00664c", "the clause is met"),
    Verdict.DOES_NOT_COMPLY: VerdictStyle(
        "Does not comply", "✗", "#a33b00", "the clause is not met"
    ),
    Verdict.NEEDS_REVIEW: VerdictStyle(
        "Needs review", "?", "#7a5500", "measured, but a person has to decide"
    ),
    Verdict.NOT_DETERMINED: VerdictStyle(
        "Not determined", "○", "#4a5a6a", "an input or a layer is missing"
    ),
    Verdict.NOT_APPLICABLE: VerdictStyle(
        "Not applicable", "–", "#5f5f5f", "the clause does not bind here"
    ),
}

GRADES: dict[Grade, str] = {
    Grade.AUTHORITATIVE: "adopted record of the body in charge",
    Grade.PUBLISHED: "official data set, general use",
    Grade.DECLARED: "by the applicant, unverified",
    Grade.INFERRED: "derived by this tool",
    Grade.ILLUSTRATIVE: "made up for a demonstration",
}


@dataclass(frozen=True)
class Group:
    """A heading that reports put findings under, and the checks that belong there."""

    id: str
    title: str
    checks: tuple[str, ...]


GROUPS: tuple[Group, ...] = (
    Group(
        "application",
        "Application and filing",
        ("applicability", "filing-period", "application-contents", "ownership"),
    ),
    Group("location", "Location", ("jurisdiction", "wildfire", "flood", "terrain", "capacity")),
    Group(
        "health",
        "Health and medical care",
        ("drinking-water", "bathing-water", "toilets", "solid-waste", "emergency-medical"),
    ),
    Group("access", "Parking, access and traffic", ("parking", "emergency-access", "traffic-dust")),
    Group(
        "safety",
        "Safety",
        ("fire-protection", "security", "lighting", "telephones"),
    ),
    Group("neighbours", "Camping and noise", ("camping", "noise")),
    Group("money", "Insurance, bonds and cleanup", ("insurance", "bonds", "cleanup")),
)
OTHER = Group("other", "Other clauses", ())

_CHECK_TITLES = {
    "applicability": "Whether a licence is needed",
    "filing-period": "Filing period",
    "application-contents": "Contents of the application",
    "ownership": "Ownership and consent",
    "jurisdiction": "Inside the county, outside every city",
    "wildfire": "Wildfire",
    "flood": "Flood",
    "terrain": "Terrain",
    "capacity": "Number of persons",
    "drinking-water": "Drinking water",
    "bathing-water": "Bathing water",
    "toilets": "Toilets",
    "solid-waste": "Solid waste",
    "emergency-medical": "Emergency medical care",
    "parking": "Parking",
    "emergency-access": "Emergency entrance and exit",
    "traffic-dust": "Traffic and dust",
    "fire-protection": "Fire protection",
    "security": "Security",
    "lighting": "Lighting",
    "telephones": "Telephones",
    "camping": "Camping",
    "noise": "Noise",
    "insurance": "Insurance",
    "bonds": "Bonds and fee",
    "cleanup": "Cleanup",
}

AGENCIES = {
    "coordinator": "Mass gathering event coordinator",
    "sheriff": "Sheriff",
    "fire-district": "Fire district",
    "health-district": "Health district",
    "road-director": "Road and bridge director",
    "clerk": "Clerk of the district court",
    "planning-and-zoning": "Planning and zoning",
    "board": "Board of county commissioners",
}

# Units that are written with a sign or an abbreviation; all others are written as they are.
_UNIT_SIGNS = {"percent": "%", "foot": "ft", "feet": "ft", "metre": "m", "acre": "acres"}
_PREFIXES = {"usd": "$", "dollar": "$", "dollars": "$", "USD": "$"}
# Counted things, in the singular; every other unit is written as it is.
_COUNTED = frozenset(
    [
        "person",
        "stall",
        "toilet",
        "guard",
        "day",
        "hour",
        "minute",
        "telephone",
        "structure",
        "ambulance",
        "gallon",
        "pound",
        "acre",
        "EMT",
        "space",
        "site",
        "tent",
        "shower",
        "ticket",
        "collection",
        "extinguisher",
        "alarm",
        "foot-candle",
        "escape",
        "lane",
    ]
)
_COMPARISONS = {"at-least": "at least ", "at-most": "at most ", "equal": "exactly ", "none": ""}


def group_of(check: str) -> Group:
    """The group that a check is reported under; ``OTHER`` for one that no group names."""
    return next((group for group in GROUPS if check in group.checks), OTHER)


def by_group(findings: list[Finding]) -> list[tuple[Group, list[Finding]]]:
    """Findings under their groups, groups in the order of ``GROUPS``, findings in their own."""
    sorted_ = [(g, [f for f in findings if group_of(f.check) == g]) for g in (*GROUPS, OTHER)]
    return [(group, found) for group, found in sorted_ if found]


def check_title(check: str) -> str:
    """A check's name for people; an unknown id with its hyphens taken out."""
    return _CHECK_TITLES.get(check, check.replace("-", " ").capitalize())


def agency_title(agency: str | None) -> str:
    """An agency's name for people; an unknown id with its hyphens taken out."""
    if agency is None:
        return "–"
    return AGENCIES.get(agency, agency.replace("-", " ").capitalize())


def number(value: float) -> str:
    """A number with thousands separators and no more decimals than it can carry.

    >>> number(2400.0), number(0.0625), number(79.96), number(-3.0)
    ('2,400', '0.0625', '79.96', '−3')
    """
    if value == round(value) and abs(value) < 1e15:
        text = f"{round(value):,}"
    elif abs(value) >= 1000:
        text = f"{value:,.0f}"
    elif abs(value) >= 1:
        text = f"{value:,.2f}".rstrip("0").rstrip(".")
    else:
        text = f"{value:.3g}"
    return text.replace("-", "−") if not text.startswith("-0") or value else "0"


def quantity(value: float, unit: str) -> str:
    """A number with its unit.

    >>> quantity(600, "stall"), quantity(1e6, "usd"), quantity(0.62, "share"), quantity(1, "day")
    ('600 stalls', '$1,000,000', '62 %', '1 day')
    """
    if unit in _PREFIXES:
        return f"{_PREFIXES[unit]}{number(value)}"
    if unit == "share":
        return f"{number(round(100 * value, 1))} %"
    return f"{number(value)} {_plural(_UNIT_SIGNS.get(unit, unit), value)}".rstrip()


def _plural(unit: str, value: float) -> str:
    """A unit with its first word, if that is a counted thing, in the number that fits the value."""
    head, _, rest = unit.partition(" ")
    single = head.removesuffix("s")
    if single not in _COUNTED:
        return unit
    return f"{single if value == 1 else single + 's'} {rest}".rstrip()


def measured_words(measured: Measured | None) -> str:
    """What was measured, with its 95 % interval where there is one."""
    if measured is None:
        return ""
    words = quantity(measured.value, measured.unit)
    if measured.low is None or measured.high is None or measured.low == measured.high:
        return words
    low, high = measured.low, measured.high
    if measured.unit == "share":
        low, high = round(100 * low, 1), round(100 * high, 1)
    return f"{words} ({number(low)} to {number(high)})"


def required_words(required: Required | None) -> str:
    """What the clause asks for, in words."""
    if required is None:
        return ""
    return f"{_COMPARISONS[required.comparison]}{quantity(required.value, required.unit)}"


def day_words(iso: str) -> str:
    """A day or a time of ISO 8601 as a planner writes it; any other text unchanged.

    >>> day_words("2027-06-19"), day_words("2027-06-19T10:00:00-06:00"), day_words("undated")
    ('June 19, 2027', 'June 19, 2027, 10:00', 'undated')
    """
    try:
        if "T" not in iso:
            day = date.fromisoformat(iso)
            return f"{day:%B} {day.day}, {day.year}"
        time = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    return f"{time:%B} {time.day}, {time.year}, {time:%H:%M}"


def finding_key(finding: Finding, index: int) -> str:
    """A name of a finding that is the same in every report: its check, clause and place."""
    clause = "".join(c if c.isalnum() else "-" for c in finding.clause.id)
    return f"{finding.check}-{clause}-{index + 1}"
