"""The share link: read a roster, take its document, copy it; and the edit link."""

from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django_htmx.http import reswap

from rosters.core import edits
from rosters.models import Roster
from rosters.store import access, pairs, snapshots, writer
from rosters.store.access import Access, AccessEnded
from rosters.store.snapshots import state_in_play
from rosters.store.state import export_json
from rosters.web import roster_page
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.errors import access_ended
from rosters.web.http.permissions import READ, Permission, public_view
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import count_created, is_over_limit, rate_limited, too_many_response
from rosters.web.sharing.cached import shared_view
from rosters.web.sharing.compare import Balance, balance, compared_version
from rosters.web.sharing.forms import SharedQuery, VersionQuery
from rosters.web.sharing.link_preview import roster_tags
from rosters.web.sharing.links import Link, version_path
from rosters.web.sharing.versions import RosterVersion


@shared_view(*SharedQuery.base_fields)
def shared(ctx: RosterContext) -> HttpResponse:
    """Show the read-only page of a roster."""
    query = cleaned_query(SharedQuery(ctx.request.GET))
    if query["since"] is not None and is_over_limit(ctx.request, "COMPARISONS_A_MINUTE", settings.COMPARISONS_A_MINUTE):
        return too_many_response(ctx.request)
    state = state_in_play(ctx.roster, complete=False)
    context = {
        "roster_page": roster_page.build_page(state, query),
        "receipts": bool(query["receipt"]),
        "pair_name": pairs.pair_name(ctx.roster.sample),
        "playable": ctx.roster.sample not in pairs.design_books(),
        "since": changes_since(ctx.roster, query["since"]),
        "open_graph": roster_tags(ctx.request, version_path(ctx.roster), state),
    }
    return ctx.render("sharing/shared.html", context)


def changes_since(roster: Roster, number: int | None) -> dict[str, Any] | None:
    """The changes since a version as others may see them; None if no version is given. Raises Http404."""
    return None if number is None else {"number": number, "changes": snapshots.changes_since(roster, number)}


@shared_view()
def shared_json(ctx: RosterContext) -> JsonResponse:
    """Send the roster as a document, as others see it."""
    data = export_json(ctx.roster, state_in_play(ctx.roster, complete=False).document)
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})


@never_cache
@roster_view(READ, "GET")
def tools(ctx: RosterContext) -> HttpResponse:
    """This visitor's part of a shared roster: a page to copy it, with the visitor's last roster beside it; for htmx, on
    the shared page, that comparison, or the link of an editor, who does not play against it.
    """
    number = cleaned_query(VersionQuery(ctx.request.GET))["version"]
    context = {"number": number, "beside": own_comparison(ctx, number), "numbers": (1, 2)}
    if not ctx.request.htmx:  # type: ignore[attr-defined]
        page = roster_page.build_page(snapshots.state_at(ctx.roster, number, complete=False))
        return ctx.render("sharing/tools.html", context | {"roster_page": page})
    if not ctx.editable and context["beside"] is None:
        return HttpResponse(status=204)
    edits_live = ctx.editable and number is None
    response = ctx.render("sharing/_visitor.html", context | {"own": ctx.editable, "edits_live": edits_live})
    return response if edits_live else reswap(response, "none")


class OwnComparison(NamedTuple):
    """The visitor's last changed roster compared with a shared one of the same game, in figures."""

    mine: RosterVersion
    theirs: RosterVersion
    comparison: Balance


def own_comparison(ctx: RosterContext, number: int | None) -> OwnComparison | None:
    """The visitor's last roster compared with this one; None if either is empty, if this is one's own, and above the
    limit of comparisons.
    """
    if ctx.editable:
        return None
    mine = permissions.my_rosters(ctx.request).filter(system=ctx.roster.system, archived=False, quantity__gt=0)
    last = mine.exclude(pk=ctx.roster.pk).values_list("token", flat=True).first()
    if last is None or is_over_limit(ctx.request, "COMPARISONS_A_MINUTE", settings.COMPARISONS_A_MINUTE):
        return None
    versions = (compared_version(ctx.request, link) for link in (Link(last), Link(ctx.roster.token, number)))
    a, b = versions
    return OwnComparison(a, b, balance(a, b)) if b.state.appraisal.quantity else None


@rate_limited("CREATIONS_A_MINUTE")
@roster_view(READ, "POST")
def copy(ctx: RosterContext) -> HttpResponse:
    """Copy a roster, or one of its versions, as the visitor sees it; duplicate it completely for an editor."""
    number = cleaned_query(VersionQuery(ctx.request.POST))["version"]
    editable, _owned = access.access_filters(ctx.visitor)
    taken = {*Roster.objects.filter(editable, binned=None).values_list("name", flat=True)}
    name = edits.numbered_name(ctx.roster.name, taken)
    browser, owner = permissions.browser_for(ctx.request), permissions.account_of(ctx.request)
    if number is not None:
        document = snapshots.state_at(ctx.roster, number, complete=ctx.editable, elements=False).document
        created = writer.create(edits.copy_roster(document, name), browser=browser, owner=owner)
    elif ctx.editable:
        created = writer.duplicate(ctx.roster, name, browser=browser, owner=owner)
    else:
        created = writer.create(edits.copy_roster(ctx.visible.document, name), browser=browser, owner=owner)
    count_created(ctx.request, len(created.roster.document.encode()))
    return redirect("roster", created.roster.token)


@never_cache
@public_view("GET", permission=Permission.EDIT_LINK)
def open_link(request: HttpRequest, token: str, secret: str) -> HttpResponse:
    """Let this browser edit the roster by its owner link or an edit link, and redirect to a URL without the secret.

    Nothing is written: a cookie names the link.
    """
    try:
        roster = permissions.roster_for_link(token, secret)
    except AccessEnded:
        return access_ended(request, 410)
    response = redirect("roster", token)
    if request.method == "GET" and access.access_of(permissions.visitor_of(request), roster) < Access.OWNER:
        permissions.remember_link(request, response, roster.pk, secret)
    return response
