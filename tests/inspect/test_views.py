"""Pages for people: who sees what, forms with tokens, a decision by two, time travel."""

import csv
import io
import re
import subprocess
import sys
from datetime import timedelta

import pytest

from inspect_web import demo, packets
from inspect_web.app import create_app
from inspect_web.errors import SetupError
from inspect_web.views.office_files import harmless
from tests.inspect.conftest import SECRET
from tests.inspect.story import local, tell


@pytest.fixture
def evening(lite):
    """The application after the story's evening, and each person's password."""
    licence, _, ids, phones = tell(lite)
    made = create_app(lite, secret=SECRET, demo=True, clock=lambda: made.now)
    made.now = local(20, 2)
    made.licence, made.ids, made.store, made.phones = licence, ids, lite, phones
    from inspect_web.store import accounts

    hashed = accounts._hasher.hash("correct horse battery")
    with lite.write() as connection:
        connection.execute(accounts.account.update().values(password_hash=hashed))
    return made


def sign_in(app, login, password="correct horse battery"):
    client = app.test_client()
    page = client.get("/login").text
    answer = client.post("/login", data={"csrf": token(page), "login": login, "password": password})
    client.login_status = answer.status_code
    return client


def token(page):
    return re.search(r'name="csrf" value="([^"]+)"', page)[1]


def post(client, path, page, **form):
    return client.post(path, data={"csrf": token(client.get(page).text), **form})


PAGES = {  # path: the roles that may see it; nobody without signing in
    "/office/": {"coordinator", "board", "inspector"},
    "/office/{}/": {"coordinator", "board", "inspector"},
    "/office/{}/live": {"coordinator", "board", "inspector"},
    "/office/{}/items": {"coordinator", "board", "inspector"},
    "/office/{}/items.csv": {"coordinator", "board", "inspector"},
    "/office/{}/items.geojson": {"coordinator", "board", "inspector"},
    "/office/{}/licence": {"coordinator", "board", "inspector"},
    "/office/{}/conditions/R2": {"coordinator", "board", "inspector"},
    "/office/{}/notices": {"coordinator", "board", "inspector"},
    "/office/{}/devices": {"coordinator"},
    "/board/{}/": {"coordinator", "board"},
    "/board/{}/packet": {"coordinator", "board"},
    "/board/{}/packet.pdf": {"coordinator", "board"},
    "/board/{}/decision": {"coordinator", "board", "inspector"},
}
POSTS = {  # path: the roles whom the path does not refuse as such (403)
    "/office/{}/devices": {"coordinator"},
    "/office/{}/devices/x/revoke": {"coordinator"},
    "/office/{}/notices": {"coordinator", "board"},
    "/office/{}/notices/x/reply": {"coordinator", "board"},
    "/board/{}/motions": {"board"},
    "/board/{}/waivers": {"board"},
}
LOGINS = {
    "coordinator": "coordinator",
    "board": "board",
    "sheriff": "inspector",
    "clerk": "inspector",
}


def test_the_authorisation_matrix_of_pages(evening) -> None:
    for login, role in LOGINS.items():
        client = sign_in(evening, login)
        for path, roles in PAGES.items():
            status = client.get(path.format(evening.licence.id)).status_code
            assert status == (200 if role in roles else 403), (login, path)
    nobody = evening.test_client()
    for path in PAGES:
        assert nobody.get(path.format(evening.licence.id)).status_code == 302


def test_the_authorisation_matrix_of_forms(evening) -> None:
    for login, role in LOGINS.items():
        client = sign_in(evening, login)
        for path, roles in POSTS.items():
            answer = post(
                client,
                path.format(evening.licence.id),
                "/office/",
                password="correct horse battery",
            )
            assert (answer.status_code == 403) == (role not in roles), (login, path, answer.text)
            bare = client.post(path.format(evening.licence.id))
            assert bare.status_code == 403, "a form without its token"


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [("/no-such-page", 404, "Not Found"), ("/board/none/", 404, "none"), ("/login", 405, "Method")],
)
def test_a_refusal_says_what_is_wrong(evening, path, status, words) -> None:
    client = sign_in(evening, "board")
    answer = client.put(path) if status == 405 else client.get(path)
    alert = re.search(r'role="alert">(.*?)</p>', answer.text, re.DOTALL)[1]
    said = re.sub(r"<[^>]*>", "", alert)
    assert answer.status_code == status
    assert words in said
    assert re.search(r"[a-z]{3,}.*\.", said)
    assert ": ." not in said


def test_a_wrong_password_is_refused_and_guessing_is_slowed(evening) -> None:
    assert sign_in(evening, "board").login_status == 302
    assert [sign_in(evening, "board", "wrong wrong wrong").login_status for _ in range(9)][-2:] == [
        401,
        429,
    ]
    assert sign_in(evening, "board").login_status == 429
    evening.now += timedelta(minutes=16)
    assert sign_in(evening, "board").login_status == 302


def test_a_session_ends_when_nobody_uses_it(evening) -> None:
    client = sign_in(evening, "coordinator")
    evening.now += timedelta(minutes=31)
    assert client.get("/office/").status_code == 302


def test_signing_in_never_leads_to_another_host(evening) -> None:
    client = evening.test_client()
    form = {"login": "board", "password": "correct horse battery"}
    for place in (
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/office//evil.example",
    ):
        page = client.get("/login").text
        answer = client.post("/login", data=form | {"csrf": token(page), "next": place})
        assert answer.headers["Location"] == "/"


def test_headers_forbid_inline_script_and_pages_have_none(evening) -> None:
    client = sign_in(evening, "coordinator")
    for path in [p for p in PAGES if not p.endswith(("csv", "geojson", "pdf"))]:
        answer = client.get(path.format(evening.licence.id))
        assert "'unsafe" not in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=", answer.text), path


def test_the_dashboard_shows_states_and_margins(evening) -> None:
    page = sign_in(evening, "coordinator").get(f"/office/{evening.licence.id}/live").text
    assert re.search(r'conditions/R2">R2</a>.*?state-ceased', page, re.DOTALL)
    row = re.search(r'conditions/T1">T1</a>(.*?)</tr>', page, re.DOTALL)[1]
    assert "ceil(1,250" in row
    assert "<td>-1</td>" in row
    assert "180 min" in row


def test_the_live_part_is_sent_only_when_it_changed(evening) -> None:
    client = sign_in(evening, "coordinator")
    path = f"/office/{evening.licence.id}/live"
    tag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304


def test_words_of_an_inspector_are_never_markup(evening) -> None:
    from inspect_web.store import items

    phone = evening.phones["sheriff"]
    envelope = phone.item(
        "N2", "met", at=local(20, 1), note="<script>alert(1)</script> #let x = 1 =1+1"
    )
    items.accept(evening.store, envelope, local(20, 1), carried_by=phone.device_id)
    client = sign_in(evening, "coordinator")
    page = client.get(f"/office/{evening.licence.id}/items").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert client.get(f"/board/{evening.licence.id}/packet.pdf").data.startswith(b"%PDF")
    assert harmless("=1+1") == "'=1+1"


def test_what_was_known_is_a_query(evening) -> None:
    """The second block, observed 22:20, arrived at 01:00: at 23:30 the county thought it cured."""
    client = sign_in(evening, "board")
    at = local(19, 23, 30).strftime("%Y-%m-%dT%H:%MZ")
    before = client.get(f"/board/{evening.licence.id}/?known_at={at}").text
    after = client.get(f"/board/{evening.licence.id}/").text
    state = lambda page: re.search(r"conditions/R2.*?state state-([a-z-]+)", page, re.DOTALL)[1]  # noqa: E731
    assert state(before) in {"cured", "stale"}
    assert state(after) == "ceased"
    assert client.get(f"/board/{evening.licence.id}/?known_at=yesterday").status_code == 404


def test_a_revocation_needs_a_second_person(evening) -> None:
    licence = evening.licence.id
    board = sign_in(evening, "board")
    page = f"/board/{licence}/decision"
    form = {"choice": "revoke", "motion": "To revoke", "vote": "2 to 1", "reasons": "№ 6 and № 8"}
    wrong = post(board, f"/board/{licence}/motions", page, **form, password="not my password")
    assert wrong.status_code == 403
    assert (
        post(
            board, f"/board/{licence}/motions", page, **form, password="correct horse battery"
        ).status_code
        == 303
    )
    motion = re.search(r"motions/([0-9a-f]+)/confirm", sign_in(evening, "chair").get(page).text)[1]
    own = post(
        board, f"/board/{licence}/motions/{motion}/confirm", page, password="correct horse battery"
    )
    assert own.status_code == 403
    assert "in-force" in board.get(page).text
    sheriff = sign_in(evening, "sheriff")
    assert post(sheriff, f"/board/{licence}/motions/{motion}/confirm", page,
                password="correct horse battery").status_code == 403  # fmt: skip
    chair = sign_in(evening, "chair")
    assert post(chair, f"/board/{licence}/motions/{motion}/confirm", page,
                password="correct horse battery").status_code == 303  # fmt: skip
    phone = evening.phones["sheriff"]
    told = phone.get(evening.test_client(), "/api/v1/devices/me").get_json()
    assert told["licence_state"] == "revoked"


def test_a_waiver_by_the_board_shows_in_the_state(evening) -> None:
    licence = evening.licence.id
    board = sign_in(evening, "board")
    answer = post(board, f"/board/{licence}/waivers", f"/board/{licence}/decision", condition="T1",
                  order="Order 2027-9", begins="2027-06-19T23:00", ends="2027-06-20T18:00",
                  password="correct horse battery")  # fmt: skip
    assert answer.status_code == 303
    evening.now += timedelta(minutes=1)
    assert "state-waived" in board.get(f"/office/{licence}/conditions/T1").text


def test_a_phone_is_enrolled_by_a_code_and_revoked(evening) -> None:
    licence = evening.licence.id
    client = sign_in(evening, "coordinator")
    page = client.get(f"/office/{licence}/devices").text
    account = re.search(r'<option value="([^"]+)">Fran', page)[1]
    made = post(
        client, f"/office/{licence}/devices", f"/office/{licence}/devices", account=account
    ).text
    assert re.search(r"/enrol/[\w-]{40,}", made)
    assert "data:image/svg+xml" in made
    device = evening.phones["roads"].device_id
    assert (
        post(
            client, f"/office/{licence}/devices/{device}/revoke", f"/office/{licence}/devices"
        ).status_code
        == 303
    )
    assert "revoked 2027" in client.get(f"/office/{licence}/devices").text


def test_exports_hold_every_item(evening) -> None:
    client = sign_in(evening, "coordinator")
    rows = client.get(f"/office/{evening.licence.id}/items.csv").text.strip().splitlines()
    assert len(rows) == 8
    points = client.get(f"/office/{evening.licence.id}/items.geojson").get_json(force=True)
    assert len(points["features"]) == 7


def test_the_agencies_take_away_a_check_in_list_and_an_activity_log(evening) -> None:
    client = sign_in(evening, "sheriff")
    read = lambda name: list(  # noqa: E731
        csv.DictReader(io.StringIO(client.get(f"/office/{evening.licence.id}/{name}.csv").text))
    )
    checked_in, log = read("ics-211"), read("ics-214")
    assert {row["Agency"] for row in checked_in} == {
        "Sheriff", "Road and bridge director", "Health district"
    }  # fmt: skip
    assert len(log) == 8  # seven observations and a notice
    times = [row["Date and time"] for row in log]
    assert times == sorted(times)
    (notice,) = (row for row in log if row["Agency"] == "Office")
    assert (notice["Date and time"], notice["Entry"]) == ("2027-06-19 21:15", "№ 13")
    assert notice["Notable activity"].startswith("Notice (R2): Cars stand")


def test_photographs_are_served_as_clean_copies_only_of_the_licence(evening) -> None:
    client = sign_in(evening, "coordinator")
    page = client.get(f"/office/{evening.licence.id}/items").text
    (link,) = set(re.findall(r'href="(/office/\w+/photos/[0-9a-f]{64})"', page))
    copy, original = client.get(link), client.get(link + "?original=1")
    assert (copy.mimetype, copy.headers["Content-Security-Policy"][:7]) == ("image/jpeg", "sandbox")
    assert original.headers["Content-Disposition"].startswith("attachment")
    assert client.get(link[:-64] + "0" * 64).status_code == 404


def test_the_packet_cites_an_entry_for_every_fact(evening) -> None:
    with evening.store.read() as connection:
        dossier = packets.gather(evening.store, connection, evening.licence.id, evening.now)
    data = packets.packet_data(dossier)
    grounds = {g["id"]: g for g in data["grounds"]}
    assert list(grounds) == ["T1", "R2", "N2"]
    assert [row[0] for row in grounds["R2"]["supporting"]] == ["№ 6", "№ 8"]
    assert "(late)" in grounds["R2"]["supporting"][1][2]
    assert grounds["R2"]["cessations"][0].startswith("Ceased after 2027-06-19 20:40 (№ 5")
    assert "no later than 2027-06-19 21:10 (№ 6)" in grounds["R2"]["cessations"][0]
    assert grounds["R2"]["notices"][0]["said"].startswith("№ 13")
    assert grounds["N2"]["kind"] == "not complied with"


def test_the_packet_is_a_tagged_pdf_and_the_same_every_time(evening) -> None:
    import io

    from pypdf import PdfReader

    with evening.store.read() as connection:
        dossier = packets.gather(evening.store, connection, evening.licence.id, evening.now)
        photos = packets.photos_of(evening.store, connection, dossier)
    first = packets.packet_pdf(dossier, photos)
    assert first == packets.packet_pdf(dossier, photos)
    reader = PdfReader(io.BytesIO(first))
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert reader.trailer["/Root"]["/Lang"] == "en-US"
    text = "".join(page.extract_text() for page in reader.pages)
    assert "ceases to be complied with" in text
    assert sum(len(page.images) for page in reader.pages) == 1


def test_a_short_secret_is_refused(lite) -> None:
    with pytest.raises(SetupError, match="init"):
        create_app(lite, secret="short")


def test_the_app_loads_no_geometry_library() -> None:
    code = (
        "import sys, inspect_web.cli, inspect_web.app, inspect_web.evidence.bundle;"
        "print([m for m in ('shapely','pandas','geopandas','pyproj','rasterio','osgeo','numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert demo.NUMBER == "2027-01"
