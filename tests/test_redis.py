"""The cache and the limits on a real Redis: shared by processes, used for sheets, missed without harm, found again."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.cache import caches
from django.test import Client

from armybuilder import environment
from rosters import limits
from rosters.models import Roster
from rosters.printing import Print
from tests.redis_server import Server

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def server(started, settings):
    """A running Redis, empty, which the site is set to use."""
    if started.process.poll() is not None:
        started.start()
    settings.CACHES = environment.caches(started.url)
    caches["default"].clear()
    return started


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


@pytest.fixture
def sheet(db):
    """The address of a sample's PDF."""
    return f"/s/{Roster.objects.get(sample='vsgmr/dwarves').token}.pdf"


@pytest.fixture
def said(caplog):
    """What the site's log of limits says."""
    with caplog.at_level(logging.WARNING, "armybuilder.limits"):
        yield lambda: [record.getMessage() for record in caplog.records if record.name == "armybuilder.limits"]


# ---------------------------------------------------------------- shared


COUNTING = """
import django
django.setup()
from types import SimpleNamespace
from django.test import RequestFactory
from rosters import limits
limits.time = SimpleNamespace(time=lambda: 1_000_000_000.0)
print([limits.over(RequestFactory().get("/"), "API_A_MINUTE", 60) for _ in range(50)].count(False))
"""


def test_processes_that_count_at_the_same_time_let_as_many_pass_as_one_would(server):
    """Each asks 50 times; of the 100, exactly the 60 of the limit may pass."""
    given = {**os.environ, "CACHE_URL": server.url, "DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
    command = [sys.executable, "-c", COUNTING]
    both = [subprocess.Popen(command, cwd=ROOT, env=given, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    passed = [int(process.communicate()[0]) for process in both]
    assert sum(passed) == 60


def test_what_another_process_has_counted_counts_here(server, visitor, sheet, settings):
    settings.PDFS_A_MINUTE = 3
    other = environment.caches(server.url)["default"]
    key = f"limit:PDFS_A_MINUTE:127.0.0.1:{int(limits.time.time()) // 60}"
    settings.CACHES = {**settings.CACHES, "another": other}
    caches["another"].set(key, 2)
    assert [visitor.get(sheet).status_code for _ in range(2)] == [200, 429]


def test_beyond_a_limit_it_is_429_until_the_minute_is_over(server, visitor, sheet, settings):
    settings.PDFS_A_MINUTE = 2
    answers = [visitor.get(sheet) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].headers["Retry-After"] == "20", "1,000,000,000 is 40 seconds past a minute"


def test_a_count_is_forgotten_when_it_no_longer_matters(server):
    assert limits.count("limit:forgotten") == 1
    client = caches["default"]._cache.get_client()
    assert 0 < client.ttl(caches["default"].make_key("limit:forgotten")) <= 2 * limits.MINUTE


# ---------------------------------------------------------------- sheets


def test_a_sheet_is_drawn_once_and_kept_for_all(server, visitor, sheet, monkeypatch):
    first = visitor.get(sheet)
    monkeypatch.setattr(Print, "pdf", None)
    again = visitor.get(sheet)
    assert first.content.startswith(b"%PDF")
    assert again.content == first.content
    assert caches["sheets"].get(first.headers["ETag"].strip('"')) == first.content


# ---------------------------------------------------------------- gone, and back


def test_without_redis_the_site_answers_and_the_log_says_what_is_not_counted(server, visitor, sheet, settings, said):
    settings.PDFS_A_MINUTE = 1
    server.kill()
    assert [visitor.get(sheet).status_code for _ in range(3)] == [200, 200, 200]
    assert said() == ["PDFS_A_MINUTE is not counted: ConnectionError"] * 3
    home = visitor.get("/")
    token = sheet.removeprefix("/s/").removesuffix(".pdf")
    api = visitor.get(f"/api/v1/rosters/{token}")
    assert (home.status_code, api.status_code) == (200, 200)
    ready = visitor.get("/ready")
    assert (ready.status_code, ready.json()["cache"]) == (200, "failed")


def test_without_redis_nobody_can_try_passwords(server, visitor, db):
    server.kill()
    response = visitor.post("/account/login/", {"login": "a@example.org", "password": "guessed"})
    assert response.status_code == 503
    assert "Retry-After" in response.headers


def test_a_redis_that_is_back_counts_and_keeps_again_without_help(server, visitor, sheet, settings, said):
    settings.PDFS_A_MINUTE = 1
    assert visitor.get(sheet).status_code == 200
    server.kill()
    assert visitor.get(sheet).status_code == 200
    server.start()
    assert [visitor.get(sheet).status_code for _ in range(2)] == [200, 429]
    assert len(said()) == 1
    assert visitor.get("/ready").json()["cache"] == "ok"


def test_a_count_that_redis_has_just_dropped_to_make_room_lets_pass(server, visitor, sheet, monkeypatch, said):
    monkeypatch.setattr(caches["default"], "add", lambda *arguments: True)
    assert visitor.get(sheet).status_code == 200
    assert said() == ["PDFS_A_MINUTE is not counted: ValueError"]
