"""Make the evaluation that ``inspect-web demo`` imports: what a licence needs of the tool's own output.

    python data/make/demo_licence.py

Findings, reference features and inputs are left out: the inspection does not read them.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("schema", "tool", "generated_at", "as_of", "ordinance", "site", "layout", "checklist")
OF_THE_SITE = ("geometry",)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = "from site_eval.cli import main; main()"
        done = subprocess.run([sys.executable, "-c", run, "demo", "--out", folder], check=False)
        if done.returncode not in {0, 1}:
            sys.exit("the evaluation could not be made")
        whole = json.loads((Path(folder) / "evaluation.json").read_text(encoding="utf-8"))
    kept = {key: whole[key] for key in KEPT}
    kept["site"] = {key: whole["site"][key] for key in OF_THE_SITE}
    target = ROOT / "inspect_web/demo/evaluation.json"
    target.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1000:,.0f} kB")


if __name__ == "__main__":
    main()
