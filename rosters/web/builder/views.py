"""Starting a roster, and its page in the builder. The buttons of that page are in `actions`."""

from typing import NamedTuple
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import push_url

from rosters import registry
from rosters.core import documents
from rosters.core.cache import cached
from rosters.core.crests import new_seed
from rosters.registry import System
from rosters.store import writer
from rosters.web import roster_page
from rosters.web.builder.forms import RosterPageForm, StartForm
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.forms import RosterQuery, cleaned_query


@public_view("GET", "POST")
@rate_limited("CREATIONS_A_MINUTE", "POST")
def start(request: HttpRequest, system: System) -> HttpResponse:
    """Start a roster with a name, a size and a scenario; it begins with one formation."""
    form = StartForm(request.POST or None, system=system)
    if request.method != "POST" or not form.is_valid():
        status = 200 if request.method != "POST" else 422
        return render(request, "builder/start.html", {"system": system, "form": form}, status=status)
    formation = {"name": f"{system.rules.WORDS.formation} 1", "elements": []}
    head = {"format": documents.FORMAT, "version": documents.VERSION, "system": system.slug, "crest": new_seed()}
    document = registry.read({**head, **form.settings(), "formations": [formation]})
    created = writer.create(document, browser=permissions.browser_for(request), owner=permissions.account_of(request))
    return redirect("roster", created.roster.token)


class Urls(NamedTuple):
    """The URLs in the rows and formations of a roster's page: `element_up` is that of the name ``element-up``."""

    element: str
    element_up: str
    element_down: str
    element_duplicate: str
    element_split: str
    element_delete: str
    formation: str
    formation_up: str
    formation_down: str
    formation_duplicate: str
    formation_delete: str
    add_from: str


@cached(1 << 20)
def urls_of(token: str) -> Urls:
    return Urls(*(reverse(name.replace("_", "-"), args=[token]) for name in Urls._fields))


@roster_view(EDIT, "GET", "POST")
def roster(ctx: RosterContext) -> HttpResponse:
    """The page of a roster in the builder. POST answers forms of an older release."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "roster", ctx.roster.token)
    return roster_response(ctx)


def roster_response(ctx: RosterContext, form: RosterPageForm | None = None) -> HttpResponse:
    """The page of a roster; with an invalid ``form`` it keeps what was typed and selected, and shows the errors."""
    steps = writer.undo_steps(ctx.roster)
    query = cleaned_query(RosterQuery(form.data if form else ctx.request.GET))
    context = {
        "roster_page": roster_page.roster_page(ctx.state, query),
        "page_form": form,
        "undoable": steps.undo,
        "redoable": steps.redo,
        "urls": urls_of(ctx.roster.token),
        "request_id": uuid4().hex,
    }
    if form is None:
        return ctx.render("builder/roster.html", context)
    status = 409 if form.changed_elsewhere else 422
    page = ctx.render("builder/roster.html", context, status=status)
    return push_url(page, False)  # htmx keeps the URL of the roster, not that of the button
