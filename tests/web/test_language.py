"""Pages in a made-up language: no English is left on them but what somebody typed."""

import json

import pytest

from rosters import registry
from rosters.core import documents
from rosters.models import Roster
from rosters.store import access
from tests import language
from tests.people import Person, document_of, fresh, grow, ids, place

pytestmark = pytest.mark.django_db

PUBLIC = ["/", "/books/", "/import", "/check", "/battle/new", "/mine/", "/mine/bin", "/nothing", "/s/nothing"]
PUBLIC += [f"/account/{path}/" for path in ("login", "signup", "inactive", "confirm-email", "confirm-email/none")]
PUBLIC += [f"/account/password/reset/{path}" for path in ("", "done/", "key/done/", "key/1-none/")]
ACCOUNT = ["", "email/", "password/change/", "reauthenticate/", "logout/", "delete", "tokens", "sessions"]
ACCOUNT += ["2fa/", "2fa/totp/activate/"]


def typed(value):
    """Every name and note in a document: what people typed."""
    if isinstance(value, dict):
        yield from (value[key] for key in ("name", "notes") if value.get(key))
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from typed(part)


def assert_translated(person, *addresses, names=()):
    """Every one of these pages is in the made-up language."""
    samples = [each for text in Roster.objects.values_list("document", flat=True) for each in typed(json.loads(text))]
    names = [*names, *samples, "Newcomers", "Grew"]  # which is what `grow` adds, and says
    for system in registry.SYSTEMS.values():
        names += [
            system.name,
            system.rules.EDITION,
            system.grammar.example,
            *(term.code for term in system.help.terms()),
        ]
    person.get("/mine/")  # it shows what was said before, in English
    with language.tooltip():
        pages = {address: person.get(address).content.decode() for address in addresses}
    assert [address for address, page in pages.items() if '<header class="site">' not in page] == [], "it is allauth's"
    english = {address: language.english_on(page, names) for address, page in pages.items()}
    said = [f"{address} {text}" for address, texts in english.items() for text in texts]
    if said:
        pytest.fail("\n".join(said), pytrace=False)


def test_the_public_pages(stranger):
    assert_translated(stranger, *PUBLIC)


def test_the_pages_of_an_account(owner):
    owner.sign_up()
    owner.confirm_password()
    assert_translated(owner, *(f"/account/{path}" for path in ACCOUNT), names=["anna@example.com"])


@pytest.fixture(params=["mini-combat/second-world-war", "msc/hearthward-navy"])
def one(owner, request):
    """A roster that is over its limit and has an empty formation and a history."""
    one = owner.use(request.param)
    owner.act(one, at="formation/add")
    grow(one)
    owner.act(one, at="undo")
    owner.act(one, at="redo")
    return fresh(one)


ROSTER = [f"/r/{{token}}/{part}" for part in ("", "?receipt=all", "settings", "add", "marks", "sharing", "history")]
ROSTER += ["/r/{token}/element?id={e}", "/r/{token}/element?in={formation}", "/r/{token}/formation?id={formation}"]
ROSTER += [f"/s/{{token}}/{part}" for part in ("r1", "print", "print?paper=NONE", "history", "compare")]
ROSTER += ["/s/{token}?receipt=all&since=1", "/s/{token}/compare?from=r1&with={token}", "/battle/new?roster={token}"]
ROSTER += [
    "/new/{system}",
    "/explain/",
    "/explain/{system}",
    "/explain/{system}/findings",
    "/r/{token}/marks/reference",
    "/books/?system={system}",
    "/mine/",
]


def test_the_pages_of_a_roster(owner, one):
    document = document_of(one)
    parts = {"token": one.token, "system": one.system, "formation": document.formations[0].id}
    pages = [page.format(**parts, e=ids(one)[0][0]) for page in ROSTER]
    links = [link.name for link in access.links_of(one)]
    assert_translated(owner, *pages, names=[*typed(documents.write(document)), *links])


def test_the_page_of_a_battle(owner, friend, one):
    battle = owner.fight(one)
    theirs = friend.oppose(battle)
    grow(one)
    names = [battle.name, *(name for each in (one, theirs) for name in typed(documents.write(document_of(each))))]
    for person in (owner, friend, Person()):
        assert_translated(person, place(battle), names=names)
