"""Links and editors: the owner link, edit links, and the browsers that edit a roster. For its owner alone."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from rosters.models import EditLink, Editor
from rosters.store import access
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import OWNER, browser_key_hash
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing.forms import EditLinkForm, LinksQuery, ResetOwnerLinkForm

RowT = TypeVar("RowT", EditLink, Editor)


@never_cache
@rate_limited("CREATIONS_A_MINUTE", "POST")
@roster_view(OWNER, "GET", "POST")
def links(ctx: RosterContext) -> HttpResponse:
    """Show the links and who edits; POST creates an edit link."""
    form = EditLinkForm(ctx.post_data)
    if form.is_valid():
        try:
            link = access.create_link(ctx.roster, form.cleaned_data["name"], ctx.visitor)
        except access.TooManyLinks:
            text = _("A roster has at most %(number)d edit links. Revoke one that is no longer used.")
            form.add_error("name", text % {"number": access.MAX_LINKS})
        else:
            return _show(ctx, link, _("Created the edit link “%(name)s”. Copy it below."))
    shown = cleaned_query(LinksQuery(ctx.request.GET))["show"]
    visitor, editors = ctx.visitor, access.editors_of(ctx.roster)
    context = {
        "form": form,
        "links": [
            {"link": link, "shown": link.pk == shown, "address": _address(ctx, link.secret)}
            for link in access.links_of(ctx.roster)
        ],
        "editors": [(editor, access.can_remove(visitor, editor, ctx.roster)) for editor in editors],
        "more": ctx.roster.editors.count() - len(editors),
        "browser": browser_key_hash(ctx.request),
        "is_account": ctx.roster.owner_id is not None and ctx.roster.owner_id == visitor.account,
        "owner_link": _address(ctx, ctx.roster.owner_secret),
    }
    return ctx.render("sharing/links.html", context, status=422 if form.is_bound else 200)


def _address(ctx: RosterContext, encrypted: str) -> str:
    """The address of a link whose secret is stored like this; "" if it cannot be shown."""
    secret = access.decrypt(encrypted)
    return secret and ctx.request.build_absolute_uri(reverse("open-link", args=[ctx.roster.token, secret]))


def _show(ctx: RosterContext, link: EditLink, text: str) -> HttpResponse:
    """Redirect to the page of links, with this one shown."""
    messages.success(ctx.request, text % {"name": link.name})
    response = redirect("links", ctx.roster.token)
    response["Location"] += f"?show={link.pk}#link-{link.pk}"
    return response


def _confirmation(ctx: RosterContext, title: str, text: str, button: str, **more: Any) -> HttpResponse:
    """The confirmation page of an action that cannot be undone; its form posts to the same URL."""
    context = {"roster": ctx.roster, "title": title, "text": text, "button": button, **more}
    return render(ctx.request, "sharing/confirm.html", context)


@never_cache
@roster_view(OWNER, "GET", "POST")
def replace_link(ctx: RosterContext, pk: int) -> HttpResponse:
    """Ask, then give an edit link another address."""
    link = _active_link(ctx, pk)
    if ctx.request.method == "POST":
        return _show(
            ctx, access.replace_link(link, ctx.visitor), _("Replaced the edit link “%(name)s”. Copy the new one below.")
        )
    text = _("It gets a new address. The old one stops working. %(editors)s This cannot be undone.")
    return _confirmation(
        ctx, _named(_("Replace the edit link “%(name)s”?"), link), _ended(text, link), _("Replace link")
    )


@never_cache
@roster_view(OWNER, "GET", "POST")
def revoke_link(ctx: RosterContext, pk: int) -> HttpResponse:
    """Ask, then end an edit link."""
    link = _active_link(ctx, pk)
    if ctx.request.method == "POST":
        access.revoke_link(link, ctx.visitor)
        messages.success(ctx.request, _named(_("Revoked the edit link “%(name)s”."), link))
        return redirect("links", ctx.roster.token)
    text = _("The link stops working. %(editors)s This cannot be undone.")
    return _confirmation(ctx, _named(_("Revoke the edit link “%(name)s”?"), link), _ended(text, link), _("Revoke link"))


def _active_link(ctx: RosterContext, pk: int) -> EditLink:
    return _with_pk(access.links_of(ctx.roster), pk)


def _with_pk(rows: Iterable[RowT], pk: int) -> RowT:
    row = next((each for each in rows if each.pk == pk), None)
    if row is None:
        raise Http404
    return row


def _named(text: str, link: EditLink) -> str:
    return text % {"name": link.name}


def _ended(text: str, link: EditLink) -> str:
    """The text on the consequences of revoking a link, with the number of browsers that have used it."""
    number = link.editors.filter(removed=None).count()
    editors = ngettext(
        "Browsers that used it can no longer edit the roster: %(number)d has made a change so far.",
        "Browsers that used it can no longer edit the roster: %(number)d have made changes so far.",
        number,
    )
    return text % {"editors": editors % {"number": number}}


@never_cache
@roster_view(OWNER, "GET", "POST")
def reset_owner_link(ctx: RosterContext) -> HttpResponse:
    """Ask, then replace the owner link. Pages of earlier releases post here, too."""
    form = ResetOwnerLinkForm(ctx.post_data)
    if form.is_valid():
        access.reset_owner_link(ctx.roster, ctx.visitor, remove_others=form.cleaned_data["remove"])
        messages.success(ctx.request, _("Reset the owner link."))
        return redirect("links", ctx.roster.token)
    text = _(
        "The old owner link stops working, in programs too. Browsers that used it without making a change lose "
        "access. Those that made changes keep it, unless removed below. Edit links keep working. "
        "This cannot be undone."
    )
    browsers, claimed = access.editors_by_owner_link(ctx.roster, ctx.visitor)
    editors = browsers.order_by("pk")[: access.MAX_LISTED]
    more = {"form": form, "editors": editors, "more": browsers.count() - len(editors), "claimed": claimed}
    return _confirmation(ctx, _("Reset the owner link?"), text, _("Reset owner link"), **more)


@never_cache
@roster_view(OWNER, "GET", "POST")
def remove_editor(ctx: RosterContext, pk: int) -> HttpResponse:
    """Ask, then end the right of one browser to edit."""
    editors = access.editors_of(ctx.roster)
    editor = _with_pk((each for each in editors if access.can_remove(ctx.visitor, each, ctx.roster)), pk)
    if ctx.request.method == "POST":
        access.remove_editor(editor, ctx.visitor)
        messages.success(ctx.request, _("Removed the browser. It can no longer edit the roster."))
        return redirect("links", ctx.roster.token)
    if editor.link:
        text = _named(
            _("Anyone with the edit link “%(name)s” can open it again. To prevent that, replace the link."), editor.link
        )
    else:
        text = _("Anyone with the owner link can open it again. To prevent that, reset the owner link.")
    return _confirmation(ctx, _("Remove this browser?"), text, _("Remove browser"))
