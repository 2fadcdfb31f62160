"""Questions to a web service, asked with patience: retries, back-off, and no trust in half answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from site_eval import __version__
from site_eval.errors import LayerError

MAX_ANSWER_BYTES = 512 * 1024**2
# A service may ask for a pause, but not for a day.
MAX_PAUSE_S = 120
# Failures that ask for another attempt, whether told by the status or inside an answer.
BUSY = {429, 500, 502, 503, 504}
OFFLINE, UNREACHABLE, REFUSED = "layer.offline", "layer.unreachable", "layer.refused"

T = TypeVar("T")


@dataclass(frozen=True)
class Manners:
    """How a service is asked: attempts in all, the first pause (doubled each time), patience."""

    tries: int = 5
    pause_s: float = 1.0
    timeout_s: float = 60.0


@dataclass(frozen=True)
class Web:
    """An open session and its manners; ``asked`` counts the questions put."""

    session: requests.Session
    manners: Manners
    asked: list[str]


class HalfAnswerError(Exception):
    """An answer that is cut off or not what was asked for; it may come whole the next time."""

    def __init__(self, fault: str, mend: str) -> None:
        """Say the *fault* and the *mend* as the error will, if the answer never comes whole."""
        self.fault, self.mend = fault, mend
        super().__init__(fault)


@contextmanager
def open_web(manners: Manners) -> Iterator[Web]:
    """A session that asks again after 429 and 5xx, as long as ``Retry-After`` says."""
    retry = Retry(
        total=manners.tries - 1,
        connect=min(2, manners.tries - 1),
        backoff_factor=manners.pause_s,
        backoff_max=MAX_PAUSE_S,
        status_forcelist=BUSY,
        allowed_methods={"GET", "HEAD"},
        respect_retry_after_header=True,
        retry_after_max=MAX_PAUSE_S,
        raise_on_status=False,
    )
    with requests.Session() as session:
        session.headers["User-Agent"] = f"site-eval/{__version__}"
        # A link to the next page may have lost the word for JSON, and a browser gets a web page.
        session.headers["Accept"] = "application/geo+json, application/json;q=0.9, */*;q=0.5"
        for scheme in ("http://", "https://"):
            session.mount(scheme, HTTPAdapter(max_retries=retry))
        yield Web(session, manners, [])


def ask_json(web: Web, url: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The JSON object that *url* answers, whole and without an error inside.

    Raises ``LayerError``: code ``layer.offline`` when the host's name is not known here,
    ``layer.unreachable`` when it does not answer, else ``layer.refused``.
    """
    return patiently(web, url, lambda: _object(url, _body(web, url, params)))


def ask_bytes(
    web: Web, url: str, params: Mapping[str, Any], sound: Callable[[bytes], bool], what: str
) -> bytes:
    """The body that *url* answers, once *sound* says that it is *what* was asked for."""

    def attempt() -> bytes:
        body = _body(web, url, params)
        if not sound(body):
            _object(url, body)
            raise HalfAnswerError(f"the answer is no {what}", "try again later")
        return body

    return patiently(web, url, attempt)


def patiently(web: Web, url: str, attempt: Callable[[], T]) -> T:
    """What *attempt* gives, made again after half answers with a pause that doubles."""
    last = HalfAnswerError("no attempt was allowed", "allow at least one")
    for number in range(web.manners.tries):
        if number:
            time.sleep(min(MAX_PAUSE_S, web.manners.pause_s * 2 ** (number - 1)))
        try:
            return attempt()
        except HalfAnswerError as half:
            last = half
    raise refused(url, last.fault, last.mend)


def refused(url: str, fault: str, mend: str) -> LayerError:
    """The error of a service that was reached and did not give what was asked."""
    return LayerError(_short(url), plain(fault), plain(mend), code=REFUSED)


def plain(words: str) -> str:
    """One line of *words* that came from a server: no breaks, no signs that steer a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())


def opened(web: Web, url: str, **options: Any) -> requests.Response:
    """The response to a GET, of status 200 or 206; its body may still have to be read."""
    web.asked.append(url)
    try:
        response = web.session.get(url, timeout=web.manners.timeout_s, **options)
    except requests.RequestException as error:
        raise unreachable(url, error) from None
    if response.status_code not in {200, 206}:
        response.close()
        raise _of_status(url, response.status_code)
    return response


def unreachable(url: str, error: Exception) -> LayerError:
    """One sentence for a host that does not answer, with the reason in plain words."""
    text = str(error)
    reasons = {
        "NameResolution": "its name is not known here; is this computer online?",
        "refused": "the connection is refused",
        "timed out": "it does not answer in time",
        "CERTIFICATE": "its certificate cannot be verified; a sign-in page may be in between",
        "reset": "it breaks the connection off",
        "aborted": "it breaks the connection off",
    }
    reason = next((why for sign, why in reasons.items() if sign in text), "the connection fails")
    return LayerError(
        _short(url),
        f"the service cannot be reached ({reason})",
        "go online, or try later with --resume, which keeps the pages that are there",
        code=OFFLINE if "NameResolution" in text else UNREACHABLE,
    )


def _body(web: Web, url: str, params: Mapping[str, Any] | None) -> bytes:
    with opened(web, url, params=params, stream=True) as response:
        try:
            body = bytearray()
            for block in response.iter_content(1 << 20):
                body += block
                if len(body) > MAX_ANSWER_BYTES:
                    raise refused(url, "an answer is larger than 512 MB", "lower page_rows")
        except requests.RequestException:
            raise HalfAnswerError(
                "the answer breaks off", "try again later with --resume"
            ) from None
    return bytes(body)


def _object(url: str, body: bytes) -> dict[str, Any]:
    if body.lstrip()[:1] == b"<":
        raise HalfAnswerError(
            "the answer is a web page, not data",
            "open the address in a browser: a sign-in page may be in between, or it has moved",
        )
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise HalfAnswerError(
            "the answer is cut off or is not JSON", "try again later with --resume"
        ) from None
    if not isinstance(content, dict):
        raise HalfAnswerError("the answer is not a JSON object", "check the address")
    if content.get("error"):
        raise _told_inside(url, content["error"])
    return content


def _told_inside(url: str, error: Any) -> Exception:
    """An ArcGIS error comes with status 200; a busy server's is worth another attempt."""
    code = error.get("code") if isinstance(error, dict) else None
    words = str(error.get("message") or "no reason") if isinstance(error, dict) else str(error)
    fault = f"the service answers '{plain(words)[:120]}'" + (f" ({code})" if code else "")
    if code in {498, 499}:
        return refused(url, fault, "name a layer that is open to all")
    if code is None or code in BUSY:
        return HalfAnswerError(fault, "try again later with --resume")
    return refused(url, fault, "check the recipe's address, layer and where-clause")


def _of_status(url: str, status: int) -> LayerError:
    mends = {
        401: "name a layer that is open to all",
        403: "name a layer that is open to all",
        404: "check the address: the service may have moved",
    }
    mend = "try again later with --resume" if status in BUSY else mends.get(status, "check it")
    return refused(url, f"the service answers with status {status}", mend)


def _short(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"
