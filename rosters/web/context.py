"""The request context of a roster, a battle or a shelf; the decorators that resolve it and enforce the permission."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from rosters import registry
from rosters.core import documents, edits
from rosters.core.appraisals import RosterState
from rosters.core.documents import AnyDocument, Element
from rosters.core.messages import Message, translate
from rosters.core.play import without_damage
from rosters.models import Battle, Roster, Shelf, Visibility
from rosters.registry import System
from rosters.store import play, replica, revisions, writer
from rosters.store.access import Access, AccessEnded, Visitor, has_ended, roster_by_token
from rosters.store.shelf import may_open, shelf_by_token
from rosters.store.state import current_state, visible_state
from rosters.web import roster_page
from rosters.web.http import once, permissions
from rosters.web.http.permissions import EDIT, NEEDED_ACCESS, OWNER, READ, Permission, View, with_permission
from rosters.web.http.queries import OriginForm


class PublicRoster(NamedTuple):
    """What pages for others have of a roster beside its redacted document."""

    token: str
    system: str
    name: str
    crest: str | None
    sample: str | None
    revision: int

    @classmethod
    def of(cls, roster: Roster) -> PublicRoster:
        """The public columns of a roster."""
        return cls(*(getattr(roster, field) for field in cls._fields))


@dataclass(frozen=True)
class RosterContext:
    """A request for one roster, by a visitor with the permission that the route requires."""

    request: HttpRequest
    roster: Roster
    access: Access

    @property
    def editable(self) -> bool:
        """Whether this visitor may edit the roster."""
        return self.access >= Access.EDIT

    @property
    def is_owner(self) -> bool:
        """Whether this visitor may do everything with the roster."""
        return self.access == Access.OWNER

    @property
    def system(self) -> System:
        return registry.SYSTEMS[self.roster.system]

    @cached_property
    def state(self) -> RosterState:
        """The complete roster at the beginning of the request. Raises PermissionDenied for who may not edit."""
        if not self.editable:
            raise PermissionDenied("The complete roster is for its editors; everybody else sees `visible`.")
        return current_state(self.roster)

    @cached_property
    def visible(self) -> RosterState:
        """The roster as everybody with the link sees it."""
        return visible_state(self.roster, complete=False)

    @property
    def document(self) -> AnyDocument:
        return self.state.document

    @property
    def visitor(self) -> Visitor:
        """Who makes a change."""
        return permissions.visitor_of(self.request)

    @property
    def post_data(self) -> QueryDict | None:
        """The submitted form; None for a GET."""
        return self.request.POST if self.request.method == "POST" else None

    @property
    def request_key(self) -> str:
        """The id of the submitted form's request; "" without one."""
        return once.request_key(self.request)

    @property
    def is_repeated(self) -> bool:
        """Whether this request was processed before: its response was lost."""
        return play.is_registered(self.roster, self.request_key)

    @cached_property
    def _origin(self) -> dict[str, int | None]:
        form = OriginForm(self.request.POST)
        return form.cleaned_data if form.is_valid() else {}

    @property
    def opened_version(self) -> int:
        """The revision that the submitted form was opened with; the current one if the form does not say."""
        number = self._origin.get("opened_version")
        return self.roster.revision if number is None else number

    @cached_property
    def opened_document(self) -> AnyDocument:
        """The roster as it was when the submitted form was opened."""
        if self.opened_version >= self.roster.revision:
            return self.document
        opened = self.roster.revisions.filter(number=self.opened_version).first()
        return without_damage(revisions.document_of(opened)) if opened else self.document

    @property
    def is_live_preview(self) -> bool:
        """Whether htmx asks for the preview beside a form, and not for its page."""
        target: str | None = self.request.htmx.target  # type: ignore[attr-defined]
        return target == "preview"

    @property
    def wants_fragment(self) -> bool:
        """Whether the request is from a script of the roster page, which takes parts of a page."""
        return self.request.headers.get("X-Part") == "1"

    def last_change(self) -> str:
        """The roster's last change in words: what was changed, by whom, and when."""
        last = self.roster.revisions.defer("packed").first()
        if last is None:
            return _("just now")
        values = {"change": translate(last.message), "who": last.get_who_display(), "time": f"{last.at:%H:%M}"}
        return _("“%(change)s”, by %(who)s, %(time)s UTC") % values

    def render(self, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        """A page with the roster, its system and the system's words. Without access it gets a `PublicRoster`."""
        roster = self.roster if self.editable else PublicRoster.of(self.roster)
        common: dict[str, Any] = {"roster": roster, "system": self.system, "words": self.system.rules.WORDS}
        common |= {"editable": self.editable, "is_owner": self.is_owner, "request_id": once.new_request_id()}
        return render(self.request, template, common | context, status=status)

    def redirect(self, kind: str = "", uid: str = "") -> HttpResponse:
        """Redirect to the roster page, at the changed element ("e") or formation ("f"), else where the form was."""
        page = self._origin.get("page")
        place = roster_page.link_to(kind, uid, self.document) if kind else f"?page={page}" if page else ""
        return redirect(reverse("roster", args=[self.roster.token]) + place)

    def count_elements(self, elements: Iterable[Element]) -> Message:
        """The number of models of elements in the system's own word, such as "3 stands"."""
        return self.system.rules.WORDS.count_elements(documents.number_of_models(elements))

    def save(self, edit: edits.Edit, summary: str, *, is_last: bool = True) -> bool:
        """Apply an edit. True if it changed anything. ``is_last``: the request is not processed again after it.

        Raises ElementNotFound, LimitExceeded, and RepeatedRequest if the same request was processed before.
        """
        return writer.apply_edit(self.roster, edit, summary, self.visitor, self.request_key if is_last else "")

    def apply(
        self,
        edit: edits.Edit,
        summary: str,
        form: Form | None = None,
        *,
        is_last: bool = True,
        remark: Callable[[RosterContext], tuple[int, str]] | None = None,
    ) -> bool:
        """`save`, with a message for the next page: the summary, or why it failed.

        A limit that the values of a ``form`` would exceed is an error of the form instead. ``remark``: the level
        of the message for the changed roster, and what it says after the summary, as text or HTML.
        """
        try:
            changed = self.save(edit, summary, is_last=is_last)
            if changed:
                level, more = remark(self.refreshed()) if remark else (messages.SUCCESS, "")
                text = _("%(change)s.") % {"change": translate(summary)}
                messages.add_message(self.request, level, format_html("{} {}", text, more) if more else text)
            return changed
        except writer.RepeatedRequest:
            messages.info(self.request, _("This was saved already. It was not saved again."))
        except edits.ElementNotFound:
            text = _("That is no longer in the roster: it was changed elsewhere. Nothing was changed.")
            messages.error(self.request, text)
        except edits.LimitExceeded as error:
            if form is None:
                messages.error(self.request, translate(error.faults[0].message))
            else:
                add_limit_errors(form, error)
        return False

    def refreshed(self) -> RosterContext:
        """The same request, for the roster as it is now. Raises Http404 if it was deleted in the meantime."""
        roster = roster_by_token(self.roster.token)
        if roster is None:
            raise Http404("No roster at this address.")
        return RosterContext(self.request, roster, self.access)


def add_limit_errors(form: Form, error: edits.LimitExceeded) -> None:
    """Add an error to each field that would exceed a limit; to the notes if there is too much text in all."""
    for path, message in error.faults:
        keys = path.split("/") if path else ["notes"]
        form.add_error(next((key for key in keys if key in form.fields), None), translate(message))


def no_index(response: HttpResponse) -> HttpResponse:
    """Keep a response out of search engines."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@dataclass(frozen=True)
class BattleContext:
    """A request for one battle, by a visitor with the permission that the route requires."""

    request: HttpRequest
    battle: Battle
    editable: bool
    """Whether this visitor may change the battle."""

    @property
    def is_creator(self) -> bool:
        return permissions.is_creator(self.request, self.battle)

    def redirect(self) -> HttpResponse:
        """To the page of the battle."""
        return redirect("battle", self.battle.token)


def roster_view(
    permission: Permission, *methods: str, binned: bool = False, from_replica: bool = False, **by_method: Permission
) -> Callable[[View], View]:
    """Resolve the roster of the URL, enforce the permission, and record it.

    The view takes a `RosterContext` and the rest of the URL. ``permission`` and those ``by_method``, such as
    ``POST=EDIT``, are READ, EDIT or OWNER. With ``binned``, its owner reaches a roster in the bin too. With
    ``from_replica``, a public view reads the roster's content from the replica, if it has the same revision.

    A visitor who may not read the roster gets 404. Who lacks a further permission is redirected from a GET, an editor
    to the builder and others to the shared page, and gets 404 for a POST. Who lost it by revocation gets 403.
    """
    needed = dict.fromkeys(methods, permission) | by_method
    if not {READ, EDIT, OWNER}.issuperset(needed.values()):
        raise ValueError("roster_view enforces READ, EDIT and OWNER only")

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, token: str, **rest: Any) -> HttpResponse:
            roster, access = permissions.roster_for(request, token, binned=binned)
            required = NEEDED_ACCESS[needed[_read_as_get(request)]]
            if access < required:
                return _redirect_or_refuse(request, roster, access)
            respond = partial(view, RosterContext(request, roster, access), **rest)
            response = replica.read_roster(roster, respond) if from_replica else respond()
            if roster.visibility != Visibility.LISTED and roster.sample is None:
                no_index(response)
            if access > Access.READ and "Cache-Control" not in response:
                # Not no-store, because browsers would then reload the page on Back.
                patch_cache_control(response, private=True, no_cache=True)
            return response

        return with_permission(guarded, needed)

    return decorate


def _redirect_or_refuse(request: HttpRequest, roster: Roster, access: Access) -> HttpResponse:
    """The redirect of a reader or an editor from a page that needs more. Raises Http404 and AccessEnded."""
    if access == Access.READ and has_ended(permissions.visitor_of(request), roster):
        raise AccessEnded
    if request.method in ("GET", "HEAD"):
        return redirect("roster" if access else "shared", roster.token)
    raise Http404("This browser may not do this with this roster.")


def battle_view(permission: Permission, *methods: str, **by_method: Permission) -> Callable[[View], View]:
    """Resolve the battle of the URL, enforce READ or EDIT, and record it: who may not change the battle gets 404.

    Pages of battles are not indexed.
    """
    needed = dict.fromkeys(methods, permission) | by_method

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, token: str, **rest: Any) -> HttpResponse:
            battle, editable = permissions.battle_for(request, token)
            if not editable and needed.get(_read_as_get(request)) == EDIT:
                raise Http404("This browser may not change this battle.")
            response = no_index(view(BattleContext(request, battle, editable), **rest))
            if "Cache-Control" not in response:
                patch_cache_control(response, private=True, no_cache=True)
            return response

        return with_permission(guarded, needed)

    return decorate


@dataclass(frozen=True)
class ShelfContext:
    """A request for a shelf, by a visitor whose own it is."""

    request: HttpRequest
    shelf: Shelf

    @cached_property
    def visitor(self) -> Visitor:
        """Who makes a change."""
        return permissions.visitor_of(self.request)

    def render(self, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        """A page of the shelf."""
        return render(self.request, template, {"shelf": self.shelf} | context, status=status)


def shelf_view(*methods: str) -> Callable[[View], View]:
    """Resolve the shelf of the URL, which is 404 for everybody but the visitor whose own it is. No copy is stored."""

    def decorate(view: View) -> View:
        @never_cache
        @wraps(view)
        def guarded(request: HttpRequest, token: str, **rest: Any) -> HttpResponse:
            visitor, shelf = permissions.visitor_of(request), shelf_by_token(token)
            if shelf is None or not may_open(visitor, shelf):
                raise Http404("No shelf at this address.")
            try:
                return view(ShelfContext(request, shelf), **rest)
            except AccessEnded:
                raise Http404("This shelf was deleted, or its link replaced.") from None

        return with_permission(guarded, dict.fromkeys(methods, Permission.SHELF))

    return decorate


def _read_as_get(request: HttpRequest) -> str:
    return "GET" if request.method == "HEAD" else str(request.method)
