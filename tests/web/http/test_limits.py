"""Limits for each client: 429 with Retry-After once they are reached, and none at 0."""

import json
import runpy
from itertools import count

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from armybuilder import settings as shipped
from armybuilder.environment import configuration, rates
from rosters.models import Battle, Roster
from rosters.store import shelf
from rosters.web.http import rate_limit
from rosters.web.http.errors import submitted_form
from rosters.web.sharing import cached
from tests.notation import rows
from tests.people import SHIP, Person, sample_roster
from tests.support import resubmitted_form, roster_data

pytestmark = pytest.mark.django_db

FLEET = json.dumps(roster_data("msc", [SHIP]))
LIMIT = 2
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
    token, sent = sample_roster("msc/book-squadron").token, BEGINNINGS[address]
    address = address.replace("TOKEN", token).replace(
        "BATTLE", Battle.objects.create(system="msc", name="Waiting").token
    )
    if isinstance(sent, str):
        return client.post(address, sent, content_type="application/json")
    return client.submit(address, **{name: value.replace("TOKEN", token) for name, value in sent.items()})


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


@pytest.mark.parametrize("way", ["/import", "/s/TOKEN/copy", "/api/v1/rosters"])
def test_what_is_large_counts_as_several(settings, monkeypatch, way):
    monkeypatch.setattr(rate_limit, "CREATION_BYTES", 100)
    settings.CREATIONS_A_MINUTE, client = LIMIT, Person()
    assert [begin(client, way).status_code == 429 for _ in range(LIMIT)] == [False, True]


SENT = [
    ("/new/msc?from=here", {"name": ["“A” <b> & 'C'"], "size": ["0"]}),
    ("/battle/new", {"name": ["Two lines"], "links": ["/s/TOKEN\r\n/s/TOKEN/r1"], "roster": ["x", "y"]}),
    ("/s/TOKEN/copy", {}),
]


@pytest.mark.parametrize(("address", "sent"), SENT)
def test_the_page_that_says_to_wait_sends_the_same_again(settings, address, sent):
    settings.CREATIONS_A_MINUTE = 1
    token, client = sample_roster("msc/book-squadron").token, Person()
    address = address.replace("TOKEN", token)
    sent = {name: [value.replace("TOKEN", token) for value in values] for name, values in sent.items()}
    answers = [client.post(address, sent) for _ in range(2)]
    assert answers[1].status_code == 429
    assert resubmitted_form(answers[1]) == (address, sent)


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


COSTLY = rows("""  # the setting that limits it, and what is asked of roster t, formation f, battle b, shelf s
    LIVE_PREVIEWS = POST /r/{t}/element/preview?in={f} | LIVE_PREVIEWS = POST /r/{t}/settings/preview
    LIVE_PREVIEWS = POST /r/{t}/element/odds?in={f} | BULK_CHANGES = GET /r/{t}/formation/elements?id={f}
    BULK_CHANGES = POST /r/{t}/selected/set | BULK_CHANGES = POST /r/{t}/paste | CHECKS = POST /check
    PRINT_PAGES = GET /s/{t}/print | COMPARISONS = GET /s/{t}/compare | COMPARISONS = GET /s/{t}?since=1
    DRAWINGS = GET /s/{t}/r01.rosz | PREVIEWS = GET /s/{t}.png | PREVIEWS = GET /s/{t}/page.png
    PDFS = GET /s/{t}.pdf | PDFS = GET /b/{b}.pdf | PDFS = GET /blank/msc.pdf | REPORTS = POST /b/{b}/reports
    DOWNLOADS = GET /mine/backup | DOWNLOADS = GET /account/download | ODDS = POST /api/v1/odds
    ODDS = GET /b/{b}/odds | ODDS = GET /r/{t}/odds | ODDS = GET /b/{b}/odds/pair | REPORTS = POST /r/{t}/fill
    COMPARISONS = GET /r/{t}/fill
    LIVE_PREVIEWS = GET /shelf/{s}/line | BULK_CHANGES = GET /shelf/{s}/rosters | REPORTS = POST /shelf/{s}/match
""")


def test_what_takes_long_is_limited_for_each_client(settings, owner):
    owner.sign_up()
    mine = owner.start_roster()
    parts = {"t": mine.token, "f": mine.formations.get().uid, "b": owner.create_battle(mine).token}
    parts["s"] = shelf.create(owner.browser).token

    def ask(method, at):
        cached.clear_responses()  # what is drawn already is not counted
        return owner.generic(method, at.format(**parts))

    for setting, asked in ((f"{name}_A_MINUTE", asked.split()) for name, asked in COSTLY):
        cache.clear()
        setattr(settings, setting, 1)
        passed, refused = ask(*asked), ask(*asked)
        assert passed.status_code != 429, asked
        assert (refused.status_code, 1 <= int(refused["Retry-After"]) <= 60) == (429, True), asked
        setattr(settings, setting, 0)
        assert ask(*asked).status_code != 429, asked


def test_what_has_no_limit_of_its_own_is_limited_by_the_time_it_takes(settings, monkeypatch):
    monkeypatch.setattr(rate_limit, "thread_time", count().__next__)  # a second for each request
    client, another, settings.PROCESSOR_SECONDS_A_MINUTE = Person(), Person(REMOTE_ADDR="192.0.2.7"), LIMIT
    for address in ("/", "/nowhere", "/account/login/"):
        assert client.get(address).status_code != 429, address
    refused = client.post("/new/msc", {"name": "Long"})
    assert (refused.status_code, resubmitted_form(refused)) == (429, ("/new/msc", {"name": ["Long"]}))
    assert another.get("/").status_code == 200
    settings.PROCESSOR_SECONDS_A_MINUTE = 0
    assert client.get("/").status_code == 200


def test_what_is_added_to_histories_counts_as_time(settings, monkeypatch, owner):
    monkeypatch.setattr(rate_limit, "thread_time", lambda: 0)
    monkeypatch.setattr(rate_limit, "HISTORY_BYTES", 1)
    settings.PROCESSOR_SECONDS_A_MINUTE = LIMIT
    assert [owner.get("/").status_code for _ in range(2 * LIMIT)] == [200] * 2 * LIMIT
    owner.start_roster()
    assert owner.get("/").status_code == 429


CLIENTS = [  # two addresses, and whether they are one client
    *(("192.0.2.7", "192.0.2.8", False), ("192.0.2.7", "::ffff:192.0.2.7", True)),
    *(("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True), ("2001:db8:0:1::1", "2001:db8:0:2::1", False)),
]


@pytest.mark.parametrize("address", ["/check", "/account/login/"])
@pytest.mark.parametrize(("first", "second", "same"), CLIENTS)
def test_an_ipv6_client_is_its_network(settings, address, first, second, same):
    settings.CHECKS_A_MINUTE = 1
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": None, "login": rates(1, "m/ip")}
    people = [Person(REMOTE_ADDR=each) for each in (first, second)]
    assert [person.submit(address, login="a@example.com").status_code == 429 for person in people] == [False, same]


SIGNING = [  # by what allauth calls the limit; the admin's sign-in is the same
    ("login", "/account/login/", {"login": "a@example.com", "password": "x"}),
    ("signup", "/account/signup/", {}),
    ("reset_password", "/account/password/reset/", {"email": "a@example.com"}),
]


@pytest.mark.parametrize(("what", "address", "sent"), SIGNING)
def test_signing_in_and_up_and_forgotten_passwords_are_limited(settings, what, address, sent):
    for most, reached in ((LIMIT, True), (0, False)):
        cache.clear()
        settings.ACCOUNT_RATE_LIMITS = {"login_failed": None, what: rates(most, "m/ip")}
        settings.SIGN_INS_A_MINUTE, client = most, Person()
        answers = [client.post(address, sent) for _ in range(LIMIT + 1)]
        assert [response.status_code == 429 for response in answers] == [False] * LIMIT + [reached]
        assert answers[-1].has_header("Retry-After") == reached
        assert client.get(address).status_code == 200, "looking is not counted"


def test_every_limit_is_a_variable_and_0_turns_it_off(monkeypatch):
    names = [name for name in configuration() if name.endswith("_A_MINUTE")]
    for name in names:
        monkeypatch.setenv(name, "0")
    off = runpy.run_path(shipped.__file__)
    assert ({off[name] for name in names}, {*off["ACCOUNT_RATE_LIMITS"].values()}) == ({0}, {None})
