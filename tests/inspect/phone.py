"""A phone for tests: makes its key, numbers and signs its items, independent of the product's code."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import uuid
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from PIL import Image


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def canon(value) -> bytes:
    """RFC 8785 for what items hold: integers, strings of the Basic Multilingual Plane, objects."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Phone:
    def __init__(self, licence_id: str):
        self.key = ec.generate_private_key(ec.SECP256R1())
        numbers = self.key.public_key().public_numbers()
        self.jwk = {"kty": "EC", "crv": "P-256", "x": b64(numbers.x.to_bytes(32)),
                    "y": b64(numbers.y.to_bytes(32)), "ext": True, "key_ops": ["verify"]}  # fmt: skip
        self.licence_id, self.device_id = licence_id, ""
        self.seq, self.prev = 0, ""

    def sign(self, data: bytes) -> str:
        r, s = decode_dss_signature(self.key.sign(data, ec.ECDSA(hashes.SHA256())))
        return b64(r.to_bytes(32) + s.to_bytes(32))

    def item(self, condition, finding="met", *, at, value=None, unit="", photos=(), place=None,
             error_ms=1000, **changes):  # fmt: skip
        """The next signed item of this phone, as it is sent."""
        self.seq += 1
        kind = "yes-no" if value is None else "count"
        item = {
            "id": str(uuid.uuid4()), "device_id": self.device_id, "seq": self.seq,
            "prev": self.prev, "licence_id": self.licence_id, "checklist_version": 1,
            "item_id": condition, "finding": finding,
            "answer": {"kind": kind, "value": "" if value is None else str(value), "unit": unit},
            "note": "", "observed_at": iso(at),
            "clock": {"elapsed_ms": self.seq * 1000, "offset_ms": 0, "error_ms": error_ms},
            "place": place, "corrects": "",
            "photos": [{"sha256": hashlib.sha256(p).hexdigest(), "bytes": len(p),
                        "type": "image/jpeg"} for p in photos],
        } | changes  # fmt: skip
        self.prev = hashlib.sha256(canon(item)).hexdigest()
        return self.signed(item)

    def signed(self, item):
        return {"item": item, "signature": self.sign(canon(item))}

    def headers(self, method, path, body=b"", *, at=None):
        ms = int((at or datetime.now(UTC)).timestamp() * 1000)
        text = f"{method}\n{path}\n{ms}\n{hashlib.sha256(body).hexdigest()}"
        return {"Authorization": f"Device {self.device_id}:{ms}:{self.sign(text.encode())}"}

    def get(self, client, path, **more):
        return client.get(path, headers=self.headers("GET", path, at=more.pop("at", None)), **more)

    def send(self, client, envelope):
        return client.post("/api/v1/items", json=envelope)

    def upload(self, client, photo, *, chunk=256 * 1024, start=0, sha=None, at=None):
        """Send what is left of a photo, chunk by chunk; the last answer."""
        path = f"/api/v1/photos/{sha or hashlib.sha256(photo).hexdigest()}"
        for offset in range(start, len(photo), chunk):
            part = photo[offset : offset + chunk]
            answer = client.patch(
                path, data=part,
                headers=self.headers("PATCH", path, part, at=at)
                | {"Upload-Offset": str(offset), "Upload-Length": str(len(photo))},
                content_type="application/octet-stream",
            )  # fmt: skip
            if answer.status_code != 204:
                break
        return answer


def picture(colour=(200, 30, 30), size=(64, 48), kind="JPEG", **save) -> bytes:
    stream = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(stream, kind, **save)
    return stream.getvalue()


def minutes(start, count):
    return start + timedelta(minutes=count)
