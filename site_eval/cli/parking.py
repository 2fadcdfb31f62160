"""``site-eval parking``: stalls packed one by one into the parking polygons of a map file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

_LOT_ROLES = {"parking", "parking_overflow"}
_OBSTACLE_ROLES = {"obstacle", "structure", "stage", "water_tank", "assembly_area", "camping"}
_LANE_ROLES = {"fire_lane", "road"}
_GATE_ROLES = {"gate", "public_entrance", "public_exit"}
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ft|feet|'|m)?\s*", re.IGNORECASE)
_PAIR = re.compile(
    r"\s*(\d+(?:\.\d+)?)\s*(ft|feet|'|m)?\s*[x×*]\s*(\d+(?:\.\d+)?)\s*(ft|feet|'|m)?\s*",
    re.IGNORECASE,
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--stall", default="9x18ft", show_default=True, help="Width by length, ft or m.")
@click.option("--aisle", default=None, help="Aisle width; 24ft at 90°, else by the angle's table.")
@click.option("--angle", type=float, default=90.0, show_default=True, help="90, 60, 45 or 30.")
@click.option("--one-way", is_flag=True, help="One-way aisles, joined at both ends.")
@click.option("--block", type=int, default=None, help="A 20-ft lane after so many stalls.")
@click.option("--perimeter", is_flag=True, help="Try a row across the ends of the aisles too.")
@click.option("--setback", default="0ft", show_default=True, help="Kept free along the edge.")
@click.option("--clear", default="0ft", show_default=True, help="Kept free around obstacles.")
@click.option("--no-accessible", is_flag=True, help="Count without accessible stalls (ADA 208.2).")
@click.option("--layer", default=None, help="Layer of the file, if it has several.")
@click.option("--crs", default=None, help="CRS of a file that cannot say its own.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "text", "geojson"]),
    default="text",
    show_default=True,
)
def parking(
    file: Path,
    stall: str,
    aisle: str | None,
    angle: float,
    one_way: bool,
    block: int | None,
    perimeter: bool,
    setback: str,
    clear: str,
    no_accessible: bool,
    layer: str | None,
    crs: str | None,
    form: str,
) -> None:
    """Pack stalls into the parking polygons of FILE and count them.

    With a field `role`, features of role parking and parking_overflow are the lots, obstacles,
    structures, roads and fire lanes are taken out, and gates are where aisles must lead.
    Without it every polygon is a lot.

    Example: site-eval parking lots.geojson --stall 9x18ft --aisle 24ft
    """
    from site_eval.solvers.parking import Standard

    width_m, length_m = _pair_m("--stall", stall)
    standard = _checked(
        Standard,
        stall_width_m=width_m,
        stall_length_m=length_m,
        aisle_m=_aisle_m(aisle, angle, one_way),
        angle_deg=angle,
        one_way=one_way,
        block_stalls=block,
    )
    ground = _read(file, layer, crs, _length_m("--setback", setback), _length_m("--clear", clear))
    answer = _answer(ground, standard, accessible=not no_accessible, perimeter=perimeter)
    _print(answer, form)


@dataclass(frozen=True)
class _Ground:
    """Lots in local metres, what they lose, and where their gates are."""

    frame: Any
    names: list[str]
    lots: list[Any]
    usable: list[Any]
    gates: list[Any]


def _read(
    file: Path, layer: str | None, crs: str | None, setback_m: float, clear_m: float
) -> _Ground:
    import shapely

    from site_eval.crs import frame_for
    from site_eval.errors import InputFileError
    from site_eval.formats import read_vector
    from site_eval.solvers.parking import usable_ground

    rows = read_vector(file, layer=layer, crs=crs).to_crs(4326)
    roles = [str(role) for role in rows["role"]] if "role" in rows else ["parking"] * len(rows)
    frame = frame_for(shapely.box(*rows.total_bounds))
    shapes = list(frame.to_local(rows.geometry.to_numpy()))
    lots = [n for n, role in enumerate(roles) if role in _LOT_ROLES and shapes[n].area > 0]
    if not lots:
        raise InputFileError(
            str(file),
            "it holds no parking polygon",
            "draw the lots as polygons, with the role 'parking' if there are roles",
        )
    lanes = [_lane(shapes[n], rows.iloc[n]) for n, role in enumerate(roles) if role in _LANE_ROLES]
    usable = [
        usable_ground(
            shapes[n],
            obstacles=[shapes[k] for k, role in enumerate(roles) if role in _OBSTACLE_ROLES],
            clear_m=clear_m,
            kept_free=lanes,
            setback_m=setback_m,
        )
        for n in lots
    ]
    named = [str(rows.iloc[n].get("name") or f"lot {place + 1}") for place, n in enumerate(lots)]
    gates = [shapes[n] for n, role in enumerate(roles) if role in _GATE_ROLES]
    return _Ground(frame, named, [shapes[n] for n in lots], usable, gates)


def _lane(shape: Any, row: Any) -> Any:
    """A road as the strip it takes; 20 ft where the file does not say."""
    from site_eval.units import metres

    if shape.area > 0:
        return shape
    width = row.get("width_ft")
    return shape.buffer(metres(float(width) if width and width > 0 else 20.0) / 2, cap_style="flat")


def _answer(ground: _Ground, standard: Any, *, accessible: bool, perimeter: bool) -> dict[str, Any]:
    from site_eval.solvers.parking import area_estimates, pack, with_accessible
    from site_eval.solvers.parking.gates import NEAR_M
    from site_eval.units import acres

    lots, features = [], []
    for number, (name, lot, usable) in enumerate(
        zip(ground.names, ground.lots, ground.usable, strict=True)
    ):
        gates = [gate for gate in ground.gates if gate.distance(lot) <= NEAR_M]
        packed = pack(usable, standard, gates=gates, perimeter=perimeter)
        if accessible:
            packed = [with_accessible(one) for one in packed]
        lots.append(_lot(name, lot, usable, packed))
        features += _features(ground.frame, packed, name, _letters(number))
    area_m2 = sum(lot.area for lot in ground.lots)
    return {
        "stalls": sum(lot["stalls"] for lot in lots),
        "accessible": sum(lot["accessible"] for lot in lots),
        "area_acres": round(acres(area_m2), 4),
        "unreachable": sum(lot["unreachable"] for lot in lots),
        "given_up_for_access_aisles": sum(lot["given_up_for_access_aisles"] for lot in lots),
        "area_ratios": {e.name: e.stalls for e in area_estimates(area_m2)},
        "lots": lots,
        "layout": {"type": "FeatureCollection", "features": features},
    }


def _lot(name: str, lot: Any, usable: Any, packed: list[Any]) -> dict[str, Any]:
    from site_eval.units import acres

    stalls = sum(one.count for one in packed)
    area = acres(lot.area)
    return {
        "name": name,
        "stalls": stalls,
        "accessible": sum(one.accessible for one in packed),
        "van_accessible": sum(one.kinds.count("van") for one in packed),
        "area_acres": round(area, 4),
        "usable_acres": round(acres(usable.area), 4),
        "stalls_per_acre": round(stalls / area, 1),
        "aisle_azimuth_deg": [round(one.azimuth_deg, 2) for one in packed],
        "unreachable": sum(one.unreachable for one in packed),
        "given_up_for_access_aisles": sum(one.given_up for one in packed),
        "gate_assumed": any(one.gate_assumed for one in packed),
    }


def _features(frame: Any, packed: list[Any], lot: str, letters: str) -> list[dict[str, Any]]:
    import numpy as np
    import shapely

    from site_eval.solvers.parking import features

    drawn = [
        ({"lot": lot, **properties}, shape)
        for piece, one in enumerate(packed)
        for properties, shape in features(one, prefix=f"{letters}{piece + 1}-")
    ]
    if not drawn:
        return []
    placed = frame.to_geographic(np.array([shape for _, shape in drawn]))
    return [
        {
            "type": "Feature",
            "id": properties["id"],
            "properties": properties,
            "geometry": _rounded(shapely.geometry.mapping(shape)),
        }
        for (properties, _), shape in zip(drawn, placed, strict=True)
    ]


def _rounded(mapping: dict[str, Any]) -> dict[str, Any]:
    """Coordinates to 1e-8 degrees, a millimetre, so that the bytes do not hang on a library."""

    def rounded(part: Any) -> Any:
        return round(part, 8) if isinstance(part, float) else [rounded(inner) for inner in part]

    return {"type": mapping["type"], "coordinates": rounded(mapping["coordinates"])}


def _letters(number: int) -> str:
    """A, B, … Z, AA, …"""
    letters = ""
    number += 1
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


def _print(answer: dict[str, Any], form: str) -> None:
    import json

    if form != "text":
        click.echo(
            json.dumps(answer["layout"] if form == "geojson" else answer, ensure_ascii=False)
        )
        return
    for lot in answer["lots"]:
        click.echo(
            f"{lot['name']}: {lot['stalls']} stalls ({lot['accessible']} accessible) on "
            f"{lot['area_acres']:.2f} acres, {lot['stalls_per_acre']:.0f} an acre"
        )
        if lot["unreachable"]:
            click.echo(f"  {lot['unreachable']} more fit, but no aisle from a gate reaches them")
        if lot["gate_assumed"]:
            click.echo("  no gate is drawn near this lot: one is taken as given")
    click.echo(
        f"In all {answer['stalls']} stalls, {answer['accessible']} of them accessible, "
        f"on {answer['area_acres']:.2f} acres"
    )
    for name, stalls in answer["area_ratios"].items():
        click.echo(f"  by area alone: {stalls} ({name})")


def _aisle_m(aisle: str | None, angle: float, one_way: bool) -> float:
    from site_eval.errors import InputFileError
    from site_eval.solvers.parking import standard

    if aisle is not None:
        return _length_m("--aisle", aisle)
    try:
        return standard(angle_deg=angle, one_way=one_way).aisle_m
    except ValueError as error:
        raise InputFileError("--angle", str(error).rstrip("."), "say --aisle too") from None


def _checked(kind: Any, **sizes: Any) -> Any:
    from site_eval.errors import InputFileError

    try:
        return kind(**sizes)
    except ValueError as error:
        fault = str(error).rstrip(".")
        raise InputFileError("the stall", fault, "write sizes such as 9x18ft") from None


def _pair_m(option: str, text: str) -> tuple[float, float]:
    from site_eval.errors import InputFileError

    found = _PAIR.fullmatch(text)
    if found is None:
        raise InputFileError(
            option, f"'{text}' is not a width by a length", "write it as 9x18ft or 2.7x5.5m"
        )
    unit = found[4] or found[2] or "ft"
    return _metres(found[1], found[2] or unit), _metres(found[3], unit)


def _length_m(option: str, text: str) -> float:
    from site_eval.errors import InputFileError

    found = _LENGTH.fullmatch(text)
    if found is None:
        raise InputFileError(option, f"'{text}' is not a length", "write it as 24ft or 7.3m")
    return _metres(found[1], found[2] or "ft")


def _metres(number: str, unit: str) -> float:
    from site_eval.units import metres

    return float(number) if unit.lower() == "m" else metres(float(number))
