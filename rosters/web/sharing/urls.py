"""URLs of shared rosters, their downloads and histories."""

from django.urls import include, path

from rosters.web.sharing import compare, downloads, editors, history, views, visibility

SHARED = [
    path("<token:token>", views.shared, name="shared"),
    path("<token:token>/copy", views.copy, name="copy"),
    path("<token:token>/tools", views.tools, name="tools"),
    path("<token:token>/history", history.shared_history, name="shared-history"),
    path("<token:token>/compare", compare.compare, name="compare"),
    path("<token:token>.json", views.shared_json, name="shared-json"),
    path("<token:token>.png", downloads.preview_image, name="shared-png"),
    path("<token:token>/line.txt", downloads.line, name="shared-line"),
    path("<token:token>/qr.svg", downloads.qr, name="shared-qr"),
    path("<token:token>/r<int:number>", history.fixed_version_page, name="frozen"),
    path("<token:token>/r<int:number>.json", history.fixed_version_json, name="frozen-json"),
    path("<token:token>/r<int:number>.png", downloads.preview_image, name="frozen-png"),
    path("<token:token>/r<int:number>/line.txt", downloads.line, name="frozen-line"),
    path("<token:token>/r<int:number>/qr.svg", downloads.qr, name="frozen-qr"),
    *(
        path(f"<token:token>{version}.{ending}", downloads.export, {"ending": ending}, name=f"{name}-{ending}")
        for name, version in (("shared", ""), ("frozen", "/r<int:number>"))
        for ending in downloads.EXPORTS
    ),
]
OF_A_ROSTER = [
    path("history", history.history, name="history"),
    path("history/<int:number>", history.version, name="version"),
    path("history/<int:number>/restore", history.restore, name="restore"),
    path("sharing", visibility.sharing, name="sharing"),
    path("sharing/reset-share-link", visibility.reset_share_link, name="reset-share-link"),
    path("links", editors.links, name="links"),
    path("links/<int:pk>/replace", editors.replace_link, name="replace-link"),
    path("links/<int:pk>/revoke", editors.revoke_link, name="revoke-link"),
    path("edit-link", editors.reset_owner_link, name="reset-owner-link"),
    path("editors/<int:pk>/remove", editors.remove_editor, name="remove-editor"),
    path("document.json", downloads.own_document, name="document"),
]
"""The URLs below the address of a roster: its token is matched once for all of them."""

urlpatterns = [
    path("s/", include(SHARED)),
    path("r/<token:token>/", include(OF_A_ROSTER)),
    path("e/<token:token>/<token:secret>", views.open_link, name="open-link"),
]
