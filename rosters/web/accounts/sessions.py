"""Where an account is signed in, by allauth's rows: list the browsers, sign out one of them or all others."""

from typing import Any

from allauth.decorators import rate_limit
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import get_user_model, update_session_auth_hash
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from rosters.web.accounts.forms import SignOutOthersForm
from rosters.web.http.permissions import account_view

BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
PLATFORMS = ("Android", "iPhone", "iPad", "Windows", "Macintosh", "CrOS", "Linux")
"""Names of browsers and platforms in a User-Agent header; the first match counts."""


def browser_name(user_agent: str) -> str:
    """A browser in words, such as "Firefox, Windows"."""
    browser = next((name for part, name in BROWSERS.items() if part in user_agent), _("Unknown browser"))
    platform = next((name for name in PLATFORMS if name in user_agent), "")
    return f"{browser}, {platform}" if platform else browser


@account_view("GET", "POST")
@rate_limit(action="reauthenticate")  # type: ignore[untyped-decorator]
def sessions(request: HttpRequest) -> HttpResponse:
    """List the browsers that are signed in; POST with the password signs out all others."""
    user: Any = request.user
    form = SignOutOthersForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        sign_out_others(request, form.cleaned_data["password"])
        messages.success(request, _("Signed out all other browsers."))
        return redirect("sessions")
    rows = sorted(UserSession.objects.purge_and_list(user), key=lambda row: row.created_at, reverse=True)
    named = [(row, browser_name(row.user_agent), row.session_key == request.session.session_key) for row in rows]
    return render(request, "accounts/sessions.html", {"form": form, "rows": named}, status=422 if form.errors else 200)


@account_view("POST")
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign out one other browser."""
    others = UserSession.objects.filter(user=request.user).exclude(session_key=request.session.session_key)
    if row := others.filter(pk=pk).first():
        row.end()
        messages.success(request, _("Signed out the browser."))
    else:
        messages.warning(request, _("That browser is no longer signed in to your account."))
    return redirect("sessions")


def sign_out_others(request: HttpRequest, password: str) -> None:
    """End all sessions of the account but this one, also those from before sessions were listed.

    Sessions name the hash of the password, and the same password has another hash with other salt.
    """
    user: Any = request.user
    accounts, new = get_user_model().objects.filter(pk=user.pk, password=user.password), make_password(password)
    if not accounts.update(password=new):
        return  # the password was changed meanwhile, which has ended them
    user.password, old_key = new, request.session.session_key
    update_session_auth_hash(request, user)
    UserSession.objects.filter(session_key=old_key).update(session_key=request.session.session_key)
    for row in UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key):
        row.end()
