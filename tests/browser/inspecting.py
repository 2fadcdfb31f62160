"""A county served on loopback, and a browser that is a phone; for the tests of the field application."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from waitress import create_server

from inspect_web import demo
from inspect_web.app import create_app
from inspect_web.store import accounts, devices, items, licences
from inspect_web.store.database import Store, create_store

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SITE = {"latitude": 43.932, "longitude": -116.677, "accuracy": 8}
PHONE = {"viewport": {"width": 360, "height": 740}, "geolocation": SITE,
         "permissions": ["geolocation"], "has_touch": True}  # fmt: skip


@dataclass
class County:
    """What the tests ask of the server's side."""

    base: str
    store: Store
    licence: str
    people: dict[str, Any]

    def link(self, login: str = "health") -> str:
        with self.store.write() as connection:
            owner = next(a for a in accounts.everyone(connection) if a.login == login)
            token = devices.new_link(connection, owner.id, self.licence, datetime.now(UTC))
        return f"{self.base}/enrol/{token}"

    def seen(self) -> list[Any]:
        with self.store.read() as connection:
            return items.observations(connection, self.licence)

    def photos_missing(self) -> list[str]:
        with self.store.read() as connection:
            return items.photos_missing(connection, licence=self.licence)

    def of(self, page: Any) -> list[Any]:
        """What has arrived from the phone of *page*, by its numbers."""
        mine = page.evaluate(READ_DEVICE)
        return sorted((o for o in self.seen() if o.device == mine), key=lambda o: o.sequence)


READ_DEVICE = """() => new Promise((done) => {
  const open = indexedDB.open('inspect');
  open.onsuccess = () => {
    const asked = open.result.transaction('meta').objectStore('meta').get('device');
    asked.onsuccess = () => done(asked.result.device_id);
  };
})"""


def serve(home: Path) -> tuple[County, Any]:
    store = create_store(home, f"sqlite:///{home / 'inspect.db'}")
    people = {p.login: p for p in demo.fill(store, datetime.now(UTC) + timedelta(hours=2))}
    app = create_app(store, secret="t" * 40, demo=True)
    server = create_server(app, host="127.0.0.1", port=0, threads=8)
    threading.Thread(target=_run, args=(server,), daemon=True).start()
    with store.read() as connection:
        (licence,) = licences.everyone(connection)
    return County(f"http://127.0.0.1:{server.effective_port}", store, licence.id, people), server


def _run(server: Any) -> None:
    with contextlib.suppress(OSError):  # its sockets are closed under it at the end
        server.run()


def enrol(context: Any, county: County, login: str = "health") -> Any:
    """A page with the checklist of *login*, on a phone that has just been enrolled."""
    page = context.new_page()
    page.goto(county.link(login))
    page.click("#go")
    page.click("text=Open the checklist")
    page.wait_for_selector(".row")
    return page


def record(
    page: Any, condition: str, *, number: str = "", finding: str = "", note: str = ""
) -> None:
    page.goto(page.url.split("#")[0] + f"#/item/{condition}")
    page.wait_for_selector(f"h1:has-text('{condition} ')")
    if number:
        page.fill("#value", number)
    if finding:
        page.click(f"label.choice.{finding}")
    if note:
        page.locator("textarea").last.fill(note)
    page.click("button.save")
    page.wait_for_selector(".groups")


def kill(profile: Path) -> None:
    """SIGKILL to every process of the browser that uses *profile*."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if f"--user-data-dir={profile}".encode() in command:
                os.kill(int(entry.name), signal.SIGKILL)
