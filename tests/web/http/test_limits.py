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
BEGINNINGS = {
    "/new/msc": {"name": "Mine", "size": "0"},
    "/import": {"text": FLEET},
    "/s/TOKEN/copy": {},
    "/battle/new": {"links": "/s/TOKEN"},
    "/b/BATTLE/opponent": {},
    "/api/v1/rosters": FLEET,
}
"""All ways to begin a roster or a battle, with what is sent there."""


def begin(client, address):
    """The status of one request that begins something."""
    token, sent = army("msc/book-squadron").token, BEGINNINGS[address]
    address = address.replace("TOKEN", token).replace(
        "BATTLE", Battle.objects.create(system="msc", name="Waiting").token
    )
    if isinstance(sent, str):
        return client.post(address, sent, content_type="application/json")
    return client.send(address, **{name: value.replace("TOKEN", token) for name, value in sent.items()})


def begun():
    return Roster.objects.count(), Battle.objects.exclude(name="Waiting").count()


def test_all_that_begins_something_is_counted_together_and_refused_beyond_the_limit(settings):
    settings.CREATIONS_A_MINUTE = len(BEGINNINGS)
    client = Person()
    for address in ("/new/msc", "/import", "/battle/new") * len(BEGINNINGS):
        assert client.get(address).status_code == 200, "looking is not counted"
    assert {begin(client, way).status_code for way in BEGINNINGS} <= {201, 302}
    before = begun()
    for way in BEGINNINGS:
        refused = begin(client, way)
        assert (refused.status_code, 1 <= int(refused["Retry-After"]) <= 60) == (429, True), way
    assert begun() == before
    assert begin(Person(REMOTE_ADDR="192.0.2.7"), "/new/msc").status_code == 302, "another client may go on"
    settings.CREATIONS_A_MINUTE = 0
    assert {begin(client, way).status_code for way in BEGINNINGS} <= {201, 302}


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("/new/msc?from=here", {"name": ["“A” <b> & 'C'"], "size": ["0"]}),
        ("/battle/new", {"name": ["Two lines"], "links": ["/s/TOKEN\r\n/s/TOKEN/r1"], "roster": ["x", "y"]}),
        ("/s/TOKEN/copy", {}),
    ],
)
def test_the_page_that_says_to_wait_sends_the_same_again(settings, address, sent):
    settings.CREATIONS_A_MINUTE = 1
    token, client = army("msc/book-squadron").token, Person()
    address = address.replace("TOKEN", token)
    sent = {name: [value.replace("TOKEN", token) for value in values] for name, values in sent.items()}
    answers = [client.post(address, sent) for _ in range(2)]
    assert answers[1].status_code == 429
    assert typed_again(answers[1]) == (address, sent)


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


SIGNING = {
    "login": ("/account/login/", {"login": "a@example.com", "password": "x"}),
    "signup": ("/account/signup/", {}),
    "reset_password": ("/account/password/reset/", {"email": "a@example.com"}),
    None: ("/admin/login/", {"username": "keeper", "password": "x"}),
}
"""By what allauth calls the limit; that of the admin is ours."""


@pytest.mark.parametrize("what", SIGNING)
def test_signing_in_and_up_and_forgotten_passwords_are_limited(settings, what):
    address, sent = SIGNING[what]
    for most, reached in ((MOST, True), (0, False)):
        cache.clear()
        settings.ACCOUNT_RATE_LIMITS = {"login_failed": None, what: rates(most, "m/ip")}
        settings.SIGN_INS_A_MINUTE, client = most, Person()
        answers = [client.post(address, sent) for _ in range(MOST + 1)]
        assert [response.status_code == 429 for response in answers] == [False] * MOST + [reached]
        assert answers[-1].has_header("Retry-After") == reached
        assert client.get(address).status_code == 200, "looking is not counted"


def test_every_limit_is_a_variable_and_0_turns_it_off():
    names = [name for name in configuration() if name.endswith("_A_MINUTE")]
    ask = "import json; from armybuilder import settings as s; "
    ask += f"print(json.dumps([[getattr(s, n) for n in {names}], s.ACCOUNT_RATE_LIMITS]))"
    environment = os.environ | dict.fromkeys(names, "0")
    done = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
    numbers, of_accounts = json.loads(done.stdout)
    assert (set(numbers), set(of_accounts.values())) == ({0}, {None})
