"""The project's addresses: the app's own, and the admin."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [path("admin/", admin.site.urls), path("", include("rosters.urls"))]
handler400 = "rosters.views.errors.bad_request"
handler403 = "rosters.views.errors.forbidden"
handler404 = "rosters.views.errors.not_found"
handler500 = "rosters.views.errors.server_error"
