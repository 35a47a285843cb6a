"""The settings of a roster, with the change of points that they make, and the name and notes of a formation."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext

from rosters import registry
from rosters.core import edits
from rosters.core.amounts import format_change, with_minus_sign
from rosters.core.appraisals import points_difference
from rosters.core.cache import MemoryCache
from rosters.core.crests import crest_of
from rosters.core.documents import AnyDocument
from rosters.core.messages import _
from rosters.forms.conflicts import conflict_in
from rosters.store.state import compute_state
from rosters.web import roster_page
from rosters.web.builder.forms import FormationForm, RosterForm, place_of
from rosters.web.builder.merging import merged_form
from rosters.web.context import RosterContext, add_limit_errors, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited

MAX_REPRICED = 300
"""The largest roster, in elements, that is priced for every choice of a house rule; larger ones take too long."""


@roster_view(EDIT, "GET", "POST")
def formation_page(ctx: RosterContext) -> HttpResponse:
    """Change the name and the notes of a formation."""
    uid = place_of(ctx.request)["id"]

    def find(document: AnyDocument) -> Any:
        return edits.find_formation(document, uid).replace(elements=())

    def form_of(data: QueryDict | None, formation: Any) -> FormationForm:
        return FormationForm(data, initial={"name": formation.name, "notes": formation.notes})

    try:
        formation = find(ctx.document)
    except edits.ElementNotFound:
        raise Http404("That is no longer in the roster.") from None
    form = form_of(None, formation) if ctx.post_data is None else merged_form(ctx, find, form_of)
    if form.is_valid():
        edit = edits.if_unchanged(formation, find, edits.update_formation(uid, **form.cleaned_data))
        try:
            ctx.apply(edit, _("Changed {name}").format(name=form.cleaned_data["name"]), form=form)
        except edits.EditConflict:
            return formation_page(ctx.request, ctx.roster.token)
        if not form.errors:
            return ctx.redirect("f", uid)
    context = {"form": form, "formation": formation, "conflict": conflict_in(form)}
    return ctx.render("builder/formation.html", context, status=error_status(form))


def error_status(form: forms.Form) -> int:
    """The status of the page of a form: 409 where somebody else has changed the same fields, 422 with other errors."""
    return 409 if conflict_in(form) else 422 if form.errors else 200


def head_of(document: AnyDocument) -> AnyDocument:
    """The root of the document, without formations."""
    return document.replace(formations=(), changed=None)


def settings_form(ctx: RosterContext) -> RosterForm:
    """The form of the roster's settings, as saved or as sent."""

    def form_of(data: QueryDict | None, document: AnyDocument) -> RosterForm:
        initial = {name: getattr(document, name) for name in ("name", "budget", "scenario", "side", "notes")}
        return RosterForm(data, system=ctx.system, initial=initial | document.options.model_dump())

    return form_of(None, ctx.document) if ctx.post_data is None else merged_form(ctx, head_of, form_of)


def preview(ctx: RosterContext, form: RosterForm) -> dict[str, Any]:
    """Points and findings of the roster with the settings of the form, and its points before."""
    if form.is_bound and not form.is_valid():
        return {"invalid": True}
    before = ctx.state.appraisal
    try:
        state = (
            compute_state(edits.settings(**form.settings())(ctx.document), ctx.state) if form.is_bound else ctx.state
        )
    except edits.LimitExceeded as error:
        add_limit_errors(form, error)
        return {"invalid": True}
    after = state.appraisal
    findings = roster_page.findings(state.document, roster_page.findings_for_owner(after))
    change = points_difference(before.points, after.points)
    return {
        "invalid": False,
        "before": roster_page.points(before.points),
        "after": roster_page.points(after.points),
        "change": with_minus_sign(format_change(change)) if change else "",
        "quantity": after.quantity,
        "legal": after.legal,
        "findings": roster_page.group_findings(findings),
        "budget": roster_page.budget_of(after),
    }


@roster_view(EDIT, "GET", "POST")
def settings(ctx: RosterContext) -> HttpResponse:
    """Name, points limit, scenario, side, notes and house rules; POST saves them."""
    if "do" in ctx.request.POST:
        return redirect_outdated(ctx.request, "settings", ctx.roster.token)
    form = settings_form(ctx)
    if form.is_valid():
        edit = edits.if_unchanged(head_of(ctx.document), head_of, edits.settings(**form.settings()))
        try:
            ctx.apply(edit, _("Changed the settings"), form=form)
        except edits.EditConflict:
            return settings(ctx.request, ctx.roster.token)
        if not form.errors:
            return ctx.redirect()
    return settings_page(ctx, form)


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "POST")
def settings_preview(ctx: RosterContext) -> HttpResponse:
    """Show the page with the preview of what was typed, and save nothing; the preview alone where htmx asks for it."""
    form = settings_form(ctx)
    if ctx.is_live_preview:
        return ctx.render("builder/_settings_preview.html", {"form": form, "preview": preview(ctx, form)})
    return settings_page(ctx, form)


def settings_page(ctx: RosterContext, form: RosterForm) -> HttpResponse:
    """The page of the settings with the preview."""
    fields = [field for field in form if field.name not in form.rules_fields]
    context = {"form": form, "fields": fields, "rules": house_rules(ctx, form), "preview": preview(ctx, form)}
    context["departures"] = len(ctx.state.appraisal.house_rules)
    context["crest_seed"] = crest_of(ctx.document)
    return ctx.render("builder/settings.html", context | {"conflict": conflict_in(form)}, status=error_status(form))


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
        if value != current and (change := change_of_points(ctx, name, value)) not in ("", "+0")
    ]


_changes = MemoryCache[tuple[Any, ...], str](1 << 20)
"""Changes of points, by token, revision, house rule and its value: three quarters of the page."""


def change_of_points(ctx: RosterContext, name: str, value: Any) -> str:
    """The change of the total under another house rule, such as "+12"; "" in a system without points."""
    key = (ctx.roster.token, ctx.roster.revision, name, value)
    text = _changes.get(key)
    if text is None:
        options = ctx.document.options.replace(**{name: value})
        points = registry.total_points(ctx.document.replace(options=options))
        change = points_difference(ctx.state.appraisal.points, points)
        text = "" if change is None else format_change(change)
        _changes.set(key, text)
    return text
