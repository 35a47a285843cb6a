"""The admin: signing in is allauth's, with a second factor if the operator requires it of staff."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _


class AdminSite(admin.AdminSite):
    """Django's admin, for staff with the factors that STAFF_SECOND_FACTOR requires."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not lacks_second_factor(request.user)

    @method_decorator(secure_admin_login)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to sign-in, to the set-up of a second factor, or to the admin."""
        if lacks_second_factor(request.user):
            messages.warning(request, _("The admin needs two-factor authentication. Set up an authenticator app."))
            return redirect("mfa_activate_totp")
        return redirect("admin:index")


def lacks_second_factor(user: Any) -> bool:
    """Whether a second factor is required of this member of staff, who has none."""
    return settings.STAFF_SECOND_FACTOR and not is_mfa_enabled(user, [Authenticator.Type.TOTP])
