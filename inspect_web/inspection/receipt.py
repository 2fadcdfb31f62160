"""Keys, signatures and receipts: ECDSA on P-256 as WebCrypto writes it (raw r and s, base64url)."""

from __future__ import annotations

import base64
import binascii
import hashlib
from datetime import datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)

from inspect_web.errors import InvalidItem
from inspect_web.inspection.observation import write_instant
from site_eval.record.canonical import canonical_bytes

SIZE = 32  # bytes of a coordinate, and of each half of a signature
ALGORITHM = ec.ECDSA(hashes.SHA256())


def make_receipt(
    item_id: str, item_sha256: str, received_at: datetime, ledger_seq: int, head: str
) -> dict[str, Any]:
    """What the county hands to the phone for one item; the phone may forget nothing without it."""
    return {
        "item_id": item_id,
        "item_sha256": item_sha256,
        "received_at": write_instant(received_at),
        "ledger_seq": ledger_seq,
        "head": head,
    }


def sign(key: ec.EllipticCurvePrivateKey, value: Any) -> str:
    """The signature of the canonical form of *value*."""
    return sign_bytes(key, canonical_bytes(value))


def sign_bytes(key: ec.EllipticCurvePrivateKey, data: bytes) -> str:
    """The signature of *data*."""
    r, s = decode_dss_signature(key.sign(data, ALGORITHM))
    return encode(r.to_bytes(SIZE) + s.to_bytes(SIZE))


def verified(jwk: dict[str, Any], signature: str, data: bytes) -> bool:
    """Whether the key of *jwk* made *signature* over *data*."""
    try:
        raw = decode(signature)
        if len(raw) != 2 * SIZE:
            return False
        der = encode_dss_signature(int.from_bytes(raw[:SIZE]), int.from_bytes(raw[SIZE:]))
        public_key(jwk).verify(der, data, ALGORITHM)
    except (InvalidSignature, InvalidItem, ValueError, binascii.Error):
        return False
    return True


def public_key(jwk: dict[str, Any]) -> ec.EllipticCurvePublicKey:
    """The key in *jwk*; raises ``InvalidItem`` when it is no point of P-256."""
    try:
        if (jwk["kty"], jwk["crv"]) != ("EC", "P-256"):
            raise KeyError("kty and crv")  # noqa: TRY301 - one fault, one sentence
        x, y = (int.from_bytes(decode(jwk[part])) for part in ("x", "y"))
        return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise InvalidItem(
            "public_key", f"not a P-256 public key ({error})", "send the key as a JWK"
        ) from None


def public_jwk(key: ec.EllipticCurvePublicKey) -> dict[str, str]:
    """The public half as a JWK, its four members alone."""
    numbers = key.public_numbers()
    return {
        "crv": "P-256",
        "kty": "EC",
        "x": encode(numbers.x.to_bytes(SIZE)),
        "y": encode(numbers.y.to_bytes(SIZE)),
    }


def plain_jwk(jwk: dict[str, Any]) -> dict[str, str]:
    """The four public members of *jwk*, whatever else a browser added; refuses a bad key."""
    return public_jwk(public_key(jwk))


def thumbprint(jwk: dict[str, Any]) -> str:
    """The id of a key: SHA-256 of its canonical JWK (RFC 7638), base64url."""
    return encode(hashlib.sha256(canonical_bytes(jwk)).digest())


def encode(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """The bytes of base64url without padding; refuses other letters."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
