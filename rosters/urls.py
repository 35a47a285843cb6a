"""Every URL of the app, by feature. Those that people hold (share, edit and battle links) never change."""

from django.urls import include, path

from rosters.web.http import converters, probes

__all__ = ["converters", "urlpatterns"]  # importing the converters registers them

urlpatterns = [
    path("", include("rosters.web.library.urls")),
    path("", include("rosters.web.builder.urls")),
    path("", include("rosters.web.play.urls")),
    path("", include("rosters.web.printing.urls")),
    path("", include("rosters.web.sharing.urls")),
    path("", include("rosters.web.odds.urls")),
    path("", include("rosters.web.shelf.urls")),
    path("", include("rosters.web.battles.urls")),
    path("", include("rosters.web.accounts.urls")),
    path("", include("rosters.api.urls")),
    path("health", probes.health, name="health"),
    path("ready", probes.ready, name="ready"),
    path("metrics", probes.metrics, name="metrics"),
]
