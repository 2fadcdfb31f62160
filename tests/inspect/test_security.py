"""What strangers send: whatever it is, the answer is a refusal with its reason and nothing is kept."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspect_web.app import create_app
from inspect_web.store import accounts, devices
from tests.inspect.conftest import SECRET, START, fill, new_phone

ROOT = Path(__file__).resolve().parents[2]
TEXTS = st.sampled_from(
    ["", "\x00", "a\x00b", "\ud800", "🙂", "../../etc/passwd", "' OR 1=1 --", "x" * 9000]
)
ODD = st.one_of(
    TEXTS, st.none(), st.booleans(), st.floats(), st.integers(), st.just(10**40),
    st.lists(TEXTS, max_size=2), st.dictionaries(TEXTS, TEXTS, max_size=2),
)  # fmt: skip
ANY = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3)
)


@pytest.fixture
def served(store):
    """The application on each database, with a phone."""
    fill(store)
    made = create_app(store, secret=SECRET, clock=lambda: START)
    made.phone = new_phone(store)
    return made


def refused(answer) -> None:
    assert 400 <= answer.status_code < 500, answer.text
    assert set(answer.get_json()) == {"code", "place", "found", "expected", "mend"}


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(body=ANY, path=st.sampled_from(["items", "enrolments"]))
def test_any_json_is_refused_in_the_one_shape(served, body, path) -> None:
    refused(served.test_client().post(f"/api/v1/{path}", json=body))


@pytest.mark.parametrize("name", ["device_id", "licence_id", "item_id", "item_code", "actor_id"])
def test_a_name_with_a_nul_is_refused(served, name) -> None:
    item = served.phone.item("R2", at=START, note="n")["item"]
    item[name] = "\0"
    refused(served.test_client().post("/api/v1/items", json=served.phone.signed(item)))


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_signed_item_with_one_odd_part_is_taken_whole_or_refused(served, data) -> None:
    item = served.phone.item("R2", at=START, note="n")["item"]
    where = data.draw(st.sampled_from([*item, "answer.value", "answer.unit", "clock.elapsed_ms"]))
    part, _, key = where.partition(".")
    odd = data.draw(ODD)
    if key:
        item[part][key] = odd
    else:
        item[part] = odd
    try:
        envelope = served.phone.signed(item)
    except (UnicodeEncodeError, ValueError):
        envelope = {"item": item, "signature": "A" * 86}
    answer = served.test_client().post("/api/v1/items", json=envelope)
    if answer.status_code in {201, 200, 409}:
        assert answer.get_json()["receipt"]["item_sha256"]
    else:
        refused(answer)


def test_a_phone_with_an_odd_name_enrols_or_keeps_its_link(served) -> None:
    store, client = served.extensions["store"], served.test_client()
    with store.write() as connection:
        owner = accounts.everyone(connection)[0]
        link = devices.new_link(connection, owner.id, served.phone.licence_id, START)
    asked = {"token": link, "public_key": served.phone.jwk}
    refused(client.post("/api/v1/enrolments", json=asked | {"device_name": "\ud800"}))
    answer = client.post(
        "/api/v1/enrolments", json=asked | {"device_name": "my \0phone" + "x" * 150}
    )
    assert answer.status_code == 201, answer.text


def test_a_nul_in_a_form_or_a_path_is_no_server_error(served) -> None:
    client = served.test_client()
    token = re.search(r'name="csrf" value="([^"]+)"', client.get("/login").text)[1]
    form = {"csrf": token, "login": "sher\0iff\0", "password": "wrong\0"}
    assert client.post("/login", data=form).status_code == 401
    for path in (
        "/office/%00/",
        "/enrol/%00",
        "/api/v1/photos/%00",
        "/api/v1/licences/%00/checklist",
    ):
        assert client.get(path).status_code == 404, path


@pytest.mark.parametrize("page", ["security.md", "reliability.md"])
def test_every_test_that_a_page_names_is_there(page) -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / page).read_text(encoding="utf-8")))
    written = {
        name
        for file in [*ROOT.glob("tests/inspect/test_*.py"), *ROOT.glob("tests/browser/test_*.py")]
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named
    assert named - written == set()
