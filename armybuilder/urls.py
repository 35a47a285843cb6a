"""The project's addresses: the app's own, and the admin."""

from django.contrib import admin
from django.urls import include, path

from rosters.limits import limited
from rosters.views.accounts import SIGNING

urlpatterns = [
    path("admin/login/", limited("SIGN_INS_A_MINUTE", "POST")(admin.site.login)),
    path("admin/", admin.site.urls),
    path("account/", include(SIGNING)),
    path("", include("rosters.urls")),
]
handler400 = "rosters.views.errors.bad_request"
handler403 = "rosters.views.errors.forbidden"
handler404 = "rosters.views.errors.not_found"
handler429 = "rosters.views.errors.too_many"  # allauth asks for it when somebody tries too often
handler500 = "rosters.views.errors.server_error"
