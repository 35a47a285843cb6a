"""Permissions: the decorators that enforce them, and the queries for what an account or a browser may edit."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rosters.models import Actor, Battle, Browser, Roster, Visibility, hashed, new_secret

View = Callable[..., HttpResponse]


class Rights(NamedTuple):
    """The methods of a view, and who may use it."""

    who: str
    methods: tuple[str, ...]


class Permission(StrEnum):
    """Who may use a view, as `manage.py routes` prints it."""

    ANYONE = "anyone"
    READ = "anyone with the link"
    EDIT_LINK = "anyone with the edit link"
    EDIT = "a browser that may edit"
    ACCOUNT = "an account, signed in"
    BEARER = "a bearer who may edit"
    METRICS = "with the metrics token"
    STAFF = "staff"


READ, EDIT = Permission.READ, Permission.EDIT


def rights(by_method: Mapping[str, Permission]) -> Rights:
    """The rights of a view whose methods need different permissions; HEAD needs that of GET."""
    first, *others = dict.fromkeys(by_method.values())
    more = [f"{', '.join(m for m, needed in by_method.items() if needed == other)}: {other}" for other in others]
    methods = [("GET", "HEAD") if method == "GET" else (method,) for method in by_method]
    return Rights("; ".join([first, *more]), tuple(method for group in methods for method in group))


def with_rights(view: View, by_method: Mapping[str, Permission]) -> View:
    """Restrict a view to its methods (405 for others), and record its rights for the system check."""
    recorded = rights(by_method)
    guarded = require_http_methods(recorded.methods)(view)
    guarded.rights = recorded  # type: ignore[attr-defined]
    return guarded


def public_view(*methods: str, permission: Permission = Permission.ANYONE) -> Callable[[View], View]:
    """A view without an object: for everybody, or with a ``permission`` that the view checks itself."""
    return lambda view: with_rights(view, dict.fromkeys(methods, permission))


def account_view(*methods: str) -> Callable[[View], View]:
    """A view for signed-in accounts; others are redirected to sign in. Browsers store no copy."""
    return lambda view: with_rights(never_cache(login_required(view)), dict.fromkeys(methods, Permission.ACCOUNT))


def browser_key_hash(request: HttpRequest) -> str:
    """The hash of this browser's cookie; "" when it has none."""
    secret = request.COOKIES.get(settings.BROWSER_COOKIE, "")
    return hashed(secret) if secret else ""


def browser_for(request: HttpRequest) -> Browser:
    """This browser's row, created when it has none; the middleware then sets its cookie."""
    key = browser_key_hash(request)
    browser = Browser.objects.filter(key_hash=key).first() if key else None
    if browser is None:
        secret = new_secret()
        browser = Browser.objects.create(key_hash=hashed(secret))
        request.COOKIES[settings.BROWSER_COOKIE] = secret
    return browser


def renew_browser_cookie(request: HttpRequest, response: HttpResponse) -> None:
    """Set or renew the browser's cookie for another 400 days."""
    secret = request.COOKIES.get(settings.BROWSER_COOKIE)
    if secret:
        response.set_cookie(
            settings.BROWSER_COOKIE,
            secret,
            max_age=settings.BROWSER_COOKIE_AGE,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )


def roster_for(request: HttpRequest, token: str, *, binned: bool = False) -> tuple[Roster, bool]:
    """The roster with this share token, and whether this visitor may edit it. Raises Http404.

    A private roster exists only for those who may edit it; one in the bin only for those, and only with ``binned``.
    """
    account_of(request)  # reads the session in any case: reading it for some rosters only would tell that they exist
    roster = Roster.objects.filter(token=token).first()
    editable = roster is not None and may_edit(request, roster)
    if roster is None or (roster.visibility == Visibility.CLOSED and not editable):
        raise Http404("No roster at this address.")
    if roster.binned and not (binned and editable):
        raise Http404("No roster at this address.")
    return roster, editable


def roster_for_edit_link(token: str, secret: str) -> Roster:
    """The roster of this edit link, even a private one. Raises Http404."""
    roster = Roster.objects.filter(token=token, binned=None).first()
    if roster is None or not edit_secret_matches(roster, secret):
        raise Http404("Invalid edit link.")
    return roster


def may_edit(request: HttpRequest, roster: Roster) -> bool:
    """Whether the signed-in account, the bearer or the browser may edit the roster."""
    user, key = account_of(request), browser_key_hash(request)
    if user is not None and roster.owner_id == user.pk:
        return True
    if edit_secret_matches(roster, bearer_token(request)):
        return True
    return bool(key) and roster.browsers.filter(key_hash=key).exists()


def actor_for(request: HttpRequest, roster: Roster) -> Actor:
    """Who a change by this visitor is recorded as: the owner, or an editor with the edit link."""
    user, creator = account_of(request), roster.creator
    if roster.owner_id is not None:
        return Actor.OWNER if user is not None and roster.owner_id == user.pk else Actor.EDITOR
    return Actor.OWNER if creator is None or creator.key_hash == browser_key_hash(request) else Actor.EDITOR


def bearer_token(request: HttpRequest) -> str:
    """The bearer token of a request to the API; "" without one."""
    return getattr(request, "bearer", "")


def account_of(request: HttpRequest) -> Any:
    """The signed-in account, or None."""
    user = getattr(request, "user", None)
    return user if user is not None and user.is_authenticated else None


def my_rosters(request: HttpRequest) -> QuerySet[Roster]:
    """The rosters that this visitor may edit, except those in the bin."""
    return all_my_rosters(request).filter(binned=None)


def all_my_rosters(request: HttpRequest) -> QuerySet[Roster]:
    """The rosters that this visitor may edit, with those in the bin."""
    user, key = account_of(request), browser_key_hash(request)
    links = Roster.browsers.through.objects  # a union uses the index of each half, an OR neither
    mine = links.filter(browser__key_hash=key).values("roster_id") if key else links.none().values("roster_id")
    if user is not None:
        mine = mine.union(Roster.objects.filter(owner=user).order_by().values("pk"))
    return Roster.objects.filter(pk__in=mine)


def display_name(user: Any) -> str:
    """The name of an account: its e-mail address."""
    return str(user.email or user.get_username())


def battle_for(request: HttpRequest, token: str) -> tuple[Battle, bool]:
    """The battle with this token, and whether this visitor may change it. Raises Http404."""
    battle = Battle.objects.filter(token=token).first()
    if battle is None:
        raise Http404("No battle at this address.")
    user, key = account_of(request), browser_key_hash(request)
    mine = user is not None and battle.owner_id == user.pk
    return battle, mine or (bool(key) and battle.browsers.filter(key_hash=key).exists())


def is_creator(request: HttpRequest, battle: Battle) -> bool:
    """Whether this visitor created the battle: its account or, without one, its browser, if known."""
    user, creator = account_of(request), battle.creator
    if battle.owner_id is not None:
        return user is not None and battle.owner_id == user.pk
    return creator is None or creator.key_hash == browser_key_hash(request)


def battles_to_claim(request: HttpRequest) -> QuerySet[Battle]:
    """The battles that this browser created and no account owns."""
    return Battle.objects.filter(owner=None, creator__isnull=False, creator__key_hash=browser_key_hash(request))


def my_battles(request: HttpRequest) -> QuerySet[Battle]:
    """The battles that this visitor may change, last changed first."""
    user, key = account_of(request), browser_key_hash(request)
    links = Battle.browsers.through.objects
    mine = links.filter(browser__key_hash=key).values("battle_id") if key else links.none().values("battle_id")
    if user is not None:
        mine = mine.union(Battle.objects.filter(owner=user).order_by().values("pk"))
    return Battle.objects.filter(pk__in=mine)


def edit_secret_matches(roster: Roster, secret: str) -> bool:
    """Whether ``secret`` is that of the roster's current edit link."""
    return bool(roster.edit_hash) and constant_time_compare(roster.edit_hash, hashed(secret))
