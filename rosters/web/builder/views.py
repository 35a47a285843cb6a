"""Starting a roster, and its page in the builder. The buttons of that page are in `actions`."""

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django_htmx.http import push_url

from rosters import registry
from rosters.core import documents
from rosters.core.cache import cached
from rosters.core.crests import new_seed
from rosters.core.grammar import VocabularyWord, vocabulary
from rosters.registry import SYSTEMS, System
from rosters.store import writer
from rosters.web import roster_page
from rosters.web.builder.cells import field_templates
from rosters.web.builder.fixes import with_buttons
from rosters.web.builder.forms import RosterPageForm, StartForm
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.roster_page import RosterPage
from rosters.web.sharing.forms import RosterQuery, cleaned_query


@public_view("GET")
def new(request: HttpRequest) -> HttpResponse:
    """Redirect to the page that starts a roster, of the game of the visitor's last changed one."""
    last = permissions.my_rosters(request).values_list("system", flat=True).first()
    return redirect("start", last or next(iter(SYSTEMS)))


@public_view("GET", "POST")
@rate_limited("CREATIONS_A_MINUTE", "POST")
def start(request: HttpRequest, system: System) -> HttpResponse:
    """Start a roster with a name, a size and a scenario; it begins with one formation, or with the list that is pasted.

    The list goes on to the page that shows how it is read, by a redirect that keeps the form (307).
    """
    form = StartForm(request.POST or None, system=system)
    if request.method != "POST" or not form.is_valid():
        status = 200 if request.method != "POST" else 422
        return render(request, "builder/start.html", {"system": system, "form": form}, status=status)
    pasted = bool(form.cleaned_data["text"].strip())
    formations = [] if pasted else [{"name": f"{system.rules.WORDS.formation} 1", "elements": []}]
    head = {"format": documents.FORMAT, "version": documents.VERSION, "system": system.slug, "crest": new_seed()}
    document = registry.read({**head, **form.settings(), "formations": formations})
    created = writer.create(document, browser=permissions.browser_for(request), owner=permissions.account_of(request))
    return redirect("paste" if pasted else "roster", created.roster.token, preserve_request=pasted)


class Urls(NamedTuple):
    """The URLs in the rows and formations of a roster's page: `element_up` is that of the name ``element-up``."""

    element: str
    element_up: str
    element_down: str
    element_duplicate: str
    element_split: str
    element_delete: str
    formation: str
    formation_elements: str
    formation_up: str
    formation_down: str
    formation_duplicate: str
    formation_delete: str
    add_from: str
    fix: str


@cached(1 << 20)
def urls_of(token: str) -> Urls:
    return Urls(*(reverse(name.replace("_", "-"), args=[token]) for name in Urls._fields))


@roster_view(EDIT, "GET", "POST")
def roster(ctx: RosterContext) -> HttpResponse:
    """The page of a roster in the builder. POST answers forms of an older release."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "roster", ctx.roster.token)
    return roster_response(ctx)


@cached(1 << 20)
def words_of(slug: str) -> tuple[VocabularyWord, ...]:
    """The words of quick add."""
    return tuple(vocabulary(SYSTEMS[slug].grammar))


@roster_view(EDIT, "GET")
def version(ctx: RosterContext) -> HttpResponse:
    """The roster's current revision, for pages that refresh themselves."""
    return HttpResponse(str(ctx.roster.revision), content_type="text/plain")


def page_context(ctx: RosterContext, page: RosterPage) -> dict[str, Any]:
    """What the page of a roster shows."""
    steps = writer.undo_steps(ctx.roster)
    return {
        "roster_page": page,
        "finding_groups": with_buttons(ctx.state, page.findings_page),
        "undoable": steps.undo,
        "redoable": steps.redo,
        "urls": urls_of(ctx.roster.token),
        "request_id": uuid4().hex,
        "field_templates": field_templates(ctx.system.slug, get_language()),
        "vocabulary": words_of(ctx.system.slug),
        "shared_fields": ["quantity", *ctx.system.grid.SHARED_FIELDS],
    }


def changed_rows(ctx: RosterContext, uids: Collection[str]) -> HttpResponse:
    """The parts of a roster's page that a change affects, with these rows only, for a script to swap in."""
    page = roster_page.roster_page(ctx.state, {"at": next(iter(uids), None)})
    formations = [each._replace(rows=tuple(row for row in each.rows if row.id in uids)) for each in page.formations]
    shown = [each for each in formations if each.rows or each.id in uids]
    context = page_context(ctx, page._replace(formations=shown))
    return ctx.render("builder/roster.html", context | {"layout": "_content.html"})


def roster_response(
    ctx: RosterContext, form: RosterPageForm | None = None, *, status: int = 422, **more: Any
) -> HttpResponse:
    """The page of a roster; with an invalid ``form`` it keeps what was typed and selected, and shows the errors."""
    query = cleaned_query(RosterQuery(form.data if form else ctx.request.GET))
    context = page_context(ctx, roster_page.roster_page(ctx.state, query)) | {"page_form": form, **more}
    if form is None:
        return ctx.render("builder/roster.html", context, status=status if more else 200)
    status = 409 if form.changed_elsewhere else 422
    page = ctx.render("builder/roster.html", context, status=status)
    return push_url(page, False)  # htmx keeps the URL of the roster, not that of the button
