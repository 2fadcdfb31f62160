"""What can go wrong between a phone, a page and the ledger; each error has a stable code."""

from __future__ import annotations

from typing import Any


class InspectError(Exception):
    """A request or a file that cannot be taken. ``str(error)`` is one sentence with the mend."""

    code = "error"
    status = 400

    def __init__(
        self, place: str, fault: str, mend: str, *, found: Any = "", expected: str = ""
    ) -> None:
        """Say *place*, *fault* and *mend*, none with a full stop; *found* is shown shortened."""
        self.place = place
        self.fault = fault
        self.mend = mend
        self.found = str(found)[:200]
        self.expected = expected or fault
        super().__init__(f"{place}: {fault}; {mend}.")


class InvalidItem(InspectError):  # noqa: N818 - named for what it is
    """An item whose form is wrong; the phone sets it aside."""

    code = "invalid-item"
    status = 422


class BadSignature(InspectError):  # noqa: N818 - named for what it is
    """A signature that the enrolled key did not make."""

    code = "bad-signature"
    status = 422


class UnknownDevice(InspectError):  # noqa: N818 - named for what it is
    """A request that no enrolled device signed; the phone keeps its items and tries later."""

    code = "unknown-device"
    status = 401


class NotAllowed(InspectError):  # noqa: N818 - named for what it is
    """An account or device that may not do this."""

    code = "not-allowed"
    status = 403


class NotFound(InspectError):  # noqa: N818 - named for what it is
    """Nothing has this name."""

    code = "not-found"
    status = 404


class Gone(InspectError):  # noqa: N818 - named for what it is
    """A link that was used or has run out."""

    code = "gone"
    status = 410


class WrongOffset(InspectError):  # noqa: N818 - named for what it is
    """A chunk that does not continue what has arrived."""

    code = "wrong-offset"
    status = 409

    def __init__(self, place: str, received: int) -> None:
        """*received* is the offset, in bytes, at which the next chunk begins."""
        super().__init__(place, f"{received} bytes have arrived", f"continue at offset {received}")
        self.received = received


class TooLarge(InspectError):  # noqa: N818 - named for what it is
    """More bytes, pixels or pieces than are taken."""

    code = "too-large"
    status = 413


class NotAPhoto(InspectError):  # noqa: N818 - named for what it is
    """Bytes that are not a whole picture or clip of a kind that is taken."""

    code = "not-a-photo"
    status = 422


class TooMany(InspectError):  # noqa: N818 - named for what it is
    """More requests than one device or account may make."""

    code = "too-many"
    status = 429


class SetupError(InspectError):
    """An installation that cannot start."""

    code = "setup"
    status = 500
