"""Pages in a made-up language: no English is left on them but what somebody typed."""

import pytest

from rosters import registry
from rosters.core import documents
from rosters.models import Roster
from tests import language
from tests.people import document_of, fresh, grow

pytestmark = pytest.mark.django_db

SAMPLES = {"mini-combat": "mini-combat/second-world-war", "msc": "msc/hearthward-navy"}
PUBLIC = ["/import", "/check", "/battle/new", "/mine/", "/mine/bin", "/nothing", "/s/nothing"]
SIGN_IN = [
    f"/account/{path}"
    for path in (
        *("login/", "signup/", "inactive/", "password/reset/", "password/reset/done/", "password/reset/key/done/"),
        *("confirm-email/", "confirm-email/none/", "password/reset/key/1-none/"),
    )
]
ACCOUNT = [
    f"/account/{path}" for path in ("", "email/", "password/change/", "reauthenticate/", "logout/", "delete", "tokens")
]


def typed(value):
    """Every name and note in a document: what people typed."""
    if isinstance(value, dict):
        yield from (value[key] for key in ("name", "notes") if value.get(key))
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from typed(part)


def assert_translated(person, *addresses, names=()):
    """Every one of these pages is in the made-up language."""
    names = [*names, *Roster.objects.values_list("name", flat=True), *(s.name for s in registry.SYSTEMS.values())]
    names += [entry.code for system in registry.SYSTEMS.values() for entry in system.rules.glossary()]
    names += [system.rules.EDITION for system in registry.SYSTEMS.values()]
    person.get("/mine/")  # it shows what was said before, in English
    with language.spoken():
        english = {address: language.english_on(person.get(address).content.decode(), names) for address in addresses}
    said = [f"{address} {text}" for address, texts in english.items() for text in texts]
    if said:
        pytest.fail("\n".join(said), pytrace=False)


@pytest.mark.parametrize("address", PUBLIC + SIGN_IN)
def test_the_public_pages(stranger, address):
    assert_translated(stranger, address)


@pytest.mark.parametrize("address", ACCOUNT)
def test_the_pages_of_an_account(owner, address):
    owner.sign_up()
    assert_translated(owner, address, names=["anna@example.com"])


@pytest.fixture(params=SAMPLES)
def system(request):
    return request.param


@pytest.fixture
def one(owner, system):
    """A roster that is over its limit and has an empty formation and a history."""
    one = owner.use(SAMPLES[system])
    owner.act(one, at="formation/add")
    grow(one)
    return fresh(one)


ROSTER = [
    "/r/{}/formation",
    "/r/{}/add",
    "/r/{}/marks",
    "/r/{}/sharing",
    "/s/{}/history",
    "/s/{}/compare",
    "/battle/new?roster={}",
]
"""Pages of a roster."""


@pytest.mark.parametrize("page", ROSTER)
def test_the_pages_of_a_roster(owner, one, page):
    assert_translated(owner, page.format(one.token), names=typed(documents.write(document_of(one))))
