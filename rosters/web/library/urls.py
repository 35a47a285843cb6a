"""URLs of home, Browse, My rosters, imports, help."""

from django.urls import path

from rosters.web.library import browse, download, imports, price, views, worth

urlpatterns = [
    path("", browse.home, name="home"),
    path("card.png", browse.home_image, name="home-png"),
    path("price", price.price, name="price"),
    path("books/", browse.browse, name="browse"),
    path("errata/", browse.errata, name="errata"),
    path("explain/", browse.help_index, name="help"),
    path("help", browse.help_redirect),
    path("help/", browse.help_redirect),
    path("explain/<system:system>", browse.explain, name="explain"),
    path("explain/<system:system>/findings", browse.explain_findings, name="explain-findings"),
    path("explain/<system:system>/worth", worth.worth, name="worth"),
    path("schema/roster.json", browse.schema, name="schema"),
    path("robots.txt", browse.robots, name="robots"),
    path("import", imports.import_rosters, name="import"),
    path("import/preview", imports.preview, name="import-preview"),
    path("mine/", views.mine, name="mine"),
    path("mine/label", views.move_and_tag, name="mine-label"),
    path("mine/folder", views.move_to_folder, name="mine-folder"),
    path("mine/tags/add", views.add_tags, name="mine-add-tags"),
    path("mine/tags/remove", views.remove_tags, name="mine-remove-tags"),
    path("mine/archive", views.archive, name="mine-archive"),
    path("mine/unarchive", views.unarchive, name="mine-unarchive"),
    path("mine/delete", views.delete_selected, name="mine-delete"),
    path("mine/bin", views.bin_page, name="bin"),
    path("mine/bin/undo", views.undo_delete, name="bin-undo"),
    path("mine/bin/restore", views.restore_from_bin, name="bin-restore"),
    path("mine/bin/delete", views.delete_permanently, name="bin-delete"),
    path("mine/bin/empty", views.empty_bin, name="bin-empty"),
    path("mine/backup", download.download_mine, name="my-backup"),
    path("r/<token:token>/delete", views.delete, name="delete"),
]
