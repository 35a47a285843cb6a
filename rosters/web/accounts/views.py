"""Accounts: the account page, claiming this browser's rosters, download, deletion. Sign-in is allauth's."""

from tempfile import TemporaryFile
from typing import Any, cast

from allauth.account import views as allauth_views
from allauth.decorators import rate_limit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import FileResponse, HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from rosters.models import Battle, Roster, Shelf, ShelfEntry
from rosters.store import access, shelf, writer
from rosters.web.accounts import account_export
from rosters.web.accounts.forms import MAX_CLAIMED, ClaimForm, DeleteAccountForm
from rosters.web.battles import service as battles
from rosters.web.http import permissions
from rosters.web.http.permissions import Permission, account_view, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.library.queries import CLAIMABLE, count_rosters_text, my_rosters_with_bin, with_systems

# ---------------------------------------------------------------- the account


@never_cache
@public_view("GET", permission=Permission.ACCOUNT)
def account(request: HttpRequest) -> HttpResponse:
    """Show the account page; redirect visitors to sign-in."""
    if permissions.account_of(request) is None:
        return redirect("account_login")
    context = {
        "totals": account_totals(request.user),
        "claimable": my_rosters_with_bin(request).filter(CLAIMABLE).count(),
        "name": permissions.display_name(request.user),
    }
    return render(request, "accounts/account.html", context)


def account_totals(user: Any) -> dict[str, Any]:
    """Counts of what belongs to an account."""
    rosters = Roster.objects.filter(owner=user)
    return {
        "rosters": rosters.filter(binned=None).count(),
        "binned": rosters.exclude(binned=None).count(),
        "battles": Battle.objects.filter(owner=user).count(),
        "alone": battles.solo_battles(user).count(),
        "tokens": user.api_tokens.count(),
        "shelf": ShelfEntry.objects.filter(shelf__owner=user).count(),
    }


@account_view("GET", "POST")
def claim(request: HttpRequest) -> HttpResponse:
    """List this browser's rosters and battles, and the shelf, that no account owns; POST claims the selected ones."""
    rosters = my_rosters_with_bin(request).filter(CLAIMABLE)
    own_battles, own_shelf = (
        permissions.battles_to_claim(request),
        shelf.claimable(permissions.visitor_of(request)).first(),
    )
    if request.method == "POST":
        form = ClaimForm(rosters, own_battles, request.POST)
        form.is_valid()  # always true: tokens of others count as not sent
        selected = Roster.objects.filter(pk__in=[roster.pk for roster in form.cleaned_data["pick"]])
        report_claimed(
            request,
            writer.claim(selected, request.user, permissions.visitor_of(request)),
            battles.claim(form.cleaned_data["battle"], request.user),
        )
        if form.cleaned_data["shelf"] and own_shelf:
            _claim_shelf(request, own_shelf)
        _report_unclaimed(request)
        return redirect("mine")
    rows, number = with_systems(rosters[:MAX_CLAIMED]), rosters.count()
    if not rows and own_shelf is None and not own_battles.exists():
        return redirect("mine")
    context = {
        "rows": rows,
        "more": number - len(rows),
        "shelf": own_shelf,
        "battles": battles.battle_summaries(own_battles, MAX_CLAIMED, permissions.visitor_of(request)),
    }
    return render(request, "accounts/claim.html", context)


def _claim_shelf(request: HttpRequest, own_shelf: Shelf) -> None:
    try:
        shelf.claim(own_shelf, request.user, permissions.visitor_of(request))
    except shelf.ShelfLimit as error:
        messages.error(request, str(error))
    except access.AccessEnded:
        messages.error(request, _("The shelf was not added to your account: it has another owner now, or was deleted."))
    else:
        messages.success(request, _("Claimed the shelf."))


def _report_unclaimed(request: HttpRequest) -> None:
    """Add a message with the number of selected rosters and battles that are not the account's, if any."""
    user: Any = request.user
    form = ClaimForm(Roster.objects.filter(owner=user), Battle.objects.filter(owner=user), request.POST)
    form.is_valid()
    sent = {*request.POST.getlist("pick"), *request.POST.getlist("battle")}
    number = len(sent) - len(form.cleaned_data["pick"]) - len(form.cleaned_data["battle"])
    if number:
        text = ngettext(
            "%(number)d selected roster or battle was not added: it has another owner now, or was deleted.",
            "%(number)d selected rosters or battles were not added: they have other owners now, or were deleted.",
            number,
        )
        messages.warning(request, text % {"number": number})


def report_claimed(request: HttpRequest, rosters: int, own_battles: int) -> None:
    """Add a message for the next page with the number of claimed rosters and battles, if any."""
    items = [count_rosters_text(rosters)] if rosters else []
    if own_battles:
        items.append(ngettext("%(number)d battle", "%(number)d battles", own_battles) % {"number": own_battles})
    if items:
        text = _("Added to your account: %(items)s. You find them on every device where you sign in.")
        messages.success(request, text % {"items": get_text_list(items, _("and"))})


@rate_limited("DOWNLOADS_A_MINUTE")
@account_view("GET")
def download(request: HttpRequest) -> HttpResponse:
    """Send the account's export as a zip."""
    file = TemporaryFile()  # noqa: SIM115 - the response closes it when it is sent
    account_export.write_zip(request.user, file)
    file.seek(0)
    response: Any = FileResponse(file, as_attachment=True, filename="armybuilder-account.zip")
    return cast(HttpResponse, response)


@account_view("GET", "POST")
@rate_limit(action="reauthenticate")  # type: ignore[untyped-decorator]
def delete(request: HttpRequest) -> HttpResponse:
    """Show what would be deleted; POST with the password deletes the account and everything in it permanently."""
    user: Any = request.user
    form = DeleteAccountForm(user, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {"form": form, "totals": account_totals(user), "name": permissions.display_name(user)}
        return render(request, "accounts/delete_account.html", context, status=422 if form.is_bound else 200)
    writer.delete_account(user)
    logout(request)  # last: if the deletion fails, the account stays signed in
    messages.success(request, _("Deleted your account and everything in it."))
    return redirect("home")


# ---------------------------------------------------------------- signing in and out


@public_view("GET", "POST")
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out; on a shared computer, also revoke this browser's access to the account's rosters and by links.

    A new CSRF token makes unsent.js forget drafts in this browser.
    """
    user = permissions.account_of(request)
    if request.method == "POST":
        rotate_token(request)
    if request.method == "POST" and user is not None and request.POST.get("forget"):
        access.forget_browser(user, permissions.browser_key_hash(request))
    response: HttpResponse = allauth_views.logout(request)
    if request.POST.get("forget"):
        response.delete_cookie(settings.LINKS_COOKIE, samesite="Lax")
    return response
