"""Every route and every method, tried as everybody: owner, editor by link, friend, stranger, other account, and so on.

What each may do follows from the permission that a route declares (`manage.py routes`) and from MAY below. A new route
fails here until its permission stands in MAY, what its address takes in KNOWN, and what is sent to it in BODIES.
"""

import json
import re
from datetime import timedelta
from functools import partial
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import django
import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from rosters import models
from rosters.balance.forces import Offer, write_offers
from rosters.core import documents, edits
from rosters.models import Battle, Force, Report, Roster
from rosters.store import access, api_tokens, shelf, writer
from rosters.store import state as states
from rosters.web.battles import service as battles
from rosters.web.http.checks import routes
from rosters.web.http.permissions import Permission as Right
from rosters.web.http.probes import PROBES
from rosters.web.library.pictures import home_preview_image
from rosters.web.printing import views
from rosters.web.printing.service import PrintLayout
from rosters.web.sharing import link_preview
from tests.people import PASSWORD, Person, element_ids, sample_roster
from tests.support import assert_secure_headers, read, roster_data

pytestmark = pytest.mark.usefixtures("db", "without_limits")

ROUTES = [*routes()]
OURS = [route for route in ROUTES if route["who"] != Right.STAFF]
ADMINS = [route for route in ROUTES if route["who"] == Right.STAFF]
SAFE = {"GET", "HEAD", "OPTIONS"}
API, ADMIN = "/api/v1/", "/admin/"
NOWHERE = "x" * 22
"""A token that nothing ever had."""

OWNERS = {"owner", "maker", "holder"}
"""The account that owns the roster, the browser that began it, and one that opened its owner link."""
EDITORS = OWNERS | {"editor", "newcomer"}
"""And a browser that has changed it by an edit link, and one that has opened the link and changed nothing yet."""
LINKED = EDITORS | {"friend", "other", "expired", "former", "staff"}
"""And who has the share link alone: a browser, another account, the owner's session once it has expired, a browser that
edited by a link that was revoked, and staff, who may use the admin besides."""
KINDS = sorted(LINKED | {"stranger"})
"""A stranger has no link, and asks for what does not exist."""
COMMON = {"owner", "friend", "stranger"}
"""Who tries for all others what is open to anyone, and the API; the friend also wrong methods and HEAD."""
TURNS = {"maker": 0, "holder": 1, "newcomer": 0, "other": 0, "expired": 1, "staff": 1}
"""Whose right is that of the owner, the editor or the friend in another way: each tries every second route.

Of a closed roster, staff try all.
"""

MAY = {
    Right.ANYONE: {*KINDS},
    Right.READ: LINKED,
    Right.EDIT_LINK: EDITORS,
    Right.EDIT: EDITORS,
    Right.OWNER: OWNERS,
    Right.SHELF: OWNERS,
    Right.ACCOUNT: {"owner", "other", "staff"},
    Right.METRICS: set(),
    Right.BEARER: set(),
    Right.OWNER_BEARER: set(),
    Right.STAFF: {"staff"},
}
"""Who is admitted by each right; nobody here sends a bearer."""
MAY_WHEN_CLOSED = MAY | {Right.READ: EDITORS}
REFUSED = {Right.ACCOUNT: (302, "/account/login/"), Right.METRICS: (401, "")}


def refusal(kind, who, method, known):
    """The status that refuses a right, and where it leads; ``known`` is the roster's token, for who may know of it."""
    if known and who in (Right.BEARER, Right.OWNER_BEARER):
        return 401, ""
    if kind == "former" and who in (Right.EDIT_LINK, Right.READ, Right.EDIT, Right.OWNER):
        return 410 if who == Right.EDIT_LINK else 403 if known else 404, ""
    if known and who in (Right.EDIT, Right.OWNER) and method in SAFE:
        return 302, f"/r/{known}" if kind in EDITORS else f"/s/{known}"
    return REFUSED.get(who, (404, ""))


def right(route, method):
    """The right that a route asks for by this method: "anyone with the link; PUT, DELETE: a bearer who may edit"."""
    usual, *others = route["who"].split("; ")
    return next((who for methods, who in (each.split(": ") for each in others) if method in methods.split(", ")), usual)


FLEET = roster_data("msc", [{"id": "e1", "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F"]}], name="Iron Guard")
FLEET["formations"][0]["id"] = "f1"
SHIP = "name=Stolen&quantity=1&engine=3&shield=3&to_hit=3&F=1"
KNOWN = {"number": "1", "slug": "msc", "system": "msc", "content_type_id": "1", "id": "1", "app_label": "rosters"}
KNOWN |= {"url": "nowhere", "name": "fox-squadron"}
"""What stands for the parts of an address, besides tokens and secrets."""
QUERY = {
    **dict.fromkeys(["element", "element-another", "element-odds", "element-preview"], "?in=f1"),
    "formation": "?id=f1",
}
QUERY["formation-elements"] = "?id=f1"
EDIT_ALL = "&".join(
    f"e1-{name}={value}&initial-e1-{name}={value}"
    for name, value in {"quantity": 1, "engine": 3, "shield": 3, "to_hit": 3}.items()
)
EDIT_ALL += "&e1-name=Stolen&initial-e1-name=Element 1"

BODIES = {
    "": """account_confirm_email add-from battle-delete battle-join battle-opponent battle-pin battle-pin-all
        battle-play-sample battle-player battle-rematch battle-remove battle-report-again battle-report-stop
        battle-reports battle-side copy delete end-session fill fill-stop formation-add guide-leave mfa_deactivate_totp
        mfa_generate_recovery_codes play redo remove-editor replace-link reset-owner-link
        my-shelf reset-share-link restore revoke-link revoke-token roster shelf-delete shelf-link
        shelf-match shelf-match-stop undo""",
    "folder=Stolen&tags=stolen&pick=TOKEN": """mine mine-add-tags mine-archive mine-delete mine-folder mine-label
        mine-remove-tags mine-unarchive""",
    "pick=TOKEN&confirmed=1": "bin bin-delete bin-empty bin-restore bin-undo",
    "pick=TOKEN&battle=BATTLE": "claim",
    "element=e1": "element-delete element-down element-duplicate element-split element-up",
    "formation=f1": "formation-delete formation-down formation-duplicate formation-place formation-up",
    "pick=e1&to=f1": "delete-selected duplicate-selected move-selected",
    "pick=e1&set-quantity=7": "preview-selected set-selected",
    "element=e1&field=quantity&expected=1&value=7": "element-cell",
    EDIT_ALL: "formation-elements",
    "line=3/3/3+Stolen": "line-add",
    "line=3/3/3+Stolen&in=msc": "shelf-add",
    "quantity-ENTRY=7": "shelf-counts",
    "roster=TOKEN": "shelf-rosters",
    "text=3/3/3+Stolen&save=1": "paste",
    "quantity-e1=7": "fix save-quantities",
    SHIP: "element element-another element-odds element-preview",
    "name=Stolen&max_engine=5": "battle-terms formation settings settings-preview",
    "crest=0c5e21aa": "crest",
    "from=SAMPLE&formation=SAMPLE-FORMATION": "copy-formation",
    "from=SAMPLE&element=SAMPLE-ELEMENT&in=f1": "copy-element",
    "query=measure%3Dkill": "odds-column",
    "force=0": "fill-add",
    "pair=0": "shelf-match-battle",
    "request_id=a": "play-reset play-undo",
    "request_id=a&box=e1 0 shield 0 1": "play-box",
    "request_id=a&turn=1&shown_turn=0": "play-turn",
    "request_id=a&show=1": "play-show",
    "do=restore+1": "history",
    "visibility=closed": "sharing",
    "query=asked%3D1%26paper%3Dletter": "print print-default",
    "name=Mine&size=0": "sample-battle sample-report start start-preview",
    "links=/s/TOKEN": "battle-new check",
    "link=/s/SAMPLE": "battle-add",
    "do=agree": "battle",
    "name=script&scope=read": "api-tokens links",
    f"password={PASSWORD}": "account-delete",
    "login=anna@example.com&password=wrong": "account_login account_reauthenticate sessions",
    "forget=1": "account_logout",
    "email=anna@example.com&password1=x&password2=x": "account_signup",
    "action_add=&email=thief@example.com": "account_email",
    "oldpassword=wrong&password1=x&password2=x": """account_change_password account_reset_password_from_key
        account_set_password""",
    "email=nobody@example.com": "account_reset_password",
    "code=123456": "account_confirm_login_code mfa_activate_totp mfa_authenticate mfa_reauthenticate",
    urlencode({"text": json.dumps(FLEET)}): "import import-preview",
    json.dumps(FLEET): "api-appraise api-rosters",
    json.dumps({"system": "vsgmr", **{side: {"name": side, "kind": "troop"} for side in "ab"}}): "api-odds",
    json.dumps(FLEET | {"name": "Stolen"}): "api-roster",
}
"""What routes are sent: for what may be changed, something that does change it when somebody who may sends it."""
BODY_OF = {name: body for body, names in BODIES.items() for name in names.split()}

CHANGING = {
    "account-delete account_email battle-delete": {"owner"},
    """delete links mine-add-tags mine-archive mine-delete mine-folder mine-label play-show remove-editor replace-link
    reset-owner-link reset-share-link revoke-link sharing shelf-add shelf-counts shelf-delete shelf-link
    shelf-rosters""": OWNERS,
    "battle-opponent": LINKED,
    """battle-add battle-pin battle-pin-all battle-player battle-remove battle-side battle-terms copy-element
    copy-formation crest delete-selected duplicate-selected element element-another element-cell element-delete
    element-duplicate fill-add fix formation formation-add formation-delete formation-duplicate formation-elements
    line-add odds-column paste set-selected play-box play-reset play-turn play-undo print-default restore
    save-quantities settings undo""": EDITORS,
}
"""Who changes the owner's rosters and battle by sending that. Nobody else does, and nothing else does."""
CHANGES = {name: kinds for names, kinds in CHANGING.items() for name in names.split()}


class World:
    """A roster that is open to whoever has its link, a closed one, a battle, and everybody's cookies."""

    def __init__(self):
        self.secrets, self.pks = {}, {}
        people = self.sign_in()
        browsers = {kind: people[kind].browser for kind in (EDITORS - {"owner"}) | {"former", "friend"}}
        self.open, self.closed = self.create_roster(people, browsers), self.create_roster(people, browsers)
        writer.update_roster(self.closed, visibility="closed")
        self.battle = battles.create("", [battles.RosterRef(self.open)], browsers["maker"], self.owner)
        self.battle.browsers.add(*(browsers[kind] for kind in EDITORS - {"owner"}))
        self.shelf = self.create_shelf(people, browsers)
        self.cookies = {
            kind: {name: cookie.value for name, cookie in person.cookies.items()} for kind, person in people.items()
        }
        expired = Session.objects.filter(session_key=self.cookies["expired"]["sessionid"])
        expired.update(expire_date=timezone.now() - timedelta(days=1))
        self.searches = {each.token: self.search(each).token for each in (self.open, self.closed)}
        self.searches[self.shelf.token] = self.match().token
        self.client, self.strict = Client(), Client(enforce_csrf_checks=True)
        self.known = KNOWN | {
            "object_id": str(self.open.pk),
            "confirming": EmailConfirmationHMAC(self.owner.emailaddress_set.get()).key,
            "uidb36": user_pk_to_url_str(self.owner),
            "pk": str(self.battle.forces.get().pk),
            "report": self.report().token,
            "key": default_token_generator.make_token(self.owner),
        }
        self.replaced = self.replacements()
        self.of_the_owner = self.queries()
        self.before = self.state()

    def sign_in(self):
        """Everybody by kind, signed in if they have an account; all but the expired one have confirmed a password."""
        self.owner, self.bob = account("anna@example.com"), account("bob@example.com")
        keeper = User.objects.create_superuser("keeper", "keeper@example.com", PASSWORD)
        for user in (self.owner, self.bob, keeper):
            TOTP.activate(user, "JBSWY3DPEHPK3PXP")
            RecoveryCodes.activate(user)
        people = {kind: Person(kind) for kind in KINDS}
        for kind, user in {"owner": self.owner, "expired": self.owner, "other": self.bob, "staff": keeper}.items():
            people[kind].force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        for kind in ("owner", "other", "staff"):
            people[kind].confirm_password()
        return people

    def create_shelf(self, people, browsers):
        """A shelf of three ships, whose owner link the holder has opened."""
        own = shelf.create(browsers["maker"], self.owner)
        shelf.add_models(own, [shelf.Models("msc", read(FLEET).elements[0].replace(name="Fox"), 3)])
        secret = access.decrypt(own.owner_secret)
        self.secrets |= {(kind, own.token): secret for kind in OWNERS}
        people["holder"].get(f"/shelf/{own.token}/open/{secret}")
        return own

    def replacements(self):
        """What stands in the bodies for tokens and numbers that are only known now."""
        sample = sample_roster("msc/book-squadron")
        ((element, *_), *_), formation = element_ids(sample), sample.formations.first().uid
        replaced = {"SAMPLE-FORMATION": formation, "SAMPLE-ELEMENT": element, "SAMPLE": sample.token}
        return replaced | {
            "TOKEN": self.open.token,
            "BATTLE": self.battle.token,
            "ENTRY": str(self.shelf.entries.get().pk),
        }

    def report(self):
        """A report that is done, of the open roster against itself."""
        state = {"a": self.open, "b": self.open, "a_revision": 1, "b_revision": 1, "seed": 1}
        document = documents.write(states.current_state(self.open).document)
        question = {"a": document, "b": document, "hidden": [[*states.hidden_parts(self.open)]] * 2}
        shares = {name: {"share": 0, "interval": [0, 1]} for name in ("win", "lose", "draw")}
        result = {**shares, "battles": 500, "turns": 3, "a_left": 1, "b_left": 1, "variants": [], "handicap": None}
        return self.battle.reports.create(**state, question=question, state="done", result=result)

    def search(self, roster):
        """A search that found one more ship for a roster."""
        state = {"kind": "search", "a": roster, "b": roster, "seed": 1, "state": "stopped"}
        document = states.current_state(roster).document
        offers = write_offers([Offer(document.elements[0], "", is_own=True)])
        question = dict.fromkeys("ab", documents.write(document)) | {"offers": offers, "worths": [1], "best": 1}
        question |= {"found": [{"counts": [1], "worth": 1, "points": "24"}], "exact": True, "hidden": [None, None]}
        return Report.objects.create(**state, question=question)

    def match(self):
        """A search that found two forces of a ship each on the shelf."""
        document = states.current_state(self.open).document
        empty = documents.write(document.replace(formations=()))
        offers = write_offers([Offer(document.elements[0], "", is_own=False)])
        question = {"a": empty, "offers": offers, "owned": [2], "found": [[[1], [1]]]}
        return Report.objects.create(kind="pair", shelf=self.shelf, seed=1, state="stopped", question=question)

    def create_roster(self, people, browsers):
        """A roster of two revisions with two edit links, of which one was revoked."""
        roster = writer.create(read(FLEET), browser=browsers["maker"], owner=self.owner)
        token, links = roster.roster.token, [access.create_link(roster.roster, name) for name in ("in use", "revoked")]
        owner, edit, revoked = roster.secret, *(access.decrypt(link.secret) for link in links)
        self.secrets |= dict.fromkeys([(kind, token) for kind in OWNERS], owner) | {("former", token): revoked}
        self.secrets |= {("editor", token): edit, ("newcomer", token): edit}
        for kind in ("holder", "newcomer", "former"):
            people[kind].get(f"/e/{token}/{self.secrets[kind, token]}")
        writer.apply_edit(roster.roster, edits.settings(name="Iron Guards"), "Renamed")
        create = partial(roster.roster.editors.create, is_owner=False)
        editor = create(browser=browsers["editor"], link=links[0])
        create(browser=browsers["former"], link=links[1])
        access.revoke_link(links[1])
        self.pks[token] = {**dict.fromkeys(["replace-link", "revoke-link"], links[0].pk), "remove-editor": editor.pk}
        return Roster.objects.get(pk=roster.roster.pk)

    def queries(self):
        """What reads all that belongs to the owner: rosters, their documents and histories, who may edit, and so on."""
        mine = {"roster__in": [self.open.pk, self.closed.pk]}
        names = ("EditLink", "Editor", "Formation", "Element", "Revision", "PlayState")
        rows = [getattr(models, name).objects.filter(**mine) for name in names]
        rows += [each.objects.filter(battle=self.battle.pk) for each in (Battle.browsers.through, Force)]
        rows += [Roster.objects.filter(pk__in=mine["roster__in"]), Battle.objects.filter(pk=self.battle.pk)]
        rows += [User.objects.filter(pk=self.owner.pk), models.Shelf.objects.filter(pk=self.shelf.pk)]
        rows += [
            each.objects.filter(shelf=self.shelf.pk) for each in (models.Shelf.browsers.through, models.ShelfEntry)
        ]
        return [each.order_by("pk").values_list().query.sql_with_params() for each in rows]

    def state(self):
        """All of that, as the database has it."""
        with connection.cursor() as cursor:
            return [cursor.execute(*query).fetchall() for query in self.of_the_owner]

    def visit(self, kind, method, address, body="", *, client=None, **headers):
        """One request, undone afterwards; the answer, and whether the owner's things were other than before."""
        client = client or self.client
        client.cookies = SimpleCookie(self.cookies[kind])
        for word, value in self.replaced.items():
            body = body.replace(word, value)
        content_type = "application/json" if body.startswith("{") else "application/x-www-form-urlencoded"
        written = connection.connection.total_changes
        with transaction.atomic():
            response = client.generic(method, address, body, content_type, headers=headers)
            if response.streaming:
                b"".join(response.streaming_content)  # which closes its file
            changed = connection.connection.total_changes != written and self.state() != self.before
            transaction.set_rollback(True)
        if changed:
            states._cache.clear()
        assert_secure_headers(response)
        return response, changed

    def place(self, route, token, kind="owner"):
        """An address of this route, about what has this token; who has no edit link knows no secret."""
        address, names = parts(route)
        known = self.known | {"token": token, "secret": self.secrets.get((kind, token), NOWHERE)}
        known["searched"] = self.searches.get(token, NOWHERE)
        known["pk"] = str(self.pks.get(token, {}).get(route["name"], known["pk"]))
        if route["name"] == "account_confirm_email":
            known["key"] = known["confirming"]
        for name in names:
            address = address.replace(f"<{name}>", known[name])
        return address + QUERY.get(route["name"], "")

    def token(self, route):
        """What a route is about: the battle, the shelf or the open roster."""
        others = {"/b/": self.battle, "/shelf/": self.shelf}
        return next((each.token for start, each in others.items() if route["route"].startswith(start)), self.open.token)


def account(email):
    user = User.objects.create_user(email.split("@")[0], email, PASSWORD)
    EmailAddress.objects.create(user=user, email=email, primary=True)
    return user


def parts(route):
    """A route with all that it takes as <name>, and those names."""
    plain = re.sub(r"\(\?P<(\w+)>[^()]*\)|<(?:\w+:)?(\w+)>", lambda found: f"<{found[1] or found[2]}>", route["route"])
    return re.sub(r"[\\^$]", "", plain), re.findall(r"<(\w+)>", plain)


def body_of(route, method):
    """What a route is sent by this method."""
    return BODY_OF[route["name"]] if method in {*route["methods"]} - SAFE and route in OURS else ""


@pytest.fixture(scope="module")
def everybody(django_db_setup, django_db_blocker):
    """The world, made once for all cases: each visit is undone."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)


@pytest.fixture
def world(everybody, settings, monkeypatch):
    """Whoever may see a sheet or a picture gets the same bytes: drawing them would take a fifth of the time."""
    monkeypatch.setattr(PrintLayout, "pdf", lambda *pages: b"%PDF-")
    for module in (views, link_preview):
        monkeypatch.setattr(module, "page_as_png", lambda *given, **more: b"PNG")
    settings.ACCOUNT_RATE_LIMITS = False
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 3600
    settings.METRICS_TOKEN = "known to the metrics alone"
    yield everybody
    home_preview_image.cache_clear()


def wrong_methods(route):
    """What a route refuses that stands for the others: reading, a form, and in turn what a program may send.

    Its answer names all methods that it does not refuse. Django's own views answer some that ours refuse.
    """
    others = ["PUT", "PATCH", "DELETE"][ROUTES.index(route) % 3]
    foreign = (route["name"] or "").startswith("account_")
    return [] if foreign else [each for each in ("GET", "POST", others) if each not in route["methods"]]


def tried(kind, route, *, closed=False):
    """The methods that somebody tries on a route."""
    if not closed and kind in TURNS and route in OURS and OURS.index(route) % 2 != TURNS[kind]:
        return []
    if kind == "friend":
        return [*route["methods"], *wrong_methods(route)]
    open_to_anyone = route["who"] == Right.ANYONE and route["name"] not in CHANGES
    if kind != "stranger" and (route["route"].startswith(API) or (open_to_anyone and kind not in COMMON)):
        return []
    return [method for method in route["methods"] if method != "HEAD"]


def judge(world, kind, route, method, token, *, closed=False):
    """One visit, which must be answered as the route's permission says and change what it may and nothing else."""
    who, asked = right(route, method), (kind, method, route["route"])
    by_cookie = kind in EDITORS and route["route"].startswith(API)  # where cookies count for nothing
    admitted = ("friend" if by_cookie else kind) in (MAY_WHEN_CLOSED if closed else MAY)[who]
    response, changed = world.visit(kind, method, world.place(route, token, kind), body_of(route, method))
    if who == Right.STAFF:
        refuses = (302, 403) if route["route"] == "/admin/login/" else (302, 404, 405)
        assert response.status_code in refuses, asked
        assert response.get("Location", ADMIN).startswith((ADMIN, "/account/login/")), asked
    elif method not in route["methods"]:
        assert response.status_code == 405, asked
        assert {*response["Allow"].split(", ")} == {*route["methods"]}, asked
    elif admitted:
        assert response.status_code < 400 or response.status_code == 422, (asked, response.content[:400])
    else:
        knows = EDITORS | {"former"} if closed and not route["route"].startswith(API) else () if closed else LINKED
        known = token if kind in knows and token != world.battle.token else ""
        status, leads_to = refusal(kind, who, method, known)
        assert response.status_code == status, asked
        assert response.get("Location", "").startswith(leads_to), asked
    may_change = admitted and method not in SAFE and method in route["methods"]
    assert changed == (may_change and kind in CHANGES.get(route["name"], ())), asked
    return response, admitted


@pytest.mark.parametrize("kind", KINDS)
def test_every_route_and_method_is_answered_as_its_permission_says(world, kind):
    for route in ROUTES if kind in ("other", "stranger") else OURS:
        for method in tried(kind, route):
            judge(world, kind, route, method, NOWHERE if kind == "stranger" else world.token(route))


READ_ONLY = {403} if django.VERSION < (6,) else {302, 403}
"""From Django 6 on, the admin sends away from an object that does not exist before it asks for the right."""


def test_the_admin_opens_for_staff_who_can_only_read_rosters_and_reference_rows_there(world):
    for route in ADMINS:
        page, answers = (route["name"] or "").rpartition("_")[2], {}
        for method in ("GET", "POST"):
            answers[method], changed = world.visit("staff", method, world.place(route, NOWHERE))
            assert not changed, (method, route["route"])
            assert not answers[method].get("Location", "").startswith(f"{ADMIN}login"), (method, route["route"])
        if page in ("index", "changelist"):
            assert answers["GET"].status_code == 200, route["route"]
        if route["route"].startswith(f"{ADMIN}rosters/") and page in ("add", "change", "delete"):
            assert answers["POST"].status_code in READ_ONLY, route["route"]


@pytest.mark.parametrize("kind", ["owner", "editor", "former", "friend", "staff"])
def test_a_closed_roster_is_there_for_its_editors_and_for_others_as_if_it_had_never_been(world, kind):
    for route in (route for route in OURS if "token>" in route["route"] and world.token(route) == world.open.token):
        for method in (method for method in tried(kind, route, closed=True) if method in route["methods"]):
            found, admitted = judge(world, kind, route, method, world.closed.token, closed=True)
            if not admitted and found.status_code == 404:
                never, _ = world.visit(kind, method, world.place(route, NOWHERE, kind), body_of(route, method))
                assert shape(found, world.closed.token) == shape(never, NOWHERE), (kind, method, route["route"])


def shape(response, token):
    """All of an answer but what is new in each: its number, and the secret of its forms."""
    head = {name: value for name, value in response.items() if name != "X-Request-ID"}
    body = re.sub(r'(name="csrfmiddlewaretoken" value=|"X-CSRFToken": )"\w+"', "", response.content.decode())
    return response.status_code, head, body.replace(token, "TOKEN"), sorted(response.cookies)


def test_nothing_is_taken_from_a_form_without_its_token(world):
    """What the owner's browser is made to send by another site. Machines' addresses refuse before.

    A view that did without would do so for every method.
    """
    for route in ROUTES:
        if not route["route"].startswith(API) and route["route"] not in PROBES:
            address = world.place(route, world.token(route))
            response, changed = world.visit("owner", "POST", address, body_of(route, "POST"), client=world.strict)
            assert (response.status_code, changed) == (403, False), address


OWNED_BY = {"token", "secret"}
CHANGED_BY = OWNED_BY | {"edit link"}
READ_BY = CHANGED_BY | {"other token", "revoked", "revoked link", "none"}
CREATES = {"token", "other token", "none"}
"""What else is sent is no account's token: whoever sends one means to have an account."""


def welcome(route, method, closed):
    """The bearers whom an operation admits."""
    if route["name"] == "api-rosters":
        return CREATES
    who = right(route, method)
    if who == Right.OWNER_BEARER:
        return OWNED_BY
    return CHANGED_BY if who == Right.BEARER or (who == Right.READ and closed) else READ_BY


@pytest.mark.parametrize("closed", [False, True])
def test_every_operation_of_the_api_is_answered_as_its_bearer_may(world, closed):
    roster = world.closed if closed else world.open
    revoked = api_tokens.create_token(world.owner, "revoked")
    models.ApiToken.objects.all().delete()
    mine, theirs = api_tokens.create_token(world.owner, "mine"), api_tokens.create_token(world.bob, "theirs")
    bearers = {"token": mine, "other token": theirs, "revoked": revoked, "none": ""}
    holders = {"secret": "holder", "edit link": "editor", "revoked link": "former"}
    bearers |= {bearer: world.secrets[kind, roster.token] for bearer, kind in holders.items()}
    for route in (route for route in OURS if route["route"].startswith(API)):
        if closed and "token>" not in route["route"]:
            continue  # it is not about the roster
        for method, (bearer, secret) in ((method, each) for method in route["methods"] for each in bearers.items()):
            asked, admitted = (bearer, method, route["route"]), bearer in welcome(route, method, closed)
            response, changed = called(world, route, method, roster.token, secret)
            assert (response.status_code < 400) == admitted, (asked, response.content)
            if not admitted:
                hidden = closed and bearer not in CHANGED_BY
                assert response.status_code == (404 if hidden else 403 if secret else 401), asked
            if response.status_code == 404:
                never, _ = called(world, route, method, NOWHERE, secret)
                assert shape(response, roster.token) == shape(never, NOWHERE), asked
            assert changed == (method in ("PUT", "DELETE") and admitted), asked


def called(world, route, method, token, secret):
    """A program's request: it needs no token of a form, and nobody's cookies help it."""
    headers = {"If-Match": "*"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    body = body_of(route, method) if method != "DELETE" else ""
    return world.visit("owner", method, world.place(route, token), body, client=world.strict, **headers)
