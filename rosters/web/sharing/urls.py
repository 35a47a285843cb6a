"""URLs of shared rosters, their downloads and histories."""

from django.urls import path

from rosters.web.sharing import compare, downloads, editors, history, views, visibility

urlpatterns = [
    path("s/<token:token>", views.shared, name="shared"),
    path("s/<token:token>/copy", views.copy, name="copy"),
    path("s/<token:token>/tools", views.tools, name="tools"),
    path("s/<token:token>/history", history.shared_history, name="shared-history"),
    path("s/<token:token>/compare", compare.compare, name="compare"),
    path("s/<token:token>.json", views.shared_json, name="shared-json"),
    path("s/<token:token>.png", downloads.preview_image, name="shared-png"),
    path("s/<token:token>/line.txt", downloads.line, name="shared-line"),
    path("s/<token:token>/qr.svg", downloads.qr, name="shared-qr"),
    path("s/<token:token>/r<int:number>", history.fixed_version_page, name="frozen"),
    path("s/<token:token>/r<int:number>.json", history.fixed_version_json, name="frozen-json"),
    path("s/<token:token>/r<int:number>.png", downloads.preview_image, name="frozen-png"),
    path("s/<token:token>/r<int:number>/line.txt", downloads.line, name="frozen-line"),
    path("s/<token:token>/r<int:number>/qr.svg", downloads.qr, name="frozen-qr"),
    *(
        path(f"s/<token:token>{version}.{ending}", downloads.export, {"ending": ending}, name=f"{name}-{ending}")
        for name, version in (("shared", ""), ("frozen", "/r<int:number>"))
        for ending in downloads.EXPORTS
    ),
    path("e/<token:token>/<token:secret>", views.open_link, name="open-link"),
    path("r/<token:token>/history", history.history, name="history"),
    path("r/<token:token>/history/<int:number>", history.version, name="version"),
    path("r/<token:token>/history/<int:number>/restore", history.restore, name="restore"),
    path("r/<token:token>/sharing", visibility.sharing, name="sharing"),
    path("r/<token:token>/sharing/reset-share-link", visibility.reset_share_link, name="reset-share-link"),
    path("r/<token:token>/links", editors.links, name="links"),
    path("r/<token:token>/links/<int:pk>/replace", editors.replace_link, name="replace-link"),
    path("r/<token:token>/links/<int:pk>/revoke", editors.revoke_link, name="revoke-link"),
    path("r/<token:token>/edit-link", editors.reset_owner_link, name="reset-owner-link"),
    path("r/<token:token>/editors/<int:pk>/remove", editors.remove_editor, name="remove-editor"),
    path("r/<token:token>/document.json", downloads.own_document, name="document"),
]
