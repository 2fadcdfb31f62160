"""The wheel carries its data: the demo runs from it, away from the checkout."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_demo_runs_from_the_wheel(tmp_path) -> None:
    built = tmp_path / "dist"
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", built, ROOT],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = built.glob("*.whl")
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    packages = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True, capture_output=True, text=True,
        ).stdout.strip()
    )  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--target", packages, wheel], check=True,
    )  # fmt: skip
    # What the wheel depends on comes from this environment; a folder named in a .pth file is not
    # searched for .pth files of its own, so that the checkout itself stays out of reach.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    done = subprocess.run(
        [python, "-c", "from site_eval.cli import main; main()", "demo", "--out", tmp_path / "out"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"evaluation.json", "findings.csv", "site.gpkg", "map.html", "packet.pdf",
                     "checklist.json"}  # fmt: skip
    where = subprocess.run(
        [python, "-c", "import site_eval; print(site_eval.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert str(packages) in where
