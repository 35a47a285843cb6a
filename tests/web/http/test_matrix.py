"""Every route and every method, tried as everybody: owner, editor by link, friend, stranger, other account, and so on.

What each may do follows from the rights that a route declares (`manage.py routes`) and from MAY below. A new route
fails here until its rights stand in MAY, what its address takes in KNOWN, and what may be sent to it in SENT.
"""

import json
import re
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from rosters.core import edits
from rosters.models import ApiToken, Battle, Element, Force, Formation, Revision, Roster, new_secret
from rosters.store import api_tokens, writer
from rosters.store import state as states
from rosters.web.battles import service as battles
from rosters.web.http.checks import routes
from rosters.web.http.probes import PROBES
from tests.people import PASSWORD, Person, army
from tests.support import read, roster

pytestmark = pytest.mark.usefixtures("db", "without_limits")

ANYONE, WITH_LINK, WITH_EDIT_LINK = "anyone", "anyone with the link", "anyone with the edit link"
EDITOR = "a browser that may edit"
ACCOUNT, BEARER, METRICS, STAFF = "an account, signed in", "a bearer who may edit", "with the metrics token", "staff"
ROUTES = [*routes()]
OURS = [route for route in ROUTES if route["who"] != STAFF]
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
SAFE = {"GET", "HEAD", "OPTIONS"}
API, ADMIN = "/api/v1/", "/admin/"
NOWHERE = "x" * 22
"""A token that nothing ever had."""

# ---------------------------------------------------------------- who there is, and what they may do

EDITORS = {"owner", "maker", "editor"}
"""The account that owns the roster, the browser that began it, and one that opened its edit link."""
OTHERS = {"friend", "other", "expired", "former", "staff"}
"""Who has the share link alone: a browser, another account, the owner's session once it has expired, the browser of a
former editor, whose right was revoked and whose edit link was reset, and staff, who may use the admin besides."""
LINKED = EDITORS | OTHERS
KINDS = sorted(LINKED | {"stranger"})
"""A stranger has no link, and asks for what does not exist."""
THOROUGH = {"friend", "stranger"}
"""Who tries for all what does not hang on who somebody is: wrong methods, HEAD, the API with a browser's cookies."""
SIGNED_IN = {"owner", "other", "staff"}

MAY = {
    ANYONE: {*KINDS},
    WITH_LINK: LINKED,
    WITH_EDIT_LINK: EDITORS,
    EDITOR: EDITORS,
    ACCOUNT: SIGNED_IN,
    BEARER: set(),
    METRICS: set(),
    STAFF: {"staff"},
}
"""Who is admitted by each right; nobody here sends a bearer."""
MAY_WHEN_CLOSED = MAY | {WITH_LINK: EDITORS}


class Answer(NamedTuple):
    """How somebody is refused: the status, and where a redirect leads."""

    status: int
    leads_to: str = ""


def refusal(who: str, method: str, known: str) -> Answer:
    """How a right that somebody lacks is told; ``known`` is the token of the roster if they may know of it."""
    if who == EDITOR and method in SAFE and known:
        return Answer(302, f"/s/{known}")
    if who == BEARER and known:
        return Answer(401)
    told = {ACCOUNT: Answer(302, "/account/login/"), STAFF: Answer(302, ADMIN), METRICS: Answer(401)}
    return told.get(who, Answer(404))


def right(route, method):
    """The right that a route asks for by this method: "anyone with the link; PUT, DELETE: a bearer who may edit"."""
    usual, *others = route["who"].split("; ")
    for methods, _, who in (other.partition(": ") for other in others):
        if method in methods.split(", "):
            return who
    return usual


# ---------------------------------------------------------------- what they ask for, and what they send

FLEET = roster("msc", [{"id": "e1", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F"]}], name="Iron Guard")
FLEET["formations"][0]["id"] = "f1"
SHIP = {"name": "Stolen", "quantity": "1", "engine": "3", "shield": "3", "to_hit": "3", "F": "1"}
KNOWN = {
    "number": "1",
    "slug": "msc",
    "system": "msc",
    "content_type_id": "1",
    "object_id": "1",
    "id": "1",
    "app_label": "rosters",
}
KNOWN |= {"url": "nowhere"}
"""What stands for the parts of an address, besides tokens and secrets."""
QUERY = {"element": "?in=f1", "element-preview": "?in=f1", "formation": "?id=f1"}

LABELS = {"folder": "Stolen", "tags": "stolen", "pick": "TOKEN"}
PICKED = {"pick": "TOKEN", "confirmed": "1"}
SENT: dict[str, Any] = {
    "import": {"text": json.dumps(FLEET)},
    **dict.fromkeys(["mine", "mine-label", "mine-folder", "mine-add-tags", "mine-remove-tags"], LABELS),
    **dict.fromkeys(["mine-archive", "mine-unarchive", "mine-delete"], LABELS),
    **dict.fromkeys(["bin", "bin-undo", "bin-restore", "bin-delete", "bin-empty"], PICKED),
    "claim": {"pick": "TOKEN", "battle": "BATTLE"},
    "account-delete": {"password": PASSWORD},
    "api-tokens": {"name": "script"},
    "revoke-token": {},
    "api-appraise": FLEET,
    "api-rosters": FLEET,
    "api-roster": FLEET | {"name": "Stolen"},
    "start": {"name": "Mine", "size": "0"},
    "print": {"query": "asked=1&paper=letter"},
    "print-default": {"query": "asked=1&paper=letter"},
    "copy": {},
    **{name: {} for name in ("roster", "play", "undo", "redo", "formation-add", "builder-reset-edit-link")},
    "save-quantities": {"quantity-e1": "7"},
    **{f"element-{do}": {"element": "e1"} for do in ("up", "down", "duplicate", "split", "delete")},
    **{f"formation-{do}": {"formation": "f1"} for do in ("up", "down", "duplicate", "delete")},
    "move-selected": {"pick": "e1", "to": "f1"},
    "delete-selected": {"pick": "e1"},
    "history": {"do": "restore 1"},
    "restore": {},
    "delete": {},
    "sharing": {"visibility": "closed"},
    "reset-share-link": {},
    "reset-edit-link": {},
    "play-box": {"box": "e1 0 shield 0"},
    "play-turn": {"step": "1"},
    "play-reset": {},
    "element": SHIP | {"do": "save"},
    "element-preview": SHIP,
    "formation": {"name": "Stolen"},
    "settings": {"name": "Stolen", "max_engine": "5", "do": "save"},
    "settings-preview": {"name": "Stolen", "max_engine": "5"},
    "add-from": {},
    "copy-formation": {"from": "SAMPLE", "formation": "SAMPLE-FORMATION"},
    "copy-element": {"from": "SAMPLE", "element": "SAMPLE-ELEMENT", "in": "f1"},
    "battle-new": {"links": "/s/TOKEN"},
    "battle-opponent": {},
    "battle-join": {},
    "battle-add": {"link": "/s/SAMPLE"},
    "battle-terms": {"name": "Stolen", "max_engine": "5"},
    "battle-pin-all": {},
    "battle-pin": {},
    "battle-side": {},
    "battle-remove": {},
    "battle-delete": {},
    "battle": {"do": "agree"},
    "check": {"links": "/s/TOKEN"},
    "account_login": {"login": "anna@example.com", "password": "wrong"},
    "account_logout": {"forget": "1"},
    "account_signup": {"email": "anna@example.com", "password1": "x", "password2": "x"},
    "account_reauthenticate": {"password": "wrong"},
    "account_email": {"action_add": "", "email": "thief@example.com"},
    "account_change_password": {"oldpassword": "wrong", "password1": "x", "password2": "x"},
    "account_set_password": {"password1": "x", "password2": "x"},
    "account_reset_password": {"email": "nobody@example.com"},
    "account_confirm_login_code": {"code": "123456"},
    "account_confirm_email": {},
    "account_reset_password_from_key": {"password1": "x", "password2": "x"},
}
"""What each route is sent: for what may be changed, something that does change it when somebody who may sends it."""

OWNER = {"owner"}
CHANGES = {
    **dict.fromkeys(["mine-label", "mine-folder", "mine-add-tags", "mine-archive"], OWNER),
    **dict.fromkeys(["mine-delete", "print-default", "restore", "delete", "sharing", "play-box", "play-turn"], EDITORS),
    **dict.fromkeys(["reset-share-link", "reset-edit-link"], EDITORS),
    **dict.fromkeys(["element", "formation", "settings", "copy-element", "copy-formation"], EDITORS),
    **dict.fromkeys(["battle-add", "battle-terms", "battle-pin-all", "battle-pin"], EDITORS),
    **dict.fromkeys(["battle-side", "battle-remove"], EDITORS),
    "battle-delete": OWNER,
    **dict.fromkeys(["save-quantities", "undo", "builder-reset-edit-link", "delete-selected"], EDITORS),
    **dict.fromkeys(["element-duplicate", "element-delete"], EDITORS),
    **dict.fromkeys(["formation-add", "formation-duplicate", "formation-delete"], EDITORS),
    "battle-opponent": LINKED,
    "account-delete": OWNER,
    "account_email": OWNER,
}
"""Who changes the owner's rosters and battle by sending that. Nobody else does, and nothing else does."""


REFUSING = {"battle-join", "battle-delete"}
"""Where those who are admitted may yet be refused: without a roster of their own, or a battle that they created."""


class World(NamedTuple):
    """A roster that is open to whoever has its link, a closed one, a battle, and everybody's cookies."""

    owner: User
    open: Roster
    closed: Roster
    secrets: dict[str, str]
    old_secrets: dict[str, str]
    battle: Battle
    cookies: dict[str, dict[str, str]]
    client: Client
    strict: Client
    known: dict[str, str]
    replaced: dict[str, str]
    looks: list[Any]
    before: list[Any]

    def visit(self, kind, method, address, sent=None, *, client=None, **headers):
        """One request, undone afterwards; the answer, and whether the owner's things were other than before."""
        client = client or self.client
        client.cookies = SimpleCookie(self.cookies[kind])
        body, content_type = self.encoded(sent) if method not in SAFE else ("", "")
        written = connection.connection.total_changes
        with transaction.atomic():
            response = client.generic(method, address, body, content_type, headers=headers)
            if response.streaming:
                b"".join(response.streaming_content)  # which closes its file
            changed = connection.connection.total_changes != written and self.state() != self.before
            transaction.set_rollback(True)
        if changed:
            states._cache.clear()
        return response, changed

    def encoded(self, sent):
        """What is sent, as JSON or as a form, with the names of things that were made for this test."""
        text = json.dumps(sent) if "format" in (sent or {}) else urlencode(sent or {})
        for word, value in self.replaced.items():
            text = text.replace(word, value)
        return text, "application/json" if text.startswith("{") else "application/x-www-form-urlencoded"

    def state(self):
        """All that belongs to the owner, as rows."""
        with connection.cursor() as cursor:
            return [cursor.execute(*look).fetchall() for look in self.looks]


def looks_at(owner, battle, *rosters):
    """Queries for all that belongs to the owner: rosters, their documents and histories, who may edit, and so on."""
    found = [
        Roster.objects.filter(pk__in=rosters),
        Roster.browsers.through.objects.filter(roster__in=rosters),
        Formation.objects.filter(roster__in=rosters),
        Element.objects.filter(roster__in=rosters),
        Revision.objects.filter(roster__in=rosters),
        Battle.objects.filter(pk=battle.pk),
        Battle.browsers.through.objects.filter(battle=battle.pk),
        Force.objects.filter(battle=battle.pk),
        User.objects.filter(pk=owner.pk),
    ]
    return [rows.order_by("pk").query.sql_with_params() for rows in found]


def browser():
    """A browser's cookies, and its row."""
    person = Person()
    row = person.browser
    return cookies_of(person), row


def signed_in(user):
    """The cookies of a session."""
    person = Person()
    person.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return cookies_of(person)


def cookies_of(person):
    return {name: cookie.value for name, cookie in person.cookies.items()}


def account(email):
    user = User.objects.create_user(email.split("@")[0], email, PASSWORD)
    EmailAddress.objects.create(user=user, email=email, primary=True)
    return user


def begun(owner, maker, *editors):
    """A roster of two revisions, the secret of its edit link, and the one before that was reset."""
    made = writer.create(read(FLEET), browser=maker, owner=owner)
    writer.apply_edit(made.roster, edits.settings(name="Iron Guards"), "Renamed")
    for editor in editors:
        writer.grant_edit(made.roster, editor)
    secret = writer.reset_edit_link(made.roster)
    return Roster.objects.get(pk=made.roster.pk), secret, made.secret


@pytest.fixture(autouse=True)
def others_may_ask_too(settings):
    settings.ACCOUNT_RATE_LIMITS = False
    settings.METRICS_TOKEN = "known to the metrics alone"


@pytest.fixture
def world():
    owner, other = account("anna@example.com"), account("bob@example.com")
    (by_maker, maker), (by_editor, editor), (by_former, former), (by_friend, _) = (browser() for _ in range(4))
    open_one, secret, old_secret = begun(owner, maker, editor, former)
    closed, closed_secret, old_closed_secret = begun(owner, maker, editor, former)
    writer.update_roster(closed, visibility="closed")
    battle = battles.create("", [battles.RosterRef(open_one)], maker, owner)
    battle.browsers.add(editor, former)
    writer.revoke_browser(owner, former.key_hash)
    staff = User.objects.create_superuser("keeper", "keeper@example.com", PASSWORD)
    expired = signed_in(owner)
    yesterday = timezone.now() - timedelta(days=1)
    Session.objects.filter(session_key=expired["sessionid"]).update(expire_date=yesterday)
    cookies = {"owner": signed_in(owner), "other": signed_in(other), "expired": expired, "stranger": {}}
    cookies |= {"maker": by_maker, "editor": by_editor, "former": by_former, "friend": by_friend}
    cookies["staff"] = signed_in(staff)
    sample = army("msc/book-squadron")
    made = World(
        owner,
        open_one,
        Roster.objects.get(pk=closed.pk),
        {open_one.token: secret, closed.token: closed_secret},
        {open_one.token: old_secret, closed.token: old_closed_secret},
        battle,
        cookies,
        Client(),
        Client(enforce_csrf_checks=True),
        KNOWN
        | {
            "confirming": EmailConfirmationHMAC(owner.emailaddress_set.get()).key,
            "uidb36": user_pk_to_url_str(owner),
            "pk": str(battle.forces.get().pk),
            "key": default_token_generator.make_token(owner),
        },
        {
            "BATTLE": battle.token,
            "SAMPLE-FORMATION": sample.formations.first().uid,
            "SAMPLE-ELEMENT": sample.formations.first().elements.first().uid,
            "SAMPLE": sample.token,
            "TOKEN": open_one.token,
        },
        looks_at(owner, battle, open_one.pk, closed.pk),
        [],
    )
    made.before.extend(made.state())
    return made


def parts(route):
    """A route with all that it takes as <name>, and those names."""
    plain = re.sub(r"\(\?P<(\w+)>[^()]*\)|<(?:\w+:)?(\w+)>", lambda found: f"<{found[1] or found[2]}>", route["route"])
    return re.sub(r"[\\^$]", "", plain), re.findall(r"<(\w+)>", plain)


def place(world, route, token, kind):
    """An address of this route, about what has this token; who has no edit link knows no secret."""
    address, names = parts(route)
    secrets = world.secrets if kind in EDITORS else world.old_secrets if kind == "former" else {}
    known = world.known | {"token": token, "secret": secrets.get(token, NOWHERE)}
    if route["name"] == "account_confirm_email":
        known["key"] = known["confirming"]
    for name in names:
        assert name in known, f"{route['route']}: tell this test in KNOWN what stands for {name}"
        address = address.replace(f"<{name}>", known[name])
    return address + QUERY.get(route["name"], "")


def what(world, route):
    """The token that a route is about: of the battle, or of the roster."""
    return world.battle.token if route["route"].startswith("/b/") else world.open.token


def sent_to(route, method):
    """What a route is sent by this method."""
    if method in SAFE or method not in route["methods"] or route["who"] == STAFF:
        return None
    assert route["name"] in SENT, f"{method} {route['route']}: tell this test in SENT what may be sent there"
    return SENT[route["name"]]


# ---------------------------------------------------------------- the matrix


def tried(kind, route):
    """The methods that somebody tries on a route."""
    if kind in THOROUGH:
        foreign = (route["name"] or "").startswith("account_")  # Django's own views answer methods that ours refuse
        return route["methods"] if foreign else METHODS
    return [] if route["route"].startswith(API) else [method for method in route["methods"] if method != "HEAD"]


def judge(world, kind, route, method, token, *, closed=False):
    """One visit, which must be answered as the route's rights say and change what it may and nothing else."""
    who, asked = right(route, method), (kind, method, route["route"])
    assert who in MAY, f"{asked}: tell this test in MAY who is meant by {who!r}"
    by_cookie = kind in EDITORS and route["route"].startswith(API)  # where cookies count for nothing
    admitted = ("friend" if by_cookie else kind) in (MAY_WHEN_CLOSED if closed else MAY)[who]
    response, changed = world.visit(kind, method, place(world, route, token, kind), sent_to(route, method))
    if who == STAFF:
        assert response.status_code in ((200, 405) if route["route"] == "/admin/login/" else (302, 404, 405)), asked
        assert response.get("Location", ADMIN).startswith(ADMIN), asked
    elif method not in route["methods"]:
        assert response.status_code == 405, asked
        assert {*response["Allow"].split(", ")} == {*route["methods"]}, asked
    elif admitted:
        assert response.status_code < 400 or response.status_code == 422, (asked, response.content[:400])
    else:
        known = "" if closed or kind == "stranger" or token == world.battle.token else token
        refused = refusal(who, method, known)
        assert response.status_code == refused.status, asked
        assert response.get("Location", "").startswith(refused.leads_to), asked
    may_change = admitted and method not in SAFE and method in route["methods"]
    assert changed == (may_change and kind in CHANGES.get(route["name"], ())), asked
    return response, admitted


@pytest.mark.parametrize("kind", KINDS)
def test_every_route_and_method_is_answered_as_its_rights_say(world, kind):
    for route in OURS:
        token = NOWHERE if kind == "stranger" else what(world, route)
        for method in tried(kind, route):
            judge(world, kind, route, method, token)


@pytest.mark.parametrize("kind", ["other", "stranger"])
def test_the_admin_shows_its_sign_in_and_nothing_else_to_those_who_are_not_staff(world, kind):
    for route in ROUTES:
        for method in tried(kind, route) if route not in OURS else ():
            judge(world, kind, route, method, NOWHERE)


def test_the_admin_opens_for_staff_who_can_only_read_rosters_and_reference_rows_there(world):
    for route in (route for route in ROUTES if route not in OURS):
        answers = {}
        for method in ("GET", "POST"):
            answers[method], changed = world.visit("staff", method, place(world, route, NOWHERE, "staff"))
            assert not changed, (method, route["route"])
            assert not answers[method].get("Location", "").startswith(f"{ADMIN}login"), (method, route["route"])
        page = (route["name"] or "").rpartition("_")[2]
        if page in ("index", "changelist"):
            assert answers["GET"].status_code == 200, route["route"]
        if route["route"].startswith(f"{ADMIN}rosters/") and page in ("add", "change", "delete"):
            assert answers["POST"].status_code in (302, 403), route["route"]  # 302: an object that does not exist


@pytest.mark.parametrize("kind", sorted(LINKED))
def test_a_closed_roster_is_there_for_its_editors_and_for_others_as_if_it_had_never_been(world, kind):
    for route in (route for route in OURS if "token>" in route["route"] and not route["route"].startswith("/b/")):
        for method in (method for method in tried(kind, route) if method in route["methods"]):
            found, admitted = judge(world, kind, route, method, world.closed.token, closed=True)
            if not admitted:
                never, _ = world.visit(kind, method, place(world, route, NOWHERE, kind), sent_to(route, method))
                assert shape(found, world.closed.token) == shape(never, NOWHERE), (kind, method, route["route"])


def shape(response, token):
    """All of an answer but what is new in each: its number, and the secret of its forms."""
    head = {name: value for name, value in response.items() if name != "X-Request-ID"}
    body = re.sub(r'(name="csrfmiddlewaretoken" value=|"X-CSRFToken": )"\w+"', "", response.content.decode())
    return response.status_code, head, body.replace(token, "TOKEN"), sorted(response.cookies)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"route": "/s/<str:colour>"}, "what stands for colour"),
        ({"who": "anyone on Sundays"}, "who is meant by 'anyone on Sundays'"),
        ({"name": "new", "methods": ["GET", "HEAD", "POST"]}, "what may be sent there"),
    ],
)
def test_a_new_route_fails_until_the_matrix_knows_what_to_expect_of_it(world, change, sentence):
    known = next(route for route in OURS if route["name"] == "shared")
    judge(world, "friend", known, "POST", world.open.token)
    with pytest.raises(AssertionError, match=sentence):
        judge(world, "friend", known | change, "POST", world.open.token)


# ---------------------------------------------------------------- without the token of a form


def test_nothing_is_taken_from_a_form_without_its_token(world):
    """What the owner's browser is made to send by another site. Machines' addresses refuse before."""
    for route in ROUTES:
        if route["route"].startswith(API) or route["route"] in PROBES:
            continue
        for method in set(METHODS) - SAFE if route in OURS else ["POST"]:
            address, sent = place(world, route, what(world, route), "owner"), sent_to(route, method)
            response, changed = world.visit("owner", method, address, sent, client=world.strict)
            assert (response.status_code, changed) == (403, False), (method, address)


# ---------------------------------------------------------------- programs with a bearer

READ_BY = {"token", "other token", "secret", "wrong secret", "revoked", "none"}
CHANGED_BY = {"token", "secret"}
CREATES = {"token", "other token", "none"}
"""What else is sent is no account's token: whoever sends one means to have an account."""


def bearers(world):
    """What a program may send: secrets by what they are."""
    other, revoked = User.objects.get(username="bob"), api_tokens.create_token(world.owner, "revoked")
    ApiToken.objects.all().delete()
    return {
        "token": api_tokens.create_token(world.owner, "mine"),
        "other token": api_tokens.create_token(other, "theirs"),
        "revoked": revoked,
        "wrong secret": new_secret(),
        "none": "",
    }


def welcome(who, bearer, closed):
    """Whether a bearer is admitted by the right that an operation asks for."""
    if who == BEARER or (who == WITH_LINK and closed):
        return bearer in CHANGED_BY
    return bearer in READ_BY


@pytest.mark.parametrize("closed", [False, True])
def test_every_operation_of_the_api_is_answered_as_its_bearer_may(world, closed):
    asked = world.closed if closed else world.open
    known = bearers(world) | {"secret": world.secrets[asked.token]}
    for route in (route for route in OURS if route["route"].startswith(API)):
        for method in route["methods"]:
            for bearer, secret in known.items():
                admitted = welcome(right(route, method), bearer, closed)
                if route["name"] == "api-rosters":
                    admitted = bearer in CREATES
                response, changed = called(world, route, method, asked.token, secret)
                place_asked = (bearer, method, route["route"])
                assert (response.status_code < 400) == admitted, (place_asked, response.content)
                if not admitted:
                    refused = 403 if secret else 401
                    hidden = closed and "token" in parts(route)[1]
                    assert response.status_code == (404 if hidden else refused), place_asked
                if response.status_code == 404:
                    never, _ = called(world, route, method, NOWHERE, secret)
                    assert shape(response, asked.token) == shape(never, NOWHERE), place_asked
                assert changed == (method in ("PUT", "DELETE") and admitted), place_asked


def called(world, route, method, token, secret):
    """A program's request: it needs no token of a form, and nobody's cookies help it."""
    headers = {"If-Match": "*"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    sent = sent_to(route, method) if method != "DELETE" else None
    return world.visit("owner", method, place(world, route, token, "owner"), sent, client=world.strict, **headers)
