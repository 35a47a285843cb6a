"""The project's URLs: the app's own, the admin's and allauth's."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("rosters.urls")),
    path("account/", include("allauth.account.urls")),
]
handler400 = "rosters.web.http.errors.bad_request"
handler403 = "rosters.web.http.errors.forbidden"
handler404 = "rosters.web.http.errors.not_found"
handler429 = "rosters.web.http.errors.too_many"  # allauth's rate limits
handler500 = "rosters.web.http.errors.server_error"
