"""Every command that the README and the docs show is run, or stands below with the reason why not."""

import re
import shlex
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import click
import geopandas as gpd
import pytest
from click.testing import CliRunner
from shapely import box

from inspect_web import cli as inspect_cli
from inspect_web import scenario
from inspect_web.errors import InspectError
from site_eval.cli import site_eval
from site_eval.errors import SiteEvalError
from site_eval.reports import write

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "data" / "examples" / "sand-hollow"
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
GENERATED = {"checks.md", "command-line.md"}  # their examples are held by test_reference
SHOWN = re.compile(r"^(?:\$ )?((?:site-eval|inspect-web|make|python benchmarks/\S+)(?: .*)?)$")
PROGRAMS = {"site-eval": site_eval, "inspect-web": inspect_cli.inspect_web}

# Only parsed: the command and its options exist. By the words with which a command begins.
PARSED = {
    "site-eval layers fetch": "needs a network; tests/fetch runs it against servers of its own",
    "site-eval maps site-eval-demo/evaluation.json --out maps": (
        "draws every map; the coordinator's page draws one, tests/reports all"
    ),
    "site-eval screen parcels.parquet --out answers.parquet --scheduler": (
        "needs a cluster; tests/screening starts one"
    ),
    "inspect-web bundle export LICENSE bundle.zip --stamp": (
        "needs a time-stamping authority's token; tests/inspect has one"
    ),
    "make ": "sets up or runs for minutes; that its target exists is asked of make itself",
    "python benchmarks/": "runs for minutes; that the script exists is looked at",
}
# Commands that are shown because they end otherwise than with 0.
ENDS = {
    "site-eval demo": {1},
    "site-eval evaluate": {1},
    "site-eval compare": {1},
    'site-eval locate "S½NE¼ Sec. 40': {1},
    "inspect-web bundle verify bag": {1},
}
# What a reader puts in himself.
PUT_IN = {"/safe/inspect-$(date +%F).tar": "safe.tar", "APPLICATION.toml": "application.toml"}


def collect(text: str) -> list[str]:
    """The commands in the fenced blocks without a language, or of the shell, without comments."""
    found, fence = [], None
    for line in text.splitlines():
        if mark := re.match(r"\s*```(\S*)", line):
            fence = mark[1] if fence is None else None
        elif fence in {"", "sh"} and (shown := SHOWN.match(line.strip())):
            found.append(re.split(r"\s+#", shown[1])[0].strip())
    return found


SHOWS = {p: collect(p.read_text("utf-8")) for p in PAGES if p.name not in GENERATED}


def begun(command: str, table: dict) -> object | None:
    return next((value for start, value in table.items() if command.startswith(start)), None)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the files that the pages speak of; long work is done once and shared."""
    folder = tmp_path_factory.mktemp("reader")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(inspect_cli, "_serve", lambda *_args, **_options: None)
        patch.setenv("INSPECT_PASSWORD", "only-for-this-test")
        patch.delenv("DATABASE_URL", raising=False)
        shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
        shutil.copytree(EXAMPLE, "my-event")
        shutil.copytree(ROOT / "data" / "layers", "gem")
        for ending in (".toml", ".txt"):
            law = ROOT / "data" / "ordinances" / f"gem-county-id-2015-04{ending}"
            shutil.copy(law, f"my-county{ending}")
        lot = gpd.GeoDataFrame({"role": ["parking"]}, geometry=[box(0, 0, 120, 60)], crs=26911)
        lot.geometry = lot.translate(520_000, 4_860_000)
        lot.to_crs(4326).to_file("lots.geojson")
        lot.to_crs(4326).assign(parcel="A").to_file("parcels.gpkg")
        assert run("site-eval demo")[0] == 1
        for name in ("before", "after", "second", "my-event-evaluation"):
            shutil.copytree("site-eval-demo", name)
        shutil.copy("site-eval-demo/evaluation.json", folder)
        (folder / "head.tsr").touch()
        share_long_work(patch)
        yield folder


def share_long_work(patch: pytest.MonkeyPatch) -> None:
    """The demo has drawn its packet, and the evening is played once: others use what came of it."""

    def written(evaluation, out):
        out.mkdir(exist_ok=True)
        (out / "evaluation.json").write_text(write.evaluation_json(evaluation), "utf-8")
        return {"evaluation.json": out / "evaluation.json"}

    play, told = scenario.write_all, []

    def played(out, folder):
        if not told:
            told.append(play(Path("evening"), folder))
            with zipfile.ZipFile("evening/bundle.zip") as bundle:
                bundle.extractall("bag")
            ledger = Path("bag/data/ledger.jsonl")
            text = ledger.read_text("utf-8")
            assert "Three cars across the exit" in text
            text = text.replace("Three cars across the exit", "Seven cars across the exit")
            ledger.write_text(text, "utf-8")
        shutil.copytree("evening", out, dirs_exist_ok=True)
        return told[0]

    patch.setattr(write, "write_all", written)
    patch.setattr(scenario, "write_all", played)


@pytest.fixture
def home(world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A county of its own for each page, with the license of which the pages speak."""
    monkeypatch.setenv("INSPECT_HOME", str(tmp_path / "county"))
    for command in ("init", "licence import evaluation.json --number 2027-01"):
        status, said = run(f"inspect-web {command}")
        assert status == 0, said
    return world


def run(command: str) -> tuple[int, str]:
    """Run a command in this process; its exit status and what it said."""
    for shown, mine in PUT_IN.items():
        command = command.replace(shown, mine)
    program, *words = shlex.split(command)
    done = CliRunner().invoke(PROGRAMS[program], words, prog_name=program)
    if isinstance(done.exception, SiteEvalError | InspectError):
        return 2, str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def parse(command: str) -> None:
    """Read a command's options without running it; raises a usage error for an unknown one."""
    program, *words = shlex.split(command)
    if program == "make":
        subprocess.run(["make", "-n", *words], cwd=ROOT, capture_output=True, check=True)
    elif program == "python":
        assert (ROOT / words[0]).is_file(), words[0]
    else:
        group: click.Command = PROGRAMS[program]
        context = click.Context(group, info_name=program)
        while isinstance(group, click.Group):
            name = words.pop(0)
            found = group.get_command(context, name)
            assert found is not None, f"{command}: no command {name}"
            group = found
        group.make_context(program, words, parent=context)


def do_what_the_page_asks_before(command: str) -> None:
    """What a reader does by hand, or on another page, before this command."""
    if "verify inspect-scenario" in command or command.endswith(" bag"):
        assert run("inspect-web scenario")[0] == 0
    if "--order order.toml" in command:
        order = Path("order.toml")
        text = order.read_text("utf-8")
        assert 'ordered = ""' in text
        order.write_text(text.replace('ordered = ""', 'ordered = "2027-04-27"'), "utf-8")


@pytest.mark.parametrize(
    "page", [p for p, shown in SHOWS.items() if shown], ids=lambda p: str(p.relative_to(ROOT))
)
def test_what_a_page_shows_runs(page: Path, home: Path) -> None:
    failed = []
    for command in SHOWS[page]:
        if begun(command, PARSED):
            parse(command)
            continue
        do_what_the_page_asks_before(command)
        if "--order order.toml" in command:  # the clerk fills in the day
            order = Path("order.toml")
            text = order.read_text("utf-8").replace('ordered = ""', 'ordered = "2027-05-04"')
            order.write_text(text, "utf-8")
        status, said = run(command)
        if status not in (begun(command, ENDS) or {0}):
            failed.append(f"{command}: {status}: {said[-400:]}")
    assert failed == []


def test_each_reason_is_still_needed() -> None:
    shown = {command for commands in SHOWS.values() for command in commands}
    starts = [start for table in (PARSED, ENDS) for start in table if start != "python benchmarks/"]
    assert [s for s in starts if not any(command.startswith(s) for command in shown)] == []


def test_commands_in_running_text_name_what_exists() -> None:
    inline = re.compile(r"`((?:make [a-z-]+|python benchmarks/\S+?\.py)[^`]*)`")
    named = {c for page in PAGES for c in inline.findall(page.read_text("utf-8"))}
    assert named
    for command in named:
        parse(command)


def test_commands_are_collected_from_shell_blocks_alone() -> None:
    page = "```\nsite-eval demo   # why\n$ make test\n```\n```toml\nmake = 1\n```\nmake no\n"
    assert collect(page) == ["site-eval demo", "make test"]


def test_an_option_that_does_not_exist_is_seen() -> None:
    with pytest.raises(click.UsageError):
        parse("site-eval layers fetch --countie 16045")
