"""The people of the web tests, each a browser of their own: how they begin rosters, press buttons and read pages."""

import re

from django.test import Client

from rosters import registry
from rosters.core import edits
from rosters.models import Battle, Browser, Roster, hashed, new_secret
from rosters.store import access, writer
from rosters.store import state as states
from rosters.web.sharing import cached
from tests.filled import Page

COOKIE = "armybuilder_browser"
PASSWORD = "correct horse 9"
SHIP = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
"""Minimal Space Combat: 3 + 3 + 3 + 3 x 2 = 15 BP."""
ELEMENTS = {
    "mini-combat": {"power": 100, "to_hit": 2, "morale": 6},  # 100 x 1 x 5 / 5 = 100 points
    "6mm": {"type": "WBD"},  # 5 points
    "msc": SHIP,
    "vsgmr": {"kind": "troop"},  # 1 point
    "urutsk": {"fate": 3, "command": True},
}
"""An element of each game."""


class Person(Client):
    """A browser; ``name`` tells people apart where a test fails."""

    def __init__(self, name="somebody", **more):
        super().__init__(**more)
        self.name = name

    def __repr__(self):
        return self.name

    @property
    def browser(self):
        """The row of this browser, which is known to the site from now on."""
        if COOKIE not in self.cookies:
            self.cookies[COOKIE] = new_secret()
        return Browser.objects.get_or_create(key_hash=hashed(self.cookies[COOKIE].value))[0]

    def make(self, data, **kept):
        """A roster of this person's out of a document or its data, with its ``owner_link`` and an ``edit_link``."""
        document = registry.read(data) if isinstance(data, dict) else data
        made = writer.create(document, browser=self.browser)
        if kept:
            writer.update_roster(made.roster, **kept)
        roster = fresh(made.roster)
        roster.owner_link = f"/e/{roster.token}/{made.secret}"
        roster.edit_link = f"/e/{roster.token}/{access.decrypt(access.create_link(roster, 'A friend').secret)}"
        return roster

    def use(self, sample="vsgmr/dwarves", **kept):
        """A roster of this person's that began as a sample army."""
        return self.make(edits.copy_roster(document_of(army(sample)), army(sample).name), **kept)

    def start(self, name="Iron Guard", system="msc", size="0", **sent):
        """Start an empty roster by the form, as a browser does."""
        response = self.send(f"/new/{system}", name=name, size=size, **sent)
        return Roster.objects.get(token=token_in(response.url))

    def fight(self, *rosters, **sent):
        """A battle of rosters given by their links."""
        links = "\n".join(f"http://testserver/s/{each.token}" for each in rosters)
        return Battle.objects.get(token=token_in(self.send("/battle/new", links=links, **sent).url))

    def send(self, address, *, follow=False, **sent):
        """Send a form."""
        return self.post(address, sent, follow=follow)

    def act(self, thing, do="", at="", *, follow=False, **sent):
        """Press a button on a page of a roster or a battle; ``at`` names a page other than the first."""
        sent = {"do": do, **sent} if do else sent
        return self.post(place(thing, at), sent, follow=follow)

    def shelve(self, action, *rosters, query="", **sent):
        """Act on rosters that are selected in My rosters or the bin ("bin/restore"); the page that follows."""
        return self.send(f"/mine/{action}{query}", follow=True, pick=[roster.token for roster in rosters], **sent)

    def oppose(self, battle, **sent):
        """Take the other side of a battle; the roster that is brought or made."""
        assert self.act(battle, at="opponent", **sent).status_code == 302
        return battle.forces.order_by("position").last().roster

    def sign_up(self, email="anna@example.com", password=PASSWORD):
        return self.send("/account/signup/", email=email, password1=password, password2=password)

    def sign_in(self, email="anna@example.com", password=PASSWORD, **more):
        return self.send("/account/login/", login=email, password=password, **more)

    def confirm_password(self):
        """What the pages of API tokens and others ask for; it holds for five minutes."""
        return self.send("/account/reauthenticate/", password=PASSWORD)

    def put_document(self, roster, data, link):
        """What a program sends that has this link of a roster."""
        headers = {"If-Match": "*", "Authorization": f"Bearer {link.split('/')[-1]}"}
        return self.put(f"/api/v1/rosters/{roster.token}", data, "application/json", headers=headers)

    def see(self, address, status=200):
        """What a page is drawn from, anew if it is one for everybody."""
        cached.clear_responses()
        response = self.get(address)
        assert response.status_code == status, (self, address)
        return response.context

    def read(self, address, status=200):
        """A page as text."""
        response = self.get(address)
        assert response.status_code == status, (self, address)
        return response.content.decode()

    def listed(self, address="/mine/"):
        """The names that a page of rosters of one's own lists, in their order."""
        return [roster.name for roster, *_ in self.see(address)["rows"]]


def place(thing, at=""):
    """The address of a page about a roster, for who may edit it, or about a battle."""
    if isinstance(thing, Battle):
        return f"/b/{thing.token}" + (f"/{at}" if at else "")
    return f"/r/{thing.token}/{at}"


def token_in(address):
    return re.search(r"/[rsb]/([\w-]{22})", address)[1]


def army(sample):
    return Roster.objects.get(sample=sample)


def fresh(thing):
    """The row as the database has it now."""
    return type(thing).objects.get(pk=thing.pk)


def document_of(roster):
    return states.read_document(fresh(roster))


def ids(roster):
    """The ids of all elements, by formation."""
    return [[element.id for element in formation.elements] for formation in document_of(roster).formations]


def element(roster, name):
    return next(e for f in document_of(roster).formations for e in f.elements if e.name == name)


def put(roster, which, **fields):
    """Change an element as its form does."""
    now = element(roster, which).replace(**fields)
    assert writer.apply_edit(fresh(roster), edits.replace_element(now), f"Changed {now.name}")


def grow(roster, quantity=9):
    """One more line in the first formation."""
    document = document_of(roster)
    line = document.formations[0].elements[-1].replace(id=None, name="Newcomer", quantity=quantity)
    assert writer.apply_edit(fresh(roster), edits.add_elements(document.formations[0].id, [line]), "Grew")
    roster.refresh_from_db()


def message_levels(response):
    """The kinds of the notices on a page: success, warning, error, and so on."""
    return [message.level_tag for message in response.context["messages"]]


def form_of(response):
    """What a browser would send for the form of a page."""
    page = Page()
    page.feed(response.content.decode())
    page.close()
    return dict(page.sent().lists())
