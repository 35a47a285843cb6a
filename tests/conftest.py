"""One world for all tests: a database with the sample armies, and an owner, a friend, a stranger and an operator."""

import gc
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import hypothesis
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections
from django.db.models import CharField
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.template import Template
from django.test import TransactionTestCase
from django.test.signals import template_rendered

from armybuilder.environment import configuration
from rosters.ops import assets
from rosters.web.http import rate_limit
from rosters.web.sharing import cached
from tests import browsing, database
from tests.people import Person
from tools import chromium, redis_server

DRAW = Template._render
gc.disable()  # until all is imported
OF_THIS_RUN = TemporaryDirectory(prefix="armybuilder-test-")
"""The database and the static files of this run: two runs in one checkout do not meet."""
hypothesis.settings.register_profile(
    "suite",
    max_examples=15,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[
        hypothesis.HealthCheck.too_slow,
        hypothesis.HealthCheck.data_too_large,
        hypothesis.HealthCheck.function_scoped_fixture,  # none holds state between examples
    ],
)
hypothesis.settings.load_profile("suite")
"""The same examples each time and no clock, so that nothing fails by chance: `make fuzz` looks for others."""
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's loop runs in the thread of the tests


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Load what `make setup` loads, once for all tests; what a test commits is replaced by a copy of that."""
    with django_db_blocker.unblock():
        call_command("migrate", fake=True, verbosity=0)
        call_command("load", verbosity=0)
        put_back = database.copy()
    TransactionTestCase._fixture_teardown = lambda case: put_back()


@pytest.fixture(scope="session", autouse=True)
def pages_tell_what_they_are_drawn_from(django_test_environment):
    """``response.context`` is that of the page alone: telling it of each part would take a seventh of every page."""

    def draw(template, context):
        if context.template is template and not (template.name or "").startswith("django/"):
            template_rendered.send(sender=template, template=template, context=context)
        return DRAW(template, context)

    Template._render = draw


@receiver(pre_save)
def no_text_is_longer_than_its_column(sender, instance, **kwargs):
    """As PostgreSQL sees to it, and SQLite does not."""
    columns = [each for each in sender._meta.concrete_fields if isinstance(each, CharField)]
    assert [each.name for each in columns if len(getattr(instance, each.attname) or "") > each.max_length] == []


@pytest.fixture(autouse=True)
def one_minute(monkeypatch):
    """Limits count within a minute; a test stays within one of its own."""
    cache.clear()
    rate_limit.processor_seconds.clear()
    cached.clear_responses()
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(time=lambda: 1_000_000_000.0))


@pytest.fixture
def without_limits(settings):
    for name in configuration():
        if name.endswith(("_A_MINUTE", "_AT_ONCE")):
            setattr(settings, name, 0)


@pytest.fixture
def owner(db):
    """Whose rosters a test is about."""
    return Person("the owner")


@pytest.fixture
def friend(db):
    """Somebody who is sent links: to read, to edit, or to a battle."""
    return Person("a friend")


@pytest.fixture
def stranger(db):
    """Somebody with a link alone, or with nothing."""
    return Person("a stranger")


@pytest.fixture
def operator(db):
    """Who runs the site."""
    person = Person("the operator")
    person.force_login(User.objects.create_superuser("keeper", "keeper@example.org", "a long password 7"))
    return person


@pytest.fixture
def dwarves(owner):
    """A roster of the owner's: Thane, Runepriest and three Guards, 28 points."""
    return owner.copy_sample()


@pytest.fixture
def site(transactional_db, live_server):
    """A running site with the reference rows and the sample armies; its address."""
    return live_server.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """The installed Chromium, without its connections to the outside."""
    return {**browser_type_launch_args, "executable_path": chromium.installed(), "args": chromium.FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args, live_server):
    """A phone, unless a test asks for another window."""
    return {**browser_context_args, "base_url": live_server.url, "viewport": {"width": 360, "height": 740}}


@pytest.fixture(scope="session")
def first_context(browser, browser_context_args):
    """Loading a page in a new context takes a second of processor, in one that has loaded another a fifth."""
    context = browser.new_context(**browser_context_args)
    yield context
    context.close()


@pytest.fixture
def context(site, first_context):
    """A browser that has been to no site before."""
    yield first_context
    for page in first_context.pages:  # by the protocol, which works while a page loads
        local = {"origin": site, "storageTypes": "local_storage"}
        first_context.new_cdp_session(page).send("Storage.clearDataForOrigin", local)
        page.close()
    first_context.clear_cookies()


@pytest.fixture
def page(page):
    """A page of the running site that fails its test on any word of trouble."""
    with browsing.assert_no_errors(page):
        yield page


def pytest_configure(config):
    """Three things that take their time, and every process or client would take it again.

    Static files are looked for when they are asked for, not all of them beforehand; passwords are hashed in one round;
    tables are made from the models, and `test_head_data` compares them with those of the migrations.
    And the static files are those of the sources, whatever `collectstatic` has left in this tree; faces and style
    sheet are made from them.
    """
    if not hasattr(config, "workerinput"):  # once, not in each process of xdist
        assets.make()
    settings.WHITENOISE_AUTOREFRESH = True
    settings.STATIC_ROOT = OF_THIS_RUN.name
    settings.PASSWORD_HASHERS = ["tests.passwords.QuickArgon2", *settings.PASSWORD_HASHERS[1:]]
    default = connections["default"]
    default.settings_dict["TEST"]["MIGRATE"] = False
    if default.vendor == "sqlite":
        default.settings_dict["TEST"]["NAME"] = str(Path(OF_THIS_RUN.name) / "test.sqlite3")


def pytest_collection_finish():
    """What is imported by now stays: the collector, which else traces all of it again and again, leaves it alone."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


LONG = ("tests/ops/", "tests/store/test_head_data.py")
"""What takes longest, besides the tests in a browser."""


def pytest_collection_modifyitems(items):
    """Long tests come first, so that both processes end together; those of the browser in one, which starts it.

    Only BROWSER=skip and REDIS=skip, asked for by name, leave the tests out that need one.
    """
    items.sort(key=lambda item: not (item.nodeid.startswith(LONG) or item.get_closest_marker("browser")))
    for name, skipped in (("browser", chromium.skipped()), ("redis", redis_server.skipped())):
        for item in items if skipped else ():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=f"{name.upper()}=skip"))
