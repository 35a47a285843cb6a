"""URLs of the shelf."""

from django.urls import include, path

from rosters.web.shelf import match, needs, views

OF_A_SHELF = [
    path("", views.shelf, name="shelf"),
    path("line", views.preview_shelf_line, name="shelf-line"),
    path("add", views.add_line, name="shelf-add"),
    path("counts", views.save_counts, name="shelf-counts"),
    path("rosters", needs.rosters, name="shelf-rosters"),
    path("match", match.match, name="shelf-match"),
    path("match/<token:searched>", match.matched, name="shelf-matched"),
    path("match/<token:searched>/stop", match.stop_match, name="shelf-match-stop"),
    path("match/<token:searched>/battle", match.make_battle, name="shelf-match-battle"),
    path("link", views.link, name="shelf-link"),
    path("delete", views.delete, name="shelf-delete"),
    path("open/<token:secret>", views.open_link, name="open-shelf"),
]

urlpatterns = [
    path("shelf/", views.my_shelf, name="my-shelf"),
    path("shelf/<token:token>/", include(OF_A_SHELF)),
]
