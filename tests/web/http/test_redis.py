"""The cache and the limits on a real Redis: shared by processes, used for sheets, missed without harm, found again."""

import logging

import pytest
from django.core.cache import caches

from armybuilder import environment
from rosters.models import Roster
from rosters.web.http import rate_limit
from rosters.web.printing import views
from rosters.web.printing.service import PrintLayout
from rosters.web.sharing import cached
from tests.concurrency import run_in_threads
from tools.redis_server import Server

pytestmark = pytest.mark.redis


@pytest.fixture
def server(tmp_path, settings):
    """A running Redis, empty, which the site is set to use."""
    server = Server(tmp_path)
    server.start()
    settings.CACHES = environment.caches(server.url)
    yield server
    server.kill()


@pytest.fixture
def sheet(db):
    """The address of a sample's PDF."""
    return f"/s/{Roster.objects.get(sample='vsgmr/dwarves').token}.pdf"


def test_those_who_count_at_the_same_time_let_as_many_pass_as_one_would(server, rf):
    """Each of four asks 25 times, by a connection of its own; of the 100, exactly the 60 of the limit may pass."""
    answers = []

    def ask():
        answers.extend(rate_limit.is_over_limit(rf.get("/"), "API_A_MINUTE", 60) for _ in range(25))

    assert run_in_threads(*[ask] * 4) == []
    assert answers.count(False) == 60
    redis = caches["default"]._cache.get_client()
    (key,) = redis.keys("*API_A_MINUTE*")
    assert int(redis.get(key)) == 100, "so that other processes see it"
    assert 0 < redis.ttl(key) <= 2 * rate_limit.MINUTE


def test_a_sheet_is_rendered_once_and_cached(server, client, sheet, monkeypatch):
    first = client.get(sheet)
    monkeypatch.setattr(PrintLayout, "pdf", None)
    monkeypatch.setattr(views, "content_key", None)
    cached.clear_responses()
    assert first.content.startswith(b"%PDF")
    assert client.get(sheet).content == first.content, "of another process"


def test_without_redis_the_site_answers_what_is_not_counted_is_logged_and_all_comes_back(
    server, client, sheet, settings, caplog, monkeypatch
):
    def uncounted():
        lines = (each for each in caplog.records if each.name == "armybuilder.limits")
        return [each.getMessage().split()[-1] for each in lines if each.levelno >= logging.WARNING]

    settings.PDFS_A_MINUTE, settings.DRAWINGS_A_MINUTE = 1, 0
    client.raise_request_exception = False
    server.kill()
    for _ in range(3):
        cached.clear_responses()
        assert client.get(sheet).status_code == 200
    assert uncounted() == ["ConnectionError"] * 3
    token = sheet.removeprefix("/s/").removesuffix(".pdf")
    assert [client.get(path).status_code for path in ("/", f"/api/v1/rosters/{token}")] == [200, 200]
    ready = client.get("/ready")
    assert (ready.status_code, ready.json()["cache"]) == (200, "failed")
    login = client.post("/account/login/", {"login": "a@example.org", "password": "guessed"})
    assert (login.status_code, "Retry-After" in login.headers) == (503, True), "nobody can try passwords"
    before = len(uncounted())
    server.start()
    answers = [client.get(f"{sheet}?paper={paper}") for paper in ("letter", "a5")]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert answers[1].headers["Retry-After"] == "20", "1,000,000,000 is 40 seconds past a minute"
    assert len(uncounted()) == before
    assert client.get("/ready").json()["cache"] == "ok"
    caches["default"].clear()
    monkeypatch.setattr(caches["default"], "add", lambda *arguments: True)
    assert client.get(f"{sheet}?large=1").status_code == 200, "Redis has just dropped the count to make room"
    assert uncounted()[before:] == ["ValueError"]
