"""A furnished site: a roster of each game with a past, a battle, one in the bin, an account; and who visits it."""

import json
from functools import cache
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.test.client import ClientHandler

from rosters import registry
from rosters.core import documents, edits
from rosters.models import Browser, Editor, Roster, hashed, new_secret
from rosters.registry import SYSTEMS
from rosters.store import access, api_tokens, play, writer
from rosters.store import state as states
from rosters.web.battles import service as battles
from rosters.web.battles.service import RosterRef
from tests.support import FIXTURES

EMAIL, PASSWORD = "somebody@example.org", "correct horse battery staple"
VISITORS = ("owner", "browser", "stranger")
"""Signed in with a browser that may edit; such a browser alone; nobody."""


class Site(NamedTuple):
    """What there is to reach: tokens of rosters by game, their edit secrets, an account's token, visitors' cookies."""

    rosters: dict[str, str]
    secrets: dict[str, str]
    api_token: str
    battle: str
    cookies: dict[str, Any]

    def visitor(self, who):
        """A client with the cookies of one of the VISITORS."""
        return visitor(self.cookies[who])


def visitor(cookies):
    """A client with these cookies; what a view raises becomes the site's own page."""
    client = Client(raise_request_exception=False)
    client.handler = handler()
    for name, value in cookies.items():
        client.cookies[name] = value
    return client


@cache
def handler():
    """One for all clients: the middleware takes a fifth of a second to load."""
    return ClientHandler(enforce_csrf_checks=False)


def furnished():
    """Make all of it in the database that there is."""
    secret = new_secret()
    browser = Browser.objects.create(key_hash=hashed(secret))
    user = account()
    made = {slug: with_a_past(slug, browser, user if slug in ("msc", "vsgmr") else None) for slug in SYSTEMS}
    deleted = with_a_past("6mm", browser, None)
    writer.move_to_bin(deleted.roster)
    other = with_a_past("msc", browser, user)
    battle = battles.create("", [RosterRef(made["msc"].roster), RosterRef(other.roster, 1)], browser)
    battles.create("Alone", [RosterRef(made["6mm"].roster)], browser)
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    client.post("/account/reauthenticate/", {"password": PASSWORD})  # tokens ask for it
    known = {settings.BROWSER_COOKIE: secret}
    signed_in = known | {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    return Site(
        {slug: each.roster.token for slug, each in made.items()},
        {slug: each.secret for slug, each in made.items()},
        api_tokens.create_token(user, "A program"),
        battle.token,
        {"owner": signed_in, "browser": known, "stranger": {}},
    )


def account():
    user = get_user_model().objects.create_user("somebody", EMAIL, PASSWORD)
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
    return user


def army(slug):
    """The document of a game's shortest sample army."""
    shortest = min(sorted(FIXTURES.glob(f"armies/{slug}/*.json")), key=lambda path: path.stat().st_size)
    return registry.read(json.loads(shortest.read_text(encoding="utf-8")))


def with_a_past(slug, browser, owner):
    """A roster that has been changed, with one change undone and an element marked secret."""
    made = writer.create(edits.with_new_ids(army(slug)), browser=browser, owner=owner)
    roster, document = made.roster, states.read_document(made.roster)
    first = document.formations[0].elements[0]
    writer.apply_edit(roster, edits.replace_element(first.replace(secret=True, notes="Hidden", quantity=2)), "Hid one")
    writer.apply_edit(
        roster, edits.add_formation(documents.Formation[Any](id=documents.new_id(), name="More")), "Added"
    )
    writer.undo(roster)
    roster.refresh_from_db()
    play.set_turn(roster, "", 1, 0)
    access.create_link(roster, "Ana's phone")
    friend = Browser.objects.create(key_hash=hashed(new_secret()))
    Editor.objects.create(roster=roster, browser=friend, is_owner=False)
    return made


def ids_of(token):
    """The ids of a roster's first formation, its first element, its edit link and its friend's browser."""
    roster = Roster.objects.get(token=token)
    formation = states.read_document(roster).formations[0]
    return formation.id, formation.elements[0].id, roster.edit_links.get().pk, roster.editors.get(is_owner=False).pk
