"""The HTTP API as an owner with the edit secret, a program with an account's token, and a stranger use it.

Every answer is held against what the OpenAPI document says of that operation and status.
"""

import io
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.management import call_command, load_command_class
from django.db import connection
from django.test import Client
from django.urls import reverse
from jsonschema import Draft202012Validator

from rosters import changes, documents, standing, tokens
from rosters.api.openapi import openapi
from rosters.models import ApiToken, Revision, Roster, Visibility
from rosters.registry import SYSTEMS
from tests import paper
from tests.support import FIXTURES, reference
from tests.support import roster as document

pytestmark = pytest.mark.django_db

V1 = "/api/v1"
ARMIES = sorted(FIXTURES.glob("armies/*/*.json"))
SHIP = {"name": "Łódź 👩‍🚀", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
FLEET = document("msc", [SHIP, {**SHIP, "name": "Second"}], name="Fleet")
LARGER = document("msc", [SHIP, {**SHIP, "name": "Second"}, {**SHIP, "name": "Third"}], name="Fleet")
REFUSED = {**document("msc", [{**SHIP, "engine": "x", "speed": 1}]), "budget": True}
FAULTS = [
    {"path": "budget", "message": "must be a finite number"},
    {"path": "formations/0/elements/0/engine", "message": "must be a whole number"},
    {"path": "formations/0/elements/0/speed", "message": "is not a key that is known here"},
]
HIDDEN = ("HIDDEN-NAME", "HIDDEN-NOTES", "HIDDEN-ROSTER-NOTES")

# bodies that hold no document: what is sent, and the beginning of what is said of it
UNREADABLE = [
    (b"", "is not JSON"),
    (b"{", "is not JSON"),
    (b"[]", "must be an object"),
    (b"\xff", "is not UTF-8"),
    (b'{"a": 1, "a": 2}', "is not usable JSON: the key 'a' stands twice"),
    (b"[" * 100_000, "is nested too deeply"),
    (b"9" * 5000, "is not usable JSON"),
    (json.dumps({**FLEET, "name": "\ud800"}).encode(), "must be valid Unicode text"),
]


# ---------------------------------------------------------------- calling


@pytest.fixture(autouse=True)
def unlimited(settings):
    """No limits, unless a test sets its own."""
    cache.clear()
    for name in ("API_A_MINUTE", "CREATIONS_A_MINUTE", "PDFS_A_MINUTE"):
        setattr(settings, name, 0)


def told(method, path):
    """What the OpenAPI document says of an operation."""
    for pattern, operations in openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", r"[^/]+", pattern), path) and method.lower() in operations:
            return operations[method.lower()]
    return None


def held_to(schema, data):
    """Fail where ``data`` is not what a schema of the OpenAPI document says."""
    whole = {**schema, "components": openapi()["components"]}
    Draft202012Validator(whole).validate(data)


def call(method, path, data=None, *, bearer=None, client=None, **headers):
    """Send a request as a program does; the response is what the OpenAPI document says."""
    headers |= {"Authorization": f"Bearer {bearer}"} if bearer else {}
    body = data if isinstance(data, bytes | None) else documents.dumps(data).encode()
    headers["Content-Type"] = headers.pop("kind", "application/json")
    response = (client or Client()).generic(method, f"{V1}{path}", body or b"", headers=headers)
    operation = told(method, f"{V1}{path.split('?')[0]}")
    if operation is not None:
        said = operation["responses"][str(response.status_code)]
        if "application/json" in said.get("content", {}):
            assert response["Content-Type"] == "application/json"
            held_to(said["content"]["application/json"]["schema"], response.json())
    if response.status_code >= 400:
        held_to({"$ref": "#/components/schemas/Errors"}, {"errors": response.json()["errors"]})
    return response


def made(data=FLEET, **more):
    """A roster made through the API, as the answer tells of it."""
    response = call("POST", "/rosters", data, **more)
    assert response.status_code == 201
    return response.json()


def account(name):
    """An account with an API token."""
    user = get_user_model().objects.create_user(name, f"{name}@example.org", "a good password")
    return user, tokens.issue(user, "a program")


def in_database(roster):
    return Roster.objects.get(token=roster["token"])


def kept():
    """What every roster holds, to see that nothing was changed."""
    return [*Roster.objects.order_by("pk").values()], Revision.objects.count()


@pytest.fixture
def owner():
    """An account and its token."""
    return account("owner")


@pytest.fixture
def stranger():
    """Another account and its token."""
    return account("stranger")


@pytest.fixture
def owned(owner):
    """A roster that an account's program made."""
    return made(bearer=owner[1])


# ---------------------------------------------------------------- appraising


def command(path, capsys, monkeypatch):
    """What `manage.py appraise --json` prints for a file."""
    monkeypatch.setattr("django.db.connections.close_all", lambda: None)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    capsys.readouterr()
    with suppress(SystemExit):
        load_command_class("rosters", "appraise").run_from_argv(["manage.py", "appraise", "--json", str(path)])
    return capsys.readouterr().out


@pytest.mark.parametrize("path", ARMIES, ids=lambda path: path.stem)
def test_appraising_gives_what_the_command_line_prints_byte_for_byte(path, capsys, monkeypatch):
    response = call("POST", "/appraise", path.read_bytes())
    assert response.status_code == 200
    assert response.content.decode() == command(path, capsys, monkeypatch)


def test_a_refused_document_has_the_faults_that_the_command_line_names(tmp_path, capsys, monkeypatch):
    (tmp_path / "faulty.json").write_text(documents.dumps(REFUSED))
    response = call("POST", "/appraise", REFUSED)
    assert (response.status_code, response.json()) == (400, {"errors": FAULTS})
    printed = json.loads(command(tmp_path / "faulty.json", capsys, monkeypatch))
    assert printed["errors"] == response.json()["errors"]


@pytest.mark.parametrize(("body", "why"), UNREADABLE, ids=[repr(body[:12]) for body, _ in UNREADABLE])
def test_what_is_no_document_is_refused_with_the_reason(body, why):
    response = call("POST", "/appraise", body)
    assert response.status_code == 400
    assert response.json()["errors"][0]["message"].startswith(why)


def test_a_mebibyte_is_read_and_a_byte_more_is_refused_before_it_is_parsed(monkeypatch):
    body = documents.dumps(FLEET).encode()
    padded = body + b" " * (documents.MAX_BYTES - len(body))
    assert call("POST", "/appraise", padded).status_code == 200
    monkeypatch.setattr(documents, "parse", lambda body: pytest.fail("it was parsed"))
    for too_large in (padded + b" ", b" " * 5_000_000, b" " * 30_000_000):
        assert call("POST", "/appraise", too_large).status_code == 413


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_body_that_is_not_said_to_be_json_is_refused(kind):
    for path in ("/appraise", "/rosters"):
        assert call("POST", path, FLEET, kind=kind).status_code == 415
    assert call("POST", "/appraise", FLEET, kind="application/json; charset=utf-8").status_code == 200


def test_appraising_keeps_nothing():
    before = kept()
    call("POST", "/appraise", FLEET)
    assert kept() == before


# ---------------------------------------------------------------- creating


def test_creating_tells_the_secret_once_and_keeps_only_its_hash():
    roster = made()
    stored = in_database(roster)
    assert roster["revision"] == stored.revision == 1
    assert roster["secret"] not in json.dumps([*Roster.objects.values(), *ApiToken.objects.values()], default=str)
    again = call("GET", f"/rosters/{roster['token']}", bearer=roster["secret"])
    assert again.json()["editable"]
    assert roster["secret"] not in again.content.decode()


def test_the_links_of_a_new_roster_lead_where_they_say():
    links = made()["links"]
    client = Client()
    for name in ("roster", "revisions", "sheets", "page"):
        assert client.get(links[name].replace("http://testserver", "")).status_code == 200
    opened = client.get(links["edit"].replace("http://testserver", ""))
    assert client.get(opened.url).status_code == 200


def test_a_roster_made_without_a_bearer_is_nobodys_and_one_made_with_a_token_is_the_accounts(owner):
    assert in_database(made()).owner is None
    assert in_database(made(bearer=owner[1])).owner == owner[0]


def test_creating_with_a_bearer_that_is_no_token_makes_nothing(owner):
    roster, before = made(), kept()
    for bearer in ("nonsense", roster["secret"], tokens.MARK + "nonsense"):
        assert call("POST", "/rosters", FLEET, bearer=bearer).status_code == 403
    assert kept() == before


def test_a_refused_document_creates_nothing():
    before = kept()
    response = call("POST", "/rosters", REFUSED)
    assert (response.status_code, response.json()["errors"]) == (400, FAULTS)
    assert kept() == before


@pytest.mark.parametrize("path", ARMIES, ids=lambda path: path.stem)
def test_a_sample_army_comes_back_as_it_was_sent(path):
    """Ids apart, which it is given."""
    sent = documents.read(json.loads(path.read_text()), {slug: system.document for slug, system in SYSTEMS.items()})
    got = made(json.loads(path.read_text()))["document"]
    got.pop("changed")
    for formation in got["formations"]:
        assert formation.pop("id")
        assert all(element.pop("id") for element in formation["elements"])
    want = documents.write(sent)
    want.pop("changed", None)
    for formation in want["formations"]:
        formation.pop("id", None)
        for element in formation["elements"]:
            element.pop("id", None)
    assert got == want


# ---------------------------------------------------------------- reading, changing, deleting


def test_the_owners_secret_and_the_accounts_token_read_change_and_delete(owner, owned):
    place = f"/rosters/{owned['token']}"
    for number, bearer in enumerate((owned["secret"], owner[1]), start=1):
        read = call("GET", place, bearer=bearer)
        assert (read.json()["editable"], read["ETag"]) == (True, f'"{number}"')
        wanted = {**(LARGER if number == 1 else FLEET), "notes": bearer[:4]}
        changed = call("PUT", place, wanted, bearer=bearer, **{"If-Match": read["ETag"]})
        assert (changed.status_code, changed.json()["revision"]) == (200, number + 1)
        assert changed.json()["document"]["notes"] == bearer[:4]
    assert call("DELETE", place, bearer=owner[1]).status_code == 204
    assert in_database(owned).binned
    for bearer in (owned["secret"], owner[1], None):
        assert call("GET", place, bearer=bearer).status_code == 404
        assert call("DELETE", place, bearer=bearer).status_code == 404


def test_a_stranger_reads_and_changes_nothing(stranger, owned):
    other, before = made(), kept()
    place = f"/rosters/{owned['token']}"
    for bearer in (None, "nonsense", stranger[1], other["secret"]):
        read = call("GET", place, bearer=bearer)
        assert (read.status_code, read.json()["editable"]) == (200, False)
        assert call("PUT", place, LARGER, bearer=bearer, **{"If-Match": "1"}).status_code == 403
        assert call("DELETE", place, bearer=bearer).status_code == 403
    assert kept() == before


def test_a_closed_roster_is_answered_like_one_that_never_was(owner, stranger, owned):
    other = made()
    changes.keep(in_database(owned), visibility=Visibility.CLOSED)
    for path in ("", "/revisions", "/revisions/1", "/sheets.pdf"):
        assert call("GET", f"/rosters/{owned['token']}{path}", bearer=owner[1]).status_code == 200
        for bearer in (None, "nonsense", stranger[1], other["secret"]):
            closed = call("GET", f"/rosters/{owned['token']}{path}", bearer=bearer)
            never = call("GET", f"/rosters/nothing-at-all{path}", bearer=bearer)
            assert (closed.status_code, closed.content) == (404, never.content)
    for method in ("PUT", "DELETE"):
        closed = call(method, f"/rosters/{owned['token']}", FLEET, bearer=stranger[1], **{"If-Match": "1"})
        never = call(method, "/rosters/nothing-at-all", FLEET, bearer=stranger[1], **{"If-Match": "1"})
        assert (closed.status_code, closed.content) == (404, never.content)


def test_cookies_give_no_rights(owner, owned):
    """Neither a browser that is signed in as the owner, nor one that opened the edit link."""
    signed_in, editor = Client(), Client()
    signed_in.force_login(owner[0])
    editor.get(owned["links"]["edit"])
    assert editor.get(f"/r/{owned['token']}/").status_code == 200
    for browser in (signed_in, editor):
        assert not call("GET", f"/rosters/{owned['token']}", client=browser).json()["editable"]
        assert call("PUT", f"/rosters/{owned['token']}", LARGER, client=browser, **{"If-Match": "1"}).status_code == 403
        assert call("DELETE", f"/rosters/{owned['token']}", client=browser).status_code == 403
        assert in_database(made(client=browser)).owner is None
    changes.keep(in_database(owned), visibility=Visibility.CLOSED)
    for browser in (signed_in, editor):
        assert call("GET", f"/rosters/{owned['token']}", client=browser).status_code == 404


def test_an_answer_sets_no_cookie(owned):
    browser = Client()
    browser.get(owned["links"]["edit"])
    assert not call("GET", f"/rosters/{owned['token']}", client=browser).cookies


def test_no_form_token_is_asked_for():
    strict = Client(enforce_csrf_checks=True)
    assert call("POST", "/rosters", FLEET, client=strict).status_code == 201


def test_the_secret_of_a_replaced_edit_link_opens_nothing(owned):
    changes.replace_edit_link(in_database(owned))
    assert call("DELETE", f"/rosters/{owned['token']}", bearer=owned["secret"]).status_code == 403


def test_a_sample_army_can_be_changed_by_nobody(owner):
    sample = Roster.objects.exclude(sample=None).first()
    for bearer in ("", " ", owner[1]):
        assert call("DELETE", f"/rosters/{sample.token}", bearer=bearer).status_code == 403


def test_a_change_from_a_revision_that_is_past_changes_nothing_and_tells_what_is_there():
    roster = made()
    place, first, late = f"/rosters/{roster['token']}", {"If-Match": '"1"'}, {**FLEET, "name": "Late"}
    call("PUT", place, LARGER, bearer=roster["secret"], **first)
    response = call("PUT", place, late, bearer=roster["secret"], **first)
    assert response.status_code == 412
    assert response.json()["now"] == call("GET", place, bearer=roster["secret"]).json()
    assert response.json()["now"]["revision"] == 2
    assert in_database(roster).revision == 2
    anyway = call("PUT", place, late, bearer=roster["secret"], **{"If-Match": "*"})
    assert (anyway.status_code, anyway.json()["document"]["name"]) == (200, "Late")


@pytest.mark.parametrize(("said", "status"), [(None, 428), ("x", 400), ('"-1"', 400), ("1", 200), ('W/"1"', 200)])
def test_a_change_says_which_revision_it_was_made_from(said, status):
    roster = made()
    headers = {"If-Match": said} if said else {}
    response = call("PUT", f"/rosters/{roster['token']}", LARGER, bearer=roster["secret"], **headers)
    assert response.status_code == status
    assert in_database(roster).revision == (2 if status == 200 else 1)


def test_the_same_document_again_makes_no_revision():
    roster = made()
    response = call(
        "PUT", f"/rosters/{roster['token']}", roster["document"], bearer=roster["secret"], **{"If-Match": "1"}
    )
    assert (response.status_code, response.json()["revision"]) == (200, 1)


def test_a_roster_stays_with_its_game():
    roster = made()
    response = call(
        "PUT", f"/rosters/{roster['token']}", document("vsgmr"), bearer=roster["secret"], **{"If-Match": "1"}
    )
    assert response.status_code == 400
    assert response.json()["errors"][0]["path"] == "system"


def test_a_change_that_is_refused_names_every_fault_and_changes_nothing():
    roster = made()
    response = call("PUT", f"/rosters/{roster['token']}", REFUSED, bearer=roster["secret"], **{"If-Match": "1"})
    assert (response.status_code, response.json()["errors"]) == (400, FAULTS)
    assert in_database(roster).revision == 1


def test_a_change_is_put_down_to_the_owner_or_to_an_editor_by_link(owner, owned):
    place = f"/rosters/{owned['token']}"
    call("PUT", place, LARGER, bearer=owned["secret"], **{"If-Match": "1"})
    call("PUT", place, FLEET, bearer=owner[1], **{"If-Match": "2"})
    found = call("GET", f"{place}/revisions", bearer=owner[1]).json()["revisions"]
    assert [each["who"] for each in found] == ["the owner", "an editor by link", "the owner"]


# ---------------------------------------------------------------- what is hidden


@pytest.fixture
def secretive():
    """A roster with something of each kind hidden, whose secret was told in the past too."""
    ships = [{**SHIP, "notes": HIDDEN[1]}, {**SHIP, "name": HIDDEN[0], "secret": True}]
    roster = made(document("msc", ships, notes=HIDDEN[2], budget=12345))
    call(
        "PUT",
        f"/rosters/{roster['token']}",
        {**roster["document"], "name": "Renamed"},
        bearer=roster["secret"],
        **{"If-Match": "1"},
    )
    changes.keep(in_database(roster), hide_points=True, hide_notes=True, hide_secrets=True)
    return roster


@pytest.mark.parametrize("path", ["", "/revisions", "/revisions/1", "/revisions/2"])
def test_a_stranger_is_told_nothing_that_is_hidden(secretive, stranger, path):
    whole = call("GET", f"/rosters/{secretive['token']}{path}", bearer=secretive["secret"]).content.decode()
    for bearer in (None, stranger[1]):
        text = call("GET", f"/rosters/{secretive['token']}{path}", bearer=bearer).content.decode()
        for hidden in (*HIDDEN, "12345", "Replaced"):
            assert hidden not in text
        assert '"summary":"' not in text
    told_whole = ["Replaced"] if path == "/revisions" else [*HIDDEN, "12345"]
    assert all(each in whole for each in told_whole)


def test_hidden_points_appear_nowhere(secretive):
    data = call("GET", f"/rosters/{secretive['token']}").json()["appraisal"]
    assert (data["points"], data["exact"], data["budget"]) == (None, None, None)
    assert all(not element["receipt"] for element in data["formations"][0]["elements"])


# ---------------------------------------------------------------- revisions and sheets


def test_revisions_are_listed_a_hundred_at_a_time_and_read_one_by_one(monkeypatch):
    monkeypatch.setattr("rosters.api.operations.PAGE", 2)
    roster = made()
    place = f"/rosters/{roster['token']}"
    for number in (1, 2):
        call("PUT", place, {**FLEET, "name": f"No. {number}"}, bearer=roster["secret"], **{"If-Match": str(number)})
    first = call("GET", f"{place}/revisions").json()
    assert [each["number"] for each in first["revisions"]] == [3, 2]
    second = call("GET", first["older"].partition(V1)[2]).json()
    assert ([each["number"] for each in second["revisions"]], second["older"]) == ([1], None)
    names = [call("GET", f"{place}/revisions/{number}").json()["document"]["name"] for number in (1, 2, 3)]
    assert names == ["Fleet", "No. 1", "No. 2"]


def test_a_revision_keeps_the_appraisal_of_its_day_and_says_what_today_would_differ():
    roster = made()
    data = call("GET", f"/rosters/{roster['token']}/revisions/1").json()
    assert data["appraisal"] == roster["appraisal"]
    assert data["today"].startswith("Today's rules")


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999999", "-1", "x", "1.0"])
def test_a_revision_that_there_is_not_is_missing(number):
    assert call("GET", f"/rosters/{made()['token']}/revisions/{number}").status_code == 404


@pytest.mark.parametrize("before", ["x", "-1", "", "1" * 30])
def test_before_must_be_a_number(before):
    assert call("GET", f"/rosters/{made()['token']}/revisions?before={before}").status_code == 400


def test_the_sheets_are_those_of_the_site(owned):
    """For a stranger to the letter; settings are read alike."""
    for query in ("", "?sheet=roster&paper=letter&points=0"):
        response = call("GET", f"/rosters/{owned['token']}/sheets.pdf{query}")
        assert response["Content-Type"] == "application/pdf"
        assert response.content == Client().get(f"/s/{owned['token']}.pdf{query}").content


def test_the_sheets_show_what_is_hidden_to_a_bearer_who_may_edit_alone(secretive):
    def text(bearer, query=""):
        response = call("GET", f"/rosters/{secretive['token']}/sheets.pdf{query}", bearer=bearer)
        return paper.told(response.content)

    assert HIDDEN[0] in text(secretive["secret"])
    assert HIDDEN[0] not in text(None) + text("nonsense") + text(secretive["secret"], "?others=1")


def test_sheets_that_the_client_has_are_not_drawn_again(owned):
    place = f"/rosters/{owned['token']}/sheets.pdf"
    response = call("GET", place)
    assert call("GET", place, **{"If-None-Match": response["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("query", "status"), [("paper=a3", 400), ("formation=x", 400), ("sheet=nothing", 404), ("against=nobody", 404)]
)
def test_what_cannot_be_printed_is_told_as_json(owned, query, status):
    assert call("GET", f"/rosters/{owned['token']}/sheets.pdf?{query}").status_code == status


# ---------------------------------------------------------------- games


def test_every_game_is_listed_and_told_whole():
    listed = call("GET", "/systems").json()["systems"]
    assert [each["slug"] for each in listed] == [*SYSTEMS]
    for slug, system in SYSTEMS.items():
        data = call("GET", f"/systems/{slug}").json()
        assert [each["code"] for each in data["scenarios"]] == [*system.rules.SCENARIOS]
        assert {each["rule"] for each in data["house_rules"]} == {*system.rules.Options.model_fields}
        assert {each["code"] for each in data["findings"]} >= {*system.rules.FINDINGS}
        assert data["sheets"]
        assert len(data["glossary"]) == len([*system.rules.glossary(reference())])
    assert call("GET", "/systems/chess").status_code == 404


# ---------------------------------------------------------------- refusals and limits

OPERATIONS = [
    (method.upper(), path, operation)
    for path, operations in openapi()["paths"].items()
    for method, operation in operations.items()
]


def filled(path):
    return path.replace("{token}", "nobody").replace("{number}", "1").replace("{slug}", "chess").removeprefix(V1)


@pytest.mark.parametrize("path", openapi()["paths"])
def test_another_method_is_not_allowed_and_says_so_as_json(path):
    allowed = {method.upper() for method in openapi()["paths"][path]}
    allowed |= {"HEAD"} if "GET" in allowed else set()
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - allowed:
        response = call(method, filled(path))
        assert response.status_code == 405
        assert set(response["Allow"].split(", ")) == allowed


def test_the_openapi_document_is_read_only():
    assert call("POST", "/openapi.json", FLEET).status_code == 405


def test_an_address_that_there_is_not_is_missing_as_json():
    for path in ("/", "/nothing", "/rosters/", "/rosters/a/b", "/appraise/"):
        assert call("GET", path).status_code == 404


def test_a_head_request_is_answered_like_a_get():
    assert call("HEAD", "/systems").status_code == 200


def test_nothing_of_it_is_for_search_engines(owned):
    assert "noindex" in call("GET", f"/rosters/{owned['token']}")["X-Robots-Tag"]


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=[o[2]["operationId"] for o in OPERATIONS])
def test_every_operation_is_limited(method, path, operation, settings):
    settings.API_A_MINUTE = 1
    call(method, filled(path))
    response = call(method, filled(path))
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 60


def test_creating_and_printing_have_limits_of_their_own(settings, owned):
    settings.CREATIONS_A_MINUTE = settings.PDFS_A_MINUTE = 2
    sheets = f"/rosters/{owned['token']}/sheets.pdf"
    assert [call("POST", "/rosters", FLEET).status_code for _ in range(3)] == [201, 201, 429]
    assert [call("GET", sheets).status_code for _ in range(3)] == [200, 200, 429]
    assert call("POST", "/appraise", FLEET).status_code == 200


@pytest.mark.parametrize(
    "header", ["Basic abc", "Bearer", "Bearer ", "bearer x y", "\xff", "Bearer \xe4\xff" + "x" * 9000]
)
def test_a_strange_authorization_gives_no_rights(owned, header):
    response = call("DELETE", f"/rosters/{owned['token']}", Authorization=header)
    assert response.status_code == 403


# ---------------------------------------------------------------- the documentation


def references(part):
    """Every $ref in a part of the document."""
    if isinstance(part, dict):
        yield from [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        yield from (each for value in part.values() for each in references(value))
    elif isinstance(part, list):
        yield from (each for value in part for each in references(value))


def test_the_openapi_document_is_served_and_refers_to_nothing_that_is_missing():
    served = Client().get(reverse("openapi")).json()
    assert served == openapi()
    assert served["openapi"].startswith("3.1")
    schemas = served["components"]["schemas"]
    assert {each.rpartition("/")[2] for each in references(served)} <= {*schemas}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(ids) == len({*ids})


@pytest.mark.parametrize("path", ARMIES, ids=lambda path: path.stem)
def test_the_documented_schema_admits_every_sample_army(path):
    held_to({"$ref": "#/components/schemas/RosterDocument"}, json.loads(path.read_text()))


def test_the_documented_schema_refuses_what_is_refused():
    with pytest.raises(Exception, match="is not valid under any"):
        held_to({"$ref": "#/components/schemas/RosterDocument"}, REFUSED)


def test_the_example_of_the_documentation_is_a_document():
    assert (
        call(
            "POST",
            "/appraise",
            json.loads(json.dumps(openapi()))["paths"][f"{V1}/appraise"]["post"]["requestBody"]["content"][
                "application/json"
            ]["example"],
        ).status_code
        == 200
    )


def test_routes_lists_what_is_documented_and_nothing_else():
    out = io.StringIO()
    call_command("routes", "--json", stdout=out)
    ours = {each["route"]: each for each in json.loads(out.getvalue()) if each["route"].startswith("/api/v1/")}
    assert ours.pop(reverse("openapi"))["who"] == "anyone"
    routes = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route): each for route, each in ours.items()}
    assert {*routes} == {*openapi()["paths"]}
    for route, each in routes.items():
        documented = {method.upper() for method in openapi()["paths"][route]}
        assert set(each["methods"]) - {"HEAD"} == documented
        assert all(operation["x-who"] in each["who"] for operation in openapi()["paths"][route].values())


def test_the_page_shows_every_operation_with_an_example_and_its_answers():
    page = Client().get("/api/").content.decode()
    for method, path, operation in OPERATIONS:
        section = page.split(f'id="{operation["operationId"]}"')[1].split("</section>")[0]
        assert f">{method}</code> <code>{path}</code>" in section
        assert f"For {operation['x-who']}" in section
        assert "curl " in section
        for status in operation["responses"]:
            assert f"<code>{status}</code>" in section
        for parameter in operation["parameters"]:
            assert f"<code>{parameter['name']}</code>" in section


def test_the_page_loads_nothing_from_elsewhere_and_has_no_inline_script_or_style():
    page = Client().get("/api/").content.decode()
    assert not re.findall(r'(?:src|href)="(?:https?:)?//(?!testserver)', page)
    assert not re.findall(r"<style|<script>|\sstyle=|\son\w+=", page)


# ---------------------------------------------------------------- the account's tokens


@pytest.fixture
def signed_in(owner):
    browser = Client()
    browser.force_login(owner[0])
    return browser


def test_a_token_is_shown_once_and_kept_only_as_a_hash(owner, signed_in):
    page = signed_in.post("/account/tokens", {"name": "My <script>"})
    secret = re.search(rf'value="({tokens.MARK}[\w-]+)"', page.content.decode())[1]
    assert "My &lt;script&gt;" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert secret not in signed_in.get("/account/tokens").content.decode()
    assert secret not in json.dumps([*ApiToken.objects.values()], default=str)
    assert in_database(made(bearer=secret)).owner == owner[0]


def test_a_revoked_token_opens_nothing(owner, signed_in, owned):
    token = owner[0].api_tokens.get()
    assert signed_in.post("/account/tokens", {"revoke": token.pk}).status_code == 302
    assert call("DELETE", f"/rosters/{owned['token']}", bearer=owner[1]).status_code == 403
    assert "none yet" in signed_in.get("/account/tokens").content.decode()


def test_nobody_sees_or_revokes_the_tokens_of_another_account(owner, stranger, signed_in):
    theirs = stranger[0].api_tokens.get()
    for key in (theirs.pk, "999999", "x", "-1", "", "9" * 40):
        assert signed_in.post("/account/tokens", {"revoke": key}).status_code == 404
    assert stranger[0].api_tokens.exists()
    ApiToken.objects.filter(pk=theirs.pk).update(name="THEIRS")
    assert "THEIRS" not in signed_in.get("/account/tokens").content.decode()


def test_without_an_account_one_is_asked_to_sign_in():
    for response in (Client().get("/account/tokens"), Client().post("/account/tokens", {"name": "x"})):
        assert response.status_code == 302
        assert "login" in response.url
    assert not ApiToken.objects.exists()


def test_a_token_needs_a_name_and_an_account_has_only_so_many(owner, signed_in, monkeypatch):
    assert signed_in.post("/account/tokens", {"name": " "}).status_code == 422
    assert signed_in.post("/account/tokens", {"name": "x" * 61}).status_code == 422
    monkeypatch.setattr(tokens, "MOST", 1)
    refused = signed_in.post("/account/tokens", {"name": "One more"})
    assert refused.status_code == 422
    assert "at most 1" in refused.content.decode()
    assert owner[0].api_tokens.count() == 1


def test_the_page_of_tokens_needs_the_form_s_token(owner):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner[0])
    assert strict.post("/account/tokens", {"name": "x"}).status_code == 403
    assert owner[0].api_tokens.count() == 1


def test_the_token_of_an_account_that_is_switched_off_opens_nothing(owner, owned):
    owner[0].is_active = False
    owner[0].save()
    assert call("DELETE", f"/rosters/{owned['token']}", bearer=owner[1]).status_code == 403


def test_the_last_use_of_a_token_is_noted(owner, owned):
    assert owner[0].api_tokens.get().used is not None


def test_reading_a_roster_takes_a_flat_number_of_queries(django_assert_max_num_queries):
    ships = [{**SHIP, "name": f"Ship {number}"} for number in range(100)]
    roster = made(document("msc", ships))
    standing._kept.clear()
    with django_assert_max_num_queries(8):
        call("GET", f"/rosters/{roster['token']}", bearer=roster["secret"])


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_several_programs_that_change_one_revision_at_once_one_wins():
    roster = made()

    def change(number):
        try:
            new = {**FLEET, "name": f"Writer {number}"}
            place = f"/rosters/{roster['token']}"
            return call("PUT", place, new, bearer=roster["secret"], **{"If-Match": "1"}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = sorted(pool.map(change, range(6)))
    assert answers == [200, *[412] * 5]
    assert in_database(roster).revision == 2
