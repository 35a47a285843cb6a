"""The cache and the limits on a real Redis: shared by processes, used for sheets, missed without harm, found again."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.cache import caches

from armybuilder import environment
from rosters.models import Roster
from rosters.web.http import rate_limit
from rosters.web.printing import views
from rosters.web.printing.service import PrintLayout
from rosters.web.sharing import cached
from tools.redis_server import Server

ROOT = Path(__file__).parent.parent.parent.parent
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


COUNTING = """
import django
django.setup()
from types import SimpleNamespace
from django.test import RequestFactory
from rosters.web.http import rate_limit
rate_limit.time = SimpleNamespace(time=lambda: 1_000_000_000.0)
print([rate_limit.is_over_limit(RequestFactory().get("/"), "API_A_MINUTE", 60) for _ in range(50)].count(False))
"""


def test_processes_that_count_at_the_same_time_let_as_many_pass_as_one_would(server):
    """Each asks 50 times; of the 100, exactly the 60 of the limit may pass."""
    given = {**os.environ, "CACHE_URL": server.url, "DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
    command = [sys.executable, "-c", COUNTING]
    both = [subprocess.Popen(command, cwd=ROOT, env=given, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sum(int(process.communicate()[0]) for process in both) == 60
    (key,) = caches["default"]._cache.get_client().keys("*API_A_MINUTE*")
    assert 0 < caches["default"]._cache.get_client().ttl(key) <= 2 * rate_limit.MINUTE


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
