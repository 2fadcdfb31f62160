"""Canonical JSON (RFC 8785) of integers, strings, booleans, nulls, lists and objects.

Floating-point numbers are refused: encoders disagree about them, and a hash must not.
"""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785


def canonical_bytes(value: Any) -> bytes:
    """The RFC 8785 form of *value*; raises ``TypeError`` for a float, naming its place."""
    _refuse_floats(value, "$")
    return rfc8785.dumps(value)


def canonical_sha256(value: Any) -> str:
    """SHA-256 of the canonical form, lower-case hexadecimal."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def _refuse_floats(value: Any, place: str) -> None:
    if isinstance(value, float):
        raise TypeError(f"{place} is a floating-point number; write an integer or a string")
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_floats(item, f"{place}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _refuse_floats(item, f"{place}[{index}]")
