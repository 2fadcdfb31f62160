"""``site-eval locate``: a legal description to land, with what was understood and how sure it is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from site_eval.legal.answer import Answer
    from site_eval.legal.locate import Helps


@click.command()
@click.argument("text", required=False)
@click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path),
    help="A file with the description; .jsonl: one a line.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "geojson", "traverse"]),
    default="text",
    show_default=True,
)
@click.option("--parse-only", is_flag=True, help="Read the words, place nothing.")
@click.option(
    "--plss", type=click.Path(path_type=Path), help="A layer of sections with the CadNSDI fields."
)
@click.option("--parcels", type=click.Path(path_type=Path), help="A parcel layer.")
@click.option("--meridian", help="The principal meridian, where the text names none.")
@click.option("--state", help="The state (two letters), to check and to imply a meridian.")
@click.option("--county", help="The county, as a check.")
@click.option(
    "--township-side", type=click.Choice(["N", "S"]), help="What a bare number means (13-42-5)."
)
@click.option("--range-side", type=click.Choice(["E", "W"]), help="The same for ranges.")
@click.option(
    "--beginning",
    metavar="LON,LAT",
    help="The point of beginning of a traverse, where it has no tie to a section corner.",
)
def locate(
    text: str | None,
    file: Path | None,
    format_: str,
    parse_only: bool,
    plss: Path | None,
    parcels: Path | None,
    meridian: str | None,
    state: str | None,
    county: str | None,
    township_side: str | None,
    range_side: str | None,
    beginning: str | None,
) -> None:
    """Read a legal description (TEXT or --file) and place it.

    Exit status 0: every description was read; 1: one of a batch was not; 2: the input cannot be
    used.

    Example: site-eval locate "S½NE¼ Sec. 22, T. 7 N., R. 3 W., Boise Meridian"
    """
    from site_eval.errors import InputFileError
    from site_eval.legal.locate import Helps
    from site_eval.legal.locate import locate as locate_one

    if (text is None) == (file is None):
        raise InputFileError(
            "locate", "one of TEXT and --file is needed", "give exactly one of them"
        )
    helps = Helps(
        county=county,
        state=state,
        meridian=_meridian(meridian),
        township_side=township_side,
        range_side=range_side,
        plss=_layer(plss, "PLSS layer"),
        parcels=_layer(parcels, "parcel layer"),
        beginning=_point(beginning),
        parse_only=parse_only,
    )
    if file is not None and file.suffix.lower() == ".jsonl":
        sys.exit(_batch(file, helps))
    answer = locate_one(text if text is not None else _text(file), helps)
    click.echo(_shown(answer, format_))
    sys.exit(0 if answer.status != "not-understood" else 1)


def _batch(file: Path, helps: Helps) -> int:
    """One JSON line for each line of the file, as they are read; memory does not grow."""
    import json

    from site_eval.files import require_file
    from site_eval.legal.locate import locate_lines

    require_file(file, what="file of descriptions", limit_bytes=1 << 40)
    failed = False
    out = sys.stdout
    with file.open(encoding="utf-8", errors="replace") as lines:
        for answer in locate_lines(lines, helps):
            failed |= answer.status == "not-understood"
            out.write(
                json.dumps(answer.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"
            )
    return 1 if failed else 0


def _shown(answer: Answer, format_: str) -> str:
    import json

    if format_ == "json":
        return json.dumps(answer.to_json(), ensure_ascii=False, indent=2)
    if format_ == "geojson":
        properties = {k: v for k, v in answer.to_json().items() if k != "geometry"}
        return json.dumps(
            {"type": "Feature", "geometry": answer.geometry, "properties": properties},
            ensure_ascii=False,
        )
    if format_ == "traverse":
        from site_eval.legal.answering import courses_of
        from site_eval.legal.esri_traverse import write_traverse

        return write_traverse(courses_of(answer)).rstrip("\n")
    from site_eval.legal.report import report

    return report(answer)


def _text(file: Path | None) -> str:
    from site_eval.files import read_text

    if file is None:  # pragma: no cover - the command asks for one of the two first
        return ""
    return read_text(file, what="description").strip()


def _point(text: str | None) -> tuple[float, float] | None:
    """``-116.49,43.87`` in degrees, longitude first."""
    from site_eval.errors import InputFileError

    if text is None:
        return None
    try:
        lon, lat = (float(piece) for piece in text.split(","))
    except ValueError:
        lon = lat = 999.0
    if not (-180.0 <= lon <= 180.0 and -90.0 <= lat <= 90.0):
        raise InputFileError(
            "--beginning", f"{text!r} is no longitude and latitude", "write -116.49,43.87"
        )
    return lon, lat


def _meridian(name: str | None) -> str | None:
    if name is None:
        return None
    from site_eval.legal.meridians import meridian_named

    return meridian_named(name).name


def _layer(path: Path | None, what: str) -> object:
    if path is None:
        return None
    import geopandas

    from site_eval.errors import InputFileError
    from site_eval.files import require_file

    require_file(path, what=what, limit_bytes=1 << 34)
    try:
        return geopandas.read_file(path)
    except Exception:  # noqa: BLE001 - GDAL raises many kinds; all mean the file cannot be read
        raise InputFileError(
            str(path),
            f"it cannot be read as a {what}",
            "save it as GeoPackage, GeoJSON or Shapefile",
        ) from None
