"""API tokens of the signed-in account: create, show once, revoke."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from rosters.store import api_tokens as tokens
from rosters.web.accounts.forms import ApiTokenForm
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import account_view


@account_view("GET", "POST")
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth ships no types
def api_tokens(request: HttpRequest) -> HttpResponse:
    """List the account's tokens; POST creates one, which is shown in that response alone."""
    if "revoke" in request.POST:
        return redirect_outdated(request, "api-tokens")
    form = ApiTokenForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, form, status=422 if form.is_bound else 200)
    try:
        secret = tokens.create_token(request.user, **form.token_values())
    except tokens.TooManyTokens as error:
        form.add_error("name", str(error))
        return _page(request, form, status=422)
    return _page(request, ApiTokenForm(), secret=secret, named=form.cleaned_data["name"])


@account_view("POST")
def revoke(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke one of the account's tokens."""
    if tokens.revoke_token(request.user, number):
        messages.success(request, _("Token revoked. It no longer works."))
    else:
        messages.warning(request, _("Your account has no such token."))
    return redirect("api-tokens")


def _page(request: HttpRequest, form: ApiTokenForm, *, status: int = 200, **context: Any) -> HttpResponse:
    user: Any = request.user
    context |= {"form": form, "tokens": user.api_tokens.order_by("-created", "-pk")}
    return render(request, "accounts/tokens.html", context, status=status)
