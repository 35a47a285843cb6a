"""The HTTP API as an owner with the edit secret, a program with an account's token, and a stranger use it.

What it answers to whom stands in the recorded requests and in the matrix of rights (tests/web/http); here is the rest.
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
from jsonschema import Draft202012Validator, ValidationError

from rosters import registry
from rosters.core import documents
from rosters.models import ApiToken, Revision, Roster
from rosters.registry import SYSTEMS
from rosters.store import api_tokens, writer
from rosters.store import state as states
from tests import paper
from tests.api.openapi import OPENAPI, validate, validate_response
from tests.people import SHIP
from tests.support import FIXTURES
from tests.support import roster as document

pytestmark = pytest.mark.usefixtures("db", "without_limits")

V1 = "/api/v1"
ARMIES = [*{path.parent: path for path in sorted(FIXTURES.glob("armies/*/*.json"))}.values()]
"""One of each game."""
FLEET = document("msc", [{**SHIP, "name": "Łódź 👩‍🚀"}, {**SHIP, "name": "Second"}], name="Fleet")
REFUSED = {**document("msc", [{**SHIP, "engine": "x", "speed": 1}]), "budget": True}
FAULTS = ["budget", "formations/0/elements/0/engine", "formations/0/elements/0/speed"]
HIDDEN = ("HIDDEN-NAME", "HIDDEN-NOTES", "HIDDEN-ROSTER-NOTES", "12345")


def call(method, path, data=None, *, bearer=None, client=None, **headers):
    """Send a request as a program does; the response is what the OpenAPI document says."""
    headers |= {"Authorization": f"Bearer {bearer}"} if bearer else {}
    headers["Content-Type"] = "application/json"
    body = data if isinstance(data, bytes | None) else documents.dumps(data).encode()
    response = (client or Client()).generic(method, f"{V1}{path}", body or b"", headers=headers)
    validate_response(method, f"{V1}{path}", response)
    return response


def put(roster, data, revision=1):
    """Change a roster as it stood at a revision, by its secret."""
    return call("PUT", f"/rosters/{roster['token']}", data, bearer=roster["secret"], **{"If-Match": str(revision)})


def made(data=FLEET, **more):
    """A roster made through the API, as the answer tells of it."""
    response = call("POST", "/rosters", data, **more)
    assert response.status_code == 201
    return response.json()


def stored(roster):
    return Roster.objects.get(token=roster["token"])


def account(name):
    """An account with an API token."""
    user = get_user_model().objects.create_user(name, f"{name}@example.org", "a good password")
    return user, api_tokens.create_token(user, "a program")


@pytest.fixture
def owner(db):
    """An account and its token."""
    return account("owner")


@pytest.fixture
def stranger(db):
    """Another account and its token."""
    return account("stranger")


@pytest.fixture
def signed_in(owner):
    """The owner's browser."""
    browser = Client()
    browser.force_login(owner[0])
    return browser


# ---------------------------------------------------------------- documents


def test_appraising_gives_what_the_command_line_prints_byte_for_byte(tmp_path, capsys, monkeypatch):
    """Its faults too."""
    monkeypatch.setattr("django.db.connections.close_all", lambda: None)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    refused = tmp_path / "refused.json"
    refused.write_text(documents.dumps(REFUSED))
    for path in (*ARMIES, refused):
        response = call("POST", "/appraise", path.read_bytes())
        with suppress(SystemExit):
            load_command_class("rosters", "appraise").run_from_argv(["manage.py", "appraise", "--json", str(path)])
        printed = capsys.readouterr().out
        if path == refused:
            assert [fault["path"] for fault in response.json()["errors"]] == FAULTS
            assert json.loads(printed)["errors"] == response.json()["errors"]
        else:
            assert (response.status_code, response.content.decode()) == (200, printed)


def test_a_mebibyte_is_read_and_a_byte_more_is_refused_before_it_is_parsed(monkeypatch):
    body = documents.dumps(FLEET).encode()
    padded = body + b" " * (documents.MAX_BYTES - len(body))
    assert call("POST", "/appraise", padded).status_code == 200
    monkeypatch.setattr(documents, "parse", lambda body: pytest.fail("it was parsed"))
    for too_large in (padded + b" ", b" " * 30_000_000):
        assert call("POST", "/appraise", too_large).status_code == 413


def without_ids(data):
    """A document without what is given to it when it is kept."""
    parts = [{**each, "elements": [*each["elements"]]} for each in data["formations"]]
    for part in parts:
        part.pop("id", None)
        part["elements"] = [{key: value for key, value in each.items() if key != "id"} for each in part["elements"]]
    return {**{key: value for key, value in data.items() if key != "changed"}, "formations": parts}


def test_a_document_fits_the_documented_schema_and_comes_back_as_it_was_sent():
    for path in ARMIES:
        data = json.loads(path.read_text())
        validate({"$ref": "#/components/schemas/RosterDocument"}, data)
        assert without_ids(made(data)["document"]) == without_ids(documents.write(registry.read(data))), path
    with pytest.raises(ValidationError):
        validate({"$ref": "#/components/schemas/RosterDocument"}, REFUSED)


# ---------------------------------------------------------------- who owns, and who may


def test_creating_tells_the_secret_once_and_keeps_only_its_hash():
    roster = made()
    assert roster["revision"] == stored(roster).revision == 1
    assert roster["secret"] not in json.dumps([*Roster.objects.values(), *ApiToken.objects.values()], default=str)
    again = call("GET", f"/rosters/{roster['token']}", bearer=roster["secret"])
    assert again.json()["editable"]
    assert roster["secret"] not in again.content.decode()
    pages = [Client().get(link.removeprefix("http://testserver"), follow=True) for link in roster["links"].values()]
    assert [page.status_code for page in pages] == [200] * 5
    assert pages[-1].redirect_chain[-1][0] == f"/r/{roster['token']}/", "the edit link"


def test_a_roster_belongs_to_the_account_whose_token_made_it_and_to_none_by_a_cookie(owner, signed_in):
    assert stored(made(bearer=owner[1])).owner == owner[0]
    assert [stored(made(client=client)).owner for client in (Client(), signed_in)] == [None, None]


def test_what_is_refused_and_what_is_only_appraised_makes_nothing():
    roster = made()
    before = [*Roster.objects.values()], Revision.objects.count()
    for bearer in ("nonsense", roster["secret"], api_tokens.PREFIX + "nonsense"):
        assert call("POST", "/rosters", FLEET, bearer=bearer).status_code == 403
    assert call("POST", "/rosters", REFUSED).status_code == 400
    assert call("POST", "/appraise", FLEET).status_code == 200
    assert ([*Roster.objects.values()], Revision.objects.count()) == before


def test_a_secret_that_was_replaced_and_odd_bearers_open_nothing(owner):
    roster = made(bearer=owner[1])
    place = f"/rosters/{roster['token']}"
    writer.reset_edit_link(stored(roster))
    for bearer in (roster["secret"], "x y", "\xe4\xff" + "x" * 9000):
        assert not call("GET", place, bearer=bearer).json()["editable"]
        assert call("DELETE", place, bearer=bearer).status_code == 403
    for missing in ("Bearer", "\xff"):
        response = call("DELETE", place, Authorization=missing)
        assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
    assert stored(roster).binned is None


def test_a_bearer_who_may_not_edit_is_told_nothing_that_is_hidden(stranger):
    """Whose secret was told in the past too; the leak walk of the pages asks without any bearer."""
    ships = [{**SHIP, "notes": HIDDEN[1]}, {**SHIP, "name": HIDDEN[0], "secret": True}]
    roster = made(document("msc", ships, notes=HIDDEN[2], budget=12345))
    place = f"/rosters/{roster['token']}"
    put(roster, {**roster["document"], "name": "Renamed"})
    writer.update_roster(stored(roster), hide_points=True, hide_notes=True, hide_secrets=True)

    def told(bearer, path):
        body = call("GET", f"{place}{path}", bearer=bearer).content
        text = paper.told(body) if body.startswith(b"%PDF") else body.decode()
        return {word for word in (*HIDDEN, "Replaced", '"summary":"') if word in text}

    shown = {path: {*HIDDEN} for path in ("", "/revisions/1", "/revisions/2")}
    shown |= {"/revisions": {"Replaced", '"summary":"'}, "/sheets.pdf": {HIDDEN[0]}}
    for path, words in shown.items():
        assert told(roster["secret"], path) >= words, path
        assert [told(bearer, path) for bearer in (None, "nonsense", stranger[1])] == [set()] * 3, path
    assert told(roster["secret"], "/sheets.pdf?others=1") == set()


# ---------------------------------------------------------------- sheets, games, limits


def test_the_sheets_are_those_of_the_site():
    token = made()["token"]
    for query in ("", "?sheet=roster&paper=letter&points=0"):
        response = call("GET", f"/rosters/{token}/sheets.pdf{query}")
        assert response.content == Client().get(f"/s/{token}.pdf{query}").content


def test_every_game_is_listed_and_told_whole():
    assert [each["slug"] for each in call("GET", "/systems").json()["systems"]] == [*SYSTEMS]
    for slug, system in SYSTEMS.items():
        data = call("GET", f"/systems/{slug}").json()
        assert [each["code"] for each in data["scenarios"]] == [*system.rules.SCENARIOS]
        assert {each["rule"] for each in data["house_rules"]} == {*system.rules.Options.model_fields}
        assert {each["code"] for each in data["findings"]} >= {*system.rules.FINDINGS}
        assert data["sheets"]
        assert len(data["glossary"]) == len([*system.rules.glossary()])


OPERATIONS = [
    (method.upper(), path, operation)
    for path, operations in OPENAPI["paths"].items()
    for method, operation in operations.items()
]


def test_every_operation_is_limited(settings):
    settings.API_A_MINUTE = 1
    for method, path, _ in OPERATIONS:
        cache.clear()
        filled = path.replace("{token}", "nobody").replace("{number}", "1").replace("{slug}", "chess").removeprefix(V1)
        answers = [call(method, filled) for _ in range(2)]
        assert [answer.status_code == 429 for answer in answers] == [False, True]
        assert 0 < int(answers[1]["Retry-After"]) <= 60


def test_reading_a_roster_takes_a_flat_number_of_queries(django_assert_max_num_queries):
    roster = made(document("msc", [{**SHIP, "name": f"Ship {number}"} for number in range(100)]))
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
        assert sorted(pool.map(change, range(6))) == [200, *[412] * 5]
    assert stored(roster).revision == 2


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


def test_a_token_is_shown_once_and_kept_only_as_a_hash(owner, signed_in):
    page = signed_in.post("/account/tokens", {"name": "My <script>"})
    secret = re.search(rf'value="({api_tokens.PREFIX}[\w-]+)"', page.content.decode())[1]
    assert "My &lt;script&gt;" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert secret not in signed_in.get("/account/tokens").content.decode()
    assert secret not in json.dumps([*ApiToken.objects.values()], default=str)
    assert owner[0].api_tokens.get(name__startswith="My").used is None
    assert stored(made(bearer=secret)).owner == owner[0]
    assert owner[0].api_tokens.get(name__startswith="My").used is not None


def test_a_token_that_was_revoked_or_whose_account_is_switched_off_opens_nothing(owner, stranger, signed_in):
    mine, theirs = (made(bearer=secret) for _, secret in (owner, stranger))
    assert signed_in.post(f"/account/tokens/{owner[0].api_tokens.get().pk}/revoke").status_code == 302
    assert call("DELETE", f"/rosters/{mine['token']}", bearer=owner[1]).status_code == 403
    get_user_model().objects.filter(pk=stranger[0].pk).update(is_active=False)
    assert call("DELETE", f"/rosters/{theirs['token']}", bearer=stranger[1]).status_code == 403


def test_nobody_sees_or_revokes_the_tokens_of_another_account(stranger, signed_in):
    theirs = stranger[0].api_tokens.get()
    ApiToken.objects.filter(pk=theirs.pk).update(name="THEIRS")
    for key in (theirs.pk, "999999", "x", "-1", "", "9" * 40):
        assert signed_in.post(f"/account/tokens/{key}/revoke").status_code in (302, 404)
    assert signed_in.post("/account/tokens", {"revoke": theirs.pk}).status_code == 303, "an old page"
    assert stranger[0].api_tokens.exists()
    assert "THEIRS" not in signed_in.get("/account/tokens").content.decode()


def test_a_token_needs_a_name_and_an_account_has_only_so_many(owner, signed_in, monkeypatch):
    for name in (" ", "x" * 61):
        assert signed_in.post("/account/tokens", {"name": name}).status_code == 422
    monkeypatch.setattr(api_tokens, "MAX_TOKENS", 1)
    assert signed_in.post("/account/tokens", {"name": "One more"}).status_code == 422
    assert owner[0].api_tokens.count() == 1
