"""Copying elements and formations from books and from one's own rosters."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from rosters.core import edits
from rosters.models import Roster
from rosters.store import search
from rosters.store.state import current_state
from rosters.web import roster_page
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.permissions import EDIT


@roster_view(EDIT, "GET", "POST")
def add_from(ctx: RosterContext) -> HttpResponse:
    """Copy an element or a whole formation from a book or another roster of the same game."""
    if ctx.request.method == "POST":
        return copy_in(ctx, ctx.request.POST)
    asked = ctx.request.GET
    words = asked.get("q", "")[:120].replace("\0", "")
    mine = [r for r in permissions.my_rosters(ctx.request).filter(system=ctx.system.slug) if r.pk != ctx.roster.pk]
    source = source_of(ctx, asked.get("from", ""))
    context = {
        "books": search.sample_rosters(ctx.system.slug, words),
        "mine": [r for r in mine if words.lower() in r.name.lower()],
        "source": source,
        "sheet": roster_page.roster_page(current_state(source)) if source else None,
        "into": asked.get("in", ""),
        "document": ctx.document,
        "q": words,
    }
    return ctx.render("builder/copy_elements.html", context)


def source_of(ctx: RosterContext, token: str) -> Roster | None:
    """The book or own roster with this token, if it is of the same game."""
    if not token:
        return None
    found, editable = permissions.roster_for(ctx.request, token)
    if found.system != ctx.system.slug or not (editable or found.sample):
        raise Http404("There is no such book of this game.")
    return found


def copy_in(ctx: RosterContext, sent: QueryDict) -> HttpResponse:
    """Copy what the pressed button names: "formation <id>" or "element <id>" of the source."""
    source = source_of(ctx, sent.get("from", ""))
    if source is None:
        raise Http404("There is no such book of this game.")
    kind, _, uid = sent.get("do", "").partition(" ")
    document = current_state(source).document
    try:
        if kind == "formation":
            taken = edits.copy_formation(edits.find_formation(document, uid))
            ctx.apply(edits.add_formation(taken), f"Added {taken.name} from {source.name}")
        else:
            one = edits.copy_element(edits.find_element(document, uid)[1])
            ctx.apply(edits.add_elements(sent.get("in", ""), [one]), f"Added {one.name} from {source.name}")
    except edits.ElementNotFound:
        messages.error(ctx.request, "That is no longer in the book.")
    address = reverse("add-from", args=[ctx.roster.token])
    return redirect(f"{address}?{urlencode({'from': source.token, 'in': sent.get('in', '')})}")
