"""What anyone with a link may do: read a roster, take its document, start from a copy, open an edit link."""

import hashlib
import re
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from rosters import registry
from rosters.core import edits
from rosters.models import Roster
from rosters.store import snapshots, writer
from rosters.store.state import export_json, visible_state
from rosters.web import roster_page
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.permissions import READ, Permission, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.downloads import chat_preview

EDIT_LINK = "edit-link"
"""The tag of the one message that shows a new edit link."""


def receipt_parameter(request: HttpRequest) -> frozenset[str]:
    """The elements whose receipts the address asks for."""
    return frozenset(request.GET.getlist("receipt"))


def show_edit_link(request: HttpRequest, roster: Roster, secret: str) -> None:
    """Have the next page show the edit link, once."""
    path = reverse("edit-link", args=[roster.token, secret])
    messages.success(request, request.build_absolute_uri(path), extra_tags=EDIT_LINK)


def revision_parameter(request: HttpRequest, name: str) -> int | None:
    """The number of a revision that the address names, None without one. Raises BadRequest."""
    text = request.GET.get(name)
    if text is not None and not re.fullmatch(r"[0-9]{1,9}", text):
        raise BadRequest(f"{name}: “{text[:60]}” is no number of a revision.")
    return None if text is None else int(text)


def changes_since_parameter(request: HttpRequest, roster: Roster) -> dict[str, Any] | None:
    """What has changed since the revision that the address names, for those who only read."""
    number = revision_parameter(request, "since")
    return None if number is None else {"number": number, "changes": snapshots.changes_since(roster, number)}


@cache
def release() -> str:
    """What tells one state of our pages from another: when their files were last written."""
    folders = [settings.BASE_DIR / "templates", settings.BASE_DIR / "static"]
    return str(max(path.stat().st_mtime_ns for folder in folders for path in folder.rglob("*") if path.is_file()))


def page_etag(request: HttpRequest, roster: Roster, editable: bool) -> str:
    """An ETag of everything that the read-only page depends on: the roster, the visitor, and our own release."""
    hidden = (roster.hide_points, roster.hide_notes, roster.hide_secrets, roster.visibility)
    account, cookies = permissions.account_of(request), request.COOKIES
    visitor = (account and account.pk, editable, cookies.get(settings.CSRF_COOKIE_NAME), cookies.get("messages"))
    address = request.build_absolute_uri()
    edition = registry.SYSTEMS[roster.system].rules.EDITION
    parts = (roster.token, roster.revision, edition, hidden, visitor, address, release())
    return f'W/"{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"'


@roster_view(READ, "GET")
def shared(ctx: RosterContext) -> HttpResponse:
    """The read-only page of a roster; 304 for a visitor who has it as it is."""
    request, roster, editable = ctx.request, ctx.roster, ctx.editable
    if page_etag(request, roster, editable) in request.headers.get("If-None-Match", ""):
        response = HttpResponse(status=304)
    else:
        response = shared_page(request, roster, editable)
    response["ETag"] = page_etag(request, roster, editable)
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Cookie"])
    return response


def shared_page(request: HttpRequest, roster: Roster, editable: bool) -> HttpResponse:
    token, state = roster.token, visible_state(roster, False)
    sheet = roster_page.roster_page(state, receipt_parameter(request))
    since = changes_since_parameter(request, roster)
    chat = chat_preview(request, reverse("shared", args=[token]), state)
    context = {"roster": roster, "sheet": sheet, "editable": editable, "since": since, "chat": chat}
    return render(request, "sharing/shared.html", context)


@roster_view(READ, "GET")
def shared_json(ctx: RosterContext) -> JsonResponse:
    """The roster as a document."""
    data = export_json(ctx.roster, ctx.visible.document)
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})


@rate_limited("CREATIONS_A_MINUTE")
@roster_view(READ, "POST")
def copy(ctx: RosterContext) -> HttpResponse:
    """Start a roster of one's own from what is shown of an army; a duplicate of one's own is whole."""
    browser, owner = permissions.browser_for(ctx.request), permissions.account_of(ctx.request)
    if ctx.editable:
        made = writer.duplicate(ctx.roster, browser=browser, owner=owner)
    else:
        made = writer.create(edits.copy_roster(ctx.visible.document, ctx.roster.name), browser=browser, owner=owner)
    show_edit_link(ctx.request, made.roster, made.secret)
    return redirect("roster", made.roster.token)


@public_view("GET", permission=Permission.EDIT_LINK)
def edit_link(request: HttpRequest, token: str, secret: str) -> HttpResponse:
    """Let this browser edit, and go on to an address without the secret."""
    roster = permissions.roster_for_edit_link(token, secret)
    if not permissions.may_edit(request, roster):
        writer.grant_edit(roster, permissions.browser_for(request))
    return redirect("roster", token)
