"""URLs of accounts, their sessions and API tokens."""

from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import path

from rosters.web.accounts import sessions, tokens, views
from rosters.web.http.permissions import account_view, public_view

read, change = account_view("GET"), account_view("GET", "POST")

urlpatterns = [
    path("account/logout/", views.sign_out, name="account_logout"),
    path("account/", views.account, name="account"),
    path("account/claim", views.claim, name="claim"),
    path("account/download", views.download, name="account-download"),
    path("account/delete", views.delete, name="account-delete"),
    path("account/tokens", tokens.api_tokens, name="api-tokens"),
    path("account/tokens/<int:number>/revoke", tokens.revoke, name="revoke-token"),
    path("account/sessions", sessions.sessions, name="sessions"),
    path("account/sessions/<int:pk>/end", sessions.end_session, name="end-session"),
    path("account/2fa/", read(mfa.index), name="mfa_index"),
    path("account/2fa/authenticate/", public_view("GET", "POST")(mfa.authenticate), name="mfa_authenticate"),
    path("account/2fa/reauthenticate/", change(mfa.reauthenticate), name="mfa_reauthenticate"),
    path("account/2fa/totp/activate/", change(totp.activate_totp), name="mfa_activate_totp"),
    path("account/2fa/totp/deactivate/", change(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("account/2fa/recovery-codes/", read(recovery_codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "account/2fa/recovery-codes/generate/",
        change(recovery_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "account/2fa/recovery-codes/download/",
        read(recovery_codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
]
