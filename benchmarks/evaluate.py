"""Wall time and peak memory of the commands that a newcomer runs first."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 5


def timed(command: list[str]) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode not in {0, 1}:
        sys.exit(done.stderr.decode())
    return time.perf_counter() - start


def main() -> None:
    tool = str(Path(sys.executable).with_name("site-eval"))
    with tempfile.TemporaryDirectory() as folder:
        for name, command in {
            "site-eval --help": [tool, "--help"],
            "site-eval demo": [tool, "demo", "--out", folder],
            "python -c pass (for scale)": [sys.executable, "-c", "pass"],
        }.items():
            seconds = sorted(timed(command) for _ in range(RUNS))
            print(f"{name:30} best {seconds[0]:.2f} s, median {seconds[RUNS // 2]:.2f} s")
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{'peak memory of any':30} {peak_mb:.0f} MB")


if __name__ == "__main__":
    main()
