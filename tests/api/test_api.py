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

from rosters import registry
from rosters.api.urls import api
from rosters.core import documents
from rosters.models import ApiToken, Revision, Roster, Visibility
from rosters.registry import SYSTEMS
from rosters.store import api_tokens, writer
from rosters.store import state as states
from tests import paper
from tests.support import FIXTURES
from tests.support import roster as document

pytestmark = pytest.mark.django_db

V1 = "/api/v1"
OPENAPI = json.loads(json.dumps(api.openapi))
ARMIES = sorted(FIXTURES.glob("armies/*/*.json"))
SHIP = {"name": "Łódź 👩‍🚀", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
FLEET = document("msc", [SHIP, {**SHIP, "name": "Second"}], name="Fleet")
LARGER = document("msc", [SHIP, {**SHIP, "name": "Second"}, {**SHIP, "name": "Third"}], name="Fleet")
REFUSED = {**document("msc", [{**SHIP, "engine": "x", "speed": 1}]), "budget": True}
FAULTS = ["budget", "formations/0/elements/0/engine", "formations/0/elements/0/speed"]
HIDDEN = ("HIDDEN-NAME", "HIDDEN-NOTES", "HIDDEN-ROSTER-NOTES")

# bodies that hold no document: what is sent, and a word of what is said of it
UNREADABLE = {
    b"": "is not JSON",
    b"{": "is not JSON",
    b"[]": "must be an object",
    b"\xff": "UTF-8",
    b'{"a": 1, "a": 2}': "'a'",
    b"[" * 100_000: "deep",
    b"9" * 5000: "JSON",
    json.dumps({**FLEET, "name": "\ud800"}).encode(): "Unicode",
}


# ---------------------------------------------------------------- calling


@pytest.fixture(autouse=True)
def unlimited(settings):
    """No limits, unless a test sets its own."""
    cache.clear()
    for name in ("API_A_MINUTE", "CREATIONS_A_MINUTE", "PDFS_A_MINUTE"):
        setattr(settings, name, 0)


def told(method, path):
    """What the OpenAPI document says of an operation."""
    for pattern, operations in OPENAPI["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", r"[^/]+", pattern), path) and method.lower() in operations:
            return operations[method.lower()]
    return None


def held_to(schema, data):
    """Fail where ``data`` is not what a schema of the OpenAPI document says."""
    whole = {**schema, "components": OPENAPI["components"]}
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


def put(roster, data, revision="1", bearer=None):
    """Change a roster as it stood at a revision; by its secret, unless another bearer is given."""
    headers = {"If-Match": str(revision)} if revision else {}
    return call("PUT", f"/rosters/{roster['token']}", data, bearer=bearer or roster["secret"], **headers)


def paths_of(response):
    """Where the faults are that an answer tells."""
    return [fault["path"] for fault in response.json()["errors"]]


def made(data=FLEET, **more):
    """A roster made through the API, as the answer tells of it."""
    response = call("POST", "/rosters", data, **more)
    assert response.status_code == 201
    return response.json()


def account(name):
    """An account with an API token."""
    user = get_user_model().objects.create_user(name, f"{name}@example.org", "a good password")
    return user, api_tokens.create_token(user, "a program")


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


def test_appraising_gives_what_the_command_line_prints_byte_for_byte(tmp_path, capsys, monkeypatch):
    """Its faults too."""
    monkeypatch.setattr("django.db.connections.close_all", lambda: None)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    refused = tmp_path / "refused.json"
    refused.write_text(documents.dumps(REFUSED))
    of_each_game = {path.parent: path for path in ARMIES}
    for path in (*of_each_game.values(), refused):
        response = call("POST", "/appraise", path.read_bytes())
        with suppress(SystemExit):
            load_command_class("rosters", "appraise").run_from_argv(["manage.py", "appraise", "--json", str(path)])
        printed = capsys.readouterr().out
        if path == refused:
            assert (response.status_code, paths_of(response)) == (400, FAULTS)
            assert json.loads(printed)["errors"] == response.json()["errors"]
        else:
            assert (response.status_code, response.content.decode()) == (200, printed)


def test_what_is_no_document_is_refused_with_the_reason():
    for body, why in UNREADABLE.items():
        response = call("POST", "/appraise", body)
        assert response.status_code == 400
        assert why in response.json()["errors"][0]["message"], body[:12]


def test_a_mebibyte_is_read_and_a_byte_more_is_refused_before_it_is_parsed(monkeypatch):
    body = documents.dumps(FLEET).encode()
    padded = body + b" " * (documents.MAX_BYTES - len(body))
    assert call("POST", "/appraise", padded).status_code == 200
    monkeypatch.setattr(documents, "parse", lambda body: pytest.fail("it was parsed"))
    for too_large in (padded + b" ", b" " * 30_000_000):
        assert call("POST", "/appraise", too_large).status_code == 413


def test_a_body_that_is_not_said_to_be_json_is_refused():
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        for path in ("/appraise", "/rosters"):
            assert call("POST", path, FLEET, kind=kind).status_code == 415
    assert call("POST", "/appraise", FLEET, kind="application/json; charset=utf-8").status_code == 200


# ---------------------------------------------------------------- creating


def test_creating_tells_the_secret_once_and_keeps_only_its_hash():
    roster = made()
    assert roster["revision"] == in_database(roster).revision == 1
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


def test_what_is_refused_and_what_is_only_appraised_makes_nothing():
    roster, before = made(), kept()
    for bearer in ("nonsense", roster["secret"], api_tokens.PREFIX + "nonsense"):
        assert call("POST", "/rosters", FLEET, bearer=bearer).status_code == 403
    response = call("POST", "/rosters", REFUSED)
    assert (response.status_code, paths_of(response)) == (400, FAULTS)
    call("POST", "/appraise", FLEET)
    assert kept() == before


def without_ids(data):
    """A document without what is given to it when it is kept."""
    parts = [{**each, "elements": [*each["elements"]]} for each in data["formations"]]
    for part in parts:
        part.pop("id", None)
        part["elements"] = [{key: value for key, value in each.items() if key != "id"} for each in part["elements"]]
    return {**{key: value for key, value in data.items() if key != "changed"}, "formations": parts}


def test_every_sample_army_fits_the_documented_schema_and_comes_back_as_it_was_sent():
    for path in ARMIES:
        data = json.loads(path.read_text())
        held_to({"$ref": "#/components/schemas/RosterDocument"}, data)
        assert without_ids(made(data)["document"]) == without_ids(documents.write(registry.read(data))), path
    with pytest.raises(Exception, match="is not valid under any"):
        held_to({"$ref": "#/components/schemas/RosterDocument"}, REFUSED)


# ---------------------------------------------------------------- reading, changing, deleting


def test_the_owners_secret_and_the_accounts_token_read_change_and_delete(owner, owned):
    place = f"/rosters/{owned['token']}"
    for number, bearer in enumerate((owned["secret"], owner[1]), start=1):
        read = call("GET", place, bearer=bearer)
        assert (read.json()["editable"], read["ETag"]) == (True, f'"{number}"')
        wanted = {**(LARGER if number == 1 else FLEET), "notes": bearer[:4]}
        changed = put(owned, wanted, read["ETag"], bearer)
        assert (changed.status_code, changed.json()["revision"]) == (200, number + 1)
        assert changed.json()["document"]["notes"] == bearer[:4]
    found = call("GET", f"{place}/revisions", bearer=owner[1]).json()["revisions"]
    assert [each["who"] for each in found] == ["the owner", "an editor by link", "the owner"]
    assert call("DELETE", place, bearer=owner[1]).status_code == 204
    assert in_database(owned).binned
    for bearer in (owned["secret"], owner[1], None):
        assert [call(method, place, bearer=bearer).status_code for method in ("GET", "DELETE")] == [404, 404]


def test_a_stranger_reads_and_changes_nothing(stranger, owned):
    other, replaced, place = made(), owned["secret"], f"/rosters/{owned['token']}"
    writer.reset_edit_link(in_database(owned))
    before = kept()
    for bearer in (None, "nonsense", stranger[1], other["secret"], replaced):
        read = call("GET", place, bearer=bearer)
        assert (read.status_code, read.json()["editable"]) == (200, False)
        refused = 403 if bearer else 401
        assert call("PUT", place, LARGER, bearer=bearer, **{"If-Match": "1"}).status_code == refused
        assert call("DELETE", place, bearer=bearer).status_code == refused
    for strange in ("bearer x y", "Bearer \xe4\xff" + "x" * 9000):
        assert call("DELETE", place, Authorization=strange).status_code == 403
    for missing in ("Basic abc", "Bearer", "Bearer ", "\xff"):
        response = call("DELETE", place, Authorization=missing)
        assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
    assert kept() == before


def test_a_closed_roster_is_answered_like_one_that_never_was(owner, stranger, owned):
    writer.update_roster(in_database(owned), visibility=Visibility.CLOSED)
    asked = [("GET", path) for path in ("", "/revisions", "/revisions/1", "/sheets.pdf")] + [
        ("PUT", ""),
        ("DELETE", ""),
    ]
    for method, path in asked:
        for bearer in (None, "nonsense", stranger[1]):
            answers = [
                call(method, f"/rosters/{token}{path}", FLEET, bearer=bearer, **{"If-Match": "1"})
                for token in (owned["token"], "nothing-at-all")
            ]
            assert [answer.status_code for answer in answers] == [404, 404]
            assert answers[0].content == answers[1].content
        if method == "GET":
            assert call("GET", f"/rosters/{owned['token']}{path}", bearer=owner[1]).status_code == 200


def test_cookies_give_no_rights_and_none_are_set(owner, owned):
    """Neither a browser that is signed in as the owner, nor one that opened the edit link; and no form's token."""
    signed_in, editor = Client(enforce_csrf_checks=True), Client()
    signed_in.force_login(owner[0])
    editor.get(owned["links"]["edit"])
    place = f"/rosters/{owned['token']}"
    assert editor.get(f"/r/{owned['token']}/").status_code == 200
    for browser in (signed_in, editor):
        read = call("GET", place, client=browser)
        assert (read.json()["editable"], read.cookies) == (False, {})
        assert call("PUT", place, LARGER, client=browser, **{"If-Match": "1"}).status_code == 401
        assert call("DELETE", place, client=browser).status_code == 401
        assert in_database(made(client=browser)).owner is None
    writer.update_roster(in_database(owned), visibility=Visibility.CLOSED)
    for browser in (signed_in, editor):
        assert call("GET", place, client=browser).status_code == 404


def test_a_sample_army_can_be_changed_by_nobody(owner):
    sample = Roster.objects.exclude(sample=None).first()
    for bearer, status in {"": 401, " ": 401, owner[1]: 403}.items():
        assert call("DELETE", f"/rosters/{sample.token}", bearer=bearer).status_code == status


def test_a_change_from_a_revision_that_is_past_changes_nothing_and_tells_what_is_there():
    roster, late = made(), {**FLEET, "name": "Late"}
    put(roster, LARGER)
    response = put(roster, late, '"1"')
    now = response.json()["now"]
    assert (response.status_code, now["revision"], in_database(roster).revision) == (412, 2, 2)
    assert now == call("GET", f"/rosters/{roster['token']}", bearer=roster["secret"]).json()
    anyway = put(roster, late, "*")
    assert (anyway.status_code, anyway.json()["document"]["name"]) == (200, "Late")


def test_a_change_says_which_revision_it_was_made_from():
    for said, status in {None: 428, "x": 400, '"-1"': 400, "1": 200, 'W/"1"': 200}.items():
        roster = made()
        assert put(roster, LARGER, said).status_code == status
        assert in_database(roster).revision == (2 if status == 200 else 1)


def test_a_change_that_is_none_or_is_refused_makes_no_revision():
    roster = made()
    again = put(roster, roster["document"])
    assert (again.status_code, again.json()["revision"]) == (200, 1)
    for data, faults in [(document("vsgmr"), ["system"]), (REFUSED, FAULTS)]:
        response = put(roster, data)
        assert (response.status_code, paths_of(response)) == (400, faults)
    assert in_database(roster).revision == 1


# ---------------------------------------------------------------- what is hidden


@pytest.fixture
def secretive():
    """A roster with something of each kind hidden, whose secret was told in the past too."""
    ships = [{**SHIP, "notes": HIDDEN[1]}, {**SHIP, "name": HIDDEN[0], "secret": True}]
    roster = made(document("msc", ships, notes=HIDDEN[2], budget=12345))
    put(roster, {**roster["document"], "name": "Renamed"})
    writer.update_roster(in_database(roster), hide_points=True, hide_notes=True, hide_secrets=True)
    return roster


def test_a_stranger_is_told_nothing_that_is_hidden(secretive, stranger):
    for path in ("", "/revisions", "/revisions/1", "/revisions/2"):
        place = f"/rosters/{secretive['token']}{path}"
        whole = call("GET", place, bearer=secretive["secret"]).content.decode()
        shown = ["Replaced"] if path == "/revisions" else [*HIDDEN, "12345"]
        assert all(each in whole for each in shown), path
        for bearer in (None, stranger[1]):
            text = call("GET", place, bearer=bearer).content.decode()
            assert [each for each in (*HIDDEN, "12345", "Replaced", '"summary":"') if each in text] == [], path
    data = call("GET", f"/rosters/{secretive['token']}").json()["appraisal"]
    assert (data["points"], data["exact"], data["budget"]) == (None, None, None)
    assert all(not element["receipt"] for element in data["formations"][0]["elements"])


def test_the_sheets_show_what_is_hidden_to_a_bearer_who_may_edit_alone(secretive):
    def text(bearer, query=""):
        response = call("GET", f"/rosters/{secretive['token']}/sheets.pdf{query}", bearer=bearer)
        return paper.told(response.content)

    assert HIDDEN[0] in text(secretive["secret"])
    assert HIDDEN[0] not in text(None) + text("nonsense") + text(secretive["secret"], "?others=1")


# ---------------------------------------------------------------- revisions and sheets


def test_revisions_are_listed_a_hundred_at_a_time_and_read_one_by_one(monkeypatch):
    monkeypatch.setattr("rosters.api.rosters.PAGE_SIZE", 2)
    roster = made()
    place = f"/rosters/{roster['token']}"
    for number in (1, 2):
        put(roster, {**FLEET, "name": f"No. {number}"}, number)
    first = call("GET", f"{place}/revisions").json()
    assert [each["number"] for each in first["revisions"]] == [3, 2]
    second = call("GET", first["older"].partition(V1)[2]).json()
    assert ([each["number"] for each in second["revisions"]], second["older"]) == ([1], None)
    found = [call("GET", f"{place}/revisions/{number}").json() for number in (1, 2, 3)]
    assert [each["document"]["name"] for each in found] == ["Fleet", "No. 1", "No. 2"]
    assert found[0]["appraisal"] == roster["appraisal"], "that of its day"
    assert found[0]["today"]
    for number in ("0", "4", "99999999999999999999999", "-1", "x", "1.0"):
        assert call("GET", f"{place}/revisions/{number}").status_code == 404
    for before in ("x", "-1", "", "1" * 30):
        assert call("GET", f"{place}/revisions?before={before}").status_code == 400


def test_the_sheets_are_those_of_the_site(owned):
    """For a stranger to the letter; settings are read alike."""
    place = f"/rosters/{owned['token']}/sheets.pdf"
    for query in ("", "?sheet=roster&paper=letter&points=0"):
        response = call("GET", f"{place}{query}")
        assert response["Content-Type"] == "application/pdf"
        assert response.content == Client().get(f"/s/{owned['token']}.pdf{query}").content
        assert call("GET", f"{place}{query}", **{"If-None-Match": response["ETag"]}).status_code == 304
    for query, status in {"paper=a3": 400, "formation=x": 400, "sheet=nothing": 404, "against=nobody": 404}.items():
        assert call("GET", f"{place}?{query}").status_code == status


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
        assert len(data["glossary"]) == len([*system.rules.glossary()])


# ---------------------------------------------------------------- refusals and limits

OPERATIONS = [
    (method.upper(), path, operation)
    for path, operations in OPENAPI["paths"].items()
    for method, operation in operations.items()
]
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}


def filled(path):
    return path.replace("{token}", "nobody").replace("{number}", "1").replace("{slug}", "chess").removeprefix(V1)


def test_what_there_is_not_is_refused_as_json():
    for path, operations in OPENAPI["paths"].items():
        allowed = {method.upper() for method in operations} | ({"HEAD"} if "get" in operations else set())
        for method in METHODS - allowed:
            response = call(method, filled(path))
            assert (response.status_code, set(response["Allow"].split(", "))) == (405, allowed)
    assert call("POST", "/openapi.json", FLEET).status_code == 405
    for path in ("/", "/nothing", "/rosters/", "/rosters/a/b", "/appraise/", "/systems/chess"):
        assert call("GET", path).status_code == 404


def test_every_operation_is_limited(settings):
    settings.API_A_MINUTE = 1
    for method, path, _ in OPERATIONS:
        cache.clear()
        assert call(method, filled(path)).status_code != 429
        response = call(method, filled(path))
        assert response.status_code == 429
        assert 0 < int(response["Retry-After"]) <= 60


def test_creating_and_printing_have_limits_of_their_own(settings, owned):
    settings.CREATIONS_A_MINUTE = settings.PDFS_A_MINUTE = 2
    sheets = f"/rosters/{owned['token']}/sheets.pdf"
    assert [call("POST", "/rosters", FLEET).status_code for _ in range(3)] == [201, 201, 429]
    assert [call("GET", sheets).status_code for _ in range(3)] == [200, 200, 429]
    assert call("POST", "/appraise", FLEET).status_code == 200


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
    assert served == OPENAPI
    assert served["openapi"].startswith("3.1")
    schemas = served["components"]["schemas"]
    assert {each.rpartition("/")[2] for each in references(served)} <= {*schemas}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(ids) == len({*ids})
    body = served["paths"][f"{V1}/appraise"]["post"]["requestBody"]["content"]["application/json"]
    assert call("POST", "/appraise", body["example"]).status_code == 200


def test_routes_lists_what_is_documented_and_nothing_else():
    out = io.StringIO()
    call_command("routes", "--json", stdout=out)
    ours = {each["route"]: each for each in json.loads(out.getvalue()) if each["route"].startswith("/api/v1/")}
    assert ours.pop(reverse("openapi"))["who"] == "anyone"
    routes = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route): each for route, each in ours.items()}
    assert {*routes} == {*OPENAPI["paths"]}
    for route, each in routes.items():
        operations = OPENAPI["paths"][route]
        assert {*each["methods"]} - {"HEAD"} == {method.upper() for method in operations}
        assert all(operation["x-who"] in each["who"] for operation in operations.values())


def test_the_documentation_page_draws_the_openapi_document_with_files_of_this_site():
    response = Client().get("/api/")
    page = response.content.decode()
    settings = json.loads(re.search(r'id="swagger-settings">(.*?)</script>', page, re.DOTALL)[1])
    assert settings["url"] == reverse("openapi")
    assert not re.findall(r'(?:src|href)="(?!/)', page)
    assert not re.findall(r"<style|<script>|\sstyle=|\son\w+=", page)
    assert "unsafe" not in response["Content-Security-Policy"]


# ---------------------------------------------------------------- the account's tokens


@pytest.fixture
def signed_in(owner):
    browser = Client()
    browser.force_login(owner[0])
    return browser


def test_a_token_is_shown_once_and_kept_only_as_a_hash(owner, signed_in):
    page = signed_in.post("/account/tokens", {"name": "My <script>"})
    secret = re.search(rf'value="({api_tokens.PREFIX}[\w-]+)"', page.content.decode())[1]
    assert "My &lt;script&gt;" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert secret not in signed_in.get("/account/tokens").content.decode()
    assert secret not in json.dumps([*ApiToken.objects.values()], default=str)
    assert owner[0].api_tokens.get(name__startswith="My").used is None
    assert in_database(made(bearer=secret)).owner == owner[0]
    assert owner[0].api_tokens.get(name__startswith="My").used is not None


def test_a_token_that_was_revoked_or_whose_account_is_switched_off_opens_nothing(owner, stranger, signed_in, owned):
    other = made(bearer=stranger[1])
    assert signed_in.post(f"/account/tokens/{owner[0].api_tokens.get().pk}/revoke").status_code == 302
    assert call("DELETE", f"/rosters/{owned['token']}", bearer=owner[1]).status_code == 403
    get_user_model().objects.filter(pk=stranger[0].pk).update(is_active=False)
    assert call("DELETE", f"/rosters/{other['token']}", bearer=stranger[1]).status_code == 403


def test_nobody_sees_or_revokes_the_tokens_of_another_account(stranger, signed_in):
    theirs = stranger[0].api_tokens.get()
    for key in (theirs.pk, "999999", "x", "-1", "", "9" * 40):
        assert signed_in.post(f"/account/tokens/{key}/revoke").status_code in (302, 404)
    assert signed_in.post("/account/tokens", {"revoke": theirs.pk}).status_code == 303, "an old page"
    assert stranger[0].api_tokens.exists()
    ApiToken.objects.filter(pk=theirs.pk).update(name="THEIRS")
    assert "THEIRS" not in signed_in.get("/account/tokens").content.decode()


def test_without_an_account_or_the_form_s_token_there_is_no_token(owner):
    for response in (Client().get("/account/tokens"), Client().post("/account/tokens", {"name": "x"})):
        assert (response.status_code, "login" in response.url) == (302, True)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner[0])
    assert strict.post("/account/tokens", {"name": "x"}).status_code == 403
    assert ApiToken.objects.count() == 1


def test_a_token_needs_a_name_and_an_account_has_only_so_many(owner, signed_in, monkeypatch):
    for name in (" ", "x" * 61):
        assert signed_in.post("/account/tokens", {"name": name}).status_code == 422
    monkeypatch.setattr(api_tokens, "MAX_TOKENS", 1)
    assert signed_in.post("/account/tokens", {"name": "One more"}).status_code == 422
    assert owner[0].api_tokens.count() == 1


def test_reading_a_roster_takes_a_flat_number_of_queries(django_assert_max_num_queries):
    ships = [{**SHIP, "name": f"Ship {number}"} for number in range(100)]
    roster = made(document("msc", ships))
    states._cache.clear()
    with django_assert_max_num_queries(8):
        call("GET", f"/rosters/{roster['token']}", bearer=roster["secret"])


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_several_programs_that_change_one_revision_at_once_one_wins():
    roster = made()

    def change(number):
        try:
            return put(roster, {**FLEET, "name": f"Writer {number}"}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = sorted(pool.map(change, range(6)))
    assert answers == [200, *[412] * 5]
    assert in_database(roster).revision == 2
