"""Addresses of the builder."""

from django.urls import path

from rosters.web.builder import copy_elements, elements, settings, views

urlpatterns = [
    path("new/<system:system>", views.start, name="start"),
    path("r/<token:token>/", views.roster, name="roster"),
    path("r/<token:token>/element", elements.element, name="element"),
    path("r/<token:token>/element/preview", elements.element_preview, name="element-preview"),
    path("r/<token:token>/formation", settings.formation, name="formation"),
    path("r/<token:token>/settings", settings.settings, name="settings"),
    path("r/<token:token>/settings/preview", settings.settings_live, name="settings-preview"),
    path("r/<token:token>/add", copy_elements.add_from, name="add-from"),
]
