"""Ten minutes (or ``--seconds N``) of broken legal descriptions: none may raise, hang or lie about itself.

The seed corpus is ``tests/data/legal/visible.jsonl`` and ``tests/cases/legal/plss.txt``; texts are cut,
spliced, repeated and sprinkled with the field's own signs from a fixed random seed.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from site_eval.legal.locate import Helps, locate

ROOT = Path(__file__).resolve().parent.parent
SIGNS = "½¼°'\"′″&;:,.()[]-/\\$#?\n\t 0123456789NSEWlIO"
PARSE = Helps(parse_only=True)
SLOWEST_S = 2.0


def corpus() -> list[str]:
    visible = (ROOT / "tests/data/legal/visible.jsonl").read_text(encoding="utf-8")
    table = (ROOT / "tests/cases/legal/plss.txt").read_text(encoding="utf-8")
    texts = [json.loads(line)["text"] for line in visible.splitlines()]
    return texts + [line.split(" => ")[0] for line in table.splitlines() if " => " in line]


def broken(texts: list[str], rng: random.Random) -> str:
    text = rng.choice(texts)
    for _ in range(rng.randrange(1, 6)):
        at, to = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        choice = rng.randrange(5)
        if choice == 0:
            text = text[:at] + text[to:]
        elif choice == 1:
            text = text[:at] + rng.choice(SIGNS) + text[at:]
        elif choice == 2:
            other = rng.choice(texts)
            text = text[:at] + other[rng.randrange(len(other)) :]
        elif choice == 3:
            text = text[:to] + text[at:to] * rng.randrange(1, 4) + text[to:]
        else:
            text = text[:at] + text[at:to][::-1] + text[to:]
    return text[:20_000]


def main() -> None:
    seconds = next(
        (float(sys.argv[i + 1]) for i, a in enumerate(sys.argv) if a == "--seconds"), 600.0
    )
    rng, texts = random.Random(2026), corpus()
    end, count, slowest = time.monotonic() + seconds, 0, 0.0
    while time.monotonic() < end:
        text = broken(texts, rng)
        began = time.process_time()
        answer = locate(text, PARSE)
        took = time.process_time() - began
        slowest = max(slowest, took)
        count += 1
        told = answer.warnings or answer.unresolved or not any(c.isalnum() for c in text)
        assert answer.status != "not-understood" or told, text
        assert all(
            w.span is None or 0 <= w.span[0] <= w.span[1] <= len(text) for w in answer.warnings
        ), text
        assert took < SLOWEST_S, text
    print(
        f"{count:,} texts in {seconds:g} s from {len(texts)} seeds; slowest {1000 * slowest:.0f} ms; none failed"
    )


if __name__ == "__main__":
    main()
