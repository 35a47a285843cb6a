"""Importing: rosters that are pasted, chosen as files or named by links become this browser's own."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rosters.core import documents
from rosters.core.crests import crest_of
from rosters.models import Browser
from rosters.registry import SYSTEMS
from rosters.store import bulk, importing, shelf
from rosters.store.importing import MAX_FILES, MAX_ROSTERS, MAX_ZIP_BYTES, ParsedSources, UnreadableSource
from rosters.web.http import permissions
from rosters.web.http.once import first_created, new_request_id
from rosters.web.http.permissions import public_view
from rosters.web.http.rate_limit import count_created, rate_limited
from rosters.web.library.forms import ImportForm
from rosters.web.library.strips import counters_of, strip_of

MAX_SHOWN_FAULTS = 100
"""Faults of one source that are listed; the rest are counted."""
MAX_PREVIEWED = 20
"""Rosters that a preview appraises; the rest are counted."""


@rate_limited("CREATIONS_A_MINUTE", "POST")
@public_view("GET", "POST")
def import_rosters(request: HttpRequest) -> HttpResponse:
    """Create a roster from each source; none if any source cannot be read."""
    if request.method != "POST":
        return page(request, ImportForm())
    form = ImportForm(request.POST, request.FILES, request=request)
    if not form.is_valid():
        return page(request, form, status=form.error_status)
    parsed = importing.read(form.sources)
    if parsed.unreadable:
        return page(request, form, status=400, **describe(parsed))
    files, browser = [source.data for source in form.sources], permissions.browser_for(request)
    token, created = first_created(request, browser, *files)
    if created:
        messages.info(request, _("This was saved already. It was not added again."))
        return redirect("mine")
    count_created(request, sum(map(len, files)))
    return save(request, parsed, browser, token)


@rate_limited("CREATIONS_A_MINUTE")
@public_view("POST")
def preview(request: HttpRequest) -> HttpResponse:
    """Show the rosters that would be created, and save nothing; the preview alone for htmx."""
    form = ImportForm(request.POST, request.FILES, request=request)
    context = describe(importing.read(form.sources), previewed=True) if form.is_valid() else {}
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "library/_import_preview.html", {"form": form, **context})
    return page(request, form, status=200 if form.is_valid() else form.error_status, **context)


def describe(parsed: ParsedSources, *, previewed: bool = False) -> dict[str, Any]:
    """What was read, for the page: faults, the number of rosters and, for a preview, the first of these."""
    count = len(parsed.documents) + len(parsed.bundles)
    context = {"unreadable": [describe_fault(each) for each in parsed.unreadable], "readable_count": count}
    context |= {"on_shelf": len(parsed.shelf)}
    if not previewed:
        return context
    shown = [*parsed.documents, *(bundle.document for bundle in parsed.bundles)][:MAX_PREVIEWED]
    rosters = [bulk.unsaved_roster(document).roster for document in shown]
    strips = [strip_of(roster) for roster in rosters]
    rows = [
        (roster, SYSTEMS[document.system], crest_of(document), document.budget, strip)
        for roster, document, strip in zip(rosters, shown, strips, strict=True)
    ]
    more = {"more": count - len(shown), "counters": counters_of(strips)}
    return {**context, **more, "is_preview": True, "previewed": rows}


def page(request: HttpRequest, form: ImportForm, *, status: int = 200, **context: Any) -> HttpResponse:
    """The page with the form; pasted text stays in it."""
    limits = {
        "most_files": MAX_FILES,
        "most_rosters": MAX_ROSTERS,
        "megabytes": documents.MAX_BYTES >> 20,
        "zip_megabytes": MAX_ZIP_BYTES >> 20,
    }
    context = {"form": form, "request_id": new_request_id(), **limits, **context}
    return render(request, "library/import.html", context, status=status)


def describe_fault(each: UnreadableSource) -> dict[str, Any]:
    """The faults of one source as the page lists them."""
    return {
        "name": each.name,
        "faults": each.faults[:MAX_SHOWN_FAULTS],
        "more": max(0, len(each.faults) - MAX_SHOWN_FAULTS),
    }


def save(request: HttpRequest, parsed: importing.ParsedSources, browser: Browser, token: str) -> HttpResponse:
    """Save the rosters, the first with a token, and redirect to the only one, or to the list."""
    owner = permissions.account_of(request)
    taken = permissions.my_rosters(request).values_list("name", flat=True) if parsed.documents else ()
    created = importing.save(parsed, browser=browser, owner=owner, taken=taken, token=token)
    if parsed.shelf:
        _put_on_shelf(request, parsed, browser, owner)
    if not created:
        return redirect("my-shelf")
    if len(created) == 1 and not created[0].roster.binned:
        messages.success(request, _("Imported %(name)s.") % {"name": created[0].roster.name})
        return redirect("roster", created[0].roster.token)
    text = ngettext("Imported %(count)s roster.", "Imported %(count)s rosters.", len(created))
    messages.success(request, text % {"count": len(created)})
    return redirect("mine")  # which lists the last changed first, and these are they


def _put_on_shelf(request: HttpRequest, parsed: ParsedSources, browser: Browser, owner: Any) -> None:
    """Put what a zip has on the visitor's shelf: the larger number of both is kept."""
    visitor = permissions.visitor_of(request)
    try:
        number = shelf.add_models(shelf.shelf_of(visitor) or shelf.create(browser, owner), parsed.shelf, visitor)
    except shelf.ShelfLimit as error:
        messages.error(request, str(error))
    else:
        text = ngettext("Imported %(n)d entry of the shelf.", "Imported %(n)d entries of the shelf.", number)
        messages.success(request, text % {"n": number})
