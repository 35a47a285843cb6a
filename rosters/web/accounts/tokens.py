"""API tokens of the account that is signed in: issue one, see it once, revoke it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from rosters.models import ApiToken
from rosters.store import api_tokens as tokens
from rosters.web.http.permissions import account_view


class ApiTokenForm(forms.Form):
    """What a token is for."""

    name = forms.CharField(
        max_length=ApiToken._meta.get_field("name").max_length,
        label="What is it for?",
        error_messages={"required": "Give it a name, so that you know later which one to revoke."},
    )


@account_view("GET", "POST")
def api_tokens(request: HttpRequest) -> HttpResponse:
    """The account's tokens. A new one is shown in the answer that issued it, and never again."""
    if request.method != "POST":
        return page(request, ApiTokenForm())
    if "revoke" in request.POST:
        return revoke(request, request.POST["revoke"])
    form = ApiTokenForm(request.POST)
    if not form.is_valid():
        return page(request, form, status=422)
    try:
        secret = tokens.create_token(request.user, form.cleaned_data["name"])
    except tokens.TooManyTokens as many:
        form.add_error("name", str(many))
        return page(request, form, status=422)
    return page(request, ApiTokenForm(), secret=secret, named=form.cleaned_data["name"])


def revoke(request: HttpRequest, key: str) -> HttpResponse:
    """Revoke the token with this key, if it is the account's. Raises Http404."""
    if not (key.isascii() and key.isdecimal() and tokens.revoke_token(request.user, int(key[:18]))):
        raise Http404("There is no such token.")
    messages.success(request, "Revoked: that token opens nothing any more.")
    return redirect("api-tokens")


def page(request: HttpRequest, form: ApiTokenForm, *, status: int = 200, **shown: Any) -> HttpResponse:
    user: Any = request.user
    context = {"form": form, "found": user.api_tokens.order_by("-created", "-pk"), "most": tokens.MAX_TOKENS, **shown}
    return render(request, "accounts/tokens.html", context, status=status)
