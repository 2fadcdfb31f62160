"""Who may do what, for every route the application has, every verb and every person of every agency."""

import re

import pytest
from flask import url_for

from inspect_web import demo
from inspect_web.app import create_app
from inspect_web.store import accounts, acts
from tests.inspect.conftest import SECRET
from tests.inspect.story import local, tell

PASSWORD = "correct horse battery"
VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PEOPLE = {login: (role, agency) for login, _, role, agency in demo.PEOPLE}
READ = {"inspector", "coordinator", "board"}
ROLES = {  # the roles that a route serves; a new route without a line here fails the test
    "access.start": READ, "office.licences": READ, "office.dashboard": READ, "office.live": READ,
    "office.licence_page": READ, "office.condition_page": READ, "office.items_page": READ,
    "office.photo": READ, "office_files.items_csv": READ, "office_files.items_geojson": READ,
    "office_files.ics_211": READ, "office_files.ics_214": READ,
    "office_acts.notices": READ, "board.licences": READ, "board.decision": READ,
    "office.devices_page": {"coordinator"}, "office.new_device": {"coordinator"},
    "office.revoke": {"coordinator"},
    "office_acts.new_notice": {"coordinator", "board"}, "office_acts.reply": {"coordinator", "board"},
    "board.timeline": {"coordinator", "board"}, "board.packet": {"coordinator", "board"},
    "board.packet_pdf": {"coordinator", "board"}, "board.packet_html": {"coordinator", "board"},
    "board.waive": {"board"}, "board.move": {"board"}, "board.confirm": {"board"},
}  # fmt: skip
OPEN = {"access.login", "access.sign_in", "access.logout", "static"}
PHONES = ("api.", "shell.")  # no session there; what needs a phone's signature is below
UNSIGNED = {"api._enrol": 415, "api._accept": 415, "api._answer": 200}


@pytest.fixture
def served(lite):
    licence, _, _, _ = tell(lite)
    made = create_app(lite, secret=SECRET, demo=True, clock=lambda: local(20, 2))
    with lite.write() as connection:
        hashed = accounts._hasher.hash(PASSWORD)
        connection.execute(accounts.account.update().values(password_hash=hashed))
        mover = next(a for a in accounts.everyone(connection) if a.login == "board")
        motion = acts.move(connection, licence.id, mover, local(20, 1), choice="keep",
                           motion="to keep", vote="3:0", reasons="cured")  # fmt: skip
    made.values = {"licence": licence.id, "motion": motion["id"], "condition": "R2",
                   "device": "x", "notice": "x", "sha256": "0" * 64}  # fmt: skip
    return made


def client_of(app, login):
    client = app.test_client()
    if login:
        client.post("/login", data={"csrf": token(client), "login": login, "password": PASSWORD})
    return client


def token(client):
    return re.search(r'name="csrf" value="([^"]+)"', client.get("/login").text)[1]


def routes(app):
    """Every page's route with its path filled in."""
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if rule.endpoint not in OPEN and not rule.endpoint.startswith(PHONES):
                values = {name: app.values[name] for name in rule.arguments}
                yield rule.endpoint, rule.methods, url_for(rule.endpoint, **values)


def may(endpoint, login) -> bool:
    role, agency = PEOPLE[login]
    if endpoint == "board.confirm":  # by a second person of the Board, or by the clerk
        return login != "board" and (role == "board" or agency == "clerk")
    return role in ROLES[endpoint]


def test_every_route_serves_exactly_its_people(served) -> None:
    agencies = {agency for _, agency in PEOPLE.values()}
    assert {"sheriff", "fire-district", "health-district", "road-director"} < agencies
    wrong = []
    for login in PEOPLE:
        client = client_of(served, login)
        form = {"csrf": token(client), "password": PASSWORD}
        for endpoint, methods, path in routes(served):
            for verb in VERBS:
                status = client.open(path, method=verb, data=form).status_code
                if verb not in methods and any(
                    verb in m for _, m, p in routes(served) if p == path
                ):
                    continue  # another route of this path answers the verb
                good = (
                    status == 405
                    if verb not in methods
                    else (status != 403) == may(endpoint, login)
                )
                if not good:
                    wrong.append((login, verb, path, status))
    assert wrong == []


def test_nobody_sees_anything_without_signing_in(served) -> None:
    client = client_of(served, "")
    form = {"csrf": token(client), "password": PASSWORD}
    for _, methods, path in routes(served):
        for verb in methods & set(VERBS):
            answer = client.open(path, method=verb, data=form)
            assert answer.status_code == 302, (verb, path)
            assert answer.headers["Location"].startswith("/login"), (verb, path)


def test_what_is_a_phones_own_needs_its_signature(served) -> None:
    client = served.test_client()
    with served.test_request_context():
        for rule in served.url_map.iter_rules():
            if rule.endpoint.startswith("api."):
                values = {"licence_id": served.values["licence"], "sha256": "0" * 64}
                path = url_for(rule.endpoint, **{n: values[n] for n in rule.arguments})
                for verb in rule.methods & set(VERBS):
                    status = client.open(path, method=verb).status_code
                    assert status == UNSIGNED.get(rule.endpoint, 401), (verb, path)


def test_a_session_ends_after_ten_hours_of_use_and_its_cookie_is_guarded(served) -> None:
    moment = [local(20, 2)]
    app = create_app(
        served.extensions["store"], secret=SECRET, secure=True, clock=lambda: moment[0]
    )
    client = app.test_client()
    https = {"base_url": "https://county.example"}
    page = client.get("/login", **https).text
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)[1]
    form = {"csrf": csrf, "login": "board", "password": PASSWORD}
    cookie = client.post("/login", data=form, **https).headers["Set-Cookie"]
    assert cookie.startswith("__Host-inspect=")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    for quarter in range(1, 42):
        moment[0] = local(20, 2) + quarter * (local(20, 3) - local(20, 2)) / 4
        status = client.get("/board/", **https).status_code
        assert status == (200 if quarter <= 40 else 302), quarter
