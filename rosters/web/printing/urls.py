"""URLs of record sheets."""

from django.urls import path

from rosters.web.printing import views

urlpatterns = [
    path("s/<token:token>.pdf", views.pdf, name="shared-pdf"),
    path("s/<token:token>/r<int:number>.pdf", views.pdf, name="frozen-pdf"),
    path("s/<token:token>/page.png", views.page_image, name="page-image"),
    path("r/<token:token>/sheets.pdf", views.own_pdf, name="own-pdf"),
    path("r/<token:token>/page.png", views.own_page_image, name="own-page-image"),
    path("s/<token:token>/print", views.print_page, name="print"),
    path("s/<token:token>/print/default", views.save_as_default, name="print-default"),
    path("blank/<system:system>.pdf", views.blank, name="blank"),
]
