"""How many signed items a second the server takes: ``inspect_load.py [SECONDS [ITEMS_A_SECOND]]``.

Starts ``inspect-web serve`` on an empty SQLite home (or on DATABASE_URL) and lets twenty phones send
items: as fast as they are answered, or together ITEMS_A_SECOND. Tells the rate, the share that
succeeded and the 95th percentile of the answer times. Signing is done beforehand, so that the
phones cost little. An answer time counts from the moment at which the item was to be sent.
"""

import http.client
import json
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from inspect_web.store.database import create_store, write_secret
from tests.inspect.conftest import SECRET, fill, new_phone
from tests.inspect.phone import canon
from tests.inspect.test_kill import free_port, start

PHONES, PREPARED = 20, 1_500
PEOPLE = ("sheriff", "fire", "health", "roads")


def main(seconds: float, rate: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        store = create_store(home)
        fill(store)
        phones = [new_phone(store, PEOPLE[n % 4]) for n in range(PHONES)]
        store.engine.dispose()
        write_secret(home / "secret", SECRET.encode())
        now = datetime.now(UTC)
        bodies = [[canon(p.item("L3", at=now, value=1)) for _ in range(PREPARED)] for p in phones]
        port = free_port()
        server = start(home, port)
        times, failures = [], []
        begin = time.monotonic()
        end, every = begin + seconds, PHONES / rate if rate else 0.0
        workers = [
            threading.Thread(
                target=send,
                args=(port, own, begin + every * n / PHONES, every, end, times, failures),
            )
            for n, own in enumerate(bodies)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        server.kill()
        server.wait()
        name = store.engine.dialect.name
    times.sort()
    print(f"{name}: {PHONES} phones, {seconds:.0f} s: {len(times) / seconds:,.0f} items/s, "
          f"{100 * len(times) / (len(times) + len(failures)):.2f} % taken, "
          f"median {1000 * times[len(times) // 2]:.0f} ms, "
          f"95th percentile {1000 * times[int(0.95 * len(times))]:.0f} ms")  # fmt: skip


def send(port, bodies, first, every, end, times, failures) -> None:
    """One phone: an item each *every* seconds from *first* on, or at once after each answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for number, body in enumerate(bodies):
        due = first + number * every if every else time.monotonic()
        if max(due, time.monotonic()) > end:
            return
        time.sleep(max(0.0, due - time.monotonic()))
        try:
            connection.request("POST", "/api/v1/items", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            told = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            failures.append(repr(error))
            connection.close()
            continue
        if answer.status == 201 and told["receipt"]:
            times.append(time.monotonic() - due)
        else:
            failures.append(answer.status)


if __name__ == "__main__":
    given = [float(a) for a in sys.argv[1:]]
    main(given[0] if given else 60.0, given[1] if len(given) > 1 else 0.0)
