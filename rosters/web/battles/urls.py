"""URLs of battles, and of the page that checks many links."""

from django.urls import path

from rosters.web.battles import link_check, views

urlpatterns = [
    path("battle/new", views.new, name="battle-new"),
    path("b/<token:token>", views.battle, name="battle"),
    path("b/<token:token>.pdf", views.pdf, name="battle-pdf"),
    path("b/<token:token>.png", views.preview_image, name="battle-png"),
    path("b/<token:token>/qr.svg", views.qr, name="battle-qr"),
    path("b/<token:token>/add", views.add, name="battle-add"),
    path("b/<token:token>/join", views.join, name="battle-join"),
    path("b/<token:token>/opponent", views.build_opponent, name="battle-opponent"),
    path("b/<token:token>/terms", views.terms, name="battle-terms"),
    path("b/<token:token>/pin", views.lock_all, name="battle-pin-all"),
    path("b/<token:token>/forces/<int:pk>/pin", views.lock, name="battle-pin"),
    path("b/<token:token>/forces/<int:pk>/side", views.side, name="battle-side"),
    path("b/<token:token>/forces/<int:pk>/player", views.player, name="battle-player"),
    path("b/<token:token>/forces/<int:pk>/remove", views.remove, name="battle-remove"),
    path("b/<token:token>/rematch", views.rematch, name="battle-rematch"),
    path("b/<token:token>/delete", views.delete, name="battle-delete"),
    path("check", link_check.check, name="check"),
]
