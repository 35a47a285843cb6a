"""What the builder's views share: the roster on the bench, who may work on it, and how a change is told."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from rosters import registry
from rosters.core import edits
from rosters.core.documents import AnyDocument
from rosters.models import Actor, Roster
from rosters.registry import System
from rosters.store import writer
from rosters.store.state import RosterState, current_state
from rosters.web.http import permissions


class EditorContext(NamedTuple):
    """What a builder view works on: the roster, its system, and how it stands."""

    request: HttpRequest
    roster: Roster
    system: System
    state: RosterState

    @property
    def document(self) -> AnyDocument:
        return self.state.document

    @property
    def who(self) -> Actor:
        """Whom a change is put down to."""
        return permissions.actor_for(self.request, self.roster)

    def last_change(self) -> str:
        """The roster's last change in words: what, by whom, and when."""
        last = self.roster.revisions.defer("packed").first()
        return f"“{last.summary}”, by {last.get_who_display()}, {last.at:%H:%M} UTC" if last else "just now"

    def draw(self, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        common = {"roster": self.roster, "system": self.system, "words": self.system.rules.WORDS}
        return render(self.request, template, common | context, status=status)

    def back(self, anchor: str = "") -> HttpResponse:
        """To the roster page, at the place where the change was made."""
        return redirect(reverse("roster", args=[self.roster.token]) + (f"#{anchor}" if anchor else ""))

    def apply(self, edit: edits.Edit, summary: str, *, told: bool = True) -> bool:
        """Make a change and tell it on the next page; a change that cannot be made is told always."""
        try:
            if writer.apply_edit(self.roster, edit, summary, self.who) and told:
                messages.success(self.request, f"{summary}.")
            return True
        except edits.ElementNotFound:
            messages.error(self.request, "That is no longer in the roster: it was changed elsewhere. Nothing was done.")
        except edits.LimitExceeded as error:
            messages.error(self.request, str(error))
        return False


EditorView = Callable[..., HttpResponse]


def editor(view: EditorView) -> Callable[..., HttpResponse]:
    """For those who may edit. Others are shown the read-only page, and cannot send anything."""

    @wraps(view)
    def guarded(request: HttpRequest, token: str) -> HttpResponse:
        roster, editable = permissions.roster_for(request, token)
        if editable:
            system = registry.SYSTEMS[roster.system]
            return view(EditorContext(request, roster, system, current_state(roster)))
        if request.method in ("GET", "HEAD"):
            return redirect("shared", token)
        raise Http404("This browser may not edit this roster.")

    return guarded
