"""URLs of record sheets."""

from django.urls import path

from rosters.web.printing import views

urlpatterns = [
    path("s/<token:token>.pdf", views.pdf, name="shared-pdf"),
    path("s/<token:token>/page-one.png", views.first_page, name="page-one"),
    path("r/<token:token>/sheets.pdf", views.own_pdf, name="own-pdf"),
    path("r/<token:token>/page-one.png", views.own_first_page, name="own-page-one"),
    path("s/<token:token>/print", views.print_page, name="print"),
    path("s/<token:token>/print/default", views.save_as_default, name="print-default"),
    path("blank/<system:system>.pdf", views.blank, name="blank"),
]
