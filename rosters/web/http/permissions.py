"""Permissions: the decorators that enforce them, and the queries for what an account or a browser may edit."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.db.models import Exists, F, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rosters.models import Battle, Browser, Roster, Visibility, hashed, new_secret
from rosters.store import access
from rosters.store.access import Access, AccessEnded, OpenedLink, Visitor, roster_by_token
from rosters.store.compiled import compiled

View = Callable[..., HttpResponse]


class ViewPermission(NamedTuple):
    """The methods of a view, and who may use it."""

    who: str
    methods: tuple[str, ...]


class Permission(StrEnum):
    """The permission that a view requires; `manage.py routes` prints it."""

    ANYONE = "anyone"
    READ = "anyone with the link"
    EDIT_LINK = "anyone with the edit link"
    EDIT = "a browser that may edit"
    OWNER = "the owner"
    SHELF = "whose shelf it is"
    ACCOUNT = "an account, signed in"
    BEARER = "a bearer who may edit"
    OWNER_BEARER = "a bearer of the owner"
    METRICS = "with the metrics token"
    STAFF = "staff"


READ, EDIT, OWNER = Permission.READ, Permission.EDIT, Permission.OWNER
NEEDED_ACCESS = {
    READ: Access.READ,
    EDIT: Access.EDIT,
    OWNER: Access.OWNER,
    Permission.BEARER: Access.EDIT,
    Permission.OWNER_BEARER: Access.OWNER,
}
"""The access to a roster that a permission requires; others are not of a roster."""
MAX_OPENED_LINKS = 20
"""Links that a browser's cookie names, the latest first."""


def view_permission(by_method: Mapping[str, Permission]) -> ViewPermission:
    """The permission of a view whose methods may need different ones; HEAD needs that of GET."""
    first, *others = dict.fromkeys(by_method.values())
    more = [f"{', '.join(m for m, needed in by_method.items() if needed == other)}: {other}" for other in others]
    methods = [("GET", "HEAD") if method == "GET" else (method,) for method in by_method]
    return ViewPermission("; ".join([first, *more]), tuple(method for group in methods for method in group))


def with_permission(view: View, by_method: Mapping[str, Permission]) -> View:
    """Restrict a view to its methods (405 for others), and record its permission for the system check."""
    permission = view_permission(by_method)
    guarded = require_http_methods(permission.methods)(view)
    guarded.permission = permission  # type: ignore[attr-defined]
    return guarded


def public_view(*methods: str, permission: Permission = Permission.ANYONE) -> Callable[[View], View]:
    """A view without an object: for everybody, or with a ``permission`` that the view checks itself."""
    return lambda view: with_permission(view, dict.fromkeys(methods, permission))


def account_view(*methods: str) -> Callable[[View], View]:
    """A view for signed-in accounts; others are redirected to sign in. Browsers store no copy."""
    return lambda view: with_permission(never_cache(login_required(view)), dict.fromkeys(methods, Permission.ACCOUNT))


def browser_key_hash(request: HttpRequest) -> str:
    """The hash of this browser's cookie; "" when it has none."""
    secret = request.COOKIES.get(settings.BROWSER_COOKIE, "")
    return hashed(secret) if secret else ""


def browser_for(request: HttpRequest) -> Browser:
    """This browser's row, created when it has none; the middleware then sets its cookie.

    A cookie that this site has not set is replaced: somebody may have planted it to know its value.
    """
    _replace_planted_cookie(request)
    return Browser.objects.get_or_create(key_hash=browser_key_hash(request))[0]


def _replace_planted_cookie(request: HttpRequest) -> None:
    """Set a new cookie if it is missing or was not set by this site."""
    key = browser_key_hash(request)
    if not _opened_links(request) and not (key and Browser.objects.filter(key_hash=key).exists()):
        request.COOKIES[settings.BROWSER_COOKIE] = new_secret()


def renew_browser_cookie(request: HttpRequest, response: HttpResponse) -> None:
    """Set or renew the browser's cookie for another 400 days, and bind a cookie of links that is not bound yet."""
    if secret := request.COOKIES.get(settings.BROWSER_COOKIE):
        _set_cookie(request, response, settings.BROWSER_COOKIE, secret)
    if (links := getattr(request, "unbound_links", ())) and settings.LINKS_COOKIE not in response.cookies:
        _set_links_cookie(request, response, links)


def _set_cookie(request: HttpRequest, response: HttpResponse, name: str, value: str) -> None:
    age = settings.BROWSER_COOKIE_AGE
    response.set_cookie(name, value, max_age=age, secure=request.is_secure(), httponly=True, samesite="Lax")


def visitor_of(request: HttpRequest) -> Visitor:
    """The visitor of a request: its account, browser, API secret and opened links."""
    user, bearer = account_of(request), bearer_token(request)
    return Visitor(user and user.pk, browser_key_hash(request), bearer and hashed(bearer), _opened_links(request))


def _opened_links(request: HttpRequest) -> tuple[OpenedLink, ...]:
    """The links in the cookie, except expired ones; none if its signature is invalid. The signature includes the
    browser's cookie, so a copied cookie opens nothing. A cookie of an earlier release is unbound, and replaced with the
    response.
    """
    value = request.COOKIES.get(settings.LINKS_COOKIE)
    first = time.time() - settings.BROWSER_COOKIE_AGE
    if value and browser_key_hash(request):  # without the other cookie, its changes could not be attributed
        for salt in (_links_salt(request), settings.LINKS_COOKIE):
            with suppress(signing.BadSignature):
                named = (OpenedLink(*each) for each in signing.loads(value, salt=salt))
                links = tuple(link for link in named if link.at > first)
                if salt == settings.LINKS_COOKIE:
                    request.unbound_links = links  # type: ignore[attr-defined]
                return links
    return ()


def _links_salt(request: HttpRequest) -> str:
    return f"{settings.LINKS_COOKIE} {browser_key_hash(request)}"


def remember_link(request: HttpRequest, response: HttpResponse, roster: int, secret: str) -> None:
    """Add a link of a roster (`SHELF_LINK`: of a shelf) to the browser's cookie; opening it changes nothing else."""
    _replace_planted_cookie(request)
    others = [link for link in _opened_links(request) if link.roster != roster]
    _set_links_cookie(request, response, [OpenedLink(roster, hashed(secret), round(time.time(), 3)), *others])


def _set_links_cookie(request: HttpRequest, response: HttpResponse, links: Sequence[OpenedLink]) -> None:
    value = signing.dumps(links[:MAX_OPENED_LINKS], salt=_links_salt(request))
    _set_cookie(request, response, settings.LINKS_COOKIE, value)


def roster_for(request: HttpRequest, token: str, *, binned: bool = False) -> tuple[Roster, Access]:
    """The roster with this share token, and this visitor's access to it. Raises Http404 or AccessEnded.

    A private roster is 404 for visitors who may not edit it; one in the bin for all but its owner, and without
    ``binned``.
    """
    visitor = visitor_of(request)  # always reads the session: else Vary would disclose that a roster exists
    roster = roster_by_token(token)
    granted = access.access_of(visitor, roster) if roster else Access.READ
    if roster is None or (roster.binned and not (binned and granted == Access.OWNER)):
        raise Http404("No roster at this address.")
    if roster.visibility == Visibility.CLOSED and granted == Access.READ:
        if access.has_ended(visitor, roster):
            raise AccessEnded
        raise Http404("No roster at this address.")
    return roster, granted


def roster_for_link(token: str, secret: str) -> Roster:
    """The roster of an owner link or edit link, even a private one. Raises Http404 or AccessEnded."""
    roster = Roster.objects.filter(token=token, binned=None).first()
    if roster is None or access.grant_by_link(roster, hashed(secret)).access == Access.READ:
        if roster and roster.edit_links.filter(key_hash=hashed(secret)).exists():
            raise AccessEnded
        raise Http404("Invalid edit link.")
    return roster


def may_edit(request: HttpRequest, roster: Roster) -> bool:
    """Whether the signed-in account, the bearer or the browser may edit the roster."""
    return access.access_of(visitor_of(request), roster) >= Access.EDIT


def bearer_token(request: HttpRequest) -> str:
    """The bearer token of a request to the API; "" without one."""
    return getattr(request, "bearer", "")


def account_of(request: HttpRequest) -> Any:
    """The signed-in account, or None."""
    user = getattr(request, "user", None)
    return user if user is not None and user.is_authenticated else None


def my_rosters(request: HttpRequest) -> QuerySet[Roster]:
    """The rosters that this visitor may edit, except those in the bin."""
    return access.rosters_of(visitor_of(request)).filter(binned=None)


def display_name(user: Any) -> str:
    """The name of an account: its e-mail address."""
    return str(user.email or user.get_username())


def battle_for(request: HttpRequest, token: str) -> tuple[Battle, bool]:
    """The battle with this token, and whether this visitor may change it. Raises Http404."""
    battle = _battle(token, browser_key_hash(request))
    if battle is None:
        raise Http404("No battle at this address.")
    user = account_of(request)
    mine = user is not None and battle.owner_id == user.pk
    return battle, mine or bool(battle.is_editor)  # type: ignore[attr-defined]


@compiled
def _battle(token: str, browser: str) -> QuerySet[Battle]:
    """The battle, whether this browser may change it, and the browser that created it."""
    editors = Battle.browsers.through.objects.filter(battle=OuterRef("pk"), browser__key_hash=browser)
    battles = Battle.objects.filter(token=token).order_by()
    return battles.annotate(is_editor=Exists(editors), creator_key=F("creator__key_hash"))


def is_creator(request: HttpRequest, battle: Battle) -> bool:
    """Whether this visitor created the battle: its account or, without one, its browser, if known."""
    user, creator = account_of(request), battle.creator_key  # type: ignore[attr-defined]
    if battle.owner_id is not None:
        return user is not None and battle.owner_id == user.pk
    return creator is None or bool(creator == browser_key_hash(request))


def battles_to_claim(request: HttpRequest) -> QuerySet[Battle]:
    """The battles that this browser created and no account owns."""
    return Battle.objects.filter(owner=None, creator__isnull=False, creator__key_hash=browser_key_hash(request))


def my_battles(request: HttpRequest) -> QuerySet[Battle]:
    """The battles that this visitor may change, last changed first."""
    visitor = visitor_of(request)
    return access.battles_of(visitor.account or 0, visitor.browser)
