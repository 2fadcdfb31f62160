"""How well legal descriptions are read: right, wrong, understood, refused; and how fast.

``python benchmarks/legal.py [--pairs FOLDER] [--write]``. The folder (or ``LEGAL_PAIRS``) holds the
state trust land layers ``az_``, ``nd_``, ``ut_trust_land_legal.gpkg`` and
``co_saguache_legal_centroids.csv``; without it their sections are skipped with a message.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "legal"))

from damage import damaged  # noqa: E402 - the tests' folder is put on the path above
from meaning import meaning, problems  # noqa: E402

from site_eval.legal.answer import Answer  # noqa: E402
from site_eval.legal.locate import Helps, locate, locate_lines  # noqa: E402

VISIBLE = ROOT / "tests" / "data" / "legal" / "visible.jsonl"
PARSE = Helps(parse_only=True)
KINDS = ("plss_aliquot", "metes_and_bounds", "lot_and_block")
TALKATIVE = {"comment", "also-known-as", "meridian-assumed"}  # warnings that change no reading


def records() -> list[dict]:
    return [json.loads(line) for line in VISIBLE.read_text(encoding="utf-8").splitlines()]


def visible() -> list[str]:
    lines = [
        "| set | cases | right | wrong | of these silently | refused as expected |",
        "|---|---|---|---|---|---|",
    ]
    for kind in KINDS:
        count: Counter[str] = Counter()
        for record in records():
            if record["kind"] != kind:
                continue
            answer = locate(record["text"], PARSE)
            faults = problems(record, answer)
            count["n"] += 1
            count["right"] += not faults
            count["refused"] += answer.status == "not-understood" and not faults
            if faults:
                print("wrong:", record["id"], faults)
                count["silent"] += not any(w.code not in TALKATIVE for w in answer.warnings)
        wrong = count["n"] - count["right"]
        lines.append(
            f"| {kind.replace('_', ' ')} | {count['n']} | {count['right']} | {wrong} | {count['silent']} | {count['refused']} |"
        )
    return lines


def damage_table(seeds: int = 5) -> list[str]:
    count: Counter[str] = Counter()
    for record in records():
        clean = locate(record["text"], PARSE)
        said = {(w.code, w.text) for w in clean.warnings} | set(clean.unresolved)
        for seed in range(seeds):
            for name, worse in damaged(record["text"], seed):
                if name == "cut_short":  # a text cut between two parts is another good text
                    continue
                answer = locate(worse, PARSE)
                now = {(w.code, w.text) for w in answer.warnings} | set(answer.unresolved)
                if answer.status == "not-understood":
                    count["refused"] += 1
                elif meaning(answer) == meaning(clean):
                    count["same"] += 1
                elif now - said or answer.status == "ambiguous":
                    count["flagged"] += 1
                else:
                    count["silent"] += 1
                    print("silent:", record["id"], name)
    total = sum(count.values())
    return [
        "| damaged texts | same reading | other reading, flagged | refused | other reading, silent |",
        "|---|---|---|---|---|",
        f"| {total} | {count['same']} | {count['flagged']} | {count['refused']} | {count['silent']} |",
    ]


def pairs(folder: Path) -> list[str]:
    import pyogrio

    lines = [
        "| texts of | texts | understood | refused | only aliquots | understood | area agrees | differs, warned | differs, not warned | shape agrees |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for state in ("az", "nd", "ut"):
        frame = pyogrio.read_dataframe(folder / f"{state}_trust_land_legal.gpkg")
        count: Counter[str] = Counter()
        for row in frame.itertuples():
            _pair(row, count)
        lines.append(
            f"| {state.upper()} trust land | {count['n']} | {_share(count['understood'], count['n'])} | {count['refused']} "
            f"| {count['aliquots']} | {_share(count['aliquots_understood'], count['aliquots'])} | {_share(count['agree'], count['aliquots'])} "
            f"| {count['warned']} | {count['silent']} | {_share(count['shape'], count['shaped'])} of {count['shaped']} |"
        )
    return lines


def _pair(row, count: Counter[str]) -> None:
    text = f"T{row.township} R{row.range} Sec {row.section}: {row.legal}"
    answer = locate(text, PARSE)
    own = (row.township, row.range, row.section)
    keys = {(t.township, t.range, t.section) for t in answer.tracts}
    readable = keys == {own} and answer.status in {"understood", "ambiguous"}
    count["n"] += 1
    count["understood"] += readable
    count["refused"] += not readable and (
        answer.status == "not-understood" or bool(answer.warnings)
    )
    only = bool(answer.tracts) and all(
        set(part) <= set("NSEW2") or part == "ALL"
        for t in answer.tracts
        for part in (*t.parts, *t.except_)
    )
    if not only or answer.container_only or answer.unresolved:
        return
    count["aliquots"] += 1
    count["aliquots_understood"] += readable
    flagged = any(w.code not in TALKATIVE for w in answer.warnings)
    if (
        row.acres_stated
        and abs((answer.nominal_acres or 0) - row.acres_stated) <= 0.05 * row.acres_stated
    ):
        count["agree"] += 1
    elif flagged:
        count["warned"] += 1
    else:
        count["silent"] += 1
        print(f"area differs: {text} read {answer.nominal_acres:g}, stated {row.acres_stated:g}")
    shape = shape_agreement(answer, row.geometry)
    if shape is not None:
        count["shaped"] += 1
        count["shape"] += shape > 0.9


def shape_agreement(answer: Answer, geometry) -> float | None:
    """Overlap (intersection over union) of the parts drawn in the frame that the polygon implies.

    The frame is fitted from the polygon's own bounds: the parts' bounds in the unit section are
    stretched onto them, so place and scale are given and only the shape is compared. None where the
    parts fill a plain rectangle (nothing to compare).
    """
    import shapely

    from site_eval.crs import frame_for
    from site_eval.legal.plss import read_plss
    from site_eval.legal.section_unit import box_of

    land = read_plss(answer.text).sections[0]
    drawn = shapely.union_all([shapely.box(*box_of(part.steps)) for part in land.parts])
    if land.exceptions:
        drawn = drawn - shapely.union_all([shapely.box(*box_of(p.steps)) for p in land.exceptions])
    if drawn.is_empty or drawn.area > 0.999 * drawn.envelope.area:
        return None
    real = frame_for(geometry).to_local(geometry)
    west, south, east, north = real.bounds
    w, s, e, n = drawn.bounds
    fitted = shapely.affinity.affine_transform(
        drawn,
        [(east - west) / (e - w), 0, 0, (north - south) / (n - s),
         west - w * (east - west) / (e - w), south - s * (north - south) / (n - s)],
    )  # fmt: skip
    real = shapely.make_valid(real)
    return fitted.intersection(real).area / fitted.union(real).area


def saguache(folder: Path) -> list[str]:
    from shapely.geometry import Point, shape

    from site_eval.crs import frame_for

    helps = Helps(state="CO", meridian="New Mexico Principal", township_side="N", range_side="E")
    rows = list(csv.DictReader((folder / "co_saguache_legal_centroids.csv").open(encoding="utf-8")))
    count: Counter[str] = Counter()
    apart, covered = [], 0
    for row in rows:
        answer = locate(row["legal"], helps)
        count[answer.status] += 1
        plain = not answer.unresolved and not answer.container_only and not answer.government_lots
        if (
            answer.geometry is None
            or not plain
            or any(w.code == "not-used" for w in answer.warnings)
        ):
            continue
        centre = shape(answer.geometry).centroid
        frame = frame_for(Point(float(row["lon"]), float(row["lat"])))
        x, y = frame.xy(centre.x, centre.y)
        x0, y0 = frame.xy(float(row["lon"]), float(row["lat"]))
        apart.append(((x - x0) ** 2 + (y - y0) ** 2) ** 0.5)
        covered += apart[-1] <= (answer.position_uncertainty_m or 0)
    apart.sort()
    return [
        f"{len(rows)} roll texts: "
        + ", ".join(f"{n} {status}" for status, n in sorted(count.items()))
        + ".",
        f"{len(apart)} name only aliquots: their centroids lie {statistics.median(apart):,.0f} m (median) and "
        f"{apart[int(0.95 * len(apart))]:,.0f} m (95 %) from the stated ones; the stated 95 % radius covers "
        f"{100 * covered / len(apart):.1f} %. This is the ideal grid from the meridian's initial point, 270 miles away.",
    ]


def speed(folder: Path | None, million: int) -> list[str]:
    plss = [r["text"] for r in records() if r["kind"] == "plss_aliquot"]
    sets = [("visible PLSS texts", plss)]
    if folder is not None:
        rows = csv.DictReader((folder / "co_saguache_legal_centroids.csv").open(encoding="utf-8"))
        sets.append(("assessor-roll texts (Saguache)", [row["legal"] for row in rows]))
    lines = ["| set | texts a second, one core |", "|---|---|"]
    for name, texts in sets:
        best = min(_seconds(texts) for _ in range(5))
        lines.append(f"| {name}, read | {len(texts) / best:,.0f} |")
    lines.append("")
    lines.append(_memory(sets[-1][1], million))
    return lines


def _seconds(texts: list[str]) -> float:
    began = time.process_time()
    for text in texts:
        locate(text, PARSE)
    return time.process_time() - began


def _memory(texts: list[str], million: int) -> str:
    """Peak memory of the stream for two lengths; a child process each, so that peaks do not mix."""
    peaks = []
    for count in (million // 10, million):
        code = (
            "import sys; sys.argv=['', sys.argv[1], sys.argv[2]]; sys.path.insert(0, 'benchmarks');"
            "from legal import drain; drain(sys.argv[1], int(sys.argv[2]))"
        )
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(texts, file)
            file.flush()
            done = subprocess.run(
                [sys.executable, "-c", code, file.name, str(count)],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            )
        peaks.append((count, *map(float, done.stdout.split())))
    return "; ".join(
        f"{count:,} lines: {peak:.0f} MB at most, {seconds:,.0f} s"
        for count, peak, seconds in peaks
    )


def drain(name: str, count: int) -> None:
    """Stream *count* lines, each with its own number in it, and print the peak memory and time."""
    texts = json.loads(Path(name).read_text(encoding="utf-8"))
    began = time.process_time()
    lines = (
        json.dumps({"id": n, "text": f"{texts[n % len(texts)]} REC# {n}"}) for n in range(count)
    )
    for answer in locate_lines(lines, PARSE):
        answer.to_json()
    peak = _peak_mb()
    print(peak, time.process_time() - began)


def _peak_mb() -> float:
    """Peak resident memory of this process alone (ru_maxrss would count the parent's at the fork)."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "–"


def main() -> None:
    folder = next((Path(sys.argv[i + 1]) for i, a in enumerate(sys.argv) if a == "--pairs"), None)
    folder = folder or (Path(os.environ["LEGAL_PAIRS"]) if "LEGAL_PAIRS" in os.environ else None)
    million = 1_000_000 if "--million" in sys.argv else 20_000
    only_speed = "--only-speed" in sys.argv
    sections = {} if only_speed else {"visible": visible(), "damaged": damage_table()}
    if folder is None or not folder.is_dir():
        print("no folder of trust land layers (--pairs FOLDER): those sections are skipped")
        folder = None
    elif not only_speed:
        sections |= {"pairs": pairs(folder), "saguache": saguache(folder)}
    sections["speed"] = speed(folder, million)
    for name, lines in sections.items():
        print(f"\n## {name}\n" + "\n".join(lines))
        if "--write" in sys.argv:
            from write_section import write_section

            write_section("docs/accuracy.md", f"legal-{name}", "\n".join(lines))


if __name__ == "__main__":
    main()
