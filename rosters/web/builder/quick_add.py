"""Quick add: a line of text becomes an element; its preview is shown while it is typed."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext

from rosters.core import edits
from rosters.core.documents import Element, Formation, new_id
from rosters.core.lists import heading_of
from rosters.core.messages import Message, _, translate
from rosters.store import writer
from rosters.web.builder.forms import LineForm
from rosters.web.builder.line_preview import (
    addition,
    chosen_element,
    preview_of,
    suggestions_of,
    target_of,
    without_parses,
)
from rosters.web.builder.page import all_rows, changed_rows, roster_response
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "GET")
def preview_line(ctx: RosterContext) -> HttpResponse:
    """Show the preview of a line; nothing is saved."""
    form = LineForm(ctx.request.GET)
    form.is_valid()
    preview = preview_of(ctx, form)
    if "line" not in form.errors:
        preview["names"] = suggestions_of(ctx, preview["line"])
    return ctx.render("builder/_line_preview.html", {"line_preview": preview})


@roster_view(EDIT, "POST")
def add_line(ctx: RosterContext) -> HttpResponse:
    """Add the element of a line. 422 with its parses where there are several and none was selected."""
    if ctx.is_repeated:
        return _added_before(ctx)
    form = LineForm(ctx.request.POST)
    form.is_valid()
    preview = preview_of(ctx, form)
    heading = None if "line" in form.errors else heading_of(preview["line"].strip())
    element = chosen_element(preview, form)
    try:
        if heading:
            return _add_formation(ctx, heading)
        if element:
            return _add(ctx, target_of(ctx, form.cleaned_data["in"]), element)
    except writer.RepeatedRequest:
        return _added_before(ctx)
    except edits.LimitExceeded as error:
        preview |= without_parses(preview["line"], error.faults[0].message)
    except edits.ElementNotFound:
        text = gettext("That is no longer in the roster: it was changed elsewhere. Nothing was changed.")
        preview |= without_parses(preview["line"], text)
    if ctx.wants_fragment:
        return ctx.render("builder/_line_preview.html", {"line_preview": preview}, status=422)
    if not preview["line"].strip():
        preview["errors"] = [{"message": gettext("Type a line first.")}]
    return roster_response(ctx, line_preview=preview, line_in=form.cleaned_data["in"])


def _add(ctx: RosterContext, formation: Formation[Any], element: Element) -> HttpResponse:
    ctx.save(addition(ctx, formation, element), _("Added {name}").format(name=element.display_name))
    text = _("Added {quantity} × {name} to {formation}.")
    text = text.format(quantity=element.quantity, name=element.display_name, formation=formation.name)
    return _added(ctx, "e", str(element.id), text)


def _add_formation(ctx: RosterContext, name: str) -> HttpResponse:
    formation = Formation[Any](id=new_id(), name=name[:120])
    ctx.save(edits.add_formation(formation), _("Added {name}").format(name=formation.name))
    return _added(ctx, "f", str(formation.id), _("Added {name}.").format(name=formation.name))


def _added_before(ctx: RosterContext) -> HttpResponse:
    return all_rows(ctx.refreshed()) if ctx.wants_fragment else ctx.redirect()


def _added(ctx: RosterContext, kind: str, uid: str, text: Message) -> HttpResponse:
    """The new row alone for a script, else a redirect to the page at that row; with a message that links to it."""
    messages.success(ctx.request, translate(text), extra_tags=f"at {kind}-{uid}")
    return changed_rows(ctx.refreshed(), [uid]) if ctx.wants_fragment else ctx.redirect(kind, uid)
