"""The people of the web tests, each with a browser of their own: it creates rosters, submits forms, reads pages."""

import re

from django.test import Client

from rosters import registry
from rosters.core import edits
from rosters.models import Battle, Browser, Roster, hashed, new_secret
from rosters.store import access, writer
from rosters.store import state as states
from rosters.web.sharing import cached
from tests.rendered_forms import FormParser

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

    def create(self, data, **columns):
        """Create a roster of a document or its data; it has its ``owner_link`` and an ``edit_link``."""
        document = registry.read(data) if isinstance(data, dict) else data
        created = writer.create(document, browser=self.browser)
        if columns:
            writer.update_roster(created.roster, **columns)
        roster = reload(created.roster)
        roster.owner_link = f"/e/{roster.token}/{created.secret}"
        roster.edit_link = f"/e/{roster.token}/{access.decrypt(access.create_link(roster, 'A friend').secret)}"
        return roster

    def copy_sample(self, sample="vsgmr/dwarves", **columns):
        """Create a copy of a sample roster."""
        original = sample_roster(sample)
        return self.create(edits.copy_roster(document_of(original), original.name), **columns)

    def start_roster(self, name="Iron Guard", system="msc", size="0", **sent):
        """Create an empty roster by the form of its game."""
        response = self.submit(f"/new/{system}", name=name, size=size, **sent)
        return Roster.objects.get(token=token_in(response.url))

    def create_battle(self, *rosters, **sent):
        """Create a battle of rosters by their links."""
        links = "\n".join(f"http://testserver/s/{each.token}" for each in rosters)
        return Battle.objects.get(token=token_in(self.submit("/battle/new", links=links, **sent).url))

    def submit(self, address, /, *, follow=False, **sent):
        """Submit a form."""
        return self.post(address, sent, follow=follow)

    def post_to(self, subject, at="", /, *, follow=False, **sent):
        """Submit a form to a URL of a roster or a battle; ``at`` is the rest of its path."""
        return self.submit(url_of(subject, at), follow=follow, **sent)

    def bulk_action(self, action, *rosters, query="", **sent):
        """Submit an action for selected rosters of My rosters or of the bin ("bin/restore"); the page that follows."""
        return self.submit(f"/mine/{action}{query}", follow=True, pick=[roster.token for roster in rosters], **sent)

    def create_opponent(self, battle, **sent):
        """Take the free side of a battle; the roster that is added or created for it."""
        assert self.post_to(battle, "opponent", **sent).status_code == 302
        return battle.forces.order_by("position").last().roster

    def sign_up(self, email="anna@example.com", password=PASSWORD):
        return self.submit("/account/signup/", email=email, password1=password, password2=password)

    def sign_in(self, email="anna@example.com", password=PASSWORD, **more):
        return self.submit("/account/login/", login=email, password=password, **more)

    def confirm_password(self):
        """What the pages of API tokens and others ask for; it holds for five minutes."""
        return self.submit("/account/reauthenticate/", password=PASSWORD)

    def put_document(self, roster, data, link):
        """What a program sends that has this link of a roster."""
        headers = {"If-Match": "*", "Authorization": f"Bearer {link.split('/')[-1]}"}
        return self.put(f"/api/v1/rosters/{roster.token}", data, "application/json", headers=headers)

    def context(self, address, status=200):
        """The context of a page, rendered anew if it is a cached one."""
        cached.clear_responses()
        response = self.get(address)
        assert response.status_code == status, (self, address)
        return response.context

    def text(self, address, status=200):
        """The body of a page as text."""
        response = self.get(address)
        assert response.status_code == status, (self, address)
        return response.content.decode()

    def roster_names(self, address="/mine/"):
        """The names of the rosters that a page lists, in their order."""
        return [roster.name for roster, *_ in self.context(address)["rows"]]


def url_of(subject, at=""):
    """The URL of a roster in the builder, or of a battle, or one below it."""
    if isinstance(subject, Battle):
        return f"/b/{subject.token}" + (f"/{at}" if at else "")
    return f"/r/{subject.token}/{at}"


def token_in(address):
    """The token in the URL of a roster or a battle."""
    return re.search(r"/[rsb]/([\w-]{22})", address)[1]


def sample_roster(sample):
    return Roster.objects.get(sample=sample)


def reload(row):
    """The row as the database has it now."""
    return type(row).objects.get(pk=row.pk)


def document_of(roster):
    return states.read_document(reload(roster))


def element_ids(roster):
    """The ids of all elements, by formation."""
    return [[element.id for element in formation.elements] for formation in document_of(roster).formations]


def element(roster, name):
    return next(e for f in document_of(roster).formations for e in f.elements if e.name == name)


def change_element(roster, name, /, **fields):
    """Change the element of this name as its form does."""
    now = element(roster, name).replace(**fields)
    assert writer.apply_edit(reload(roster), edits.replace_element(now), f"Changed {now.name}")


def add_element(roster, quantity=9):
    """Add a copy of the last element of the first formation, named Newcomer."""
    formation = document_of(roster).formations[0]
    newcomer = formation.elements[-1].replace(id=None, name="Newcomer", quantity=quantity)
    assert writer.apply_edit(reload(roster), edits.add_elements(formation.id, [newcomer]), "Added Newcomer")
    roster.refresh_from_db()


def message_levels(response):
    """The kinds of the notices on a page: success, warning, error, and so on."""
    return [message.level_tag for message in response.context["messages"]]


def form_data_of(response):
    """What a browser would send for the form of a page."""
    parser = FormParser()
    parser.feed(response.content.decode())
    parser.close()
    return dict(parser.form_data().lists())
