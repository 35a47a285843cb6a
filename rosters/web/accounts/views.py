"""Accounts: what one holds, claiming this browser's rosters, taking all away, deleting all. Sign-in is allauth's."""

from tempfile import TemporaryFile
from typing import Any, cast

from allauth.account import views as allauth_views
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import logout
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from rosters.models import Battle, Roster
from rosters.store import writer
from rosters.web.accounts import account_export
from rosters.web.battles import service as battles
from rosters.web.http import permissions
from rosters.web.http.permissions import Permission, account_view, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.library import queries as shelf
from rosters.web.library.views import claimable, count_noun, selection

MAX_OFFERED = 500
"""Rosters, and battles, that the page of claiming offers at once."""

# ---------------------------------------------------------------- the account


@never_cache
@public_view("GET", permission=Permission.ACCOUNT)
def account(request: HttpRequest) -> HttpResponse:
    """The account, and what can be done with it. Who signs in here goes on by way of `claim`."""
    if permissions.account_of(request) is None:
        return redirect("account_login")
    lines = shelf.roster_summaries(request)
    context = {
        "holds": account_totals(request.user),
        "claimable": claimable(request, lines),
        "name": permissions.display_name(request.user),
    }
    return render(request, "accounts/account.html", context)


def account_totals(user: Any) -> dict[str, Any]:
    """How much an account holds."""
    rosters = Roster.objects.filter(owner=user)
    return {
        "rosters": rosters.filter(binned=None).count(),
        "binned": rosters.exclude(binned=None).count(),
        "battles": Battle.objects.filter(owner=user).count(),
        "alone": battles.solo_battles(user).count(),
        "tokens": user.api_tokens.count(),
    }


@account_view("GET", "POST")
def claim(request: HttpRequest) -> HttpResponse:
    """Offer to put what this browser began and no account owns under the account: only what is ticked."""
    offered = [line for line in shelf.roster_summaries(request) if line.claimable]
    met = permissions.battles_to_claim(request)
    if request.method == "POST":
        keys = [line.pk for line in selection(request, offered)]
        report_claimed(
            request,
            writer.claim(Roster.objects.filter(pk__in=keys), request.user),
            battles.claim(met.filter(token__in=request.POST.getlist("battle")), request.user),
        )
    elif offered or met.exists():
        rows = shelf.roster_rows(offered[:MAX_OFFERED])
        context = {
            "rows": rows,
            "more": len(offered) - len(rows),
            "battles": battles.battle_summaries(met, MAX_OFFERED),
        }
        return render(request, "accounts/claim.html", context)
    return redirect("mine")


def report_claimed(request: HttpRequest, rosters: int, met: int) -> None:
    """Say on the next page what was claimed, if anything was."""
    numbers = [count_noun(number, what) for number, what in ((rosters, "roster"), (met, "battle")) if number]
    if numbers:
        text = f"{' and '.join(numbers)} now under your account: open on every device you sign in on."
        messages.success(request, text)


@account_view("GET")
@rate_limited("DOWNLOADS_A_MINUTE")
def download(request: HttpRequest) -> HttpResponse:
    """Everything the account holds, as one zip."""
    file = TemporaryFile()  # noqa: SIM115 - the response closes it when it is sent
    account_export.write_zip(request.user, file)
    file.seek(0)
    response: Any = FileResponse(file, as_attachment=True, filename="armybuilder-account.zip")
    return cast(HttpResponse, response)


@account_view("GET", "POST")
def delete(request: HttpRequest) -> HttpResponse:
    """Say what would go; with the password, delete the account and all it holds, for good."""
    user: Any = request.user
    context = {"holds": account_totals(user), "name": permissions.display_name(user)}
    if request.method != "POST":
        return render(request, "accounts/delete_account.html", context)
    refused: HttpResponse | None = ratelimit.consume_or_429(request, action="reauthenticate", user=user)
    if refused is not None:
        return refused
    if not user.check_password(request.POST.get("password", "")):
        return render(request, "accounts/delete_account.html", context | {"wrong": True}, status=422)
    logout(request)
    writer.delete_account(user)
    messages.success(request, "Your account and everything it held is deleted.")
    return redirect("home")


# ---------------------------------------------------------------- signing in and out


@public_view("GET", "POST")
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out; on somebody else's computer, leave nothing of the account open in its browser."""
    user = permissions.account_of(request)
    if request.method == "POST" and user is not None and request.POST.get("forget"):
        writer.revoke_browser(user, permissions.browser_key_hash(request))
    response: HttpResponse = allauth_views.logout(request)
    return response
