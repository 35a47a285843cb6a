"""Limits for each client: 429 with Retry-After once they are reached, and none at 0."""

import json
import os
import subprocess
import sys

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from armybuilder.environment import configuration, rates
from rosters.models import Battle, Roster
from rosters.web.http.errors import submitted_form
from tests.people import Person, army
from tests.support import roster, typed_again

pytestmark = pytest.mark.django_db

FLEET = json.dumps(roster("msc", [{"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F"]}]))
MOST = 2


WAYS = ["start", "import", "copy", "battle", "opponent", "api"]


def begin(client, way):
    """One request that begins a roster or a battle."""
    token = army("msc/book-squadron").token
    if way == "api":
        return client.post("/api/v1/rosters", FLEET, content_type="application/json")
    if way == "opponent":
        return client.act(Battle.objects.create(system="msc", name="Waiting"), at="opponent")
    address, submitted_form = {
        "start": ("/new/msc", {"name": "Mine", "size": "0"}),
        "import": ("/import", {"text": FLEET}),
        "copy": (f"/s/{token}/copy", {}),
        "battle": ("/battle/new", {"links": f"/s/{token}"}),
    }[way]
    return client.send(address, **submitted_form)


def made():
    return Roster.objects.count(), Battle.objects.exclude(name="Waiting").count()


@pytest.mark.parametrize(
    ("address", "submitted_form"),
    [
        ("/new/msc?from=here", {"name": ["“A” <b> & 'C'"], "size": ["0"]}),
        ("/battle/new", {"name": ["Two lines"], "links": ["/s/TOKEN\r\n/s/TOKEN/r1"], "roster": ["x", "y"]}),
        ("/import", {"text": [FLEET]}),
        ("/s/TOKEN/copy", {}),
    ],
)
def test_the_page_that_says_to_wait_sends_the_same_again(settings, address, submitted_form):
    settings.CREATIONS_A_MINUTE = 1
    token, client = army("msc/book-squadron").token, Person()
    address = address.replace("TOKEN", token)
    submitted_form = {
        name: [value.replace("TOKEN", token) for value in values] for name, values in submitted_form.items()
    }
    answers = [client.post(address, submitted_form) for _ in range(2)]
    assert answers[1].status_code == 429
    assert typed_again(answers[1]) == (address, submitted_form)


def test_a_password_and_a_file_are_not_on_the_page_that_says_to_wait(settings):
    settings.CREATIONS_A_MINUTE = 1
    client, upload = Person(), SimpleUploadedFile("fleet.json", FLEET.encode())
    refused = [client.post("/import", {"text": "", "files": upload}) for _ in range(2)][1]
    assert refused.status_code == 429
    assert "<form" not in refused.content.decode()
    for form, kept in (({"login": "thane"}, True), ({"login": "thane", "password": "a sorry secret"}, False)):
        request = RequestFactory().post("/account/login/", form)
        assert submitted_form(request) is None, "it may be a forged one"
        request.csrf_processing_done = True
        assert bool(submitted_form(request)) == kept


@pytest.mark.parametrize("way", WAYS)
def test_beyond_the_limit_nothing_more_is_begun_and_it_is_told_when_to_come_back(settings, way):
    settings.CREATIONS_A_MINUTE = MOST
    client = Person()
    assert [begin(client, way).status_code in (201, 302) for _ in range(MOST)] == [True] * MOST
    before = made()
    refused = begin(client, way)
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert made() == before
    assert begin(Person(REMOTE_ADDR="192.0.2.7"), way).status_code in (201, 302), "another client may go on"


def test_all_ways_to_begin_are_counted_together_and_looking_is_not_counted(settings):
    settings.CREATIONS_A_MINUTE = len(WAYS)
    client = Person()
    for address in ("/new/msc", "/import", "/battle/new") * len(WAYS):
        assert client.get(address).status_code == 200
    assert all(begin(client, way).status_code in (201, 302) for way in WAYS)
    assert {begin(client, way).status_code for way in WAYS} == {429}
    settings.CREATIONS_A_MINUTE = 0
    assert all(begin(client, way).status_code in (201, 302) for way in WAYS)


@pytest.mark.parametrize("at", ["element/preview?in={}", "settings/preview", None])
def test_what_stands_beside_a_form_is_limited(settings, owner, at):
    """The receipt of an element and of the settings; and the print page's preview."""
    settings.LIVE_PREVIEWS_A_MINUTE, mine = MOST, owner.start()

    def ask():
        if at is None:
            return owner.get(f"/s/{mine.token}/print", headers={"HX-Request": "true"}).status_code
        return owner.act(mine, at=at.format(mine.formations.get().uid)).status_code

    assert [ask() for _ in range(MOST + 1)] == [200, 200, 429]
    settings.LIVE_PREVIEWS_A_MINUTE = 0
    assert ask() == 200


# ---------------------------------------------------------------- signing in

SIGNING = {
    "login": ("/account/login/", {"login": "a@example.com", "password": "x"}),
    "signup": ("/account/signup/", {}),
    "reset_password": ("/account/password/reset/", {"email": "a@example.com"}),
}


@pytest.mark.parametrize("what", SIGNING)
def test_signing_in_and_up_and_forgotten_passwords_are_limited(settings, what):
    address, submitted_form = SIGNING[what]
    for most, reached in ((MOST, True), (0, False)):
        cache.clear()
        settings.ACCOUNT_RATE_LIMITS = {"login_failed": None, what: rates(most, "m/ip")}
        answers = [Person().post(address, submitted_form) for _ in range(MOST + 1)]
        assert [response.status_code == 429 for response in answers] == [False] * MOST + [reached]
        assert answers[-1].has_header("Retry-After") == reached


def test_the_admins_sign_in_is_limited_too(settings):
    settings.SIGN_INS_A_MINUTE = MOST
    client, submitted_form = Person(), {"username": "keeper", "password": "x"}
    answers = [client.post("/admin/login/", submitted_form) for _ in range(MOST + 1)]
    assert [response.status_code for response in answers] == [200, 200, 429]
    assert answers[-1].has_header("Retry-After")
    assert client.get("/admin/login/").status_code == 200


def test_limits_are_written_as_allauth_reads_them():
    assert rates(10, "m/ip") == "10/m/ip"
    assert rates(10, "m/ip", "5/300s/key") == "10/m/ip,5/300s/key"
    assert rates(0, "m/ip", "5/300s/key") is None


def test_every_limit_is_a_variable_and_0_turns_it_off():
    names = [name for name in configuration() if name.endswith("_A_MINUTE")]
    ask = "import json; from armybuilder import settings as s; "
    ask += f"print(json.dumps([[getattr(s, n) for n in {names}], s.ACCOUNT_RATE_LIMITS]))"
    environment = os.environ | dict.fromkeys(names, "0")
    done = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
    numbers, of_accounts = json.loads(done.stdout)
    assert (set(numbers), set(of_accounts.values())) == ({0}, {None})
