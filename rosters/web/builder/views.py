"""The builder: starting a roster, the roster page, and every change that is one click."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from rosters import registry
from rosters.core import documents, edits
from rosters.core.documents import new_id
from rosters.registry import System
from rosters.store import writer
from rosters.web import roster_page
from rosters.web.builder.forms import StartForm
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.permissions import EDIT, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.forms import ReceiptQuery, cleaned_query
from rosters.web.sharing.links import show_edit_link

# ---------------------------------------------------------------- starting


@public_view("GET", "POST")
@rate_limited("CREATIONS_A_MINUTE", "POST")
def start(request: HttpRequest, system: System) -> HttpResponse:
    """Ask for a name, a size and a scenario; then the roster is there, with its first formation."""
    form = StartForm(request.POST or None, system=system)
    if request.method != "POST" or not form.is_valid():
        status = 200 if request.method != "POST" else 422
        return render(request, "builder/start.html", {"system": system, "form": form}, status=status)
    formation = {"name": f"{system.rules.WORDS.formation} 1", "elements": []}
    head = {"format": documents.FORMAT, "version": documents.VERSION, "system": system.slug}
    document = registry.read({**head, **form.settings(), "formations": [formation]})
    made = writer.create(document, browser=permissions.browser_for(request), owner=permissions.account_of(request))
    show_edit_link(request, made.roster, made.secret)
    return redirect("roster", made.roster.token)


# ---------------------------------------------------------------- the roster page


@roster_view(EDIT, "GET", "POST")
def roster(ctx: RosterContext) -> HttpResponse:
    """The roster, and every change that is one click."""
    if ctx.request.method == "POST":
        return act(ctx, ctx.request.POST)
    sheet = roster_page.roster_page(ctx.state, cleaned_query(ReceiptQuery(ctx.request.GET))["receipt"])
    steps = writer.undo_steps(ctx.roster)
    context = {
        "sheet": sheet,
        "undoable": steps.undo,
        "redoable": steps.redo,
        "element_url": reverse("element", args=[ctx.roster.token]),
    }
    return ctx.render("builder/roster.html", context)


def act(ctx: RosterContext, sent: QueryDict) -> HttpResponse:
    """Do what the pressed button says: its value is a verb, and often the id of what it is about."""
    verb, _, uid = sent.get("do", "").partition(" ")
    action = ACTIONS.get(verb)
    if action is None:
        raise Http404("There is no such action.")
    try:
        return action(ctx, uid, sent)
    except edits.ElementNotFound:
        messages.error(ctx.request, "That is no longer in the roster: it was changed elsewhere. Nothing was done.")
        return ctx.redirect()


Action = Callable[[RosterContext, str, QueryDict], HttpResponse]


def on_element(verb: str, edit_of: Callable[[str], edits.Edit]) -> Action:
    """An action on the element whose id the button carries."""

    def action(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
        _, element = edits.find_element(ctx.document, uid)
        ctx.apply(edit_of(uid), f"{verb} {element.name}")
        return ctx.redirect(f"e-{uid}")

    return action


def on_formation(verb: str, edit_of: Callable[[str], edits.Edit]) -> Action:
    """An action on the formation whose id the button carries."""

    def action(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
        name = edits.find_formation(ctx.document, uid).name
        ctx.apply(edit_of(uid), f"{verb} {name}")
        return ctx.redirect(f"f-{uid}")

    return action


def save_quantities(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
    """Set every quantity that was typed; what is no number from 0 to 10,000 is told and left."""
    wanted, faults = {}, []
    for formation in ctx.document.formations:
        for element in formation.elements:
            text = sent.get(f"q {element.id}", str(element.quantity)).strip()
            digits = text.lstrip("0")[:9] or "0"
            if not text.isascii() or not text.isdigit() or int(digits) > 10_000:
                faults.append(f"“{text[:20]}” is no quantity for {element.name}: a whole number from 0 to 10,000 is.")
            elif int(digits) != element.quantity:
                wanted[str(element.id)] = int(digits)
    for fault in faults:
        messages.error(ctx.request, fault)
    names = [edits.find_element(ctx.document, uid)[1].name for uid in wanted]
    if names:
        what = f"{names[0]} to {next(iter(wanted.values()))}" if len(names) == 1 else f"of {count_elements(ctx, names)}"
        ctx.apply(edits.set_quantities(wanted), f"Set quantity {what}" if len(names) > 1 else f"Set {what}")
    return ctx.redirect()


def selected_elements(ctx: RosterContext, sent: QueryDict) -> list[str]:
    """The ids that are ticked on the page and still there."""
    ticked = set(sent.getlist("pick"))
    return [str(e.id) for f in ctx.document.formations for e in f.elements if e.id in ticked]


def move_selected(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
    """Move the ticked elements to the chosen formation."""
    chosen = selected_elements(ctx, sent)
    if not chosen:
        messages.warning(ctx.request, "Tick the elements to move first.")
        return ctx.redirect()
    target = edits.find_formation(ctx.document, sent.get("to", ""))
    ctx.apply(edits.move_elements(chosen, str(target.id)), f"Moved {count_elements(ctx, chosen)} to {target.name}")
    return ctx.redirect(f"f-{target.id}")


def delete_selected(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
    """Delete the ticked elements."""
    chosen = selected_elements(ctx, sent)
    if not chosen:
        messages.warning(ctx.request, "Tick the elements to delete first.")
        return ctx.redirect()
    ctx.apply(edits.delete_elements(chosen), f"Deleted {count_elements(ctx, chosen)}")
    return ctx.redirect()


def count_elements(ctx: RosterContext, uids: list[str]) -> str:
    """How many, in the system's own word: "3 stands"."""
    words = ctx.system.rules.WORDS
    return f"{len(uids)} {(words.element if len(uids) == 1 else words.elements).lower()}"


def add_formation(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
    """A new, empty formation."""
    words = ctx.system.rules.WORDS
    name = f"{words.formation} {len(ctx.document.formations) + 1}"
    formation = documents.Formation[Any](id=new_id(), name=name)
    ctx.apply(edits.add_formation(formation), f"Added {name}")
    return ctx.redirect(f"f-{formation.id}")


def undo(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
    """Take back the last change that still stands."""
    undone = writer.undo(ctx.roster, ctx.actor)
    messages.info(ctx.request, f"Undone: {undone}." if undone else "There is nothing to undo.")
    return ctx.redirect()


def redo(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
    """Make the change again that was undone last."""
    redone = writer.redo(ctx.roster, ctx.actor)
    messages.info(ctx.request, f"Redone: {redone}." if redone else "There is nothing to redo.")
    return ctx.redirect()


def new_edit_link(ctx: RosterContext, uid: str, sent: QueryDict) -> HttpResponse:
    """Replace the edit link and show the new one, once."""
    show_edit_link(ctx.request, ctx.roster, writer.reset_edit_link(ctx.roster))
    return ctx.redirect()


ACTIONS: dict[str, Action] = {
    "quantities": save_quantities,
    "up": on_element("Moved up", lambda uid: edits.shift_element(uid, -1)),
    "down": on_element("Moved down", lambda uid: edits.shift_element(uid, +1)),
    "duplicate": on_element("Duplicated", edits.duplicate_element),
    "split": on_element("Split one off", edits.split_element),
    "delete": on_element("Deleted", lambda uid: edits.delete_elements([uid])),
    "move-picked": move_selected,
    "delete-picked": delete_selected,
    "add-formation": add_formation,
    "formation-up": on_formation("Moved up", lambda uid: edits.shift_formation(uid, -1)),
    "formation-down": on_formation("Moved down", lambda uid: edits.shift_formation(uid, +1)),
    "formation-duplicate": on_formation("Duplicated", edits.duplicate_formation),
    "formation-delete": on_formation("Deleted", edits.delete_formation),
    "undo": undo,
    "redo": redo,
    "new-edit-link": new_edit_link,
}
