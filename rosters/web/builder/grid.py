"""The roster's table edited in place: one cell, several selected elements, or all of a formation.

Each change is validated by the element's own form, with all other fields unchanged.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from django import forms
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext

from rosters.core import edits
from rosters.core.amounts import Amount, format_change, with_minus_sign
from rosters.core.appraisals import points_difference
from rosters.core.documents import Element, Formation
from rosters.core.grammar import InvalidArgument
from rosters.core.grid import MORE_OPTIONS, OPTIONS
from rosters.core.lines import add_options, parse_options
from rosters.core.messages import _, translate
from rosters.core.rulebook import Words
from rosters.forms.conflicts import conflict_in, display_values, submitted_values
from rosters.forms.element_form import ElementForm
from rosters.store import writer
from rosters.store.state import compute_state
from rosters.web.builder.cells import cell_fields
from rosters.web.builder.element_forms import finder, make_form
from rosters.web.builder.forms import CellForm, ElementFields, SelectedElementsForm, place_of
from rosters.web.builder.merging import conflict_text, retry_on_conflict
from rosters.web.builder.page import changed_rows
from rosters.web.context import RosterContext, add_limit_errors, roster_view
from rosters.web.http.json_responses import json_response
from rosters.web.http.permissions import EDIT
from rosters.web.http.queries import PaginationForm, cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.roster_page import ROWS_PER_PAGE


def changed_form(stored: ElementForm, changes: Mapping[str, str]) -> ElementForm:
    """The form of a stored element as a browser would send it, with ``changes`` of some fields."""
    data = QueryDict(mutable=True)
    for name in stored.fields:
        data.setlist(name, submitted_values(stored, name))
    for name, value in changes.items():
        data[name] = value
    return stored.with_data(data, stored.before)


def errors_of(form: ElementForm) -> str:
    """All errors of a form as one text; those of fields that the cell does not show begin with their label."""
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


@roster_view(EDIT, "POST")
def save_cell(ctx: RosterContext) -> HttpResponse:
    """Save one field of one element: the changed row, or 422 or 409 with ``error`` and the value that is stored."""
    form = CellForm(ctx.request.POST, fields=[*cell_fields(ctx.system.slug), OPTIONS])
    if not form.is_valid():
        return json_response({"error": gettext("Reload the page: this cell cannot be edited.")}, 422)
    save = partial(_save_cell, **form.cleaned_data)
    return retry_on_conflict(ctx, save, _conflict_response)


def _conflict_response(_ctx: RosterContext, text: str) -> HttpResponse:
    return json_response({"error": text}, 409)


def _save_cell(ctx: RosterContext, element: str, field: str, value: str, expected: str) -> HttpResponse:
    """The changed row, or the response that refuses the change. Raises EditConflict."""
    try:
        with suppress(writer.RepeatedRequest):
            error = None if ctx.is_repeated else _change_cell(ctx, element, field, value, expected)
            if error:
                return error
    except edits.ElementNotFound:
        return json_response({"error": gettext("That is no longer in the roster: it was deleted elsewhere.")}, 409)
    return changed_rows(ctx.refreshed(), [element])


def _change_cell(ctx: RosterContext, uid: str, name: str, value: str, expected: str) -> HttpResponse | None:
    """Change the field, or the response that refuses it. Raises ElementNotFound and EditConflict."""
    before = edits.find_element(ctx.document, uid)[1]
    if name == OPTIONS:
        return _change_options(ctx, before, value, expected)
    stored = make_form(ctx, None, before)
    current = "".join(submitted_values(stored, name)[:1])
    if current not in (expected, value):
        theirs, yours = display_values(stored, name, [current]), display_values(stored, name, [value])
        return _cell_error(conflict_text(ctx, str(stored[name].label), theirs, yours), current, 409)
    form = changed_form(stored, {name: value})
    field = form.fields[name]
    if current and not value and isinstance(field, forms.IntegerField) and not field.required:  # "" for no number
        return _cell_error(gettext("Enter a number, such as 12. To clear it, open the form."), current)
    if form.is_valid() and form.element is not None:
        try:
            _replace_element(ctx, before, form.element)
        except edits.LimitExceeded as error:
            add_limit_errors(form, error)
    return _cell_error(errors_of(form), current) if form.errors else None


def _change_options(ctx: RosterContext, before: Element, value: str, expected: str) -> HttpResponse | None:
    """Change the options of an element, or the response that refuses them. Raises EditConflict."""
    grammar = ctx.system.grammar
    current = " ".join(grammar.write_options(before))
    if current not in (expected, value):
        return _cell_error(conflict_text(ctx, gettext("Options"), current or "–", value or "–"), current, 409)
    try:
        _replace_element(ctx, before, parse_options(grammar, before, value))
    except InvalidArgument as error:
        expects = ": " + ", ".join(error.expected) if error.expected else ""
        return _cell_error(translate(error.message) + expects, current)
    except edits.LimitExceeded as error:
        return _cell_error(translate(error.faults[0].message), current)
    return None


def _replace_element(ctx: RosterContext, before: Element, after: Element) -> None:
    """Save an element in place of the one that the cell showed. Raises EditConflict and LimitExceeded."""
    edit = edits.if_unchanged(before, finder(before), edits.replace_element(after))
    is_quantity = after == before.replace(quantity=after.quantity, marks=after.marks)
    text = _("Set {name} to {quantity}") if is_quantity else _("Changed {name}")
    ctx.save(edit, text.format(name=after.display_name, quantity=after.quantity))


def _cell_error(error: str, current: str, status: int = 422) -> HttpResponse:
    """The response to a change that was not saved: why, and the value that is stored."""
    return json_response({"error": error, "now": current}, status)


# ---------------------------------------------------------------- selected elements


def _changed_elements(ctx: RosterContext, form: SelectedElementsForm) -> Iterator[Element]:
    """The selected elements with the changes. Raises ValidationError with the first element that cannot have them."""
    names = ("quantity", *ctx.system.grid.SHARED_FIELDS)
    changes = {name: ctx.request.POST[f"set-{name}"] for name in names if f"set-{name}" in ctx.request.POST}
    options = changes.pop(MORE_OPTIONS, "")
    for uid in form.cleaned_data["pick"] if changes or options else ():
        element = changed_form(make_form(ctx, None, form.elements[uid]), changes)
        try:
            if not element.is_valid() or element.element is None:
                raise InvalidArgument(errors_of(element))
            yield add_options(ctx.system.grammar, element.element, options) if options else element.element
        except InvalidArgument as error:
            name = translate(form.elements[uid].display_name)
            raise forms.ValidationError(f"{name}: {translate(error.message)}") from None


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "POST")
def preview_selected(ctx: RosterContext) -> HttpResponse:
    """The change of points that the changes of selected elements would make, as ``effect``; nothing is saved."""
    return _set_selected(ctx, save=False)


@rate_limited("BULK_CHANGES_A_MINUTE")
@roster_view(EDIT, "POST")
def set_selected(ctx: RosterContext) -> HttpResponse:
    """Set fields of all selected elements in one change; the changed rows, or 422 or 409 with ``error``."""
    return retry_on_conflict(ctx, partial(_set_selected, save=True), _conflict_response)


def _set_selected(ctx: RosterContext, *, save: bool) -> HttpResponse:
    """Change the selected elements, or return the effect. Raises ElementNotFound and EditConflict."""
    form = SelectedElementsForm(ctx.request.POST, document=ctx.document)
    if not form.is_valid():
        return json_response({"error": " ".join(map(str, form.errors["pick"]))}, 422)
    try:
        elements = [*_changed_elements(ctx, form)]
        if save:
            return _save_selected(ctx, form, elements)
        after = compute_state(edits.replace_elements(elements)(ctx.document), ctx.state).appraisal.points
    except forms.ValidationError as error:
        return json_response({"error": " ".join(error.messages)}, 422)
    except edits.LimitExceeded as error:
        return json_response({"error": translate(error.faults[0].message)}, 422)
    change = points_difference(ctx.state.appraisal.points, after)
    return json_response({"effect": "" if change is None else _effect_text(ctx.system.rules.WORDS, change)})


def _effect_text(words: Words, change: Amount) -> str:
    """A change of points in words: "+14 points"."""
    noun = words.nouns.point if abs(change) == 1 else words.points
    return f"{with_minus_sign(format_change(change)) if change else '±0'} {translate(noun)}"


def _save_selected(ctx: RosterContext, form: SelectedElementsForm, elements: list[Element]) -> HttpResponse:
    """The changed rows."""
    uids = [str(element.id) for element in elements]
    summary = _("Changed {elements}").format(elements=ctx.count_elements(elements))
    edit = edits.replace_elements(elements, [form.elements[uid] for uid in uids])
    if elements:
        with suppress(writer.RepeatedRequest):
            ctx.save(edit, summary)
    return changed_rows(ctx.refreshed(), uids)


# ---------------------------------------------------------------- all of a formation


@rate_limited("BULK_CHANGES_A_MINUTE")
@roster_view(EDIT, "GET", "POST")
def edit_all(ctx: RosterContext) -> HttpResponse:
    """One form with the table's fields of the elements of a formation, a page of them; POST saves what was changed."""
    if ctx.post_data is None:
        return _all_page(ctx, *_formation_rows(ctx))
    return retry_on_conflict(ctx, _save_all, lambda ctx, text: _all_page(ctx, *_formation_rows(ctx), conflict=text))


def _formation_rows(ctx: RosterContext) -> tuple[Formation[Any], list[ElementFields]]:
    """The formation of the query, and the rows of a page of it, or of what was sent: others change what is on a page.

    Raises Http404.
    """
    try:
        formation = edits.find_formation(ctx.document, place_of(ctx.request)["id"])
    except edits.ElementNotFound:
        raise Http404("That is no longer in the roster.") from None
    fields, data = cell_fields(ctx.system.slug), ctx.post_data and ctx.post_data.copy()
    elements = _page_of(ctx, formation).object_list
    if data is not None:
        elements = [element for element in formation.elements if f"initial-{element.id}-name" in data]
    text = partial(conflict_text, ctx)
    return formation, [ElementFields(data, make_form(ctx, None, element), fields, text) for element in elements]


def _page_of(ctx: RosterContext, formation: Formation[Any]) -> Page[Element]:
    """A page of elements that fits into one form, whose number of fields is limited."""
    return Paginator(formation.elements, ROWS_PER_PAGE).get_page(cleaned_query(PaginationForm(ctx.request.GET))["page"])


def _all_page(
    ctx: RosterContext, formation: Formation[Any], rows: list[ElementFields], *, conflict: str = ""
) -> HttpResponse:
    conflict = conflict or next(filter(None, map(conflict_in, rows)), "")
    context = {"formation": formation, "rows": rows, "conflict": conflict, "page": _page_of(ctx, formation)}
    context |= {"labels": [field.label for field in rows[0].cells()] if rows else []}
    status = 200 if ctx.post_data is None else 409 if conflict else 422
    return ctx.render("builder/edit_all.html", context, status=status)


def _save_all(ctx: RosterContext) -> HttpResponse:
    """Save the rows that were changed, or the page with what is wrong. Raises EditConflict."""
    formation, rows = _formation_rows(ctx)
    elements = [*_changed_rows(ctx, rows)]
    changed = [row for row in rows if row.has_changed()]
    summary = _("Changed {elements}").format(elements=ctx.count_elements(elements))
    edit = edits.replace_elements(elements, [row.element for row in changed])
    if not ctx.is_repeated:
        if elements and not any(row.errors for row in changed):
            ctx.apply(edit, summary, form=changed[0])
        if any(row.errors for row in changed):
            return _all_page(ctx, formation, rows)
    return ctx.redirect("f", str(formation.id))


def _changed_rows(ctx: RosterContext, rows: list[ElementFields]) -> Iterator[Element]:
    """The elements whose row was changed; the errors of each are added to its row."""
    for row in rows:
        if row.has_changed() and row.is_valid():
            form = changed_form(make_form(ctx, None, row.element), row.changes())
            if form.is_valid() and form.element is not None:
                yield form.element
            else:
                row.add_error(None, errors_of(form))
