"""The roster's table edited in place: one cell, several selected elements, or all of a formation.

Each change goes through the element's own form, as if somebody had opened it and changed that field alone.
"""

from collections.abc import Iterator, Mapping

from django import forms
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext

from rosters.core import edits
from rosters.core.amounts import format_change, with_minus_sign
from rosters.core.appraisals import points_difference
from rosters.core.documents import Element
from rosters.core.messages import _
from rosters.forms.element_form import ElementForm
from rosters.store import play
from rosters.web.builder.actions import count_elements
from rosters.web.builder.cells import cell_fields
from rosters.web.builder.elements import finder, make_form
from rosters.web.builder.forms import CellForm, ElementFields, PlaceQuery, SelectionForm
from rosters.web.builder.merging import submitted_values
from rosters.web.builder.views import changed_rows
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.json_responses import json_response
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.forms import cleaned_query


def changed_form(ctx: RosterContext, element: Element, changes: Mapping[str, str]) -> ElementForm:
    """The form of a stored element as a browser would send it, with ``changes`` of some fields."""
    stored, data = make_form(ctx, None, element), QueryDict(mutable=True)
    for name in stored.fields:
        data.setlist(name, submitted_values(stored, name))
    for name, value in changes.items():
        data[name] = value
    return make_form(ctx, data, element)


def errors_of(form: ElementForm) -> str:
    """All errors of a form as one text; those of fields that the cell does not show begin with their label."""
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


@roster_view(EDIT, "POST")
def save_cell(ctx: RosterContext) -> HttpResponse:
    """Save one field of one element: the changed row, or 422 or 409 with ``error`` and the value that is stored."""
    sent = CellForm(ctx.request.POST, fields=cell_fields(ctx.system.slug))
    if not sent.is_valid():
        return json_response({"error": gettext("Reload the page: this cell cannot be edited.")}, 422)
    uid, name, value = sent.cleaned_data["element"], sent.cleaned_data["field"], sent.cleaned_data["value"]
    try:
        with transaction.atomic():
            if play.is_repeated(ctx.roster, ctx.request_key):
                return changed_rows(ctx.reread(), [uid])
            refused = _change_cell(ctx, uid, name, value, sent.cleaned_data["expected"])
            if refused:
                transaction.set_rollback(True)
                return refused
    except edits.ElementNotFound:
        return json_response({"error": gettext("That is no longer in the roster: it was deleted elsewhere.")}, 409)
    except edits.EditConflict:
        return save_cell(ctx.request, ctx.roster.token)
    return changed_rows(ctx.reread(), [uid])


def _change_cell(ctx: RosterContext, uid: str, name: str, value: str, expected: str) -> HttpResponse | None:
    """Change the field, or the response that refuses it. Raises ElementNotFound and EditConflict."""
    before = edits.find_element(ctx.document, uid)[1]
    now = "".join(submitted_values(make_form(ctx, None, before), name)[:1])
    if now not in (expected, value):
        values = {"now": now or "–", "typed": value or "–"}
        text = gettext("Changed elsewhere to %(now)s; you typed %(typed)s. Save again to use yours.") % values
        return json_response({"error": text, "now": now}, 409)
    form = changed_form(ctx, before, {name: value})
    if now and not value and isinstance(form.fields[name], forms.IntegerField):  # a browser sends so what is no number
        error = gettext("Enter a number, such as 12. To have none, open the form.")
        return json_response({"error": error, "now": now}, 422)
    if form.is_valid() and form.element is not None:
        edit = edits.if_unchanged(before, finder(before), edits.replace_element(form.element))
        ctx.apply(edit, _("Changed {name}").format(name=form.element.name), notify=False, form=form)
    return json_response({"error": errors_of(form), "now": now}, 422) if form.errors else None


# ---------------------------------------------------------------- selected elements


def shared_changes(ctx: RosterContext) -> dict[str, str]:
    """The fields to set for all selected elements, with their values."""
    names = ("quantity", *ctx.system.grid.SHARED_FIELDS)
    return {name: ctx.request.POST[f"set-{name}"] for name in names if f"set-{name}" in ctx.request.POST}


def _changed_elements(ctx: RosterContext, form: SelectionForm) -> Iterator[Element]:
    """The selected elements with the changes. Raises ValidationError with the first element that cannot have them."""
    changes = shared_changes(ctx)
    for uid in form.cleaned_data["pick"]:
        element = changed_form(ctx, form.elements[uid], changes)
        if not element.is_valid() or element.element is None:
            raise forms.ValidationError(f"{form.elements[uid].name}: {errors_of(element)}")
        yield element.element


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "POST")
def preview_selected(ctx: RosterContext) -> HttpResponse:
    """What the changes of selected elements would do to the points, as ``effect``; nothing is saved."""
    return _set_selected(ctx, save=False)


@roster_view(EDIT, "POST")
def set_selected(ctx: RosterContext) -> HttpResponse:
    """Set fields of all selected elements in one change; the changed rows, or 422 with ``error``."""
    with transaction.atomic():
        if play.is_repeated(ctx.roster, ctx.request_key):
            return changed_rows(ctx.reread(), ctx.request.POST.getlist("pick"))
        return _set_selected(ctx, save=True)


def _set_selected(ctx: RosterContext, *, save: bool) -> HttpResponse:
    form = SelectionForm(ctx.request.POST, document=ctx.document)
    if not form.is_valid():
        return json_response({"error": " ".join(map(str, form.errors["pick"]))}, 422)
    try:
        elements = [*_changed_elements(ctx, form)]
    except forms.ValidationError as error:
        return json_response({"error": " ".join(error.messages)}, 422)
    if not save:
        after = ctx.state.after(edits.replace_elements(elements)).appraisal.points
        change = points_difference(ctx.state.appraisal.points, after)
        text = with_minus_sign(format_change(change)) if change else "" if change is None else "±0"
        return json_response({"effect": text})
    uids = [str(element.id) for element in elements]
    summary = _("Changed {elements}").format(elements=count_elements(ctx, len(elements)))
    expected = [form.elements[uid] for uid in uids]
    ctx.apply(edits.replace_elements(elements, expected), summary, notify=False)
    return changed_rows(ctx.reread(), uids)


# ---------------------------------------------------------------- all of a formation


@roster_view(EDIT, "GET", "POST")
def edit_all(ctx: RosterContext) -> HttpResponse:
    """One form with the table's fields of every element of a formation; POST saves those that were changed."""
    try:
        formation = edits.find_formation(ctx.document, cleaned_query(PlaceQuery(ctx.request.GET))["id"])
    except edits.ElementNotFound:
        raise Http404("That is no longer in the roster.") from None
    fields = cell_fields(ctx.system.slug)
    rows = [ElementFields(ctx.post_data, make_form(ctx, None, element), fields) for element in formation.elements]
    if ctx.post_data is not None:
        changed = [*_changed_rows(ctx, rows)]
        if not any(row.errors for row in rows):
            summary = _("Changed {elements}").format(elements=count_elements(ctx, len(changed)))
            ctx.apply(edits.replace_elements(changed), summary)
            return ctx.redirect("f", str(formation.id))
    labels = [rows[0].fields[name].label for name in fields] if rows else []
    context = {"formation": formation, "rows": rows, "labels": labels}
    return ctx.render("builder/edit_all.html", context, status=200 if ctx.post_data is None else 422)


def _changed_rows(ctx: RosterContext, rows: list[ElementFields]) -> Iterator[Element]:
    """The elements whose row was changed; the errors of each are added to its row."""
    for row in rows:
        if row.is_valid() and row.has_changed():
            form = changed_form(ctx, row.element, row.changes())
            if form.is_valid() and form.element is not None:
                yield form.element
            else:
                row.add_error(None, errors_of(form))
