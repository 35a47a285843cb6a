"""Addresses of what one browses: home, the gallery, My rosters, imports, help."""

from django.urls import path

from rosters.web.library import browse, download, imports, views

urlpatterns = [
    path("", browse.home, name="home"),
    path("books/", browse.books, name="books"),
    path("errata/", browse.errata, name="errata"),
    path("explain/<system:system>", browse.explain, name="explain"),
    path("schema/roster.json", browse.schema, name="schema"),
    path("robots.txt", browse.robots, name="robots"),
    path("import", imports.import_rosters, name="import"),
    path("mine/", views.mine, name="mine"),
    path("mine/bin", views.bin_page, name="bin"),
    path("mine/backup", download.download_mine, name="my-backup"),
    path("r/<token:token>/delete", views.delete, name="delete"),
]
