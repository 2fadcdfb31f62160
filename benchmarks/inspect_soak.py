"""Kill server and browsers at random while phones record, then reconcile with a ledger of our own.

``python benchmarks/inspect_soak.py --items 60 --phones 2 --server-kills 12 --browser-kills 6``

The driver writes what it is about to save into its own file, flushed to the disk, before each tap.
At the end every line of that file must be in the county's database once, as it was typed, with its
photograph's bytes unchanged on the disk, and the chain must hold. Exit status 0 only then.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from inspect_web import demo  # noqa: E402 - the checkout's own
from inspect_web.store import accounts, devices, items, ledger, licences, media  # noqa: E402
from inspect_web.store.database import create_store, write_secret  # noqa: E402
from tests.browser.inspecting import ARGUMENTS, CHROMIUM, PHONE, kill  # noqa: E402
from tests.inspect.phone import picture  # noqa: E402

CONDITIONS = ["T1", "T2", "M3", "T6", "W4"]  # counts of the health district


class Server:
    """``inspect-web serve`` as a process that can be killed."""

    def __init__(self, home: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.home, self.kills, self.process = home, 0, None
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from inspect_web.cli import main; main()", "serve", "--home",
             str(self.home), "--port", str(self.port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT,
        )  # fmt: skip
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/login").close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError("the server does not answer")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1
        self.start()


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    for name, default in (("items", 60), ("phones", 2), ("server-kills", 12), ("browser-kills", 6)):
        asked.add_argument(f"--{name}", type=int, default=default)
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    chance = random.Random(options.seed)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        home = Path(folder) / "home"
        store = create_store(home, f"sqlite:///{home / 'inspect.db'}")
        write_secret(home / "secret", b"k" * 40)
        demo.fill(store, datetime.now(UTC))
        server = Server(home)
        intended = Path(folder) / "intended.txt"
        browser_kills = 0
        for number in range(options.phones):
            browser_kills += run_phone(
                driver, store, server, Path(folder), number, options, chance, intended
            )
        os.kill(server.process.pid, signal.SIGTERM)
        wrong = reconcile(store, intended)
    print(
        f"{options.items} items with a photo each, {options.phones} phones, {server.kills} kills of "
        f"the server, {browser_kills} of the browser, {time.monotonic() - begun:.0f} s: "
        + (", ".join(wrong) or "0 lost, 0 doubled, 0 altered")
    )
    return 1 if wrong else 0


def run_phone(driver, store, server, folder, number, options, chance, intended) -> int:
    """Record this phone's share, killing now and then; the number of kills of its browser."""
    profile, base = folder / f"profile{number}", f"http://127.0.0.1:{server.port}"
    count = options.items // options.phones
    server_at = set(chance.sample(range(count), min(count, options.server_kills // options.phones)))
    browser_at = set(
        chance.sample(range(count), min(count, options.browser_kills // options.phones))
    )
    with store.write() as connection:
        (licence,) = licences.everyone(connection)
        owner = next(a for a in accounts.everyone(connection) if a.login == "health")
        link = devices.new_link(connection, owner.id, licence.id, datetime.now(UTC))
    context, page = open_phone(driver, profile)
    page.goto(f"{base}/enrol/{link}")
    page.click("#go")
    page.click("text=Open the checklist")
    page.wait_for_selector(".row")
    for one in range(count):
        value = 1000 * (number + 1) + one
        photo = folder / "photo.jpg"
        photo.write_bytes(picture(size=(320, 240)))
        sha = hashlib.sha256(photo.read_bytes()).hexdigest()
        tell(intended, f"{CONDITIONS[one % len(CONDITIONS)]} {value} {sha}")
        for attempt in range(3):
            try:
                save(page, base, CONDITIONS[one % len(CONDITIONS)], value, photo,
                     die=profile if one in browser_at and attempt == 0 else None, chance=chance)  # fmt: skip
                break
            except Error:
                context, page = open_phone(driver, profile)
                page.goto(f"{base}/field/")
                page.wait_for_selector(".row")
                if saved(page, value):
                    break
        if one in server_at:
            server.kill()
    drain(page)
    context.close()
    return len(browser_at)


def open_phone(driver, profile):
    context = driver.chromium.launch_persistent_context(
        str(profile), executable_path=CHROMIUM, args=ARGUMENTS, **PHONE
    )
    context.set_default_timeout(20_000)
    return context, context.new_page()


def save(page, base, condition, value, photo, *, die, chance) -> None:
    """One record, as a person taps it; with *die* the browser is killed at a random step."""
    at = chance.randrange(4) if die else -1
    page.goto(f"{base}/field/#/item/{condition}")
    page.wait_for_selector(f"h1:has-text('{condition} ')")
    perhaps(at == 0, die)
    page.fill("#value", str(value))
    perhaps(at == 1, die)
    if page.locator(".photos li").count() == 0:
        page.set_input_files("input[type=file]", str(photo))
        page.wait_for_selector(".photos img")
    perhaps(at == 2, die)
    page.click("button.save", no_wait_after=True)
    perhaps(at == 3, die)
    page.wait_for_selector(".groups")


def perhaps(now, profile) -> None:
    if now:
        kill(profile)
        raise Error("killed")


def saved(page, value) -> bool:
    """Whether the record is in the phone's queue already, as its owner would look it up."""
    page.goto(page.url.split("#")[0] + "#/queue")
    page.wait_for_selector("h1:has-text('On this phone')")
    return f" {value}" in page.inner_text("main").replace("\n", " ")


def drain(page) -> None:
    page.goto(page.url.split("#")[0] + "#/queue")
    for _ in range(120):
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_timeout(500)
        if page.locator("#standing.clear").count():
            return
    raise RuntimeError(f"the queue does not drain: {page.inner_text('#standing')}")


def tell(path: Path, line: str) -> None:
    with path.open("a") as stream:
        stream.write(line + "\n")
        stream.flush()
        os.fsync(stream.fileno())


def reconcile(store, intended: Path) -> list[str]:
    """What differs between the driver's ledger and the county's, in words."""
    wanted = Counter(intended.read_text().splitlines())
    with store.read() as connection:
        (licence,) = licences.everyone(connection)
        seen = items.observations(connection, licence.id)
        found = Counter(f"{o.condition} {o.value} {' '.join(o.photos)}" for o in seen)
        broken = ledger.broken_at(connection)
        altered = [sha for o in seen for sha in o.photos
                   if hashlib.sha256(media.original(store, connection, sha)[0].read_bytes()).hexdigest() != sha]  # fmt: skip
    lost, extra = wanted - found, found - wanted
    told = [f"lost: {line}" for line in lost] + [f"doubled or altered: {line}" for line in extra]
    return (
        told + ([f"chain broken at {broken}"] if broken else []) + [f"photo {s}" for s in altered]
    )


if __name__ == "__main__":
    sys.exit(main())
