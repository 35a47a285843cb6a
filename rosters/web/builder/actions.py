"""The actions of the roster page: each is one POST URL that changes the roster and redirects to its page.

Most buttons are inside one form with the quantities, so changed quantities are saved first and nothing typed beside a
button is lost.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext

from rosters.core import documents, edits
from rosters.core.documents import new_id
from rosters.core.messages import Message, _, translate
from rosters.models import Roster
from rosters.store import writer
from rosters.store.access import Visitor
from rosters.web import roster_page
from rosters.web.builder.fixes import group_fixes
from rosters.web.builder.forms import InsertFormationForm, MoveForm, RosterPageForm, SelectedElementsForm
from rosters.web.builder.page import roster_response
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT, View


def roster_action(form_class: type[RosterPageForm] = RosterPageForm) -> Callable[[View], View]:
    """A view behind a button of the roster page: validate the page's form, save its quantities, then call the view.

    The view takes the context and the form, and saves one change. An invalid form changes nothing and is shown again. A
    request that is repeated because its response was lost changes nothing, and the page is shown.
    """

    def decorate(view: View) -> View:
        @roster_view(EDIT, "POST")
        @wraps(view)
        def action(ctx: RosterContext) -> HttpResponse:
            return _act(ctx, form_class, view)

        return action

    return decorate


def _act(ctx: RosterContext, form_class: type[RosterPageForm], view: View | None = None) -> HttpResponse:
    """Save the quantities of the page's form, then call the view of the button, if there is one."""
    if ctx.is_repeated:
        return ctx.redirect()
    form = form_class(ctx.request.POST, document=ctx.document)
    try:
        if form.is_valid():
            if _apply_quantities(ctx, form, is_last=view is None):
                ctx = ctx.refreshed()
            return _apply(view, ctx, form) if view else ctx.redirect()
    except edits.EditConflict:  # since the roster was read: the form shows the current value
        ctx = ctx.refreshed()
        form = form_class(ctx.request.POST, document=ctx.document)
        form.full_clean()
    return roster_response(ctx, form)


def _apply(view: View, ctx: RosterContext, form: RosterPageForm) -> HttpResponse:
    try:
        response: HttpResponse = view(ctx, form)
    except edits.ElementNotFound:
        messages.error(ctx.request, gettext("That is no longer in the roster: it was deleted elsewhere."))
        return ctx.redirect()
    return response


def _apply_quantities(ctx: RosterContext, form: RosterPageForm, *, is_last: bool) -> bool:
    """Save the quantities that were typed beside a button. True if any changed. Saved twice, they are the same."""
    quantities = form.quantities()
    if len(quantities) == 1:
        [(uid, quantity)] = quantities.items()
        summary = _("Set {name} to {quantity}").format(name=form.elements[uid].display_name, quantity=quantity)
    else:
        elements = ctx.count_elements(form.elements[uid].replace(quantity=n) for uid, n in quantities.items())
        summary = _("Set quantity of {elements}").format(elements=elements)
    expected = {uid: form.elements[uid].quantity for uid in quantities}
    return bool(quantities) and ctx.apply(edits.set_quantities(quantities, expected), summary, is_last=is_last)


@roster_view(EDIT, "POST")
def save_quantities(ctx: RosterContext) -> HttpResponse:
    """Save the quantities alone."""
    return _act(ctx, RosterPageForm)


# ---------------------------------------------------------------- one element, one formation


def change_view(kind: str, summary: Message, make_edit: Callable[[str], edits.Edit], *, deletes: bool = False) -> View:
    """The view behind a button of an ``element`` or a ``formation``, whose id the button sends under this name."""

    @roster_action()
    def change(ctx: RosterContext, form: RosterPageForm) -> HttpResponse:
        uid = form.cleaned_data[kind]
        if kind == "element":
            name = edits.find_element(ctx.document, uid)[1].display_name
        else:
            name = edits.find_formation(ctx.document, uid).name
        ctx.apply(make_edit(uid), summary.format(name=name))
        return ctx.redirect() if deletes else ctx.redirect(kind[0], uid)

    return change


# An element moves up from the top of a formation to the end of the one before, and down likewise.
move_element_up = change_view("element", _("Moved up {name}"), lambda uid: edits.shift_element(uid, -1))
move_element_down = change_view("element", _("Moved down {name}"), lambda uid: edits.shift_element(uid, +1))
duplicate_element = change_view("element", _("Duplicated {name}"), edits.duplicate_element)
split_element = change_view("element", _("Split one off {name}"), edits.split_element)
delete_element = change_view("element", _("Deleted {name}"), lambda uid: edits.delete_elements([uid]), deletes=True)

move_formation_up = change_view("formation", _("Moved up {name}"), lambda uid: edits.shift_formation(uid, -1))
move_formation_down = change_view("formation", _("Moved down {name}"), lambda uid: edits.shift_formation(uid, +1))


@roster_action(InsertFormationForm)
def place_formation(ctx: RosterContext, form: InsertFormationForm) -> HttpResponse:
    """Move a formation before another one, or to the end."""
    moved = edits.find_formation(ctx.document, form.cleaned_data["formation"])
    edit = edits.place_formation(str(moved.id), form.cleaned_data["before"])
    ctx.apply(edit, _("Moved {name}").format(name=moved.name))
    return ctx.redirect("f", str(moved.id))


duplicate_formation = change_view("formation", _("Duplicated {name}"), edits.duplicate_formation)
delete_formation = change_view("formation", _("Deleted {name}"), edits.delete_formation, deletes=True)


# ---------------------------------------------------------------- selected elements


@roster_action(MoveForm)
def move_selected(ctx: RosterContext, form: MoveForm) -> HttpResponse:
    """Move the selected elements into the chosen formation."""
    selected, target = form.cleaned_data["pick"], edits.find_formation(ctx.document, form.cleaned_data["to"])
    values = {"elements": ctx.count_elements(form.selected), "name": target.name}
    edit = edits.move_elements(selected, str(target.id), form.cleaned_data["before"])
    stays = {element.id for element in form.selected} <= {element.id for element in target.elements}
    summary = _("Moved {elements} within {name}") if stays else _("Moved {elements} to {name}")
    ctx.apply(edit, summary.format(**values))
    return ctx.redirect("f", str(target.id))


@roster_action(SelectedElementsForm)
def delete_selected(ctx: RosterContext, form: SelectedElementsForm) -> HttpResponse:
    """Delete the selected elements."""
    summary = _("Deleted {elements}").format(elements=ctx.count_elements(form.selected))
    ctx.apply(edits.delete_elements(form.cleaned_data["pick"]), summary)
    return ctx.redirect()


@roster_action(SelectedElementsForm)
def duplicate_selected(ctx: RosterContext, form: SelectedElementsForm) -> HttpResponse:
    """Insert a copy after each of the selected elements."""
    summary = _("Duplicated {elements}").format(elements=ctx.count_elements(form.selected))
    ctx.apply(edits.compose_edits(map(edits.duplicate_element, form.cleaned_data["pick"])), summary)
    return ctx.redirect()


@roster_action()
def add_formation(ctx: RosterContext, form: RosterPageForm) -> HttpResponse:
    """Add an empty formation at the end."""
    name = f"{ctx.system.rules.WORDS.formation} {len(ctx.document.formations) + 1}"
    formation = documents.Formation[Any](id=new_id(), name=name)
    ctx.apply(edits.add_formation(formation), _("Added {name}").format(name=name))
    return ctx.redirect("f", str(formation.id))


# ---------------------------------------------------------------- the roster


@roster_action()
def fix(ctx: RosterContext, form: RosterPageForm) -> HttpResponse:
    """Apply the fix of a button in the rules check, or report that it no longer applies."""
    key = ctx.request.POST.get("fix")
    ctx = ctx.refreshed()  # quantities that were sent along may have been saved just now
    groups = roster_page.group_findings(roster_page.findings(ctx.document, ctx.state.appraisal.findings))
    chosen = next((each for group in groups for k, each in group_fixes(ctx.state, group).items() if k == key), None)
    try:
        if chosen:
            edit = edits.if_unchanged(ctx.document, lambda document: document, chosen.edit)
            ctx.apply(edit, _("Applied “{fix}”").format(fix=chosen.label))
    except edits.EditConflict:
        chosen = None
    if not chosen:
        messages.error(ctx.request, gettext("Nothing was changed: this no longer applies. See the rules check."))
    response = ctx.redirect()
    response["Location"] += "#findings"
    return response


def step_view(step: Callable[[Roster, Visitor, str], str | None], done: Message, nothing: Message) -> View:
    """The view behind Undo and Redo: ``step`` returns the summary of the change."""

    @roster_view(EDIT, "POST")
    def view(ctx: RosterContext) -> HttpResponse:
        with suppress(writer.RepeatedRequest):
            summary = step(ctx.roster, ctx.visitor, ctx.request_key)
            messages.info(ctx.request, translate(done.format(change=summary) if summary else nothing))
        return ctx.redirect()

    return view


undo = step_view(writer.undo, _("Undone: {change}."), _("There is nothing to undo."))
redo = step_view(writer.redo, _("Redone: {change}."), _("There is nothing to redo."))
