"""The form of one element, with its receipt and findings."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

from crispy_forms.utils import render_crispy_form
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from rosters.core import edits
from rosters.core.amounts import to_amount
from rosters.core.appraisals import RosterState, terms_of
from rosters.core.documents import Element, dumps
from rosters.core.findings import path_to
from rosters.core.messages import _, translate
from rosters.core.suggestions import best_purchase
from rosters.forms.conflicts import conflict_in
from rosters.forms.element_form import PLOT_PLACE, ElementForm
from rosters.registry import SYSTEMS
from rosters.store.state import compute_state
from rosters.web import roster_page
from rosters.web.builder.element_forms import element_form, finder, live_form, requested_element, unbound_fields_html
from rosters.web.builder.forms import place_of
from rosters.web.builder.guide import after_saving, guide_of
from rosters.web.builder.merging import retry_on_conflict
from rosters.web.builder.page import all_rows, changed_rows
from rosters.web.builder.starts import requested_start, start_of, starts_of
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited


def edit_of(formation: Any, before: Element | None, new: Element) -> edits.Edit:
    """The edit that saves an element form; the preview applies the same one."""
    return edits.replace_element(new) if before else edits.add_elements(formation.id, [new])


def form_preview(ctx: RosterContext, formation: Any, form: ElementForm) -> dict[str, Any]:
    """The preview of what was typed, with the values from before in fields that are wrong."""
    if form.errors and ctx.is_live_preview:  # the page keeps that of before
        return {"invalid": True}
    plotted = "plot" in form.data or not ctx.is_live_preview
    shown = preview(ctx, formation, form.before, form.preview_element, plotted=plotted)
    return shown | {"invalid": form.is_wrong}


def preview(
    ctx: RosterContext, formation: Any, before: Element | None, element: Element, *, plotted: bool = True
) -> dict[str, Any]:
    """The receipt and the findings of an element, in the roster as it would be when saved.

    A live preview shows the plot only if ``plotted``, that is, if it is open on the page.
    """
    new = edits.with_id(element)
    try:
        state = compute_state(edit_of(formation, before, new)(ctx.document), ctx.state)
    except edits.LimitExceeded as error:
        return {"invalid": False, "error": error.faults[0].message}
    where = edits.position_of(state.document, new)
    priced = next(each.priced for each in state.appraised_elements if each.element.id == new.id)
    findings = roster_page.findings(state.document, roster_page.findings_for_owner(state.appraisal))
    own = roster_page.group_findings(finding for finding in findings if finding.where == where)
    return {
        "invalid": False,
        "error": "",
        "legal": state.appraisal.legal,
        "quantity": priced.quantity,
        "unit_points": roster_page.points(priced.unit_points),
        "points": roster_page.points(priced.points),
        "receipt": roster_page.receipt(priced),
        "facts": roster_page.facts(priced.facts, ctx.system, state.document.scenario),
        "plotted": plotted,
        "plot": roster_page.plot_of(ctx.system, new, terms_of(state.document)) if plotted else None,
        "pictures": roster_page.large_and_small_counter(ctx.system, new, terms_of(state.document), priced.unit_points),
        "tracks": roster_page.damage_tracks(ctx.system, new, terms_of(state.document))
        if priced.unit_points is None
        else [],
        "fit": fit_text(state, new),
        "own": own,
        "worst": roster_page.count_worst(own),
        "others": roster_page.group_findings(finding for finding in findings if finding.where != where),
        "total": roster_page.points(state.appraisal.points),
        "budget": roster_page.budget_of(state.appraisal),
    }


def fit_text(state: RosterState, designed: Element) -> str:
    """The points left and what they buy: "52 left: 3 more Rifles"; "" without a limit.

    More of the element that is designed, or of another one if it does not fit or is not legal.
    """
    budget = roster_page.budget_of(state.appraisal)
    if budget is None or budget.over:
        return ""
    left = to_amount(state.appraisal.budget or 0) - (state.appraisal.points or 0)
    illegal = {finding.where for finding in state.appraisal.findings if finding.severity == "error"}
    legal = [
        each
        for f, formation in enumerate(state.appraised)
        for e, each in enumerate(formation.elements)
        if path_to(f, e) not in illegal
    ]
    same = [each for each in legal if each.element.id == designed.id]
    fits = (
        best_purchase(left, ((each.element.name, each.priced.unit_points or 0) for each in some))
        for some in (same, legal)
    )
    fit = next(filter(None, fits), None)
    if fit is None:
        return ""
    nouns = SYSTEMS[state.document.system].rules.WORDS.nouns
    name = fit.name or translate(nouns.element if fit.number == 1 else nouns.elements)
    values = {"left": budget.left, "number": fit.number, "name": name}
    return gettext("%(left)s left: %(number)s more %(name)s") % values


@roster_view(EDIT, "GET", "POST")
def element(ctx: RosterContext) -> HttpResponse:
    """The form of one element; POST saves it. Its other buttons have addresses of their own."""
    if ctx.post_data is None:
        formation, before = requested_element(ctx)
        shown = before or start_of(ctx)
        context = {"fields": unbound_fields_html(ctx, before, shown), "preview": preview(ctx, formation, before, shown)}
        return render_page(ctx, formation, before, context)
    if "do" in ctx.post_data:
        return redirect_outdated(ctx.request, ctx.request.get_full_path())
    return save_element(ctx)


@roster_view(EDIT, "POST")
def save_and_add_another(ctx: RosterContext) -> HttpResponse:
    """Save a new element, then show the form of another one."""
    return save_element(ctx, another=True)


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "POST")
def element_preview(ctx: RosterContext) -> HttpResponse:
    """Show the page with the preview of what was typed, and save nothing; the preview alone where htmx asks for it."""
    formation, before = requested_element(ctx)
    if not ctx.is_live_preview:
        return element_page(ctx, formation, element_form(ctx, before, draft=True))
    form = live_form(ctx, before)
    shown = form_preview(ctx, formation, form)
    values = {"preview": shown, "live": live_values(form, shown), "parts": {} if form.errors else form.live_parts()}
    response = ctx.render("builder/_live.html", values)
    if form.errors:
        response["HX-Reswap"] = "none"  # the last price stays, the errors are shown at their fields
    return response


def live_values(form: ElementForm, shown: Mapping[str, Any]) -> str:
    """The form's part of a live preview as JSON: errors by field, else findings, the price, the steps of each stat."""
    if form.errors:
        return dumps({"errors": {name: " ".join(map(str, errors)) for name, errors in form.errors.items()}})
    findings = findings_by_field(type(form), shown)
    priced = {"each": shown["unit_points"].shown} if "unit_points" in shown else {}  # none in too large a roster
    return dumps({"errors": {}, "findings": findings, "steps": form.step_buttons(), **priced})


def findings_by_field(form_class: type[ElementForm], shown: Mapping[str, Any]) -> dict[str, list[str]]:
    """What is wrong with the element by field, as the rules check says it: the worst severity, and the messages."""
    placed: dict[str, list[Any]] = {}
    for finding in shown.get("own", ()):
        if finding.severity != "note":
            placed.setdefault(form_class.finding_fields.get(finding.code, ""), []).append(finding)
    return {
        name: [findings[0].severity, " ".join(translate(each.message) for each in findings)]
        for name, findings in placed.items()
        if name
    }


def element_page(
    ctx: RosterContext, formation: Any, form: ElementForm, *, status: int = 200, conflict: str = ""
) -> HttpResponse:
    """The page of a submitted form; 409 if somebody else has changed the same fields."""
    conflict = conflict or conflict_in(form)
    context = {"form": form, "conflict": conflict, "preview": form_preview(ctx, formation, form)}
    return render_page(ctx, formation, form.before, context, status=409 if conflict else status)


def render_page(
    ctx: RosterContext, formation: Any, before: Element | None, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The page of an element's form, or of its fields as HTML."""
    fields = context["fields"] if "fields" in context else render_crispy_form(context["form"])
    before_plot, _place, after_plot = map(mark_safe, fields.partition(PLOT_PLACE))
    query = urlencode({"id": before.id} if before else {"in": formation.id})
    common = {
        "formation": formation,
        "element": before,
        "query": query,
        "guide": guide_of(ctx),
        "conflict": "",
        "begun": {} if before else requested_start(ctx),
        "starts": [] if before else starts_of(ctx, formation),
        "before_plot": before_plot,
        "after_plot": after_plot,
        "live": False,
        "findings": dumps({"findings": findings_by_field(ctx.system.forms.ElementForm, context["preview"])}),
    }
    return ctx.render("builder/element.html", common | context, status=status)


def save_element(ctx: RosterContext, *, another: bool = False) -> HttpResponse:
    """Save the form's element; then the roster page, for a script its changed parts, or the form of another one."""
    return retry_on_conflict(ctx, partial(_save_element, another=another), _refused_page)


def _refused_page(ctx: RosterContext, text: str) -> HttpResponse:
    formation, before = requested_element(ctx)
    return element_page(ctx, formation, element_form(ctx, before), conflict=text)


def _save_element(ctx: RosterContext, *, another: bool) -> HttpResponse:
    """Save the form's element, or the page with what is wrong. Raises EditConflict and ElementNotFound."""
    try:
        formation, before = requested_element(ctx)
    except Http404:
        if not ctx.document.formations:
            raise
        return element_deleted_page(ctx)
    form = element_form(ctx, before)
    if not form.is_valid() or form.element is None:
        return element_page(ctx, formation, form, status=422)
    new = edits.with_id(form.element)
    edit = edit_of(formation, before, new)
    if before:
        edit = edits.if_unchanged(before, finder(before), edit)
    summary = _("Changed {name}") if before else _("Added {name}")
    remark = partial(_remark_on, str(new.id)) if another else None
    is_changed = ctx.apply(edit, summary.format(name=new.display_name), form, remark=remark)
    if form.errors:
        return element_page(ctx, formation, form, status=422)
    if ctx.wants_fragment:  # of the panel over the builder
        ctx = ctx.refreshed()
        return changed_rows(ctx, [str(new.id)]) if before or is_changed else all_rows(ctx)
    if another:
        query = urlencode({"in": formation.id, "after": new.id})
        return redirect(f"{reverse('element', args=[ctx.roster.token])}?{query}")
    return after_saving(ctx, str(new.id))


def _remark_on(uid: str, ctx: RosterContext) -> tuple[int, str]:
    """What the form of the next element says of the added one: its first error, and that its values are kept."""
    where = edits.position_of(ctx.document, edits.find_element(ctx.document, uid)[1])
    findings = roster_page.findings(ctx.document, roster_page.findings_for_owner(ctx.state.appraisal))
    own = (each for each in findings if each.where == where and each.severity == "error")
    errors = roster_page.group_findings(own)
    count = roster_page.count_worst(errors)
    text = f"{translate(count.text)}: {translate(errors[0].message)}" if count else ""
    blank = f"{reverse('element', args=[ctx.roster.token])}?{urlencode({'in': place_of(ctx.request)['in']})}"
    values = (text, gettext("Its values are kept."), blank, gettext("Start blank"))
    return messages.WARNING if count else messages.SUCCESS, format_html('{} {} <a href="{}">{}</a>', *values)


def element_deleted_page(ctx: RosterContext) -> HttpResponse:
    """409: somebody else deleted the element. Submitting the form again adds it as a new element."""
    try:
        uid = edits.find_element(ctx.opened_document, place_of(ctx.request)["id"])[0].id
        formation = edits.find_formation(ctx.document, str(uid))
    except edits.ElementNotFound:
        formation = ctx.document.formations[0]
    text = gettext(
        "This was deleted elsewhere (%(change)s). Your changes are still in the form: save to add it to %(name)s again."
    ) % {"change": ctx.last_change(), "name": formation.name}
    return element_page(ctx, formation, element_form(ctx, None), conflict=text)
