"""The HTTP API as an owner with the edit secret, a program with an account's token, and a stranger use it.

What it answers to whom stands in the recorded requests and in the matrix of permissions (tests/web/http).
"""

import io
import json
import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from jsonschema import Draft202012Validator, ValidationError

from rosters import registry
from rosters.balance.answers import answer
from rosters.core import documents
from rosters.models import ApiToken, Roster
from rosters.registry import SYSTEMS
from rosters.store import api_tokens, writer
from tests import paper
from tests.api.openapi import OPENAPI, validate, validate_response
from tests.concurrency import run_in_threads
from tests.people import SHIP, document_of
from tests.support import FIXTURES, without_ids
from tests.support import roster_data as document

pytestmark = pytest.mark.usefixtures("db", "without_limits")

V1 = "/api/v1"
ARMIES = [*{path.parent: path for path in sorted(FIXTURES.glob("armies/*/*.json"))}.values()]
"""One of each game."""
FLEET = document("msc", [{**SHIP, "name": "Łódź 👩‍🚀"}, {**SHIP, "name": "Second"}], name="Fleet")
FIGURE = {"name": "Figure", "fate": 1_000}
LONG_DUEL = {"system": "urutsk", "a": FIGURE, "b": FIGURE}
HIDDEN = "HIDDEN-NAME"


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


def create_roster(data=FLEET, **more):
    """A roster created through the API, as the answer tells of it."""
    response = call("POST", "/rosters", data, **more)
    assert response.status_code == 201
    return response.json()


def stored(roster):
    return Roster.objects.get(token=roster["token"])


def account(name):
    """A fixture: an account and its API token."""

    def make(db):
        user = get_user_model().objects.create_user(name, f"{name}@example.org", "a good password")
        return user, api_tokens.create_token(user, "a program")

    return pytest.fixture(make)


owner, stranger = account("owner"), account("stranger")


@pytest.fixture
def signed_in(owner):
    browser = Client()
    browser.force_login(owner[0])
    browser.post("/account/reauthenticate/", {"password": "a good password"})
    return browser


def test_odds_are_those_of_the_command_line_or_every_error_with_its_path():
    for path in ARMIES:
        formations = json.loads(path.read_text())["formations"]
        first, last = formations[0]["elements"][0], formations[-1]["elements"][-1]
        question = {"system": path.parent.name, "a": first, "b": last}
        validate({"$ref": "#/components/schemas/Question"}, question)
        assert call("POST", "/odds", question).json() == answer(question)
    ship = {**SHIP, "name": "Ship"}
    wrong = {"system": "msc", "a": ship, "b": {**ship, "shield": 0}, "conditions": {"distance": "far", "cover": 4}}
    refused = [call("POST", "/odds", each) for each in (wrong, {"system": "msc"}, LONG_DUEL)]
    paths = [[error["path"] for error in response.json()["errors"]] for response in refused]
    assert paths == [["b/shield", "conditions/distance", "conditions/cover"], ["a", "b"], [""]]
    assert [response.status_code for response in refused] == [400, 400, 400]


def test_appraising_gives_what_the_command_line_prints_and_a_document_comes_back_as_it_was_sent(capsys):
    for path in ARMIES:
        call_command("appraise", str(path), json=True)
        assert call("POST", "/appraise", path.read_bytes()).content.decode() == capsys.readouterr().out
    for path in ARMIES:
        data = json.loads(path.read_text())
        validate({"$ref": "#/components/schemas/RosterDocument"}, data)
        back = document_of(stored(create_roster(data))).replace(changed=None)
        assert without_ids(back) == without_ids(registry.read(data).replace(changed=None)), path
    with pytest.raises(ValidationError):
        validate({"$ref": "#/components/schemas/RosterDocument"}, document("msc", [{**SHIP, "engine": "x"}]))


def test_creating_returns_the_secret_once_for_the_account_whose_token_made_it_and_for_none_by_a_cookie(
    owner, signed_in
):
    roster = create_roster()
    assert roster["secret"] not in json.dumps([*Roster.objects.values(), *ApiToken.objects.values()], default=str)
    again = call("GET", f"/rosters/{roster['token']}", bearer=roster["secret"])
    assert (again.json()["editable"], roster["secret"] in again.content.decode()) == (True, False)
    pages = [Client().get(link, follow=True) for link in roster["links"].values()]
    assert [page.status_code for page in pages] == [200] * 5
    assert pages[-1].redirect_chain[-1][0] == f"/r/{roster['token']}/", "the edit link"
    senders = {"bearer": owner[1]}, {"client": Client()}, {"client": signed_in}
    assert [stored(create_roster(**sender)).owner for sender in senders] == [owner[0], None, None]


@pytest.mark.parametrize("path", ["", "/revisions/1", "/sheets.pdf"])
def test_a_bearer_who_may_not_edit_gets_nothing_that_is_hidden(stranger, path):
    """The leak walk of the pages (tests/web/sharing) asks without any bearer."""
    roster = create_roster(
        document("msc", [SHIP, {**SHIP, "name": HIDDEN, "notes": HIDDEN, "secret": True}], notes=HIDDEN)
    )
    writer.update_roster(stored(roster), hide_points=True, hide_notes=True, hide_secrets=True)

    def told(bearer):
        body = call("GET", f"/rosters/{roster['token']}{path}", bearer=bearer).content
        return HIDDEN in (paper.pdf_text(body) if path.endswith("pdf") else body.decode())

    assert [told(bearer) for bearer in (roster["secret"], None, "nonsense", stranger[1])] == [True, False, False, False]


def test_the_sheets_are_those_of_the_site_and_every_game_is_listed_with_all_its_codes():
    token = create_roster()["token"]
    for query in ("", "?sheet=roster&paper=letter&points=0"):
        response = call("GET", f"/rosters/{token}/sheets.pdf{query}")
        assert response.content == Client().get(f"/s/{token}.pdf{query}").content
    assert [each["slug"] for each in call("GET", "/systems").json()["systems"]] == [*SYSTEMS]
    for slug, system in SYSTEMS.items():
        data, rules = call("GET", f"/systems/{slug}").json(), system.rules
        assert [each["code"] for each in data["scenarios"]] == [*rules.SCENARIOS]
        assert {each["rule"] for each in data["house_rules"]} == {*rules.Options.model_fields}
        assert {each["code"] for each in data["findings"]} >= {*rules.FINDINGS}
        assert (bool(data["sheets"]), len(data["glossary"])) == (True, len([*rules.glossary()]))


OPERATIONS = [
    (method.upper(), path, operation)
    for path, operations in OPENAPI["paths"].items()
    for method, operation in operations.items()
]


def test_every_operation_is_limited_and_seconds_of_odds_count_as_several_requests(monkeypatch, settings):
    settings.ODDS_A_MINUTE = 11
    question = {"system": "msc", "a": {**SHIP, "name": "A"}, "b": {**SHIP, "name": "B"}}
    for seconds, status in ((1.0, 200), (0, 429)):
        monkeypatch.setattr("rosters.api.rosters.time", SimpleNamespace(thread_time=iter([0, seconds]).__next__))
        assert call("POST", "/odds", question).status_code == status
    settings.API_A_MINUTE = 1
    for method, path, _ in OPERATIONS:
        cache.clear()
        filled = path.replace("{token}", "nobody").replace("{number}", "1").replace("{slug}", "chess").removeprefix(V1)
        answers = [call(method, filled) for _ in range(2)]
        assert [answer.status_code == 429 for answer in answers] == [False, True]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_several_programs_that_change_one_revision_at_once_one_wins():
    roster, answers = create_roster(), []
    changes = [{**FLEET, "name": f"Writer {number}"} for number in range(6)]
    assert run_in_threads(*(lambda data=data: answers.append(put(roster, data).status_code) for data in changes)) == []
    assert (sorted(answers), stored(roster).revision) == ([200, *[412] * 5], 2)


def test_the_openapi_document_refers_to_nothing_that_is_missing_and_has_the_routes_that_are_listed():
    response = Client().get(reverse("openapi"))
    assert response.json() == OPENAPI
    schemas = OPENAPI["components"]["schemas"]
    assert {*re.findall(r'"\$ref": ?"#/components/schemas/([^"]+)"', response.content.decode())} <= {*schemas}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    assert len({operation["operationId"] for *_, operation in OPERATIONS}) == len(OPERATIONS)
    body = OPENAPI["paths"][f"{V1}/appraise"]["post"]["requestBody"]["content"]["application/json"]
    assert call("POST", "/appraise", body["example"]).status_code == 200
    out, words = io.StringIO(), io.StringIO()
    call_command("routes", "--json", stdout=out)
    call_command("routes", stdout=words)
    every = json.loads(out.getvalue())
    assert len(words.getvalue().splitlines()) == len(every)
    ours = {each["route"]: each for each in every if each["route"].startswith("/api/v1/")}
    assert ours.pop(reverse("openapi"))["who"] == "anyone"
    routes = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route): each for route, each in ours.items()}
    assert {(m, path) for path, each in routes.items() for m in each["methods"] if m != "HEAD"} == {
        (method, path) for method, path, _ in OPERATIONS
    }
    assert [path for _, path, operation in OPERATIONS if operation["x-who"] not in routes[path]["who"]] == []


def test_a_token_is_shown_once_and_stored_only_as_a_hash(owner, signed_in):
    page = signed_in.post("/account/tokens", {"name": "My <script>", "scope": "write"})
    secret = re.search(rf'value="({api_tokens.PREFIX}[\w-]+)"', page.content.decode())[1]
    assert ("My &lt;script&gt;" in page.content.decode(), "no-store" in page["Cache-Control"]) == (True, True)
    assert secret not in signed_in.get("/account/tokens").content.decode()
    assert secret not in json.dumps([*ApiToken.objects.values()], default=str)
    token = owner[0].api_tokens.get(name__startswith="My")
    assert (token.used, stored(create_roster(bearer=secret)).owner) == (None, owner[0])
    token.refresh_from_db()
    assert token.used is not None


def test_a_token_is_listed_and_revoked_by_its_own_account_alone(owner, stranger, signed_in):
    mine, theirs = (account.api_tokens.get() for account, _ in (owner, stranger))
    ApiToken.objects.filter(pk=theirs.pk).update(name="THEIRS")
    assert "THEIRS" not in signed_in.get("/account/tokens").content.decode()
    for key in (mine.pk, theirs.pk, "999999", "x", "-1", "", "9" * 40):
        assert signed_in.post(f"/account/tokens/{key}/revoke").status_code in (302, 404)
    assert [*ApiToken.objects.all()] == [theirs]


def test_a_token_needs_a_name_and_an_account_has_only_so_many(owner, signed_in, monkeypatch):
    monkeypatch.setattr(api_tokens, "MAX_TOKENS", 2)
    sent = ((" ", "read"), ("x" * 61, "read"), ("2", "all"), ("2", "read"), ("3", "read"))
    answers = [signed_in.post("/account/tokens", {"name": name, "scope": scope}) for name, scope in sent]
    statuses = [answer.status_code for answer in answers]
    assert (statuses, owner[0].api_tokens.count()) == ([422, 422, 422, 200, 422], 2)


def test_a_token_for_reading_changes_nothing_and_one_that_has_expired_or_is_odd_opens_nothing(owner):
    place = f"/rosters/{create_roster(bearer=owner[1])['token']}"
    for bearer in ("x y", "\xe4\xff" + "x" * 9000):
        assert not call("GET", place, bearer=bearer).json()["editable"]
        assert call("DELETE", place, bearer=bearer).status_code == 403
    assert call("DELETE", place, Authorization="\xff").status_code == 401
    # The codes are those of RFC 6750.
    user, full = owner
    roster = f"/rosters/{create_roster(bearer=full)['token']}"
    reading = api_tokens.create_token(user, "reading", scope="read")
    expired = api_tokens.create_token(user, "expired", expires=timezone.now())
    lasting = api_tokens.create_token(user, "lasting", expires=timezone.now() + timedelta(days=1))
    for bearer, expected in {reading: (200, 403, 403), expired: (401, 401, 401), lasting: (200, 201, 204)}.items():
        asked = [
            call(*each, bearer=bearer) for each in (("GET", roster), ("POST", "/rosters", FLEET), ("DELETE", roster))
        ]
        assert tuple(each.status_code for each in asked) == expected
        codes = {each.get("WWW-Authenticate") for each in asked if each.status_code >= 400}
        assert codes <= {'Bearer error="insufficient_scope"' if bearer == reading else 'Bearer error="invalid_token"'}
    assert call("GET", roster, bearer=full).status_code == 404, "the lasting one has deleted it"


def test_a_token_ends_with_the_password_however_that_changes_if_it_is_to(owner, signed_in):
    user, _ = owner
    sent = {"name": "short-lived", "scope": "read", "days": "7", "ends_with_password": "on"}
    assert signed_in.post("/account/tokens", sent).status_code == 200
    token = user.api_tokens.get(name="short-lived")
    left = token.expires - timezone.now()
    assert (token.scope, timedelta(days=6, hours=23) < left <= timedelta(days=7)) == ("read", True)
    user.set_password("another good password")
    user.save()
    assert [token.name for token in user.api_tokens.all()] == ["a program"]
