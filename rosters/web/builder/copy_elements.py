"""Copying elements and formations from sample rosters and from one's own."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext

from rosters.core import edits
from rosters.core.documents import AnyDocument
from rosters.core.messages import _
from rosters.models import Roster
from rosters.store import search
from rosters.store.access import rosters_to_choose
from rosters.store.state import current_state
from rosters.web import roster_page
from rosters.web.builder.forms import CopyForm, CopySearchForm
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT


@roster_view(EDIT, "GET", "POST")
def copy_page(ctx: RosterContext) -> HttpResponse:
    """Choose a roster of the same game to copy from. POST answers forms of an older release."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "add-from", ctx.roster.token)
    form = CopySearchForm(ctx.request.GET)
    form.is_valid()  # a field with an error is shown with it, and counts as empty
    query = form.cleaned_data.get("q", "")
    token = form.cleaned_data.get("from", "")
    source = find_source(ctx, token) if token else None
    mine = (each for each in rosters_to_choose(ctx.visitor, ctx.system.slug) if each.pk != ctx.roster.pk)
    samples = search.sample_rosters(search.RosterFilter(system=ctx.system.slug, words=query))
    context = {
        "form": form,
        "samples": samples.only("token", "name", "points", "crest", "system"),
        "mine": [roster for roster in mine if query.lower() in roster.name.lower()],
        "source": source,
        "roster_page": roster_page.build_page(current_state(source), {"page": form.cleaned_data["page"]})
        if source
        else None,
        "into": form.cleaned_data.get("in", ""),
        "document": ctx.document,
        "copyable": bool(ctx.document.formations),
        "q": query,
    }
    return ctx.render("builder/copy_elements.html", context)


def find_source(ctx: RosterContext, token: str) -> Roster:
    """A sample roster, or one of the visitor's own, of the same game. Raises Http404."""
    source, editable = permissions.roster_for(ctx.request, token)
    if source.system != ctx.system.slug or not (editable or source.sample):
        raise Http404("This roster cannot be copied from.")
    return source


@roster_view(EDIT, "POST")
def copy_element(ctx: RosterContext) -> HttpResponse:
    """Copy an element of the source into the chosen formation."""

    def edit_of(source: AnyDocument, form: CopyForm) -> tuple[str, edits.Edit]:
        element = edits.copy_element(edits.find_element(source, form.cleaned_data["element"])[1])
        return element.name, edits.add_elements(form.cleaned_data["in"], [element])

    return copy_from_source(ctx, edit_of)


@roster_view(EDIT, "POST")
def copy_formation(ctx: RosterContext) -> HttpResponse:
    """Copy a formation of the source with all its elements."""

    def edit_of(source: AnyDocument, form: CopyForm) -> tuple[str, edits.Edit]:
        formation = edits.copy_formation(edits.find_formation(source, form.cleaned_data["formation"]))
        return formation.name, edits.add_formation(formation)

    return copy_from_source(ctx, edit_of)


def copy_from_source(
    ctx: RosterContext, edit_of: Callable[[AnyDocument, CopyForm], tuple[str, edits.Edit]]
) -> HttpResponse:
    """Apply the edit that ``edit_of`` returns with the name of what it adds, then redirect to the same source."""
    form = CopyForm(ctx.request.POST)
    if not form.is_valid():
        raise Http404("The request names no roster to copy from.")
    source = find_source(ctx, form.cleaned_data["from"])
    try:
        name, edit = edit_of(current_state(source).document, form)
        ctx.apply(edit, _("Added {name} from {source}").format(name=name, source=source.name))
    except edits.ElementNotFound:
        messages.error(ctx.request, gettext("That is no longer in %(source)s.") % {"source": source.name})
    query = {"from": source.token, "in": form.cleaned_data["in"]}
    return redirect(f"{reverse('add-from', args=[ctx.roster.token])}?{urlencode(query)}")
