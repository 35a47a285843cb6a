"""Addresses of the play page."""

from django.urls import path

from rosters.web.play import views

urlpatterns = [
    path("r/<token:token>/marks", views.play_page, name="marks"),
]
