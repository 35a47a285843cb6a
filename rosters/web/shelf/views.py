"""The page of a shelf: its entries, quick add, the owner link."""

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from rosters.core.appraisals import RosterState
from rosters.core.documents import AnyDocument
from rosters.core.folding import fold_accents
from rosters.models import Shelf, ShelfEntry, hashed
from rosters.registry import SYSTEMS, System
from rosters.store import shelf as store
from rosters.store.access import Visitor, decrypt
from rosters.store.shelf import Models
from rosters.store.state import compute_state
from rosters.web.builder.line_preview import chosen_element, missing_type_text, preview_of, without_parses
from rosters.web.context import ShelfContext, shelf_view
from rosters.web.http import permissions
from rosters.web.http.once import new_request_id, request_key
from rosters.web.http.permissions import Permission, public_view
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.shelf.elements import ShownModels, document_with, shown_models
from rosters.web.shelf.forms import CountsForm, ShelfLineForm, ShelfQuery

ENTRIES_ON_A_PAGE = 100


@dataclass(frozen=True)
class ShelfLine:
    """What a line of quick add is parsed for: an empty document of a game (`LineContext`)."""

    system: System
    visitor: Visitor

    @cached_property
    def state(self) -> RosterState:
        return compute_state(document_with(self.system))

    @property
    def document(self) -> AnyDocument:
        return self.state.document


class Row(NamedTuple):
    """An entry as the page shows it, with the fields of its counts."""

    entry: ShelfEntry
    shown: ShownModels
    cells: list[BoundField]


class Game(NamedTuple):
    """A game on a shelf with its counts of models, in the order of COUNTS."""

    system: System
    counts: tuple[int, ...]

    @property
    def shares(self) -> tuple[int, int]:
        """The percent of the owned models that are built, and painted."""
        owned, built, painted = self.counts
        return (100 * built // owned, 100 * painted // owned) if owned else (0, 0)


@never_cache
@rate_limited("CREATIONS_A_MINUTE", "POST")
@public_view("GET", "POST")
def my_shelf(request: HttpRequest) -> HttpResponse:
    """Redirect to the visitor's shelf, or to what the roster in the query needs of it.

    Without one, show a page with a button that starts it.
    """
    own = store.shelf_of(permissions.visitor_of(request))
    if own is None and request.method == "POST":
        own = store.create(permissions.browser_for(request), permissions.account_of(request))
    if own and (token := request.GET.get("roster")):
        return redirect(f"{reverse('shelf-rosters', args=[own.token])}?{urlencode({'roster': token})}")
    return redirect("shelf", own.token) if own else render(request, "shelf/none.html")


@shelf_view("GET")
def shelf(ctx: ShelfContext) -> HttpResponse:
    """The entries of a shelf, of all games or of one."""
    return shelf_page(ctx)


def shelf_page(ctx: ShelfContext, form: CountsForm | None = None, **line: Any) -> HttpResponse:
    """The page of a shelf; with a form of counts or a line that was refused, with what is wrong with it."""
    query = cleaned_query(ShelfQuery(ctx.request.GET))
    entries = sorted_entries(ctx.shelf)
    listed = [entry for entry in entries if query["game"] in ("", entry.system)]
    added = next((number for number, entry in enumerate(listed) if entry.pk == query["added"]), 0)
    page = Paginator(listed, ENTRIES_ON_A_PAGE).get_page(query["page"] or added // ENTRIES_ON_A_PAGE + 1)
    groups = [*_groups(page, form or CountsForm(page))]
    latest = max(entries, key=lambda entry: entry.pk).system if entries else ""
    system = SYSTEMS[ShelfLineForm(ctx.request.POST if line else ctx.request.GET, query["game"] or latest).game]
    context = {
        "games": [*_games(entries)],
        "game": query["game"],
        "page": page,
        "groups": groups,
        "counters": {row.shown.counter.id: row.shown.counter for _system, rows in groups for row in rows}.values(),
        "form": form,
        "query": ctx.request.GET.urlencode(),
        "added": query["added"],
        "systems": SYSTEMS.values(),
        "system": system,
        "words": system.rules.WORDS,
        "request_id": new_request_id(),
        "account": permissions.account_of(ctx.request),
        "claimable": store.claimable(ctx.visitor).exists(),
        **line,
    }
    return ctx.render("shelf/shelf.html", context, status=422 if form or line else 200)


def sorted_entries(own: Shelf) -> list[ShelfEntry]:
    """The entries by game and name, without those of games that this site does not know."""
    known = [entry for entry in own.entries.all() if entry.system in SYSTEMS]
    order = {slug: number for number, slug in enumerate(SYSTEMS)}
    return sorted(known, key=lambda entry: (order[entry.system], fold_accents(entry.name), entry.pk))


def _groups(page: Page[ShelfEntry], form: CountsForm) -> Iterable[tuple[System, list[Row]]]:
    """The rows of a page by game. An entry that the form was not sent with is not shown in its response."""
    known = {entry.pk for entry in form.entries}
    for slug, system in SYSTEMS.items():
        entries = [entry for entry in page if entry.system == slug and entry.pk in known]
        if entries:
            shown = shown_models(system, (models.element for models in store.models_of(entries)))
            yield system, [Row(*each, form.cells(each[0])) for each in zip(entries, shown, strict=True)]


def _games(entries: list[ShelfEntry]) -> Iterable[Game]:
    for slug, system in SYSTEMS.items():
        own = [entry for entry in entries if entry.system == slug]
        if own:
            yield Game(system, store.totals(own))


@shelf_view("POST")
def save_counts(ctx: ShelfContext) -> HttpResponse:
    """Save the counts that were changed. An entry of which none is left is removed."""
    form, query = _counts_form(ctx), cleaned_query(ShelfQuery(ctx.request.GET))
    if not form.is_valid():
        return shelf_page(ctx, form)
    try:
        changed = store.set_counts(ctx.shelf, form.changes, ctx.visitor) if form.changes else 0
    except store.CountsConflict:
        messages.error(ctx.request, _("This was changed on another device. Nothing was changed; please try again."))
        return shelf_page(ctx, _counts_form(ctx))
    removed = [entry.name for entry in form.entries if form.changes.get(entry.pk, {}).get("quantity") == 0]
    if removed:
        messages.success(ctx.request, _("Removed %(names)s from the shelf.") % {"names": ", ".join(removed)})
    elif changed:
        messages.success(ctx.request, _("Saved."))
    return _to_shelf(ctx, {name: query[name] for name in ("game", "page") if query[name]})


def _counts_form(ctx: ShelfContext) -> CountsForm:
    """The counts that were sent, of entries that are still there."""
    sent = {name.rpartition("-")[2] for name in ctx.request.POST}
    return CountsForm((entry for entry in sorted_entries(ctx.shelf) if str(entry.pk) in sent), ctx.request.POST)


def _to_shelf(ctx: ShelfContext, query: Mapping[str, str]) -> HttpResponse:
    return redirect(reverse("shelf", args=[ctx.shelf.token]) + (f"?{urlencode(query)}" if query else ""))


# ---------------------------------------------------------------- quick add


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@shelf_view("GET")
def preview_shelf_line(ctx: ShelfContext) -> HttpResponse:
    """Show the preview of a line; nothing is saved."""
    form = ShelfLineForm(ctx.request.GET)
    form.is_valid()
    system = SYSTEMS[form.game]
    preview = preview_of(ShelfLine(system, ctx.visitor), form)
    return ctx.render("builder/_line_preview.html", {"line_preview": preview, "words": system.rules.WORDS})


@shelf_view("POST")
def add_line(ctx: ShelfContext) -> HttpResponse:
    """Add the models of a line to those that are on the shelf. 422 with its parses if it is not clear."""
    form = ShelfLineForm(ctx.request.POST)
    form.is_valid()
    system = SYSTEMS[form.game]
    preview = preview_of(ShelfLine(system, ctx.visitor), form)
    element = chosen_element(preview, form)
    if element is None:
        if not preview["line"].strip():
            preview = without_parses("", _("Type a line first."))
        elif not preview["parses"] and not preview["errors"]:
            preview = without_parses(preview["line"], missing_type_text(system))
        return shelf_page(ctx, line_preview=preview)
    models = Models(system.slug, element, element.quantity)
    try:
        store.add_models(ctx.shelf, [models], ctx.visitor, combine=operator.add, request=request_key(ctx.request))
    except store.ShelfLimit as error:
        return shelf_page(ctx, line_preview=without_parses(preview["line"], str(error)))
    entry = get_object_or_404(ctx.shelf.entries, key=models.key)  # another tab may have deleted it since
    text = _("Added %(number)d × %(name)s: you own %(quantity)d.")
    words = {"number": element.quantity, "name": element.display_name, "quantity": entry.quantity}
    messages.success(ctx.request, text % words)
    game = {"game": system.slug} if ctx.request.GET.get("game") else {}
    return _to_shelf(ctx, {**game, "in": system.slug, "added": str(entry.pk)})


# ---------------------------------------------------------------- link, deleting


@never_cache
@public_view("GET", permission=Permission.SHELF)
def open_link(request: HttpRequest, token: str, secret: str) -> HttpResponse:
    """Let this browser use the shelf by its owner link, and redirect to a URL without the secret.

    Nothing is written: a cookie names the link.
    """
    own = store.shelf_by_token(token)
    if own is None or not store.edit_secret_matches(own, hashed(secret)):
        raise Http404("Invalid owner link.")
    response = redirect("shelf", token)
    if request.method == "GET" and not store.may_open(permissions.visitor_of(request), own):
        permissions.remember_link(request, response, store.SHELF_LINK, secret)
    return response


@shelf_view("GET", "POST")
def link(ctx: ShelfContext) -> HttpResponse:
    """Show the owner link; POST replaces it."""
    if ctx.request.method == "POST":
        store.reset_link(ctx.shelf, ctx.visitor)
        messages.success(ctx.request, _("Reset the owner link."))
        return redirect("shelf-link", ctx.shelf.token)
    secret = decrypt(ctx.shelf.owner_secret)
    address = secret and ctx.request.build_absolute_uri(reverse("open-shelf", args=[ctx.shelf.token, secret]))
    return ctx.render("shelf/link.html", {"address": address})


@shelf_view("GET", "POST")
def delete(ctx: ShelfContext) -> HttpResponse:
    """Ask, then delete the shelf permanently."""
    if ctx.request.method == "POST":
        store.delete(ctx.shelf, ctx.visitor)
        messages.success(ctx.request, _("Deleted the shelf."))
        return redirect("mine")
    return ctx.render("shelf/delete.html", {"entries": ctx.shelf.entries.count()})
