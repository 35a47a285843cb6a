"""URLs of accounts and their API tokens."""

from django.urls import path

from rosters.web.accounts import tokens, views

urlpatterns = [
    path("account/logout/", views.sign_out, name="account_logout"),
    path("account/", views.account, name="account"),
    path("account/claim", views.claim, name="claim"),
    path("account/download", views.download, name="account-download"),
    path("account/delete", views.delete, name="account-delete"),
    path("account/tokens", tokens.api_tokens, name="api-tokens"),
    path("account/tokens/<int:number>/revoke", tokens.revoke, name="revoke-token"),
]
