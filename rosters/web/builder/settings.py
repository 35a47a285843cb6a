"""The settings of a roster, with the change of points that they make, and the name and notes of a formation."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.utils.translation import gettext

from rosters import registry
from rosters.core import edits
from rosters.core.amounts import format_change, with_minus_sign
from rosters.core.appraisals import points_difference
from rosters.core.messages import _
from rosters.store.state import RosterState
from rosters.web import roster_page
from rosters.web.builder.forms import FormationForm, PlaceQuery, RosterForm
from rosters.web.context import RosterContext, add_limit_errors, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.forms import cleaned_query

MAX_REPRICED = 300
"""Elements of a roster that is priced again for every other choice of a house rule; larger ones take too long."""


@roster_view(EDIT, "GET", "POST")
def formation_page(ctx: RosterContext) -> HttpResponse:
    """Change the name and the notes of a formation."""
    uid = cleaned_query(PlaceQuery(ctx.request.GET))["id"]
    try:
        formation = edits.find_formation(ctx.document, uid)
    except edits.ElementNotFound:
        raise Http404("That is no longer in the roster.") from None
    form = FormationForm(ctx.post_data, initial={"name": formation.name, "notes": formation.notes})
    context = {"form": form, "formation": formation, "expected_fingerprint": edits.fingerprint(formation)}
    if not form.is_valid():
        return ctx.render("builder/formation.html", context, status=422 if form.is_bound else 200)
    edit = edits.update_formation(uid, **form.cleaned_data)
    try:
        ctx.apply(
            ctx.if_unchanged(lambda document: edits.find_formation(document, uid), edit),
            _("Changed {name}").format(name=form.cleaned_data["name"]),
            form=form,
        )
    except edits.EditConflict as error:
        return ctx.render("builder/formation.html", context | conflict_context(ctx, error), status=409)
    if form.errors:
        return ctx.render("builder/formation.html", context, status=422)
    return ctx.redirect("f", uid)


def conflict_context(ctx: RosterContext, error: edits.EditConflict) -> dict[str, str]:
    """What a page shows when somebody else saved first; its form keeps what was typed."""
    text = gettext(
        "This was changed elsewhere (%(change)s). "
        "Your changes are still in the form: save again to replace what is saved."
    )
    return {"conflict": text % {"change": ctx.last_change()}, "expected_fingerprint": edits.fingerprint(error.now)}


def settings_form(ctx: RosterContext) -> RosterForm:
    """The form of the roster's settings, as saved or as sent."""
    document = ctx.document
    initial = {name: getattr(document, name) for name in ("name", "budget", "scenario", "side", "notes")}
    initial |= document.options.model_dump()
    return RosterForm(ctx.post_data, system=ctx.system, initial=initial)


def preview(ctx: RosterContext, form: RosterForm) -> dict[str, Any]:
    """Points and findings of the roster with the settings of the form, and its points before."""
    if form.is_bound and not form.is_valid():
        return {"invalid": True}
    before = ctx.state.appraisal
    try:
        state = ctx.state.after(edits.settings(**form.settings())) if form.is_bound else ctx.state
    except edits.LimitExceeded as error:
        add_limit_errors(form, error)
        return {"invalid": True}
    after = state.appraisal
    change = points_difference(before.points, after.points)
    return {
        "before": roster_page.points(before.points),
        "after": roster_page.points(after.points),
        "change": with_minus_sign(format_change(change)) if change else "",
        "legal": after.legal,
        "findings": roster_page.findings(state.document, after.findings),
        "budget": roster_page.budget_of(after),
    }


@roster_view(EDIT, "GET", "POST")
def settings(ctx: RosterContext) -> HttpResponse:
    """Name, points limit, scenario, side, notes and house rules; POST saves them."""
    if "do" in ctx.request.POST:
        return redirect_outdated(ctx.request, "settings", ctx.roster.token)
    form = settings_form(ctx)
    if not form.is_valid():
        return settings_page(ctx, form, status=422 if form.is_bound else 200)
    edit = ctx.if_unchanged(lambda document: document, edits.settings(**form.settings()))
    try:
        ctx.apply(edit, _("Changed the settings"), form=form)
    except edits.EditConflict as error:
        return settings_page(ctx, form, status=409, **conflict_context(ctx, error))
    if form.errors:
        return settings_page(ctx, form, status=422)
    return ctx.redirect()


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "POST")
def settings_preview(ctx: RosterContext) -> HttpResponse:
    """Show the page with the preview of what was typed, and save nothing; the preview alone where htmx asks for it."""
    form = settings_form(ctx)
    if ctx.is_live_preview:
        return ctx.render("builder/_settings_preview.html", {"form": form, "preview": preview(ctx, form)})
    return settings_page(ctx, form, expected_fingerprint=ctx.expected_fingerprint)


def settings_page(ctx: RosterContext, form: RosterForm, *, status: int = 200, **more: str) -> HttpResponse:
    """The page of the settings with the preview."""
    context = {
        "form": form,
        "rules": house_rules(ctx, form),
        "preview": preview(ctx, form),
        "expected_fingerprint": edits.fingerprint(ctx.document),
        **more,
    }
    return ctx.render("builder/settings.html", context, status=status)


def house_rules(ctx: RosterContext, form: RosterForm) -> list[dict[str, Any]]:
    """Each house rule: its field, its explanation, and the change of points that each other choice would make."""
    fields = ctx.system.rules.Options.model_fields
    return [
        {
            "field": form[name],
            "name": name,
            "text": fields[name].description,
            "choices": other_choices(ctx, form, name),
        }
        for name in form.rules_fields
    ]


def other_choices(ctx: RosterContext, form: RosterForm, name: str) -> list[dict[str, str]]:
    """The change of points that each other value of a house rule would make by itself; none for a large roster."""
    if len([element for formation in ctx.document.formations for element in formation.elements]) > MAX_REPRICED:
        return []
    field, current = form.fields[name], getattr(ctx.document.options, name)
    if isinstance(field, forms.BooleanField):
        values = {True: gettext("On"), False: gettext("Off")}
    else:
        values = {value: str(label) for value, label in getattr(field, "choices", ())}
    return [
        {"label": label, "change": with_minus_sign(change), "exact": change}
        for value, label in values.items()
        if value != current and (change := change_of_points(ctx.state, {name: value}))
    ]


def change_of_points(state: RosterState, options: dict[str, Any]) -> str:
    """The change of the total under other house rules, such as "+12"; "" in a system without points."""
    other = edits.replace_fields(state.document, options=state.document.options.model_copy(update=options))
    change = points_difference(state.appraisal.points, registry.total_points(other))
    return "" if change is None else format_change(change)
