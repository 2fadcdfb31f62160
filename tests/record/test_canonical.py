"""Canonical JSON is the same bytes for the same content, and refuses what encoders disagree on."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_eval.record.canonical import canonical_bytes

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_canonical_form_reads_back_and_is_stable(value) -> None:
    written = canonical_bytes(value)
    assert json.loads(written) == value
    assert canonical_bytes(json.loads(written)) == written


def test_keys_are_sorted_and_no_space_is_wasted() -> None:
    assert canonical_bytes({"b": 1, "a": ["é", None]}) == '{"a":["é",null],"b":1}'.encode()


def test_a_float_is_refused_with_its_place() -> None:
    with pytest.raises(TypeError, match=r"\$\.a\[1\]"):
        canonical_bytes({"a": [1, 0.1]})
