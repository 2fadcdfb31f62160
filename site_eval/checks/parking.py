"""How many stalls fit the mapped lots, and are they enough for the people?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import shapely

from site_eval.case import Case
from site_eval.engine.answer import Answer, Evidence
from site_eval.engine.registry import check, either, role, value
from site_eval.engine.words import number
from site_eval.judges.parking import judge
from site_eval.layout import Feature
from site_eval.ordinance.clause import Clause
from site_eval.record.measure import Measured, Required
from site_eval.record.verdict import Verdict
from site_eval.solvers.parking.accessible import accessible_required, van_required
from site_eval.solvers.parking.estimate import upper_bound
from site_eval.solvers.parking.layout import Packing
from site_eval.solvers.parking.packer import pack, usable_ground
from site_eval.solvers.parking.standard import Standard, standard_ft
from site_eval.units import acres, metres
from site_eval.ways import drivable, obstacles

# Clear ground around a tree or a canal, and a strip along a lot's own line: proposals.
CLEAR_M = metres(5.0)
ROAD_TOUCHES_M = metres(30.0)
GATE_STEP_M = metres(15.0)


@dataclass(frozen=True)
class Lot:
    """One mapped lot: what is declared for it, what fits, and the most that any layout could."""

    feature: Feature
    ground: Any
    declared: float
    packings: tuple[Packing, ...]
    ceiling: int

    @property
    def fits(self) -> int:
        """Stalls of the best layout found."""
        return sum(packing.count for packing in self.packings)

    @property
    def unreachable(self) -> int:
        """Stalls that would fit but that no aisle from a gate reaches."""
        return sum(packing.unreachable for packing in self.packings)


@check(
    "parking",
    subjects=("parking.spaces",),
    needs=[either(role("parking"), value("plan.parking.stalls"))],
)
def parking(case: Case, clause: Clause) -> list[Answer]:
    """Ask whether the lots inside the grounds hold a space for every so many persons.

    *Asks*: stalls declared and stalls that fit, on the land, against the clause's rate.
    *Measures*: real stalls laid out in each lot (size and aisle from the profile), trees, canals
    and buildings taken out, aisles that hang together and reach a way; the declared number; the
    ceiling that no layout of the area could pass.
    *Judges*: fewer declared than the rate, or ground that could never hold it, does not comply; a
    number between the layout found and the ceiling, a lot outside the land, or a plan that differs
    from the map is for a person. Parking elsewhere never counts as inside; the sheriff may require
    it.
    *Cannot say*: ground when wet, what drivers do, a better layout than the one found.
    *Source*: the clause; stall and aisle of the profile; method in docs/solvers.md.
    """
    required = clause.requires.resolve(case.basis).required if clause.requires else None
    if required is None:
        return [Answer(Verdict.NOT_DETERMINED, "The clause states no rate for this case.")]
    if not case.features("parking"):
        return [_unmapped(case, required)]
    found = lots(case)
    return [_stalls(case, required, found), _accessible(case, found), *_arrival(case, found)]


def lots(case: Case) -> list[Lot]:
    """Every mapped lot with stalls laid out in the part that lies on the land."""
    figures = case.profile.stall
    stall = standard_ft(figures.width_ft, figures.depth_ft, figures.aisle_ft)
    return case.once("lots", lambda: [_lot(case, f, stall) for f in case.features("parking")])


def _lot(case: Case, feature: Feature, stall: Standard) -> Lot:
    shape = case.local(feature.geometry)
    near = case.site_local.buffer(case.land.position_uncertainty_m)
    ways = drivable(case)
    inside = shapely.intersection(shape, near)
    ground = usable_ground(inside, obstacles=obstacles(case), clear_m=CLEAR_M, kept_free=[ways])
    packed = pack(ground, stall, gates=_lot_gates(case, shape, ways))
    return Lot(
        feature=feature,
        ground=ground,
        declared=float(feature.properties.get("spaces") or 0),
        packings=tuple(packed),
        ceiling=upper_bound(float(ground.area), stall),
    )


def _lot_gates(case: Case, shape: Any, ways: Any) -> list[Any]:
    """Where a lot can be driven into: its mapped gates, then its line as far as it faces a way."""
    mapped = [case.local(f.geometry) for f in case.features("gate")]
    own = [gate for gate in mapped if gate.distance(shape) <= ROAD_TOUCHES_M]
    if ways.is_empty or shape.distance(ways) > ROAD_TOUCHES_M:
        return own
    outline = shapely.get_coordinates(shapely.segmentize(shape.boundary, GATE_STEP_M))
    spots = sorted(map(shapely.Point, outline), key=ways.distance)
    facing = spots[0].distance(ways) + GATE_STEP_M
    return [*own, *(spot for spot in spots if spot.distance(ways) <= facing)]


def _stalls(case: Case, required: Required, found: list[Lot]) -> Answer:
    fits, ceiling = sum(lot.fits for lot in found), sum(lot.ceiling for lot in found)
    mapped = sum(lot.declared for lot in found)
    stated = case.value("plan.parking.stalls")
    declared = float(stated) if stated is not None else mapped
    outside = _outside_share(case, found)
    verdict = Verdict(str(judge(declared, fits, ceiling, required.value)))
    if verdict is Verdict.COMPLIES and (outside > 0.001 or (mapped and mapped != declared)):
        verdict = Verdict.NEEDS_REVIEW
    return Answer(
        verdict,
        f"{number(declared)} stalls are declared inside the grounds and {number(fits)} fit the "
        f"mapped lots; {number(required.value)} are asked for ({required.formula}).",
        measured=Measured(value=float(fits), unit="stalls that fit", high=float(ceiling)),
        required=required,
        reasons=(
            *_doubts(declared, mapped, outside),
            *(_lot_words(lot) for lot in found),
            *_advice(case, declared),
        ),
        sources=(case.declared, case.layout.source),
        on_land=True,
        evidence=tuple(
            Evidence(
                case.geographic(shapely.multipolygons([s for p in lot.packings for s in p.stalls])),
                f"{lot.feature.name or lot.feature.id}: {number(lot.fits)} stalls laid out",
                "stalls",
            )
            for lot in found
            if lot.fits
        ),
    )


def _accessible(case: Case, found: list[Lot]) -> Answer:
    """Accessible stalls by table 208.2, for the facility as declared."""
    stated = case.value("plan.parking.stalls")
    total = int(stated if stated is not None else sum(lot.declared for lot in found))
    needed = accessible_required(total)
    declared = case.value("plan.parking.accessible_stalls")
    required = Required(
        value=float(needed),
        unit="accessible stalls",
        formula=f"table 208.2 for {number(total)} stalls; {van_required(needed)} of them for vans",
    )
    if declared is None:
        statement = (
            f"{number(needed)} accessible stalls belong to {number(total)}; the application does not "
            "state plan.parking.accessible_stalls."
        )
        return Answer(Verdict.NOT_DETERMINED, statement, _ADA, required=required)
    return Answer(
        Verdict.NEEDS_REVIEW,
        f"{number(declared)} accessible stalls are declared; {number(needed)} belong to "
        f"{number(total)} stalls by the federal table.",
        _ADA,
        measured=Measured(value=float(declared), unit="accessible stalls"),
        required=required,
        reasons=(
            "Not a rule of this ordinance: federal accessibility standards, for the applicant to "
            "meet. Surface, slope and the way to the gate are seen on site.",
            *(("Fewer than the table asks for.",) if declared < needed else ()),
        ),
        sources=(case.declared,),
    )


_ADA = "Are there enough accessible stalls (2010 ADA Standards, table 208.2)?"


def _arrival(case: Case, found: list[Lot]) -> list[Answer]:
    """How long the queue at the gates grows when people arrive at the assumed peak."""
    lanes = case.value("plan.parking.gate_lanes")
    if not lanes:
        return []
    figures = case.profile.vehicles
    vehicles = case.basis.quantities["persons"] / figures.persons_per_vehicle
    arriving = vehicles * figures.arrival_peak_share_per_h
    served = lanes * figures.lane_vehicles_per_h
    waiting = max(0.0, arriving - served)
    queue_ft = waiting * figures.queued_vehicle_ft
    room_ft = _room_ft(case, found)
    spills = queue_ft > room_ft
    return [
        Answer(
            Verdict.NEEDS_REVIEW,
            f"In the busiest hour about {number(round(arriving))} vehicles arrive and {lanes} gate "
            f"lanes let {number(round(served))} in: a queue of {number(round(queue_ft))} ft, against "
            f"{number(round(room_ft))} ft of way on the site before the lots.",
            question="Do arriving vehicles queue onto the public road?",
            measured=Measured(value=round(queue_ft), unit="ft of queue"),
            required=Required(
                value=round(room_ft),
                unit="ft",
                comparison="at-most",
                formula="way on the site from the public entrance to the nearest lot",
            ),
            reasons=(
                f"Assumed: {figures.persons_per_vehicle:g} persons a vehicle, "
                f"{100 * figures.arrival_peak_share_per_h:.0f} % of vehicles in the busiest hour, "
                f"{figures.lane_vehicles_per_h:g} vehicles a lane an hour ({figures.source}).",
                *(
                    ("The queue reaches the public road, which emergency vehicles use too.",)
                    if spills
                    else ()
                ),
            ),
            sources=(case.declared, case.layout.source),
        )
    ]


def _room_ft(case: Case, found: list[Lot]) -> float:
    """Straight distance on the site from the public entrance to the nearest lot, feet."""
    entrances = [case.local(f.geometry) for f in case.features("public_entrance")]
    shapes = [case.local(lot.feature.geometry) for lot in found]
    if not entrances or not shapes:
        return 0.0
    lanes = max(int(f.properties.get("count") or 1) for f in case.features("public_entrance"))
    nearest = min(gate.distance(shape) for gate in entrances for shape in shapes)
    return float(nearest / metres(1.0)) * lanes


def _unmapped(case: Case, required: Required) -> Answer:
    """Stalls that the plan states, with no lot on the layout to hold them."""
    stated = float(case.value("plan.parking.stalls"))
    enough = stated >= required.value
    return Answer(
        Verdict.NEEDS_REVIEW if enough else Verdict.DOES_NOT_COMPLY,
        f"The plan states {number(stated)} stalls; {number(required.value)} are asked for "
        f"({required.formula}). The layout maps no parking, so that it was not checked whether "
        "they fit.",
        measured=Measured(value=stated, unit="stalls"),
        required=required,
        reasons=("Map the lots with the role parking.",),
        sources=(case.declared,),
    )


def _doubts(declared: float, mapped: float, outside: float) -> list[str]:
    doubts = []
    if mapped and mapped != declared:
        doubts.append(
            f"The plan states {number(declared)} stalls, the lots of the layout {number(mapped)}."
        )
    if outside > 0.001:
        doubts.append(f"{100 * outside:.0f} % of the lots lies outside the land.")
    return doubts


def _outside_share(case: Case, found: list[Lot]) -> float:
    whole = shapely.union_all([case.local(lot.feature.geometry) for lot in found])
    near = case.site_local.buffer(case.land.position_uncertainty_m)
    return float(shapely.difference(whole, near).area / whole.area) if whole.area else 0.0


def _lot_words(lot: Lot) -> str:
    name = lot.feature.name or lot.feature.id
    text = (
        f"{name}: {number(lot.declared)} declared, {number(lot.fits)} fit on "
        f"{acres(lot.ground.area):.1f} acres of usable ground, {number(lot.ceiling)} at the very most"
    )
    lost = f"; {number(lot.unreachable)} more no aisle reaches" if lot.unreachable else ""
    return f"{text}{lost}."


def _advice(case: Case, stalls: float) -> list[str]:
    """What helps the sheriff and the road director, beyond the clause's number."""
    per_vehicle = case.profile.vehicles.persons_per_vehicle
    likely = round(case.basis.quantities["persons"] / per_vehicle)
    lines = [
        f"At {per_vehicle:g} persons a vehicle, as at rural fairs, {number(likely)} vehicles come: "
        f"{number(abs(stalls - likely))} {'fewer' if likely <= stalls else 'more'} than there are "
        "stalls."
    ]
    offsite = case.value("plan.parking.offsite_stalls")
    if offsite:
        lines.append(
            f"{number(offsite)} stalls elsewhere are not counted; the sheriff may require them."
        )
    return lines
