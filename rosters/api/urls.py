"""Addresses of the HTTP API and its documentation."""

from django.urls import path

from rosters.api import docs_page
from rosters.api.operations import addresses

urlpatterns = [
    path("api/", docs_page.page, name="api"),
    path("api/v1/openapi.json", docs_page.served, name="openapi"),
    *addresses(),
]
