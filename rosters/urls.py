"""Every address of the app, by feature. Those that people hold (share, edit and battle links) never change."""

from django.urls import include, path

from rosters.web.http import converters, probes

__all__ = ["converters", "urlpatterns"]

urlpatterns = [
    *(
        path("", include(f"rosters.{package}.urls"))
        for package in (
            "web.library",
            "web.builder",
            "web.play",
            "web.printing",
            "web.sharing",
            "web.battles",
            "web.accounts",
            "api",
        )
    ),
    path("health", probes.health, name="health"),
    path("ready", probes.ready, name="ready"),
    path("metrics", probes.metrics, name="metrics"),
]
