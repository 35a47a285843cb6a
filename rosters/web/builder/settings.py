"""The settings of a roster, with the change of points that they make, and the name and notes of a formation."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from rosters import registry
from rosters.core import edits
from rosters.core.amounts import format_change
from rosters.core.appraisals import points_difference
from rosters.store.state import RosterState
from rosters.web import roster_page
from rosters.web.builder.forms import FormationForm, RosterForm
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited


@roster_view(EDIT, "GET", "POST")
def formation_page(ctx: RosterContext) -> HttpResponse:
    """Change the name and the notes of a formation."""
    try:
        formation = edits.find_formation(ctx.document, ctx.request.GET.get("id", ""))
    except edits.ElementNotFound:
        raise Http404("That is no longer in the roster.") from None
    form = FormationForm(ctx.request.POST or None, initial={"name": formation.name, "notes": formation.notes})
    context = {"form": form, "formation": formation, "expected_version": edits.fingerprint(formation)}
    if ctx.request.method == "POST" and form.is_valid():
        uid, expected = str(formation.id), ctx.request.POST.get("expected_version", "")
        edit = edits.put_formation(uid, **form.cleaned_data)
        try:
            ctx.apply(
                edits.if_unchanged(expected, lambda document: edits.find_formation(document, uid), edit),
                _("Changed %(name)s") % {"name": form.cleaned_data["name"]},
            )
            return ctx.redirect(f"f-{uid}")
        except edits.EditConflict as error:
            context |= {"conflict": conflict_text(ctx), "expected_version": edits.fingerprint(error.now)}
            return ctx.render("builder/formation.html", context, status=409)
    status = 422 if ctx.request.method == "POST" else 200
    return ctx.render("builder/formation.html", context, status=status)


def conflict_text(ctx: RosterContext) -> str:
    """The message when somebody else saved first; the form keeps what was typed."""
    return _(
        "This was changed elsewhere (%(change)s). "
        "Your changes are still in the form: save again to replace what is saved."
    ) % {"change": ctx.last_change()}


def settings_form(ctx: RosterContext, data: QueryDict | None) -> RosterForm:
    """The form of the roster's settings; without ``data`` it shows those that are saved."""
    document = ctx.document
    initial = {name: getattr(document, name) for name in ("name", "budget", "scenario", "side", "notes")}
    initial |= document.options.model_dump()
    return RosterForm(data, system=ctx.system, initial=initial)


def settings_preview(ctx: RosterContext, form: RosterForm) -> dict[str, Any]:
    """Points and findings of the roster with the settings of the form, and its points now."""
    if form.is_bound and not form.is_valid():
        return {"invalid": True}
    now = ctx.state.appraisal
    after = ctx.state.after(edits.settings(**form.settings())) if form.is_bound else ctx.state
    then = after.appraisal
    change = points_difference(now.points, then.points)
    return {
        "now": roster_page.points(now.points),
        "then": roster_page.points(then.points),
        "change": format_change(change) if change else "",
        "legal": then.legal,
        "findings": roster_page.findings(after.document, then.findings),
        "budget": roster_page.budget_of(then),
    }


@roster_view(EDIT, "GET", "POST")
def settings(ctx: RosterContext) -> HttpResponse:
    """Name, points limit, scenario, side, notes and house rules: save them, or preview them (``do=show``)."""
    sent = ctx.request.POST if ctx.request.method == "POST" else None
    form = settings_form(ctx, sent)
    expected, more = edits.fingerprint(ctx.document), {}
    status = 422 if sent is not None and sent.get("do") != "show" else 200
    if sent is not None and sent.get("do") != "show" and form.is_valid():
        edit = edits.if_unchanged(
            sent.get("expected_version", ""), lambda document: document, edits.settings(**form.settings())
        )
        try:
            ctx.apply(edit, _("Changed the settings"))
            return ctx.redirect()
        except edits.EditConflict as error:
            status, expected, more = 409, edits.fingerprint(error.now), {"conflict": conflict_text(ctx)}
    context = {
        "form": form,
        "rules": house_rules(ctx, form),
        "preview": settings_preview(ctx, form),
        "expected_version": expected,
    }
    return ctx.render("builder/settings.html", context | more, status=status)


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "POST")
def settings_live(ctx: RosterContext) -> HttpResponse:
    """The live preview of the settings, as a part of their page."""
    form = settings_form(ctx, ctx.request.POST)
    return ctx.render("builder/_settings_preview.html", {"form": form, "preview": settings_preview(ctx, form)})


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
    """The change of points that each other value of a house rule would make by itself."""
    field, current = form.fields[name], getattr(ctx.document.options, name)
    if isinstance(field, forms.BooleanField):
        values = {True: _("On"), False: _("Off")}
    else:
        values = {value: str(label) for value, label in getattr(field, "choices", ())}
    return [
        {"label": label, "change": change}
        for value, label in values.items()
        if value != current and (change := change_of_points(ctx.state, {name: value}))
    ]


def change_of_points(state: RosterState, options: dict[str, Any]) -> str:
    """The change of the total under other house rules, such as "+12"; "" in a system without points."""
    other = edits.settings(options=state.document.options.model_copy(update=options))
    change = points_difference(state.appraisal.points, registry.total_points(other(state.document)))
    return "" if change is None else format_change(change)
