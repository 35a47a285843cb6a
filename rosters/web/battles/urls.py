"""Addresses of battles, and of the page that checks many links."""

from django.urls import path

from rosters.web.battles import link_check, views

urlpatterns = [
    path("battle/new", views.new, name="battle-new"),
    path("b/<token:token>", views.battle, name="battle"),
    path("b/<token:token>.pdf", views.pdf, name="battle-pdf"),
    path("b/<token:token>/opponent", views.opponent, name="battle-opponent"),
    path("check", link_check.check, name="check"),
]
