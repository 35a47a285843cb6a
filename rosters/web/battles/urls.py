"""URLs of battles, and of the page that checks many links."""

from django.urls import include, path

from rosters.web.battles import link_check, new, pack, pairs, reports, views

BATTLES = [
    path("<token:token>", views.battle, name="battle"),
    path("<token:token>.pdf", pack.pdf, name="battle-pdf"),
    path("<token:token>.png", pack.preview_image, name="battle-png"),
    path("<token:token>/qr.svg", pack.qr, name="battle-qr"),
    path("<token:token>/add", views.add, name="battle-add"),
    path("<token:token>/join", views.join, name="battle-join"),
    path("<token:token>/opponent", views.build_opponent, name="battle-opponent"),
    path("<token:token>/terms", views.terms, name="battle-terms"),
    path("<token:token>/pin", views.lock_all, name="battle-pin-all"),
    path("<token:token>/forces/<int:pk>/pin", views.lock, name="battle-pin"),
    path("<token:token>/forces/<int:pk>/copy", views.play_sample, name="battle-play-sample"),
    path("<token:token>/forces/<int:pk>/side", views.side, name="battle-side"),
    path("<token:token>/forces/<int:pk>/player", views.player, name="battle-player"),
    path("<token:token>/forces/<int:pk>/remove", views.remove, name="battle-remove"),
    path("<token:token>/rematch", views.rematch, name="battle-rematch"),
    path("<token:token>/reports", reports.create, name="battle-reports"),
    path("<token:token>/reports/<token:report>", reports.report, name="battle-report"),
    path("<token:token>/reports/<token:report>/stop", reports.stop, name="battle-report-stop"),
    path("<token:token>/reports/<token:report>/again", reports.again, name="battle-report-again"),
    path("<token:token>/reports/<token:report>/replay", reports.replay, name="battle-report-replay"),
    path("<token:token>/delete", views.delete, name="battle-delete"),
]

urlpatterns = [
    path("battle/new", new.new, name="battle-new"),
    path("battle/sample/<system:system>/<slug:name>", pairs.sample_battle, name="sample-battle"),
    path("battle/sample/<system:system>/<slug:name>.png", pairs.sample_picture, name="sample-battle-png"),
    path("battle/sample/<system:system>/<slug:name>/report", pairs.sample_report, name="sample-report"),
    path("b/", include(BATTLES)),
    path("check", link_check.check, name="check"),
]
