"""The command line of the inspection app."""

from __future__ import annotations

import json
import os
import secrets
import signal
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import click

from inspect_web.errors import InspectError, SetupError

HOME = click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    default=lambda: Path(os.environ.get("INSPECT_HOME", "inspect-data")),
    help="Folder with the photographs and keys (and the SQLite database).  [INSPECT_HOME]",
)
ADDRESS = click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on")
PORT = click.option("--port", default=8000, show_default=True, help="Port; 0 takes a free one")


def main() -> None:
    """Run a command; what cannot be used is told in one sentence, exit status 2."""
    try:
        inspect_web()
    except InspectError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def inspect_web() -> None:
    """Inspect a licensed event on phones, with or without signal, and prove what was seen.

    The database is SQLite inside the home folder unless DATABASE_URL names a PostgreSQL one.
    """


@inspect_web.command(epilog="Example: inspect-web demo --port 8000")
@ADDRESS
@PORT
@click.option("--as-licensed", is_flag=True, help="Keep the license's own dates (2027)")
def demo(host: str, port: int, as_licensed: bool) -> None:
    """Serve a throw-away county with the bundled license and people of each agency.

    The event's times are moved so that it is running now. Everything is deleted at the end.
    """
    from inspect_web.app import create_app
    from inspect_web.demo import fill, links
    from inspect_web.store.database import create_store

    with tempfile.TemporaryDirectory(prefix="inspect-web-demo-") as folder:
        home = Path(folder)
        store = create_store(home, f"sqlite:///{home / 'inspect.db'}")
        people = fill(store, datetime.now(UTC), running=not as_licensed)
        app = create_app(store, secret=secrets.token_urlsafe(32), demo=True)
        width = max(len(p.login) for p in people)
        lines = [f"  {p.login:<{width}}  {p.password}  {p.name}, {p.agency}" for p in people]
        click.echo("Sign in as one of (login, password):\n" + "\n".join(lines))
        _serve(
            app, host, port, about=lambda base: _phone_links(links(store, base, datetime.now(UTC)))
        )


@inspect_web.command(epilog="Example: inspect-web scenario --out inspect-scenario")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("inspect-scenario"),
    show_default=True, help="Folder to write into",
)  # fmt: skip
def scenario(out: Path) -> None:
    """Play a written evening of inspections over the device API and write what comes of it.

    A blocked exit, too few toilets, sound after midnight, phones without signal, a wrong clock, two
    agencies that disagree: packet.pdf, packet.html, bundle.zip and timeline.json. No network.
    """
    from inspect_web.scenario import write_all

    with tempfile.TemporaryDirectory(prefix="inspect-web-scenario-") as folder:
        told = write_all(out, Path(folder))
    broken = [one["id"] for one in told["conditions"] if one["days_seen_broken"]]
    click.echo(
        f"Wrote packet.pdf, packet.html, bundle.zip and timeline.json into {out}.\n"
        f"Seen broken: {', '.join(broken)}. Next: read {out / 'packet.pdf'}, then\n"
        f"  inspect-web bundle verify {out / 'bundle.zip'}"
    )


def _phone_links(made: list[str]) -> str:
    return "\nPhones (each link works once, within ten minutes):\n  " + "\n  ".join(made) + "\n"


@inspect_web.command(epilog="Example: inspect-web init --home county")
@HOME
def init(home: Path) -> None:
    """Make the folder, the county's key, the secret and the tables; does no harm when repeated."""
    from inspect_web.store.database import create_store, write_secret

    create_store(home)
    if not (home / "secret").exists():
        write_secret(home / "secret", secrets.token_urlsafe(48).encode())
    click.echo(f"Ready: {home}. Next: 'inspect-web user add', 'inspect-web licence import'.")


@inspect_web.command(epilog="Example: inspect-web serve --https")
@HOME
@ADDRESS
@PORT
@click.option("--https/--no-https", default=False, help="People reach it by HTTPS (a proxy)")
def serve(home: Path, host: str, port: int, https: bool) -> None:
    """Serve with waitress. Phones need HTTPS: put a proxy that terminates TLS in front."""
    from inspect_web.app import create_app
    from inspect_web.store.database import open_store

    store = open_store(home)
    _serve(create_app(store, secret=_secret(home), secure=https), host, port, proxied=https)


@inspect_web.group()
def user() -> None:
    """People who sign in."""


@user.command(
    "add",
    epilog='Example: inspect-web user add dana --name "Dana Reyes" --role coordinator --agency coordinator',
)
@HOME
@click.argument("login")
@click.option("--name", required=True, help="Full name, as it stands in the record")
@click.option("--role", type=click.Choice(["inspector", "coordinator", "board"]), required=True)
@click.option("--agency", required=True, help="sheriff, fire-district, health-district, …")
@click.password_option(envvar="INSPECT_PASSWORD")
def user_add(home: Path, login: str, name: str, role: str, agency: str, password: str) -> None:
    """Add an account."""
    from inspect_web.store import accounts
    from inspect_web.store.database import open_store

    with open_store(home).write() as connection:
        accounts.add(
            connection, login=login, name=name, role=role, agency=agency, password=password
        )
    click.echo(f"{name} may sign in as {login}.")


@inspect_web.group()
def licence() -> None:
    """Licenses and their checklists."""


@licence.command(
    "import", epilog="Example: inspect-web licence import evaluation.json --number 2027-01"
)
@HOME
@click.argument("evaluation", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--number", required=True, help="The number of the license")
@click.option(
    "--checklist",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="checklist.json of 'site-eval grant': with the conditions that the Board added.",
)
def licence_import(home: Path, evaluation: Path, number: str, checklist: Path | None) -> None:
    """Conditions and checklist from EVALUATION (evaluation.json of site-eval).

    The same number again makes a new version; what phones began on the old one stays on it.
    """
    from inspect_web.store import licences
    from inspect_web.store.database import open_store

    file = licences.read_evaluation(_text(evaluation), str(evaluation))
    if checklist is not None:
        file = licences.with_checklist(file, _text(checklist), str(checklist))
    with open_store(home).write() as connection:
        kept = licences.import_licence(connection, file, number=number, now=datetime.now(UTC))
    click.echo(
        f"License {kept.number}, version {kept.version}: {len(kept.checklist.items)} items for "
        f"{kept.event}."
    )


@inspect_web.command(epilog="Example: inspect-web known 2027-01 --at 2027-06-19T23:40")
@HOME
@click.argument("licence_number", metavar="LICENCE")
@click.option("--at", "at", required=True, help="2027-06-19T23:40, by the clocks at the site")
@click.option("--json", "as_json", is_flag=True, help="The timelines as they were known, as JSON")
def known(home: Path, licence_number: str, at: str, as_json: bool) -> None:
    """What the county knew of LICENCE (its number) at a time, and what came later."""
    from inspect_web import packets
    from inspect_web.store import licences
    from inspect_web.store.database import open_store

    store = open_store(home)
    with store.read() as connection:
        kept = licences.get(connection, licence_number)
        moment = packets.asked_time(at, kept.checklist.terms)
        then = packets.gather(store, connection, kept.id, datetime.now(UTC), as_of=moment)
        now = packets.gather(store, connection, kept.id, datetime.now(UTC))
    rows = packets.known_rows(then, now)
    if as_json:
        told = packets.timeline_data(then) | {"differs": [list(row) for row in rows]}
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
        return
    click.echo(f"As known {then.local(moment)} ({then.terms.time_zone}):")
    for line in then.lines:
        if line.seen:
            click.echo(f"  {line.item.id:<4} {line.state:<14} {line.item.question}")
    for id_, before, after, entries in rows:
        click.echo(f"  later: {id_} was {after} (known then as {before}); {entries or 'no entry'}")


@inspect_web.group()
def bundle() -> None:
    """The evidence bundle: everything about a license that a stranger can verify."""


@bundle.command("export", epilog="Example: inspect-web bundle export 2027-01 bundle.zip")
@HOME
@click.argument("licence_number", metavar="LICENCE")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--stamp", "stamps", nargs=2, multiple=True, metavar="HEAD.json TOKEN.tsr",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A head saved by 'bundle head', and the RFC 3161 token that an authority gave for it",
)  # fmt: skip
def bundle_export(
    home: Path, licence_number: str, file: Path, stamps: tuple[tuple[Path, Path], ...]
) -> None:
    """Write the bundle of LICENCE (its number), with its packet as of now, to FILE.zip."""
    from inspect_web import packets
    from inspect_web.evidence.bundle import export
    from inspect_web.store import licences
    from inspect_web.store.database import open_store

    store, now = open_store(home), datetime.now(UTC)
    with store.read() as connection:
        kept = licences.get(connection, licence_number)
        dossier = packets.gather(store, connection, kept.id, now)
        photos = packets.photos_of(store, connection, dossier)
        pdf = packets.packet_pdf(dossier, photos, packets.cited(connection, dossier))
    export(store, kept.id, file, now, packet=pdf, stamps=stamps)
    click.echo(f"Wrote {file}. Verify it with 'inspect-web bundle verify {file}'.")


@bundle.command("head", epilog="Example: inspect-web bundle head head.json")
@HOME
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def bundle_head(home: Path, file: Path) -> None:
    """Write the signed head of the ledger to FILE.json: hand it to others, or have it stamped.

    Whoever keeps a head can show later that the ledger held these entries by then.
    """
    from inspect_web.evidence.bundle import save_head
    from inspect_web.store.database import open_store

    head = save_head(open_store(home), file, datetime.now(UTC))
    click.echo(
        f"Wrote {file}: {head['head']['count']} entries. A time-stamping request for it is made by\n"
        f"  openssl ts -query -data {file} -sha256 -cert -out {file.with_suffix('.tsq')}"
    )


@bundle.command("verify", epilog="Example: inspect-web bundle verify bundle.zip")
@click.argument("file", type=click.Path(path_type=Path))
def bundle_verify(file: Path) -> None:
    """Verify FILE.zip without a database or a network; exit 0 only if it is whole."""
    from inspect_web.evidence.verify import main as verify

    sys.exit(verify([str(file)]))


@bundle.command(
    "redact",
    epilog="Example: inspect-web bundle redact bundle.zip public.zip --choices choices.toml",
)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--choices", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=True,
    help="TOML: chosen_by, reason, and what is released",
)  # fmt: skip
def bundle_redact(file: Path, out: Path, choices: Path) -> None:
    """Write a copy of the bundle FILE.zip for the public to OUT.zip.

    Names, notes, positions and photographs stay out unless a person released them; every piece
    names the hash of the sealed one.
    """
    from inspect_web.evidence.redact import redact

    listed = redact(file, choices, out, datetime.now(UTC))
    shown = sum(one["how"] != "withheld" for one in listed["photographs"])
    click.echo(f"Wrote {out}: {shown} of {len(listed['photographs'])} photographs are shown.")


@inspect_web.command(epilog="Example: inspect-web purge --older-than 365 --dry-run")
@HOME
@click.option("--older-than", "days", default=365, show_default=True, help="Days; 30 at least")
@click.option("--dry-run", "dry", is_flag=True, help="Only count")
def purge(home: Path, days: int, dry: bool) -> None:
    """Remove what is old and not part of the record; never an item, a photograph or an entry."""
    from inspect_web.retention import purge as remove
    from inspect_web.store.database import open_store

    done = remove(open_store(home), datetime.now(UTC), older_than_days=days, dry=dry)
    click.echo(
        f"{'Would remove' if dry else 'Removed'} {done.public_copies} public copies, {done.parts} "
        f"parts of photographs, {done.links} enrolment links. The record is untouched."
    )


@inspect_web.command(epilog="Example: inspect-web backup safe.tar")
@HOME
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(home: Path, file: Path) -> None:
    """Copy database, photographs and keys into FILE.tar while the server runs. Keep it secret."""
    from inspect_web.backup import backup as write
    from inspect_web.store.database import open_store

    write(open_store(home), file)
    click.echo(f"Wrote {file}.")


@inspect_web.command(epilog="Example: inspect-web restore safe.tar --home county-again")
@HOME
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def restore(home: Path, file: Path) -> None:
    """Put a backup into an empty home folder and check its ledger."""
    from inspect_web.backup import restore as read
    from inspect_web.store import ledger
    from inspect_web.store.database import open_store

    read(file, home)
    with open_store(home).read() as connection:
        broken = ledger.broken_at(connection)
        count, _ = ledger.last(connection)
    if broken is not None:
        raise SetupError(str(file), f"ledger entry {broken} is broken", "use another backup")
    click.echo(f"Restored {count} ledger entries into {home}; the chain holds.")


@inspect_web.command(epilog="Example: inspect-web openapi")
def openapi() -> None:
    """Print the description of the device API (OpenAPI 3.1)."""
    from inspect_web.api.openapi import document

    click.echo(json.dumps(document(), indent=2, ensure_ascii=False))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(str(path), f"cannot be read ({error})", "name another") from None


def _secret(home: Path) -> str:
    given = os.environ.get("INSPECT_SECRET")
    if given:
        return given
    try:
        return (home / "secret").read_text().strip()
    except OSError:
        raise SetupError(str(home), "no secret", "run 'inspect-web init' first") from None


def _serve(
    app: object,
    host: str,
    port: int,
    *,
    proxied: bool = False,
    about: Callable[[str], str] = lambda _base: "",
) -> None:
    from waitress import create_server

    trust = (
        {"trusted_proxy": "127.0.0.1", "trusted_proxy_headers": {"x-forwarded-proto"}}
        if proxied
        else {}
    )
    server = create_server(
        app, host=host, port=port, threads=8, ident=None, max_request_body_size=2 * 1024 * 1024,
        clear_untrusted_proxy_headers=True, **trust,
    )  # fmt: skip
    base = f"http://{host}:{server.effective_port}"
    click.echo(f"{about(base)}Open {base}/ (stop with Ctrl-C)")
    sys.stdout.flush()
    # A service manager stops it by SIGTERM, and a parent in the background passes SIGINT on as
    # ignored; either way the server ends in order and what is temporary is removed.
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.default_int_handler)
    try:
        server.run()
    finally:
        server.close()
