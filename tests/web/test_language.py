"""Pages in a made-up language: no English is left on them but what somebody typed."""

import pytest

from rosters import registry
from rosters.models import Roster
from tests import language

pytestmark = pytest.mark.django_db

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


def assert_translated(person, *addresses, names=()):
    """Every one of these pages is in the made-up language."""
    names = [*names, *Roster.objects.values_list("name", flat=True), *(s.name for s in registry.SYSTEMS.values())]
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
