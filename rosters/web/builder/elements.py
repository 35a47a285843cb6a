"""The form of one element, with its receipt and findings."""

from typing import Any, cast
from urllib.parse import urlencode

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rosters.core import edits
from rosters.core.appraisals import terms_of
from rosters.core.documents import Element, new_id
from rosters.forms.element_form import ElementForm
from rosters.web import roster_page
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited


def requested_element(ctx: RosterContext) -> tuple[Any, Element | None]:
    """The formation and the element of the query: ?id= an element, or ?in= a formation to add to. Raises Http404."""
    query = ctx.request.GET
    try:
        if "id" in query:
            return edits.find_element(ctx.document, query["id"])
        return edits.find_formation(ctx.document, query.get("in", "")), None
    except edits.ElementNotFound:
        raise Http404("That is no longer in the roster.") from None


def element_form(ctx: RosterContext, element: Element | None, data: QueryDict | None, *, draft: bool) -> ElementForm:
    """The system's form for this element, or for a new one; a draft is previewed and not saved."""
    terms = terms_of(ctx.document)
    form: ElementForm = ctx.system.forms.ElementForm(
        data, rules=ctx.system.rules, terms=terms, element=element, draft=draft
    )
    return form


def with_id(element: Element) -> Element:
    """The element, with a new id if it has none."""
    return element if element.id else edits.replace_fields(element, id=new_id())


def edit_of(formation: Any, before: Element | None, new: Element) -> edits.Edit:
    """The edit that saves an element form; the preview applies the same one."""
    return edits.put_element(new) if before else edits.add_elements(formation.id, [new])


def preview(ctx: RosterContext, formation: Any, form: ElementForm) -> dict[str, Any]:
    """The receipt and the findings of the form's element, in the roster as it would be when saved."""
    if form.is_bound and not form.is_valid():
        return {"invalid": True}
    new = with_id(form.shown_element())
    try:
        state = ctx.state.after(edit_of(formation, form.before, new))
    except edits.LimitExceeded as error:
        return {"error": str(error)}
    where = edits.position_of(state.document, new)
    priced = next(line.priced for formation in state.lines for line in formation if line.element.id == new.id)
    findings = roster_page.findings(state.document, state.appraisal.findings)
    return {
        "quantity": priced.quantity,
        "each": roster_page.points(priced.each),
        "points": roster_page.points(priced.points),
        "receipt": roster_page.receipt(priced),
        "facts": roster_page.facts(priced.facts, ctx.system),
        "own": [finding for finding in findings if finding.where == where],
        "others": [finding for finding in findings if finding.where != where],
        "total": roster_page.points(state.appraisal.points),
        "budget": roster_page.budget_of(state.appraisal),
    }


@roster_view(EDIT, "GET", "POST")
def element(ctx: RosterContext) -> HttpResponse:
    """The form of one element: save it, or preview its price without JavaScript (``do=show``)."""
    sent = ctx.request.POST if ctx.request.method == "POST" else None
    try:
        formation, before = requested_element(ctx)
    except Http404:
        if sent is None or not ctx.document.formations:
            raise
        return element_deleted_page(ctx, sent)
    draft = sent is not None and sent.get("do") == "show"
    form = element_form(ctx, before, sent, draft=draft)
    if sent is not None and not draft and form.is_valid() and form.element:
        try:
            return save_element(ctx, formation, before, form.element)
        except edits.EditConflict as conflict:
            return edit_conflict_page(ctx, formation, before, form, cast(Element, conflict.now))
    return element_page(ctx, formation, before, form, status=422 if sent is not None and not draft else 200)


def element_page(
    ctx: RosterContext, formation: Any, before: Element | None, form: ElementForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    """The page of the form with the preview. A preview keeps the version that the form was opened with."""
    expected = ctx.request.POST.get("expected_version") if ctx.request.POST.get("do") == "show" else None
    context = {
        "form": form,
        "formation": formation,
        "element": before,
        "preview": preview(ctx, formation, form),
        "expected_version": expected or (edits.fingerprint(before) if before else ""),
        **more,
    }
    return ctx.render("builder/element.html", context, status=status)


def save_element(ctx: RosterContext, formation: Any, before: Element | None, element: Element) -> HttpResponse:
    """Save the form's element; then the roster page, or the form of another new element. Raises EditConflict."""
    new, sent = with_id(element), ctx.request.POST
    edit = edit_of(formation, before, new)
    if before:
        edit = edits.if_unchanged(
            sent.get("expected_version", ""), lambda document: edits.find_element(document, str(new.id))[1], edit
        )
    ctx.apply(edit, (_("Changed %(name)s") if before else _("Added %(name)s")) % {"name": new.name})
    if sent.get("do") == "again":
        address = reverse("element", args=[ctx.roster.token])
        return redirect(f"{address}?{urlencode({'in': formation.id})}")
    return ctx.redirect(f"e-{new.id}")


def edit_conflict_page(
    ctx: RosterContext, formation: Any, before: Element | None, form: ElementForm, now: Element
) -> HttpResponse:
    """409: somebody else saved the element first. The page shows what is saved and keeps what was typed."""
    text = _(
        "This was changed elsewhere (%(change)s). Saved now: %(quantity)d × %(name)s, %(profile)s. "
        "Your changes are still in the form: save again to replace what is saved."
    ) % {
        "change": ctx.last_change(),
        "quantity": now.quantity,
        "name": now.name,
        "profile": ctx.system.rules.describe(now, terms_of(ctx.document)),
    }
    more = {"conflict": text, "expected_version": edits.fingerprint(now)}
    return element_page(ctx, formation, before, form, status=409, **more)


def element_deleted_page(ctx: RosterContext, sent: QueryDict) -> HttpResponse:
    """409: somebody else deleted the element. The form keeps what was typed and adds it as a new element."""
    formation = ctx.document.formations[0]
    form = element_form(ctx, None, sent, draft=False)
    text = _(
        "This was deleted elsewhere (%(change)s). Your changes are still in the form: save to add it to %(name)s again."
    ) % {"change": ctx.last_change(), "name": formation.name}
    action = f"{reverse('element', args=[ctx.roster.token])}?{urlencode({'in': formation.id})}"
    return element_page(ctx, formation, None, form, status=409, conflict=text, action=action)


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "POST")
def element_preview(ctx: RosterContext) -> HttpResponse:
    """The live preview of the form, as a part of its page."""
    formation, before = requested_element(ctx)
    form = element_form(ctx, before, ctx.request.POST, draft=True)
    return ctx.render("builder/_preview.html", {"form": form, "preview": preview(ctx, formation, form)})
