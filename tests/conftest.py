"""The test database holds the reference rows and the sample armies; the browser tests drive a real Chromium."""

import os
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db.models.signals import post_migrate
from django.template import Template

from rosters import limits
from tools import chromium, redis_server

DRAW = Template._render
UNCOLLECTED = TemporaryDirectory(prefix="armybuilder-static-")
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's loop runs in the thread of the tests


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Load what `make setup` loads, once for all tests, and again after each test that empties the database."""
    with django_db_blocker.unblock():
        load()
    post_migrate.connect(load, sender=apps.get_app_config("rosters"))  # a flush sends it too


def load(**signal):
    call_command("load", verbosity=0)


@pytest.fixture(scope="session", autouse=True)
def drawn_as_served(django_test_environment):
    """Templates do not tell the tests that they were used: none asks, and it takes a seventh of every page."""
    Template._render = DRAW


@pytest.fixture(autouse=True)
def one_minute(monkeypatch):
    """Limits count within a minute; a test stays within one of its own."""
    cache.clear()
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: 1_000_000_000.0))


@pytest.fixture
def site(transactional_db, live_server):
    """A running site with the reference rows and the sample armies; its address."""
    return live_server.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """The installed Chromium, without its connections to the outside."""
    return {**browser_type_launch_args, "executable_path": chromium.installed(), "args": chromium.FLAGS}


def pytest_configure():
    """Two things that take their time by design, and a thousand clients would take it a thousand times.

    Static files are looked for when they are asked for, not all of them beforehand; passwords are hashed in one round.
    And the static files are those of the sources, whatever `collectstatic` has left in this tree.
    """
    settings.WHITENOISE_AUTOREFRESH = True
    settings.STATIC_ROOT = UNCOLLECTED.name
    settings.PASSWORD_HASHERS = ["tests.passwords.QuickArgon2", *settings.PASSWORD_HASHERS[1:]]


def pytest_collection_modifyitems(items):
    """Only BROWSER=skip and REDIS=skip, asked for by name, leave the tests out that need one."""
    for name, skipped in (("browser", chromium.skipped()), ("redis", redis_server.skipped())):
        for item in items if skipped else ():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=f"{name.upper()}=skip"))
