"""Settings of a roster and of its formations, with the change of points that they would make."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse, QueryDict

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
def formation(ctx: RosterContext) -> HttpResponse:
    """Rename a formation and write its notes."""
    try:
        found = edits.find_formation(ctx.document, ctx.request.GET.get("id", ""))
    except edits.ElementNotFound:
        raise Http404("That is no longer in the roster.") from None
    form = FormationForm(ctx.request.POST or None, initial={"name": found.name, "notes": found.notes})
    context = {"form": form, "formation": found, "seen": edits.fingerprint(found)}
    if ctx.request.method == "POST" and form.is_valid():
        edit, uid = edits.put_formation(str(found.id), **form.cleaned_data), str(found.id)
        careful = edits.if_unchanged(ctx.request.POST.get("seen", ""), lambda d: edits.find_formation(d, uid), edit)
        try:
            ctx.apply(careful, f"Changed {form.cleaned_data['name']}")
            return ctx.redirect(f"f-{found.id}")
        except edits.EditConflict as conflict:
            clash = edit_conflict_page(ctx)
            context |= {"clash": clash, "seen": edits.fingerprint(conflict.now)}
            return ctx.render("builder/formation.html", context, status=409)
    status = 422 if ctx.request.method == "POST" else 200
    return ctx.render("builder/formation.html", context, status=status)


def edit_conflict_page(ctx: RosterContext) -> str:
    """What to tell the second of two writers; the form keeps what was typed."""
    return (
        f"It was changed while you were typing ({ctx.last_change()}). What you typed is still here: "
        "save it again to put it in its place."
    )


def settings_form(ctx: RosterContext, data: QueryDict | None) -> RosterForm:
    document = ctx.document
    initial = {name: getattr(document, name) for name in ("name", "budget", "scenario", "side", "notes")}
    initial |= document.options.model_dump()
    return RosterForm(data, system=ctx.system, initial=initial)


def settings_preview(ctx: RosterContext, form: RosterForm) -> dict[str, Any]:
    """What the settings would make of the roster, beside what it is now."""
    if form.is_bound and not form.is_valid():
        return {"invalid": True}
    now = ctx.state.appraisal
    after = ctx.state.after(edits.settings(**form.settings())) if form.is_bound else ctx.state
    then = after.appraisal
    change = points_difference(now, then)
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
    """Name, budget, scenario, side, notes and house rules, with what they would change."""
    sent = ctx.request.POST if ctx.request.method == "POST" else None
    form = settings_form(ctx, sent)
    seen, more = edits.fingerprint(ctx.document), {}
    status = 422 if sent is not None and sent.get("do") != "show" else 200
    if sent is not None and sent.get("do") != "show" and form.is_valid():
        edit = edits.if_unchanged(sent.get("seen", ""), _head, edits.settings(**form.settings()))
        try:
            ctx.apply(edit, "Changed the settings")
            return ctx.redirect()
        except edits.EditConflict as conflict:
            status, seen, more = 409, edits.fingerprint(conflict.now), {"clash": edit_conflict_page(ctx)}
    context = {"form": form, "rules": house_rules(ctx, form), "preview": settings_preview(ctx, form), "seen": seen}
    return ctx.render("builder/settings.html", context | more, status=status)


def _head(document: Any) -> Any:
    return document


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "POST")
def settings_live(ctx: RosterContext) -> HttpResponse:
    """What the settings would change, while they are filled in."""
    form = settings_form(ctx, ctx.request.POST)
    return ctx.render("builder/_settings_preview.html", {"form": form, "preview": settings_preview(ctx, form)})


def house_rules(ctx: RosterContext, form: RosterForm) -> list[dict[str, Any]]:
    """Each house rule: its field, its explanation, and the points that each other choice would make."""
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
    """The change of points that each other value of a house rule would make, the other rules staying as they are."""
    field, standing = form.fields[name], getattr(ctx.document.options, name)
    if isinstance(field, forms.BooleanField):
        values = {True: "Switched on", False: "Switched off"}
    else:
        values = {value: str(label) for value, label in getattr(field, "choices", ())}
    return [
        {"label": label, "change": change}
        for value, label in values.items()
        if value != standing and (change := change_of_points(ctx.state, {name: value}))
    ]


def change_of_points(state: RosterState, options: dict[str, Any]) -> str:
    """What other house rules would do to the total, such as "+12"; "" where there are no points."""
    other = edits.settings(options=state.document.options.model_copy(update=options))
    change = points_difference(state.appraisal, state.after(other).appraisal)
    return "" if change is None else format_change(change)
