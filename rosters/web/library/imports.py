"""Importing: rosters that are pasted, or chosen as files, become this browser's own."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from rosters.core import documents, edits
from rosters.store import importing, writer
from rosters.store.importing import MAX_FILES, MAX_ROSTERS, Source, UnreadableSource
from rosters.web.http import permissions
from rosters.web.http.permissions import public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.links import show_edit_link

MAX_SHOWN_FAULTS = 100
"""Faults of one source that are listed; of more, it is told how many there are."""
PASTED = "What you pasted"


class TooLarge(Exception):
    """More than is read at once."""


def sources(request: HttpRequest) -> list[Source]:
    """What was sent, within the limits. Raises TooLarge."""
    text, files = request.POST.get("text", ""), request.FILES.getlist("files")
    if len(files) > MAX_FILES:
        raise TooLarge(f"These are {len(files)} files; at most {MAX_FILES} are read at once.")
    sent = [Source(PASTED, text.encode("utf-8", "replace"))] if text.strip() else []
    for name, size in [(file.name or "A file", file.size or 0) for file in files] + [
        (s.name, len(s.data)) for s in sent
    ]:
        if size > documents.MAX_BYTES:
            raise TooLarge(f"{name[:120]} is {size:,} bytes long; at most {documents.MAX_BYTES:,} are read.")
    return sent + [Source(file.name or "A file", file.read()) for file in files]


@public_view("GET", "POST")
@rate_limited("CREATIONS_A_MINUTE", "POST")
def import_rosters(request: HttpRequest) -> HttpResponse:
    """Make a roster of everything that was sent; or, if any of it is faulty, of nothing."""
    if request.method != "POST":
        return page(request)
    try:
        sent = sources(request)
    except TooLarge as reason:
        return page(request, status=413, trouble=str(reason))
    if not sent:
        return page(request, status=400, trouble="There was nothing to import. Paste a roster, or choose a file.")
    found = importing.read(sent)
    if found.faulty:
        return page(
            request, status=400, faulty=[describe_fault(each) for each in found.faulty], good=len(found.documents)
        )
    return imported(request, [edits.with_new_ids(document) for document in found.documents])


def page(request: HttpRequest, *, status: int = 200, **context: Any) -> HttpResponse:
    """The form; what was pasted stays in it."""
    limits = {"most_files": MAX_FILES, "most_rosters": MAX_ROSTERS, "megabytes": documents.MAX_BYTES >> 20}
    text = request.POST.get("text", "")
    return render(request, "library/import.html", {"text": text, **limits, **context}, status=status)


def describe_fault(each: UnreadableSource) -> dict[str, Any]:
    """The faults of one source as the page lists them."""
    return {
        "name": each.name,
        "faults": each.faults[:MAX_SHOWN_FAULTS],
        "more": max(0, len(each.faults) - MAX_SHOWN_FAULTS),
    }


def imported(request: HttpRequest, found: list[documents.AnyDocument]) -> HttpResponse:
    """Save the rosters, and show the one or the list that it is in."""
    made = writer.create_all(found, browser=permissions.browser_for(request), owner=permissions.account_of(request))
    if len(made) == 1:
        messages.success(request, f"Imported {made[0].roster.name}.")
        show_edit_link(request, made[0].roster, made[0].secret)
        return redirect("roster", made[0].roster.token)
    names = ", ".join(each.roster.name for each in made)
    messages.success(request, f"Imported {len(made)} rosters: {names[:400]}.")
    return redirect("home")
