"""Starting a roster: its game, name, size and scenario, and a list, whose preview is shown before it is saved."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from rosters import registry
from rosters.core import documents, edits
from rosters.core.crests import new_seed
from rosters.core.documents import AnyDocument
from rosters.registry import SYSTEMS, System
from rosters.store import writer
from rosters.web.builder.forms import StartActionForm, StartForm
from rosters.web.builder.guide import start_guide
from rosters.web.builder.paste import parse_pasted, preview_of, with_chosen_lines
from rosters.web.http import permissions
from rosters.web.http.once import first_created, new_request_id
from rosters.web.http.permissions import public_view, visitor_of
from rosters.web.http.rate_limit import rate_limited


@public_view("GET")
def new(request: HttpRequest) -> HttpResponse:
    """Redirect to the page that starts a roster, of the game of the visitor's last changed one."""
    last = permissions.my_rosters(request).values_list("system", flat=True).first()
    return redirect("start", last or next(iter(SYSTEMS)))


@rate_limited("CREATIONS_A_MINUTE", "POST")
@public_view("GET", "POST")
def start(request: HttpRequest, system: System) -> HttpResponse:
    """Create a roster with one formation, or with the pasted list after its preview."""
    form = StartForm(with_chosen_lines(request.POST) or None, system=system)
    if request.method != "POST" or not form.is_valid():
        return _page(request, form, status=200 if request.method != "POST" else 422)
    action = StartActionForm(request.POST)
    action.is_valid()
    document, text = _document(form), form.cleaned_data["text"]
    if action.cleaned_data["empty"] or not text.strip():
        begun = edits.add_formation(documents.Formation[Any](name=f"{system.rules.WORDS.formation} 1"))(document)
        return _created(request, begun)
    pasted = parse_pasted(document, text)
    preview = preview_of(document, pasted, form, visitor_of(request))
    if action.cleaned_data["save"] and preview["ready"]:
        # What is not understood goes into the notes, so that no line is lost.
        return _created(request, pasted.edit(document).replace(notes="\n".join(pasted.rest)))
    return _page(request, form, status=422 if form.errors else 200, **preview)


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@public_view("POST")
def preview(request: HttpRequest, system: System) -> HttpResponse:
    """Show how a pasted list is read, and save nothing."""
    form = StartForm(request.POST, system=system)
    form.is_valid()  # of the list alone: another field may not be filled in yet
    document, text = _document(form), form.cleaned_data.get("text", "")
    shown = preview_of(document, parse_pasted(document, text), form, visitor_of(request)) if text.strip() else {}
    return render(request, "builder/_start_pasted.html", {"form": form, **_context(system), **shown})


def _document(form: StartForm) -> AnyDocument:
    """The document of the form without formations; with an invalid form, of what is valid in it."""
    head = {"format": documents.FORMAT, "version": documents.VERSION, "system": form.system.slug, "crest": new_seed()}
    settings = {"name": form.system.name} if form.errors else form.settings()
    return registry.read({**head, **settings, "formations": []})


def _created(request: HttpRequest, document: AnyDocument) -> HttpResponse:
    browser = permissions.browser_for(request)
    token, created = first_created(request, browser)
    if created is None:
        writer.create(document, browser=browser, owner=permissions.account_of(request), token=token)
    response = redirect("roster", token)
    if "guide" in request.GET:
        start_guide(request, response, token)
    return response


def _context(system: System) -> dict[str, Any]:
    return {"system": system, "words": system.rules.WORDS}


def _page(request: HttpRequest, form: StartForm, *, status: int, **preview: Any) -> HttpResponse:
    """The page that starts a roster; with ``guide`` in its query, as the first step of the game's guide."""
    guide = form.system.help.GUIDE if "guide" in request.GET else ()
    context = {"form": form, "games": SYSTEMS.values(), "guide_steps": guide, **_context(form.system), **preview}
    context["request_id"] = new_request_id()
    return render(request, "builder/start.html", context, status=status)
